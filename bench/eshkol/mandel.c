// The same as mandel.scm.
#include <stdio.h>
static int mandel(double cr, double ci) {
  double zr = 0.0, zi = 0.0;
  int n = 0;
  while (n != 200 && !(zr * zr + zi * zi > 4.0)) {
    double r = zr * zr - zi * zi + cr;
    zi = 2.0 * zr * zi + ci;
    zr = r;
    n++;
  }
  return n;
}
int main(void) {
  int size = 1000;
  long total = 0;
  for (int y = 0; y != size; y++)
    for (int x = 0; x != size; x++) total += mandel(3.0 * x / size - 2.0, 2.0 * y / size - 1.0);
  printf("%ld\n", total);
}
