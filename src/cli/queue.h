/* The queue as a table: which columns there are, and what stands in them. */
#ifndef BL_CLI_QUEUE_H
#define BL_CLI_QUEUE_H

#include "cli/jobs.h"
#include "cli/table.h"

enum { BL_QUEUE_FIELDS_MAX = 24 };

/* Columns by their index in the table of all. */
struct bl_queue_fields {
    size_t at[BL_QUEUE_FIELDS_MAX];
    size_t count;
    bool are_usual; /* none were asked for: columns that would be empty may be left out */
};

/* "id,name,state"; NULL gives the usual ones. */
int bl_queue_fields_parse(const char *text, struct bl_queue_fields *out, struct bl_error *err);

/* What the rows need to know beside the job. */
struct bl_queue_scene {
    bl_time now;
    bool has_one_node; /* then a GPU's place needs no node */
};

/* Adds the rows of reservations (the answer of /reservations) that go on or begin within a day. */
void bl_queue_add_reservations(struct bl_job_list *list, const struct bl_tree *reservations,
                               bl_time now);

/* Orders for reading: what ended, what runs, reservations, what waits; by id within,
 * reservations by their starts. */
void bl_queue_sort(struct bl_job_view *jobs, size_t count);

void bl_queue_fill(struct bl_table *table, const struct bl_queue_fields *fields,
                   const struct bl_job_list *list, const struct bl_queue_scene *scene);

/* Appends "8 GPUs: 5 busy, 3 free · 2 running · 1 queued". `nodes` is the answer of /nodes. */
void bl_queue_print_summary(struct bl_buf *out, const struct bl_tree *nodes,
                            const struct bl_job_list *active);

#endif
