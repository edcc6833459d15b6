/* What every unit test includes: cmocka and what it needs. */
#ifndef BL_TEST_H
#define BL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
