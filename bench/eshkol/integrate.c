// The same as integrate.scm.
#include <math.h>
#include <stdio.h>
static double f(double x) { return x * sqrt(1.0 + x * x) / (2.0 + x); }
static double simpson(double a, double b, double n) {
  double h = (b - a) / n, s = 0.0;
  for (double i = 0.0; i < n; i += 1.0) {
    double x = a + i * h;
    s = s + f(x) + 4.0 * f(x + 0.5 * h) + f(x + h);
  }
  return s * h / 6.0;
}
static double oscillate(double n) {
  double x = 1.0, v = 0.0;
  for (double i = 0.0; i < n; i += 1.0) {
    v = v - 0.001 * x;
    x = x + 0.001 * v;
  }
  return x;
}
int main(void) {
  printf("%.17g\n", simpson(0.0, 3.0, 20000000.0));
  printf("%.17g\n", oscillate(100000000.0));
}
