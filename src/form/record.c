#include "form/record.h"

#include "form/json_out.h"
#include "form/policyspec.h"
#include "form/record_fields.h"

#include <string.h>

static void put_int(struct bl_json *json, const struct bl_field *field, int64_t value)
{
    if (value || field->is_required) {
        bl_json_put_int(json, field->key, value);
    }
}

static void put_field(struct bl_json *json, const struct bl_field *field, const char *from)
{
    const char *text = NULL;
    bool flag = false;
    int32_t narrow = 0;
    int64_t wide = 0;
    double real = 0;

    switch (field->kind) {
    case BL_FIELD_TEXT:
        memcpy(&text, from, sizeof text);
        if (text) {
            bl_json_put_text(json, field->key, text);
        }
        break;
    case BL_FIELD_BOOL:
        memcpy(&flag, from, sizeof flag);
        if (flag) {
            bl_json_put_bool(json, field->key, true);
        }
        break;
    case BL_FIELD_INT32:
        memcpy(&narrow, from, sizeof narrow);
        put_int(json, field, narrow);
        break;
    case BL_FIELD_INT64:
        memcpy(&wide, from, sizeof wide);
        put_int(json, field, wide);
        break;
    case BL_FIELD_DOUBLE:
    case BL_FIELD_REAL:
        memcpy(&real, from, sizeof real);
        if (real > 0 || (field->kind == BL_FIELD_REAL && real < 0)) {
            bl_json_put_double(json, field->key, real);
        }
        break;
    case BL_FIELD_WORD:
        memcpy(&narrow, from, sizeof narrow);
        bl_json_put_text(json, field->key, field->name(narrow));
        break;
    case BL_FIELD_OTHER:
        break;
    }
}

void bl_record_put_fields(struct bl_json *json, const struct bl_field *field, const void *from)
{
    for (; field->key; field++) {
        put_field(json, field, (const char *)from + field->offset);
    }
}

static void put_policy(struct bl_json *json, const struct bl_policy_choice *choice)
{
    BL_AUTO_BUF text = {0};

    bl_policyspec_print(&text, choice);
    bl_json_put_text(json, "policy", bl_buf_text(&text));
}

static void put_curve(struct bl_json *json, const struct bl_curve *curve)
{
    switch (curve->kind) {
    case BL_CURVE_FLAT:
        break;
    case BL_CURVE_EFFICIENCY:
        bl_json_put_double(json, "efficiency", curve->efficiency);
        break;
    case BL_CURVE_POINTS:
        bl_json_key(json, "points");
        bl_json_open_array(json);
        for (size_t i = 0; i < curve->point_count; i++) {
            bl_json_open_array(json);
            bl_json_int(json, curve->point[i].gpus);
            bl_json_double(json, curve->point[i].speed);
            bl_json_close_array(json);
        }
        bl_json_close_array(json);
        break;
    }
}

static void put_after(struct bl_json *json, const struct bl_job_spec *spec)
{
    if (!spec->after_count) {
        return;
    }
    bl_json_key(json, "after");
    bl_json_open_array(json);
    for (size_t i = 0; i < spec->after_count; i++) {
        bl_json_open_object(json);
        bl_json_put_int(json, "job", spec->after[i].job);
        bl_json_put_text(json, "kind", bl_dependency_kind_name(spec->after[i].kind));
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

void bl_record_put_gpu_types(struct bl_json *json, const char *const *type, size_t count)
{
    if (!count) {
        return;
    }
    bl_json_key(json, "gpu_types");
    bl_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        bl_json_text(json, type[i]);
    }
    bl_json_close_array(json);
}

static void put_array(struct bl_json *json, const struct bl_job_spec *spec)
{
    if (!spec->array_range_count) {
        return;
    }
    bl_json_key(json, "array");
    bl_json_open_array(json);
    for (size_t i = 0; i < spec->array_range_count; i++) {
        bl_json_open_array(json);
        bl_json_int(json, spec->array[i].first);
        bl_json_int(json, spec->array[i].last);
        bl_json_int(json, spec->array[i].step);
        bl_json_close_array(json);
    }
    bl_json_close_array(json);
}

static void put_numbers(struct bl_json *json, const char *key, const int32_t *number, size_t count)
{
    if (!count) {
        return;
    }
    bl_json_key(json, key);
    bl_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        bl_json_int(json, number[i]);
    }
    bl_json_close_array(json);
}

static void put_wide(struct bl_json *json, const char *key, const int64_t *number, size_t count)
{
    bl_json_key(json, key);
    bl_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        bl_json_int(json, number[i]);
    }
    bl_json_close_array(json);
}

/* Pairs: the hash of the name, and the value as a point. */
static void put_clues(struct bl_json *json, const struct bl_clues *clues)
{
    if (!clues->param_count) {
        return;
    }
    bl_json_key(json, "params");
    bl_json_open_array(json);
    for (int32_t i = 0; i < clues->param_count; i++) {
        bl_json_open_array(json);
        bl_json_int(json, clues->param[i].name);
        bl_json_int(json, clues->param[i].point);
        bl_json_close_array(json);
    }
    bl_json_close_array(json);
}

