/* The single checks of the doctor. */
#include "cli/doctor.h"

#include "base/own.h"
#include "base/units.h"
#include "cli/client.h"
#include "cli/jobs.h"
#include "cli/say.h"
#include "os/cgroup.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/nvml.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

/* A finding while it is worded. */
struct wording {
    struct bl_buf text;
    struct bl_buf remedy;
};

static void add(struct bl_findings *out, const char *check, enum bl_grade grade,
                struct wording *wording)
{
    bl_doctor_add(out, check, grade, bl_buf_text(&wording->text), bl_buf_text(&wording->remedy));
    bl_buf_finish(&wording->text);
    bl_buf_finish(&wording->remedy);
}

/* --- the daemon ------------------------------------------------------------------------------ */

/* Over TCP nobody can tell. */
static void print_owner(struct bl_buf *out, const struct bl_server *server)
{
    struct stat info;
    bool is_known = server->socket.length > 0 && !stat(bl_buf_text(&server->socket), &info);
    const struct passwd *owner = is_known ? getpwuid(info.st_uid) : NULL;

    bl_buf_append_text(out, owner ? owner->pw_name : "?");
}

/* Books that are larger than the machine let more run than it can carry. */
static void look_books(struct bl_client *client, struct bl_findings *out)
{
    BL_AUTO_REPLY reply = {0};
    const struct bl_tree *nodes;
    struct wording wording = {0};
    double cpus = 0;
    int64_t mem = 0;
    long has_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t has_mem = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    BL_AUTO_BUF booked = {0};
    BL_AUTO_BUF there = {0};

    if (bl_client_get(client, "/api/v1/nodes", &reply, NULL)) {
        return;
    }
    nodes = bl_field_list(reply.tree, "nodes");
    for (size_t i = 0; nodes && i < nodes->child_count; i++) {
        cpus += bl_field_double(&nodes->child[i], "cpus", 0);
        mem += bl_field_int(&nodes->child[i], "mem_bytes", 0);
    }
    if (cpus <= (double)has_cpus && mem <= has_mem) {
        return;
    }
    bl_size_print(&booked, mem);
    bl_size_print(&there, has_mem);
    BL_SAY(&wording.text, BL_SAY_DOCTOR_BOOKS, BL_N((int64_t)cpus), BL_T(bl_buf_text(&booked)),
           BL_N(has_cpus), BL_T(bl_buf_text(&there)));
    bl_say(&wording.remedy, BL_SAY_DOCTOR_BOOKS_REMEDY);
    add(out, "books", BL_GRADE_NOTE, &wording);
}

void bl_doctor_look_daemon(const struct bl_server *server, struct bl_findings *out)
{
    struct bl_client *client = bl_client_create(server);
    BL_AUTO_REPLY reply = {0};
    struct bl_error err = {0};
    struct wording wording = {0};
    int status = bl_client_get(client, "/healthz", &reply, &err);

    if (status) {
        bl_buf_append_text(&wording.text, err.text);
        bl_buf_append_text(&wording.remedy, err.hint);
        add(out, "daemon", BL_GRADE_BAD, &wording);
    } else {
        const char *version = bl_field_text(reply.tree, "version", "?");
        bool is_same = !strcmp(version, BL_VERSION);
        BL_AUTO_BUF owner = {0};

        print_owner(&owner, server);
        BL_SAY(&wording.text, BL_SAY_DOCTOR_DAEMON, BL_T(bl_server_name(server)),
               BL_T(bl_buf_text(&owner)), BL_T(bl_field_text(reply.tree, "engine", "?")),
               BL_T(bl_field_text(reply.tree, "policy", "?")));
        if (!is_same) {
            BL_SAY(&wording.remedy, BL_SAY_DOCTOR_VERSION, BL_T(version), BL_T(BL_VERSION));
        }
        add(out, "daemon", is_same ? BL_GRADE_OK : BL_GRADE_NOTE, &wording);
        look_books(client, out);
    }
    bl_client_destroy(client);
}

