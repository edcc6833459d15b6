/* The requests of docs/api.md, on a driver. */
#ifndef BL_DAEMON_API_H
#define BL_DAEMON_API_H

#include "daemon/driver.h"
#include "daemon/http.h"
#include "daemon/sse.h"
#include "form/json_out.h"

struct bl_waiter;

struct bl_api {
    struct bl_driver *driver;
    struct bl_sse *sse;
    struct bl_watch *deadline; /* of the waiter that is due first */
    struct bl_waiter *waiters; /* who asked to be answered when a job has come so far */
};

/* The table of all requests; handlers are given a struct bl_api. */
extern const struct bl_route bl_api_routes[];

void bl_api_init(struct bl_api *api, struct bl_loop *loop, struct bl_driver *driver);
/* Answers those who wait with what there is. The streams end with the server, before finish. */
void bl_api_stop(struct bl_api *api);
void bl_api_finish(struct bl_api *api);

/* Handlers, a file each group. */
void bl_api_submit(void *self, struct bl_request *request);
void bl_api_list(void *self, struct bl_request *request);
void bl_api_show(void *self, struct bl_request *request);
void bl_api_cancel(void *self, struct bl_request *request);
void bl_api_log(void *self, struct bl_request *request);
void bl_api_nodes(void *self, struct bl_request *request);
void bl_api_gpus(void *self, struct bl_request *request);
void bl_api_health(void *self, struct bl_request *request);

/* --- shared by the handlers --- */

/* Checks the peer; false when it has been answered. */
bool bl_api_admit(struct bl_request *request);

/* The job that the path names, or NULL when the request has been answered. `*id` is set in any
 * case; a job that is still on its way to the disk has an id and an owner, but is not found. */
const struct bl_job *bl_api_find_job(struct bl_api *api, struct bl_request *request);
bool bl_api_parse_job_id(struct bl_request *request, bl_job_id *out);
void bl_api_fail_no_job(struct bl_request *request, const char *text);

/* A whole number of the query, or `standard` where it is not given; false when it has been
 * answered. */
struct bl_api_range {
    int64_t low, high, standard;
};
bool bl_api_query_int(struct bl_request *request, const char *key, struct bl_api_range range,
                      int64_t *out);

/* Answers with the whole job. */
void bl_api_answer_job(const struct bl_api *api, struct bl_request *request, int status,
                       const struct bl_job *job);

/* Answers when the job has come so far or the time is over. */
enum bl_wait { BL_WAIT_STARTED, BL_WAIT_ENDED };
void bl_api_wait(struct bl_api *api, struct bl_request *request, bl_job_id job, enum bl_wait until,
                 bl_time longest);
bool bl_api_has_come(const struct bl_job *job, enum bl_wait until);
/* Answers the waiters that these changes satisfy. */
void bl_api_wake_waiters(struct bl_api *api, const struct bl_ledger *ledger);
void bl_api_on_deadline(void *self);

/* The keys of a node's object. */
void bl_api_write_node_keys(struct bl_json *json, const struct bl_ledger *ledger, int32_t node);

#endif
