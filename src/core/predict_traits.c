#include "core/predict_traits.h"

#include "core/predict_dist.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a. Two texts that share all 64 bits would share their history: harmless. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

/* 0 stands for "none". */
static int64_t finish(uint64_t hash)
{
    return hash ? (int64_t)hash : 1;
}

static uint64_t add_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * HASH_PRIME;
}

static uint64_t add_number(uint64_t hash, int64_t number)
{
    uint64_t bits = (uint64_t)number;

    for (int i = 0; i < 8; i++) {
        hash = add_byte(hash, (unsigned char)(bits >> (8 * i)));
    }
    return hash;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int64_t bl_traits_text(const char *text)
{
    uint64_t hash = HASH_BEGIN;

    if (!text) {
        return 0;
    }
    for (const char *c = text; *c; c++) {
        hash = add_byte(hash, (unsigned char)*c);
    }
    return finish(hash);
}

/* Each number counts as one sign, whatever it is. */
static uint64_t add_pattern(uint64_t hash, const char *text)
{
    bool in_number = false;

    for (const char *c = text; *c; c++) {
        if (!is_digit(*c)) {
            hash = add_byte(hash, (unsigned char)*c);
        } else if (!in_number) {
            hash = add_byte(hash, '0');
        }
        in_number = is_digit(*c);
    }
    return hash;
}

void bl_clues_set_command(struct bl_clues *clues, char *const *word, size_t count)
{
    uint64_t hash = HASH_BEGIN;

    for (size_t i = 0; i < count; i++) {
        hash = add_byte(add_pattern(hash, word[i]), 0);
    }
    clues->command = count > 0 ? finish(hash) : 0;
}

/* A number above 0, all of the text. */
static bool read_value(const char *text, double *value)
{
    char *end;

    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && errno == 0 && isfinite(*value) && *value > 0;
}

static void insert_param(struct bl_clues *clues, struct bl_clue_param param)
{
    int32_t at = clues->param_count++;

    while (at > 0 && clues->param[at - 1].name > param.name) {
        clues->param[at] = clues->param[at - 1];
        at--;
    }
    clues->param[at] = param;
}

static int64_t hash_name(const char *text, size_t length)
{
    uint64_t hash = HASH_BEGIN;

    for (size_t i = 0; i < length; i++) {
        hash = add_byte(hash, (unsigned char)text[i]);
    }
    return finish(hash);
}

/* The sum does not ask in which order they stand. */
static int64_t sum_hashes(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

void bl_clues_add_param(struct bl_clues *clues, const char *text)
{
    const char *equals = strchr(text, '=');
    double value;

    if (equals && read_value(equals + 1, &value) && clues->param_count < BL_CLUES_PARAMS_MAX) {
        int64_t name = hash_name(text, (size_t)(equals - text));

        insert_param(clues,
                     (struct bl_clue_param){name, (int32_t)lround(log2(value) * BL_DIST_OCTAVE)});
        clues->variant = sum_hashes(clues->variant, name);
    } else {
        clues->variant = sum_hashes(clues->variant, bl_traits_text(text));
    }
}

void bl_traits_of(const struct bl_job_spec *spec, struct bl_traits *out)
{
    struct bl_resources need = bl_job_need(spec, spec->gpus_want);

    memset(out, 0, sizeof *out);
    out->user = bl_traits_text(spec->user);
    out->project = bl_traits_text(spec->project);
    out->name = spec->name && *spec->name ? finish(add_pattern(HASH_BEGIN, spec->name)) : 0;
    out->gpus = spec->gpus_want;
    out->cpu_milli = need.amount[BL_RESOURCE_CPU];
    out->mem_bytes = need.amount[BL_RESOURCE_MEM];
    out->limit = spec->limit;
    out->clues = spec->clues;
}

/* Which traits a kind looks at. */
enum {
    USER = 1,
    PROJECT = 2,
    NAME = 4,
    COMMAND = 8,
    SIZE = 16,
    LIMIT = 32,
    AMOUNTS = 64,
    WORK = NAME | COMMAND
};

static const unsigned looks_at[BL_KIN_COUNT] = {
    [BL_KIN_USER_SIZE_LIMIT] = USER | SIZE | LIMIT,
    [BL_KIN_USER_SIZE] = USER | SIZE,
    [BL_KIN_USER_LIMIT] = USER | LIMIT,
    [BL_KIN_USER] = USER,
    [BL_KIN_SIZE_LIMIT] = SIZE | LIMIT,
    [BL_KIN_LIMIT] = LIMIT,
    [BL_KIN_ALL] = 0,
    [BL_KIN_USER_COMMAND_SIZE] = USER | COMMAND | SIZE,
    [BL_KIN_USER_COMMAND] = USER | COMMAND,
    [BL_KIN_USER_NAME_SIZE] = USER | NAME | SIZE,
    [BL_KIN_USER_NAME] = USER | NAME,
    [BL_KIN_USER_REQUEST] = USER | SIZE | LIMIT | AMOUNTS,
    [BL_KIN_PROJECT] = PROJECT,
    [BL_KIN_PROJECT_WORK] = PROJECT | WORK | SIZE,
};

/* Whether the job has all that the kind looks at. Work without a name and a command is none; a job
 * of nobody is of one nobody. */
static bool has_all(const struct bl_traits *traits, unsigned what)
{
    return !((what & PROJECT) && !traits->project) &&
           !((what & WORK) == WORK && !traits->name && !traits->clues.command) &&
           !((what & WORK) == NAME && !traits->name) &&
           !((what & WORK) == COMMAND && !traits->clues.command) &&
           !((what & AMOUNTS) && !traits->cpu_milli && !traits->mem_bytes) &&
           !((what & LIMIT) && !(what & SIZE) && !traits->limit);
}

int64_t bl_traits_key(const struct bl_traits *traits, enum bl_kin kin)
{
    unsigned what = looks_at[kin];
    uint64_t hash = add_number(HASH_BEGIN, (int64_t)kin);

    if (!has_all(traits, what)) {
        return 0;
    }
    hash = what & USER ? add_number(hash, traits->user) : hash;
    hash = what & PROJECT ? add_number(hash, traits->project) : hash;
    hash = what & NAME ? add_number(hash, traits->name) : hash;
    hash = what & COMMAND ? add_number(hash, traits->clues.command) : hash;
    hash = what & SIZE ? add_number(hash, traits->gpus) : hash;
    hash = what & LIMIT ? add_number(hash, traits->limit) : hash;
    hash =
        what & AMOUNTS ? add_number(add_number(hash, traits->cpu_milli), traits->mem_bytes) : hash;
    return finish(hash);
}
