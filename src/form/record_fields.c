#include "form/record_fields.h"

#include <stddef.h>

static const char *node_state_name(int value)
{
    return bl_node_state_name((enum bl_node_state)value);
}

static const char *end_cause_name(int value)
{
    return bl_end_cause_name((enum bl_end_cause)value);
}

static const char *start_stage_name(int value)
{
    return bl_start_stage_name((enum bl_start_stage)value);
}

static const char *job_class_name(int value)
{
    return bl_job_class_name((enum bl_job_class)value);
}

static const char *job_state_name(int value)
{
    return bl_job_state_name((enum bl_job_state)value);
}

static const char *reason_name(int value)
{
    return bl_reason_name((enum bl_reason_code)value);
}

static const char *lesson_name(int value)
{
    return bl_lesson_name((enum bl_lesson_kind)value);
}

static const char *occurrence_state_name(int value)
{
    return bl_occurrence_state_name((enum bl_occurrence_state)value);
}

static const char *job_kind_name(int value)
{
    return bl_job_kind_name((enum bl_job_kind)value);
}

/* Amounts and instants end far enough below INT64_MAX that sums of a few stay in range. */
#define AMOUNT_MAX (INT64_C(1) << 60)
#define SIGNAL_MAX 64
#define CODE_MAX   UINT16_MAX

#define TEXT(key, type, member)                                                                    \
    {                                                                                              \
        key, BL_FIELD_TEXT, false, offsetof(type, member), {0}, NULL                               \
    }
#define NEED_TEXT(key, type, member)                                                               \
    {                                                                                              \
        key, BL_FIELD_TEXT, true, offsetof(type, member), {0}, NULL                                \
    }
#define BOOL(key, type, member)                                                                    \
    {                                                                                              \
        key, BL_FIELD_BOOL, false, offsetof(type, member), {0}, NULL                               \
    }
#define INT32(key, type, member, low, high)                                                        \
    {                                                                                              \
        key, BL_FIELD_INT32, (low) > 0, offsetof(type, member), {low, high}, NULL                  \
    }
#define INT64(key, type, member, low, high)                                                        \
    {                                                                                              \
        key, BL_FIELD_INT64, (low) > 0, offsetof(type, member), {low, high}, NULL                  \
    }
#define DOUBLE(key, type, member)                                                                  \
    {                                                                                              \
        key, BL_FIELD_DOUBLE, false, offsetof(type, member), {0}, NULL                             \
    }
#define REAL(key, type, member)                                                                    \
    {                                                                                              \
        key, BL_FIELD_REAL, false, offsetof(type, member), {0}, NULL                               \
    }
#define WORD(key, type, member, last, name)                                                        \
    {                                                                                              \
        key, BL_FIELD_WORD, true, offsetof(type, member), {0, last}, name                          \
    }
#define OTHER(key)                                                                                 \
    {                                                                                              \
        key, BL_FIELD_OTHER, false, 0, {0}, NULL                                                   \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, BL_FIELD_OTHER, false, 0, {0}, NULL                                                  \
    }

#define COMMON     OTHER("event"), INT64("at_us", struct bl_event, at, -AMOUNT_MAX, AMOUNT_MAX)
#define OF_JOB     INT64("job", struct bl_event, job, 1, INT64_MAX)
#define OF_ATTEMPT OF_JOB, INT32("attempt", struct bl_event, attempt, 0, INT32_MAX)

static const struct bl_field policy_set[] = {COMMON, OTHER("policy"), END};
static const struct bl_field node_added[] = {COMMON, OTHER("node"), END};
static const struct bl_field node_state[] = {
    COMMON,
    NEED_TEXT("node", struct bl_event, u.node_state.name),
    WORD("state", struct bl_event, u.node_state.state, BL_NODE_DOWN, node_state_name),
    INT64("from_us", struct bl_event, u.node_state.from, 0, AMOUNT_MAX),
    END,
};
static const struct bl_field gpu_state[] = {
    COMMON,
    NEED_TEXT("node", struct bl_event, u.gpu_state.name),
    INT64("lost", struct bl_event, u.gpu_state.lost, INT64_MIN, INT64_MAX),
    INT64("since_us", struct bl_event, u.gpu_state.since, 0, AMOUNT_MAX),
    END,
};
static const struct bl_field job_submitted[] = {COMMON, OF_JOB, OTHER("spec"), OTHER("launch"),
                                                END};
