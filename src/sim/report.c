#include "sim/report.h"

#include "form/json_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Money is a decimal string, exact. */
static void put_money(struct bl_json *json, const char *key, int64_t micros)
{
    BL_AUTO_BUF text = {0};

    bl_seconds_print(&text, micros);
    bl_json_put_text(json, key, bl_buf_text(&text));
}

static void put_times(struct bl_json *json, const struct bl_figures *figures)
{
    bl_json_put_int(json, "jobs", figures->jobs);
    bl_json_put_int(json, "done", figures->done);
    bl_json_put_double(json, "avg_jct_s", figures->avg_jct_s);
    bl_json_put_double(json, "p50_jct_s", figures->p50_jct_s);
    bl_json_put_double(json, "p99_jct_s", figures->p99_jct_s);
    bl_json_put_double(json, "makespan_s", figures->makespan_s);
    bl_json_put_double(json, "avg_wait_s", figures->avg_wait_s);
    bl_json_put_double(json, "p99_wait_s", figures->p99_wait_s);
    bl_json_put_double(json, "max_wait_s", figures->max_wait_s);
    bl_json_put_double(json, "avg_bounded_slowdown", figures->avg_bounded_slowdown);
    bl_json_put_double(json, "throughput_jobs_h", figures->throughput_jobs_h);
}

static void put_machine(struct bl_json *json, const struct bl_figures *figures)
{
    bl_json_put_double(json, "gpu_utilization", figures->gpu_utilization);
    bl_json_put_double(json, "fragmentation", figures->fragmentation);
    bl_json_put_double(json, "unallocated_ratio", figures->unallocated_ratio);
    bl_json_put_double(json, "gpu_hours", figures->gpu_hours);
    bl_json_put_double(json, "reservation_idle_gpu_h", figures->reservation_idle_gpu_s / 3600);
    put_money(json, "cost", figures->cost_micros);
    bl_json_put_int(json, "restarts", figures->restarts);
    bl_json_put_int(json, "preemptions", figures->preemptions);
    bl_json_put_double(json, "fairness_drf_min_max", figures->fairness_drf_min_max);
    bl_json_put_double(json, "fairness_jain", figures->fairness_jain);
    bl_json_put_double(json, "worst_ftf_rho", figures->worst_ftf_rho);
    bl_json_put_null(json, "deadline_met_ratio");
}

static void put_eta(struct bl_json *json, const struct bl_sim_eta_figures *eta)
{
    bl_json_put_int(json, "eta_jobs", eta->jobs);
    bl_json_put_double(json, "eta_median_error_s", eta->median_error_s);
    bl_json_put_double(json, "eta_mae_s", eta->mae_s);
    bl_json_put_double(json, "eta_bias_s", eta->bias_s);
    bl_json_put_double(json, "eta_coverage", eta->coverage);
    bl_json_key(json, "eta_coverage_of_tenths");
    bl_json_open_array(json);
    for (int i = 0; i < BL_SIM_ETA_TENTHS; i++) {
        bl_json_double(json, eta->coverage_of[i]);
    }
    bl_json_close_array(json);
    bl_json_put_double(json, "eta_pinball_s", eta->pinball_s);
    bl_json_put_double(json, "pred_accuracy", eta->pred_accuracy);
    bl_json_put_double(json, "pred_mae_s", eta->pred_mae_s);
    bl_json_put_double(json, "pred_coverage", eta->pred_coverage);
}

static void put_row(struct bl_json *json, const struct bl_sim_row *row)
{
    const struct bl_sim_result *result = &row->result;

    bl_json_open_object(json);
    bl_json_put_text(json, "policy", row->policy);
    put_times(json, &result->figures);
    put_machine(json, &result->figures);
    bl_json_put_int(json, "rounds", result->figures.rounds);
    bl_json_put_seconds(json, "round_p50_s", result->round_p50);
    bl_json_put_seconds(json, "round_p99_s", result->round_p99);
    bl_json_put_null(json, "max_gap");
    bl_json_put_int(json, "events", result->events);
    bl_json_put_seconds(json, "wall_s", result->wall);
    bl_json_put_seconds(json, "cpu_s", result->cpu);
    if (result->has_eta) {
        put_eta(json, &result->eta);
    }
    if (result->figures.promises > 0) {
        bl_json_put_int(json, "promises_broken", result->figures.promises_broken);
    }
    if (result->has_bound) {
        bl_json_put_double(json, "bound_avg_jct_s", result->bound_s);
    }
    bl_json_close_object(json);
}

