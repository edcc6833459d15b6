#include "cli/use.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PERCENT = 100 };

/* The last point and the mean of all that are known, as shares; negative where there is none. */
static void read_busy(const struct bl_tree *points, double *last, double *mean)
{
    double sum = 0;
    size_t known = 0;

    *last = -1;
    for (size_t i = 0; points && i < points->child_count; i++) {
        bool is_known = points->child[i].kind == BL_TREE_SCALAR;

        *last = -1;
        if (is_known) {
            *last = strtod(points->child[i].text, NULL);
            sum += *last;
            known++;
        }
    }
    *mean = known > 0 ? sum / (double)known : -1;
}

static void print_busy(struct bl_buf *out, const struct bl_tree *gpu)
{
    double last;
    double mean;

    read_busy(bl_field_list(gpu, "utilization"), &last, &mean);
    if (last >= 0) {
        BL_SAY(out, BL_SAY_USE_BUSY, BL_N((int64_t)(last * PERCENT + 0.5)),
               BL_N((int64_t)(mean * PERCENT + 0.5)));
    } else {
        bl_say(out, BL_SAY_USE_UNKNOWN);
    }
}

static void print_memory(struct bl_buf *out, const struct bl_tree *gpu)
{
    const struct bl_tree *points = bl_field_list(gpu, "mem_used_bytes");
    const struct bl_tree *last =
        points && points->child_count ? &points->child[points->child_count - 1] : NULL;
    int64_t whole = bl_field_int(gpu, "mem_bytes", 0);
    BL_AUTO_BUF used = {0};
    BL_AUTO_BUF all = {0};

    if (!last || last->kind != BL_TREE_SCALAR) {
        return;
    }
    bl_size_print(&used, strtoll(last->text, NULL, 10));
    bl_size_print(&all, whole);
    BL_SAY(out, whole > 0 ? BL_SAY_USE_MEMORY_OF : BL_SAY_USE_MEMORY, BL_T(bl_buf_text(&used)),
           BL_T(bl_buf_text(&all)));
}

void bl_use_print(struct bl_buf *out, const struct bl_tree *use, const char *indent)
{
    const struct bl_tree *gpus = bl_field_list(use, "gpus");

    for (size_t i = 0; gpus && i < gpus->child_count; i++) {
        const struct bl_tree *gpu = &gpus->child[i];

        bl_buf_append_text(out, i ? indent : "");
        bl_text_escape(out, bl_field_text(gpu, "node", "?"));
        bl_buf_printf(out, " gpu%" PRId64, bl_field_int(gpu, "gpu", 0));
        bl_say(out, BL_SAY_COLON);
        print_busy(out, gpu);
        print_memory(out, gpu);
        bl_buf_append_char(out, '\n');
    }
}
