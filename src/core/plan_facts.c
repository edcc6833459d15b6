/* What earlier searches of a plan found out. */
#include "core/plan_parts.h"

#include <string.h>

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

/* Whether all nodes that suit `asked` suit `known`, and as many at once. */
static bool is_within(const struct bl_plan_kind *asked, const struct bl_plan_kind *known)
{
    bool is_type_within = known->type_mask == 0 ||
                          (asked->type_mask != 0 && (asked->type_mask & ~known->type_mask) == 0);

    return is_type_within && (known->pool < 0 || asked->pool == known->pool) &&
           (known->nodes_max == 0 ||
            (asked->nodes_max != 0 && asked->nodes_max <= known->nodes_max)) &&
           asked->gpu_mem_bytes >= known->gpu_mem_bytes && asked->has_gpus == known->has_gpus &&
           asked->gives_way == known->gives_way;
}

/* A gang with more GPUs but less beside each may fit where the smaller one does not: it must ask
 * for as much beside each GPU, or for as many GPUs. */
static bool asks_no_less(const struct bl_plan_fact *asked, const struct bl_plan_fact *known)
{
    int64_t gpus = asked->need.amount[BL_RESOURCE_GPU];

    return asked->duration >= known->duration && asked->longest >= known->longest &&
           bl_resources_fit(&known->need, &asked->need) && is_within(&asked->kind, &known->kind) &&
           (gpus <= 1 || asked->kind.nodes_max == 1 ||
            gpus == known->need.amount[BL_RESOURCE_GPU] ||
            is_proportional(&asked->need, &known->need));
}

static struct bl_plan_fact make_fact(const struct bl_plan_request *request)
{
    return (struct bl_plan_fact){request->kind, request->need, request->duration, request->longest};
}

bl_time bl_plan_facts_bound(const struct bl_plan_facts *facts,
                            const struct bl_plan_request *request, bl_time from)
{
    const struct bl_plan_fact asked = make_fact(request);
    int64_t gpus = request->need.amount[BL_RESOURCE_GPU];

    for (size_t i = 0; i < facts->count; i++) {
        const struct bl_plan_fact_key *key = &facts->key[i];

        if (key->earliest > from && key->duration <= request->duration && key->gpus <= gpus &&
            asks_no_less(&asked, &facts->fact[i])) {
            from = key->earliest;
        }
    }
    return from;
}

static void grow(struct bl_plan_facts *facts)
{
    size_t capacity = facts->capacity ? facts->capacity * 2 : 32;
    struct bl_plan_fact_key *key = bl_arena_alloc(facts->arena, capacity * sizeof *key);
    struct bl_plan_fact *fact = bl_arena_alloc(facts->arena, capacity * sizeof *fact);

    if (facts->count) {
        memcpy(key, facts->key, facts->count * sizeof *key);
        memcpy(fact, facts->fact, facts->count * sizeof *fact);
    }
    facts->key = key;
    facts->fact = fact;
    facts->capacity = capacity;
}

/* Those that follow from the new one. */
static void forget_weaker(struct bl_plan_facts *facts, const struct bl_plan_fact *fresh,
                          const struct bl_plan_fact_key *key)
{
    size_t kept = 0;

    for (size_t i = 0; i < facts->count; i++) {
        const struct bl_plan_fact_key *known = &facts->key[i];

        if (known->earliest <= key->earliest && known->duration >= key->duration &&
            known->gpus >= key->gpus && asks_no_less(&facts->fact[i], fresh)) {
            continue;
        }
        if (kept != i) {
            facts->key[kept] = facts->key[i];
            facts->fact[kept] = facts->fact[i];
        }
        kept++;
    }
    facts->count = kept;
}

/* Of too many the oldest is forgotten. */
void bl_plan_facts_note(struct bl_plan_facts *facts, const struct bl_plan_request *request,
                        bl_time earliest)
{
    const struct bl_plan_fact fresh = make_fact(request);
    const struct bl_plan_fact_key key = {earliest, request->duration,
                                         request->need.amount[BL_RESOURCE_GPU]};
    size_t index;

    forget_weaker(facts, &fresh, &key);
    index = facts->count;
    if (index == BL_PLAN_FACTS_MAX) {
        index = facts->oldest;
        facts->oldest = (facts->oldest + 1) % BL_PLAN_FACTS_MAX;
    } else {
        if (index == facts->capacity) {
            grow(facts);
        }
        facts->count++;
    }
    facts->key[index] = key;
    facts->fact[index] = fresh;
}
