#include "scene.h"

#include "base/units.h"
#include "core/view.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 128 };

/* The value of `key` in the line ("id=7"), or NULL. Overwritten by the next call with one buffer.
 */
static const char *value_of(const char *line, const char *key, char out[WORD_MAX])
{
    size_t length = strlen(key);
    const char *at = line;

    while ((at = strstr(at, key))) {
        if ((at == line || at[-1] == ' ') && at[length] == '=') {
            size_t size = strcspn(at + length + 1, " ");

            assert(size < WORD_MAX);
            memcpy(out, at + length + 1, size);
            out[size] = '\0';
            return out;
        }
        at += length;
    }
    return NULL;
}

static int64_t number_of(const char *line, const char *key, int64_t standard)
{
    char text[WORD_MAX];

    return value_of(line, key, text) ? strtoll(text, NULL, 10) : standard;
}

static bl_time span_of(const char *line, const char *key, bl_time standard)
{
    char text[WORD_MAX];
    bl_time span = standard;

    if (value_of(line, key, text)) {
        int status = bl_span_parse(text, &span, NULL);

        assert(status == BL_OK);
    }
    return span;
}

static bool has_word(const char *line, const char *word)
{
    const char *found = strstr(line, word);
    size_t length = strlen(word);

    return found && (found == line || found[-1] == ' ') &&
           (found[length] == ' ' || found[length] == '\0');
}

static int64_t option_value(const struct bl_option *option, const char *text)
{
    bl_time span = 0;
    int64_t word = 0;

    switch (option->kind) {
    case BL_OPTION_WORD:
        while (option->words[word] && strcmp(option->words[word], text) != 0) {
            word++;
        }
        assert(option->words[word]);
        return word;
    case BL_OPTION_INT:
        return strtoll(text, NULL, 10);
    case BL_OPTION_SPAN:
        bl_span_parse(text, &span, NULL);
        return span;
    case BL_OPTION_BOOL:
        return strcmp(text, "yes") == 0;
    }
    return 0;
}

static void set_policy(struct scene *scene, const char *text)
{
    char name[WORD_MAX];
    size_t length = strcspn(text, ":");
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET};
    const struct bl_policy *policy;

    memcpy(name, text, length);
    name[length] = '\0';
    policy = bl_policy_find(name);
    assert(policy);
    event.u.policy = bl_policy_default(policy);
    for (size_t i = 0; i < policy->option_count; i++) {
        char value[WORD_MAX];
        char spaced[WORD_MAX];

        snprintf(spaced, sizeof spaced, "%s", text + length);
        for (char *c = spaced; *c; c++) {
            *c = *c == ':' || *c == ',' ? ' ' : *c;
        }
        if (value_of(spaced, policy->option[i].name, value)) {
            event.u.policy.value[i] = option_value(&policy->option[i], value);
        }
    }
    scene_step(scene, &event);
}

/* "2x8:A100": two nodes of eight; "1x100c": counted. */
static void add_nodes(struct scene *scene, const char *text)
{
    char word[WORD_MAX];
    int index = 0;

    while (sscanf(text, " %127s", word) == 1) {
        int nodes = 1;
        int gpus = 0;
        char kind = ' ';
        const char *type = strchr(word, ':');

        sscanf(word, "%dx%d%c", &nodes, &gpus, &kind);
        for (int i = 0; i < nodes; i++) {
            char name[WORD_MAX];
            struct bl_event event = {.kind = BL_EVENT_NODE_ADDED};

            snprintf(name, sizeof name, "n%d", ++index);
            event.u.node = (struct bl_node_spec){
                .name = name,
                .gpu_type = type ? type + 1 : NULL,
                .gpus = gpus,
                .counted = kind == 'c',
                .gpu_mem_bytes = INT64_C(80) << 30,
                .cpu_milli = kind == 'c' ? 0 : 16000 * (gpus ? gpus : 1),
                .mem_bytes = kind == 'c' ? 0 : (INT64_C(128) << 30) * (gpus ? gpus : 1),
            };
            scene_step(scene, &event);
        }
        text = strstr(text, word) + strlen(word);
    }
}

