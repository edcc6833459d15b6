#include "engine/engine.h"

#include <string.h>

const struct bl_engine *bl_engine_find(const char *name)
{
    for (const struct bl_engine *const *at = bl_engines; *at; at++) {
        if (strcmp((*at)->name, name) == 0) {
            return *at;
        }
    }
    return NULL;
}

void bl_engine_print_names(struct bl_buf *out)
{
    for (size_t i = 0; bl_engines[i]; i++) {
        bl_buf_printf(out, "%s%s", i ? ", " : "", bl_engines[i]->name);
    }
}
