#include "prop.h"

#include "base/buf.h"
#include "base/rng.h"
#include "base/vec.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STANDARD_SEED = 20240229, NOTES_CEILING = 64 * 1024 };

typedef BL_VEC(uint64_t) choices;

/* One run of a law: choices come from `replayed` while there are any, else from `rng`. A choice is
 * the distance from the low end, so that a smaller number is a simpler case. */
struct bl_prop {
    struct bl_rng rng;
    const choices *replayed; /* NULL: draw new ones */
    choices drawn;
    struct bl_buf notes;
};

struct search {
    bl_prop_law *law;
    void *context;
    choices best; /* the smallest failing sequence so far */
    int runs;
};

/* What to say when the law itself dies (an assertion in the code under test). */
static char abort_message[256];

static void say_where_it_died(int signal_number)
{
    ssize_t written = write(STDERR_FILENO, abort_message, strlen(abort_message));

    (void)written;
    (void)signal_number;
}

int64_t bl_prop_between(struct bl_prop *prop, int64_t low, int64_t high)
{
    uint64_t widest = (uint64_t)high - (uint64_t)low;
    size_t at = prop->drawn.count;
    uint64_t choice = 0;

    if (at >= BL_PROP_CHOICES_MAX) {
        return low;
    }
    if (!prop->replayed) {
        choice = (uint64_t)bl_rng_between(&prop->rng, low, high) - (uint64_t)low;
    } else if (at < prop->replayed->count) {
        choice = prop->replayed->at[at] < widest ? prop->replayed->at[at] : widest;
    }
    BL_VEC_PUSH(&prop->drawn, choice);
    return (int64_t)((uint64_t)low + choice);
}

bool bl_prop_chance(struct bl_prop *prop, int permille)
{
    return bl_prop_between(prop, 0, 999) >= 1000 - permille;
}

void bl_prop_note(struct bl_prop *prop, const char *format, ...)
{
    va_list args;

    bl_buf_append_text(&prop->notes, "#   ");
    va_start(args, format);
    bl_buf_vprintf(&prop->notes, format, args);
    va_end(args);
    bl_buf_append_char(&prop->notes, '\n');
}

/* Runs the law once. The caller finishes *prop. */
static bool run_once(struct search *search, struct bl_prop *prop, const choices *replayed)
{
    prop->replayed = replayed;
    prop->notes.ceiling = NOTES_CEILING;
    search->runs++;
    return search->law(prop, search->context);
}

static void finish_run(struct bl_prop *prop)
{
    BL_VEC_FINISH(&prop->drawn);
    bl_buf_finish(&prop->notes);
}

static bool is_simpler(const choices *a, const choices *b)
{
    if (a->count != b->count) {
        return a->count < b->count;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->at[i] != b->at[i]) {
            return a->at[i] < b->at[i];
        }
    }
    return false;
}

/* Keeps what the run with these choices drew, if it failed and is simpler than the best. */
static bool try_choices(struct search *search, const choices *candidate)
{
    struct bl_prop prop = {0};
    bool better;

    if (search->runs >= BL_PROP_SHRINKS_MAX) {
        return false;
    }
    better = !run_once(search, &prop, candidate) && is_simpler(&prop.drawn, &search->best);
    if (better) {
        BL_VEC_FINISH(&search->best);
        search->best = prop.drawn;
        prop.drawn = (choices){0};
    }
    finish_run(&prop);
    return better;
}

static void copy_choices(choices *to, const choices *from)
{
    BL_VEC_RESERVE(to, from->count + 1);
    to->count = from->count;
    if (from->count) {
        memcpy(to->at, from->at, from->count * sizeof *to->at);
    }
}

static void cut(choices *from, size_t first, size_t length)
{
    memmove(from->at + first, from->at + first + length,
            (from->count - first - length) * sizeof *from->at);
    from->count -= length;
}

static bool try_without(struct search *search, size_t first, size_t length)
{
    choices candidate = {0};
    bool better;

    copy_choices(&candidate, &search->best);
    cut(&candidate, first, length);
    better = try_choices(search, &candidate);
    BL_VEC_FINISH(&candidate);
    return better;
}

/* Many laws draw a length first: leaves out a piece and makes the first choice smaller by one. */
static bool try_shorter_list(struct search *search, size_t first, size_t length)
{
    choices candidate = {0};
    bool better = false;

    if (first > 0 && search->best.at[0] > 0) {
        copy_choices(&candidate, &search->best);
        candidate.at[0]--;
        cut(&candidate, first, length);
        better = try_choices(search, &candidate);
        BL_VEC_FINISH(&candidate);
    }
    return better;
}