struct scene scene_new(const char *nodes, const char *policy)
{
    struct scene scene = {.core = bl_core_create(BL_KEEP_ENDED)};

    set_policy(&scene, policy);
    add_nodes(&scene, nodes);
    return scene;
}

void scene_free(struct scene *scene)
{
    bl_core_destroy(scene->core);
    bl_actions_finish(&scene->actions);
    bl_heap_finish(&scene->ends);
    bl_buf_finish(&scene->starts);
    bl_buf_finish(&scene->log);
}

/* When this attempt is to end by itself; BL_TIME_NEVER when it does not. */
static bl_time end_of(const struct scene *scene, const struct bl_job *job)
{
    for (size_t i = 0; i < scene->ends.count; i++) {
        const struct bl_heap_item *item = &scene->ends.item[i];

        if (item->key == job->id && (uintptr_t)item->value == (uintptr_t)job->attempt) {
            return item->time;
        }
    }
    return BL_TIME_NEVER;
}

/* The attempt tells how far it came, and ends. False for a job that waits for its `end`. */
static bool save(struct scene *scene, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(scene->core, id);
    bl_time end = end_of(scene, job);
    bl_time from = job->running_at + job->spec.restart;
    double begun = job->progress.begun_at;
    struct bl_event event = {
        .kind = BL_EVENT_JOB_PROGRESS, .at = scene->now, .job = id, .attempt = job->attempt};

    if (end == BL_TIME_NEVER) {
        return false;
    }
    event.u.progress.total = 1;
    event.u.progress.done = scene->now <= from ? begun
                                               : begun + (1 - begun) * (double)(scene->now - from) /
                                                             (double)(end - from);
    scene_step(scene, &event);
    event.kind = BL_EVENT_JOB_ENDED;
    memset(&event.u, 0, sizeof event.u);
    event.u.ended.code = scene->now >= end ? 0 : 85;
    scene_step(scene, &event);
    return true;
}

static void start(struct scene *scene, const struct bl_action *action)
{
    const struct bl_job *job = bl_core_find_job(scene->core, action->job);
    bl_time run = bl_job_attempt_time(job, bl_alloc_gpus(action->alloc));

    bl_buf_printf(&scene->starts, "%s%" PRId64 "@", scene->starts.length ? " " : "", action->job);
    bl_span_print(&scene->starts, scene->now);
    scene_step(scene, &(struct bl_event){.kind = BL_EVENT_JOB_STARTED,
                                         .at = scene->now,
                                         .job = action->job,
                                         .attempt = action->attempt});
    if (run > 0) {
        bl_heap_push(&scene->ends, (struct bl_heap_item){scene->now + run, action->job,
                                                         (void *)(uintptr_t)action->attempt});
    }
}

static void carry_out(struct scene *scene)
{
    struct bl_actions actions = scene->actions;
    bool has_saved = false;

    scene->actions = (struct bl_actions){0};
    for (size_t i = 0; i < actions.list.count; i++) {
        const struct bl_action *action = &actions.list.at[i];
        bl_buf_printf(&scene->log, "%" PRId64 " %s %" PRId64 ".%d %s\n", scene->now,
                      bl_action_name(action->kind), action->job, (int)action->attempt,
                      bl_reason_name(action->reason.code));
        if (action->kind == BL_ACTION_START) {
            start(scene, action);
        } else if (action->kind == BL_ACTION_RESIZE || action->kind == BL_ACTION_PREEMPT) {
            has_saved = save(scene, action->job) || has_saved;
        }
    }
    bl_actions_finish(&actions);
    if (has_saved) {
        scene_step(scene, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = scene->now});
    }
}

void scene_step(struct scene *scene, const struct bl_event *event)
{
    bl_core_step(scene->core, event, &scene->actions);
    if (event->kind == BL_EVENT_ROUND) {
        carry_out(scene);
    }
}

static void round_now(struct scene *scene)
{
    scene_step(scene, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = scene->now});
}

