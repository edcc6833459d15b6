/* What tests of the client's texts share. */
#ifndef BL_TESTS_KIT_CLIENT_TEXT_H
#define BL_TESTS_KIT_CLIENT_TEXT_H

#include "bl_test.h"
#include "cli/table.h"
#include "form/tree.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A group's set-up: UTC, and texts in UTF-8. */
static inline int choose_locale(void **state)
{
    (void)state;
    setenv("TZ", "UTC", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    tzset();
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

static inline struct bl_tree *read_tree(const char *json, struct bl_arena *arena)
{
    const struct bl_tree_source source = {"sample", json, strlen(json)};
    struct bl_tree *tree = NULL;

    assert_int_equal(bl_json_read(&source, arena, &tree, NULL), BL_OK);
    return tree;
}

/* A table of what is given as JSON, without colours. */
static inline void expect_table(void (*print)(struct bl_buf *, const struct bl_tree *,
                                              const struct bl_table_look *),
                                const char *json, const char *expected)
{
    const struct bl_table_look look = {0};
    struct bl_arena arena = {0};
    BL_AUTO_BUF out = {0};

    print(&out, read_tree(json, &arena), &look);
    assert_string_equal(bl_buf_text(&out), expected);
    bl_arena_finish(&arena);
}

#endif
