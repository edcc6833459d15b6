/* A core and a small driver, told what happens in lines of text:
 *
 *     struct scene s = scene_new("2x8:A100 1x4:V100", "easy:durations=exact");
 *     scene_event(&s, "t=0 submit id=1 gpus=8 limit=1h run=30m");
 *     assert_string_equal(scene_starts(&s), "1@0s");
 *
 * The words: `submit id= gpus=A[-B]|A,B,C limit= run= after=ID[:KIND] type= pool= nodes= cpus= mem=
 * user= class= cost= (of a start) efficiency=
 * points=GPUS:SPEED,…`, `cancel id=`, `end id= [code=|signal=|lost=1]`,
 * `fail id=` (the start failed), `resize id= gpus=` (a wish), `progress id= done= total= rate=`,
 * `node name= state=`, `jump by=`, `round`. Times are spans from zero; each event is followed by a
 * ROUND, a started process lives at once, and a job with run= ends by itself when time passes it,
 * and saves its work at once when it is resized or preempted; one without waits for its `end`.
 * Nodes are called n1, n2, … */
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

/* "n1:0,1 n2:3" or "n1:x12" where GPUs are only counted; "" when nothing is booked. Static memory
 * that the next call overwrites. */
const char *scene_where(const struct scene *scene, bl_job_id id);

/* Feeds one event of a driver: for tests that build their own. A ROUND's starts are carried out. */
void scene_step(struct scene *scene, const struct bl_event *event);

#endif
