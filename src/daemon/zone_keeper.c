#include "daemon/zone_keeper.h"

#include "base/own.h"
#include "base/sort.h"
#include "calendar/revise.h"
#include "os/fs.h"
#include "os/log.h"
#include "os/loop.h"

#include <string.h>

#define EVERY (10 * BL_MINUTE)

/* A zone that a series is in; `before` is NULL where its file was not kept yet. */
struct zone {
    struct bl_tz *before, *after;
    bool is_changed;
};

struct bl_zone_keeper {
    struct bl_driver *driver;
    struct bl_watch *timer;
    char *folder;
    BL_VEC(struct zone) zones; /* of this look, until its edits are on disk */
    size_t waiting;            /* for so many edits */
};

/* An occurrence and where it belongs. */
struct move {
    const struct bl_booking *booking;
    int32_t number;
    struct bl_slot slot;
    bool is_later;
};

struct moves {
    BL_VEC(struct move) list;
};

/* --- zones ----------------------------------------------------------------------------------- */

/* "STATE/zones/Europe.Berlin": names of zones have no dots. */
static void print_path(const struct bl_zone_keeper *keeper, const char *name, struct bl_buf *out)
{
    bl_buf_printf(out, "%s/", keeper->folder);
    for (; *name; name++) {
        bl_buf_append_char(out, *name == '/' ? '.' : *name);
    }
}

static void save(const struct bl_zone_keeper *keeper, const struct bl_tz *tz)
{
    BL_AUTO_BUF path = {0};
    struct bl_error err = {0};

    print_path(keeper, bl_tz_name(tz), &path);
    if (bl_tz_save(tz, bl_buf_text(&path), &err)) {
        bl_log(BL_LOG_WARNING, "the time zone %s cannot be kept: %s", bl_tz_name(tz), err.text);
    }
}

static const struct zone *find_zone(const struct bl_zone_keeper *keeper, const char *name)
{
    for (size_t i = 0; i < keeper->zones.count; i++) {
        if (!strcmp(bl_tz_name(keeper->zones.at[i].after), name)) {
            return &keeper->zones.at[i];
        }
    }
    return NULL;
}

bool bl_zone_keeper_is_current(const struct bl_zone_keeper *keeper, const char *zone)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_TZ *before = NULL;
    BL_AUTO_TZ *after = NULL;

    print_path(keeper, zone, &path);
    return !keeper->waiting && (bl_tz_load(zone, bl_buf_text(&path), &before, NULL) ||
                                bl_tz_create(zone, &after, NULL) || bl_tz_is_same(before, after));
}

static void add_zone(struct bl_zone_keeper *keeper, const char *name)
{
    BL_AUTO_BUF path = {0};
    struct bl_error err = {0};
    struct zone zone = {0};

    if (find_zone(keeper, name)) {
        return;
    }
    if (bl_tz_create(name, &zone.after, &err)) {
        bl_log(BL_LOG_WARNING, "series stay as they are booked: %s", err.text);
        return;
    }
    print_path(keeper, name, &path);
    if (bl_tz_load(name, bl_buf_text(&path), &zone.before, &err)) {
        save(keeper, zone.after);
    }
    zone.is_changed = zone.before && !bl_tz_is_same(zone.before, zone.after);
    BL_VEC_PUSH(&keeper->zones, zone);
}

static void forget_zones(struct bl_zone_keeper *keeper)
{
    for (size_t i = 0; i < keeper->zones.count; i++) {
        bl_tz_destroy(keeper->zones.at[i].before);
        bl_tz_destroy(keeper->zones.at[i].after);
    }
    keeper->zones.count = 0;
}

/* All edits are on disk: from now on the new edition is what series were booked by. */
static void keep_zones(struct bl_zone_keeper *keeper)
{
    for (size_t i = 0; i < keeper->zones.count; i++) {
        if (keeper->zones.at[i].is_changed) {
            save(keeper, keeper->zones.at[i].after);
        }
    }
    forget_zones(keeper);
}

/* --- what moves ------------------------------------------------------------------------------ */

static int by_start(const void *left, const void *right)
{
    const struct bl_revise_kept *a = left;
    const struct bl_revise_kept *b = right;

    return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                : a->number - b->number;
}

struct kept {
    BL_VEC(struct bl_revise_kept) list;
};

/* What of the series has not begun, as it was asked for. */
static void list_kept(const struct bl_booking *booking, struct kept *out)
{
    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *one = &booking->occurrence[i];

        if (one->state == BL_OCCURRENCE_BOOKED) {
            BL_VEC_PUSH(&out->list,
                        (struct bl_revise_kept){one->number, one->asked_start,
                                                one->asked_start + (one->end - one->start)});
        }
    }
    bl_sort(out->list.at, out->list.count, sizeof *out->list.at, by_start);
}

static bool moves_later(const struct kept *kept, const struct bl_revise_kept *move)
{
    for (size_t i = 0; i < kept->list.count; i++) {
        if (kept->list.at[i].number == move->number) {
            return move->start > kept->list.at[i].start;
        }
    }
    return false;
}

static void add_moves(const struct bl_zone_keeper *keeper, const struct bl_booking *booking,
                      struct moves *out)
{
    const struct zone *zone = find_zone(keeper, booking->spec.zone);
    bl_time now = bl_driver_now(keeper->driver);
    const struct bl_series_window window = {now, now + BL_BOOKING_HORIZON};
    BL_AUTO_REVISE_MOVES moves = {0};
    struct kept kept = {0};
    struct bl_series series = {0};

