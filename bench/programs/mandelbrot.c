/* Floats in loops, without memory. */
#include <inttypes.h>
#include <stdio.h>

static int64_t iterations(double cr, double ci, int64_t limit) {
    double zr = 0, zi = 0;
    int64_t n = 0;
    while (n < limit) {
        double zr2 = zr * zr, zi2 = zi * zi;
        if (zr2 + zi2 > 4.0) break;
        double next = zr2 - zi2 + cr;
        zi = 2.0 * zr * zi + ci;
        zr = next;
        n++;
    }
    return n;
}

int main(void) {
    int64_t size = 1200, total = 0;
    for (int64_t row = 0; row < size; row++) {
        double ci = 2.0 * (double)row / (double)size - 1.0;
        for (int64_t column = 0; column < size; column++) {
            double cr = 3.0 * (double)column / (double)size - 2.0;
            total += iterations(cr, ci, 1000);
        }
    }
    printf("%" PRId64 "\n", total);
}
