#include "cli/ids.h"

#include "base/units.h"

#include <assert.h>
#include <string.h>

enum { WORD_MAX = 48 };

static int add(struct bl_ids *ids, int64_t id, struct bl_error *err)
{
    for (size_t i = 0; i < ids->count; i++) {
        if (ids->at[i] == id) {
            return BL_OK;
        }
    }
    if (ids->count == BL_IDS_MAX) {
        return bl_fail(err, BL_EINVAL, "more than %d jobs in one command", (int)BL_IDS_MAX);
    }
    BL_VEC_PUSH(ids, id);
    return BL_OK;
}

static int bad_word(const char *word, struct bl_error *err)
{
    bl_fail(err, BL_EINVAL, "expected a job id, found '%.64s'", word);
    return bl_error_set_hint(err, "ids look like 7, 3-9, 3,5 or @ (your last job)");
}

static int add_range(char *word, char *dash, struct bl_ids *ids, struct bl_error *err)
{
    int64_t first = 0;
    int64_t last = 0;

    *dash = '\0';
    if (bl_int_parse(word, 1, INT64_MAX, &first, NULL) ||
        bl_int_parse(dash + 1, 1, INT64_MAX, &last, NULL)) {
        *dash = '-';
        return bad_word(word, err);
    }
    if (last < first || last - first >= BL_IDS_MAX) {
        *dash = '-';
        return bl_fail(err, BL_EINVAL, "expected a range of at most %d ids like 3-9, found '%s'",
                       (int)BL_IDS_MAX, word);
    }
    for (int64_t id = first; id <= last; id++) {
        int status = add(ids, id, err);

        if (status) {
            return status;
        }
    }
    return BL_OK;
}

static int add_word(char *word, struct bl_ids *ids, struct bl_error *err)
{
    char *dash = word[0] ? strchr(word + 1, '-') : NULL;
    int64_t id = 0;

    if (!strcmp(word, "@")) {
        return add(ids, BL_IDS_LAST, err);
    }
    if (dash) {
        return add_range(word, dash, ids, err);
    }
    if (bl_int_parse(word, 1, INT64_MAX, &id, NULL)) {
        return bad_word(word, err);
    }
    return add(ids, id, err);
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

int bl_ids_parse_one(const char *text, int64_t *out, struct bl_error *err)
{
    struct bl_ids ids = {0};
    int status = bl_ids_parse(text, &ids, err);

    if (!status && ids.count != 1) {
        status = bl_fail(err, BL_EINVAL, "expected one job id, found '%.64s'", text);
    }
    if (!status) {
        assert(ids.at);
        *out = ids.at[0];
    }
    bl_ids_finish(&ids);
    return status;
}

void bl_ids_finish(struct bl_ids *ids)
{
    BL_VEC_FINISH(ids);
}
