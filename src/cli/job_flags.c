#include "cli/job_flags.h"

#include "base/arena.h"
#include "base/own.h"
#include "base/units.h"
#include "cli/when.h"
#include "cli/say.h"
#include "form/arrayspec.h"
#include "form/bookingspec.h"
#include "form/jobspec.h"
#include "form/warning.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_gpus(const char *value, struct bl_error *err)
{
    struct bl_gpu_counts gpus;

    return bl_gpus_parse(value, &gpus, err);
}

static int check_limit(const char *value, struct bl_error *err)
{
    bl_time limit;
    int status = bl_span_parse(value, &limit, err);

    if (!status && limit <= 0) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_TIME, BL_T(value));
    }
    return status;
}

bool bl_class_is_one(const char *word)
{
    static const char *const classes[] = {"interactive", "batch", "preemptible", NULL};

    for (size_t i = 0; classes[i]; i++) {
        if (!strcmp(classes[i], word)) {
            return true;
        }
    }
    return false;
}

static int check_class(const char *value, struct bl_error *err)
{
    return bl_class_is_one(value) ? BL_OK
                                  : BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_CLASS, BL_T(value));
}

static int check_nodes(const char *value, struct bl_error *err)
{
    int64_t nodes;

    return bl_int_parse(value, 1, INT32_MAX, &nodes, err);
}

static int check_size(const char *value, struct bl_error *err)
{
    int64_t bytes;

    return bl_size_parse(value, &bytes, err);
}

static int check_cpus(const char *value, struct bl_error *err)
{
    struct bl_amount amount;

    return bl_cpus_parse(value, &amount, err);
}

static int check_mem(const char *value, struct bl_error *err)
{
    struct bl_amount amount;

    return bl_mem_parse(value, &amount, err);
}

static int check_any(const char *value, struct bl_error *err)
{
    return *value ? BL_OK : bl_say_fail(err, BL_EINVAL, BL_SAY_E_VALUE, NULL);
}

static int check_array(const char *value, struct bl_error *err)
{
    struct bl_arena arena = {0};
    struct bl_arrayspec array;
    int status = bl_arrayspec_parse(value, &arena, &array, err);

    bl_arena_finish(&arena);
    return status;
}

static int check_priority(const char *value, struct bl_error *err)
{
    int64_t priority;

    return bl_int_parse(value, -1000000, 1000000, &priority, err);
}

static int check_retries(const char *value, struct bl_error *err)
{
    int64_t retries;

    return bl_int_parse(value, 0, 1000, &retries, err);
}

static int check_warning(const char *value, struct bl_error *err)
{
    struct bl_warning warning;

    return bl_warning_parse(value, &warning, err);
}

static int check_reservation(const char *value, struct bl_error *err)
{
    int64_t id = 0;
    int32_t occurrence = 0;

    if (bl_booking_id_parse(value, &id, &occurrence) && !occurrence) {
        return BL_OK;
    }
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_BOOKING_ID, BL_T(value));
    return bl_say_hint(err, BL_SAY_H_BOOKING_ID, NULL);
}

/* A flag that goes into the request as it was given, once it has been checked. */
struct given {
    int key;
    size_t offset;
    int (*check)(const char *value, struct bl_error *err);
};

static const struct given given_rows[] = {
    {BL_KEY_NAME, offsetof(struct bl_submit, name), check_any},
    {BL_KEY_TIME, offsetof(struct bl_submit, limit), check_limit},
    {BL_KEY_GPUS, offsetof(struct bl_submit, gpus), check_gpus},
    {BL_KEY_GPU_TYPE, offsetof(struct bl_submit, gpu_types), check_any},
    {BL_KEY_GPU_MEM, offsetof(struct bl_submit, gpu_mem), check_size},
    {BL_KEY_CPUS, offsetof(struct bl_submit, cpus), check_cpus},
    {BL_KEY_MEM, offsetof(struct bl_submit, mem), check_mem},
    {BL_KEY_NODES, offsetof(struct bl_submit, nodes), check_nodes},
    {BL_KEY_PROJECT, offsetof(struct bl_submit, project), check_any},
    {BL_KEY_CLASS, offsetof(struct bl_submit, job_class), check_class},
    {BL_KEY_LOG, offsetof(struct bl_submit, log), check_any},
    {BL_KEY_ARRAY, offsetof(struct bl_submit, array), check_array},
    {BL_KEY_PRIORITY, offsetof(struct bl_submit, priority), check_priority},
    {BL_KEY_RETRIES, offsetof(struct bl_submit, retries), check_retries},
    {BL_KEY_SIGNAL, offsetof(struct bl_submit, warning), check_warning},
    {BL_KEY_RESERVATION, offsetof(struct bl_submit, reservation), check_reservation},
};

