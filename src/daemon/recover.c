#include "daemon/recover.h"

#include "store/schema.h"

#include <string.h>

/* --- replay ---------------------------------------------------------------------------------- */

/* The rows of actions that were noted, by record. */
struct replay {
    struct bl_journal *journal;
    struct bl_ledger *ledger;
    struct bl_map noted; /* seq -> struct bl_buf, owned; taken out as the replay passes */
};

static int keep_noted(void *self, int64_t seq, const char *bytes, size_t length,
                      struct bl_error *err)
{
    struct replay *replay = self;
    struct bl_buf *text = bl_alloc_zero(sizeof *text);

    (void)err;
    bl_buf_append(text, bytes, length);
    bl_map_insert(&replay->noted, seq, text);
    return BL_OK;
}

static void free_text(struct bl_buf *text)
{
    if (text) {
        bl_buf_finish(text);
        free(text);
    }
}

/* A difference means that jobs run which the books do not know, or the other way round: nothing
 * good can come of going on. */
static int compare(int64_t seq, const struct bl_buf *noted, const struct bl_buf *decided,
                   struct bl_error *err)
{
    if (noted->length == decided->length &&
        memcmp(bl_buf_text(noted), bl_buf_text(decided), noted->length) == 0) {
        return BL_OK;
    }
    bl_fail(err, BL_EREFUSED,
            "journal record %lld: this version decides otherwise than the one that wrote it",
            (long long)seq);
    return bl_error_set_hint(err, "let the jobs end under that version, or start with an empty "
                                  "directory by --state");
}

static int replay_record(void *self, int64_t seq, const char *bytes, size_t length,
                         struct bl_error *err)
{
    struct replay *replay = self;
    BL_AUTO_BUF decided = {0};
    struct bl_buf *noted;
    int status = bl_ledger_apply(replay->ledger, seq, bytes, length, err);

    if (status != BL_OK || replay->ledger->kind != BL_EVENT_ROUND) {
        return status;
    }
    bl_ledger_print_actions(replay->ledger, &decided);
    noted = bl_map_remove(&replay->noted, seq);
    if (noted) {
        status = compare(seq, noted, &decided, err);
        free_text(noted);
    } else if (decided.length > 0) {
        bl_journal_append_actions(replay->journal, seq, bl_buf_text(&decided), decided.length);
    }
    return status;
}

static int restore_row(void *self, int64_t place, const char *bytes, size_t length,
                       struct bl_error *err)
{
    const struct replay *replay = self;

    (void)place;
    return bl_ledger_restore(replay->ledger, bl_journal_head(replay->journal).seq, bytes, length,
                             err);
}

/* Jobs that have left memory have left their numbers used. */
static int restore(struct replay *replay, struct bl_error *err)
{
    bl_job_id last = bl_journal_head(replay->journal).last_job;
    int status = bl_journal_replay_snapshot(replay->journal, restore_row, replay, err);

    if (last > replay->ledger->last_id) {
        replay->ledger->last_id = last;
    }
    return status;
}

int bl_recover_replay(struct bl_journal *journal, struct bl_ledger *ledger, struct bl_error *err)
{
    struct replay replay = {.journal = journal, .ledger = ledger};
    size_t cursor = 0;
    struct bl_buf *left;
    int64_t after = bl_journal_head(journal).seq;
    int status = restore(&replay, err);

    if (status == BL_OK) {
        status = bl_journal_replay_actions_after(journal, after, keep_noted, &replay, err);
    }
    if (status == BL_OK) {
        status = bl_journal_replay_after(journal, after, replay_record, &replay, err);
    }
    while ((left = bl_map_next(&replay.noted, &cursor))) {
        free_text(left);
    }
    if (status != BL_OK && !err->hint[0]) {
        bl_error_set_hint(err, BL_SCHEMA_WAY_OUT);
    }
    bl_map_finish(&replay.noted);
    return status;
}

/* --- the machine and the books --------------------------------------------------------------- */

static const char *pool_of(const struct bl_node_spec *spec)
{
    return spec->pool ? spec->pool : "default";
}

/* As the books name what has no name. */
static const char *type_of(const struct bl_node_spec *spec)
{
    if (spec->gpus == 0) {
        return "none";
    }
    return spec->gpu_type ? spec->gpu_type : "gpu";
}

static bool is_same_shape(const struct bl_node_spec *a, const struct bl_node_spec *b)
{
    return a->gpus == b->gpus && a->counted == b->counted && a->cpu_milli == b->cpu_milli &&
           a->mem_bytes == b->mem_bytes && a->gpu_mem_bytes == b->gpu_mem_bytes &&
           strcmp(type_of(a), type_of(b)) == 0 && strcmp(pool_of(a), pool_of(b)) == 0;
}

