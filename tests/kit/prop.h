/* Property tests: a law is a function that draws a case and says whether it held.
 *
 *     static bool sum_is_commutative(struct bl_prop *prop, void *context)
 *     {
 *         int64_t a = bl_prop_between(prop, -9, 9);
 *         int64_t b = bl_prop_between(prop, -9, 9);
 *
 *         bl_prop_note(prop, "a=%lld b=%lld", (long long)a, (long long)b);
 *         return a + b == b + a;
 *     }
 *     ...
 *     assert_true(bl_prop_holds("sum is commutative", 500, sum_is_commutative, NULL));
 *
 * All that a law draws is one sequence of choices. When the law fails, the sequence is shrunk
 * (pieces left out, numbers made smaller) for as long as it still fails, and the notes of the
 * smallest case are printed with the seed. So draw everything through this header, keep no state
 * between cases, and note what a reader needs to see.
 *
 * BL_PROP_SEED=N starts at another seed: the one that a failure printed meets that failure in its
 * first case. BL_PROP_CASES=N runs N cases of every law instead of what the test asks for. */
#ifndef BL_KIT_PROP_H
#define BL_KIT_PROP_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BL_PROP_CHOICES_MAX = 65536, /* of one case; further ones are the simplest */
    BL_PROP_SHRINKS_MAX = 4000   /* how often a failing law is run again */
};

struct bl_prop;

/* True when the law held in this case. */
typedef bool bl_prop_law(struct bl_prop *prop, void *context);

/* In [low, high]; shrinks towards low. */
int64_t bl_prop_between(struct bl_prop *prop, int64_t low, int64_t high);

/* True in about `permille` of 1000 cases; shrinks towards false. */
bool bl_prop_chance(struct bl_prop *prop, int permille);

/* Adds a line to what is printed if this turns out to be the smallest failing case. */
void bl_prop_note(struct bl_prop *prop, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Runs the law and prints, as TAP comments, the seed and what failed. True when it always held. */
bool bl_prop_holds(const char *name, int cases, bl_prop_law *law, void *context);

/* The same without printing, for tests of this kit: the smallest failing case's choices (at most
 * `room`) and their count, or -1 when the law always held. */
int bl_prop_smallest(int cases, bl_prop_law *law, void *context, uint64_t *choice, int room);

#endif
