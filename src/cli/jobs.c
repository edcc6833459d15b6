#include "cli/jobs.h"

#include "cli/slice.h"
#include "cli/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *bl_field_text(const struct bl_tree *map, const char *key, const char *otherwise)
{
    const struct bl_tree *found = map && map->kind == BL_TREE_MAP ? bl_tree_find(map, key) : NULL;

    return found && found->kind == BL_TREE_SCALAR ? found->text : otherwise;
}

int64_t bl_field_int(const struct bl_tree *map, const char *key, int64_t otherwise)
{
    const char *text = bl_field_text(map, key, NULL);

    return text ? strtoll(text, NULL, 10) : otherwise;
}

double bl_field_double(const struct bl_tree *map, const char *key, double otherwise)
{
    const char *text = bl_field_text(map, key, NULL);

    return text ? strtod(text, NULL) : otherwise;
}

/* Beyond the year 10000 nothing is meant. */
bl_time bl_field_time(const struct bl_tree *map, const char *key)
{
    double seconds = bl_field_double(map, key, 0);

    return fabs(seconds) < 2.5e11 ? llround(seconds * (double)BL_SECOND) : 0;
}

bool bl_field_is_null(const struct bl_tree *map, const char *key)
{
    return !bl_field_text(map, key, NULL);
}

const struct bl_tree *bl_field_list(const struct bl_tree *map, const char *key)
{
    const struct bl_tree *found = map && map->kind == BL_TREE_MAP ? bl_tree_find(map, key) : NULL;

    return found && found->kind == BL_TREE_LIST ? found : NULL;
}

const char *bl_item_text(const struct bl_tree *list, size_t index)
{
    const struct bl_tree *item = &list->child[index];

    return item->kind == BL_TREE_SCALAR ? item->text : "";
}

/* The map under `key`, or NULL. */
static const struct bl_tree *field_map(const struct bl_tree *map, const char *key)
{
    const struct bl_tree *found = map && map->kind == BL_TREE_MAP ? bl_tree_find(map, key) : NULL;

    return found && found->kind == BL_TREE_MAP ? found : NULL;
}

void bl_job_view_read_reason(const struct bl_tree *tree, struct bl_job_view *out)
{
    const struct bl_tree *numbers = field_map(tree, "reason_numbers");

    out->reason = bl_field_text(tree, "reason", "");
    out->reason_text = bl_field_text(tree, "reason_text", "");
    out->has_numbers = numbers;
    out->numbers = (struct bl_reason_numbers){
        .job = bl_field_int(numbers, "job", 0),
        .need = bl_field_int(numbers, "need", 0),
        .have = bl_field_int(numbers, "have", 0),
        .at = bl_field_time(numbers, "at"),
    };
}

static void read_array(const struct bl_tree *tree, struct bl_job_view *out)
{
    const struct bl_tree *array = field_map(tree, "array");

    out->array_index = bl_field_int(tree, "array_index", -1);
    out->array_id = out->array_index >= 0 ? bl_field_int(tree, "array_id", 0) : 0;
    out->array = (struct bl_array_counts){
        .elements = bl_field_int(array, "elements", 0),
        .pending = bl_field_int(array, "pending", 0),
        .running = bl_field_int(array, "running", 0),
        .done = bl_field_int(array, "done", 0),
        .failed = bl_field_int(array, "failed", 0),
        .running_max = bl_field_int(array, "running_max", 0),
    };
}

const struct bl_tree *bl_job_array(const struct bl_job_view *job)
{
    return field_map(job->tree, "array");
}