static bool is_used(const struct bl_node *node)
{
    return node->free.amount[BL_RESOURCE_GPU] + __builtin_popcountll(node->lost_idle) <
               node->spec.gpus ||
           node->free.amount[BL_RESOURCE_CPU] < node->spec.cpu_milli ||
           node->free.amount[BL_RESOURCE_MEM] < node->spec.mem_bytes;
}

static int fail_shape(const struct bl_node_spec *found, const struct bl_node_spec *book,
                      struct bl_error *err)
{
    bl_fail(err, BL_EREFUSED,
            "jobs hold node %s as it was (%d GPUs of type %s, %lld CPUs, %lld MiB), and now it has "
            "%d of type %s, %lld CPUs, %lld MiB",
            found->name, book->gpus, type_of(book), (long long)(book->cpu_milli / 1000),
            (long long)(book->mem_bytes >> 20), found->gpus, type_of(found),
            (long long)(found->cpu_milli / 1000), (long long)(found->mem_bytes >> 20));
    return bl_error_set_hint(err, "start it as it was and let them end or cancel them, or give the "
                                  "node another name");
}

static void post_state(const char *name, enum bl_node_state state, struct bl_recover_host host)
{
    struct bl_event event = {.kind = BL_EVENT_NODE_STATE};

    event.u.node_state.name = name;
    event.u.node_state.state = state;
    host.post(host.self, &event);
}

static const struct bl_node_spec *find_spec(const struct bl_clusterspec *found, const char *name)
{
    for (size_t i = 0; i < found->node_count; i++) {
        if (strcmp(found->node[i].name, name) == 0) {
            return &found->node[i];
        }
    }
    return NULL;
}

/* All of them before anything is posted: a start that fails leaves the books as they were. */
static int check_shapes(const struct bl_cluster *cluster, const struct bl_clusterspec *found,
                        struct bl_error *err)
{
    for (size_t i = 0; i < found->node_count; i++) {
        const struct bl_node_spec *spec = &found->node[i];
        int32_t index = bl_cluster_find_node(cluster, spec->name);

        if (find_spec(found, spec->name) != spec) {
            return bl_fail(err, BL_EINVAL, "there are two nodes with the name %s", spec->name);
        }
        if (index >= 0 && is_used(&cluster->node[index]) &&
            !is_same_shape(spec, &cluster->node[index].spec)) {
            return fail_shape(spec, &cluster->node[index].spec, err);
        }
    }
    return BL_OK;
}

static void post_found(const struct bl_cluster *cluster, const struct bl_node_spec *found,
                       struct bl_recover_host host)
{
    int32_t index = bl_cluster_find_node(cluster, found->name);

    if (index < 0 || !is_same_shape(found, &cluster->node[index].spec)) {
        struct bl_event event = {.kind = BL_EVENT_NODE_ADDED, .u.node = *found};

        host.post(host.self, &event);
    }
    if (index >= 0 && cluster->node[index].state == BL_NODE_DOWN) {
        post_state(found->name, BL_NODE_UP, host);
    }
}

static bool is_same_policy(const struct bl_policy_choice *a, const struct bl_policy_choice *b)
{
    return a->policy == b->policy && memcmp(a->value, b->value, sizeof a->value) == 0;
}

int bl_recover_align(const struct bl_core *core, const struct bl_clusterspec *found,
                     const struct bl_policy_choice *policy, struct bl_recover_host host,
                     struct bl_error *err)
{
    const struct bl_cluster *cluster = bl_core_cluster(core);
    int status = check_shapes(cluster, found, err);

    if (status != BL_OK) {
        return status;
    }
    for (size_t i = 0; i < found->node_count; i++) {
        post_found(cluster, &found->node[i], host);
    }
    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        if (node->state != BL_NODE_DOWN && !find_spec(found, node->spec.name)) {
            post_state(node->spec.name, BL_NODE_DOWN, host);
        }
    }
    if (!is_same_policy(bl_core_policy(core), policy)) {
        struct bl_event event = {.kind = BL_EVENT_POLICY_SET, .u.policy = *policy};

        host.post(host.self, &event);
    }
    return BL_OK;
}

int bl_recover_check(const struct bl_core *core, const struct bl_clusterspec *found,
                     struct bl_error *err)
{
    const struct bl_cluster *cluster = bl_core_cluster(core);

    for (size_t i = 0; i < found->node_count; i++) {
        int32_t index = bl_cluster_find_node(cluster, found->node[i].name);

        if (index < 0 || !is_same_shape(&found->node[i], &cluster->node[index].spec)) {
            return bl_fail(err, BL_EINVAL,
                           "node %s does not fit into the books: at most %d GPUs a node, %d GPU "
                           "types and %d pools",
                           found->node[i].name, BL_NODE_NAMED_GPUS_MAX, BL_GPU_TYPES_MAX - 1,
                           BL_POOLS_MAX);
        }
    }
    return BL_OK;
}
