#include "core/predict.h"

#include <string.h>

const struct bl_predictor *bl_predictor_find(const char *name)
{
    for (size_t i = 0; bl_predictors[i]; i++) {
        if (strcmp(bl_predictors[i]->name, name) == 0) {
            return bl_predictors[i];
        }
    }
    return NULL;
}
