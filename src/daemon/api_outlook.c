/* GET /api/v1/outlook: how many GPUs will be free when. */
#include "base/own.h"
#include "core/vacancy.h"
#include "daemon/inquiry.h"

#include <string.h>

enum { RUNS = 16, DAYS_MAX = 30, STEPS_A_DAY = 24 };

#define PATIENCE (8 * BL_SECOND)

struct outlook {
    struct bl_inquiry inquiry;
    struct bl_arena arena;
    size_t steps;
    struct bl_vacancy told;
};

static void work(struct bl_inquiry *inquiry, const struct bl_forecaster_scene *scene)
{
    struct outlook *outlook = (struct outlook *)inquiry;
    struct bl_whatif_effort effort = bl_inquiry_effort(inquiry, scene, 0);
    struct bl_vacancy_wish wish = {.options = effort.options,
                                   .runs = RUNS,
                                   .is_enough = effort.is_enough,
                                   .judge = effort.judge,
                                   .step = BL_DAY / STEPS_A_DAY,
                                   .steps = outlook->steps};

    wish.options.of_late = NULL; /* what is left for whoever comes */
    bl_vacancy_look(scene->core, &wish, &outlook->arena, &outlook->told);
    for (size_t i = 0; i < outlook->told.type_count; i++) { /* the copy may go before the answer */
        struct bl_vacancy_type *type = &outlook->told.type[i];

        type->name = bl_arena_copy_text(&outlook->arena, type->name);
    }
}

static void put_numbers(struct bl_json *json, const char *key, const int32_t *numbers, size_t count)
{
    bl_json_key(json, key);
    bl_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        bl_json_int(json, numbers[i]);
    }
    bl_json_close_array(json);
}

static void write_answer(struct bl_json *json, const struct outlook *outlook)
{
    const struct bl_vacancy *told = &outlook->told;
    size_t steps = told->runs ? outlook->steps : 0;

    bl_json_open_object(json);
    bl_json_put_instant(json, "from_at", told->from);
    bl_json_put_seconds(json, "step_s", BL_DAY / STEPS_A_DAY);
    bl_json_put_int(json, "runs", (int64_t)told->runs);
    bl_json_put_int(json, "gpus", told->gpus);
    put_numbers(json, "used", told->used, steps);
    bl_json_key(json, "types");
    bl_json_open_object(json);
    for (size_t i = 0; i < told->type_count; i++) {
        const struct bl_vacancy_type *type = &told->type[i];

        bl_json_key(json, type->name);
        bl_json_open_object(json);
        bl_json_put_int(json, "gpus", type->gpus);
        put_numbers(json, "free", type->p50, steps);
        put_numbers(json, "free_p10", type->p10, steps);
        put_numbers(json, "free_p90", type->p90, steps);
        bl_json_close_object(json);
    }
    bl_json_close_object(json);
    bl_json_close_object(json);
}

static void finish(struct outlook *outlook)
{
    bl_arena_finish(&outlook->arena);
    free(outlook);
}

static void answer(struct bl_inquiry *inquiry, bool is_answered)
{
    struct outlook *outlook = (struct outlook *)inquiry;
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (is_answered && outlook->told.runs > 0) {
        bl_json_init(&json, &body);
        write_answer(&json, outlook);
        bl_request_answer(inquiry->request, 200, &body);
    } else {
        bl_inquiry_fail(inquiry->request);
    }
    finish(outlook);
}

void bl_api_outlook(void *self, struct bl_request *request)
{
    static const struct bl_api_range range = {1, DAYS_MAX, 7};
    struct outlook *outlook;
    struct bl_error err;
    int64_t days = 0;

    if (!bl_api_admit(request) || !bl_api_query_int(request, "days", range, &days)) {
        return;
    }
    outlook = bl_alloc_zero(sizeof *outlook);
    outlook->inquiry = (struct bl_inquiry){self, request, work, answer, .patience = PATIENCE};
    outlook->steps = (size_t)days * STEPS_A_DAY;
    if (bl_inquiry_ask(&outlook->inquiry, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
        finish(outlook);
    }
}
