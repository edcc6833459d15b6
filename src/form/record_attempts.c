/* A job's earlier attempts in the records of snapshots. */
#include "form/record_fields.h"

void bl_record_put_attempts(struct bl_json *json, const struct bl_job_attempts *attempts)
{
    if (attempts->list.count == 0) {
        return;
    }
    bl_json_key(json, "attempts");
    bl_json_open_array(json);
    for (size_t i = 0; i < attempts->list.count; i++) {
        bl_json_open_object(json);
        bl_record_put_fields(json, bl_record_attempt_fields, &attempts->list.at[i]);
        bl_record_put_parts(json, "where", &attempts->list.at[i].alloc);
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

static int read_attempt(const struct bl_tree_reader *in, const struct bl_tree *map,
                        struct bl_job_attempt *out)
{
    const struct bl_alloc *alloc = NULL;
    int status = bl_record_read_fields(in, map, bl_record_attempt_fields, out);

    if (status == BL_OK) {
        status = bl_record_read_parts(in, map, "where", &alloc);
    }
    out->alloc = alloc ? *alloc : (struct bl_alloc){0};
    return status;
}

/* Only the last one may be going on. */
static bool follows(const struct bl_job_attempt *before, const struct bl_job_attempt *attempt)
{
    return before->ended_at != 0 && before->number < attempt->number;
}

int bl_record_read_attempts(const struct bl_tree_reader *in, const struct bl_tree *map,
                            struct bl_job_attempts *out)
{
    const struct bl_tree *list = NULL;
    int status = bl_record_find_list(in, map, "attempts", BL_ATTEMPTS_MAX, &list);
    struct bl_job_attempt *made;

    if (status != BL_OK || !list || !list->child_count) {
        return status;
    }
    made = bl_arena_alloc(in->arena, list->child_count * sizeof *made);
    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        status = read_attempt(in, &list->child[i], &made[i]);
        if (status == BL_OK && i > 0 && !follows(&made[i - 1], &made[i])) {
            return bl_tree_fail(in->source, &list->child[i], in->err,
                                "expected attempts in order of their numbers, each over before "
                                "the next");
        }
    }
    out->list.at = made;
    out->list.count = list->child_count;
    return status;
}