static bool try_value(struct search *search, size_t at, uint64_t value)
{
    choices candidate = {0};
    bool better;

    copy_choices(&candidate, &search->best);
    candidate.at[at] = value;
    better = try_choices(search, &candidate);
    BL_VEC_FINISH(&candidate);
    return better;
}

/* Leaves out pieces, large ones first, from the end. */
static bool leave_out_pieces(struct search *search)
{
    bool any = false;

    for (size_t length = search->best.count; length > 0; length /= 2) {
        size_t first = search->best.count;

        while (first >= length && search->runs < BL_PROP_SHRINKS_MAX) {
            first -= length;
            if (first + length <= search->best.count &&
                (try_without(search, first, length) || try_shorter_list(search, first, length))) {
                any = true;
            }
        }
    }
    return any;
}

/* The smallest value at this place that still fails, by halving the gap. */
static bool lower_value(struct search *search, size_t at)
{
    uint64_t passes = 0;
    bool any = false;

    if (!search->best.at[at]) {
        return false;
    }
    if (try_value(search, at, 0)) {
        return true;
    }
    while (at < search->best.count && search->best.at[at] - passes > 1) {
        uint64_t middle = passes + (search->best.at[at] - passes) / 2;

        if (try_value(search, at, middle)) {
            any = true;
            if (at >= search->best.count || search->best.at[at] > middle) {
                break;
            }
        } else {
            passes = middle;
        }
    }
    return any;
}

static void shrink(struct search *search)
{
    bool better = true;

    search->runs = 0;
    while (better && search->runs < BL_PROP_SHRINKS_MAX) {
        better = leave_out_pieces(search);
        for (size_t at = 0; at < search->best.count; at++) {
            better = lower_value(search, at) || better;
        }
    }
}

static uint64_t number_from_environment(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    char *end = NULL;
    uint64_t value;

    if (!text || !*text) {
        return standard;
    }
    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno || *end) {
        fprintf(stderr, "%s: expected a whole number, found '%s'\n", name, text);
        exit(2);
    }
    return value;
}

/* The index of the first failing case, its choices in search->best; -1 when all held. */
static int find_failure(struct search *search, int cases, uint64_t seed)
{
    for (int i = 0; i < cases; i++) {
        struct bl_prop prop = {0};
        bool held;

        snprintf(abort_message, sizeof abort_message,
                 "# the law died in case %d: replay with BL_PROP_SEED=%llu\n", i,
                 (unsigned long long)seed + (unsigned)i);
        bl_rng_seed(&prop.rng, seed + (unsigned)i);
        held = run_once(search, &prop, NULL);
        if (!held) {
            search->best = prop.drawn;
            prop.drawn = (choices){0};
        }
        finish_run(&prop);
        if (!held) {
            return i;
        }
    }
    return -1;
}

static void print_smallest(struct search *search, const char *name, uint64_t seed)
{
    int runs = search->runs;
    struct bl_prop prop = {0};

    run_once(search, &prop, &search->best);
    printf("# %s: fails; replay with BL_PROP_SEED=%llu\n", name, (unsigned long long)seed);
    printf("# the smallest case found in %d runs has %zu choices:\n%s", runs, search->best.count,
           bl_buf_text(&prop.notes));
    finish_run(&prop);
}

bool bl_prop_holds(const char *name, int cases, bl_prop_law *law, void *context)
{
    uint64_t seed = number_from_environment("BL_PROP_SEED", STANDARD_SEED);
    int wanted = (int)number_from_environment("BL_PROP_CASES", (uint64_t)cases);
    struct search search = {.law = law, .context = context};
    struct sigaction on_abort = {.sa_handler = say_where_it_died, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    int failed;

    sigaction(SIGABRT, &on_abort, &before);
    failed = find_failure(&search, wanted, seed);
    if (failed >= 0) {
        shrink(&search);
        print_smallest(&search, name, seed + (unsigned)failed);
    } else {
        printf("# %s: held in %d cases from seed %llu\n", name, wanted, (unsigned long long)seed);
    }
    fflush(stdout);
    sigaction(SIGABRT, &before, NULL);
    BL_VEC_FINISH(&search.best);
    return failed < 0;
}

int bl_prop_smallest(int cases, bl_prop_law *law, void *context, uint64_t *choice, int room)
{
    struct search search = {.law = law, .context = context};
    int count = -1;

    if (find_failure(&search, cases, STANDARD_SEED) >= 0) {
        shrink(&search);
        count = (int)search.best.count;
        for (int i = 0; i < count && i < room; i++) {
            choice[i] = search.best.at[i];
        }
    }
    BL_VEC_FINISH(&search.best);
    return count;
}