void bl_job_view_read(const struct bl_tree *tree, struct bl_job_view *out)
{
    const struct bl_tree *gpus = field_map(tree, "gpus");

    *out = (struct bl_job_view){
        .id = bl_field_int(tree, "id", 0),
        .name = bl_field_text(tree, "name", ""),
        .user = bl_field_text(tree, "user", ""),
        .project = bl_field_text(tree, "project", ""),
        .job_class = bl_field_text(tree, "class", ""),
        .kind = bl_field_text(tree, "kind", ""),
        .state = bl_field_text(tree, "state", ""),
        .gpus_min = bl_field_int(gpus, "min", 0),
        .gpus_max = bl_field_int(gpus, "max", 0),
        .gpus_now = bl_field_int(gpus, "now", 0),
        .submitted_at = bl_field_time(tree, "submitted_at"),
        .started_at = bl_field_time(tree, "started_at"),
        .ended_at = bl_field_time(tree, "ended_at"),
        .starts_at = bl_field_time(field_map(tree, "start"), "p50"),
        .ends_at = bl_field_time(field_map(tree, "end"), "p50"),
        .starts_by = bl_field_time(field_map(tree, "start"), "p90"),
        .ends_by = bl_field_time(field_map(tree, "end"), "p90"),
        .eta_from = bl_field_text(field_map(tree, "eta"), "from", ""),
        .eta_runs = bl_field_int(field_map(tree, "eta"), "runs", 0),
        .limit = bl_field_time(tree, "limit_s"),
        .has_progress = !bl_field_is_null(tree, "progress"),
        .progress = bl_field_double(tree, "progress", 0),
        .priority = bl_field_int(tree, "priority", 0),
        .attempt = bl_field_int(tree, "attempt", 0),
        .has_exit_code = !bl_field_is_null(tree, "exit_code"),
        .exit_code = bl_field_int(tree, "exit_code", 0),
        .tree = tree,
    };
    bl_job_view_read_reason(tree, out);
    read_array(tree, out);
}

/* Adds the jobs of one page; answers the id to go on after, 0 at the end. */
static int64_t take_page(struct bl_job_list *list, struct bl_reply *reply)
{
    const struct bl_tree *jobs = bl_field_list(reply->tree, "jobs");

    for (size_t i = 0; jobs && i < jobs->child_count; i++) {
        struct bl_job_view view;

        if (jobs->child[i].kind != BL_TREE_MAP) {
            continue;
        }
        bl_job_view_read(&jobs->child[i], &view);
        BL_VEC_PUSH(list, view);
    }
    if (list->page_count == list->page_capacity) {
        list->page_capacity = list->page_capacity ? list->page_capacity * 2 : 4;
        list->page = bl_realloc_array(list->page, list->page_capacity, sizeof(struct bl_reply *));
    }
    list->page[list->page_count++] = reply;
    return bl_field_int(reply->tree, "next", 0);
}

int bl_job_list_fetch(struct bl_client *client, const char *query, struct bl_job_list *out,
                      struct bl_error *err)
{
    int64_t after = 0;

    do {
        BL_AUTO_BUF path = {0};
        struct bl_reply *reply = bl_alloc_zero(sizeof *reply);
        int64_t before = after;
        int status;

        bl_buf_printf(&path, "/api/v1/jobs?%s%slimit=%d", query, *query ? "&" : "",
                      (int)BL_JOBS_PAGE);
        if (after > 0) {
            bl_buf_printf(&path, "&after=%lld", (long long)after);
        }
        status = bl_client_get(client, bl_buf_text(&path), reply, err);
        if (status) {
            bl_reply_finish(reply);
            free(reply);
            return status;
        }
        after = take_page(out, reply);
        /* a list that does not move on would never end */
        after = after > before ? after : 0;
    } while (after > 0);
    return BL_OK;
}

void bl_job_list_print_json(struct bl_buf *out, const struct bl_job_list *list)
{
    bool any = false;

    bl_buf_append_text(out, "{\"jobs\": [");
    for (size_t i = 0; i < list->page_count; i++) {
        bl_slice_append_items(out, bl_buf_text(&list->page[i]->body), "jobs", &any);
    }
    bl_buf_append_text(out, "]}\n");
}

void bl_job_list_finish(struct bl_job_list *list)
{
    for (size_t i = 0; i < list->page_count; i++) {
        bl_reply_finish(list->page[i]);
        free(list->page[i]);
    }
    free(list->page);
    free(list->at);
    *list = (struct bl_job_list){0};
}
