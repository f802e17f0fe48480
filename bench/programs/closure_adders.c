/* Closures that are made at run time, stored in an array and called unknown. */
#include <stdio.h>

typedef struct closure closure;
struct closure { long (*code)(const closure *, long); long a, b; };

static long adder(const closure *c, long x) { return (x + c->a) & 0xffffff; }
static long scaler(const closure *c, long x) { return (x * c->a) & 0xffffff; }
static long mixer(const closure *c, long x) { return ((x ^ c->a) + c->b) & 0xffffff; }
static long twice(const closure *c, long x) { return c->code(c, c->code(c, x)); }

int main(void) {
    closure functions[64];
    for (long i = 0; i < 64; i++)
        functions[i] = i % 3 == 0 ? (closure){adder, i * 17, 0}
                     : i % 3 == 1 ? (closure){scaler, 2 * i + 1, 0}
                                  : (closure){mixer, i * 5, i * 11};
    long acc = 1;
    for (int n = 0; n < 7000000; n++)
        for (int i = 0; i < 64; i++) acc = functions[i].code(&functions[i], acc);
    for (long i = 1; i <= 50000000; i++) {
        closure c = (i & 3) == 0 ? (closure){scaler, 3, 0} : (closure){adder, i, 0};
        acc = twice(&c, acc);
    }
    printf("%ld\n", acc);
    return 0;
}
