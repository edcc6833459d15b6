#include "daemon/series_keeper.h"

#include "base/own.h"
#include "daemon/booking_make.h"
#include "os/log.h"
#include "os/loop.h"

#define EVERY BL_HOUR
#define SOON  BL_MINUTE

struct bl_series_keeper {
    struct bl_driver *driver;
    const struct bl_zone_keeper *zones;
    struct bl_watch *timer;
};

/* An extension on its way to the disk. */
struct extension {
    const struct bl_driver *driver;
    int64_t id;
};

/* What is in the way today may be gone tomorrow. */
static void on_done(void *self, bool is_accepted)
{
    struct extension *extension = self;

    if (is_accepted &&
        !bl_booking_watch_has(&bl_driver_ledger(extension->driver)->bookings, extension->id)) {
        bl_log(BL_LOG_WARNING, "the series r%lld cannot be booked further ahead now",
               (long long)extension->id);
    }
    free(extension);
}

static void ask(const struct bl_series_keeper *keeper, const struct bl_booking_wish *wish)
{
    struct bl_event event = {.kind = BL_EVENT_RESERVATION_CHANGED, .u.rebooked = *wish};
    struct extension *extension = bl_alloc_zero(sizeof *extension);

    *extension = (struct extension){keeper->driver, wish->spec->id};
    bl_driver_ask(keeper->driver, &event,
                  (struct bl_completion){.self = extension, .call = on_done});
}

static void extend(const struct bl_series_keeper *keeper, const struct bl_booking *booking)
{
    struct bl_arena arena = {0};
    struct bl_error err = {0};
    struct bl_booking_maker maker = {.core = bl_driver_ledger(keeper->driver)->core,
                                     .now = bl_driver_now(keeper->driver),
                                     .arena = &arena,
                                     .err = &err};
    struct bl_booking_spec spec;
    struct bl_booking_wish wish;
    bool is_more = false;

    if (bl_booking_extend(&maker, booking, &spec, &wish, &is_more) != BL_OK) {
        bl_log(BL_LOG_WARNING, "the series r%lld: %s", (long long)booking->spec.id, err.text);
    } else if (is_more) {
        ask(keeper, &wish);
    }
    bl_arena_finish(&arena);
}

static bool must_wait(const struct bl_series_keeper *keeper, const struct bl_booking *booking)
{
    return keeper->zones && booking->spec.rule && booking->spec.zone &&
           !bl_zone_keeper_is_current(keeper->zones, booking->spec.zone);
}

static void on_timer(void *self)
{
    const struct bl_series_keeper *keeper = self;
    const struct bl_booking *booking;
    bool has_waiting = false;
    size_t cursor = 0;

    if (bl_driver_check(keeper->driver, NULL) == BL_OK) {
        while ((booking = bl_core_next_booking(bl_driver_ledger(keeper->driver)->core, &cursor))) {
            if (must_wait(keeper, booking)) {
                has_waiting = true;
            } else {
                extend(keeper, booking);
            }
        }
    }
    bl_watch_arm(keeper->timer, has_waiting ? SOON : EVERY);
}

struct bl_series_keeper *bl_series_keeper_create(struct bl_loop *loop, struct bl_driver *driver,
                                                 const struct bl_zone_keeper *zones)
{
    struct bl_series_keeper *keeper = bl_alloc_zero(sizeof *keeper);

    keeper->driver = driver;
    keeper->zones = zones;
    keeper->timer = bl_loop_watch_timer(loop, on_timer, keeper);
    bl_watch_arm(keeper->timer, 0);
    return keeper;
}

void bl_series_keeper_destroy(struct bl_series_keeper *keeper)
{
    if (keeper) {
        bl_watch_destroy(keeper->timer);
        free(keeper);
    }
}