    if (!zone || !zone->is_changed ||
        bl_series_read(booking->spec.rule, zone->after, &series, NULL)) {
        return;
    }
    list_kept(booking, &kept);
    bl_revise(&series, &(struct bl_revise_zone){zone->before, zone->after}, &window, kept.list.at,
              kept.list.count, &moves);
    for (size_t i = 0; i < moves.moves.count; i++) {
        const struct bl_revise_kept *move = &moves.moves.at[i];

        BL_VEC_PUSH(&out->list,
                    (struct move){
                        booking, move->number, {move->start, move->end}, moves_later(&kept, move)});
    }
    BL_VEC_FINISH(&kept.list);
}

/* In an order in which none is in the way of the next: the last ones first where they move later,
 * the first ones first where they move earlier. */
static int compare_moves(const void *left, const void *right)
{
    const struct move *a = left;
    const struct move *b = right;
    int rising = (a->slot.start > b->slot.start) - (a->slot.start < b->slot.start);
    int64_t by_id = a->booking->spec.id - b->booking->spec.id;

    if (a->is_later != b->is_later) {
        return a->is_later ? -1 : 1;
    }
    if (rising) {
        return a->is_later ? -rising : rising;
    }
    return by_id ? (by_id > 0) - (by_id < 0) : a->number - b->number;
}

/* --- asking for it --------------------------------------------------------------------------- */

/* An edit on its way to the disk. */
struct edit {
    struct bl_zone_keeper *keeper;
    int64_t id;
    int32_t number;
    bl_time start;
};

static bool is_at(const struct bl_core *core, const struct edit *edit)
{
    const struct bl_booking *booking = bl_core_find_booking(core, edit->id);

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        if (booking->occurrence[i].number == edit->number) {
            return booking->occurrence[i].asked_start == edit->start;
        }
    }
    return false;
}

/* What could not be written is tried again at the next look. */
static void on_done(void *self, bool is_accepted)
{
    struct edit *edit = self;
    struct bl_zone_keeper *keeper = edit->keeper;

    if (is_accepted && !is_at(bl_driver_ledger(keeper->driver)->core, edit)) {
        bl_log(BL_LOG_WARNING,
               "r%lld.%d stays where it is: by the new rules of its time zone it would start when "
               "others have its GPUs",
               (long long)edit->id, edit->number);
    }
    keeper->waiting--;
    if (!is_accepted) {
        forget_zones(keeper);
    } else if (!keeper->waiting) {
        keep_zones(keeper);
    }
    free(edit);
}

static void ask(struct bl_zone_keeper *keeper, const struct move *move)
{
    struct bl_booking_spec spec = move->booking->spec;
    const struct bl_booking_wish wish = {.spec = &spec, .first = move->number, .only = true};
    struct bl_event event = {.kind = BL_EVENT_RESERVATION_CHANGED, .u.rebooked = wish};
    struct edit *edit = bl_alloc_zero(sizeof *edit);

    spec.slot = &move->slot;
    spec.slot_count = 1;
    *edit = (struct edit){keeper, spec.id, move->number, move->slot.start};
    keeper->waiting++;
    bl_log(BL_LOG_INFO, "r%lld.%d moves with the new rules of its time zone, %s",
           (long long)spec.id, move->number, spec.zone);
    bl_driver_ask(keeper->driver, &event, (struct bl_completion){.self = edit, .call = on_done});
}

static void look(struct bl_zone_keeper *keeper)
{
    const struct bl_core *core = bl_driver_ledger(keeper->driver)->core;
    const struct bl_booking *booking;
    struct moves moves = {0};
    size_t cursor = 0;

    while ((booking = bl_core_next_booking(core, &cursor))) {
        if (booking->spec.rule && booking->spec.zone) {
            add_zone(keeper, booking->spec.zone);
            add_moves(keeper, booking, &moves);
        }
    }
    bl_sort(moves.list.at, moves.list.count, sizeof *moves.list.at, compare_moves);
    for (size_t i = 0; i < moves.list.count; i++) {
        ask(keeper, &moves.list.at[i]);
    }
    if (!moves.list.count) {
        keep_zones(keeper);
    }
    BL_VEC_FINISH(&moves.list);
}

static void on_timer(void *self)
{
    struct bl_zone_keeper *keeper = self;

    if (!keeper->waiting && bl_driver_check(keeper->driver, NULL) == BL_OK) {
        look(keeper);
    }
    bl_watch_arm(keeper->timer, EVERY);
}

struct bl_zone_keeper *bl_zone_keeper_create(struct bl_loop *loop, struct bl_driver *driver,
                                             const char *state_dir)
{
    struct bl_zone_keeper *keeper = bl_alloc_zero(sizeof *keeper);
    BL_AUTO_BUF folder = {0};
    struct bl_error err = {0};

    bl_buf_printf(&folder, "%s/zones", state_dir);
    if (bl_fs_make_dirs(bl_buf_text(&folder), 0700, &err)) {
        bl_log(BL_LOG_WARNING, "%s", err.text);
    }
    keeper->driver = driver;
    keeper->folder = bl_buf_take(&folder);
    keeper->timer = bl_loop_watch_timer(loop, on_timer, keeper);
    bl_watch_arm(keeper->timer, 0);
    return keeper;
}

void bl_zone_keeper_destroy(struct bl_zone_keeper *keeper)
{
    if (keeper) {
        forget_zones(keeper);
        BL_VEC_FINISH(&keeper->zones);
        bl_watch_destroy(keeper->timer);
        free(keeper->folder);
        free(keeper);
    }
}
