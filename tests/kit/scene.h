/* A core and a small driver, told what happens in lines of text:
 *
 *     struct scene s = scene_new("2x8:A100 1x4:V100", "easy:durations=exact");
 *     scene_event(&s, "t=0 submit id=1 gpus=8 limit=1h run=30m");
 *     assert_string_equal(scene_starts(&s), "1@0s");
 *
 * The words: `submit id= gpus=A[-B]|A,B,C limit= run= after=ID[:KIND] type= pool= nodes= cpus= mem=
 * user= class= cost= (of a start) efficiency=
 * points=GPUS:SPEED,…`, `cancel id=`, `end id= [code=|signal=|lost=1|gone=1]`,
 * `change id= [limit=] [priority=] [gpus=] [type=NAME|any] [nodes=] [class=]`,
 * `fail id=` (the start failed), `resize id= gpus=` (a wish), `progress id= done= total= rate=`,
 * `node name= state=`, `lose name= mask=HEX` (GPUs of a node; all others are there), `jump by=`,
 * `round`, `reserve id= gpus= from= for= [type=] [on=NODE[:GPU-GPU]] [flex=] [release=] [every=SPAN
 * times=N]`, `rebook id= first= [only=1]` and the words of `reserve`, `unreserve id= [occurrence=]
 * [following=1]`, `adopt id= gpus= on=NODE[:GPU-GPU]` and the words of `submit`; a job may be of a
 * booking: `reservation=ID`. Times are spans from zero; each event is followed by a ROUND, a
 * started process lives at once, and a job with run= ends by itself when time passes it, and saves
 * its work at once when it is resized or preempted; one without waits for its `end`. Nodes are
 * called n1, n2, … */
#ifndef BL_KIT_SCENE_H
#define BL_KIT_SCENE_H

#include "base/buf.h"
#include "base/heap.h"
#include "core/core.h"

struct scene {
    struct bl_core *core;
    struct bl_actions actions;
    struct bl_heap ends;
    struct bl_buf starts;
    struct bl_buf log; /* every action as a line */
    bl_time now;
};

struct scene scene_new(const char *nodes, const char *policy);
void scene_free(struct scene *scene);

void scene_event(struct scene *scene, const char *line);

/* Lets time pass until all jobs with run= have ended; "1@0s 2@3h" in the order of starts. */
const char *scene_starts(struct scene *scene);

/* "running", or the reason's word where `scene_why`. */
const char *scene_state(const struct scene *scene, bl_job_id id);
struct bl_reason scene_why(const struct scene *scene, bl_job_id id);
const char *scene_why_word(const struct scene *scene, bl_job_id id);

/* Each occurrence of a booking that is not over: "1 booked 1h-3h n1:0,1; 2 …". Static memory, too.
 */
const char *scene_booking(const struct scene *scene, int64_t id);

/* The spec of a `submit` line. Strings lie in the arena. */
struct bl_job_spec scene_spec(const char *line, struct bl_arena *arena);

/* The same of an `adopt` line. */
struct bl_job_spec scene_adopted(const char *line, struct bl_arena *arena);

/* The spec of a `reserve` line. Strings lie in the arena. */
struct bl_booking_spec scene_wish(const char *line, struct bl_arena *arena);

/* "n1:0,1 n2:3" or "n1:x12" where GPUs are only counted; "" when nothing is booked. Static memory
 * that the next call overwrites. */
const char *scene_where(const struct scene *scene, bl_job_id id);

/* Feeds one event of a driver: for tests that build their own. A ROUND's starts are carried out. */
void scene_step(struct scene *scene, const struct bl_event *event);

#endif
