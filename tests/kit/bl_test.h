/* What every unit test includes: cmocka and what it needs. */
#ifndef BL_TEST_H
#define BL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Leaves the test and says what the machine lacks; tests/run counts it as skipped and lists the
 * reason. Use it in place of cmocka's skip(), whose TAP line (1.1.5) reads as a failure. */
#define BL_SKIP(reason)                                                                            \
    do {                                                                                           \
        print_message("# skipped: %s\n", (reason));                                                \
        return;                                                                                    \
    } while (0)

#endif
