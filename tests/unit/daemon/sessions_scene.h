/* A state directory with its tokens and sessions. */
#ifndef BL_TEST_SESSIONS_SCENE_H
#define BL_TEST_SESSIONS_SCENE_H

#include "bl_test.h"
#include "daemon/sessions.h"
#include "os/fs.h"

#include <stdlib.h>

#define NOW (INT64_C(1700000000) * BL_SECOND)

struct scene {
    char folder[64];
    struct bl_tokens *tokens;
    struct bl_sessions *sessions;
};

static inline void scene_open(struct scene *scene)
{
    *scene = (struct scene){.folder = "/tmp/baleen-test-sessions-XXXXXX"};
    assert_non_null(mkdtemp(scene->folder));
    assert_int_equal(bl_tokens_open(scene->folder, &scene->tokens, NULL), BL_OK);
    assert_int_equal(bl_sessions_open(scene->folder, scene->tokens, &scene->sessions, NULL), BL_OK);
}

static inline void scene_close(struct scene *scene)
{
    bl_sessions_close(scene->sessions);
    bl_tokens_close(scene->tokens);
    assert_int_equal(bl_fs_remove_tree(scene->folder, NULL), BL_OK);
}

#endif
