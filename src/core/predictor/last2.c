/* The mean of the last two runs of the same user (Tsafrir, Etsion and Feitelson 2007). */
#include "base/map.h"
#include "base/own.h"
#include "core/predict.h"

struct last2 {
    struct bl_map users; /* hash of the name -> struct recent *, owned */
};

struct recent {
    char *user;     /* NULL = jobs of nobody */
    bl_time run[2]; /* newest first; 0 = none yet */
};

/* FNV-1a. Two users who share all 64 bits would share their history: harmless. */
static int64_t key_of(const struct bl_job *job)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (const char *c = job->spec.user; c && *c; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    }
    return (int64_t)hash;
}

static void *create(void)
{
    return bl_alloc_zero(sizeof(struct last2));
}

static void destroy(void *self)
{
    struct last2 *last2 = self;
    size_t cursor = 0;
    struct recent *recent;

    while ((recent = bl_map_next(&last2->users, &cursor))) {
        free(recent->user);
        free(recent);
    }
    bl_map_finish(&last2->users);
    free(last2);
}

static void learn(void *self, const struct bl_job *job, bl_time run)
{
    struct last2 *last2 = self;
    int64_t key = key_of(job);
    struct recent *recent = bl_map_find(&last2->users, key);

    if (!recent) {
        recent = bl_alloc_zero(sizeof *recent);
        recent->user = bl_copy_text(job->spec.user);
        bl_map_insert(&last2->users, key, recent);
    }
    recent->run[1] = recent->run[0];
    recent->run[0] = run > 0 ? run : 1;
}

static bl_time predict(void *self, const struct bl_job *job)
{
    struct last2 *last2 = self;
    const struct recent *recent = bl_map_find(&last2->users, key_of(job));

    if (!recent) {
        return 0;
    }
    return recent->run[1] ? recent->run[0] / 2 + recent->run[1] / 2 : recent->run[0];
}

static void export_runs(void *self, void (*emit)(void *to, const char *user, bl_time run), void *to)
{
    struct last2 *last2 = self;
    size_t cursor = 0;
    const struct recent *recent;

    while ((recent = bl_map_next(&last2->users, &cursor))) {
        if (recent->run[1]) {
            emit(to, recent->user, recent->run[1]);
        }
        emit(to, recent->user, recent->run[0]);
    }
}

const struct bl_predictor bl_predictor_last2 = {
    .name = "last2",
    .summary = "the mean of the user's last two runs",
    .create = create,
    .destroy = destroy,
    .learn = learn,
    .predict = predict,
    .export_runs = export_runs,
};
