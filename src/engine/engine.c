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