static void end_one(struct scene *scene, const struct bl_heap_item *due)
{
    scene->now = due->time;
    scene_step(scene, &(struct bl_event){.kind = BL_EVENT_JOB_ENDED,
                                         .at = due->time,
                                         .job = due->key,
                                         .attempt = (int32_t)(uintptr_t)due->value});
}

/* All that ends at one instant ends before the round at that instant: a job that ends at its limit
 * is not over it. */
static void end_next(struct scene *scene)
{
    bl_time instant = bl_heap_peek(&scene->ends)->time;
    struct bl_heap_item due;

    while (scene->ends.count > 0 && bl_heap_peek(&scene->ends)->time == instant) {
        bl_heap_pop(&scene->ends, &due);
        end_one(scene, &due);
    }
    round_now(scene);
}

static void pass_time(struct scene *scene, bl_time until)
{
    while (scene->ends.count > 0 && bl_heap_peek(&scene->ends)->time <= until) {
        end_next(scene);
    }
    scene->now = until > scene->now ? until : scene->now;
}

/* "4", "2-8" or "2,4,8". */
static void set_gpus(struct bl_job_spec *spec, const char *text, int32_t count[BL_JOB_COUNTS_MAX])
{
    char *end = NULL;

    spec->gpus_min = (int32_t)strtol(text, &end, 10);
    spec->gpus_max = *end == '-' ? (int32_t)strtol(end + 1, NULL, 10) : spec->gpus_min;
    for (count[0] = spec->gpus_min; *end == ','; spec->gpu_count_count++) {
        spec->gpu_count_count += spec->gpu_count_count == 0;
        count[spec->gpu_count_count] = (int32_t)strtol(end + 1, &end, 10);
        spec->gpus_max = count[spec->gpu_count_count];
        spec->gpu_count = count;
    }
    spec->gpus_want = spec->gpus_max;
}

/* "2:1,4:1.85". */
static void set_points(struct bl_job_spec *spec, const char *text,
                       struct bl_curve_point points[BL_CURVE_POINTS_MAX])
{
    char *end = NULL;

    spec->curve = (struct bl_curve){.kind = BL_CURVE_POINTS, .point = points};
    for (; *text; text = *end ? end + 1 : end) {
        struct bl_curve_point *point = &points[spec->curve.point_count++];

        point->gpus = (int32_t)strtol(text, &end, 10);
        point->speed = strtod(end + 1, &end);
    }
}

/* "0-9" or "0-9%2". */
static void set_array(struct bl_job_spec *spec, const char *text, struct bl_array_range *range)
{
    const char *throttle = strchr(text, '%');

    range->first = (int32_t)strtol(text, NULL, 10);
    range->last = (int32_t)strtol(strchr(text, '-') + 1, NULL, 10);
    spec->array = range;
    spec->array_range_count = 1;
    spec->array_running_max = throttle ? (int32_t)strtol(throttle + 1, NULL, 10) : 0;
}

static void set_calendar(struct bl_job_spec *spec, const char *line)
{
    spec->not_before = span_of(line, "not_before", 0);
    spec->reservation = number_of(line, "reservation", 0);
    spec->promise = number_of(line, "promise", 0) != 0;
}

/* The word's text in the arena, or NULL. */
static const char *text_of(const char *line, const char *word, struct bl_arena *arena)
{
    char text[WORD_MAX];

    return value_of(line, word, text) ? bl_arena_copy_text(arena, text) : NULL;
}

static void set_speed(struct bl_job_spec *spec, const char *line, struct bl_arena *arena)
{
    struct bl_curve_point *points = bl_arena_alloc(arena, BL_CURVE_POINTS_MAX * sizeof *points);
    char text[WORD_MAX];

    spec->restart = span_of(line, "cost", 0);
    if (value_of(line, "points", text)) {
        set_points(spec, text, points);
    }
    if (value_of(line, "efficiency", text)) {
        spec->curve =
            (struct bl_curve){.kind = BL_CURVE_EFFICIENCY, .efficiency = strtod(text, NULL)};
    }
}

