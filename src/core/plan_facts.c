/* What earlier searches of a plan found out. */
#include "core/plan_parts.h"

__extension__ typedef __int128 wide;

static bool is_proportional(const struct bl_resources *a, const struct bl_resources *b)
{
    for (int i = 0; i < BL_RESOURCE_COUNT; i++) {
        if ((wide)a->amount[i] * b->amount[BL_RESOURCE_GPU] !=
            (wide)b->amount[i] * a->amount[BL_RESOURCE_GPU]) {
            return false;
        }
    }
    return true;
}

static bool are_of_one_kind(const struct bl_plan_kind *a, const struct bl_plan_kind *b)
{
    return a->type_mask == b->type_mask && a->pool == b->pool && a->nodes_max == b->nodes_max &&
           a->gpu_mem_bytes == b->gpu_mem_bytes && a->has_gpus == b->has_gpus &&
           a->gives_way == b->gives_way;
}

/* A gang with more GPUs but less beside each may fit where the smaller one does not: it must ask
 * for as much beside each GPU, or for as many GPUs. */
static bool asks_no_less(const struct bl_plan_fact *asked, const struct bl_plan_fact *known)
{
    int64_t gpus = asked->need.amount[BL_RESOURCE_GPU];

    return bl_resources_fit(&known->need, &asked->need) &&
           are_of_one_kind(&asked->kind, &known->kind) &&
           (gpus <= 1 || asked->kind.nodes_max == 1 ||
            gpus == known->need.amount[BL_RESOURCE_GPU] ||
            is_proportional(&asked->need, &known->need));
}

/* What tells most of them apart, looked at first. */
static inline bool may_ask_no_less(const struct bl_plan_fact *asked,
                                   const struct bl_plan_fact *known)
{
    return asked->duration >= known->duration && asked->longest >= known->longest &&
           asked->need.amount[BL_RESOURCE_GPU] >= known->need.amount[BL_RESOURCE_GPU];
}

static struct bl_plan_fact make_fact(const struct bl_plan_request *request, bl_time earliest)
{
    return (struct bl_plan_fact){request->kind, request->need, request->duration, request->longest,
                                 earliest};
}

bl_time bl_plan_facts_bound(const struct bl_plan_facts *facts,
                            const struct bl_plan_request *request, bl_time from)
{
    const struct bl_plan_fact asked = make_fact(request, 0);

    for (size_t i = 0; i < facts->count; i++) {
        if (facts->fact[i].earliest > from && may_ask_no_less(&asked, &facts->fact[i]) &&
            asks_no_less(&asked, &facts->fact[i])) {
            from = facts->fact[i].earliest;
        }
    }
    return from;
}

/* Facts that follow from the new one are forgotten; of too many, the oldest. */
void bl_plan_facts_note(struct bl_plan_facts *facts, const struct bl_plan_request *request,
                        bl_time earliest)
{
    const struct bl_plan_fact fresh = make_fact(request, earliest);
    size_t kept = 0;

    for (size_t i = 0; i < facts->count; i++) {
        const struct bl_plan_fact *known = &facts->fact[i];

        if (known->earliest <= earliest && may_ask_no_less(known, &fresh) &&
            asks_no_less(known, &fresh)) {
            continue;
        }
        if (kept != i) {
            facts->fact[kept] = *known;
        }
        kept++;
    }
    facts->count = kept;
    if (kept < BL_PLAN_FACTS_MAX) {
        facts->fact[facts->count++] = fresh;
        return;
    }
    facts->fact[facts->oldest] = fresh;
    facts->oldest = (facts->oldest + 1) % BL_PLAN_FACTS_MAX;
}
