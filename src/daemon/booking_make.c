#include "daemon/booking_make.h"

#include "core/saves.h"
#include "daemon/booking_series.h"

#include <string.h>

/* A series is cut a little short of the core's horizon: its event is applied later than it is made.
 */
#define MARGIN (10 * BL_MINUTE)

/* A booking on its way: what is known of its time. */
struct making {
    const struct bl_booking_maker *maker;
    const struct bl_bookingspec *asked;
    struct bl_booking_spec *out;
    struct bl_tz *tz;
    struct bl_tz_clocks clocks;
};

/* --- instants -------------------------------------------------------------------------------- */

static int fail_at(const struct making *making, enum bl_booking_key key)
{
    const char *name = bl_booking_key_name(key);

    bl_wrap(making->maker->err, "%s", name);
    return bl_error_set_field(making->maker->err, name);
}

static int choose_zone(struct making *making, const char *name)
{
    static const enum bl_tz_fold folds[] = {[BL_BOOKING_FOLD_ASK] = BL_TZ_FOLD_ASK,
                                            [BL_BOOKING_FOLD_FIRST] = BL_TZ_FOLD_FIRST,
                                            [BL_BOOKING_FOLD_SECOND] = BL_TZ_FOLD_SECOND};

    if (bl_tz_create(name, &making->tz, making->maker->err) != BL_OK) {
        return fail_at(making, BL_BOOKING_KEY_ZONE);
    }
    making->clocks = (struct bl_tz_clocks){making->tz, folds[making->asked->fold]};
    making->out->zone = bl_arena_copy_text(making->maker->arena, bl_tz_name(making->tz));
    return BL_OK;
}

static int read_instant(const struct making *making, enum bl_booking_key key, const char *text,
                        bl_time *at)
{
    bl_time now = *at;

    if (strcmp(text, "now") == 0) {
        *at = making->maker->now;
        return BL_OK;
    }
    if (bl_tz_read(&making->clocks, text, now, at, making->maker->err) != BL_OK) {
        return fail_at(making, key);
    }
    return BL_OK;
}

static int check_slot(const struct making *making, const struct bl_slot *slot)
{
    bl_time now = making->maker->now;

    if (slot->end <= slot->start) {
        bl_fail(making->maker->err, BL_EINVAL, "expected an instant after 'from'");
        return fail_at(making, BL_BOOKING_KEY_UNTIL_AT);
    }
    if (slot->end - slot->start <= BL_SAVE_GRACE) {
        bl_fail(
            making->maker->err, BL_EINVAL,
            "expected more than %lld s, found %lld s: its jobs are asked to stop so long before "
            "its end",
            (long long)(BL_SAVE_GRACE / BL_SECOND),
            (long long)((slot->end - slot->start) / BL_SECOND));
        return fail_at(making,
                       making->asked->until_at ? BL_BOOKING_KEY_UNTIL_AT : BL_BOOKING_KEY_FOR);
    }
    if (making->asked->from && slot->start < now - BL_BOOKING_LATE_MAX) {
        bl_fail(making->maker->err, BL_EINVAL, "expected an instant to come");
        bl_error_set_hint(making->maker->err, "'now' begins at once");
        return fail_at(making, BL_BOOKING_KEY_FROM);
    }
    if (slot->end > now + BL_BOOKING_HORIZON) {
        bl_fail(making->maker->err, BL_EINVAL, "expected an end within 400 days");
        return fail_at(making, BL_BOOKING_KEY_FROM);
    }
    return BL_OK;
}

/* The slot that was asked for, on the base of what it was before (zeroes: it is new). */
static int read_slot(const struct making *making, struct bl_slot *slot)
{
    const struct bl_bookingspec *asked = making->asked;
    bl_time length = slot->end - slot->start;
    int status;

    if (asked->from) {
        slot->start = making->maker->now;
        status = read_instant(making, BL_BOOKING_KEY_FROM, asked->from, &slot->start);
        if (status != BL_OK) {
            return status;
        }
    }
    slot->start -= slot->start % BL_SECOND;
    slot->end = slot->start + (asked->duration > 0 ? asked->duration : length);
    if (asked->until_at) {
        slot->end = slot->start;
        status = read_instant(making, BL_BOOKING_KEY_UNTIL_AT, asked->until_at, &slot->end);
        if (status != BL_OK) {
            return status;
        }
    }
    return check_slot(making, slot);
}

