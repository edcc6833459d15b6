/* Looks at what baleen needs of this machine, one check after the other. */
#ifndef BL_CLI_DOCTOR_H
#define BL_CLI_DOCTOR_H

#include "base/buf.h"
#include "base/vec.h"
#include "cli/server.h"

#include <stdbool.h>

enum bl_grade { BL_GRADE_OK, BL_GRADE_NOTE, BL_GRADE_BAD };

struct bl_finding {
    const char *check; /* "daemon", "state" … */
    enum bl_grade grade;
    char *text;
    char *remedy; /* "" where there is nothing to mend */
};

struct bl_findings {
    BL_VEC(struct bl_finding) list;
};

struct bl_doctor_scene {
    const struct bl_server *server; /* where the client would connect */
    const char *state;              /* --state, or NULL for the usual one */
};

void bl_doctor_look(const struct bl_doctor_scene *scene, struct bl_findings *out);

/* Adds one; `text` and `remedy` are copied, `remedy` may be NULL. */
void bl_doctor_add(struct bl_findings *out, const char *check, enum bl_grade grade,
                   const char *text, const char *remedy);

bool bl_doctor_is_well(const struct bl_findings *findings); /* nothing must be mended */
void bl_doctor_print(struct bl_buf *out, const struct bl_findings *findings);
void bl_doctor_print_json(struct bl_buf *out, const struct bl_findings *findings);
void bl_findings_finish(struct bl_findings *findings);

/* The single checks. */
void bl_doctor_look_daemon(const struct bl_server *server, struct bl_findings *out);
void bl_doctor_look_state(const char *state, struct bl_findings *out);
void bl_doctor_look_cgroup(struct bl_findings *out);
void bl_doctor_look_gpus(struct bl_findings *out);
void bl_doctor_look_clock(struct bl_findings *out);
void bl_doctor_look_zone(struct bl_findings *out);
void bl_doctor_look_supervisor(struct bl_findings *out);

#endif
