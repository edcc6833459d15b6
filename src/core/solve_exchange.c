#include "core/solve_parts.h"

#include "base/sort.h"

#include <math.h>

/* So many rows are looked at in pairs and in threes. */
enum { PAIRS_OF = 400, TRIPLES_OF = 72, SAME_MAX = 2, ROUNDS_MAX = 400 };

/* A gap in parts of the dual that no one would notice in large problems. */
static const double near_enough = 2e-6;
static const double warm_enough = 4e-6; /* the next change is near */

/* Moves that free the same GPUs of one type and take the same of another are alike but for their
 * price: only the cheapest of each kind matter (two of them, for they may be used together). */
struct row {
    double loss; /* as against what the job has now */
    double gain; /* in value */
    size_t job;
    size_t move;
    int32_t from, to; /* types, -1 = none */
    int32_t gives, takes;
};

struct table {
    BL_VEC(struct row) rows;
    uint32_t *slot; /* row + 1 of a kind's best; the second best stands at the next slot of it */
    size_t slots;   /* a power of two */
};

static bool is_same_kind(const struct row *a, const struct row *b)
{
    return a->from == b->from && a->to == b->to && a->gives == b->gives && a->takes == b->takes;
}

static size_t hash_kind(const struct row *row)
{
    uint64_t hash = ((uint64_t)(uint32_t)row->gives << 32 | (uint32_t)row->takes) *
                    UINT64_C(0x9e3779b97f4a7c15);

    hash ^= (uint64_t)(row->from + 1) << 5 | (uint64_t)(row->to + 1);
    hash *= UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)(hash ^ hash >> 29);
}

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;

    if (a->loss < b->loss || a->loss > b->loss) {
        return a->loss < b->loss ? -1 : 1;
    }
    return a->move < b->move ? -1 : a->move > b->move;
}

/* Enters a row unless SAME_MAX better ones of its kind, of other jobs, are there; then it takes the
 * place of a worse one. */
static void enter(struct table *table, struct row row)
{
    int same = 0;

    for (size_t at = hash_kind(&row) & (table->slots - 1);; at = (at + 1) & (table->slots - 1)) {
        struct row *other;

        if (!table->slot[at]) {
            BL_VEC_PUSH(&table->rows, row);
            table->slot[at] = (uint32_t)table->rows.count;
            return;
        }
        other = &table->rows.at[table->slot[at] - 1];
        if (is_same_kind(other, &row)) {
            if (compare_rows(&row, other) < 0) {
                struct row worse = *other;

                *other = row;
                row = worse;
            }
            if (row.job == other->job || ++same == SAME_MAX) {
                return;
            }
        }
    }
}

/* All moves as rows against what jobs have now, but for those that lose more than `gap`, all that
 * the choice lost and left unused: whatever goes with one of these, it ends worse than it began. */
static void tabulate(struct bl_solver *solver, double gap, struct table *table)
{
    double most = gap * (1 + 1e-9);

    table->rows.count = 0;
    memset(table->slot, 0, table->slots * sizeof *table->slot);
    for (size_t i = 0; i < solver->moves.count; i++) {
        const struct bl_solve_move *move = &solver->moves.at[i];
        const struct bl_solve_post *post = &solver->post.at[move->job];

        if (move->option != post->option && move->loss <= most) {
            enter(table, (struct row){.loss = move->loss - post->loss,
                                      .gain = move->value - post->value,
                                      .job = move->job,
                                      .move = i,
                                      .from = post->type,
                                      .to = move->type,
                                      .gives = post->type >= 0 ? post->gpus : 0,
                                      .takes = move->type >= 0 ? move->gpus : 0});
        }
    }
    solver->work += 2 * (int64_t)(solver->moves.count + table->rows.count);
}

/* Whether no type lacks GPUs when all of these are done. */
static bool is_possible(const struct bl_solver *solver, const struct row *const *row, int count)
{
    for (int i = 0; i < count; i++) {
        int64_t left = row[i]->to >= 0 ? solver->slack[row[i]->to] : 0;

        for (int k = 0; k < count && row[i]->to >= 0; k++) {
            left += row[k]->from == row[i]->to ? row[k]->gives : 0;
            left -= row[k]->to == row[i]->to ? row[k]->takes : 0;
        }
        if (left < 0) {
            return false;
        }
    }
    return true;
}

struct find {
    const struct row *row[3];
    int count;
    double gain;
};

static void offer(const struct bl_solver *solver, struct find *best, const struct row *const *row,
                  int count)
{
    double gain = 0;

    for (int i = 0; i < count; i++) {
        gain += row[i]->gain;
    }
    if (gain > best->gain && is_possible(solver, row, count)) {
        best->gain = gain;
        best->count = count;
        for (int i = 0; i < count; i++) {
            best->row[i] = row[i];
        }
    }
}