/* --- series ---------------------------------------------------------------------------------- */

static int read_rule(const struct making *making, struct bl_rule *rule)
{
    if (bl_rule_read(making->asked->every, making->tz, rule, making->maker->err) != BL_OK) {
        return fail_at(making, BL_BOOKING_KEY_EVERY);
    }
    return BL_OK;
}

static int read_until(const struct making *making, struct bl_rule *rule)
{
    if (making->asked->until &&
        bl_rule_set_until(rule, making->asked->until, making->tz, making->maker->err) != BL_OK) {
        return fail_at(making, BL_BOOKING_KEY_UNTIL);
    }
    return BL_OK;
}

static void keep_series(const struct making *making, const struct bl_series *series)
{
    BL_AUTO_BUF text = {0};

    bl_series_print(&text, series);
    making->out->rule = bl_arena_copy_text(making->maker->arena, bl_buf_text(&text));
}

static bool is_about_time(const struct bl_bookingspec *asked)
{
    return asked->from || asked->until_at || asked->duration > 0;
}

/* Slots with their numbers, as they are put together. */
struct chosen {
    struct bl_slot *slot;
    int32_t *number;
    size_t count;
};

static struct chosen choose_none(const struct making *making, size_t room)
{
    return (struct chosen){
        bl_arena_alloc(making->maker->arena, (room + 1) * sizeof(struct bl_slot)),
        bl_arena_alloc(making->maker->arena, (room + 1) * sizeof(int32_t)), 0};
}

static void choose(struct chosen *chosen, bl_time start, bl_time end, int32_t number)
{
    chosen->slot[chosen->count] = (struct bl_slot){start, end};
    chosen->number[chosen->count++] = number;
}

static void take_chosen(const struct making *making, const struct chosen *chosen)
{
    making->out->slot = chosen->slot;
    making->out->number = chosen->number;
    making->out->slot_count = chosen->count;
}

/* Those before the first that the rule knows: somebody began it anew behind them. */
static void keep_earlier(const struct making *making, const struct bl_booking_numbers *numbers,
                         bl_time length, struct chosen *chosen)
{
    const struct bl_booking *booking = numbers->booking;

    for (size_t i = 0; booking && i < booking->occurrence_count; i++) {
        const struct bl_occurrence *one = &booking->occurrence[i];

        if (one->number >= numbers->first && one->number <= numbers->shift &&
            bl_occurrence_is_live(one)) {
            choose(chosen, one->start,
                   is_about_time(making->asked) ? one->start + length : one->end, one->number);
        }
    }
}

static void take_slots(const struct making *making, const struct bl_series_slots *slots,
                       const struct bl_booking_numbers *numbers, bl_time length)
{
    struct chosen chosen = choose_none(
        making, slots->slots.count + (numbers->booking ? numbers->booking->occurrence_count : 0));

    keep_earlier(making, numbers, length, &chosen);
    for (size_t i = 0; i < slots->slots.count; i++) {
        int32_t number = bl_booking_number_of(numbers, &slots->slots.at[i]);

        if (number > 0) {
            choose(&chosen, slots->slots.at[i].start, slots->slots.at[i].end, number);
        }
    }
    take_chosen(making, &chosen);
}

static bl_time horizon_of(const struct making *making, const struct bl_series *series)
{
    return making->maker->now + BL_BOOKING_HORIZON - MARGIN - series->duration;
}

/* The slots of a series from `from` on. */
static int expand(const struct making *making, const struct bl_series *series, bl_time from,
                  struct bl_booking_numbers numbers)
{
    struct bl_series_window window = {from, horizon_of(making, series)};
    BL_AUTO_SERIES_SLOTS slots = {0};

