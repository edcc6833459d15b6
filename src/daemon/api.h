/* The requests of docs/api.md, on a driver. */
#ifndef BL_DAEMON_API_H
#define BL_DAEMON_API_H

#include "daemon/driver.h"
#include "daemon/examiner.h"
#include "daemon/http.h"
#include "daemon/picture.h"
#include "daemon/series_keeper.h"
#include "daemon/sessions.h"
#include "daemon/sse.h"
#include "daemon/teller.h"
#include "daemon/timeline.h"
#include "daemon/tokens.h"
#include "daemon/use_keeper.h"
#include "form/config.h"
#include "form/json_out.h"

#include <stdatomic.h>

struct bl_waiter;
struct bl_adopting;

struct bl_api {
    struct bl_driver *driver;
    const struct bl_config *config;
    struct bl_tokens *tokens;
    struct bl_sessions *sessions;
    struct bl_http *http; /* set once it serves */
    const char *url;      /* of the TCP port, set with it; "" where there is none */
    struct bl_sse *sse;
    struct bl_picture *picture; /* of the timeline, as readers of events have it */
    struct bl_watch *drawing;   /* of the next one */
    bl_time next_drawing;       /* not before; on the monotonic clock */
    bool is_drawing_due;
    struct bl_series_keeper *series;
    struct bl_teller *teller;
    struct bl_use_keeper *uses; /* of GPUs */
    struct bl_watch *deadline;  /* of the waiter that is due first */
    bl_time began_at;           /* to serve, on the wall clock */
    int64_t last_booking;    /* the highest id that was given out; bookings may be on their way */
    atomic_bool is_stopping; /* whoever looks ahead for an answer gives up */
    struct bl_examiner *examiner; /* of processes */
    struct bl_adopting *adopting; /* processes on their way to be jobs */
    struct bl_waiter *waiters;    /* who asked to be answered when a job has come so far */
};

/* The table of all requests; handlers are given a struct bl_api. */
extern const struct bl_route bl_api_routes[];

struct bl_api_parts {
    struct bl_loop *loop;
    struct bl_driver *driver;
    struct bl_tokens *tokens;
    struct bl_sessions *sessions;
    const struct bl_config *config;
    const struct bl_zone_keeper *zones; /* or NULL */
};
void bl_api_init(struct bl_api *api, const struct bl_api_parts *parts);
/* Who asks: see struct bl_http_options. */
int bl_api_identify(void *self, const struct bl_caller *caller, struct bl_peer *out,
                    enum bl_answer *kind, struct bl_error *err);
/* Whoever looks ahead for an answer gives up: before the driver settles. */
void bl_api_stop_inquiries(struct bl_api *api);
/* Answers those who wait with what there is. The streams end with the server, before finish. */
void bl_api_stop(struct bl_api *api);
void bl_api_finish(struct bl_api *api);

/* Handlers, a file each group. */
void bl_api_submit(void *self, struct bl_request *request);
void bl_api_adopt(void *self, struct bl_request *request);
void bl_api_list(void *self, struct bl_request *request);
void bl_api_show(void *self, struct bl_request *request);
void bl_api_cancel(void *self, struct bl_request *request);
void bl_api_hold(void *self, struct bl_request *request);
void bl_api_release(void *self, struct bl_request *request);
void bl_api_requeue(void *self, struct bl_request *request);
void bl_api_change(void *self, struct bl_request *request);
void bl_api_move(void *self, struct bl_request *request);
void bl_api_curve(void *self, struct bl_request *request);
void bl_api_teach(void *self, struct bl_request *request);
void bl_api_resize(void *self, struct bl_request *request);
void bl_api_why(void *self, struct bl_request *request);
void bl_api_forecast(void *self, struct bl_request *request);
void bl_api_plan(void *self, struct bl_request *request);
void bl_api_outlook(void *self, struct bl_request *request);
void bl_api_drain(void *self, struct bl_request *request);
void bl_api_resume(void *self, struct bl_request *request);
void bl_api_log(void *self, struct bl_request *request);
void bl_api_use(void *self, struct bl_request *request);
void bl_api_nodes(void *self, struct bl_request *request);
void bl_api_gpus(void *self, struct bl_request *request);
void bl_api_reserve(void *self, struct bl_request *request);
void bl_api_reservations(void *self, struct bl_request *request);
void bl_api_reservation(void *self, struct bl_request *request);
void bl_api_change_reservation(void *self, struct bl_request *request);
void bl_api_cancel_reservation(void *self, struct bl_request *request);
void bl_api_timeline(void *self, struct bl_request *request);
void bl_api_ical(void *self, struct bl_request *request);
void bl_api_tokens(void *self, struct bl_request *request);
void bl_api_create_token(void *self, struct bl_request *request);
void bl_api_revoke_token(void *self, struct bl_request *request);
void bl_api_report(void *self, struct bl_request *request);
void bl_api_report_eta(void *self, struct bl_request *request);
void bl_api_metrics(void *self, struct bl_request *request);
void bl_api_session(void *self, struct bl_request *request);
void bl_api_sign_in(void *self, struct bl_request *request);
void bl_api_sign_out(void *self, struct bl_request *request);
void bl_api_make_code(void *self, struct bl_request *request);
void bl_api_health(void *self, struct bl_request *request);
void bl_api_page(void *self, struct bl_request *request);
void bl_api_page_icon(void *self, struct bl_request *request);
void bl_api_page_asset(void *self, struct bl_request *request);

