#include "base/units.h"
#include "form/bookingspec.h"
#include "form/script_parts.h"
#include "form/tree_make.h"
#include "form/warning.h"

#include <string.h>
#include <strings.h>

enum { NICE_STANDARD = 100 };

/* Not acted on, and the job does the same without it. */
static int read_warned(struct bl_script_reader *reader, const char *value)
{
    (void)value;
    bl_script_warn(reader, "%s is not acted on by this version; the job runs without it",
                   reader->flag);
    return BL_OK;
}

/* It holds anyway, or concerns the submitting program alone. */
static int read_quiet(struct bl_script_reader *reader, const char *value)
{
    (void)reader;
    (void)value;
    return BL_OK;
}

/* Not acted on, and the job would not do the same without it. */
static int read_refused(struct bl_script_reader *reader, const char *value)
{
    (void)value;
    bl_script_fail(reader, "not supported by this version yet, and the job would not be the same "
                           "without it");
    return bl_error_set_hint(reader->err, "%s",
                             reader->row->detail ? reader->row->detail : "take the flag out");
}

static int read_account(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_JOB_ACCOUNT", value);
    bl_script_set(reader, "project", value);
    return BL_OK;
}

static int read_qos(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_JOB_QOS", value);
    return read_warned(reader, value);
}

static const char *find_word(const char *const *words, const char *word)
{
    for (; words && *words; words++) {
        if (!strcmp(*words, word)) {
            return *words;
        }
    }
    return NULL;
}

/* Partitions are pools where the daemon has pools of these names. */
static int read_partition(struct bl_script_reader *reader, const char *value)
{
    const char *found = NULL;

    bl_script_tell(reader, "SLURM_JOB_PARTITION", value);
    for (const char *at = value; *at;) {
        size_t length = strcspn(at, ",");
        const char *pool =
            find_word(reader->request->pools, bl_script_print(reader, "%.*s", (int)length, at));

        if (pool && found) {
            return bl_script_fail(reader, "expected one pool, found both %s and %s", found, pool);
        }
        found = pool ? pool : found;
        at += length + (at[length] == ',');
    }
    if (found) {
        bl_script_set(reader, "pool", found);
    } else {
        bl_script_warn(reader, "%s: there is no pool '%.100s'; the job may run on any node",
                       reader->flag, value);
    }
    return BL_OK;
}

