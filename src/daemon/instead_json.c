#include "daemon/instead_json.h"

#include "base/own.h"
#include "daemon/job_json.h"

/* One change, in the words of a PATCH and in those of a submission's flags. */
static void put_word(struct bl_json *json, struct bl_buf *flags, const char *key, const char *flag,
                     const char *value)
{
    bl_json_put_text(json, key, value);
    bl_buf_printf(flags, "%s %s", flag, value);
}

static void put_change(struct bl_json *json, struct bl_buf *flags,
                       const struct bl_job_change *change)
{
    BL_AUTO_BUF text = {0};

    if (change->set_gpus) {
        bl_buf_printf(&text, "%d", (int)change->gpus_max);
        put_word(json, flags, "gpus", "--gpus", bl_buf_text(&text));
    } else if (change->set_gpu_types) {
        put_word(json, flags, "gpu_type", "--gpu-type", change->gpu_type[0]);
    } else if (change->set_limit) {
        bl_span_print(&text, change->limit);
        put_word(json, flags, "limit", "-t", bl_buf_text(&text));
    } else if (change->set_class) {
        put_word(json, flags, "class", "--class", bl_job_class_name(change->job_class));
    } else { /* on any number of nodes: no flag says so */
        bl_json_put_null(json, "nodes");
    }
}

static void put_before(struct bl_json *json, int64_t booking)
{
    BL_AUTO_BUF name = {0};

    if (booking > 0) {
        bl_buf_printf(&name, "r%lld", (long long)booking);
        bl_json_put_text(json, "before", bl_buf_text(&name));
    } else {
        bl_json_put_null(json, "before");
    }
}

static void write_one(struct bl_json *json, const struct bl_instead *instead)
{
    BL_AUTO_BUF flags = {0};

    bl_json_open_object(json);
    bl_json_key(json, "set");
    bl_json_open_object(json);
    put_change(json, &flags, &instead->change);
    bl_json_close_object(json);
    bl_json_put_text(json, "flags", flags.length ? bl_buf_text(&flags) : NULL);
    bl_range_json_write(json, "start", &instead->start);
    bl_json_put_int(json, "runs", (int64_t)instead->runs);
    bl_json_put_bool(json, "now", instead->is_now);
    put_before(json, instead->before);
    bl_json_close_object(json);
}

void bl_instead_json_write(struct bl_json *json, const struct bl_insteads *insteads)
{
    if (!insteads) {
        bl_json_put_null(json, "instead");
        bl_json_put_null(json, "instead_untried");
        return;
    }
    bl_json_key(json, "instead");
    bl_json_open_array(json);
    for (size_t i = 0; i < insteads->count; i++) {
        write_one(json, &insteads->at[i]);
    }
    bl_json_close_array(json);
    bl_json_put_int(json, "instead_untried", (int64_t)insteads->untried);
}
