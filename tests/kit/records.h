/* What a daemon writes down, for tests of what is made of it: records as bytes, one after the
 * other.
 */
#ifndef BL_KIT_RECORDS_H
#define BL_KIT_RECORDS_H

#include "base/own.h"
#include "base/vec.h"
#include "form/record.h"

struct record_bytes {
    char *bytes;
    size_t length;
};

struct records {
    BL_VEC(struct record_bytes) list;
};

/* With how it is to be launched; NULL = nothing is known of that. */
static inline void records_add_launch(struct records *records, const struct bl_event *event,
                                      const struct bl_launch *launch)
{
    struct bl_buf text = {0};
    struct record_bytes record;

    bl_record_write(&text, event, launch);
    record.length = text.length;
    record.bytes = bl_buf_take(&text);
    BL_VEC_PUSH(&records->list, record);
}

static inline void records_add(struct records *records, const struct bl_event *event)
{
    records_add_launch(records, event, NULL);
}

static inline void records_free(struct records *records)
{
    for (size_t i = 0; i < records->list.count; i++) {
        free(records->list.at[i].bytes);
    }
    BL_VEC_FINISH(&records->list);
}

static inline void records_policy(struct records *records, const char *policy)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET, .at = BL_SECOND};

    event.u.policy = bl_policy_default(bl_policy_find(policy));
    records_add(records, &event);
}

static inline void records_node(struct records *records, int32_t gpus)
{
    struct bl_event event = {.kind = BL_EVENT_NODE_ADDED, .at = BL_SECOND};

    event.u.node = (struct bl_node_spec){.name = "n1",
                                         .gpu_type = "A100",
                                         .gpus = gpus,
                                         .cpu_milli = 128000,
                                         .mem_bytes = INT64_C(1) << 40};
    records_add(records, &event);
}

static inline void records_submit(struct records *records, bl_job_id id, int32_t gpus,
                                  bl_time limit, bl_time at)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .at = at, .job = id};

    event.u.submitted = (struct bl_job_spec){.user = "ann",
                                             .gpus_min = gpus,
                                             .gpus_want = gpus,
                                             .gpus_max = gpus,
                                             .job_class = BL_CLASS_BATCH,
                                             .limit = limit};
    records_add(records, &event);
}

static inline void records_round(struct records *records, bl_time at)
{
    records_add(records, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = at});
}

/* Its first attempt. */
static inline void records_about(struct records *records, enum bl_event_kind kind, bl_job_id id,
                                 bl_time at)
{
    records_add(records, &(struct bl_event){.kind = kind, .job = id, .attempt = 1, .at = at});
}

/* Jobs 1 to `jobs`, each of a whole machine of eight: the first runs, the others wait. */
static inline void records_queue(struct records *records, const char *policy, int jobs)
{
    records_policy(records, policy);
    records_node(records, 8);
    for (bl_job_id id = 1; id <= jobs; id++) {
        records_submit(records, id, 8, BL_HOUR, BL_SECOND);
    }
    records_round(records, BL_SECOND);
    records_about(records, BL_EVENT_JOB_STARTED, 1, 2 * BL_SECOND);
    records_round(records, 2 * BL_SECOND);
}

#endif