static void set_after(struct bl_job_spec *spec, const char *text, struct bl_arena *arena)
{
    struct bl_dependency *after = bl_arena_alloc(arena, sizeof *after);
    const char *colon = strchr(text, ':');

    *after = (struct bl_dependency){
        strtoll(text, NULL, 10),
        colon ? (enum bl_dependency_kind)bl_dependency_kind_find(colon + 1) : BL_AFTER_OK};
    spec->after = after;
    spec->after_count = 1;
}

static void set_rest(struct bl_job_spec *spec, const char *line, struct bl_arena *arena)
{
    struct bl_array_range *range = bl_arena_alloc(arena, sizeof *range);
    char text[WORD_MAX];

    set_calendar(spec, line);
    spec->warning.lead = span_of(line, "warn", 0);
    spec->warning.signal = spec->warning.lead > 0 ? 10 : 0;
    *range = (struct bl_array_range){.step = 1};
    if (value_of(line, "array", text)) {
        set_array(spec, text, range);
    }
    spec->gpu_type[0] = text_of(line, "type", arena);
    spec->gpu_type_count = spec->gpu_type[0] != NULL;
    if (value_of(line, "after", text)) {
        set_after(spec, text, arena);
    }
}

struct bl_job_spec scene_spec(const char *line, struct bl_arena *arena)
{
    struct bl_job_spec spec = {.job_class = BL_CLASS_BATCH};
    int32_t *count = bl_arena_alloc(arena, BL_JOB_COUNTS_MAX * sizeof *count);
    char gpus[WORD_MAX] = "0";
    char text[WORD_MAX];

    value_of(line, "gpus", gpus);
    if (value_of(line, "class", text)) {
        spec.job_class = (enum bl_job_class)bl_job_class_find(text);
    }
    set_gpus(&spec, gpus, count);
    set_speed(&spec, line, arena);
    spec.nodes_max = (int32_t)number_of(line, "nodes", 0);
    spec.limit = span_of(line, "limit", 0);
    spec.work = span_of(line, "run", 0);
    spec.cpu_milli.value = number_of(line, "cpus", 0) * 1000;
    spec.user = text_of(line, "user", arena);
    spec.pool = text_of(line, "pool", arena);
    if (value_of(line, "mem", text)) {
        bl_size_parse(text, &spec.mem_bytes.value, NULL);
    }
    spec.priority = (int32_t)number_of(line, "priority", 0);
    spec.may_restart = number_of(line, "restart", 0) != 0;
    spec.retries_max = (int32_t)number_of(line, "retries", 0);
    set_rest(&spec, line, arena);
    return spec;
}

static void submit(struct scene *scene, const char *line)
{
    struct bl_arena arena = {0};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED,
                             .at = scene->now,
                             .job = number_of(line, "id", 0),
                             .u.submitted = scene_spec(line, &arena)};

    scene_step(scene, &event);
    bl_arena_finish(&arena);
}

static void report(struct scene *scene, const char *line, enum bl_event_kind kind)
{
    bl_job_id id = number_of(line, "id", 0);
    const struct bl_job *job = bl_core_find_job(scene->core, id);
    struct bl_event event = {
        .kind = kind, .at = scene->now, .job = id, .attempt = job ? job->attempt : 0};

    if (kind == BL_EVENT_JOB_ENDED) {
        int signal = (int)number_of(line, "signal", 0);

        event.u.ended.cause = signal ? BL_END_SIGNALLED : BL_END_EXITED;
        event.u.ended.code = signal ? signal : (int32_t)number_of(line, "code", 0);
        if (number_of(line, "lost", 0)) {
            event.u.ended.cause = BL_END_LOST;
        } else if (number_of(line, "gone", 0)) {
            event.u.ended.cause = BL_END_GONE;
        }
    } else if (kind == BL_EVENT_JOB_START_FAILED) {
        event.u.start_failed.stage = BL_STAGE_WORKDIR;
        event.u.start_failed.error_number = 2;
    }
    scene_step(scene, &event);
}

static void ask_for_size(struct scene *scene, const char *line)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_RESIZE_ASKED, .at = scene->now, .job = number_of(line, "id", 0)};

    event.u.resize_asked.gpus = (int32_t)number_of(line, "gpus", 0);
    scene_step(scene, &event);
}

