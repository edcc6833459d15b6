/* GET /api/v1/forecast: when every job that has not ended will start and end. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/job_json.h"

static void write_row(struct bl_json *json, const struct bl_foretold_row *row)
{
    bl_json_open_object(json);
    bl_json_put_int(json, "id", row->job);
    bl_range_json_write(json, "start", &row->start);
    bl_range_json_write(json, "end", &row->end);
    bl_json_put_text(json, "from", bl_foretold_source(row));
    bl_json_put_int(json, "runs", row->runs);
    bl_json_close_object(json);
}

/* As jobs are told of elsewhere: with what has happened since. */
static void write_rows(struct bl_json *json, const struct bl_ledger *ledger,
                       const struct bl_foretelling *told)
{
    bl_json_key(json, "jobs");
    bl_json_open_array(json);
    for (size_t i = 0; told && i < told->table.count; i++) {
        const struct bl_foretold_row *row =
            bl_outlook_find(ledger->outlook, ledger->core, ledger->seq, told->table.row[i].job);

        if (row) {
            write_row(json, row);
        }
    }
    bl_json_close_array(json);
}

void bl_api_forecast(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    const struct bl_foretelling *told = bl_forecaster_told(bl_driver_forecaster(api->driver));
    const struct bl_policy *policy = bl_core_policy(ledger->core)->policy;
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "seq", told ? told->seq : 0);
    bl_json_put_instant(&json, "made_at", told ? told->made_at : 0);
    bl_json_put_int(&json, "runs", told ? told->runs : 0);
    bl_json_put_int(&json, "arrivals", told ? (int64_t)told->arrivals : 0);
    bl_json_put_text(&json, "policy", policy ? policy->name : NULL);
    write_rows(&json, ledger, told);
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}
