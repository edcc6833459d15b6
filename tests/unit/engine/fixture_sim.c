/* The simulated engine, driven from one of its reports to the next. */
#include "bl_test.h"
#include "engine_kit.h"

#include "engine/sim.h"

extern const struct kit_fixture kit_fixture_sim;

static const char *const variants[] = {"", NULL};

static void open_sim(struct kit *kit)
{
    (void)kit;
}

static void configure_sim(const struct kit *kit, struct bl_engine_config *config)
{
    (void)kit;
    (void)config;
}

/* What lives is told before the time goes on. */
static bool turn_sim(struct kit *kit)
{
    struct bl_sim_due due;
    size_t told = kit->event_count;

    bl_engine_sim_report_started(kit->engine);
    if (kit->event_count > told) {
        return true;
    }
    if (!bl_engine_sim_next(kit->engine, &due)) {
        return false;
    }
    bl_engine_sim_set_time(kit->engine, due.at);
    bl_engine_sim_report_end(kit->engine);
    return true;
}

const struct kit_fixture kit_fixture_sim = {.engine = &bl_engine_sim,
                                            .variants = variants,
                                            .open = open_sim,
                                            .configure = configure_sim,
                                            .turn = turn_sim,
                                            .close = open_sim};