static void tell_progress(struct scene *scene, const char *line)
{
    bl_job_id id = number_of(line, "id", 0);
    const struct bl_job *job = bl_core_find_job(scene->core, id);
    struct bl_event event = {
        .kind = BL_EVENT_JOB_PROGRESS, .at = scene->now, .job = id, .attempt = job->attempt};

    event.u.progress.done = (double)number_of(line, "done", 0);
    event.u.progress.total = (double)number_of(line, "total", 0);
    event.u.progress.observation.rate = (double)number_of(line, "rate", 0);
    event.u.progress.has_observation = event.u.progress.observation.rate > 0;
    scene_step(scene, &event);
}

static void jump(struct scene *scene, const char *line)
{
    struct bl_event event = {.kind = BL_EVENT_CLOCK_JUMPED};

    event.u.jumped.by = span_of(line, "by", 0);
    scene->now += event.u.jumped.by;
    event.at = scene->now;
    scene_step(scene, &event);
}

static void change(struct scene *scene, const char *line)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_CHANGED, .at = scene->now, .job = number_of(line, "id", 0)};
    struct bl_job_change *wanted = &event.u.changed;
    char text[WORD_MAX];
    char type[WORD_MAX];

    wanted->set_limit = value_of(line, "limit", text) != NULL;
    wanted->limit = span_of(line, "limit", 0);
    wanted->set_priority = value_of(line, "priority", text) != NULL;
    wanted->priority = (int32_t)number_of(line, "priority", 0);
    wanted->set_gpus = value_of(line, "gpus", text) != NULL;
    wanted->gpus_min = (int32_t)number_of(line, "gpus", 0);
    wanted->gpus_want = wanted->gpus_min;
    wanted->gpus_max = wanted->gpus_min;
    wanted->set_gpu_types = value_of(line, "type", type) != NULL;
    wanted->gpu_type[0] = type;
    wanted->gpu_type_count = wanted->set_gpu_types && strcmp(type, "any") != 0;
    wanted->set_nodes = value_of(line, "nodes", text) != NULL;
    wanted->nodes_max = (int32_t)number_of(line, "nodes", 0);
    wanted->set_class = value_of(line, "class", text) != NULL;
    wanted->job_class = wanted->set_class ? (enum bl_job_class)bl_job_class_find(text) : 0;
    scene_step(scene, &event);
}

static void move(struct scene *scene, const char *line)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_MOVED, .at = scene->now, .job = number_of(line, "id", 0)};

    event.u.moved.before = number_of(line, "before", 0);
    scene_step(scene, &event);
}

static void change_node(struct scene *scene, const char *line)
{
    char name[WORD_MAX];
    char state[WORD_MAX];
    struct bl_event event = {.kind = BL_EVENT_NODE_STATE, .at = scene->now};

    event.u.node_state.name = value_of(line, "name", name);
    value_of(line, "state", state);
    event.u.node_state.state = (enum bl_node_state)bl_node_state_find(state);
    event.u.node_state.from = span_of(line, "from", 0);
    scene_step(scene, &event);
}

static void lose_gpus(struct scene *scene, const char *line)
{
    char name[WORD_MAX];
    char mask[WORD_MAX];
    struct bl_event event = {.kind = BL_EVENT_GPU_STATE, .at = scene->now};

    event.u.gpu_state.name = value_of(line, "name", name);
    event.u.gpu_state.lost = (int64_t)strtoull(value_of(line, "mask", mask), NULL, 16);
    scene_step(scene, &event);
}

/* "n1" or "n1:2-5". */
static struct bl_booking_place place_of(const char *text, struct bl_arena *arena)
{
    char *copy = bl_arena_copy_text(arena, text);
    char *colon = strchr(copy, ':');
    int first = 0;
    int last = -1;
    uint64_t mask = 0;

    if (colon) {
        *colon = '\0';
        last = sscanf(colon + 1, "%d-%d", &first, &last) == 2 ? last : first;
    }
    for (int gpu = first; gpu <= last; gpu++) {
        mask |= UINT64_C(1) << gpu;
    }
    return (struct bl_booking_place){copy, mask};
}

