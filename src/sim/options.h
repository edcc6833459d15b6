/* The command line of baleen-sim. */
#ifndef BL_SIM_OPTIONS_H
#define BL_SIM_OPTIONS_H

#include "base/vec.h"
#include "core/policy.h"
#include "form/trace.h"

enum bl_sim_task {
    BL_SIM_REPLAY,
    BL_SIM_HELP,
    BL_SIM_VERSION,
    BL_SIM_LIST_POLICIES,
    BL_SIM_LIST_FORMATS
};

/* Where the jobs come from. */
enum bl_sim_input {
    BL_SIM_TRACE,  /* a trace format of form */
    BL_SIM_JOURNAL /* a daemon's state directory */
};

struct bl_sim_policy {
    const char *text; /* as it was written */
    struct bl_policy_choice choice;
};

/* Strings are those of argv. */
struct bl_sim_options {
    enum bl_sim_task task;
    enum bl_sim_input input;
    const char *cluster_path; /* NULL = none */
    int64_t slots;            /* 0 = none */
    const char *trace_path;
    const struct bl_trace_format *format; /* NULL = told by the file's first bytes */
    BL_VEC(struct bl_sim_policy) policies;
    bl_time round;             /* 0 = a round for each event */
    bool has_round;            /* it was given; else a format's own clock goes before it */
    const char *profiles_path; /* of formats with a clock of their own */
    const char *waits_path;
    const char *log_path;
    bool as_json;
    bool lenient;
    bool verbose;
    bool with_bound;
    bool with_eta;
    bool with_oracle;
    bool check; /* journal: compare with the actions that it holds */
};

/* A failure is a mistake in usage. */
int bl_sim_options_parse(int argc, char *const *argv, struct bl_sim_options *out,
                         struct bl_error *err);
void bl_sim_options_finish(struct bl_sim_options *options);

/* Appends the text of --help. */
void bl_sim_options_print_help(struct bl_buf *out);

#endif
