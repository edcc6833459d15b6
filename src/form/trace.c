#include "form/trace.h"

#include <string.h>

const struct bl_trace_format *bl_trace_format_find(const char *name)
{
    for (const struct bl_trace_format *const *at = bl_trace_formats; *at; at++) {
        if (strcmp((*at)->name, name) == 0) {
            return *at;
        }
    }
    return NULL;
}

const struct bl_trace_format *bl_trace_format_sniff(const char *bytes, size_t length)
{
    const struct bl_trace_format *best = NULL;
    int most = 0;

    for (const struct bl_trace_format *const *at = bl_trace_formats; *at; at++) {
        int sure = (*at)->sniff(bytes, length);

        if (sure > most) {
            most = sure;
            best = *at;
        }
    }
    return best;
}

static void note_skip(struct bl_trace_notes *notes, const char *message)
{
    if (notes->skipped++ == 0) {
        size_t length = strnlen(message, sizeof notes->first_skipped - 1);

        memcpy(notes->first_skipped, message, length);
        notes->first_skipped[length] = '\0';
    }
}

int bl_trace_skip_or_fail(struct bl_trace_notes *notes, bool may_skip, const struct bl_error *found,
                          struct bl_error *err)
{
    if (may_skip) {
        note_skip(notes, found->text);
        return BL_OK;
    }
    if (err) {
        *err = *found;
    }
    return found->status;
}

struct bl_node_spec bl_slots_node(int64_t slots)
{
    return (struct bl_node_spec){.name = "slots",
                                 .pool = "default",
                                 .gpus = (int32_t)slots,
                                 .counted = true,
                                 .cpu_milli = slots * BL_CLUSTERSPEC_GPU_CPUS * 1000,
                                 .mem_bytes = slots * BL_CLUSTERSPEC_GPU_MEM};
}
