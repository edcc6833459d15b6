#include "bl_test.h"
#include "base/buf.h"
#include "daemon/booking_watch.h"

#define T0 (1000000 * BL_SECOND)

static struct bl_core *new_core(void)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);
    struct bl_event node = {.kind = BL_EVENT_NODE_ADDED,
                            .at = T0,
                            .u.node = {.name = "n1", .gpus = 4, .gpu_type = "A100"}};

    bl_core_step(core, &node, NULL);
    return core;
}

static struct bl_booking_spec spec_of(int64_t id, const struct bl_slot *slot, size_t count)
{
    return (struct bl_booking_spec){.id = id, .gpus = 1, .slot = slot, .slot_count = count};
}

static const struct bl_slot slots[] = {{T0 + BL_HOUR, T0 + 2 * BL_HOUR},
                                       {T0 + 3 * BL_HOUR, T0 + 4 * BL_HOUR},
                                       {T0 + 5 * BL_HOUR, T0 + 6 * BL_HOUR}};

static void book(struct bl_core *core, int64_t id, size_t count)
{
    struct bl_booking_spec spec = spec_of(id, slots, count);
    struct bl_event event = {.kind = BL_EVENT_RESERVED, .at = T0, .u.reserved = &spec};

    bl_core_step(core, &event, NULL);
}

static void cancel(struct bl_core *core, int64_t id, int32_t occurrence)
{
    struct bl_event event = {.kind = BL_EVENT_RESERVATION_CANCELLED,
                             .at = T0,
                             .u.unreserved = {.id = id, .occurrence = occurrence}};

    bl_core_step(core, &event, NULL);
}

/* "1.1 1.2 -1.3": changed and gone ones. */
static void check(struct bl_booking_watch *watch, const struct bl_core *core, const char *expected)
{
    BL_AUTO_BUF text = {0};

    bl_booking_watch_look(watch, core);
    for (size_t i = 0; i < watch->changes.count; i++) {
        const struct bl_booking_change *change = &watch->changes.at[i];

        bl_buf_printf(&text, "%s%s%lld.%d", i ? " " : "", change->is_gone ? "-" : "",
                      (long long)change->id, change->number);
    }
    assert_string_equal(bl_buf_text(&text), expected);
}

static void what_is_booked_and_cancelled_is_noticed_once(void **state)
{
    struct bl_core *core = new_core();
    struct bl_booking_watch watch = {0};

    (void)state;
    check(&watch, core, "");
    book(core, 1, 2);
    check(&watch, core, "1.1 1.2");
    assert_true(bl_booking_watch_has(&watch, 1));
    assert_false(bl_booking_watch_has(&watch, 2));
    check(&watch, core, "");
    cancel(core, 1, 2);
    check(&watch, core, "1.1 1.2");
    cancel(core, 1, 2);
    check(&watch, core, "");
    bl_booking_watch_finish(&watch);
    bl_core_destroy(core);
}

static void occurrences_that_an_edit_takes_away_are_gone(void **state)
{
    struct bl_core *core = new_core();
    struct bl_booking_watch watch = {0};
    struct bl_booking_spec spec = spec_of(1, slots, 1);
    struct bl_event event = {
        .kind = BL_EVENT_RESERVATION_CHANGED, .at = T0, .u.rebooked = {.spec = &spec, .first = 1}};

    (void)state;
    book(core, 1, 3);
    check(&watch, core, "1.1 1.2 1.3");
    bl_core_step(core, &event, NULL);
    check(&watch, core, "1.1 -1.2 -1.3");
    spec = spec_of(1, slots, 3);
    spec.number = (const int32_t[]){2, 3, 5};
    bl_core_step(core, &event, NULL);
    check(&watch, core, "-1.1 1.2 1.3 1.5");
    event.u.rebooked.first = 2;
    spec.slot_count = 2;
    spec.number = (const int32_t[]){2, 5};
    bl_core_step(core, &event, NULL);
    check(&watch, core, "1.2 -1.3 1.5");
    bl_booking_watch_finish(&watch);
    bl_core_destroy(core);
}

static void a_booking_that_left_memory_is_gone(void **state)
{
    struct bl_core *core = new_core();
    struct bl_booking_watch watch = {0};
    struct bl_event forget = {
        .kind = BL_EVENT_JOBS_FORGOTTEN, .at = T0 + BL_DAY, .u.forgotten.before = T0 + BL_DAY};

    (void)state;
    book(core, 1, 2);
    book(core, 2, 1);
    check(&watch, core, "1.1 1.2 2.1");
    cancel(core, 1, 0);
    check(&watch, core, "1.1 1.2");
    bl_core_step(core, &forget, NULL);
    check(&watch, core, "-1.1 -1.2");
    bl_booking_watch_finish(&watch);
    bl_core_destroy(core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_booked_and_cancelled_is_noticed_once),
        cmocka_unit_test(occurrences_that_an_edit_takes_away_are_gone),
        cmocka_unit_test(a_booking_that_left_memory_is_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
