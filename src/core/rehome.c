/* What a reservation holds may be lost under it: a node goes down or is drained, another job may
 * stay there after all. It moves to equal GPUs that are free then, or goes on with what is left. */
#include "core/bookings.h"
#include "core/survey.h"

/* Somebody who was to be gone is not: the clock was set. */
static bool is_overstayed(const struct bl_core *core, const struct bl_occurrence *occurrence,
                          const struct bl_alloc_part *part)
{
    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;
        const struct bl_alloc_part *own = bl_alloc_parts(&job->alloc);

        for (uint32_t k = 0; k < job->alloc.part_count; k++) {
            if (own[k].node == part->node && (own[k].gpu_mask & part->gpu_mask) != 0 &&
                job->spec.reservation == 0 && bl_core_job_until(core, job) > occurrence->start &&
                occurrence->start > core->now) {
                return !bl_job_gives_way(&job->spec);
            }
        }
    }
    return false;
}

static bool is_lost(const struct bl_core *core, const struct bl_occurrence *occurrence,
                    const struct bl_alloc_part *part)
{
    const struct bl_node *node = &core->cluster.node[part->node];

    return node->state != BL_NODE_UP || node->drain_at < occurrence->end ||
           (part->gpu_mask & ~bl_node_gpus(&node->spec)) != 0 || part->gpus > node->spec.gpus ||
           is_overstayed(core, occurrence, part);
}

static int64_t share_of(int64_t whole, int32_t gpus, int32_t all)
{
    return all > 0 ? whole / all * gpus : whole;
}

/* What is left of a part: nothing where the node is lost, else all but single GPUs that are. */
static struct bl_alloc_part left_of(const struct bl_core *core,
                                    const struct bl_occurrence *occurrence,
                                    const struct bl_alloc_part *part)
{
    struct bl_alloc_part left = *part;
    int32_t gpus;

    if (is_lost(core, occurrence, part)) {
        return (struct bl_alloc_part){.node = part->node};
    }
    left.gpu_mask &= ~core->cluster.node[part->node].lost;
    gpus = part->gpus - __builtin_popcountll(part->gpu_mask & ~left.gpu_mask);
    if (gpus == part->gpus) {
        return left;
    }
    left.gpus = gpus;
    left.cpu_milli = share_of(part->cpu_milli, gpus, part->gpus);
    left.mem_bytes = share_of(part->mem_bytes, gpus, part->gpus);
    return left;
}

static int32_t lost_gpus(const struct bl_core *core, const struct bl_occurrence *occurrence,
                         int32_t *node)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&occurrence->alloc);
    int32_t gpus = 0;

    for (uint32_t i = 0; i < occurrence->alloc.part_count; i++) {
        int32_t lost = part[i].gpus - left_of(core, occurrence, &part[i]).gpus;

        gpus += lost;
        *node = lost > 0 ? part[i].node : *node;
    }
    return gpus;
}

static void add_part(struct bl_alloc *to, const struct bl_alloc_part *part)
{
    for (uint32_t i = 0; i < to->part_count; i++) {
        if (to->many[i].node == part->node) {
            to->many[i].gpus += part->gpus;
            to->many[i].gpu_mask |= part->gpu_mask;
            to->many[i].cpu_milli += part->cpu_milli;
            to->many[i].mem_bytes += part->mem_bytes;
            return;
        }
    }
    to->many[to->part_count++] = *part;
}

/* What is not lost, and the new GPUs. */
static void replace_lost(const struct bl_core *core, struct bl_occurrence *occurrence,
                         const struct bl_alloc *found, struct bl_arena *arena)
{
    const struct bl_alloc *old = &occurrence->alloc;
    struct bl_alloc both = {0};

    both.many = bl_arena_alloc(arena, (old->part_count + found->part_count) * sizeof *both.many);
    for (uint32_t i = 0; i < old->part_count; i++) {
        struct bl_alloc_part left = left_of(core, occurrence, &bl_alloc_parts(old)[i]);

        if (left.gpus > 0) {
            add_part(&both, &left);
        }
    }
    for (uint32_t i = 0; i < found->part_count; i++) {
        add_part(&both, &bl_alloc_parts(found)[i]);
    }
    both.single = both.many[0];
    bl_alloc_finish(&occurrence->alloc);
    bl_alloc_copy(&occurrence->alloc, &both);
}

/* Equal GPUs: of the type and the pool of those that are lost. */
static bool move(struct bl_core *core, const struct bl_live *live, int32_t gpus, int32_t node)
{
    struct bl_occurrence *occurrence = bl_live_occurrence(live);
    const struct bl_node_spec *lost = &core->cluster.node[node].spec;
    struct bl_booking_spec spec = {
        .id = live->booking->spec.id, .gpus = gpus, .gpu_type = lost->gpu_type, .pool = lost->pool};
    struct bl_booking_wish wish = {.spec = &spec};
    struct bl_slot slot = {occurrence->start, occurrence->end};
    struct bl_arena arena = {0};
    struct bl_alloc found = {0};
    bool is_found =
        bl_survey_find(bl_survey_create(core, &wish, &arena), slot, gpus, spec.gpu_type, &found);

    if (is_found) {
        replace_lost(core, occurrence, &found, &arena);
        occurrence->is_moved = true;
    }
    bl_arena_finish(&arena);
    return is_found;
}

void bl_core_rehome(struct bl_core *core)
{
    struct bl_bookings *bookings = core->bookings;

    if (bookings->map.count == 0) {
        return;
    }
    bl_core_refresh_live(core);
    for (size_t i = 0; i < bookings->live.count; i++) {
        const struct bl_live *live = &bookings->live.at[i];
        struct bl_occurrence *occurrence = bl_live_occurrence(live);
        int32_t node = -1;
        int32_t gpus = lost_gpus(core, occurrence, &node);

        occurrence->is_degraded =
            gpus > 0 && !(bl_promised_job(live->booking) ? bl_core_move_promise(core, live)
                                                         : move(core, live, gpus, node));
        bookings->is_stale = true;
    }
    core->wants_round = true;
}
