/* Who has how much of the machine: dominant shares (DRF, Ghodsi et al., NSDI 2011) and how equal
 * they are.
 *
 * A tenant is a project, or a user where the job names no project; jobs that name neither belong to
 * nobody. A tenant is backlogged while a job of its own has not started. Both figures are
 * time-means over the time in which at least two tenants are backlogged, of their shares:
 * least / largest, and Jain's index. Where nobody has anything all are equal: 1. */
#ifndef BL_CORE_TENANTS_H
#define BL_CORE_TENANTS_H

#include "base/span.h"
#include "core/cluster.h"
#include "core/job.h"

enum { BL_TENANTS_MAX = 65536 }; /* later ones are not told apart and do not count */

struct bl_tenants;

struct bl_tenants *bl_tenants_create(void);
void bl_tenants_destroy(struct bl_tenants *tenants);

void bl_tenants_note_submitted(struct bl_tenants *tenants, const struct bl_job *job);
void bl_tenants_note_started(struct bl_tenants *tenants, const struct bl_job *job);
void bl_tenants_note_put_back(struct bl_tenants *tenants, const struct bl_job *job);
/* What a running job holds changed. */
void bl_tenants_note_held(struct bl_tenants *tenants, const struct bl_job *job,
                          const struct bl_resources *change);
void bl_tenants_note_ended(struct bl_tenants *tenants, const struct bl_job *job);
void bl_tenants_note_capacity(struct bl_tenants *tenants, const struct bl_resources *capacity);

/* Time passes with the shares as they are. */
void bl_tenants_advance(struct bl_tenants *tenants, bl_time span);

/* NAN while two tenants were never backlogged at once. */
double bl_tenants_min_max(const struct bl_tenants *tenants);
double bl_tenants_jain(const struct bl_tenants *tenants);

#endif
