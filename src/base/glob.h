/* Patterns as people write them for names: '*' is any text, '?' one byte, all else itself. */
#ifndef BL_BASE_GLOB_H
#define BL_BASE_GLOB_H

#include <stdbool.h>

/* Whether all of the text is of the pattern. At most as many steps as both lengths multiplied. */
bool bl_glob_matches(const char *pattern, const char *text);

#endif
