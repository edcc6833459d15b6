/* Small symmetric systems: the lower triangle by rows, row i at i (i + 1) / 2. */
#ifndef BL_CORE_CHOLESKY_H
#define BL_CORE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

#define BL_TRIANGLE(n) ((n) * ((n) + 1) / 2)

/* Replaces the matrix by its factor L, A = L L'; false when it is not positive definite. */
bool bl_cholesky_factor(double *lower, size_t n);

/* x := L^-1 x, and x := L'^-1 x; both in turn solve A x = b. */
void bl_cholesky_forward(const double *lower, size_t n, double *x);
void bl_cholesky_backward(const double *lower, size_t n, double *x);

#endif
