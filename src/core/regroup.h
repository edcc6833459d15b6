/* From what each job is to have to GPUs on nodes, and to decisions: whoever keeps its count keeps
 * its GPUs; those that shrink give up some of theirs; all others are placed in falling order of
 * size, best fit, on their own GPUs first. Who finds no place has fewer, or stays as it is.
 *
 * What can be done at once is done. What needs GPUs that others leave only now waits for the next
 * round; when nothing but a circle of such jobs is left, the first of them goes back to the queue.
 */
#ifndef BL_CORE_REGROUP_H
#define BL_CORE_REGROUP_H

#include "core/crew.h"

/* Carries out bucket_to and gpus_to of every member. Those that are due are placed first. Where
 * `misfit` is not NULL and somebody would not get what it was to have, nothing is decided; then the
 * answer is false and misfit[i] says who. */
bool bl_regroup(const struct bl_crew *crew, struct bl_decision *decision, bool *misfit);

#endif