static int set_given(struct bl_submit *submit, int key, const char *value, struct bl_error *err)
{
    for (size_t i = 0; i < sizeof given_rows / sizeof given_rows[0]; i++) {
        if (given_rows[i].key == key) {
            const char **place = (const char **)(void *)((char *)submit + given_rows[i].offset);
            int status = given_rows[i].check(value, err);

            *place = status ? *place : value;
            return status;
        }
    }
    return bl_say_fail(err, BL_EINVAL, BL_SAY_E_NO_SUCH_FLAG, NULL);
}

static int set_begin(struct bl_job_flags *flags, const char *value, struct bl_error *err)
{
    bl_time at = 0;
    int status = bl_when_parse(value, bl_clock_wall(), &at, err);

    if (!status) {
        bl_buf_clear(&flags->not_before);
        bl_when_print_iso(&flags->not_before, at);
        flags->submit.not_before = bl_buf_text(&flags->not_before);
    }
    return status;
}

int bl_job_flags_set(struct bl_job_flags *flags, int key, const char *value, struct bl_error *err)
{
    switch (key) {
    case BL_KEY_CHDIR:
        flags->chdir = value;
        return BL_OK;
    case BL_KEY_HOLD:
        flags->submit.hold = true;
        return BL_OK;
    case BL_KEY_PROMISE:
        flags->submit.promise = true;
        return BL_OK;
    case BL_KEY_REQUEUE:
    case BL_KEY_NO_REQUEUE:
        flags->submit.requeue = key == BL_KEY_REQUEUE ? "yes" : "no";
        return BL_OK;
    case BL_KEY_BEGIN:
        return set_begin(flags, value, err);
    case BL_KEY_AFTER:
        return bl_submit_add_after(&flags->submit, value, err);
    default:
        return set_given(&flags->submit, key, value, err);
    }
}

void bl_job_flags_finish(struct bl_job_flags *flags)
{
    bl_buf_finish(&flags->not_before);
    bl_submit_finish(&flags->submit);
}

bool bl_job_flags_any(const struct bl_job_flags *flags)
{
    const struct bl_submit *submit = &flags->submit;
    bool any = flags->chdir || submit->hold || submit->promise || submit->requeue ||
               submit->not_before || submit->after_count > 0;

    for (size_t i = 0; i < sizeof given_rows / sizeof given_rows[0]; i++) {
        any = any ||
              *(const char *const *)(const void *)((const char *)submit + given_rows[i].offset);
    }
    return any;
}

/* The daemon names a field of the request; the user knows the flag. */
static const char *flag_of(const char *field)
{
    static const char *const rows[][2] = {
        {"gpus", "--gpus"},        {"gpu", "--gpu-type"},      {"type", "--gpu-type"},
        {"cpus", "--cpus"},        {"mem", "--mem"},           {"nodes", "--nodes"},
        {"limit", "--time"},       {"after", "--after"},       {"name", "--name"},
        {"project", "--project"},  {"class", "--class"},       {"log", "--log"},
        {"workdir", "--chdir"},    {"command", "command"},     {"environment", "environment"},
        {"array", "--array"},      {"priority", "--priority"}, {"requeue", "--requeue"},
        {"retries", "--retries"},  {"checkpoint", "--signal"}, {"signal", "--signal"},
        {"not_before", "--begin"}, {"hold", "--hold"},         {"reservation", "--reservation"},
        {"promise", "--promise"},
    };
    const char *dot = strrchr(field, '.');
    const char *last = dot ? dot + 1 : field;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(last, rows[i][0])) {
            return rows[i][1];
        }
    }
    return NULL;
}

void bl_job_flags_name(struct bl_error *err)
{
    const char *flag = flag_of(err->field);

    if (flag) {
        bl_client_name_field(err, flag);
    }
}

int bl_job_flags_workdir(const struct bl_job_flags *flags, char **out, struct bl_error *err)
{
    const char *given = flags->chdir;
    BL_AUTO_FREE char *here = get_current_dir_name();

    if (given && given[0] == '/') {
        *out = bl_copy_text(given);
        return BL_OK;
    }
    if (!here) {
        return bl_fail_sys(err, "cannot tell the current directory");
    }
    if (given) {
        BL_AUTO_BUF path = {0};

        bl_buf_printf(&path, "%s/%s", here, given);
        *out = bl_buf_take(&path);
    } else {
        *out = BL_TAKE(here);
    }
    return BL_OK;
}

int bl_job_flags_resolve(struct bl_cli *cli, struct bl_job_flags *flags, struct bl_error *err)
{
    int64_t last = 0;
    int status = BL_OK;

    if (bl_submit_names_last(&flags->submit)) {
        status = bl_cli_last_job(cli, &last, err);
        if (!status) {
            bl_submit_resolve_last(&flags->submit, last);
        }
    }
    return status;
}