struct bl_booking_spec scene_wish(const char *line, struct bl_arena *arena)
{
    char text[WORD_MAX];
    size_t times = (size_t)number_of(line, "times", 1);
    struct bl_slot *slot = bl_arena_alloc(arena, times * sizeof *slot);
    struct bl_booking_place *on = bl_arena_alloc(arena, sizeof *on);
    struct bl_booking_spec spec = {
        .id = number_of(line, "id", 0),
        .name = bl_arena_copy_text(arena, value_of(line, "name", text)),
        .user = bl_arena_copy_text(arena, value_of(line, "user", text)),
        .gpus = (int32_t)number_of(line, "gpus", 0),
        .gpu_type = bl_arena_copy_text(arena, value_of(line, "type", text)),
        .flex = span_of(line, "flex", 0),
        .release_after = span_of(line, "release", 0),
        .slot = slot,
        .slot_count = times,
    };

    for (size_t i = 0; i < times; i++) {
        slot[i].start = span_of(line, "from", 0) + (bl_time)i * span_of(line, "every", 0);
        slot[i].end = slot[i].start + span_of(line, "for", 0);
    }
    if (value_of(line, "on", text)) {
        *on = place_of(text, arena);
        spec.on = on;
        spec.on_count = 1;
    }
    return spec;
}

struct bl_job_spec scene_adopted(const char *line, struct bl_arena *arena)
{
    struct bl_job_spec spec = scene_spec(line, arena);
    struct bl_booking_place *on = bl_arena_alloc(arena, sizeof *on);
    char text[WORD_MAX];

    spec.is_adopted = true;
    if (value_of(line, "on", text)) {
        *on = place_of(text, arena);
        spec.on = on;
        spec.on_count = 1;
    }
    return spec;
}

static void adopt(struct scene *scene, const char *line)
{
    struct bl_arena arena = {0};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED,
                             .at = scene->now,
                             .job = number_of(line, "id", 0),
                             .u.submitted = scene_adopted(line, &arena)};

    scene_step(scene, &event);
    bl_arena_finish(&arena);
}

static void reserve(struct scene *scene, const char *line)
{
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = scene_wish(line, &arena);

    scene_step(scene, &(struct bl_event){
                          .kind = BL_EVENT_RESERVED, .at = scene->now, .u.reserved = &spec});
    bl_arena_finish(&arena);
}

static void rebook(struct scene *scene, const char *line)
{
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = scene_wish(line, &arena);
    struct bl_booking_wish wish = {.spec = &spec,
                                   .first = (int32_t)number_of(line, "first", 1),
                                   .only = number_of(line, "only", 0) != 0};

    scene_step(scene, &(struct bl_event){.kind = BL_EVENT_RESERVATION_CHANGED,
                                         .at = scene->now,
                                         .u.rebooked = wish});
    bl_arena_finish(&arena);
}

static void unreserve(struct scene *scene, const char *line)
{
    struct bl_event event = {.kind = BL_EVENT_RESERVATION_CANCELLED, .at = scene->now};

    event.u.unreserved.id = number_of(line, "id", 0);
    event.u.unreserved.occurrence = (int32_t)number_of(line, "occurrence", 0);
    event.u.unreserved.following = number_of(line, "following", 0) != 0;
    scene_step(scene, &event);
}

/* Lets time pass, with a round at each instant that the core asks for. */
static void pass_wakes(struct scene *scene, bl_time until)
{
    while (bl_core_next_wake(scene->core) <= until) {
        pass_time(scene, bl_core_next_wake(scene->core));
        round_now(scene);
    }
    pass_time(scene, until);
}