static void put_foresight(struct bl_json *json, const struct bl_foresight *foresight)
{
    put_numbers(json, "siblings", foresight->asked.sibling, (size_t)foresight->asked.sibling_count);
    if (bl_dist_is_known(&foresight->dist)) {
        put_numbers(json, "foreseen", foresight->dist.point, BL_DIST_POINTS);
    }
}

static void put_spec(struct bl_json *json, const struct bl_job_spec *spec)
{
    bl_json_key(json, "spec");
    bl_json_open_object(json);
    bl_record_put_fields(json, bl_record_spec_fields, spec);
    bl_record_put_gpu_types(json, spec->gpu_type, spec->gpu_type_count);
    put_numbers(json, "gpu_counts", spec->gpu_count, spec->gpu_count_count);
    put_curve(json, &spec->curve);
    put_after(json, spec);
    put_array(json, spec);
    bl_record_put_places(json, spec->on, spec->on_count);
    bl_json_close_object(json);
}

static void put_texts(struct bl_json *json, const char *key, char *const *texts, size_t count)
{
    bl_json_key(json, key);
    bl_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        bl_json_text(json, texts[i]);
    }
    bl_json_close_array(json);
}

static void put_notes(struct bl_json *json, const char *key, const struct bl_launch_notes *notes)
{
    if (notes->count) {
        put_texts(json, key, notes->at, notes->count);
    }
}

static void put_launch(struct bl_json *json, const struct bl_launch *launch)
{
    bl_json_key(json, "launch");
    bl_json_open_object(json);
    bl_record_put_fields(json, bl_record_launch_fields, launch);
    put_notes(json, "params", &launch->params);
    put_notes(json, "labels", &launch->labels);
    put_texts(json, "argv", launch->argv, launch->argc);
    bl_json_close_object(json);
}

static void put_node(struct bl_json *json, const struct bl_node_spec *node)
{
    bl_json_key(json, "node");
    bl_json_open_object(json);
    bl_record_put_fields(json, bl_record_node_fields, node);
    bl_json_close_object(json);
}

/* A part of an allocation: node, GPUs, mask in hexadecimal (64 bits do not fit into a JSON number
 * everywhere), CPUs, memory. */
void bl_record_put_parts(struct bl_json *json, const char *key, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    bl_json_key(json, key);
    bl_json_open_array(json);
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        BL_AUTO_BUF mask = {0};

        bl_buf_printf(&mask, "%llx", (unsigned long long)part[i].gpu_mask);
        bl_json_open_array(json);
        bl_json_int(json, part[i].node);
        bl_json_int(json, part[i].gpus);
        bl_json_text(json, bl_buf_text(&mask));
        bl_json_int(json, part[i].cpu_milli);
        bl_json_int(json, part[i].mem_bytes);
        bl_json_close_array(json);
    }
    bl_json_close_array(json);
}

static void put_past(struct bl_json *json, const struct bl_job_past *past)
{
    bl_json_key(json, "past");
    bl_json_open_object(json);
    bl_record_put_fields(json, bl_record_past_fields, past);
    put_spec(json, &past->spec);
    put_foresight(json, &past->foresight);
    if (past->outcome) {
        put_numbers(json, "ended_as", past->ended_as, BL_JOB_STATE_COUNT);
    }
    put_numbers(json, "ready", past->ready, past->ready_count);
    if (past->alloc) {
        bl_record_put_parts(json, "where", past->alloc);
    }
    if (past->next) {
        bl_record_put_parts(json, "next_where", past->next);
    }
    bl_record_put_attempts(json, &past->attempts);
    bl_json_close_object(json);
}

void bl_record_write(struct bl_buf *out, const struct bl_event *event,
                     const struct bl_launch *launch)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "event", bl_event_name(event->kind));
    bl_record_put_fields(&json, bl_record_event_fields[event->kind], event);
    if (event->kind == BL_EVENT_POLICY_SET) {
        put_policy(&json, &event->u.policy);
    } else if (event->kind == BL_EVENT_NODE_ADDED) {
        put_node(&json, &event->u.node);
    } else if (event->kind == BL_EVENT_JOB_SUBMITTED) {
        put_spec(&json, &event->u.submitted);
    } else if (event->kind == BL_EVENT_JOB_RESTORED) {
        put_past(&json, event->u.restored);
    } else if (event->kind == BL_EVENT_RUN_LEARNED) {
        put_clues(&json, &event->u.learned.traits.clues);
    } else if (event->kind == BL_EVENT_FACT_LEARNED) {
        put_numbers(&json, "values", event->u.fact.value, event->u.fact.count);
    } else if (event->kind == BL_EVENT_JOB_CHANGED) {
        bl_record_put_change(&json, event);
    } else if (event->kind == BL_EVENT_FORETOLD) {
        bl_record_put_foretold(&json, event);
    } else if (event->kind == BL_EVENT_COUNTS_LEARNED) {
        put_wide(&json, "values", event->u.kept.value, event->u.kept.count);
    } else {
        bl_record_put_booking(&json, event);
    }
    if (launch) {
        put_launch(&json, launch);
    }
    bl_json_close_object(&json);
}
