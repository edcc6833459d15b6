/* Jobs that somebody sends: the body is read and checked, the jobs are put in order and numbered,
 * and nothing is submitted yet. */
#ifndef BL_DAEMON_INTAKE_H
#define BL_DAEMON_INTAKE_H

#include "base/own.h"
#include "daemon/api.h"
#include "form/jobspec.h"

/* One job of the body. */
struct bl_intake_item {
    struct bl_jobspec spec;
    const size_t *inside;           /* of a pipeline: see struct bl_pipeline_job; else NULL */
    bl_job_id id;                   /* 0 until its turn has come */
    struct bl_dependency *after;    /* `job` is 0 for one of the list, until its turn has come */
    struct bl_intake_item **named;  /* that one, else NULL */
    size_t cursor;                  /* the next of them to look at */
    struct bl_intake_item *waiting; /* the job of the list whose turn comes after this one's */
    bool is_open;
};

/* What is known of a request while its body is read. Begins with zeroes, `api` and `request`; the
 * arena is the caller's to finish. */
struct bl_intake {
    struct bl_api *api;
    struct bl_request *request;
    struct bl_arena arena;
    struct bl_tree_source source;
    struct bl_intake_item *item; /* in the order of the body */
    struct bl_intake_item **by_name;
    size_t count;
    struct bl_intake_item **order; /* what is waited for before what waits */
    bool is_batch;
    enum bl_answer refusal; /* where it fails: with `err` */
    struct bl_error err;
};

/* All that a submission has to pass. */
int bl_intake_read(struct bl_intake *intake);

#endif
