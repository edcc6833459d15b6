#include "core/totals.h"

#include <math.h>
#include <string.h>

static int is_amount(double amount)
{
    return isfinite(amount) && amount > 0;
}

void bl_totals_note_done(struct bl_totals *totals, double done)
{
    if (is_amount(done) && done > totals->furthest) {
        totals->furthest = done;
    }
}

void bl_totals_note_finished(struct bl_totals *totals, double total)
{
    if (!is_amount(total)) {
        return;
    }
    if (totals->count == BL_TOTALS_MAX) {
        memmove(totals->total, totals->total + 1, (BL_TOTALS_MAX - 1) * sizeof *totals->total);
        totals->count--;
    }
    totals->total[totals->count++] = total;
    bl_totals_note_done(totals, total);
}

/* Of the finished jobs that did more than this one has: their mean, and the scatter of logarithms.
 * A job that has outdone them all is taken to be near its end. */
static struct bl_total among_finished(const struct bl_totals *totals, double done)
{
    double sum = 0;
    double logs = 0;
    double squares = 0;
    double count = 0;

    for (size_t i = 0; i < totals->count; i++) {
        if (totals->total[i] >= done) {
            sum += totals->total[i];
            logs += log(totals->total[i]);
            squares += log(totals->total[i]) * log(totals->total[i]);
            count++;
        }
    }
    if (count <= 0) {
        return (struct bl_total){done * 1.25, 0.5, totals->count};
    }
    return (struct bl_total){
        .expected = sum / count,
        .deviation = sqrt(fmax(squares / count - logs / count * (logs / count), 0) +
                          0.25 / ((double)totals->count * (double)totals->count)),
        .finished = totals->count,
    };
}

struct bl_total bl_totals_expect(const struct bl_totals *totals, double done)
{
    done = is_amount(done) ? done : 0;
    if (totals->count) {
        return among_finished(totals, done);
    }
    return (struct bl_total){2 * fmax(totals->furthest, done), 1, 0};
}
