/* Dual numbers folded through a function that is chosen at run time. */
#include <stdio.h>

typedef struct { double re, eps; } dual;

static dual add(dual a, dual b) { return (dual){a.re + b.re, a.eps + b.eps}; }
static dual mul(dual a, dual b) { return (dual){a.re * b.re, a.re * b.eps + a.eps * b.re}; }
static dual constant(double re) { return (dual){re, 0.0}; }
static dual horner(dual x, dual acc, double k) { return add(mul(acc, x), constant(k)); }
static dual power(dual x, dual acc, double k) { return mul(acc, add(x, constant(k * 0.001))); }

int main(void) {
    double coefficients[100], total = 0.0;
    for (int i = 0; i < 100; i++) coefficients[i] = 1.0 / (i + 1);
    for (int i = 1; i <= 2000000; i++) {
        dual x = {0.9 + (i & 15) / 200.0, 1.0}, r = constant(1.0);
        dual (*step)(dual, dual, double) = (i & 3) == 0 ? power : horner;
        for (int j = 0; j < 100; j++) r = step(x, r, coefficients[j]);
        total = total + r.re + r.eps;
    }
    printf("%.6f\n", total);
    return 0;
}
