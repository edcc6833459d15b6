#include "cli/doctor.h"

#include "base/own.h"
#include "cli/say.h"
#include "cli/text.h"
#include "form/json_out.h"

#include <stdlib.h>

void bl_doctor_add(struct bl_findings *out, const char *check, enum bl_grade grade,
                   const char *text, const char *remedy)
{
    const struct bl_finding finding = {check, grade, bl_copy_text(text),
                                       bl_copy_text(remedy ? remedy : "")};

    BL_VEC_PUSH(&out->list, finding);
}

void bl_doctor_look(const struct bl_doctor_scene *scene, struct bl_findings *out)
{
    bl_doctor_look_daemon(scene->server, out);
    bl_doctor_look_supervisor(out);
    bl_doctor_look_state(scene->state, out);
    bl_doctor_look_cgroup(out);
    bl_doctor_look_gpus(out);
    bl_doctor_look_clock(out);
    bl_doctor_look_zone(out);
}

bool bl_doctor_is_well(const struct bl_findings *findings)
{
    for (size_t i = 0; i < findings->list.count; i++) {
        if (findings->list.at[i].grade == BL_GRADE_BAD) {
            return false;
        }
    }
    return true;
}

static void print_padded(struct bl_buf *out, const char *text, size_t columns)
{
    bl_buf_append_text(out, text);
    for (size_t at = bl_text_width(text); at < columns; at++) {
        bl_buf_append_char(out, ' ');
    }
}

void bl_doctor_print(struct bl_buf *out, const struct bl_findings *findings)
{
    static const enum bl_message grades[] = {BL_SAY_GRADE_OK, BL_SAY_GRADE_NOTE, BL_SAY_GRADE_BAD};

    for (size_t i = 0; i < findings->list.count; i++) {
        const struct bl_finding *finding = &findings->list.at[i];
        BL_AUTO_BUF grade = {0};

        bl_say(&grade, grades[finding->grade]);
        print_padded(out, bl_buf_text(&grade), 6);
        print_padded(out, finding->check, 12);
        bl_text_escape(out, finding->text);
        bl_buf_append_char(out, '\n');
        if (*finding->remedy) {
            print_padded(out, "", 18);
            bl_text_escape(out, finding->remedy);
            bl_buf_append_char(out, '\n');
        }
    }
    bl_say(out, bl_doctor_is_well(findings) ? BL_SAY_DOCTOR_WELL : BL_SAY_DOCTOR_ILL);
    bl_buf_append_char(out, '\n');
}

void bl_doctor_print_json(struct bl_buf *out, const struct bl_findings *findings)
{
    static const char *const grades[] = {"ok", "note", "bad"};
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_put_bool(&json, "ok", bl_doctor_is_well(findings));
    bl_json_key(&json, "checks");
    bl_json_open_array(&json);
    for (size_t i = 0; i < findings->list.count; i++) {
        const struct bl_finding *finding = &findings->list.at[i];

        bl_json_open_object(&json);
        bl_json_put_text(&json, "check", finding->check);
        bl_json_put_text(&json, "grade", grades[finding->grade]);
        bl_json_put_text(&json, "text", finding->text);
        bl_json_put_text(&json, "remedy", *finding->remedy ? finding->remedy : NULL);
        bl_json_close_object(&json);
    }
    bl_json_close_array(&json);
    bl_json_close_object(&json);
    bl_buf_append_char(out, '\n');
}

void bl_findings_finish(struct bl_findings *findings)
{
    for (size_t i = 0; i < findings->list.count; i++) {
        free(findings->list.at[i].text);
        free(findings->list.at[i].remedy);
    }
    BL_VEC_FINISH(&findings->list);
}