void bl_sim_print_json(struct bl_buf *out, const struct bl_sim_row *rows, size_t count)
{
    struct bl_json json;

    bl_json_init(&json, out);
    if (count != 1) {
        bl_json_open_array(&json);
    }
    for (size_t i = 0; i < count; i++) {
        put_row(&json, &rows[i]);
    }
    if (count != 1) {
        bl_json_close_array(&json);
    }
    bl_buf_append_char(out, '\n');
}

enum { CELL_MAX = 32 };

struct column {
    const char *title;
    void (*print)(char cell[CELL_MAX], const struct bl_sim_result *result);
};

/* "12,345.67" */
static void print_grouped(char cell[CELL_MAX], double value, int decimals)
{
    char plain[CELL_MAX];
    size_t digits;
    size_t at = 0;

    if (!isfinite(value) || fabs(value) >= 1e15) {
        snprintf(cell, CELL_MAX, "%s", isfinite(value) ? "large" : "-");
        return;
    }
    snprintf(plain, sizeof plain, "%.*f", decimals, value);
    digits = strspn(plain, "0123456789");
    for (size_t i = 0; plain[i] && at + 2 < CELL_MAX; i++) {
        if (i > 0 && i < digits && (digits - i) % 3 == 0) {
            cell[at++] = ',';
        }
        cell[at++] = plain[i];
    }
    cell[at] = '\0';
}

static void print_jobs(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, (double)result->figures.jobs, 0);
}

static void print_done(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, (double)result->figures.done, 0);
}

static void print_avg_jct(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, result->figures.avg_jct_s, 0);
}

static void print_avg_wait(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, result->figures.avg_wait_s, 0);
}

static void print_p99_wait(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, result->figures.p99_wait_s, 0);
}

static void print_max_wait(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, result->figures.max_wait_s, 0);
}

static void print_slowdown(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, result->figures.avg_bounded_slowdown, 2);
}

static void print_makespan(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, result->figures.makespan_s, 0);
}

static void print_utilization(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, 100 * result->figures.gpu_utilization, 1);
}

static void print_cpu(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, (double)result->cpu / BL_SECOND, 3);
}

/* Rounded down: what is printed is a bound as well. */
static void print_bound(char cell[CELL_MAX], const struct bl_sim_result *result)
{
    print_grouped(cell, floor(result->bound_s), 0);
}

static const struct column columns[] = {
    {"jobs", print_jobs},
    {"done", print_done},
    {"mean JCT s", print_avg_jct},
    {"mean wait s", print_avg_wait},
    {"p99 wait s", print_p99_wait},
    {"max wait s", print_max_wait},
    {"slowdown", print_slowdown},
    {"makespan s", print_makespan},
    {"GPU use %", print_utilization},
    {"CPU s", print_cpu},
    {"bound JCT s", print_bound}, /* the last: only where it was asked for */
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static size_t count_columns(const struct bl_sim_row *rows, size_t count)
{
    return count > 0 && rows[0].result.has_bound ? COLUMNS : COLUMNS - 1;
}

static void measure(const struct bl_sim_row *rows, size_t count, int width[COLUMNS],
                    int *policy_width)
{
    char cell[CELL_MAX];

    *policy_width = (int)strlen("policy");
    for (size_t row = 0; row < count; row++) {
        int length = (int)strlen(rows[row].policy);

        *policy_width = length > *policy_width ? length : *policy_width;
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        width[i] = (int)strlen(columns[i].title);
        for (size_t row = 0; row < count; row++) {
            columns[i].print(cell, &rows[row].result);
            width[i] = (int)strlen(cell) > width[i] ? (int)strlen(cell) : width[i];
        }
    }
}

void bl_sim_print_table(struct bl_buf *out, const struct bl_sim_row *rows, size_t count)
{
    int width[COLUMNS];
    int policy_width;
    size_t column_count = count_columns(rows, count);
    char cell[CELL_MAX];

    measure(rows, count, width, &policy_width);
    bl_buf_printf(out, "%-*s", policy_width, "policy");
    for (size_t i = 0; i < column_count; i++) {
        bl_buf_printf(out, "  %*s", width[i], columns[i].title);
    }
    bl_buf_append_char(out, '\n');
    for (size_t row = 0; row < count; row++) {
        bl_buf_printf(out, "%-*s", policy_width, rows[row].policy);
        for (size_t i = 0; i < column_count; i++) {
            columns[i].print(cell, &rows[row].result);
            bl_buf_printf(out, "  %*s", width[i], cell);
        }
        bl_buf_append_char(out, '\n');
    }
}
