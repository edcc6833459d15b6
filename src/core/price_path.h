/* A price for a GPU of each type over time: level within cells, nothing outside them. */
#ifndef BL_CORE_PRICE_PATH_H
#define BL_CORE_PRICE_PATH_H

#include <stddef.h>

/* Times in seconds. Cell i lies between edge[i] and edge[i + 1]; edges rise strictly. */
struct bl_price_path {
    size_t type_count;
    size_t cell_count; /* at least 1 */
    double *edge;      /* cell_count + 1 */
    double *price;     /* of a GPU-second, >= 0: [type * cell_count + cell] */
    double *paid;      /* the integral up to each edge: [type * (cell_count + 1) + edge] */
};

/* Copies the edges; all prices are zero. */
void bl_price_path_init(struct bl_price_path *path, size_t type_count, const double *edge,
                        size_t cell_count);
void bl_price_path_finish(struct bl_price_path *path);

/* After a change of prices: works out `paid`. */
void bl_price_path_sum(struct bl_price_path *path);

/* The same cells with the prices of `from`. */
void bl_price_path_copy_prices(struct bl_price_path *path, const struct bl_price_path *from);

/* The cell that holds `at`, which lies in [first edge, last edge). */
size_t bl_price_path_cell(const struct bl_price_path *path, double at);

/* What a GPU of the type costs from the first edge up to `at`. */
double bl_price_path_paid(const struct bl_price_path *path, size_t type, double at);

static inline double bl_price_path_end(const struct bl_price_path *path)
{
    return path->edge[path->cell_count];
}

#endif