void scene_event(struct scene *scene, const char *line)
{
    static const struct {
        const char *word;
        enum bl_event_kind kind;
    } reports[] = {{"cancel", BL_EVENT_JOB_CANCELLED},  {"end", BL_EVENT_JOB_ENDED},
                   {"fail", BL_EVENT_JOB_START_FAILED}, {"hold", BL_EVENT_JOB_HELD},
                   {"release", BL_EVENT_JOB_RELEASED},  {"requeue", BL_EVENT_JOB_REQUEUED}};
    static const struct {
        const char *word;
        void (*call)(struct scene *scene, const char *line);
    } calls[] = {{"submit", submit},       {"node", change_node},    {"change", change},
                 {"move", move},           {"resize", ask_for_size}, {"progress", tell_progress},
                 {"jump", jump},           {"reserve", reserve},     {"rebook", rebook},
                 {"unreserve", unreserve}, {"lose", lose_gpus},      {"adopt", adopt}};
    bool is_known = has_word(line, "round");

    pass_wakes(scene, span_of(line, "t", scene->now));
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        if (has_word(line, reports[i].word)) {
            report(scene, line, reports[i].kind);
            is_known = true;
        }
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (has_word(line, calls[i].word)) {
            calls[i].call(scene, line);
            is_known = true;
        }
    }
    assert(is_known);
    round_now(scene);
}

const char *scene_starts(struct scene *scene)
{
    while (scene->ends.count > 0 || bl_core_next_wake(scene->core) != BL_TIME_NEVER) {
        bl_time wake = bl_core_next_wake(scene->core);

        if (scene->ends.count > 0 && bl_heap_peek(&scene->ends)->time <= wake) {
            end_next(scene);
        } else {
            scene->now = wake;
            round_now(scene);
        }
    }
    return bl_buf_text(&scene->starts);
}

const char *scene_state(const struct scene *scene, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(scene->core, id);

    return job ? bl_job_state_name(job->state) : "unknown";
}

struct bl_reason scene_why(const struct scene *scene, bl_job_id id)
{
    struct bl_reason reason = {0};

    bl_core_explain(scene->core, bl_core_find_job(scene->core, id), &reason);
    return reason;
}

const char *scene_why_word(const struct scene *scene, bl_job_id id)
{
    return bl_reason_name(scene_why(scene, id).code);
}

static void print_part(struct bl_buf *out, const struct bl_cluster *cluster,
                       const struct bl_alloc_part *part)
{
    const char *comma = "";

    bl_buf_printf(out, "%s%s:", out->length ? " " : "", cluster->node[part->node].spec.name);
    if (cluster->node[part->node].spec.counted) {
        bl_buf_printf(out, "x%d", (int)part->gpus);
    }
    for (int gpu = 0; gpu < BL_NODE_NAMED_GPUS_MAX; gpu++) {
        if ((part->gpu_mask >> gpu) & 1) {
            bl_buf_printf(out, "%s%d", comma, gpu);
            comma = ",";
        }
    }
}

static void print_alloc(struct bl_buf *out, const struct bl_cluster *cluster,
                        const struct bl_alloc *alloc)
{
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        print_part(out, cluster, &bl_alloc_parts(alloc)[i]);
    }
}

const char *scene_booking(const struct scene *scene, int64_t id)
{
    static char text[4096];
    const struct bl_booking *booking = bl_core_find_booking(scene->core, id);
    BL_AUTO_BUF out = {0};

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        const struct bl_occurrence *occurrence = &booking->occurrence[i];

        if (!bl_occurrence_is_live(occurrence)) {
            continue;
        }
        bl_buf_printf(&out, "%s%d %s%s ", out.length ? "; " : "", (int)occurrence->number,
                      occurrence->is_degraded ? "degraded " : "",
                      bl_occurrence_state_name(occurrence->state));
        bl_span_print(&out, occurrence->start);
        bl_buf_printf(&out, "-");
        bl_span_print(&out, occurrence->end);
        print_alloc(&out, bl_core_cluster(scene->core), &occurrence->alloc);
    }
    snprintf(text, sizeof text, "%s", bl_buf_text(&out));
    return text;
}

const char *scene_where(const struct scene *scene, bl_job_id id)
{
    static char text[4096];
    BL_AUTO_BUF out = {0};
    const struct bl_job *job = bl_core_find_job(scene->core, id);

    print_alloc(&out, bl_core_cluster(scene->core), &job->alloc);
    snprintf(text, sizeof text, "%s", bl_buf_text(&out));
    return text;
}
