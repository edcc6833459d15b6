#include "sim/trained.h"

#include "sim/ceiling.h"

#include <math.h>

/* An epoch may end so much too early: its end is rounded to whole seconds. */
#define EPOCH_ROUNDING_S 0.5

/* One application on one machine, while its options are worked out. */
struct fitting {
    const struct bl_bound_machine *machine;
    const struct bl_cluster *cluster;
    const struct bl_sim_trainee *trainee;
    double *rate, *reference; /* of each epoch */
};

static struct bl_sim_ground ground_of(const struct fitting *fitting, size_t class, int32_t gpus)
{
    const struct bl_bound_class *at = &fitting->machine->class[class];

    return (struct bl_sim_ground){
        bl_profile_find_device(fitting->trainee->app, fitting->cluster->type_name[at->type]), gpus,
        (int32_t)at->most_on_node};
}

/* One GPU of the first class. False when the profile says nothing sensible. */
static bool find_reference(const struct fitting *fitting)
{
    struct bl_sim_ground ground = ground_of(fitting, 0, 1);

    bl_sim_ceiling(fitting->trainee, &ground, fitting->reference);
    for (int32_t i = 0; i < fitting->trainee->app->epochs; i++) {
        if (!(fitting->reference[i] > 0) || !isfinite(fitting->reference[i])) {
            return false;
        }
    }
    return true;
}

static double relative_speed(const struct fitting *fitting)
{
    double most = 0;

    for (int32_t i = 0; i < fitting->trainee->app->epochs; i++) {
        most = fmax(most, fitting->rate[i] / fitting->reference[i]);
    }
    return most;
}

static int64_t most_gpus(const struct fitting *fitting, size_t class)
{
    int64_t most = bl_sim_trainee_gpus_max(fitting->trainee);

    return most < fitting->machine->class[class].gpus ? most : fitting->machine->class[class].gpus;
}

static size_t add_class(const struct fitting *fitting, size_t class, struct bl_bound_option *out)
{
    size_t count = 0;

    for (int32_t gpus = 1; gpus <= most_gpus(fitting, class); gpus++) {
        struct bl_sim_ground ground = ground_of(fitting, class, gpus);
        struct bl_bound_option option = {class, gpus, 0};

        bl_sim_ceiling(fitting->trainee, &ground, fitting->rate);
        option.speed = relative_speed(fitting);
        if (option.speed > 0 && isfinite(option.speed)) {
            count = bl_bound_push(out, count, option);
        }
    }
    return count;
}

static double work_of(const struct fitting *fitting, const struct bl_sim_trained *trained)
{
    const struct bl_profile_app *app = fitting->trainee->app;
    double work = 0;
    double top = 0;

    for (size_t i = 0; i < trained->option_count; i++) {
        top = fmax(top, trained->option[i].speed);
    }
    for (int32_t i = 0; i < app->epochs; i++) {
        double more = bl_sim_progress_at(app, i + 1) - bl_sim_progress_at(app, i);

        work += fmax(more, 0) / fitting->reference[i];
    }
    return fmax(work - EPOCH_ROUNDING_S * top * app->epochs, 0);
}

static void fit(struct bl_sim_trained_list *list, struct fitting *fitting,
                struct bl_sim_trained *out)
{
    size_t epochs = (size_t)fitting->trainee->app->epochs;
    size_t room = 0;

    fitting->rate = bl_arena_alloc(&list->arena, epochs * sizeof *fitting->rate);
    fitting->reference = bl_arena_alloc(&list->arena, epochs * sizeof *fitting->reference);
    if (!find_reference(fitting)) {
        return;
    }
    for (size_t i = 0; i < fitting->machine->class_count; i++) {
        room += (size_t)most_gpus(fitting, i);
    }
    out->option = bl_arena_alloc(&list->arena, room * sizeof *out->option);
    for (size_t i = 0; i < fitting->machine->class_count; i++) {
        out->option_count += add_class(fitting, i, out->option + out->option_count);
    }
    out->work = work_of(fitting, out);
}

const struct bl_sim_trained *bl_sim_trained_find(struct bl_sim_trained_list *list,
                                                 const struct bl_bound_machine *machine,
                                                 const struct bl_cluster *cluster,
                                                 const struct bl_sim_trainee *trainee)
{
    double batch = trainee->rules->tunes_batch ? 0 : trainee->trace_batch;
    struct fitting fitting = {.machine = machine, .cluster = cluster, .trainee = trainee};
    struct bl_sim_trained *found;

    for (size_t i = 0; i < list->known.count; i++) {
        found = list->known.at[i];
        if (found->app == trainee->app && found->batch == batch) {
            return found;
        }
    }
    found = bl_arena_alloc(&list->arena, sizeof *found);
    found->app = trainee->app;
    found->batch = batch;
    fit(list, &fitting, found);
    BL_VEC_PUSH(&list->known, found);
    return found;
}

void bl_sim_trained_finish(struct bl_sim_trained_list *list)
{
    bl_arena_finish(&list->arena);
    BL_VEC_FINISH(&list->known);
}
