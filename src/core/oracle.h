/* Who knows how fast jobs really are and how much work they are: a simulator that is told to let
 * policies see it. What it answers takes the place of what was learnt; policies do not notice. */
#ifndef BL_CORE_ORACLE_H
#define BL_CORE_ORACLE_H

#include "core/cluster.h"

#include <stdint.h>

struct bl_oracle_question {
    bl_job_id job;
    int32_t type, gpus, nodes; /* type: an index of the cluster's */
};

/* Answers must follow from the events that the core was told. */
struct bl_oracle {
    void *self;
    /* Units of work a second, as far as the job is now; 0 = it can not run so. */
    double (*rate)(void *self, const struct bl_cluster *cluster,
                   const struct bl_oracle_question *question);
    /* Units of work in all, > 0. */
    double (*total)(void *self, bl_job_id job);
};

#endif
