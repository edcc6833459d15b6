/* Jobs as the API tells them, and the words for them. */
#ifndef BL_CLI_JOBS_H
#define BL_CLI_JOBS_H

#include "base/span.h"
#include "cli/cli.h"
#include "cli/say.h"
#include "form/tree.h"

#include <stdbool.h>
#include <stdint.h>

enum { BL_JOBS_PAGE = 1000 };

/* What a reason's sentence is made of; which of them mean something depends on its code. */
struct bl_reason_numbers {
    int64_t job, need, have;
    bl_time at; /* 0: none */
};

/* How the elements of an array stand; elements is 0 for any other job. */
struct bl_array_counts {
    int64_t elements, pending, running, done, failed, running_max;
};

/* What is shown of a job. Texts are borrowed from the answer and never NULL. */
struct bl_job_view {
    int64_t id;
    int64_t array_id;    /* of an element: its array; 0 else */
    int64_t array_index; /* of an element; -1 else */
    struct bl_array_counts array;
    const char *name, *user, *project, *job_class, *kind;
    const char *state;
    const char *reason, *reason_text;
    bool has_numbers;
    struct bl_reason_numbers numbers;
    int64_t gpus_min, gpus_max, gpus_now;
    bl_time submitted_at, started_at, ended_at; /* 0: not yet */
    bl_time starts_at, ends_at;                 /* by the forecast, the middle; 0: not known */
    bl_time starts_by, ends_by;                 /* the same in nine of ten cases */
    const char *eta_from; /* "limits", "median", "runs": what they rest on; "": nothing */
    int64_t eta_runs;
    bl_time limit; /* 0: none */
    bool has_progress;
    double progress; /* 0 to 1 */
    int64_t priority;
    int64_t attempt;
    bool has_exit_code;
    int64_t exit_code;
    const char *ref; /* of a reservation that stands among jobs: its id; NULL else */
    const struct bl_tree *tree;
};

void bl_job_view_read(const struct bl_tree *tree, struct bl_job_view *out);
/* Of it only the reason, from any map that has one. */
void bl_job_view_read_reason(const struct bl_tree *tree, struct bl_job_view *out);

/* Fields of an answer with what stands in for null and for a missing one. */
const char *bl_field_text(const struct bl_tree *map, const char *key, const char *otherwise);
int64_t bl_field_int(const struct bl_tree *map, const char *key, int64_t otherwise);
double bl_field_double(const struct bl_tree *map, const char *key, double otherwise);
bl_time bl_field_time(const struct bl_tree *map, const char *key);
bool bl_field_is_null(const struct bl_tree *map, const char *key);
const struct bl_tree *bl_field_list(const struct bl_tree *map, const char *key); /* or NULL */
const char *bl_item_text(const struct bl_tree *list, size_t index);

/* Pages of jobs, put together. Zeroes are empty. */
struct bl_job_list {
    struct bl_reply **page;
    size_t page_count;
    size_t page_capacity;
    struct bl_job_view *at; /* in order of id */
    size_t count;
    size_t capacity;
};

/* `query` is what follows "jobs?", without limit and after; may be "". */
int bl_job_list_fetch(struct bl_client *client, const char *query, struct bl_job_list *out,
                      struct bl_error *err);
/* Appends {"jobs": […]} with all pages. */
void bl_job_list_print_json(struct bl_buf *out, const struct bl_job_list *list);
void bl_job_list_finish(struct bl_job_list *list);

/* Slurm's letters ("PD", "R", "CD" …); the word itself when it is not known here. */
const char *bl_job_letters(const char *state);
/* The API's states for a word or Slurm's letters, with commas between; NULL when unknown. */
const char *bl_job_states_of(const char *word);
enum bl_tint bl_job_tint(const char *state);

bool bl_job_is_ended(const struct bl_job_view *job);
bool bl_job_has_process(const struct bl_job_view *job); /* running, resizing, stopping */
bool bl_job_is_placed(const struct bl_job_view *job);   /* starting, too */

/* Held because it failed again and again: nothing more comes until somebody acts. */
bool bl_job_gave_up(const struct bl_job_view *job);

/* Appends "0-3,5"; nothing for null. */
void bl_job_print_gpu_set(struct bl_buf *out, const struct bl_tree *gpus);

/* "node1 gpu0-3, node2" or, for the table, "node1:0-3 node2". */
enum bl_where_style { BL_WHERE_WORDS, BL_WHERE_SHORT, BL_WHERE_ONE_NODE };
void bl_job_print_where(struct bl_buf *out, const struct bl_job_view *job,
                        enum bl_where_style style);

/* "4" or "4 (2-8)". */
void bl_job_print_gpus(struct bl_buf *out, const struct bl_job_view *job);

/* The array's object of the answer, or NULL. */
const struct bl_tree *bl_job_array(const struct bl_job_view *job);

/* Appends "10 elements: 6 wait, 2 run, 2 done"; nothing for what is no array. */
void bl_job_print_counts(struct bl_buf *out, const struct bl_job_view *job);

/* "7", of an element "7_2". */
void bl_job_print_id(struct bl_buf *out, const struct bl_job_view *job);

/* Why it is where it is, as a sentence in the language of the environment. */
void bl_job_print_reason(struct bl_buf *out, const struct bl_job_view *job);
bool bl_job_has_reason(const struct bl_job_view *job);

/* Appends the word for a state in the language of the environment. */
void bl_job_print_state(struct bl_buf *out, const char *state);

/* "job 7 tiny", for the beginning of sentences. */
void bl_job_print_title(struct bl_buf *out, const struct bl_job_view *job);

/* Appends the line on a job that was just queued, with its limit and its forecast. */
void bl_job_print_welcome(struct bl_buf *out, const struct bl_job_view *job, bl_time now);

/* Appends a sentence on its latest start, or why none is promised; nothing where none was asked
 * for, or it has started. */
void bl_job_print_promise(struct bl_buf *out, const struct bl_job_view *job, bl_time now);
/* The same behind another sentence. */
void bl_job_add_promise(struct bl_buf *out, const struct bl_job_view *job, bl_time now);

/* Appends one sentence on how the job stands: "running on node1 gpu0", "queued, needs 4 GPUs …",
 * "failed, exit code 3". */
void bl_job_print_standing(struct bl_buf *out, const struct bl_job_view *job);

#endif
