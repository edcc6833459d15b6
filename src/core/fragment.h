/* Fragmentation: how much of what is free could not serve a typical request.
 *
 * The expected fragment of a node is the mean, over the requests of the last seven days, of its
 * free GPUs that the request could not use: all of them when the node cannot host the request's
 * share of one node or the request needs no GPU, else none (after FGD, Weng et al., ATC 2023, for
 * whole GPUs). The figure is the time-mean of the sum over nodes divided by all free GPUs. The mix
 * of requests moves on in whole hours; in its first hour it is whatever has been submitted so far.
 * Where nothing is free nothing is fragmented: 0; time without requests does not count. */
#ifndef BL_CORE_FRAGMENT_H
#define BL_CORE_FRAGMENT_H

#include "base/span.h"
#include "core/cluster.h"
#include "core/job.h"

enum {
    BL_FRAGMENT_CLASSES_MAX = 1024, /* distinct requests that are kept apart; the rarest beyond
                                       that do not enter the mix */
    BL_FRAGMENT_HOURS = 7 * 24
};

struct bl_fragment;

struct bl_fragment *bl_fragment_create(void);
void bl_fragment_destroy(struct bl_fragment *fragment);

void bl_fragment_note_request(struct bl_fragment *fragment, bl_time now, const struct bl_job *job);

/* `changed` NULL: nodes came, went or changed their state. Amounts are copied. */
void bl_fragment_note_books(struct bl_fragment *fragment, const struct bl_cluster *cluster,
                            const struct bl_alloc *changed);

/* Time passes with the books as they are. */
void bl_fragment_advance(struct bl_fragment *fragment, bl_time from, bl_time to);

/* The ratio at this instant; 0 without requests or free GPUs. */
double bl_fragment_ratio(struct bl_fragment *fragment);

/* The time-mean so far; NAN before any request. */
double bl_fragment_mean(const struct bl_fragment *fragment);

#endif
