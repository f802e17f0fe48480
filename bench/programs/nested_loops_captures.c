/* Nested loops; in the ML program the inner ones are local functions. */
#include <inttypes.h>
#include <stdio.h>

static int64_t run(int64_t n) {
    int64_t total = 0, bias = n & 7;
    for (int64_t i = 1; i <= n; i++) {
        int64_t row = i * 31;
        for (int64_t j = 1; j <= n; j++) {
            int64_t cell = (row ^ (j * 17)) + bias;
            for (int64_t k = 1; k <= 8; k++) {
                int64_t weight = ((cell * k) ^ (int64_t)((uint64_t)cell >> 3)) & 1023;
                total = (total + weight) & 0xffffffffff;
            }
        }
    }
    return total;
}

int main(void) { printf("%" PRId64 "\n", run(10000)); }
