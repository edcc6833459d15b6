/* What a fuzz target is: it takes any bytes, and neither crashes, hangs nor leaks. Built with
 * libFuzzer it is searched; in every other build main.c runs the files of its corpus. A bug that
 * was found goes into the corpus. */
#ifndef BL_FUZZ_H
#define BL_FUZZ_H

#include "base/error.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* A refusal must say something, and its status must be the one returned. */
static inline void check_refusal(int status, const struct bl_error *err)
{
    if (status != BL_OK) {
        assert(err->text[0]);
        assert((int)err->status == status);
    }
}

#endif
