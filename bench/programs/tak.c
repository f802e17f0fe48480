/* Takeuchi's function: calls with several arguments. */
#include <inttypes.h>
#include <stdio.h>

static int64_t tak(int64_t x, int64_t y, int64_t z) {
    if (y >= x) return z;
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

int main(void) {
    int64_t sum = 0;
    for (int64_t i = 0; i <= 399; i++) sum += tak(24 + (i & 1), 16, 8);
    printf("%" PRId64 "\n", sum);
}
