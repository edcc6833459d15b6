#include "base/glob.h"

#include <stddef.h>

/* The last star takes one byte more whenever what follows it does not fit: that one before it could
 * have taken more as well never helps. */
bool bl_glob_matches(const char *pattern, const char *text)
{
    const char *behind_star = NULL;
    const char *taken_to = NULL;

    while (*text) {
        if (*pattern == '*') {
            behind_star = ++pattern;
            taken_to = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (behind_star) {
            pattern = behind_star;
            text = ++taken_to;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}
