/* The errors of the contract as JSON. */
#include "daemon/http.h"
#include "form/json_out.h"

static const struct {
    int status;
    const char *code;
} answers[BL_ANSWER_COUNT] = {
    [BL_ANSWER_INVALID] = {400, "invalid"},     [BL_ANSWER_UNAUTHORIZED] = {401, "unauthorized"},
    [BL_ANSWER_FORBIDDEN] = {403, "forbidden"}, [BL_ANSWER_NOT_FOUND] = {404, "not_found"},
    [BL_ANSWER_METHOD] = {405, "method"},       [BL_ANSWER_TIMEOUT] = {408, "timeout"},
    [BL_ANSWER_REFUSED] = {409, "refused"},     [BL_ANSWER_CONFLICT] = {409, "conflict"},
    [BL_ANSWER_TOO_LARGE] = {413, "too_large"}, [BL_ANSWER_UNAVAILABLE] = {503, "unavailable"},
};

static void put_text_or_null(struct bl_json *json, const char *key, const char *text)
{
    bl_json_put_text(json, key, text[0] ? text : NULL);
}

int bl_answer_status(enum bl_answer kind)
{
    return answers[kind].status;
}

void bl_answer_write(struct bl_json *json, enum bl_answer kind, const struct bl_error *err)
{
    bl_json_key(json, "error");
    bl_json_open_object(json);
    bl_json_put_text(json, "code", answers[kind].code);
    bl_json_put_text(json, "message", err->text);
    put_text_or_null(json, "field", err->field);
    put_text_or_null(json, "hint", err->hint);
    bl_json_close_object(json);
}

void bl_answer_print(struct bl_buf *out, enum bl_answer kind, const struct bl_error *err)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_answer_write(&json, kind, err);
    bl_json_close_object(&json);
}
