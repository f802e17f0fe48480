/* Matrices as arrays of rows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double **make(int64_t n, int64_t seed) {
    double **m = malloc((size_t)n * sizeof *m);
    for (int64_t i = 0; i < n; i++) {
        m[i] = malloc((size_t)n * sizeof **m);
        for (int64_t j = 0; j < n; j++) m[i][j] = (double)((i * 7 + j * 3 + seed) % 10) / 10.0;
    }
    return m;
}

static void multiply(int64_t n, double **a, double **b, double **c) {
    for (int64_t i = 0; i < n; i++) {
        double *row = a[i], *out = c[i];
        for (int64_t k = 0; k < n; k++) {
            double factor = row[k], *other = b[k];
            for (int64_t j = 0; j < n; j++) out[j] = out[j] + factor * other[j];
        }
    }
}

int main(void) {
    int64_t n = 500;
    double **a = make(n, 1), **b = make(n, 2), **c = make(n, 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) c[i][j] = 0.0;
    for (int i = 0; i < 18; i++) multiply(n, a, b, c);
    double trace = 0;
    for (int64_t i = 0; i < n; i++) trace += c[i][i];
    printf("%.3f\n", trace);
}