    if (bl_series_expand(series, making->tz, &window, &slots, making->maker->err) != BL_OK) {
        return (int)making->maker->err->status;
    }
    if (numbers.booking && numbers.shift < 0) {
        numbers.shift = numbers.first - slots.slots.at[0].number;
    }
    take_slots(making, &slots, &numbers, series->duration);
    keep_series(making, series);
    return BL_OK;
}

static void take_one_slot(const struct making *making, struct bl_slot slot)
{
    struct bl_slot *kept = bl_arena_alloc(making->maker->arena, sizeof *kept);

    *kept = slot;
    making->out->slot = kept;
    making->out->number = NULL;
    making->out->slot_count = 1;
    making->out->rule = NULL;
}

static int make_series(const struct making *making, struct bl_slot first,
                       struct bl_booking_numbers numbers)
{
    struct bl_series series = {0};
    int status = read_rule(making, &series.rule);

    status = status == BL_OK ? read_until(making, &series.rule) : status;
    if (status != BL_OK) {
        return status;
    }
    if (series.rule.until < first.start) {
        bl_fail(making->maker->err, BL_EINVAL, "expected a series that ends after 'from'");
        return fail_at(making, making->asked->until ? BL_BOOKING_KEY_UNTIL : BL_BOOKING_KEY_EVERY);
    }
    bl_series_set_first(&series, making->tz, first.start);
    series.duration = first.end - first.start;
    return expand(making, &series, first.start, numbers);
}

/* --- what ------------------------------------------------------------------------------------ */

/* The only node that has GPUs; NULL when there are several. */
static const char *only_node(const struct bl_cluster *cluster)
{
    const char *name = NULL;

    for (size_t i = 0; i < cluster->node_count; i++) {
        if (cluster->node[i].spec.gpus > 0) {
            if (name) {
                return NULL;
            }
            name = cluster->node[i].spec.name;
        }
    }
    return name;
}

static int take_places(const struct making *making)
{
    const struct bl_bookingspec *asked = making->asked;
    struct bl_booking_place *on =
        bl_arena_alloc(making->maker->arena, (asked->on_count + 1) * sizeof *on);
    const char *only = only_node(bl_core_cluster(making->maker->core));

    for (size_t i = 0; i < asked->on_count; i++) {
        on[i] = asked->on[i];
        on[i].node = on[i].node ? on[i].node : only;
        if (!on[i].node) {
            bl_fail(making->maker->err, BL_EINVAL, "GPUs of which node?");
            bl_error_set_hint(making->maker->err, "name it, as in n1:0-3");
            return fail_at(making, BL_BOOKING_KEY_ON);
        }
    }
    making->out->on = on;
    making->out->on_count = asked->on_count;
    making->out->gpus = 0;
    return BL_OK;
}

/* Puts in what the keys say that are there. */
static int take_what(const struct making *making)
{
    const struct bl_bookingspec *asked = making->asked;
    struct bl_booking_spec *out = making->out;
    const struct {
        enum bl_booking_key key;
        const char **to;
        const char *value;
    } texts[] = {
        {BL_BOOKING_KEY_GPU_TYPE, &out->gpu_type, asked->gpu_type},
        {BL_BOOKING_KEY_POOL, &out->pool, asked->pool},
        {BL_BOOKING_KEY_NAME, &out->name, asked->name},
        {BL_BOOKING_KEY_PROJECT, &out->project, asked->project},
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (asked->has[texts[i].key]) {
            *texts[i].to = texts[i].value;
        }
    }
    if (asked->has[BL_BOOKING_KEY_FLEX]) {
        out->flex = asked->flex;
    }
    if (asked->has[BL_BOOKING_KEY_RELEASE_AFTER]) {
        out->release_after = asked->release_after;
    }
    if (asked->gpus > 0) {
        out->gpus = asked->gpus;
        out->on = NULL;
        out->on_count = 0;
    }
    return asked->on_count > 0 ? take_places(making) : BL_OK;
}

/* --- a new one ------------------------------------------------------------------------------- */

