/* What a fuzz target is: it takes any bytes, and neither crashes, hangs nor leaks. Built with
 * libFuzzer it is searched; in every other build main.c runs the files of its corpus. A bug that
 * was found goes into the corpus. */
#ifndef BL_FUZZ_H
#define BL_FUZZ_H

#include "base/error.h"
#include "form/tree.h"

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

/* Reads what follows the first byte as JSON or as YAML; NULL when it is neither. */
static inline struct bl_tree *read_document(const uint8_t *bytes, size_t length, int is_json,
                                            struct bl_tree_source *source, struct bl_arena *arena)
{
    struct bl_tree *tree = NULL;
    struct bl_error err = {0};
    int status;

    *source = (struct bl_tree_source){"input", (const char *)bytes + 1, length - 1};
    status = (is_json ? bl_json_read : bl_yaml_read)(source, arena, &tree, &err);
    check_refusal(status, &err);
    return status == BL_OK ? tree : NULL;
}

#endif
