/* Job scripts; what is read is written as a job file and reads back to the same one. */
#include "fuzz.h"

#include "form/script.h"
#include "form/tree_out.h"

#include <string.h>

static void print_json(struct bl_buf *out, const struct bl_tree *tree)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_tree_put_json(&json, tree);
}

static void write_and_read_back(const struct bl_script *script)
{
    BL_AUTO_BUF yaml = {0};
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};
    struct bl_arena arena = {0};
    struct bl_tree *again = NULL;
    struct bl_jobspec job;

    bl_tree_print_yaml(&yaml, script->tree);
    struct bl_tree_source source = {"exported", bl_buf_text(&yaml), yaml.length};

    assert(bl_yaml_read(&source, &arena, &again, NULL) == BL_OK);
    assert(bl_jobspec_read(&source, again, BL_JOBSPEC_LIVE, &arena, &job, NULL) == BL_OK);
    print_json(&first, script->tree);
    print_json(&second, again);
    assert(!strcmp(bl_buf_text(&first), bl_buf_text(&second)));
    assert(!strcmp(job.launch.script, script->job.launch.script));
    bl_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const known[] = {"A100", "gpu", NULL};
    const struct bl_script_request request = {.name = "s.sh",
                                              .bytes = (const char *)bytes,
                                              .length = length,
                                              .directory = "/w",
                                              .gpu_types = known,
                                              .pools = known};
    struct bl_arena arena = {0};
    struct bl_script script = {0};
    struct bl_error err = {0};
    int status = bl_script_read(&request, &arena, &script, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        assert(script.warning_count <= BL_SCRIPT_WARNINGS_MAX);
        write_and_read_back(&script);
    }
    bl_arena_finish(&arena);
    return 0;
}