static int make(struct making *making)
{
    const struct bl_bookingspec *asked = making->asked;
    struct bl_slot slot = {0};
    int status = choose_zone(making, asked->zone ? asked->zone : making->maker->zone);

    status = status == BL_OK ? take_what(making) : status;
    status = status == BL_OK ? read_slot(making, &slot) : status;
    if (status != BL_OK) {
        return status;
    }
    if (asked->every) {
        return make_series(making, slot, (struct bl_booking_numbers){.first = 1});
    }
    take_one_slot(making, slot);
    return BL_OK;
}

int bl_booking_make(const struct bl_booking_maker *maker, const struct bl_bookingspec *asked,
                    struct bl_booking_spec *out)
{
    struct bl_booking_spec spec = {.release_after = maker->release_after};
    struct making making = {.maker = maker, .asked = asked, .out = &spec};
    int status = make(&making);

    bl_tz_destroy(making.tz);
    if (status == BL_OK) {
        *out = spec;
    }
    return status;
}

/* --- an edit --------------------------------------------------------------------------------- */

static bool is_about_series(const struct bl_bookingspec *asked)
{
    return asked->has[BL_BOOKING_KEY_EVERY] || asked->has[BL_BOOKING_KEY_UNTIL] ||
           asked->has[BL_BOOKING_KEY_ZONE];
}

/* The one that is meant; NULL when it is over or never was. One that goes on is left alone where
 * the time of all is changed. */
static const struct bl_occurrence *find_target(const struct bl_booking *booking,
                                               const struct bl_bookingspec *asked)
{
    bool skips_active =
        booking->occurrence_count > 1 && (is_about_time(asked) || is_about_series(asked));

    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *occurrence = &booking->occurrence[i];
        bool is_meant = asked->occurrence
                            ? occurrence->number == asked->occurrence
                            : !skips_active || occurrence->state != BL_OCCURRENCE_ACTIVE;

        if (is_meant && bl_occurrence_is_live(occurrence)) {
            return occurrence;
        }
    }
    return NULL;
}

static int fail_over(const struct bl_booking_maker *maker, const struct bl_booking *booking,
                     const struct bl_bookingspec *asked)
{
    if (asked->occurrence) {
        bl_fail(maker->err, BL_EREFUSED, "r%lld.%d is over, or never was",
                (long long)booking->spec.id, asked->occurrence);
        bl_error_set_field(maker->err, bl_booking_key_name(BL_BOOKING_KEY_OCCURRENCE));
    } else {
        bl_fail(maker->err, BL_EREFUSED, "r%lld is over", (long long)booking->spec.id);
    }
    return bl_error_set_hint(maker->err, "book anew");
}

/* The live ones from `first` on as they stand. */
static void keep_slots(const struct making *making, const struct bl_booking *booking,
                       const struct bl_occurrence *first)
{
    struct chosen chosen = choose_none(making, booking->occurrence_count);

    for (size_t i = 0; i < booking->occurrence_count; i++) {
        const struct bl_occurrence *occurrence = &booking->occurrence[i];

        if (occurrence->number >= first->number && bl_occurrence_is_live(occurrence)) {
            choose(&chosen, occurrence->start, occurrence->end, occurrence->number);
        }
    }
    take_chosen(making, &chosen);
}

/* A series that begins anew counts only what is left of it. */
static void begin_anew(const struct making *making, struct bl_series *series, bl_time start,
                       int32_t number)
{
    bl_series_set_first(series, making->tz, start);
    if (series->rule.count > number - 1) {
        series->rule.count -= number - 1;
    }
}

static int change_rule(const struct making *making, struct bl_rule *rule)
{
    int status = making->asked->every ? read_rule(making, rule) : BL_OK;

    if (status == BL_OK && making->asked->has[BL_BOOKING_KEY_UNTIL] && !making->asked->every) {
        rule->until = BL_TIME_NEVER;
        rule->count = 0;
    }
    return status == BL_OK ? read_until(making, rule) : status;
}

/* `rule` is the booking's own text, read in the zone that it was written for. */
static int read_series(const struct making *making, const struct bl_booking *booking,
                       struct bl_series *out)
{
    BL_AUTO_TZ *tz = NULL;
    int status = bl_tz_create(booking->spec.zone, &tz, making->maker->err);