/* --- shared by the handlers --- */

/* Checks the peer; false when it has been answered. */
bool bl_api_admit(struct bl_request *request);

/* {"KEY": [ and, when what is listed was written, ]} as the answer. */
void bl_api_open_list(struct bl_json *json, struct bl_buf *body, const char *key);
void bl_api_answer_list(struct bl_request *request, int code, struct bl_json *json);

/* What a path names: a job by its id, an element of an array by ARRAY_INDEX or its own id. */
struct bl_api_target {
    bl_job_id id;
    const struct bl_job *job;   /* NULL: still on its way to the disk, or a pending element */
    const struct bl_job *array; /* of a pending element */
    int32_t position;           /* of a pending element */
};

/* Admits the peer and finds the target; false when the request has been answered. */
bool bl_api_find_target(struct bl_api *api, struct bl_request *request, struct bl_api_target *out);
/* A job of its own, or NULL when the request has been answered. */
const struct bl_job *bl_api_find_job(struct bl_api *api, struct bl_request *request);
void bl_api_fail_no_job(struct bl_request *request, const char *text);
/* "job 7", "element 3 of array 7". */
void bl_api_print_target(struct bl_buf *out, const struct bl_api_target *target);

/* Answers that nothing was accepted: why the journal cannot be written, or that the daemon stops.
 */
void bl_api_fail_unavailable(const struct bl_api *api, struct bl_request *request);

/* Whether the machine, empty and with every node up, could hold the job; else says what is in the
 * way, and how much there is. */
int bl_api_check_fit(const struct bl_cluster *cluster, const struct bl_job_spec *spec,
                     struct bl_error *err);

/* The same of a slot of its reservation; fine where it has none. */
int bl_api_check_slot(const struct bl_core *core, const struct bl_job_spec *spec,
                      struct bl_error *err);

/* Reads the body of a change of a job; how it stands decides what is legal. The names of types are
 * those of the cluster. */
struct bl_api_standing {
    const struct bl_job_spec *spec;
    const struct bl_cluster *cluster;
    bl_time now;
};
int bl_api_read_change(struct bl_request *request, const struct bl_api_standing *standing,
                       struct bl_job_change *out, struct bl_error *err);

/* A whole number of the query, or `standard` where it is not given; false when it has been
 * answered. */
struct bl_api_range {
    int64_t low, high, standard;
};
bool bl_api_query_int(struct bl_request *request, const char *key, struct bl_api_range range,
                      int64_t *out);

/* An instant of the query (seconds since the epoch, or as in a job file's not_before), or
 * `standard` where it is not given; false when it has been answered. */
struct bl_api_instant {
    bl_time now, standard;
};
bool bl_api_query_instant(struct bl_request *request, const char *key,
                          struct bl_api_instant instant, bl_time *out);

/* The keys from and to of a query, which reach so far back and ahead where they are not given;
 * false when it has been answered. */
struct bl_api_reach {
    bl_time back, ahead;
};
bool bl_api_read_window(const struct bl_api *api, struct bl_request *request,
                        struct bl_api_reach reach, struct bl_window *out);

/* Answers with the whole job. */
void bl_api_answer_job(const struct bl_api *api, struct bl_request *request, int status,
                       const struct bl_job *job);

/* The job with that id; a pending element is made up in `room`. NULL when there is none. */
const struct bl_job *bl_api_look_up(const struct bl_core *core, bl_job_id id, struct bl_job *room);

/* Answers when the job has come so far or the time is over. */
enum bl_wait { BL_WAIT_STARTED, BL_WAIT_ENDED };
void bl_api_wait(struct bl_api *api, struct bl_request *request, bl_job_id job, enum bl_wait until,
                 bl_time longest);
bool bl_api_has_come(const struct bl_job *job, enum bl_wait until);
/* Answers the waiters that these changes satisfy. */
void bl_api_wake_waiters(struct bl_api *api, const struct bl_ledger *ledger);
void bl_api_on_deadline(void *self);

/* A bar as JSON, and its id: "job-7". */
void bl_api_write_bar(struct bl_json *json, const struct bl_cluster *cluster,
                      const struct bl_timeline *timeline, const struct bl_bar *bar);
void bl_api_print_bar_id(struct bl_buf *out, const struct bl_cluster *cluster,
                         const struct bl_bar *bar);
/* Tells readers of events what the timeline shows otherwise than before: now, or as soon as it may
 * be. */
void bl_api_draw(void *self);
void bl_api_draw_soon(struct bl_api *api);

/* The keys of a node's object. */
void bl_api_write_node_keys(struct bl_json *json, const struct bl_ledger *ledger, int32_t node);

#endif
