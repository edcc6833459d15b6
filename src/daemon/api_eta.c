/* How good what was told of starts and ends came to be: GET /api/v1/report/eta. */
#include "base/own.h"
#include "daemon/api.h"

static double part(int64_t sum, const struct bl_score *score, double unit)
{
    return (double)sum / unit / (double)score->count;
}

/* Octaves from `first` on and below `end`: one, or all. */
static void put_row(struct bl_json *json, const struct bl_score *score, int first, int end)
{
    bl_json_put_int(json, "horizon_from_s", bl_score_octave_s(first));
    if (end < BL_SCORE_OCTAVES) {
        bl_json_put_int(json, "horizon_to_s", bl_score_octave_s(end));
    } else {
        bl_json_put_null(json, "horizon_to_s");
    }
    bl_json_put_int(json, "count", score->count);
    bl_json_put_double(json, "coverage_ratio", part(score->covered, score, 1));
    bl_json_put_double(json, "pinball_s", part(score->pinball_ms, score, 1000));
    bl_json_put_double(json, "error_median_s", bl_score_median_error_s(score));
    bl_json_put_double(json, "error_mean_s", part(score->error_ms, score, 1000));
    bl_json_put_double(json, "bias_s", part(score->bias_ms, score, 1000));
}

static void open_row(struct bl_json *json, const struct bl_score_group *group, int when, int what)
{
    bl_json_open_object(json);
    bl_json_put_text(json, "policy", group->policy);
    bl_json_put_text(json, "basis", bl_told_basis_name(group->basis));
    bl_json_put_text(json, "told", bl_score_when_name(when));
    bl_json_put_text(json, "of", bl_score_what_name(what));
}

/* One row for all, then one for each octave that has any. */
static void put_scores(struct bl_json *json, const struct bl_score_group *group, int when, int what)
{
    struct bl_score all = bl_score_sum(group, when, what);

    if (all.count == 0) {
        return;
    }
    open_row(json, group, when, what);
    put_row(json, &all, 0, BL_SCORE_OCTAVES);
    bl_json_close_object(json);
    for (int octave = 0; octave < BL_SCORE_OCTAVES; octave++) {
        const struct bl_score *score = group->score[when][what][octave];

        if (score) {
            open_row(json, group, when, what);
            put_row(json, score, octave, octave + 1);
            bl_json_close_object(json);
        }
    }
}

void bl_api_report_eta(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_scores *scores = bl_core_scores(bl_driver_ledger(api->driver)->core);
    const struct bl_score_group *const *group;
    size_t count = bl_scores_groups(scores, &group);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!bl_api_admit(request)) {
        return;
    }
    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "untold", bl_scores_untold(scores));
    bl_json_key(&json, "rows");
    bl_json_open_array(&json);
    for (size_t i = 0; i < count; i++) {
        for (int at = 0; at < BL_SCORE_WHEN_COUNT * BL_SCORE_WHAT_COUNT; at++) {
            put_scores(&json, group[i], at / BL_SCORE_WHAT_COUNT, at % BL_SCORE_WHAT_COUNT);
        }
    }
    bl_api_answer_list(request, 200, &json);
}
