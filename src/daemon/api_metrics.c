/* GET /metrics: for Prometheus and what reads its text format. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/gauges.h"
#include "form/exposition.h"
#include "os/clock.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void put_build(struct bl_exposition *to, const struct bl_api *api)
{
    const struct bl_core *core = bl_driver_ledger(api->driver)->core;
    const struct bl_label labels[] = {{"version", BL_VERSION},
                                      {"engine", bl_driver_engine_name(api->driver)},
                                      {"policy", bl_core_policy(core)->policy->name},
                                      {NULL, NULL}};

    bl_exposition_family(to, "baleen_build_info", BL_FAMILY_GAUGE,
                         "1, with what this daemon is and decides by.");
    bl_exposition_int(to, labels, 1);
}

static void put_work(struct bl_exposition *to, const struct bl_api *api)
{
    struct bl_driver_times times;

    bl_driver_times(api->driver, &times);
    bl_exposition_family(to, "baleen_round_seconds", BL_FAMILY_HISTOGRAM,
                         "How long rounds of decisions took; begins anew when the daemon does.");
    bl_exposition_histogram(to, &bl_bounds_of_work, &times.rounds);
    bl_exposition_family(to, "baleen_journal_commit_seconds", BL_FAMILY_HISTOGRAM,
                         "How long commits to the journal took; begins anew when the daemon does.");
    bl_exposition_histogram(to, &bl_bounds_of_work, &times.commits);
    bl_exposition_family(to, "baleen_journal_records_total", BL_FAMILY_COUNTER,
                         "Records of the journal that were applied.");
    bl_exposition_int(to, NULL, bl_driver_ledger(api->driver)->seq);
}

static void put_requests(struct bl_exposition *to, const struct bl_http *http)
{
    bl_exposition_family(to, "baleen_http_requests_total", BL_FAMILY_COUNTER,
                         "Requests that were answered, by status; begins anew when the daemon "
                         "does.");
    for (int status = 100; status < 600; status++) {
        BL_AUTO_BUF code = {0};
        int64_t count = bl_http_answered(http, status);

        bl_buf_printf(&code, "%d", status);
        if (count > 0 || status == 200) {
            const struct bl_label labels[] = {{"code", bl_buf_text(&code)}, {NULL, NULL}};

            bl_exposition_int(to, labels, count);
        }
    }
}

/* Pages that are resident; 0 when the kernel does not tell. */
static long resident_pages(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    char line[128];
    char *size_end;
    long resident = 0;

    if (!file) {
        return 0;
    }
    if (fgets(line, sizeof line, file)) {
        strtol(line, &size_end, 10);
        resident = strtol(size_end, NULL, 10);
    }
    fclose(file);
    return resident;
}

static bl_time processor_time(void)
{
    struct timespec used = {0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (bl_time)used.tv_sec * BL_SECOND + used.tv_nsec / 1000;
}

static void put_process(struct bl_exposition *to, const struct bl_api *api)
{
    bl_exposition_family(to, "baleen_process_resident_memory_bytes", BL_FAMILY_GAUGE,
                         "Memory of the daemon that is resident.");
    bl_exposition_int(to, NULL, (int64_t)resident_pages() * sysconf(_SC_PAGESIZE));
    bl_exposition_family(to, "baleen_process_cpu_seconds_total", BL_FAMILY_COUNTER,
                         "Processor time of the daemon; begins anew when it does.");
    bl_exposition_seconds(to, NULL, processor_time());
    bl_exposition_family(to, "baleen_process_start_time_seconds", BL_FAMILY_GAUGE,
                         "When the daemon began to serve, in seconds since the epoch.");
    bl_exposition_seconds(to, NULL, api->began_at);
}

void bl_api_metrics(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_headers headers = {.type = "text/plain; version=0.0.4; charset=utf-8",
                                       .name = {"Cache-Control", "X-Content-Type-Options"},
                                       .value = {"no-store", "nosniff"}};
    BL_AUTO_BUF body = {0};
    struct bl_exposition to = {.out = &body};

    if (!bl_api_admit(request)) {
        return;
    }
    put_build(&to, api);
    bl_gauges_write(&to, bl_driver_ledger(api->driver), bl_driver_now(api->driver));
    put_work(&to, api);
    put_requests(&to, api->http);
    put_process(&to, api);
    bl_request_answer_bytes(request, &headers, &body);
}
