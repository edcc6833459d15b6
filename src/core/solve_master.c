/* The dual of the master: weights w of the cuts, and for each type the amounts p, q by which its
 * price is pushed against the box's lower and upper side:
 *     maximise   sum a_i w_i + sum low_t p_t - high_t q_t
 *     such that  sum w_i = 1,  sum g_it w_i - p_t + q_t = 0 for each type t,  all >= 0
 * with g_it = room - use. Rows are few, so that the whole tableau is kept (Dantzig 1963); any
 * single cut is a feasible start, and a price is what the column p_t is short of its side. */
#include "core/solve_parts.h"

#include <math.h>

enum {
    ROWS_MAX = BL_SOLVE_TYPES_MAX + 1,
    COLUMNS_MAX = BL_SOLVE_CUTS_MAX + 2 * BL_SOLVE_TYPES_MAX,
    PIVOTS_MAX = 400,
    PIVOTS_BOLD = 200 /* then Bland's rule (1977), which cannot go round in circles */
};

static const double tiny = 1e-11;

struct tableau {
    int32_t rows, columns;
    double cell[ROWS_MAX][COLUMNS_MAX + 1]; /* the last one is the right side */
    double gain[COLUMNS_MAX + 1];           /* reduced costs; the last is minus the value */
    int32_t basis[ROWS_MAX];
    double size; /* prices are counted in size / room */
};

static double room_of(const struct bl_solver *solver, int32_t type)
{
    return solver->room[type] > 0 ? (double)solver->room[type] : 1;
}

static double push_of(const struct bl_solver *solver, const struct bl_solve_cut *cut, int32_t type)
{
    return solver->room[type] > 0 ? 1 - cut->use[type] / (double)solver->room[type] : 0;
}

/* Columns: cuts, then p of each type, then q. Scaled, so that figures are about 1. */
static void fill(const struct bl_solver *solver, const struct bl_solve_box *box,
                 struct tableau *tableau)
{
    int32_t cuts = (int32_t)solver->cut_count;
    int32_t types = solver->types;

    for (int32_t r = 0; r < tableau->rows; r++) {
        memset(tableau->cell[r], 0, (size_t)(tableau->columns + 1) * sizeof tableau->cell[r][0]);
    }
    tableau->gain[tableau->columns] = 0;
    for (int32_t i = 0; i < cuts; i++) {
        tableau->gain[i] = solver->cut[i].value / tableau->size;
        tableau->cell[0][i] = 1;
        for (int32_t t = 0; t < types; t++) {
            tableau->cell[t + 1][i] = push_of(solver, &solver->cut[i], t);
        }
    }
    for (int32_t t = 0; t < types; t++) {
        double unit = tableau->size / room_of(solver, t);

        tableau->gain[cuts + t] = box->low[t] / unit;
        tableau->gain[cuts + types + t] = -box->high[t] / unit;
        tableau->cell[t + 1][cuts + t] = -1;
        tableau->cell[t + 1][cuts + types + t] = 1;
    }
    tableau->cell[0][tableau->columns] = 1;
}

static void pivot(struct tableau *tableau, int32_t row, int32_t column)
{
    double *at = tableau->cell[row];
    double factor = 1 / at[column];

    for (int32_t c = 0; c <= tableau->columns; c++) {
        at[c] *= factor;
    }
    for (int32_t r = 0; r < tableau->rows; r++) {
        double times = tableau->cell[r][column];

        if (r != row && (times > 0 || times < 0)) {
            for (int32_t c = 0; c <= tableau->columns; c++) {
                tableau->cell[r][c] -= times * at[c];
            }
            tableau->cell[r][column] = 0;
        }
    }
    factor = tableau->gain[column];
    for (int32_t c = 0; c <= tableau->columns; c++) {
        tableau->gain[c] -= factor * at[c];
    }
    tableau->gain[column] = 0;
    tableau->basis[row] = column;
}

/* The cut that is highest at the best point has all the weight; each type's row is balanced by the
 * side that the cut pushes to. */
static void begin(const struct bl_solver *solver, struct tableau *tableau)
{
    int32_t cuts = (int32_t)solver->cut_count;
    int32_t top = 0;
    double highest = -HUGE_VAL;

    for (int32_t i = 0; i < cuts; i++) {
        double value = bl_solve_dual_of(solver, &solver->cut[i], solver->best.price);

        if (value > highest) {
            highest = value;
            top = i;
        }
    }
    pivot(tableau, 0, top);
    for (int32_t t = 0; t < solver->types; t++) {
        bool is_high = tableau->cell[t + 1][tableau->columns] >= 0;

        pivot(tableau, t + 1, cuts + t + (is_high ? solver->types : 0));
    }
}

static int32_t entering(const struct tableau *tableau, bool is_bold)
{
    int32_t chosen = -1;
    double most = tiny;

    for (int32_t c = 0; c < tableau->columns; c++) {
        if (tableau->gain[c] > most) {
            chosen = c;
            most = tableau->gain[c];
            if (!is_bold) {
                break;
            }
        }
    }
    return chosen;
}

static int32_t leaving(const struct tableau *tableau, int32_t column)
{
    int32_t chosen = -1;
    double least = HUGE_VAL;

    for (int32_t r = 0; r < tableau->rows; r++) {
        if (tableau->cell[r][column] > tiny) {
            double ratio = tableau->cell[r][tableau->columns] / tableau->cell[r][column];

            if (ratio < least || (ratio <= least && tableau->basis[r] < tableau->basis[chosen])) {
                least = ratio;
                chosen = r;
            }
        }
    }
    return chosen;
}

double bl_solve_master(const struct bl_solver *solver, const struct bl_solve_box *box,
                       double *price)
{
    struct tableau tableau; /* large: only what is used is filled */
    int32_t sides = (int32_t)solver->cut_count;

    tableau.rows = solver->types + 1;
    tableau.columns = sides + 2 * solver->types;
    tableau.size = fabs(solver->best.dual) + 1e-290;
    fill(solver, box, &tableau);
    begin(solver, &tableau);
    for (int pivots = 0; pivots < PIVOTS_MAX; pivots++) {
        int32_t column = entering(&tableau, pivots < PIVOTS_BOLD);
        int32_t row = column < 0 ? -1 : leaving(&tableau, column);

        if (row < 0) {
            break;
        }
        pivot(&tableau, row, column);
    }
    for (int32_t t = 0; t < solver->types; t++) {
        double unit = tableau.size / room_of(solver, t);

        price[t] =
            fmin(box->high[t], fmax(box->low[t], box->low[t] - tableau.gain[sides + t] * unit));
    }
    return -tableau.gain[tableau.columns] * tableau.size;
}