    return status == BL_OK ? bl_series_read(booking->spec.rule, tz, out, making->maker->err)
                           : status;
}

/* The slots of the booking's rule as it stands, in the zone that it was written for. */
static int list_slots(const struct making *making, const struct bl_booking *booking,
                      struct bl_series_slots *out)
{
    BL_AUTO_TZ *tz = NULL;
    struct bl_series series = {0};
    struct bl_series_window window = {.from = bl_booking_series_from(booking, making->maker->now)};
    int status = bl_tz_create(booking->spec.zone, &tz, making->maker->err);

    if (status == BL_OK) {
        status = bl_series_read(booking->spec.rule, tz, &series, making->maker->err);
    }
    window.horizon = horizon_of(making, &series);
    return status != BL_OK || window.horizon <= window.from
               ? status
               : bl_series_expand(&series, tz, &window, out, making->maker->err);
}

/* How the slots of what becomes of a series are numbered: a series that begins anew counts from the
 * first one that is changed, another rule from behind what is over, else all keep their numbers. */
static struct bl_booking_numbers number_anew(const struct making *making,
                                             const struct bl_booking *booking, int32_t first)
{
    const struct bl_bookingspec *asked = making->asked;
    struct bl_booking_numbers numbers = {booking, first - 1, first,
                                         asked->has[BL_BOOKING_KEY_UNTIL]};
    BL_AUTO_SERIES_SLOTS slots = {0};

    if (asked->every) {
        numbers.first = bl_booking_fresh_number(booking, first);
        numbers.shift = numbers.first - 1;
        numbers.reopens = true;
    } else if (!asked->from) {
        numbers.shift = list_slots(making, booking, &slots) == BL_OK
                            ? bl_booking_series_shift(booking, &slots)
                            : -1;
    }
    return numbers;
}

static int change_series(const struct making *making, const struct bl_booking *booking,
                         const struct bl_occurrence *first, struct bl_slot slot)
{
    struct bl_series series = {0};
    bl_time from = making->asked->from ? slot.start : first->asked_start;
    struct bl_booking_numbers numbers = number_anew(making, booking, first->number);
    int status = read_series(making, booking, &series);

    if (status == BL_OK && (making->asked->from || making->asked->every)) {
        begin_anew(making, &series, from, first->number);
    }
    status = status == BL_OK ? change_rule(making, &series.rule) : status;
    if (status != BL_OK) {
        return status;
    }
    if (is_about_time(making->asked)) {
        series.duration = slot.end - slot.start;
    }
    making->out->is_closed = booking->spec.is_closed && !numbers.reopens;
    return expand(making, &series,
                  making->asked->has[BL_BOOKING_KEY_ZONE] ? making->maker->now : from, numbers);
}

static int change_all(const struct making *making, const struct bl_booking *booking,
                      const struct bl_occurrence *first)
{
    const struct bl_bookingspec *asked = making->asked;
    struct bl_slot slot = {first->start, first->end};
    int status;

    if (!is_about_time(asked) && !is_about_series(asked)) {
        keep_slots(making, booking, first);
        return BL_OK;
    }
    status = read_slot(making, &slot);
    if (status != BL_OK) {
        return status;
    }
    if (booking->spec.rule && !(asked->has[BL_BOOKING_KEY_EVERY] && !asked->every)) {
        return change_series(making, booking, first, slot);
    }
    if (asked->every) {
        making->out->is_closed = false;
        return make_series(making, slot, number_anew(making, booking, first->number));
    }
    take_one_slot(making, slot);
    return BL_OK;
}

static int fail_belongs(const struct making *making, enum bl_booking_key key)
{
    bl_fail(making->maker->err, BL_EINVAL, "belongs to a whole series, not to one of it");
    bl_error_set_hint(making->maker->err, "say following: true, or name no occurrence");
    return fail_at(making, key);
}

