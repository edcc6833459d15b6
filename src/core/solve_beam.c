#include "core/solve_parts.h"

#include "base/sort.h"

#include <math.h>

enum {
    STATES_MAX = 1 << 19,
    WIDTH_MIN = 64,
    WIDTH_MAX = 1 << 14,
    SLOTS_MIN = 1 << 10,
    BEAM_STEP = 16, /* operations that a state costs, */
    SWEEP_STEP = 4  /* and when it is looked at again */
};

/* A set of moves, told by the last one and what came before. Two that leave the same GPUs are one:
 * the cheaper stays. */
struct state {
    double loss;
    int32_t before; /* -1 = the start */
    uint32_t move;
    bool is_dead;
};

struct beam {
    struct bl_solver *solver;
    const double *price;
    BL_VEC(struct bl_solve_item) items; /* their moves in order of loss */
    struct bl_solve_outlook outlook;
    size_t next; /* item that has not chosen in a state that is added */
    BL_VEC(struct state) states;
    BL_VEC(int64_t) slack; /* [states * types] */
    BL_VEC(int32_t) live;
    uint32_t *slot; /* by slack: state + 1; at most half of them are used */
    size_t slots, used;
    double gap; /* what is still to be gained: shrinks */
    int32_t best;
    bool is_cut; /* something was left out */
};

static int compare_moves(const void *left, const void *right)
{
    const struct bl_solve_move *a = left;
    const struct bl_solve_move *b = right;

    if (a->loss < b->loss || a->loss > b->loss) {
        return a->loss < b->loss ? -1 : 1;
    }
    return a->option < b->option ? -1 : a->option > b->option;
}

static const struct bl_solve_move *moves_of(const struct beam *beam, size_t item)
{
    return &beam->solver->moves.at[beam->items.at[item].first];
}

/* Makes the list of jobs out of the moves, those that stay where they are left out. */
static void make_items(struct beam *beam)
{
    struct bl_solver *solver = beam->solver;
    size_t kept = 0;

    for (size_t i = 0; i < solver->moves.count;) {
        size_t job = solver->moves.at[i].job;
        struct bl_solve_item item = {.first = kept};

        for (; i < solver->moves.count && solver->moves.at[i].job == job; i++) {
            if (solver->moves.at[i].option != solver->post.at[job].option) {
                solver->moves.at[kept++] = solver->moves.at[i];
            }
        }
        item.count = kept - item.first;
        bl_sort(&solver->moves.at[item.first], item.count, sizeof *solver->moves.at, compare_moves);
        BL_VEC_PUSH(&beam->items, item);
    }
    solver->moves.count = kept;
}

/* Jobs in order of their cheapest move. */
static void sort_items(struct beam *beam)
{
    struct bl_solver *solver = beam->solver;
    BL_AUTO_FREE struct bl_solve_move *head = bl_alloc_zero((beam->items.count + 1) * sizeof *head);
    BL_AUTO_FREE struct bl_solve_item *item = bl_alloc_zero((beam->items.count + 1) * sizeof *item);

    for (size_t i = 0; i < beam->items.count; i++) {
        head[i] = solver->moves.at[beam->items.at[i].first];
        head[i].option = (int32_t)i;
    }
    bl_sort(head, beam->items.count, sizeof *head, compare_moves);
    for (size_t i = 0; i < beam->items.count; i++) {
        item[i] = beam->items.at[head[i].option];
    }
    memcpy(beam->items.at, item, beam->items.count * sizeof *item);
}

