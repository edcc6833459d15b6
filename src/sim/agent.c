#include "sim/agent.h"

#include <math.h>

void bl_sim_agent_finish(struct bl_sim_agent *agent)
{
    BL_VEC_FINISH(&agent->known);
}

static struct bl_sim_knowledge *find(const struct bl_sim_agent *agent,
                                     const struct bl_profile_device *device)
{
    for (size_t i = 0; i < agent->known.count; i++) {
        if (agent->known.at[i].device == device) {
            return &agent->known.at[i];
        }
    }
    return NULL;
}

/* Points that were not told yet stay the last ones. */
/* Answers whether the model changed. */
static bool learn(struct bl_sim_knowledge *known, const struct bl_pollux_point *point)
{
    size_t count = known->points.count;
    bool is_new = !bl_pollux_knows(&known->points, point);
    bool is_changed = bl_pollux_see(&known->points, point);

    known->told -= is_new && known->points.count == count && known->told > 0;
    return is_changed;
}

void bl_sim_agent_see(struct bl_sim_agent *agent, const struct bl_sim_sight *sight)
{
    struct bl_sim_knowledge *known = find(agent, sight->device);
    struct bl_pollux_point point = {sight->shape.nodes, sight->shape.gpus, sight->local_batch,
                                    fmax(sight->step.step_s - sight->step.sync_s, 1e-9),
                                    sight->step.step_s};

    agent->noise = sight->noise;
    agent->has_noise = true;
    if (!known) {
        BL_VEC_PUSH(&agent->known, (struct bl_sim_knowledge){.device = sight->device});
        known = &agent->known.at[agent->known.count - 1];
    }
    agent->has_grid = !learn(known, &point) && agent->has_grid;
}

const struct bl_pollux_point *bl_sim_agent_next(struct bl_sim_agent *agent)
{
    for (size_t i = 0; i < agent->known.count; i++) {
        struct bl_sim_knowledge *known = &agent->known.at[i];

        if (known->told < known->points.count) {
            return &known->points.point[known->told++];
        }
    }
    return NULL;
}

struct placed {
    const struct bl_pollux_model *model;
    const struct bl_sim_shape *shape;
};

static struct bl_step step_at(const void *self, double local_batch)
{
    const struct placed *placed = self;

    return bl_pollux_step(placed->model, placed->shape->nodes, placed->shape->gpus, local_batch);
}

void bl_sim_agent_move(struct bl_sim_agent *agent)
{
    agent->has_grid = false;
}

bool bl_sim_agent_choose(struct bl_sim_agent *agent, const struct bl_profile_device *device,
                         const struct bl_sim_shape *shape, const struct bl_sim_choice *from,
                         struct bl_sim_batch *out)
{
    const struct bl_sim_knowledge *known = find(agent, device);
    struct bl_noise noise = {agent->noise.sqr, agent->noise.var};
    struct bl_tuned tuned;

    if (!known || !agent->has_noise) {
        return false;
    }
    if (!agent->has_grid) {
        struct placed placed = {&known->points.model, shape};
        struct bl_batch batch = {from->batch_init, from->batch_max, from->local_min,
                                 from->local_max};

        bl_batch_grid_make(&agent->grid, &batch, shape->gpus, &(struct bl_steps){step_at, &placed});
        agent->has_grid = true;
    }
    if (!bl_batch_grid_best(&agent->grid, &noise, &tuned)) {
        return false;
    }
    *out = (struct bl_sim_batch){tuned.choice.local, tuned.choice.accumulation};
    return true;
}
