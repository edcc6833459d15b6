/* The safeguard of a policy that lets later jobs pass: when a job is first seen it is promised a
 * latest start, the later of its start in a plan by limits, in order of arrival, and a wait that is
 * allowed to everybody. Nobody starts unless a joint plan by limits of all that wait keeps every
 * promise; and whoever must start now to keep it does.
 *
 * Who has waited for `patience` (wide jobs: for less) is marked as aged, for the policy's order. In
 * the plan those come first, in order of arrival, where that keeps what others were promised, and
 * their place in it is what they are promised from then on, but never an earlier start than one
 * that came before: else a wide job that was promised little would let nobody go first any more.
 *
 * One such plan is known from round to round (bl_job.guard): as jobs end early it only gets better.
 * Of a queue longer than `front` a round plans the first ones anew, unless somebody is new; the
 * others keep their places, and who may start is planned so or fits beside all that.
 * Arrays are promised nothing: their elements come in the gaps. */
#ifndef BL_CORE_GUARD_H
#define BL_CORE_GUARD_H

#include "core/in_order.h"
#include "core/view.h"

struct bl_guard; /* opaque: of one round */

struct bl_guard_rules {
    bl_time wait;     /* that is allowed to everybody */
    bl_time patience; /* after which a job has aged */
    size_t front;     /* of a longer queue so many are planned anew, at least 1 */
};

/* Brings the plan up to date, and promises those that are new a start after `wait` at the latest
 * when the plan does not have to be later. */
struct bl_guard *bl_guard_create(const struct bl_view *view, const struct bl_guard_rules *rules);

/* bl_line.may_start: whether the job may start now. Yes means that it does at once. */
bool bl_guard_may_start(void *guard, const struct bl_view *view, size_t index);

/* Starts those that can wait no longer, keeps the plan for the next round and asks for that round
 * in time. */
void bl_guard_finish(struct bl_guard *guard, const struct bl_view *view,
                     struct bl_decision *decision);

#endif
