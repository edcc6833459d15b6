/* What no state of the machine can meet is refused at once, with the nearest that it can. */
#include "base/own.h"
#include "base/units.h"
#include "daemon/api.h"
#include "form/reason_text.h"

struct wish {
    const struct bl_job_spec *spec;
    struct bl_error *err;
};

static void append_words(struct bl_buf *out, char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(out, "%s%s", i ? ", " : "", words[i]);
    }
}

static int refuse(const struct wish *wish, const char *field, const char *text,
                  const struct bl_buf *hint)
{
    bl_fail(wish->err, BL_EREFUSED, "%s", text);
    bl_error_set_field(wish->err, field);
    return bl_error_set_hint(wish->err, "%s", bl_buf_text(hint));
}

static int refuse_gpus(const struct wish *wish, int64_t most)
{
    const struct bl_job_spec *spec = wish->spec;
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF hint = {0};

    bl_buf_printf(&text, "no state of this machine gives one job %d %sGPUs", spec->gpus_want,
                  spec->gpu_type_count || spec->gpu_mem_bytes || spec->pool ? "such " : "");
    if (spec->nodes_max > 0) {
        bl_buf_printf(&text, " on %d node%s", spec->nodes_max, spec->nodes_max == 1 ? "" : "s");
    }
    if (most > 0) {
        bl_buf_printf(&hint, "ask for at most %lld GPU%s", (long long)most, most == 1 ? "" : "s");
    } else {
        bl_buf_append_text(&hint, "there is none: ask for no GPU");
    }
    return refuse(wish, "resources.gpus", bl_buf_text(&text), &hint);
}

static int refuse_words(const struct wish *wish, const char *field, const char *text,
                        const struct bl_buf *words)
{
    BL_AUTO_BUF hint = {0};

    bl_buf_printf(&hint, "there are: %s", words->length ? bl_buf_text(words) : "none");
    return refuse(wish, field, text, &hint);
}

static int refuse_amount(const struct wish *wish, const char *field, const char *text, int64_t most)
{
    BL_AUTO_BUF hint = {0};

    bl_buf_append_text(&hint, "ask for at most ");
    bl_size_print(&hint, most);
    return refuse(wish, field, text, &hint);
}

static int refuse_cpus(const struct wish *wish, int64_t most_milli)
{
    BL_AUTO_BUF hint = {0};

    bl_buf_printf(&hint, "the largest suitable node has %g CPUs", (double)most_milli / 1000);
    return refuse(wish, "resources.cpus", "no state of this machine gives one job so many CPUs",
                  &hint);
}

int bl_api_check_fit(const struct bl_cluster *cluster, const struct bl_job_spec *spec,
                     struct bl_error *err)
{
    const struct wish found = {.spec = spec, .err = err};
    const struct wish *wish = &found;
    struct bl_misfit_report report = bl_place_check(cluster, spec);
    BL_AUTO_BUF words = {0};

    switch (report.kind) {
    case BL_MISFIT_NONE:
        return BL_OK;
    case BL_MISFIT_GPUS:
        return refuse_gpus(wish, report.most);
    case BL_MISFIT_GPU_TYPE:
        append_words(&words, cluster->type_name, cluster->type_count);
        return refuse_words(wish, "resources.gpu.type", "no node has GPUs of the wanted type",
                            &words);
    case BL_MISFIT_POOL:
        append_words(&words, cluster->pool_name, cluster->pool_count);
        return refuse_words(wish, "pool", "there is no such pool", &words);
    case BL_MISFIT_GPU_MEM:
        return refuse_amount(wish, "resources.gpu.mem", "no suitable GPU has so much memory",
                             report.most);
    case BL_MISFIT_CPU:
        return refuse_cpus(wish, report.most);
    case BL_MISFIT_MEM:
        return refuse_amount(wish, "resources.mem",
                             "no state of this machine gives one job so much memory", report.most);
    }
    return BL_OK;
}

int bl_api_check_slot(const struct bl_core *core, const struct bl_job_spec *spec,
                      struct bl_error *err)
{
    struct bl_reason reason = {.code = BL_REASON_NONE};
    BL_AUTO_BUF text = {0};

    if (spec->reservation) {
        reason = bl_slot_misfit_of(core, spec);
    }
    if (reason.code == BL_REASON_NONE) {
        return BL_OK;
    }
    if (reason.code == BL_REASON_RESERVATION_OVER) {
        bl_fail(err, BL_EREFUSED, "reservation: r%lld is over", (long long)spec->reservation);
        return bl_error_set_field(err, "reservation");
    }
    bl_reason_print(&text, &reason, NULL);
    bl_fail(err, BL_EREFUSED, "the job can never run: %s", bl_buf_text(&text));
    bl_error_set_hint(err, "change the job, or the reservation with baleen res set r%lld",
                      (long long)spec->reservation);
    return bl_error_set_field(err, reason.code == BL_REASON_SLOT_TOO_SMALL   ? "resources.gpus"
                                   : reason.code == BL_REASON_SLOT_TOO_SHORT ? "time.limit"
                                                                             : "reservation");
}
