// The same as mlp.ml; the gradient is written by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 16, HIDDEN = 32, SAMPLES = 64, PARAMETERS = HIDDEN * INPUTS + HIDDEN + HIDDEN + 1 };

static long seed = 12345;
static double data[SAMPLES][INPUTS], target[SAMPLES];

static double random_number(void) {
    seed = (seed * 1103515245 + 12345) & 0x3FFFFFFF;
    return (double)seed / (double)0x3FFFFFFF - 0.5;
}

static double loss(const double *w) {
    double total = 0;
    for (int s = 0; s < SAMPLES; s++) {
        double result = w[PARAMETERS - 1];
        for (int j = 0; j < HIDDEN; j++) {
            double sum = w[HIDDEN * INPUTS + j];
            for (int i = 0; i < INPUTS; i++) sum += w[j * INPUTS + i] * data[s][i];
            result += w[HIDDEN * INPUTS + HIDDEN + j] * tanh(sum);
        }
        double error = result - target[s];
        total += error * error;
    }
    return total / SAMPLES;
}

static void gradient(const double *w, double *g) {
    memset(g, 0, PARAMETERS * sizeof *g);
    for (int s = 0; s < SAMPLES; s++) {
        double activation[HIDDEN];
        double result = w[PARAMETERS - 1];
        for (int j = 0; j < HIDDEN; j++) {
            double sum = w[HIDDEN * INPUTS + j];
            for (int i = 0; i < INPUTS; i++) sum += w[j * INPUTS + i] * data[s][i];
            activation[j] = tanh(sum);
            result += w[HIDDEN * INPUTS + HIDDEN + j] * activation[j];
        }
        double back = 2 * (result - target[s]) / SAMPLES;
        g[PARAMETERS - 1] += back;
        for (int j = 0; j < HIDDEN; j++) {
            g[HIDDEN * INPUTS + HIDDEN + j] += back * activation[j];
            double inner = back * w[HIDDEN * INPUTS + HIDDEN + j] * (1 - activation[j] * activation[j]);
            g[HIDDEN * INPUTS + j] += inner;
            for (int i = 0; i < INPUTS; i++) g[j * INPUTS + i] += inner * data[s][i];
        }
    }
}

int main(int argc, char **argv) {
    (void)argc;
    int rounds = atoi(argv[2]);
    // The order of evaluation of the original: data, targets, parameters.
    for (int s = 0; s < SAMPLES; s++)
        for (int i = 0; i < INPUTS; i++) data[s][i] = random_number();
    for (int s = 0; s < SAMPLES; s++) target[s] = random_number();
    static double w[PARAMETERS], g[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) w[i] = random_number();
    double check = 0;
    for (int i = 1; i <= rounds; i++) {
        w[0] += 1e-6;
        if (argv[1][0] == 'p') {
            check += loss(w);
        } else {
            gradient(w, g);
            check += g[i % PARAMETERS];
        }
    }
    printf("%.10g\n", check);
}
