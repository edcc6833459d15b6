#include "core/cholesky.h"

#include <math.h>

bool bl_cholesky_factor(double *lower, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = lower + BL_TRIANGLE(i);

        for (size_t j = 0; j <= i; j++) {
            const double *other = lower + BL_TRIANGLE(j);
            double sum = row[j];

            for (size_t k = 0; k < j; k++) {
                sum -= row[k] * other[k];
            }
            if (j < i) {
                row[j] = sum / other[j];
            } else if (!(sum > 0) || !isfinite(sum)) {
                return false;
            } else {
                row[j] = sqrt(sum);
            }
        }
    }
    return true;
}

void bl_cholesky_forward(const double *lower, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = lower + BL_TRIANGLE(i);
        double sum = x[i];

        for (size_t k = 0; k < i; k++) {
            sum -= row[k] * x[k];
        }
        x[i] = sum / row[i];
    }
}

void bl_cholesky_backward(const double *lower, size_t n, double *x)
{
    for (size_t i = n; i-- > 0;) {
        const double *row = lower + BL_TRIANGLE(i);

        x[i] /= row[i];
        for (size_t k = 0; k < i; k++) {
            x[k] -= row[k] * x[i];
        }
    }
}
