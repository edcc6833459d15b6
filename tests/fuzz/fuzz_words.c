/* Every text that a flag or a field can hold: times, sizes, counts, names, policies. */
#include "fuzz.h"

#include "base/own.h"
#include "base/span.h"
#include "base/units.h"
#include "form/bookingspec.h"
#include "form/clusterspec.h"
#include "form/hostlist.h"
#include "form/instant.h"
#include "form/jobspec.h"
#include "form/policyspec.h"
#include "form/warning.h"

#include <string.h>

enum { NAMES_MAX = 4096 };

static void read_time_and_back(const char *text)
{
    BL_AUTO_BUF printed = {0};
    struct bl_error err = {0};
    bl_time span = 0;
    bl_time again = -1;
    int status = bl_span_parse(text, &span, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        assert(span >= 0 && span <= BL_SPAN_MAX);
        bl_span_print(&printed, span);
        assert(bl_span_parse(bl_buf_text(&printed), &again, NULL) == BL_OK && again == span);
    }
}

static void read_numbers(const char *text)
{
    struct bl_error err = {0};
    int64_t value = 0;
    int status = bl_int_parse(text, -1000, 1000, &value, &err);

    check_refusal(status, &err);
    assert(value >= -1000 && value <= 1000);
    status = bl_scaled_parse(text, 1000, &value, &err);
    check_refusal(status, &err);
    status = bl_size_parse(text, &value, &err);
    check_refusal(status, &err);
    if (status == BL_OK) {
        BL_AUTO_BUF printed = {0};

        bl_size_print(&printed, value);
        assert(printed.length > 1);
    }
}

static void read_policy_and_back(const char *text)
{
    BL_AUTO_BUF printed = {0};
    struct bl_error err = {0};
    struct bl_policy_choice choice = {0};
    struct bl_policy_choice again = {0};
    int status = bl_policyspec_parse(text, &choice, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        bl_policyspec_print(&printed, &choice);
        assert(bl_policyspec_parse(bl_buf_text(&printed), &again, NULL) == BL_OK);
        assert(again.policy == choice.policy &&
               memcmp(again.value, choice.value, sizeof again.value) == 0);
    }
}

static void read_job_words(const char *text, struct bl_arena *arena)
{
    struct bl_error err = {0};
    struct bl_amount amount = {0};
    struct bl_jobspec_after after = {0};
    struct bl_gpu_counts gpus = {0};
    struct bl_curve curve = {0};

    check_refusal(bl_gpus_parse(text, &gpus, &err), &err);
    assert(gpus.min >= 0 && gpus.min <= gpus.max && gpus.count <= BL_JOB_COUNTS_MAX);
    check_refusal(bl_scaling_parse(text, arena, &curve, &err), &err);
    assert(curve.point_count <= BL_CURVE_POINTS_MAX);
    check_refusal(bl_cpus_parse(text, &amount, &err), &err);
    check_refusal(bl_mem_parse(text, &amount, &err), &err);
    assert(amount.value >= 0);
    check_refusal(bl_after_parse(text, arena, &after, &err), &err);
}

static void read_start_words(const char *text)
{
    struct bl_error err = {0};
    struct bl_warning warning = {0};
    struct bl_instant instant = {0};
    bl_time at = 0;
    int status = bl_warning_parse(text, &warning, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        assert(bl_signal_name(warning.signal) && warning.lead > 0);
    }
    status = bl_instant_parse(text, &instant, &err);
    check_refusal(status, &err);
    if (status == BL_OK) {
        assert(bl_instant_resolve(&instant, BL_DAY, &bl_zone_utc, &at, &err) == BL_OK);
        assert(at >= 0);
    }
}

static void read_node_words(const char *text, struct bl_arena *arena)
{
    struct bl_error err = {0};
    struct bl_node_spec node = {0};
    struct bl_hostlist names = {0};

    check_refusal(bl_declared_parse(text, 1, arena, &node, &err), &err);
    assert(node.gpus >= 0 && node.cpu_milli >= 0 && node.mem_bytes >= 0);
    check_refusal(bl_hostlist_expand(text, NAMES_MAX, arena, &names, &err), &err);
    assert(names.count <= NAMES_MAX);
}

static void read_booking_words(const char *text, struct bl_arena *arena)
{
    struct bl_error err = {0};
    const struct bl_booking_place *on = NULL;
    size_t count = 0;
    int64_t id = 0;
    int32_t occurrence = 0;

    check_refusal(bl_booking_places_read(text, arena, &on, &count, &err), &err);
    assert(count <= BL_BOOKING_ON_MAX);
    if (bl_booking_id_parse(text, &id, &occurrence)) {
        assert(id > 0 && occurrence >= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct bl_arena arena = {0};
    BL_AUTO_FREE char *text = bl_alloc_zero(length + 1);

    if (length) {
        memcpy(text, bytes, length);
    }
    read_time_and_back(text);
    read_numbers(text);
    read_policy_and_back(text);
    read_job_words(text, &arena);
    read_start_words(text);
    read_node_words(text, &arena);
    read_booking_words(text, &arena);
    bl_arena_finish(&arena);
    return 0;
}
