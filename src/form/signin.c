#include "form/signin.h"

#include "form/tree_read.h"

#include <string.h>

/* What stands there is a secret: a failure must not repeat it. */
static int read_secret(const struct bl_tree_reader *in, const struct bl_tree *at, const char **out)
{
    if (at->kind != BL_TREE_SCALAR || strlen(at->text) > BL_SIGNIN_BYTES_MAX) {
        return bl_tree_fail(in->source, at, in->err, "expected a text of at most %d bytes",
                            BL_SIGNIN_BYTES_MAX);
    }
    *out = at->text;
    return BL_OK;
}

static int read_keys(const struct bl_tree_reader *in, const struct bl_tree *tree,
                     struct bl_signin *out)
{
    static const char *const keys[] = {"token", "code", NULL};
    const struct bl_tree *token = tree->kind == BL_TREE_MAP ? bl_tree_given(tree, "token") : NULL;
    const struct bl_tree *code = tree->kind == BL_TREE_MAP ? bl_tree_given(tree, "code") : NULL;

    if (!token == !code) {
        return bl_tree_fail(in->source, tree, in->err,
                            "expected {\"token\": \"bl_…\"} or {\"code\": \"…\"}");
    }
    if (bl_tree_check_keys(in->source, tree, keys, in->err) != BL_OK) {
        return (int)in->err->status;
    }
    return token ? read_secret(in, token, &out->token) : read_secret(in, code, &out->code);
}

int bl_signin_read(const struct bl_tree_source *source, struct bl_arena *arena,
                   struct bl_signin *out, struct bl_error *err)
{
    struct bl_tree_reader in = {source, arena, err};
    struct bl_signin signin = {NULL, NULL};
    struct bl_tree *tree = NULL;

    if (bl_json_read(source, arena, &tree, err) != BL_OK ||
        read_keys(&in, tree, &signin) != BL_OK) {
        return (int)err->status;
    }
    *out = signin;
    return BL_OK;
}