void bl_doctor_look_supervisor(struct bl_findings *out)
{
    static const char *const places[] = {"../supervisor/baleen-supervisor", /* of a build folder */
                                         BL_LIBEXEC_FROM_BIN "/baleen-supervisor",
                                         "baleen-supervisor", NULL};
    struct wording wording = {0};
    BL_AUTO_BUF path = {0};

    if (bl_fs_find_beside(places, &path)) {
        BL_SAY(&wording.text, BL_SAY_DOCTOR_SUPERVISOR, BL_T(bl_buf_text(&path)));
        add(out, "supervisor", BL_GRADE_OK, &wording);
        return;
    }
    bl_fs_program_dir(&path, NULL);
    BL_SAY(&wording.text, BL_SAY_DOCTOR_NO_SUPERVISOR, BL_T(bl_buf_text(&path)));
    bl_say(&wording.remedy, BL_SAY_DOCTOR_NO_SUPERVISOR_REMEDY);
    add(out, "supervisor", BL_GRADE_BAD, &wording);
}

/* --- the machine ----------------------------------------------------------------------------- */

static void find_state(const char *given, struct bl_buf *out)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    if (given) {
        bl_buf_append_text(out, given);
    } else if (geteuid() == 0) {
        bl_buf_append_text(out, "/var/lib/baleen");
    } else if (state && state[0] == '/') {
        bl_buf_printf(out, "%s/baleen", state);
    } else {
        bl_buf_printf(out, "%s/.local/state/baleen", home ? home : "");
    }
}

/* The folder itself, or the nearest above it that is there: it would be made below. */
static void find_existing(struct bl_buf *path)
{
    while (access(bl_buf_text(path), F_OK) && path->length > 1) {
        const char *slash = strrchr(bl_buf_text(path), '/');
        size_t length = slash ? (size_t)(slash - bl_buf_text(path)) : 0;
        BL_AUTO_BUF above = {0};

        bl_buf_append(&above, bl_buf_text(path), length);
        bl_buf_clear(path);
        bl_buf_append_text(path, length ? bl_buf_text(&above) : slash ? "/" : ".");
    }
}

void bl_doctor_look_state(const char *state, struct bl_findings *out)
{
    enum { MIB_BAD = 64, MIB_NOTE = 1024 };
    struct statvfs disk;
    struct wording wording = {0};
    BL_AUTO_BUF wanted = {0};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF room = {0};
    int64_t mib;

    find_state(state, &wanted);
    bl_buf_append_text(&path, bl_buf_text(&wanted));
    find_existing(&path);
    if (statvfs(bl_buf_text(&path), &disk) || access(bl_buf_text(&path), W_OK)) {
        BL_SAY(&wording.text, BL_SAY_DOCTOR_STATE_CLOSED, BL_T(bl_buf_text(&wanted)),
               BL_T(strerror(errno)));
        bl_say(&wording.remedy, BL_SAY_DOCTOR_STATE_CLOSED_REMEDY);
        add(out, "state", BL_GRADE_BAD, &wording);
        return;
    }
    mib = (int64_t)((double)disk.f_bavail * (double)disk.f_frsize / (1024.0 * 1024.0));
    bl_size_print(&room, mib * 1024 * 1024);
    BL_SAY(&wording.text, BL_SAY_DOCTOR_STATE, BL_T(bl_buf_text(&wanted)),
           BL_T(bl_buf_text(&room)));
    if (mib < MIB_NOTE) {
        bl_say(&wording.remedy, BL_SAY_DOCTOR_STATE_REMEDY);
    }
    add(out, "state",
        mib < MIB_BAD    ? BL_GRADE_BAD
        : mib < MIB_NOTE ? BL_GRADE_NOTE
                         : BL_GRADE_OK,
        &wording);
}

