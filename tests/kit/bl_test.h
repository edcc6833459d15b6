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
#include <stdlib.h>

/* cmocka's own is not known to leave the test: compilers and analysers would read on behind it. */
#undef fail_msg
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        print_error("ERROR: ");                                                                    \
        print_error(__VA_ARGS__);                                                                  \
        print_error("\n");                                                                         \
        _fail(__FILE__, __LINE__);                                                                 \
        abort();                                                                                   \
    } while (0)

/* Leaves the test and says what the machine lacks; tests/run counts it as skipped and lists the
 * reason. Use it in place of cmocka's skip(), whose TAP line (1.1.5) reads as a failure. */
#define BL_SKIP(reason)                                                                            \
    do {                                                                                           \
        print_message("# skipped: %s\n", (reason));                                                \
        return;                                                                                    \
    } while (0)

#endif
