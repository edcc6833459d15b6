#include "cli/control.h"

#include "cli/jobs.h"

void bl_control_answer(struct bl_buf *out, const char *id, const char *words)
{
    BL_SAY(out, BL_SAY_ANSWER, BL_T(id), BL_T(words));
    bl_buf_append_char(out, '\n');
}

static int control_one(struct bl_cli *cli, const struct bl_control *control, const char *id,
                       struct bl_buf *out, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_REPLY reply = {0};
    int status;

    bl_buf_printf(&path, "/api/v1/jobs/%s", id);
    if (control->action) {
        bl_buf_printf(&path, "/%s", control->action);
        status = bl_client_post(cli->client, bl_buf_text(&path), control->body, &reply, err);
    } else {
        status = bl_client_patch(cli->client, bl_buf_text(&path), control->body, &reply, err);
    }
    if (status) {
        return status;
    }
    if (cli->json) {
        bl_buf_printf(out, "%s%s", out->length ? ", " : "", bl_buf_text(&reply.body));
    } else {
        control->tell(out, id, reply.tree);
    }
    return BL_OK;
}

static int control_all(struct bl_cli *cli, const struct bl_control *control,
                       const struct bl_ids *ids, struct bl_buf *out, struct bl_error *err)
{
    int worst = BL_OK;
    struct bl_error kept = {0};

    for (size_t i = 0; i < ids->count; i++) {
        struct bl_error one = {0};
        BL_AUTO_BUF id = {0};
        int status;

        bl_ref_print(&id, ids->at[i]);
        status = control_one(cli, control, bl_buf_text(&id), out, &one);
        if (status == BL_EUNREACHABLE) {
            *err = one;
            return status;
        }
        if (status && worst) {
            bl_cli_report(&kept);
        }
        if (status) {
            worst = status;
            kept = one;
        }
    }
    *err = kept;
    return worst;
}

int bl_control_run(struct bl_cli *cli, const struct bl_control *control,
                   const struct bl_words *words, struct bl_error *err)
{
    struct bl_ids ids = {0};
    BL_AUTO_BUF out = {0};
    BL_AUTO_BUF whole = {0};
    int status = bl_cli_read_ids(cli, words, &ids, err);

    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : control_all(cli, control, &ids, &out, err);
    bl_ids_finish(&ids);
    if (cli->json && out.length) {
        bl_buf_printf(&whole, "{\"jobs\": [%s]}\n", bl_buf_text(&out));
    }
    bl_cli_flush(cli->json ? &whole : &out);
    return status;
}
