/* What people change of a job: the part of JOB_CHANGED that no table of fields holds. */
#include "form/jobspec.h"
#include "form/record_fields.h"

void bl_record_put_change(struct bl_json *json, const struct bl_event *event)
{
    const struct bl_job_change *change = &event->u.changed;

    bl_record_put_gpu_types(json, change->gpu_type, change->gpu_type_count);
    if (change->set_class) {
        bl_json_put_text(json, "class", bl_job_class_name(change->job_class));
    }
}

static int read_class(const struct bl_tree_reader *in, const struct bl_tree *map,
                      struct bl_job_change *out)
{
    const struct bl_tree *at = bl_tree_given(map, "class");

    return at ? bl_jobspec_read_class(in, at, &out->job_class)
              : bl_tree_fail(in->source, map, in->err, "expected the key 'class' beside set_class");
}

int bl_record_read_change(const struct bl_tree_reader *in, const struct bl_tree *map,
                          struct bl_event *event)
{
    struct bl_job_change *out = &event->u.changed;
    int status = bl_record_read_gpu_types(in, map, out->gpu_type, &out->gpu_type_count);

    return status == BL_OK && out->set_class ? read_class(in, map, out) : status;
}
