/* The bounds of branch and bound at other prices than the best ones (Lagrangian relaxation, as in
 * the head of solve.h): once some jobs have chosen, the balance of the others is another. */
#include "core/solve_parts.h"

#include "base/own.h"

/* By what parts of itself the price of one type is lowered. */
static const double lowered[] = {0.5, 0.2, 0.1, -0.1, -0.25, -1};

enum { LOWERED = sizeof lowered / sizeof lowered[0], STEP = 4 /* bounds that an operation is */ };

static void list_views(const struct bl_solver *solver, const double *price,
                       struct bl_solve_outlook *out)
{
    for (int32_t t = 0; t < solver->types; t++) {
        for (int i = 0; i < LOWERED && price[t] > 0; i++) {
            out->view[out->count++] = (struct bl_solve_view){lowered[i] * price[t], t};
        }
    }
}

/* The most that one job can gain by a move at the view's prices. */
static double most_gained(const struct bl_solver *solver, const struct bl_solve_item *item,
                          const struct bl_solve_view *view)
{
    const struct bl_solve_move *move = &solver->moves.at[item->first];
    const struct bl_solve_post *post = &solver->post.at[move->job];
    int32_t before = post->type == view->type ? post->gpus : 0;
    double most = 0;

    for (size_t k = 0; k < item->count; k++) {
        int32_t after = move[k].type == view->type ? move[k].gpus : 0;
        double gained = view->lowered * (after - before) - move[k].loss;

        most = gained > most ? gained : most;
    }
    return most;
}

void bl_solve_look_out(struct bl_solver *solver, const double *price,
                       const struct bl_solve_item *items, size_t count,
                       struct bl_solve_outlook *out)
{
    *out = (struct bl_solve_outlook){0};
    list_views(solver, price, out);
    out->gained = bl_alloc_zero(((count + 1) * out->count + 1) * sizeof *out->gained);
    for (size_t item = count; item-- > 0;) {
        double *gained = out->gained + item * out->count;

        for (size_t i = 0; i < out->count; i++) {
            gained[i] = gained[out->count + i] + most_gained(solver, &items[item], &out->view[i]);
        }
    }
    solver->work += (int64_t)(solver->moves.count * out->count / STEP);
}

bool bl_solve_is_hopeless(const struct bl_solve_outlook *outlook, size_t next, double left,
                          const int64_t *slack)
{
    const double *gained = outlook->gained + next * outlook->count;

    for (size_t i = 0; i < outlook->count; i++) {
        const struct bl_solve_view *view = &outlook->view[i];

        if (view->lowered * (double)slack[view->type] - gained[i] >= left) {
            return true;
        }
    }
    return false;
}

void bl_solve_outlook_finish(struct bl_solve_outlook *outlook)
{
    free(outlook->gained);
}