/* Slurm counts minutes too; none is no limit. */
static int read_time(struct bl_script_reader *reader, const char *value)
{
    struct bl_error cause = {0};
    bl_time limit = 0;

    if (!strcasecmp(value, "unlimited") || !strcasecmp(value, "infinite")) {
        bl_script_set(reader, "limit", NULL);
        return BL_OK;
    }
    if (bl_span_parse(value, &limit, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    bl_script_set(reader, "limit", limit ? value : NULL);
    return BL_OK;
}

/* What stands in Slurm's patterns for the parts of a job that a script is not: it is node 0 and
 * task 0 of the step "batch". */
static const char *expand_letter(char letter)
{
    static const struct {
        char letter;
        const char *text;
    } rows[] = {{'n', "0"}, {'t', "0"}, {'s', "batch"}, {'J', "%j"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].letter == letter) {
            return rows[i].text;
        }
    }
    return NULL;
}

static int read_pattern(struct bl_script_reader *reader, const char *value)
{
    BL_AUTO_BUF pattern = {0};

    for (const char *at = value; *at;) {
        size_t digits = *at == '%' ? strspn(at + 1, "0123456789") : 0;
        const char *text = *at == '%' ? expand_letter(at[1 + digits]) : NULL;
        size_t length = *at == '%' && at[1 + digits] ? digits + 2 : 1;

        if (text) {
            bl_buf_append_text(&pattern, text);
        } else {
            bl_buf_append(&pattern, at, length);
        }
        at += length;
    }
    return bl_script_set_pattern(reader, bl_arena_copy_text(reader->arena, bl_buf_text(&pattern)));
}

static int read_open_mode(struct bl_script_reader *reader, const char *value)
{
    if (!strcmp(value, "truncate")) {
        bl_script_warn(reader, "--open-mode=truncate: logs are never truncated; the job appends");
        return BL_OK;
    }
    return strcmp(value, "append") != 0
               ? bl_script_fail(reader, "expected append or truncate, found '%.100s'", value)
               : BL_OK;
}

static int read_input(struct bl_script_reader *reader, const char *value)
{
    return strcmp(value, "/dev/null") != 0 ? read_refused(reader, value) : BL_OK;
}

/* The nicer, the later. */
static int read_nice(struct bl_script_reader *reader, const char *value)
{
    struct bl_error cause = {0};
    int64_t nice = NICE_STANDARD;

    if (value && bl_int_parse(value, -BL_JOB_PRIORITY_MAX, BL_JOB_PRIORITY_MAX, &nice, &cause)) {
        return bl_script_fail_cause(reader, &cause);
    }
    bl_script_set(reader, "priority", bl_script_print(reader, "%lld", (long long)-nice));
    return BL_OK;
}

static int read_signal(struct bl_script_reader *reader, const char *value)
{
    const char *text = !strncasecmp(value, "R:", 2) ? value + 2 : value;
    struct bl_warning warning = {0};
    struct bl_error cause = {0};

    if (bl_warning_parse(text, &warning, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    bl_script_set(reader, "signal", text);
    return BL_OK;
}

static int read_comment(struct bl_script_reader *reader, const char *value)
{
    bl_tree_put_text(reader->arena, reader->labels, "comment", value, reader->line);
    return BL_OK;
}

static int read_wrap(struct bl_script_reader *reader, const char *value)
{
    if (reader->request->bytes) {
        return bl_script_fail(reader, "expected a script or --wrap, found both");
    }
    reader->wrap = value;
    return BL_OK;
}

#define NOTHING BL_SCRIPT_TAKES_NOTHING
#define VALUE   BL_SCRIPT_TAKES_VALUE
#define MAYBE   BL_SCRIPT_TAKES_VALUE_MAYBE

/* Slurm's reservations have names; here they have ids. */
static int read_reservation(struct bl_script_reader *reader, const char *value)
{
    int64_t id = 0;
    int32_t occurrence = 0;

    return bl_booking_id_parse(value, &id, &occurrence) && !occurrence
               ? bl_script_read_key(reader, value)
               : read_warned(reader, value);
}

static const struct bl_script_flag flags[] = {
    {"account", 'A', VALUE, read_account, NULL},
    {"acctg-freq", 0, VALUE, read_warned, NULL},
    {"array", 'a', VALUE, bl_script_read_array, NULL},
    {"batch", 0, VALUE, read_refused, NULL},
    {"bb", 0, VALUE, read_refused, NULL},
    {"bbf", 0, VALUE, read_refused, NULL},
    {"begin", 'b', VALUE, bl_slurm_read_begin, NULL},
    {"chdir", 'D', VALUE, bl_script_read_chdir, NULL},
    {"cluster-constraint", 0, VALUE, read_warned, NULL},
    {"clusters", 'M', VALUE, read_warned, NULL},
    {"comment", 0, VALUE, read_comment, NULL},
    {"constraint", 'C', VALUE, read_refused, "for a type of GPU write #BALEEN --gpu-type A100"},
    {"container", 0, VALUE, read_refused, NULL},
    {"container-id", 0, VALUE, read_refused, NULL},
    {"contiguous", 0, NOTHING, read_warned, NULL},
    {"core-spec", 'S', VALUE, read_warned, NULL},
    {"cores-per-socket", 0, VALUE, read_warned, NULL},
    {"cpu-freq", 0, VALUE, read_warned, NULL},
    {"cpus-per-gpu", 0, VALUE, bl_slurm_read_cpus_per_gpu, NULL},
    {"cpus-per-task", 'c', VALUE, bl_slurm_read_cpus_per_task, NULL},
    {"deadline", 0, VALUE, read_refused, NULL},
    {"delay-boot", 0, VALUE, read_warned, NULL},
    {"dependency", 'd', VALUE, bl_slurm_read_dependency, NULL},
    {"distribution", 'm', VALUE, read_warned, NULL},
    {"error", 'e', VALUE, read_pattern, "error"},
    {"exclude", 'x', VALUE, read_refused, NULL},
    {"exclusive", 0, MAYBE, read_warned, NULL},
    {"export", 0, VALUE, bl_slurm_read_export, NULL},
    {"export-file", 0, VALUE, read_refused, NULL},
    {"extra", 0, VALUE, read_warned, NULL},
    {"extra-node-info", 'B', VALUE, read_warned, NULL},
    {"get-user-env", 0, MAYBE, read_warned, NULL},
    {"gid", 0, VALUE, read_refused, NULL},
    {"gpu-bind", 0, VALUE, read_warned, NULL},
    {"gpu-freq", 0, VALUE, read_warned, NULL},
    {"gpus", 'G', VALUE, bl_slurm_read_gpus, NULL},
    {"gpus-per-node", 0, VALUE, bl_slurm_read_gpus_per_node, NULL},
    {"gpus-per-socket", 0, VALUE, read_refused, NULL},
    {"gpus-per-task", 0, VALUE, bl_slurm_read_gpus_per_task, NULL},
    {"gres", 0, VALUE, bl_slurm_read_gres, NULL},
    {"gres-flags", 0, VALUE, read_warned, NULL},
    {"help", 'h', NOTHING, read_warned, NULL},
    {"hint", 0, VALUE, read_warned, NULL},
    {"hold", 'H', NOTHING, bl_script_read_fixed, "hold=yes"},
    {"ignore-pbs", 0, NOTHING, read_quiet, NULL},
    {"input", 'i', VALUE, read_input, NULL},
    {"job-name", 'J', VALUE, bl_script_read_key, "name"},
    {"kill-on-invalid-dep", 0, VALUE, read_warned, NULL},
    {"licenses", 'L', VALUE, read_refused, NULL},
    {"mail-type", 0, VALUE, read_warned, NULL},
    {"mail-user", 0, VALUE, read_warned, NULL},
    {"mcs-label", 0, VALUE, read_warned, NULL},
    {"mem", 0, VALUE, bl_slurm_read_mem, NULL},
    {"mem-bind", 0, VALUE, read_warned, NULL},
    {"mem-per-cpu", 0, VALUE, bl_slurm_read_mem_per_cpu, NULL},
    {"mem-per-gpu", 0, VALUE, bl_slurm_read_mem_per_gpu, NULL},
    {"mincpus", 0, VALUE, read_warned, NULL},
    {"network", 0, VALUE, read_warned, NULL},
    {"nice", 0, MAYBE, read_nice, NULL},
    {"no-kill", 'k', MAYBE, read_quiet, NULL},
    {"no-requeue", 0, NOTHING, bl_script_read_fixed, "requeue=no"},
    {"nodefile", 'F', VALUE, read_refused, NULL},
    {"nodelist", 'w', VALUE, read_refused, NULL},
    {"nodes", 'N', VALUE, bl_slurm_read_nodes, NULL},
    {"ntasks", 'n', VALUE, bl_slurm_read_ntasks, NULL},
    {"ntasks-per-core", 0, VALUE, read_warned, NULL},
    {"ntasks-per-gpu", 0, VALUE, read_refused, NULL},
    {"ntasks-per-node", 0, VALUE, bl_slurm_read_ntasks_per_node, NULL},
    {"ntasks-per-socket", 0, VALUE, read_warned, NULL},
    {"oom-kill-step", 0, MAYBE, read_warned, NULL},
    {"open-mode", 0, VALUE, read_open_mode, NULL},
    {"output", 'o', VALUE, read_pattern, "log"},
    {"overcommit", 'O', NOTHING, read_warned, NULL},
    {"oversubscribe", 's', NOTHING, read_warned, NULL},
    {"parsable", 0, NOTHING, bl_script_read_parsable, NULL},
    {"partition", 'p', VALUE, read_partition, NULL},
    {"power", 0, VALUE, read_warned, NULL},
    {"prefer", 0, VALUE, read_warned, NULL},
    {"priority", 0, VALUE, read_warned, NULL},
    {"profile", 0, VALUE, read_warned, NULL},
    {"propagate", 0, MAYBE, read_warned, NULL},
    {"qos", 'q', VALUE, read_qos, NULL},
    {"quiet", 'Q', NOTHING, read_quiet, NULL},
    {"reboot", 0, NOTHING, read_warned, NULL},
    {"requeue", 0, NOTHING, bl_script_read_fixed, "requeue=yes"},
    {"reservation", 0, VALUE, read_reservation, "reservation"},
    {"resv-ports", 0, MAYBE, read_warned, NULL},
    {"segment", 0, VALUE, read_warned, NULL},
    {"signal", 0, VALUE, read_signal, NULL},
    {"sockets-per-node", 0, VALUE, read_warned, NULL},
    {"spread-job", 0, NOTHING, read_warned, NULL},
    {"switches", 0, VALUE, read_warned, NULL},
    {"test-only", 0, NOTHING, bl_script_read_test_only, NULL},
    {"thread-spec", 0, VALUE, read_warned, NULL},
    {"threads-per-core", 0, VALUE, read_warned, NULL},
    {"time", 't', VALUE, read_time, NULL},
    {"time-min", 0, VALUE, read_warned, NULL},
    {"tmp", 0, VALUE, read_warned, NULL},
    {"tres-bind", 0, VALUE, read_warned, NULL},
    {"tres-per-task", 0, VALUE, read_refused, NULL},
    {"uid", 0, VALUE, read_refused, NULL},
    {"usage", 0, NOTHING, read_warned, NULL},
    {"use-min-nodes", 0, NOTHING, read_quiet, NULL},
    {"verbose", 'v', NOTHING, read_quiet, NULL},
    {"version", 'V', NOTHING, read_warned, NULL},
    {"wait", 'W', NOTHING, bl_script_read_wait, NULL},
    {"wait-all-nodes", 0, VALUE, read_quiet, NULL},
    {"wckey", 0, VALUE, read_warned, NULL},
    {"wrap", 0, VALUE, read_wrap, NULL},
    {NULL, 0, NOTHING, NULL, NULL},
};

const struct bl_script_flags bl_script_sbatch_flags = {flags, false};
