#include "cli/ids.h"
#include "cli/say.h"

#include "base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { WORD_MAX = 64 };

static int add(struct bl_ids *ids, struct bl_job_ref ref, struct bl_error *err)
{
    for (size_t i = 0; i < ids->count; i++) {
        if (ids->at[i].id == ref.id && ids->at[i].index == ref.index) {
            return BL_OK;
        }
    }
    if (ids->count == BL_IDS_MAX) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_MANY_JOBS, BL_N(BL_IDS_MAX));
    }
    BL_VEC_PUSH(ids, ref);
    return BL_OK;
}

static int bad_word(const char *word, struct bl_error *err)
{
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_JOB_ID, BL_T(word));
    return bl_say_hint(err, BL_SAY_H_IDS, NULL);
}

/* "3-9", or "3": from least on. */
struct range {
    int64_t least;
    int64_t first;
    int64_t last;
};

static int parse_range(char *word, struct range *range, struct bl_error *err)
{
    char *dash = word[0] ? strchr(word + 1, '-') : NULL;
    int status;

    if (dash) {
        *dash = '\0';
    }
    status = bl_int_parse(word, range->least, INT64_MAX, &range->first, NULL);
    range->last = range->first;
    if (!status && dash) {
        status = bl_int_parse(dash + 1, range->least, INT64_MAX, &range->last, NULL);
    }
    if (dash) {
        *dash = '-';
    }
    if (status) {
        return bad_word(word, err);
    }
    if (range->last < range->first || range->last - range->first >= BL_IDS_MAX) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_ID_RANGE, BL_N(BL_IDS_MAX), BL_T(word));
    }
    return BL_OK;
}

/* "7_2", "7_2-4": the array's id stands before the underscore. */
static int add_elements(char *word, char *underscore, struct bl_ids *ids, struct bl_error *err)
{
    struct range range = {.least = 0};
    int64_t id = 0;
    int status;

    *underscore = '\0';
    status = bl_int_parse(word, 1, INT64_MAX, &id, NULL);
    *underscore = '_';
    if (status) {
        return bad_word(word, err);
    }
    status = parse_range(underscore + 1, &range, err);
    for (int64_t i = 0; !status && i <= range.last - range.first; i++) {
        status = add(ids, (struct bl_job_ref){id, range.first + i}, err);
    }
    return status;
}

static int add_word(char *word, struct bl_ids *ids, struct bl_error *err)
{
    char *underscore = strchr(word, '_');
    struct range range = {.least = 1};
    int status;

    if (!strcmp(word, "@")) {
        return add(ids, (struct bl_job_ref){BL_IDS_LAST, -1}, err);
    }
    if (underscore) {
        return add_elements(word, underscore, ids, err);
    }
    status = parse_range(word, &range, err);
    for (int64_t i = 0; !status && i <= range.last - range.first; i++) {
        status = add(ids, (struct bl_job_ref){range.first + i, -1}, err);
    }
    return status;
}

int bl_ids_parse(const char *text, struct bl_ids *ids, struct bl_error *err)
{
    const char *at = text;

    for (;;) {
        size_t length = strcspn(at, ",");
        char word[WORD_MAX] = "";
        int status;

        if (length == 0 || length >= sizeof word) {
            return bad_word(text, err);
        }
        memcpy(word, at, length);
        status = add_word(word, ids, err);
        if (status || !at[length]) {
            return status;
        }
        at += length + 1;
    }
}

int bl_ids_parse_one(const char *text, struct bl_job_ref *out, struct bl_error *err)
{
    struct bl_ids ids = {0};
    int status = bl_ids_parse(text, &ids, err);

    if (!status && ids.count != 1) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_ONE_JOB_ID, BL_T(text));
    }
    if (!status) {
        assert(ids.at);
        *out = ids.at[0];
    }
    bl_ids_finish(&ids);
    return status;
}

void bl_ref_print(struct bl_buf *out, struct bl_job_ref ref)
{
    bl_buf_printf(out, "%" PRId64, ref.id);
    if (ref.index >= 0) {
        bl_buf_printf(out, "_%" PRId64, ref.index);
    }
}

void bl_ids_finish(struct bl_ids *ids)
{
    BL_VEC_FINISH(ids);
}
