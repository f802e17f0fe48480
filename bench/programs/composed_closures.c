/* Long chains of closures that call each other: an object holds its code, then what it captures. */
#include <stdio.h>
#include <stdlib.h>

typedef struct closure closure;
struct closure { long (*code)(closure *, long); closure *f, *g; long k; };

static long run(closure *c, long x) { return c->code(c, x); }
static long code_compose(closure *c, long x) { return run(c->f, run(c->g, x)); }
static long code_step(closure *c, long x) { return (x * 3 + c->k) & 0xfffffff; }
static long code_same(closure *c, long x) { (void)c; return x; }

static closure *make(long (*code)(closure *, long), closure *f, closure *g, long k) {
    closure *c = malloc(sizeof *c);
    *c = (closure){code, f, g, k};
    return c;
}

static closure *step(long k) { return make(code_step, 0, 0, k); }
static closure *chain(long n) {
    return n == 0 ? make(code_same, 0, 0, 0) : make(code_compose, step(n), chain(n - 1), 0);
}
static closure *balanced(long lo, long hi) {
    if (hi - lo == 1) return step(lo);
    long mid = (lo + hi) / 2;
    return make(code_compose, balanced(lo, mid), balanced(mid, hi), 0);
}
static void drop(closure *c) {
    while (c) {
        closure *next = c->g;
        free(c->f);
        free(c);
        c = next;
    }
}

int main(void) {
    closure *f = chain(1000), *g = balanced(0, 1024);
    long acc = 7;
    for (int i = 0; i < 150000; i++) acc = run(f, run(g, acc));
    for (int i = 1; i <= 100000; i++) {
        closure *c = chain(i & 63);
        acc = run(c, acc);
        drop(c);
    }
    printf("%ld\n", acc);
    return 0;
}