static uint64_t hash_slack(const int64_t *slack, int32_t types)
{
    uint64_t hash = 0;

    for (int32_t t = 0; t < types; t++) {
        hash = (hash ^ (uint64_t)slack[t]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 31;
    }
    return hash;
}

static int64_t *slack_of(struct beam *beam, size_t state)
{
    return &beam->slack.at[state * (size_t)beam->solver->types];
}

/* The slot where a state with this slack is or would be. */
static uint32_t *find_slot(struct beam *beam, const int64_t *slack)
{
    int32_t types = beam->solver->types;
    size_t at = hash_slack(slack, types) & (beam->slots - 1);

    while (beam->slot[at] &&
           memcmp(slack_of(beam, beam->slot[at] - 1), slack, (size_t)types * sizeof *slack) != 0) {
        at = (at + 1) & (beam->slots - 1);
    }
    return &beam->slot[at];
}

/* Small searches do not pay for the slots of large ones. */
static void double_slots(struct beam *beam)
{
    uint32_t *old = beam->slot;
    size_t count = beam->slots;

    beam->slots *= 2;
    beam->slot = bl_alloc_zero(beam->slots * sizeof *beam->slot);
    for (size_t i = 0; i < count; i++) {
        if (old[i]) {
            *find_slot(beam, slack_of(beam, old[i] - 1)) = old[i];
        }
    }
    free(old);
}

/* Notes that stopping here is the best so far. */
static void try_stop(struct beam *beam, size_t state)
{
    const int64_t *slack = slack_of(beam, state);
    double loss = beam->states.at[state].loss;

    for (int32_t t = 0; t < beam->solver->types; t++) {
        if (slack[t] < 0 && beam->solver->room[t] >= 0) {
            return;
        }
        loss += beam->price[t] * (double)slack[t];
    }
    if (loss < beam->gap * (1 - 1e-12)) {
        beam->gap = loss;
        beam->best = (int32_t)state;
    }
}

static bool is_hopeless(const struct beam *beam, double loss, const int64_t *slack)
{
    return bl_solve_is_hopeless(&beam->outlook, beam->next, beam->gap - loss, slack);
}

/* Adds the state, its slack being the last of beam->slack, unless one like it is as cheap, or
 * nothing better can come of it. */
static void add_state(struct beam *beam, const struct state *state)
{
    size_t types = (size_t)beam->solver->types;
    const int64_t *slack = &beam->slack.at[beam->states.count * types];
    uint32_t *slot;

    if (is_hopeless(beam, state->loss, slack)) {
        return;
    }
    if (2 * beam->used >= beam->slots) {
        double_slots(beam);
    }
    slot = find_slot(beam, slack);
    if (*slot && beam->states.at[*slot - 1].loss <= state->loss) {
        return;
    }
    if (*slot) {
        beam->states.at[*slot - 1].is_dead = true;
    }
    beam->used += *slot == 0;
    BL_VEC_PUSH(&beam->states, *state);
    *slot = (uint32_t)beam->states.count;
    BL_VEC_PUSH(&beam->live, (int32_t)beam->states.count - 1);
    try_stop(beam, beam->states.count - 1);
    beam->slack.count = beam->states.count * types;
    BL_VEC_RESERVE(&beam->slack, beam->slack.count + types);
}

static void add_start(struct beam *beam)
{
    struct bl_solver *solver = beam->solver;
    size_t types = (size_t)solver->types;

    BL_VEC_RESERVE(&beam->slack, types);
    memcpy(beam->slack.at, solver->slack, types * sizeof *beam->slack.at);
    add_state(beam, &(struct state){.before = -1});
}

/* The state with one move more. */
static void extend(struct beam *beam, int32_t from, const struct bl_solve_move *move)
{
    struct bl_solver *solver = beam->solver;
    const struct bl_solve_post *post = &solver->post.at[move->job];
    size_t types = (size_t)solver->types;
    int64_t *slack = &beam->slack.at[beam->states.count * types];

    memcpy(slack, slack_of(beam, (size_t)from), types * sizeof *slack);
    if (post->type >= 0) {
        slack[post->type] += post->gpus;
    }
    if (move->type >= 0) {
        slack[move->type] -= move->gpus;
    }
    add_state(beam, &(struct state){.loss = beam->states.at[from].loss + move->loss,
                                    .before = from,
                                    .move = (uint32_t)(move - solver->moves.at)});
}

/* How promising a state is: what it lost, and what it is off by, at the prices. */
static double promise(struct beam *beam, int32_t state)
{
    const int64_t *slack = slack_of(beam, (size_t)state);
    double promise = beam->states.at[state].loss;

    for (int32_t t = 0; t < beam->solver->types; t++) {
        promise += beam->price[t] * fabs((double)slack[t]);
    }
    return promise;
}

struct ranked {
    double promise;
    int32_t state;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left;
    const struct ranked *b = right;

    if (a->promise < b->promise || a->promise > b->promise) {
        return a->promise < b->promise ? -1 : 1;
    }
    return a->state < b->state ? -1 : a->state > b->state;
}

/* Leaves the `width` most promising states, in the order in which they came. */
static void narrow(struct beam *beam, size_t width)
{
    BL_AUTO_FREE struct ranked *ranked = bl_alloc_zero(beam->live.count * sizeof *ranked);
    struct ranked worst;
    size_t kept = 0;

    for (size_t i = 0; i < beam->live.count; i++) {
        ranked[i] =
            (struct ranked){.promise = promise(beam, beam->live.at[i]), .state = beam->live.at[i]};
    }
    bl_sort(ranked, beam->live.count, sizeof *ranked, compare_ranked);
    worst = ranked[width - 1];
    for (size_t i = 0; i < beam->live.count; i++) {
        struct ranked one = {promise(beam, beam->live.at[i]), beam->live.at[i]};

        if (compare_ranked(&one, &worst) <= 0) {
            beam->live.at[kept++] = beam->live.at[i];
        }
    }
    beam->solver->work += BEAM_STEP * (int64_t)beam->live.count;
    beam->live.count = kept;
    beam->is_cut = true;
}

/* Drops states that are dead, or of which nothing better than the best can come. */
static void sweep(struct beam *beam, double least)
{
    size_t kept = 0;

    for (size_t i = 0; i < beam->live.count; i++) {
        const struct state *state = &beam->states.at[beam->live.at[i]];

        if (!state->is_dead && state->loss + least < beam->gap &&
            !is_hopeless(beam, state->loss, slack_of(beam, (size_t)beam->live.at[i]))) {
            beam->live.at[kept++] = beam->live.at[i];
        }
    }
    beam->solver->work += SWEEP_STEP * (int64_t)beam->live.count;
    beam->live.count = kept;
}

static void run_item(struct beam *beam, size_t item)
{
    const struct bl_solve_move *move = moves_of(beam, item);
    size_t live = beam->live.count;

    beam->next = item + 1;
    for (size_t i = 0; i < live; i++) {
        int32_t from = beam->live.at[i];

        for (size_t k = 0; k < beam->items.at[item].count; k++) {
            if (beam->states.at[from].loss + move[k].loss >= beam->gap) {
                break;
            }
            if (beam->states.count + 1 >= STATES_MAX) {
                beam->is_cut = true;
                return;
            }
            extend(beam, from, &move[k]);
            beam->solver->work += BEAM_STEP;
        }
    }
}

static void search(struct beam *beam, int64_t work_max)
{
    int64_t stop = beam->solver->work + work_max;
    int64_t width = work_max / (int64_t)(BEAM_STEP * (beam->solver->moves.count + 1));

    width = width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width;
    for (size_t i = 0; i < beam->items.count; i++) {
        double least = moves_of(beam, i)->loss;

        sweep(beam, least);
        if (beam->live.count == 0) {
            return;
        }
        if (beam->live.count > 2 * (size_t)width) {
            narrow(beam, (size_t)width);
        }
        if (beam->solver->work > stop || beam->states.count + 1 >= STATES_MAX) {
            beam->is_cut = true;
            return;
        }
        run_item(beam, i);
    }
}

static void take_best(struct beam *beam)
{
    struct bl_solver *solver = beam->solver;

    if (beam->best < 0) {
        return;
    }
    for (int32_t at = beam->best; beam->states.at[at].before >= 0;
         at = beam->states.at[at].before) {
        bl_solve_apply(solver, &solver->moves.at[beam->states.at[at].move]);
    }
    bl_solve_crown(solver);
}

bool bl_solve_beam(struct bl_solver *solver, const double *price, double gap, int64_t work_max)
{
    struct beam beam = {
        .solver = solver, .price = price, .gap = gap, .best = -1, .slots = SLOTS_MIN};

    beam.slot = bl_alloc_zero(beam.slots * sizeof *beam.slot);
    BL_VEC_RESERVE(&beam.items, 1);
    make_items(&beam);
    sort_items(&beam);
    bl_solve_look_out(solver, price, beam.items.at, beam.items.count, &beam.outlook);
    add_start(&beam);
    search(&beam, work_max);
    take_best(&beam);
    free(beam.slot);
    bl_solve_outlook_finish(&beam.outlook);
    BL_VEC_FINISH(&beam.items);
    BL_VEC_FINISH(&beam.states);
    BL_VEC_FINISH(&beam.slack);
    BL_VEC_FINISH(&beam.live);
    return !beam.is_cut;
}
