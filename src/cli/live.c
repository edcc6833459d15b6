#include "cli/live.h"

#include "base/units.h"
#include "cli/say.h"
#include "cli/wait.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int bl_live_parse(const char *text, bl_time *out, struct bl_error *err)
{
    int64_t milliseconds = 2000;
    int status = text ? bl_scaled_parse(text, 1000, &milliseconds, err) : BL_OK;

    if (!status && (milliseconds < 100 || milliseconds > INT64_C(3600000))) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_SECONDS, BL_T(text));
    }
    *out = milliseconds * BL_MILLISECOND;
    return status;
}

/* Keeps what fits on the terminal, with a word on what does not. */
static void cut_lines(struct bl_buf *out)
{
    struct winsize size = {0};
    size_t lines = 0;
    size_t kept = 0;
    size_t end = 0;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row < 4) {
        return;
    }
    for (size_t i = 0; i < out->length; i++) {
        if (out->text[i] == '\n' && ++lines == (size_t)size.ws_row - 2) {
            end = i + 1;
            kept = lines;
        }
    }
    if (end && lines > kept) {
        BL_AUTO_BUF shown = {0};

        bl_buf_append(&shown, out->text, end);
        BL_SAY(&shown, BL_SAY_LINES_MORE, BL_N((int64_t)(lines - kept)));
        bl_buf_clear(out);
        bl_buf_append(out, bl_buf_text(&shown), shown.length);
    }
}

/* A frame replaces the last one: from the top, and each line's old rest is wiped. */
static void draw(const struct bl_cli *cli, struct bl_buf *frame, bool is_first)
{
    BL_AUTO_BUF out = {0};

    if (!cli->is_terminal) {
        bl_cli_flush(frame);
        return;
    }
    cut_lines(frame);
    bl_buf_append_text(&out, is_first ? "\033[H\033[2J" : "\033[H");
    for (const char *at = bl_buf_text(frame); *at;) {
        size_t length = strcspn(at, "\n");

        bl_buf_append(&out, at, length);
        bl_buf_append_text(&out, at[length] ? "\033[K\n" : "\033[K");
        at += length + (at[length] == '\n');
    }
    bl_buf_append_text(&out, "\033[J");
    bl_cli_flush(&out);
    bl_buf_clear(frame);
}

int bl_live_run(struct bl_cli *cli, const struct bl_live *live, struct bl_error *err)
{
    struct bl_interrupt interrupt = {-1};
    bool is_first = true;
    int status = bl_interrupt_init(&interrupt, err);

    while (!status) {
        BL_AUTO_BUF frame = {0};

        status = live->print(cli, live->self, &frame, err);
        if (status == BL_EUNREACHABLE && !is_first) {
            bl_buf_clear(&frame);
            bl_say(&frame, BL_SAY_TRYING_AGAIN);
            bl_buf_append_char(&frame, '\n');
            status = BL_OK;
        }
        if (!status) {
            draw(cli, &frame, is_first);
            is_first = false;
        }
        if (!status && bl_interrupt_sleep(&interrupt, live->interval)) {
            break;
        }
    }
    bl_interrupt_finish(&interrupt);
    return status;
}