/* Rows are in no order yet: of those that gain as much the one of least loss is the best. */
static void find_single(struct bl_solver *solver, const struct table *table, struct find *best)
{
    for (size_t a = 0; a < table->rows.count; a++) {
        const struct row *row[1] = {&table->rows.at[a]};

        if (best->count && row[0]->gain >= best->gain && row[0]->gain <= best->gain) {
            bool is_first = compare_rows(row[0], best->row[0]) < 0;

            best->row[0] = is_first && is_possible(solver, row, 1) ? row[0] : best->row[0];
        } else {
            offer(solver, best, row, 1);
        }
    }
    solver->work += (int64_t)table->rows.count;
}

/* `unused` is what the GPUs that nobody has are worth: no exchange that loses more can gain. */
static void find_pair(struct bl_solver *solver, const struct table *table, double unused,
                      struct find *best)
{
    size_t count = table->rows.count < PAIRS_OF ? table->rows.count : PAIRS_OF;
    const struct row *rows = table->rows.at;

    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count && rows[a].loss + rows[b].loss < unused - best->gain;
             b++) {
            const struct row *row[2] = {&rows[a], &rows[b]};

            solver->work++;
            if (rows[a].job != rows[b].job) {
                offer(solver, best, row, 2);
            }
        }
    }
}

static void offer_triple(const struct bl_solver *solver, struct find *best,
                         const struct row *const row[3])
{
    if (row[0]->job != row[1]->job && row[0]->job != row[2]->job && row[1]->job != row[2]->job) {
        offer(solver, best, row, 3);
    }
}

static void find_triple(struct bl_solver *solver, const struct table *table, double unused,
                        struct find *best)
{
    size_t count = table->rows.count < TRIPLES_OF ? table->rows.count : TRIPLES_OF;
    const struct row *rows = table->rows.at;

    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count && rows[a].loss + 2 * rows[b].loss < unused; b++) {
            double limit = unused - rows[a].loss - rows[b].loss;

            for (size_t c = b + 1; c < count && rows[c].loss < limit - best->gain; c++) {
                const struct row *row[3] = {&rows[a], &rows[b], &rows[c]};

                solver->work += 2;
                offer_triple(solver, best, row);
            }
        }
    }
}

static double worth_of_slack(const struct bl_solver *solver, const double *price)
{
    double worth = 0;

    for (int32_t t = 0; t < solver->types; t++) {
        worth += price[t] * (double)solver->slack[t];
    }
    return worth;
}

/* Sorts the rows, best first, without those that lose more than any exchange that `unused` pays
 * for, whatever goes with them. */
static void sort_rows(struct table *table, double unused)
{
    double least = 0;
    double most;
    size_t kept = 0;

    for (size_t i = 0; i < table->rows.count; i++) {
        least = table->rows.at[i].loss < least ? table->rows.at[i].loss : least;
    }
    most = unused - 2 * least + 1e-9 * (fabs(unused) + fabs(least));
    for (size_t i = 0; i < table->rows.count; i++) {
        if (table->rows.at[i].loss <= most) {
            table->rows.at[kept++] = table->rows.at[i];
        }
    }
    table->rows.count = kept;
    bl_sort(table->rows.at, kept, sizeof *table->rows.at, compare_rows);
}

/* What the choice lost, and with it what the GPUs that nobody has are worth. */
static double gap_of(const struct bl_solver *solver, double unused)
{
    double gap = unused;

    for (size_t j = 0; j < solver->jobs; j++) {
        gap += solver->post.at[j].loss;
    }
    return gap;
}

/* One exchange, the best of the least size that gains anything. */
static bool exchange_once(struct bl_solver *solver, double gap, double unused, struct table *table)
{
    double least = 1e-13 * (fabs(solver->best.dual) + 1e-290);
    struct find best = {.gain = least};

    tabulate(solver, gap, table);
    find_single(solver, table, &best);
    if (!best.count) {
        sort_rows(table, unused);
        find_pair(solver, table, unused, &best);
    }
    if (!best.count) {
        find_triple(solver, table, unused, &best);
    }
    for (int i = 0; i < best.count; i++) {
        bl_solve_apply(solver, &solver->moves.at[best.row[i]->move]);
    }
    return best.count > 0;
}

void bl_solve_exchange(struct bl_solver *solver, const double *price, int64_t work_max)
{
    struct table table = {.slots = 64};
    int64_t stop = solver->work + work_max;
    double enough = 0;

    if (bl_solve_is_large(solver)) {
        enough = (solver->is_warm ? warm_enough : near_enough) * fabs(solver->best.dual);
    }
    while (table.slots < 2 * solver->moves.count) {
        table.slots *= 2;
    }
    table.slot = bl_alloc_zero(table.slots * sizeof *table.slot);
    for (int round = 0; round < ROUNDS_MAX && solver->work < stop; round++) {
        double unused = worth_of_slack(solver, price);
        double gap = gap_of(solver, unused);

        if (gap <= enough || !exchange_once(solver, gap, unused, &table)) {
            break;
        }
    }
    free(table.slot);
    BL_VEC_FINISH(&table.rows);
}