static const struct bl_field asked_for[] = {
    COMMON, OF_JOB, INT64("uid", struct bl_event, u.cancelled.uid, INT64_MIN, INT64_MAX), END};
static const struct bl_field job_moved[] = {
    COMMON, OF_JOB, INT64("before", struct bl_event, u.moved.before, 1, INT64_MAX), END};
static const struct bl_field job_changed[] = {
    COMMON,
    OF_JOB,
    BOOL("set_limit", struct bl_event, u.changed.set_limit),
    BOOL("set_priority", struct bl_event, u.changed.set_priority),
    BOOL("set_gpus", struct bl_event, u.changed.set_gpus),
    BOOL("set_not_before", struct bl_event, u.changed.set_not_before),
    BOOL("set_restart", struct bl_event, u.changed.set_restart),
    BOOL("set_gpu_types", struct bl_event, u.changed.set_gpu_types),
    BOOL("set_nodes", struct bl_event, u.changed.set_nodes),
    BOOL("set_class", struct bl_event, u.changed.set_class),
    INT64("limit_us", struct bl_event, u.changed.limit, 0, BL_SPAN_MAX),
    INT32("priority", struct bl_event, u.changed.priority, -BL_JOB_PRIORITY_MAX,
          BL_JOB_PRIORITY_MAX),
    INT32("gpus_min", struct bl_event, u.changed.gpus_min, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT32("gpus_want", struct bl_event, u.changed.gpus_want, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT32("gpus_max", struct bl_event, u.changed.gpus_max, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT64("not_before_us", struct bl_event, u.changed.not_before, 0, AMOUNT_MAX),
    BOOL("may_restart", struct bl_event, u.changed.may_restart),
    OTHER("gpu_types"),
    INT32("nodes_max", struct bl_event, u.changed.nodes_max, 0, BL_NODES_MAX),
    OTHER("class"),
    END,
};
static const struct bl_field job_started[] = {
    COMMON, OF_ATTEMPT, INT64("pid", struct bl_event, u.started.pid, INT64_MIN, INT64_MAX), END};
static const struct bl_field job_start_failed[] = {
    COMMON,
    OF_ATTEMPT,
    WORD("stage", struct bl_event, u.start_failed.stage, BL_STAGE_COUNT - 1, start_stage_name),
    INT32("errno", struct bl_event, u.start_failed.error_number, INT32_MIN, INT32_MAX),
    END,
};
static const struct bl_field job_ended[] = {
    COMMON,
    OF_ATTEMPT,
    WORD("cause", struct bl_event, u.ended.cause, BL_END_COUNT - 1, end_cause_name),
    INT32("code", struct bl_event, u.ended.code, 0, CODE_MAX),
    END,
};
#define SEEN(key, member) DOUBLE(key, struct bl_event, u.progress.observation.member)
static const struct bl_field job_progress[] = {
    COMMON,
    OF_ATTEMPT,
    DOUBLE("done", struct bl_event, u.progress.done),
    DOUBLE("total", struct bl_event, u.progress.total),
    BOOL("observed", struct bl_event, u.progress.has_observation),
    TEXT("gpu_type", struct bl_event, u.progress.gpu_type),
    INT32("gpus", struct bl_event, u.progress.observation.gpus, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT32("nodes", struct bl_event, u.progress.observation.nodes, 0, BL_NODES_MAX),
    SEEN("local_batch", local_batch),
    INT32("accumulation", struct bl_event, u.progress.observation.accumulation, 0, INT32_MAX),
    SEEN("iter_s", iter_s),
    SEEN("sync_s", sync_s),
    SEEN("rate", rate),
    SEEN("grad_sqr", grad_sqr),
    SEEN("grad_var", grad_var),
    END,
};
static const struct bl_field job_resize_asked[] = {
    COMMON,
    OF_JOB,
    INT64("uid", struct bl_event, u.resize_asked.uid, INT64_MIN, INT64_MAX),
    INT32("gpus", struct bl_event, u.resize_asked.gpus, 0, BL_NODE_COUNTED_GPUS_MAX),
    END,
};
static const struct bl_field job_restored[] = {COMMON, OF_ATTEMPT, OTHER("past"), OTHER("launch"),
                                               END};
/* `user` is of records of old; now its hash stands here, as of all that is a text. */
#define TRAIT(key, member)                                                                         \
    INT64(key, struct bl_event, u.learned.traits.member, INT64_MIN, INT64_MAX)
#define TRAIT_AMOUNT(key, member)                                                                  \
    INT64(key, struct bl_event, u.learned.traits.member, 0, AMOUNT_MAX)
static const struct bl_field run_learned[] = {
    COMMON,
    TEXT("user", struct bl_event, u.learned.user),
    INT64("run_us", struct bl_event, u.learned.run, 1, BL_SPAN_MAX),
    INT64("number", struct bl_event, u.learned.number, 0, AMOUNT_MAX),
    TRAIT("user_hash", user),
    TRAIT("project_hash", project),
    TRAIT("name_hash", name),
    TRAIT("command_hash", clues.command),
    TRAIT("variant_hash", clues.variant),
    INT32("gpus", struct bl_event, u.learned.traits.gpus, 0, BL_NODE_COUNTED_GPUS_MAX),
    TRAIT_AMOUNT("cpu_milli", cpu_milli),
    TRAIT_AMOUNT("mem_bytes", mem_bytes),
    INT64("limit_us", struct bl_event, u.learned.traits.limit, 0, BL_SPAN_MAX),
    OTHER("params"),
    END,
};
static const struct bl_field fact_learned[] = {
    COMMON,
    NEED_TEXT("of", struct bl_event, u.fact.of),
    INT32("kind", struct bl_event, u.fact.kind, 0, INT32_MAX),
    INT64("key", struct bl_event, u.fact.key, INT64_MIN, INT64_MAX),
    OTHER("values"),
    END,
};
static const struct bl_field counts_learned[] = {
    COMMON,
    NEED_TEXT("name", struct bl_event, u.kept.name),
    TEXT("of", struct bl_event, u.kept.of),
    OTHER("values"),
    END,
};
#define LESSON(key, member) DOUBLE(key, struct bl_event, u.curve.lesson.member)
static const struct bl_field curve_learned[] = {
    COMMON,
    NEED_TEXT("application", struct bl_event, u.curve.lesson.application),
    WORD("kind", struct bl_event, u.curve.lesson.kind, BL_LESSON_COUNT - 1, lesson_name),
    TEXT("gpu_type", struct bl_event, u.curve.gpu_type),
    INT32("gpus", struct bl_event, u.curve.lesson.point.gpus, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT32("nodes", struct bl_event, u.curve.lesson.point.nodes, 0, BL_NODES_MAX),
    LESSON("local_batch", point.local_batch),
    INT32("accumulation", struct bl_event, u.curve.lesson.point.accumulation, 0, INT32_MAX),
    LESSON("iter_s", point.iter_s),
    LESSON("sync_s", point.sync_s),
    LESSON("count", count),
    INT32("step", struct bl_event, u.curve.lesson.step, 0, INT32_MAX),
    LESSON("width", width),
    REAL("value", struct bl_event, u.curve.lesson.value),
    LESSON("furthest", furthest),
    END,
};
static const struct bl_field round_wished[] = {
    COMMON, INT64("wake_at_us", struct bl_event, u.wished.at, 1, AMOUNT_MAX), END};
static const struct bl_field jobs_forgotten[] = {
    COMMON, INT64("before_us", struct bl_event, u.forgotten.before, 0, AMOUNT_MAX), END};
static const struct bl_field reserved[] = {COMMON, OTHER("booking"), END};
static const struct bl_field reservation_changed[] = {
    COMMON,
    INT32("first", struct bl_event, u.rebooked.first, 1, BL_OCCURRENCE_NUMBER_MAX),
    BOOL("only", struct bl_event, u.rebooked.only),
    OTHER("booking"),
    END,
};
static const struct bl_field reservation_cancelled[] = {
    COMMON,
    INT64("booking", struct bl_event, u.unreserved.id, 1, INT64_MAX),
    INT32("occurrence", struct bl_event, u.unreserved.occurrence, 0, BL_OCCURRENCE_NUMBER_MAX),
    BOOL("following", struct bl_event, u.unreserved.following),
    INT64("uid", struct bl_event, u.unreserved.uid, INT64_MIN, INT64_MAX),
    END,
};
static const struct bl_field save_learned[] = {
    COMMON,
    NEED_TEXT("application", struct bl_event, u.save.application),
    INT64("save_us", struct bl_event, u.save.time, 1, BL_SPAN_MAX),
    END,
};
static const struct bl_field foretold[] = {COMMON, OTHER("told"), END};
static const struct bl_field clock_jumped[] = {
    COMMON, INT64("by_us", struct bl_event, u.jumped.by, -AMOUNT_MAX, AMOUNT_MAX), END};
static const struct bl_field round_fields[] = {COMMON, END};

const struct bl_field *const bl_record_event_fields[BL_EVENT_COUNT] = {
    [BL_EVENT_POLICY_SET] = policy_set,
    [BL_EVENT_NODE_ADDED] = node_added,
    [BL_EVENT_NODE_STATE] = node_state,
    [BL_EVENT_GPU_STATE] = gpu_state,
    [BL_EVENT_JOB_SUBMITTED] = job_submitted,
    [BL_EVENT_JOB_CANCELLED] = asked_for,
    [BL_EVENT_JOB_HELD] = asked_for,
    [BL_EVENT_JOB_RELEASED] = asked_for,
    [BL_EVENT_JOB_REQUEUED] = asked_for,
    [BL_EVENT_JOB_CHANGED] = job_changed,
    [BL_EVENT_JOB_MOVED] = job_moved,
    [BL_EVENT_JOB_STARTED] = job_started,
    [BL_EVENT_JOB_START_FAILED] = job_start_failed,
    [BL_EVENT_JOB_PROGRESS] = job_progress,
    [BL_EVENT_JOB_RESIZE_ASKED] = job_resize_asked,
    [BL_EVENT_JOB_ENDED] = job_ended,
    [BL_EVENT_CLOCK_JUMPED] = clock_jumped,
    [BL_EVENT_FORETOLD] = foretold,
    [BL_EVENT_CURVE_LEARNED] = curve_learned,
    [BL_EVENT_JOB_RESTORED] = job_restored,
    [BL_EVENT_RUN_LEARNED] = run_learned,
    [BL_EVENT_FACT_LEARNED] = fact_learned,
    [BL_EVENT_COUNTS_LEARNED] = counts_learned,
    [BL_EVENT_JOBS_FORGOTTEN] = jobs_forgotten,
    [BL_EVENT_ROUND_WISHED] = round_wished,
    [BL_EVENT_ROUND] = round_fields,
    [BL_EVENT_RESERVED] = reserved,
    [BL_EVENT_SAVE_LEARNED] = save_learned,
    [BL_EVENT_RESERVATION_CHANGED] = reservation_changed,
    [BL_EVENT_RESERVATION_CANCELLED] = reservation_cancelled,
    [BL_EVENT_RESERVATION_RESTORED] = reserved,
};

const struct bl_field bl_record_node_fields[] = {
    NEED_TEXT("name", struct bl_node_spec, name),
    TEXT("pool", struct bl_node_spec, pool),
    TEXT("gpu_type", struct bl_node_spec, gpu_type),
    INT32("gpus", struct bl_node_spec, gpus, 0, BL_NODE_COUNTED_GPUS_MAX),
    BOOL("counted", struct bl_node_spec, counted),
    INT64("gpu_mem_bytes", struct bl_node_spec, gpu_mem_bytes, 0, AMOUNT_MAX),
    INT64("cpu_milli", struct bl_node_spec, cpu_milli, 0, AMOUNT_MAX),
    INT64("mem_bytes", struct bl_node_spec, mem_bytes, 0, AMOUNT_MAX),
    INT64("price_micros", struct bl_node_spec, price_micros, 0, AMOUNT_MAX),
    BOOL("spot", struct bl_node_spec, spot),
    END,
};

const struct bl_field bl_record_spec_fields[] = {
    TEXT("name", struct bl_job_spec, name),
    TEXT("user", struct bl_job_spec, user),
    TEXT("project", struct bl_job_spec, project),
    TEXT("application", struct bl_job_spec, application),
    WORD("class", struct bl_job_spec, job_class, BL_CLASS_COUNT - 1, job_class_name),
    WORD("kind", struct bl_job_spec, kind, BL_KIND_COUNT - 1, job_kind_name),
    INT32("gpus_min", struct bl_job_spec, gpus_min, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT32("gpus_want", struct bl_job_spec, gpus_want, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT32("gpus_max", struct bl_job_spec, gpus_max, 0, BL_NODE_COUNTED_GPUS_MAX),
    OTHER("gpu_counts"),
    INT32("nodes_max", struct bl_job_spec, nodes_max, 0, INT32_MAX),
    OTHER("gpu_types"),
    TEXT("pool", struct bl_job_spec, pool),
    INT64("gpu_mem_bytes", struct bl_job_spec, gpu_mem_bytes, 0, AMOUNT_MAX),
    INT64("cpu_milli", struct bl_job_spec, cpu_milli.value, 0, AMOUNT_MAX),
    BOOL("cpu_per_gpu", struct bl_job_spec, cpu_milli.per_gpu),
    INT64("mem_bytes", struct bl_job_spec, mem_bytes.value, 0, AMOUNT_MAX),
    BOOL("mem_per_gpu", struct bl_job_spec, mem_bytes.per_gpu),
    INT32("priority", struct bl_job_spec, priority, -BL_JOB_PRIORITY_MAX, BL_JOB_PRIORITY_MAX),
    INT32("warning_signal", struct bl_job_spec, warning.signal, 0, SIGNAL_MAX),
    INT64("warning_lead_us", struct bl_job_spec, warning.lead, 0, BL_SPAN_MAX),
    BOOL("warning_shell_only", struct bl_job_spec, warning.shell_only),
    INT64("not_before_us", struct bl_job_spec, not_before, 0, AMOUNT_MAX),
    BOOL("may_restart", struct bl_job_spec, may_restart),
    INT32("retries_max", struct bl_job_spec, retries_max, 0, BL_JOB_RETRIES_MAX),
    OTHER("array"),
    INT32("array_running_max", struct bl_job_spec, array_running_max, 0, BL_ARRAY_ELEMENTS_MAX),
    INT64("limit_us", struct bl_job_spec, limit, 0, BL_SPAN_MAX),
    INT64("expected_low_us", struct bl_job_spec, expected.low, 0, BL_SPAN_MAX),
    INT64("expected_us", struct bl_job_spec, expected.middle, 0, BL_SPAN_MAX),
    INT64("expected_high_us", struct bl_job_spec, expected.high, 0, BL_SPAN_MAX),
    BOOL("expected_is_final", struct bl_job_spec, expected.is_final),
    INT64("reservation", struct bl_job_spec, reservation, 0, INT64_MAX),
    BOOL("promise", struct bl_job_spec, promise),
    INT64("work_us", struct bl_job_spec, work, 0, BL_SPAN_MAX),
    INT64("told_us", struct bl_job_spec, told, -1, BL_SPAN_MAX),
    INT64("restart_us", struct bl_job_spec, restart, 0, BL_SPAN_MAX),
    DOUBLE("batch_initial", struct bl_job_spec, batch.initial),
    DOUBLE("batch_max", struct bl_job_spec, batch.max),
    DOUBLE("batch_local_min", struct bl_job_spec, batch.local_min),
    DOUBLE("batch_local_max", struct bl_job_spec, batch.local_max),
    BOOL("adopted", struct bl_job_spec, is_adopted),
    OTHER("on"),
    OTHER("efficiency"),
    OTHER("points"),
    OTHER("after"),
    END,
};

const struct bl_field bl_record_past_fields[] = {
    OTHER("spec"),
    WORD("state", struct bl_job_past, state, BL_JOB_STATE_COUNT - 1, job_state_name),
    WORD("stop_as", struct bl_job_past, stop_as, BL_JOB_STATE_COUNT - 1, job_state_name),
    WORD("reason", struct bl_job_past, reason.code, BL_REASON_COUNT - 1, reason_name),
    INT64("reason_job", struct bl_job_past, reason.job, -INT64_MAX, INT64_MAX),
    INT64("reason_need", struct bl_job_past, reason.need, INT64_MIN, INT64_MAX),
    INT64("reason_have", struct bl_job_past, reason.have, INT64_MIN, INT64_MAX),
    INT64("reason_at_us", struct bl_job_past, reason.at, -AMOUNT_MAX, INT64_MAX),
    INT64("submitted_at_us", struct bl_job_past, submitted_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("eligible_at_us", struct bl_job_past, eligible_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("started_at_us", struct bl_job_past, started_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("running_at_us", struct bl_job_past, running_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("ended_at_us", struct bl_job_past, ended_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("planned_end_us", struct bl_job_past, planned_end, -AMOUNT_MAX, INT64_MAX),
    INT64("predicted_run_us", struct bl_job_past, predicted_run, 0, BL_SPAN_MAX),
    INT64("ready_at_us", struct bl_job_past, ready_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("order_at_us", struct bl_job_past, order_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT32("order_rank", struct bl_job_past, order_rank, INT32_MIN, INT32_MAX),
    INT32("exit_code", struct bl_job_past, exit_code, INT32_MIN, INT32_MAX),
    BOOL("has_exit_code", struct bl_job_past, has_exit_code),
    BOOL("is_held", struct bl_job_past, is_held),
    BOOL("is_warned", struct bl_job_past, is_warned),
    INT32("failures", struct bl_job_past, failures, 0, INT32_MAX),
    INT32("start_failures", struct bl_job_past, start_failures, 0, INT32_MAX),
    INT32("requeues", struct bl_job_past, requeues, 0, INT32_MAX),
    DOUBLE("done", struct bl_job_past, progress.done),
    DOUBLE("begun_at_done", struct bl_job_past, progress.begun_at),
    DOUBLE("steps", struct bl_job_past, progress.steps),
    DOUBLE("steps_total", struct bl_job_past, progress.total),
    DOUBLE("rate", struct bl_job_past, progress.rate),
    DOUBLE("noise_sqr", struct bl_job_past, progress.noise.sqr),
    DOUBLE("noise_var", struct bl_job_past, progress.noise.var),
    DOUBLE("mark_steps", struct bl_job_past, progress.mark_steps),
    INT64("mark_at_us", struct bl_job_past, progress.mark_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("progress_at_us", struct bl_job_past, progress.at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("first_started_at_us", struct bl_job_past, first_started_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("ran_before_us", struct bl_job_past, ran_before, 0, AMOUNT_MAX),
    INT64("held_at_us", struct bl_job_past, held_at, -AMOUNT_MAX, AMOUNT_MAX),
    DOUBLE("attained_gpu_s", struct bl_job_past, attained),
    INT64("save_us", struct bl_job_past, save_time, 0, AMOUNT_MAX),
    INT32("restarts", struct bl_job_past, restarts, 0, INT32_MAX),
    INT32("preemptions", struct bl_job_past, preemptions, 0, INT32_MAX),
    INT32("gpus_wish", struct bl_job_past, gpus_wish, 0, BL_NODE_COUNTED_GPUS_MAX),
    INT32("level", struct bl_job_past, level, 0, INT32_MAX),
    INT64("level_at_us", struct bl_job_past, level_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("stop_at_us", struct bl_job_past, stop_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("promised_at_us", struct bl_job_past, promised_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("inside_at_us", struct bl_job_past, inside_at, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("guard_due_us", struct bl_job_past, guard.due, -AMOUNT_MAX, INT64_MAX),
    INT64("guard_planned_us", struct bl_job_past, guard.planned, -AMOUNT_MAX, INT64_MAX),
    BOOL("guard_aged", struct bl_job_past, guard.is_aged),
    INT64("known_runs", struct bl_job_past, foresight.asked.known, 0, AMOUNT_MAX),
    INT64("fresh_runs", struct bl_job_past, foresight.fresh, 0, AMOUNT_MAX),
    INT32("crowd", struct bl_job_past, foresight.asked.crowd, 0, INT32_MAX),
    OTHER("siblings"),
    OTHER("foreseen"),
    INT64("array_job", struct bl_job_past, array_job, 0, INT64_MAX),
    INT32("array_position", struct bl_job_past, array_position, 0, BL_ARRAY_ELEMENTS_MAX),
    TEXT("outcome", struct bl_job_past, outcome),
    INT32("array_next", struct bl_job_past, array_next, 0, BL_ARRAY_ELEMENTS_MAX),
    OTHER("ready"),
    OTHER("ended_as"),
    OTHER("where"),
    OTHER("next_where"),
    INT32("attempts_left_out", struct bl_job_past, attempts.left_out, 0, INT32_MAX),
    OTHER("attempts"),
    END,
};

const struct bl_field bl_record_booking_fields[] = {
    INT64("id", struct bl_booking_past, spec.id, -INT64_MAX, INT64_MAX),
    TEXT("name", struct bl_booking_past, spec.name),
    TEXT("user", struct bl_booking_past, spec.user),
    TEXT("project", struct bl_booking_past, spec.project),
    INT64("uid", struct bl_booking_past, spec.uid, INT64_MIN, INT64_MAX),
    INT32("gpus", struct bl_booking_past, spec.gpus, 0, BL_NODE_COUNTED_GPUS_MAX),
    TEXT("gpu_type", struct bl_booking_past, spec.gpu_type),
    TEXT("pool", struct bl_booking_past, spec.pool),
    OTHER("on"),
    INT64("flex_us", struct bl_booking_past, spec.flex, 0, BL_BOOKING_HORIZON),
    INT64("release_after_us", struct bl_booking_past, spec.release_after, 0, BL_BOOKING_HORIZON),
    TEXT("rule", struct bl_booking_past, spec.rule),
    TEXT("zone", struct bl_booking_past, spec.zone),
    OTHER("slots"),
    BOOL("closed", struct bl_booking_past, spec.is_closed),
    INT32("revision", struct bl_booking_past, revision, 0, INT32_MAX),
    INT64("made_at_us", struct bl_booking_past, made_at, -AMOUNT_MAX, AMOUNT_MAX),
    OTHER("occurrences"),
    END,
};

const struct bl_field bl_record_occurrence_fields[] = {
    INT32("number", struct bl_occurrence, number, 1, BL_OCCURRENCE_NUMBER_MAX),
    WORD("state", struct bl_occurrence, state, BL_OCCURRENCE_STATE_COUNT - 1,
         occurrence_state_name),
    INT64("start_us", struct bl_occurrence, start, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("end_us", struct bl_occurrence, end, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("asked_start_us", struct bl_occurrence, asked_start, -AMOUNT_MAX, AMOUNT_MAX),
    INT64("ended_at_us", struct bl_occurrence, ended_at, -AMOUNT_MAX, AMOUNT_MAX),
    BOOL("is_used", struct bl_occurrence, is_used),
    BOOL("is_degraded", struct bl_occurrence, is_degraded),
    BOOL("is_moved", struct bl_occurrence, is_moved),
    OTHER("where"),
    END,
};

#define OF_ATTEMPT_AT(key, member)                                                                 \
    INT64(key, struct bl_job_attempt, member, -AMOUNT_MAX, AMOUNT_MAX)
const struct bl_field bl_record_attempt_fields[] = {
    INT32("number", struct bl_job_attempt, number, 1, INT32_MAX),
    OF_ATTEMPT_AT("started_at_us", started_at),
    OF_ATTEMPT_AT("running_at_us", running_at),
    OF_ATTEMPT_AT("ended_at_us", ended_at),
    WORD("reason", struct bl_job_attempt, reason.code, BL_REASON_COUNT - 1, reason_name),
    INT64("reason_job", struct bl_job_attempt, reason.job, -INT64_MAX, INT64_MAX),
    INT64("reason_need", struct bl_job_attempt, reason.need, INT64_MIN, INT64_MAX),
    INT64("reason_have", struct bl_job_attempt, reason.have, INT64_MIN, INT64_MAX),
    INT64("reason_at_us", struct bl_job_attempt, reason.at, -AMOUNT_MAX, INT64_MAX),
    INT32("exit_code", struct bl_job_attempt, exit_code, INT32_MIN, INT32_MAX),
    BOOL("has_exit_code", struct bl_job_attempt, has_exit_code),
    OTHER("where"),
    END,
};

const struct bl_field bl_record_launch_fields[] = {
    OTHER("argv"),
    NEED_TEXT("workdir", struct bl_launch, workdir),
    TEXT("log", struct bl_launch, log_pattern),
    TEXT("error_log", struct bl_launch, error_pattern),
    TEXT("script", struct bl_launch, script),
    BOOL("slurm_env", struct bl_launch, slurm_env),
    BOOL("mem_unasked", struct bl_launch, mem_unasked),
    TEXT("resume", struct bl_launch, resume),
    INT64("checkpoint_every_us", struct bl_launch, checkpoint_every, 0, BL_SPAN_MAX),
    BOOL("has_umask", struct bl_launch, has_umask),
    INT32("umask", struct bl_launch, umask, 0, BL_LAUNCH_UMASK_MAX),
    INT64("uid", struct bl_launch, uid, INT64_MIN, INT64_MAX),
    INT64("gid", struct bl_launch, gid, INT64_MIN, INT64_MAX),
    INT64("grace_us", struct bl_launch, grace, 0, BL_SPAN_MAX),
    INT64("pid", struct bl_launch, pid, 0, INT32_MAX),
    INT64("pid_start", struct bl_launch, pid_start, 0, INT64_MAX),
    TEXT("boot", struct bl_launch, boot),
    OTHER("params"),
    OTHER("labels"),
    END,
};