static int change_one(const struct making *making, const struct bl_occurrence *target)
{
    static const enum bl_booking_key whole[] = {BL_BOOKING_KEY_EVERY, BL_BOOKING_KEY_UNTIL,
                                                BL_BOOKING_KEY_NAME, BL_BOOKING_KEY_PROJECT,
                                                BL_BOOKING_KEY_RELEASE_AFTER};
    struct bl_slot slot = {target->start, target->end};
    const char *rule = making->out->rule;
    int status;

    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        if (making->asked->has[whole[i]]) {
            return fail_belongs(making, whole[i]);
        }
    }
    status = read_slot(making, &slot);
    if (status == BL_OK) {
        take_one_slot(making, slot);
        making->out->rule = rule;
    }
    return status;
}

static int edit(struct making *making, const struct bl_booking *booking,
                const struct bl_occurrence *target, bool only)
{
    const char *zone = booking->spec.zone ? booking->spec.zone : making->maker->zone;
    int status = choose_zone(making, making->asked->zone ? making->asked->zone : zone);

    status = status == BL_OK ? take_what(making) : status;
    if (status != BL_OK) {
        return status;
    }
    return only ? change_one(making, target) : change_all(making, booking, target);
}

int bl_booking_edit(const struct bl_booking_maker *maker, const struct bl_booking *booking,
                    const struct bl_bookingspec *asked, struct bl_booking_spec *room,
                    struct bl_booking_wish *out)
{
    struct making making = {.maker = maker, .asked = asked, .out = room};
    const struct bl_occurrence *target = find_target(booking, asked);
    bool only = asked->occurrence && !asked->following && booking->occurrence_count > 1;
    int status;

    if (!target) {
        return fail_over(maker, booking, asked);
    }
    *room = booking->spec;
    status = edit(&making, booking, target, only);
    bl_tz_destroy(making.tz);
    if (status == BL_OK) {
        *out = (struct bl_booking_wish){.spec = room, .first = target->number, .only = only};
    }
    return status;
}

/* --- as time goes ---------------------------------------------------------------------------- */

/* By numbers, as somebody may have moved the last one; by time where all have been. */
static bool is_behind(const struct bl_series_slot *slot, const struct bl_occurrence *last,
                      int32_t shift)
{
    return shift >= 0 ? slot->number + shift > last->number : slot->start > last->asked_start;
}

/* `anchor` as it stands, and what comes behind the last one of all. */
static int extend(struct making *making, const struct bl_booking *booking,
                  const struct bl_occurrence *anchor)
{
    const struct bl_occurrence *last = &booking->occurrence[booking->occurrence_count - 1];
    BL_AUTO_SERIES_SLOTS slots = {0};
    struct chosen chosen;
    int32_t shift;
    int status = list_slots(making, booking, &slots);

    if (status != BL_OK) {
        return status;
    }
    shift = bl_booking_series_shift(booking, &slots);
    chosen = choose_none(making, slots.slots.count + 1);
    choose(&chosen, anchor->start, anchor->end, anchor->number);
    for (size_t i = 0; i < slots.slots.count; i++) {
        const struct bl_series_slot *slot = &slots.slots.at[i];

        if (is_behind(slot, last, shift)) {
            choose(&chosen, slot->start, slot->end, last->number + (int32_t)chosen.count);
        }
    }
    take_chosen(making, &chosen);
    return BL_OK;
}

/* The last one that is not over takes the same place as before: a wish begins at one that there is.
 */
int bl_booking_extend(const struct bl_booking_maker *maker, const struct bl_booking *booking,
                      struct bl_booking_spec *room, struct bl_booking_wish *wish, bool *out)
{
    static const struct bl_bookingspec nothing = {0};
    struct making making = {.maker = maker, .asked = &nothing, .out = room};
    const struct bl_occurrence *anchor = bl_booking_last_live(booking);
    int status;

    *out = false;
    if (!booking->spec.rule || booking->spec.is_closed || !anchor) {
        return BL_OK;
    }
    *room = booking->spec;
    status = extend(&making, booking, anchor);
    if (status == BL_OK && room->slot_count > 1) {
        *wish = (struct bl_booking_wish){.spec = room, .first = anchor->number};
        *out = true;
    }
    return status;
}
