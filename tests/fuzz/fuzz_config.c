/* The daemon's configuration. */
#include "fuzz.h"

#include "form/config.h"

static void check_config(const struct bl_config *config)
{
    assert(config->local.memory_soft > 0 && config->local.memory_soft <= config->local.memory_hard);
    assert(config->local.grace > 0 && config->retention.keep > 0 && config->retention.jobs >= 0);
    assert(config->scheduler.debounce >= 0 && config->scheduler.period > 0);
    assert(!config->has_policy || config->policy.policy);
    assert(!config->state || config->state[0] == '/');
    for (size_t i = 0; i < config->declared.node_count; i++) {
        assert(config->declared.node[i].name);
    }
    for (size_t i = 0; i < config->required_count; i++) {
        assert(config->required[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const struct bl_tree_source source = {"input", (const char *)bytes, length};
    struct bl_arena arena = {0};
    struct bl_config config = bl_config_default();
    struct bl_tree *tree = NULL;
    struct bl_error err = {0};
    int status = bl_yaml_read(&source, &arena, &tree, &err);

    check_refusal(status, &err);
    if (status == BL_OK) {
        check_refusal(bl_config_read(&source, tree, &arena, &config, &err), &err);
    }
    check_config(&config);
    bl_arena_finish(&arena);
    return 0;
}
