#include "core/price_path.h"

#include "base/own.h"

#include <assert.h>
#include <string.h>

void bl_price_path_init(struct bl_price_path *path, size_t type_count, const double *edge,
                        size_t cell_count)
{
    assert(cell_count > 0);
    *path = (struct bl_price_path){.type_count = type_count, .cell_count = cell_count};
    path->edge = bl_realloc_array(NULL, cell_count + 1, sizeof *path->edge);
    memcpy(path->edge, edge, (cell_count + 1) * sizeof *edge);
    path->price = bl_alloc_zero((type_count * cell_count + 1) * sizeof *path->price);
    path->paid = bl_alloc_zero((type_count * (cell_count + 1) + 1) * sizeof *path->paid);
}

void bl_price_path_finish(struct bl_price_path *path)
{
    free(path->edge);
    free(path->price);
    free(path->paid);
    *path = (struct bl_price_path){0};
}

void bl_price_path_sum(struct bl_price_path *path)
{
    for (size_t type = 0; type < path->type_count; type++) {
        const double *price = path->price + type * path->cell_count;
        double *paid = path->paid + type * (path->cell_count + 1);

        paid[0] = 0;
        for (size_t i = 0; i < path->cell_count; i++) {
            paid[i + 1] = paid[i] + price[i] * (path->edge[i + 1] - path->edge[i]);
        }
    }
}

void bl_price_path_copy_prices(struct bl_price_path *path, const struct bl_price_path *from)
{
    memcpy(path->price, from->price, path->type_count * path->cell_count * sizeof *path->price);
    bl_price_path_sum(path);
}

size_t bl_price_path_cell(const struct bl_price_path *path, double at)
{
    size_t low = 0;
    size_t high = path->cell_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (path->edge[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double bl_price_path_paid(const struct bl_price_path *path, size_t type, double at)
{
    const double *paid = path->paid + type * (path->cell_count + 1);
    size_t cell;

    if (at <= path->edge[0]) {
        return 0;
    }
    if (at >= bl_price_path_end(path)) {
        return paid[path->cell_count];
    }
    cell = bl_price_path_cell(path, at);
    return paid[cell] + path->price[type * path->cell_count + cell] * (at - path->edge[cell]);
}