/* The group that was made for the look is taken away again. */
void bl_doctor_look_cgroup(struct bl_findings *out)
{
    struct bl_cgroup_base base = {0};
    struct bl_error err = {0};
    struct wording wording = {0};
    bool is_full;

    if (bl_cgroup_open_base("doctor", &base, &err)) {
        BL_SAY(&wording.text, BL_SAY_DOCTOR_NO_CGROUP, BL_T(err.text));
        bl_say(&wording.remedy, BL_SAY_DOCTOR_NO_CGROUP_REMEDY);
        add(out, "cgroup", BL_GRADE_NOTE, &wording);
        bl_cgroup_base_finish(&base);
        return;
    }
    is_full = base.has_memory && base.has_cpu;
    BL_SAY(&wording.text, BL_SAY_DOCTOR_CGROUP, BL_T(bl_buf_text(&base.path)),
           BL_T(base.has_memory ? "+" : "–"), BL_T(base.has_cpu ? "+" : "–"));
    if (!is_full) {
        bl_say(&wording.remedy, BL_SAY_DOCTOR_CGROUP_REMEDY);
    }
    bl_cgroup_remove(bl_buf_text(&base.path));
    add(out, "cgroup", is_full ? BL_GRADE_OK : BL_GRADE_NOTE, &wording);
    bl_cgroup_base_finish(&base);
}

void bl_doctor_look_gpus(struct bl_findings *out)
{
    struct bl_nvml_list gpus = {0};
    struct bl_error err = {0};
    struct wording wording = {0};

    if (bl_nvml_list(&gpus, &err)) {
        bl_buf_append_text(&wording.text, err.text);
        bl_say(&wording.remedy, BL_SAY_DOCTOR_NVML_REMEDY);
        add(out, "gpus", BL_GRADE_BAD, &wording);
    } else if (gpus.gpus.count == 0) {
        bl_say(&wording.text, BL_SAY_DOCTOR_NO_GPUS);
        bl_say(&wording.remedy, BL_SAY_DOCTOR_NO_GPUS_REMEDY);
        add(out, "gpus", BL_GRADE_NOTE, &wording);
    } else {
        BL_SAY(&wording.text, BL_SAY_DOCTOR_GPUS, BL_N((int64_t)gpus.gpus.count),
               BL_T(gpus.gpus.at[0].name));
        add(out, "gpus", BL_GRADE_OK, &wording);
    }
    bl_nvml_list_finish(&gpus);
}

void bl_doctor_look_clock(struct bl_findings *out)
{
    /* 2025-01-01: a clock before it was never set */
    const bl_time least = INT64_C(1735689600) * BL_SECOND;
    struct timex state = {0};
    bool is_synced = adjtimex(&state) != TIME_ERROR;
    struct wording wording = {0};
    bool is_set = bl_clock_wall() >= least;

    bl_clock_print_full(&wording.text, bl_clock_wall());
    if (!is_set) {
        bl_say(&wording.remedy, BL_SAY_DOCTOR_CLOCK_UNSET);
    } else if (!is_synced) {
        bl_say(&wording.remedy, BL_SAY_DOCTOR_CLOCK_LOOSE);
    }
    add(out, "clock", !is_set ? BL_GRADE_BAD : is_synced ? BL_GRADE_OK : BL_GRADE_NOTE, &wording);
}

static bool zone_exists(const char *zone)
{
    BL_AUTO_BUF path = {0};

    zone += *zone == ':';
    bl_buf_printf(&path, "%s%s", *zone == '/' ? "" : "/usr/share/zoneinfo/", zone);
    return !access(bl_buf_text(&path), R_OK);
}

/* glibc takes a name that it does not know for UTC, and says nothing. */
void bl_doctor_look_zone(struct bl_findings *out)
{
    const char *zone = getenv("TZ");
    bool is_name = zone && *zone && strpbrk(zone, "0123456789,<") == NULL;
    bool is_unknown = is_name && strcmp(zone, "UTC") != 0 && !zone_exists(zone);
    bool is_unset = (!zone || !*zone) && access("/etc/localtime", R_OK) != 0;
    struct wording wording = {0};

    if (is_unknown) {
        BL_SAY(&wording.text, BL_SAY_DOCTOR_ZONE_UNKNOWN, BL_T(zone));
        bl_say(&wording.remedy, BL_SAY_DOCTOR_ZONE_REMEDY);
    } else if (is_unset) {
        bl_say(&wording.text, BL_SAY_DOCTOR_ZONE_UNSET);
    } else {
        bl_buf_append_text(&wording.text, zone && *zone ? zone : "/etc/localtime");
    }
    add(out, "zone", is_unknown ? BL_GRADE_BAD : is_unset ? BL_GRADE_NOTE : BL_GRADE_OK, &wording);
}
