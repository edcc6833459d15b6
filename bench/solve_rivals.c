#include "solve_rivals.h"

#include "base/vec.h"

#include <math.h>
#include <time.h>

#ifdef HAVE_CBC
#include <coin/Cbc_C_Interface.h>
#endif
#ifdef HAVE_GLPK
#include <glpk.h>
#endif

double bench_cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#if defined HAVE_CBC || defined HAVE_GLPK
/* Columns are useful options, each in a row of its job and one of its type; all figures are counted
 * from 0. */
struct model {
    BL_VEC(int) start; /* of each column; one more at the end */
    BL_VEC(int) row;
    BL_VEC(double) factor;
    BL_VEC(double) value;
    BL_VEC(double) limit; /* of each row */
};

static void add_column(struct model *model, size_t job, const struct bl_solve_option *option,
                       size_t jobs)
{
    BL_VEC_PUSH(&model->value, option->value);
    BL_VEC_PUSH(&model->row, (int)job);
    BL_VEC_PUSH(&model->factor, 1);
    BL_VEC_PUSH(&model->row, (int)jobs + option->type);
    BL_VEC_PUSH(&model->factor, option->gpus);
    BL_VEC_PUSH(&model->start, (int)model->row.count);
}

static struct model make_model(const struct bl_solve_problem *problem)
{
    struct model model = {0};

    BL_VEC_PUSH(&model.start, 0);
    for (size_t j = 0; j < problem->jobs; j++) {
        BL_VEC_PUSH(&model.limit, 1);
        for (size_t i = problem->first[j]; i < problem->first[j + 1]; i++) {
            const struct bl_solve_option *option = &problem->option[i];

            if (option->value > 0 && option->gpus <= problem->capacity[option->type]) {
                add_column(&model, j, option, problem->jobs);
            }
        }
    }
    for (int32_t t = 0; t < problem->types; t++) {
        BL_VEC_PUSH(&model.limit, (double)problem->capacity[t]);
    }
    return model;
}

static void free_model(struct model *model)
{
    BL_VEC_FINISH(&model->start);
    BL_VEC_FINISH(&model->row);
    BL_VEC_FINISH(&model->factor);
    BL_VEC_FINISH(&model->value);
    BL_VEC_FINISH(&model->limit);
}
#endif

#ifdef HAVE_CBC
static bool solve_cbc(const struct bl_solve_problem *problem, double seconds_max,
                      struct bench_rival_answer *out)
{
    struct model model = make_model(problem);
    int columns = (int)model.value.count;
    Cbc_Model *cbc = Cbc_newModel();
    double began;

    Cbc_setLogLevel(cbc, 0);
    Cbc_loadProblem(cbc, columns, (int)model.limit.count, model.start.at, model.row.at,
                    model.factor.at, NULL, NULL, model.value.at, NULL, model.limit.at);
    for (int c = 0; c < columns; c++) {
        Cbc_setColLower(cbc, c, 0);
        Cbc_setColUpper(cbc, c, 1);
        Cbc_setInteger(cbc, c);
    }
    Cbc_setObjSense(cbc, -1);
    Cbc_setMaximumSeconds(cbc, seconds_max);
    began = bench_cpu_seconds();
    Cbc_solve(cbc);
    out->seconds = bench_cpu_seconds() - began;
    out->value = Cbc_getObjValue(cbc);
    out->is_optimal = Cbc_isProvenOptimal(cbc) && out->seconds < seconds_max;
    Cbc_deleteModel(cbc);
    free_model(&model);
    return true;
}
#endif

#ifdef HAVE_GLPK
static glp_prob *fill_glpk(const struct model *model)
{
    glp_prob *glpk = glp_create_prob();
    int columns = (int)model->value.count;

    glp_set_obj_dir(glpk, GLP_MAX);
    glp_add_rows(glpk, (int)model->limit.count);
    glp_add_cols(glpk, columns);
    for (int r = 0; r < (int)model->limit.count; r++) {
        glp_set_row_bnds(glpk, r + 1, GLP_UP, 0, model->limit.at[r]);
    }
    for (int c = 0; c < columns; c++) {
        size_t pair = 2 * (size_t)c;
        int row[3] = {0, model->row.at[pair] + 1, model->row.at[pair + 1] + 1};
        double factor[3] = {0, model->factor.at[pair], model->factor.at[pair + 1]};

        glp_set_col_kind(glpk, c + 1, GLP_BV);
        glp_set_obj_coef(glpk, c + 1, model->value.at[c]);
        glp_set_mat_col(glpk, c + 1, 2, row, factor);
    }
    return glpk;
}

static bool solve_glpk(const struct bl_solve_problem *problem, double seconds_max,
                       struct bench_rival_answer *out)
{
    struct model model = make_model(problem);
    glp_prob *glpk = fill_glpk(&model);
    glp_iocp settings;
    double began;

    glp_init_iocp(&settings);
    settings.presolve = GLP_ON;
    settings.msg_lev = GLP_MSG_OFF;
    settings.tm_lim = (int)(seconds_max * 1000);
    glp_term_out(GLP_OFF);
    began = bench_cpu_seconds();
    out->is_optimal = glp_intopt(glpk, &settings) == 0 && glp_mip_status(glpk) == GLP_OPT;
    out->seconds = bench_cpu_seconds() - began;
    out->value = glp_mip_obj_val(glpk);
    glp_delete_prob(glpk);
    free_model(&model);
    return true;
}
#endif

const struct bench_rival bench_rivals[] = {
#ifdef HAVE_CBC
    {"CBC", solve_cbc},
#endif
#ifdef HAVE_GLPK
    {"GLPK", solve_glpk},
#endif
    {0},
};
