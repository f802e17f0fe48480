// Problems of yardstick.ml in C, with gradients written by hand.
// usage: yardstick (primal|gradient) ROUNDS (lse|llsq|det|ode|kmeans|gmm|lstm)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long seed = 12345;

static double random_number(void) {
    seed = (seed * 1103515245 + 12345) & 0x3FFFFFFF;
    return (double)seed / (double)0x3FFFFFFF - 0.5;
}

// --- lse ---------------------------------------------------------------------------------------

enum { LSE = 1000 };

static double log_sum_exp(const double *a, int n) {
    double top = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > top) top = a[i];
    for (int i = 0; i < n; i++) sum += exp(a[i] - top);
    return top + log(sum);
}

static double lse(const double *x) { return log_sum_exp(x, LSE); }

static void lse_gradient(const double *x, double *g) {
    double top = -INFINITY, sum = 0;
    for (int i = 0; i < LSE; i++)
        if (x[i] > top) top = x[i];
    for (int i = 0; i < LSE; i++) sum += g[i] = exp(x[i] - top);
    for (int i = 0; i < LSE; i++) g[i] /= sum;
}

// --- llsq --------------------------------------------------------------------------------------

enum { LLSQ = 10, TIMES = 1000 };

static double error_at(const double *x, double t) {
    double power = 1, left = (t > 0) - (t < 0);
    for (int j = 0; j < LLSQ; j++) {
        left -= x[j] * power;
        power *= t;
    }
    return left;
}

static double llsq(const double *x) {
    double total = 0;
    for (int i = 0; i < TIMES; i++) {
        double e = error_at(x, -1 + 2.0 * i / (TIMES - 1));
        total += e * e;
    }
    return total / 2;
}

static void llsq_gradient(const double *x, double *g) {
    memset(g, 0, LLSQ * sizeof *g);
    for (int i = 0; i < TIMES; i++) {
        double t = -1 + 2.0 * i / (TIMES - 1), power = error_at(x, t);
        for (int j = 0; j < LLSQ; j++) {
            g[j] -= power;
            power *= t;
        }
    }
}

// --- det: minors of the rows from one on, over the columns that are left ------------------------

enum { SIZE = 7, DET = SIZE * SIZE };

static double minor_of(const double *a, int *next, int row) {
    if (row == SIZE) return 1;
    double total = 0, sign = 1;
    int before = SIZE;
    for (int column = next[SIZE]; column != SIZE; column = next[column]) {
        next[before] = next[column];
        total += sign * a[row * SIZE + column] * minor_of(a, next, row + 1);
        next[before] = column;
        sign = -sign;
        before = column;
    }
    return total;
}

static void all_columns(int *next) {
    for (int i = 0; i <= SIZE; i++) next[i] = (i + 1) % (SIZE + 1);
}

static double det(const double *a) {
    int next[SIZE + 1];
    all_columns(next);
    return minor_of(a, next, 0);
}

// `by` is the product of the elements above, with signs.
static double minor_back(const double *a, double *g, int *next, int row, double by) {
    if (row == SIZE) return 1;
    double total = 0, sign = 1;
    int before = SIZE;
    for (int column = next[SIZE]; column != SIZE; column = next[column]) {
        double item = sign * a[row * SIZE + column];
        next[before] = next[column];
        double rest = minor_back(a, g, next, row + 1, by * item);
        g[row * SIZE + column] += by * sign * rest;
        total += item * rest;
        next[before] = column;
        sign = -sign;
        before = column;
    }
    return total;
}

static void det_gradient(const double *a, double *g) {
    int next[SIZE + 1];
    all_columns(next);
    memset(g, 0, DET * sizeof *g);
    minor_back(a, g, next, 0, 1);
}

// --- ode ---------------------------------------------------------------------------------------

enum { ODE = 20, STEPS = 50 };

static void field(const double *rate, const double *x, const double *y, double *slope) {
    slope[0] = x[0];
    for (int i = 1; i < ODE; i++) slope[i] = rate[i] * y[i - 1];
}

static void rates(const double *x, double *rate) {
    rate[0] = 0;
    for (int i = 1; i < ODE; i++) rate[i] = rate[i - 1] + x[i];
}

static const double PART[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};

static void step(const double *rate, const double *x, const double *y, double z[4][ODE], double *to) {
    double h = 1.0 / STEPS, k[4][ODE];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < ODE; i++) z[s][i] = s ? y[i] + PART[s] * h * k[s - 1][i] : y[i];
        field(rate, x, z[s], k[s]);
    }
    for (int i = 0; i < ODE; i++)
        to[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static double ode(const double *x) {
    double rate[ODE], y[ODE] = {0}, z[4][ODE];
    rates(x, rate);
    for (int n = 0; n < STEPS; n++) step(rate, x, y, z, y);
    return y[ODE - 1];
}

static void ode_gradient(const double *x, double *g) {
    static double y[STEPS + 1][ODE], z[STEPS][4][ODE];
    double rate[ODE], by_rate[ODE] = {0}, back[ODE] = {0}, h = 1.0 / STEPS, first = 0;
    rates(x, rate);
    memset(y[0], 0, sizeof y[0]);
    for (int n = 0; n < STEPS; n++) step(rate, x, y[n], z[n], y[n + 1]);
    back[ODE - 1] = 1;
    for (int n = STEPS - 1; n >= 0; n--) {
        double before[ODE], by_k[ODE], by_z[ODE];
        memcpy(before, back, sizeof before);
        for (int s = 3; s >= 0; s--) {
            for (int i = 0; i < ODE; i++)
                by_k[i] = h / 6 * WEIGHT[s] * back[i] + (s < 3 ? PART[s + 1] * h * by_z[i] : 0);
            by_z[ODE - 1] = 0;
            first += by_k[0];
            for (int i = 1; i < ODE; i++) {
                by_rate[i] += by_k[i] * z[n][s][i - 1];
                by_z[i - 1] = by_k[i] * rate[i];
            }
            for (int i = 0; i < ODE; i++) before[i] += by_z[i];
        }
        memcpy(back, before, sizeof before);
    }
    g[0] = first;
    for (int i = ODE - 1, n = 0; i > 0; i--, n = 1) g[i] = by_rate[i] + (n ? g[i + 1] : 0);
}

// --- kmeans ------------------------------------------------------------------------------------

enum { WIDTH = 4, POINTS = 500, CENTRES = 8, KMEANS = CENTRES * WIDTH };
static double points[POINTS][WIDTH];

static int nearest(const double *c, const double *p, double *least) {
    int best = 0;
    *least = INFINITY;
    for (int j = 0; j < CENTRES; j++) {
        double distance = 0;
        for (int i = 0; i < WIDTH; i++) {
            double d = p[i] - c[j * WIDTH + i];
            distance += d * d;
        }
        if (distance < *least) *least = distance, best = j;
    }
    return best;
}

static double kmeans(const double *c) {
    double total = 0, least;
    for (int s = 0; s < POINTS; s++) {
        nearest(c, points[s], &least);
        total += least;
    }
    return total;
}

static void kmeans_gradient(const double *c, double *g) {
    memset(g, 0, KMEANS * sizeof *g);
    for (int s = 0; s < POINTS; s++) {
        double least;
        int j = nearest(c, points[s], &least);
        for (int i = 0; i < WIDTH; i++) g[j * WIDTH + i] -= 2 * (points[s][i] - c[j * WIDTH + i]);
    }
}

// --- gmm ---------------------------------------------------------------------------------------

enum { D = 8, K = 8, UNDER = D * (D - 1) / 2, N = 100, GMM = K + 2 * K * D + K * UNDER };
static double seen[N][D];

static double mixture(const double *p, double *g) {
    const double *mean = p + K, *diagonal = mean + K * D, *below = diagonal + K * D;
    double scales[K * D], sums[K], terms[K], away[K][D], z[K][D], total = 0, prior = 0;
    for (int i = 0; i < K * D; i++) scales[i] = exp(diagonal[i]);
    for (int j = 0; j < K; j++) {
        sums[j] = 0;
        for (int i = 0; i < D; i++) sums[j] += diagonal[j * D + i];
    }
    if (g) memset(g, 0, GMM * sizeof *g);
    for (int s = 0; s < N; s++) {
        for (int j = 0; j < K; j++) {
            for (int i = 0; i < D; i++) away[j][i] = seen[s][i] - mean[j * D + i];
            double square = 0;
            const double *l = below + j * UNDER;
            for (int r = 0; r < D; l += r++) {
                double sum = scales[j * D + r] * away[j][r];
                for (int c = 0; c < r; c++) sum += l[c] * away[j][c];
                z[j][r] = sum;
                square += sum * sum;
            }
            terms[j] = p[j] + sums[j] - 0.5 * square;
        }
        double all = log_sum_exp(terms, K);
        total += all;
        if (!g) continue;
        double *gm = g + K, *gd = gm + K * D, *gb = gd + K * D;
        for (int j = 0; j < K; j++) {
            double share = exp(terms[j] - all);
            g[j] += share;
            double *gl = gb + j * UNDER;
            const double *l = below + j * UNDER;
            for (int r = 0; r < D; l += r, gl += r, r++) {
                double by = share * z[j][r];
                gd[j * D + r] += share - by * away[j][r] * scales[j * D + r];
                gm[j * D + r] += by * scales[j * D + r];
                for (int c = 0; c < r; c++) {
                    gm[j * D + c] += by * l[c];
                    gl[c] -= by * away[j][c];
                }
            }
        }
    }
    for (int i = 0; i < K * D; i++) prior += scales[i] * scales[i];
    for (int i = 0; i < K * UNDER; i++) prior += below[i] * below[i];
    double all = log_sum_exp(p, K);
    if (g) {
        for (int j = 0; j < K; j++) g[j] -= N * exp(p[j] - all);
        for (int i = 0; i < K * D; i++) g[K + K * D + i] -= scales[i] * scales[i];
        for (int i = 0; i < K * UNDER; i++) g[K + 2 * K * D + i] -= below[i];
    }
    return total - N * all - 0.5 * prior;
}

static double gmm(const double *p) { return mixture(p, NULL); }
static void gmm_gradient(const double *p, double *g) { mixture(p, g); }

// --- lstm --------------------------------------------------------------------------------------

enum { CELLS = 14, LENGTH = 20, LSTM = 19 * CELLS };
static double text[LENGTH][CELLS];

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static double text_loss(const double *p, double *g) {
    static double x[LENGTH][3][CELLS], f[LENGTH][2][CELLS], in[LENGTH][2][CELLS], out[LENGTH][2][CELLS];
    static double change[LENGTH][2][CELLS], cell[LENGTH + 1][2][CELLS], hidden[LENGTH + 1][2][CELLS];
    static double squashed[LENGTH][2][CELLS], power[LENGTH][CELLS], sums[LENGTH], counts[LENGTH];
    const double *last = p + 16 * CELLS;
    double total = 0;
    memset(cell[0], 0, sizeof cell[0]);
    memset(hidden[0], 0, sizeof hidden[0]);
    for (int t = 0; t < LENGTH - 1; t++) {
        for (int i = 0; i < CELLS; i++) x[t][0][i] = text[t][i] * last[i];
        for (int n = 0; n < 2; n++)
            for (int i = 0; i < CELLS; i++) {
                const double *q = p + 8 * n * CELLS + i;
                double v = x[t][n][i], h = hidden[t][n][i];
                f[t][n][i] = sigmoid(q[0] * v + q[CELLS]);
                in[t][n][i] = sigmoid(q[2 * CELLS] * h + q[3 * CELLS]);
                out[t][n][i] = sigmoid(q[4 * CELLS] * v + q[5 * CELLS]);
                change[t][n][i] = tanh(q[6 * CELLS] * h + q[7 * CELLS]);
                cell[t + 1][n][i] = cell[t][n][i] * f[t][n][i] + in[t][n][i] * change[t][n][i];
                squashed[t][n][i] = tanh(cell[t + 1][n][i]);
                x[t][n + 1][i] = hidden[t + 1][n][i] = out[t][n][i] * squashed[t][n][i];
            }
        double sum = 2, wanted = 0, count = 0;
        for (int i = 0; i < CELLS; i++) {
            double guess = x[t][2][i] * last[CELLS + i] + last[2 * CELLS + i];
            sum += power[t][i] = exp(guess);
            wanted += text[t + 1][i] * guess;
            count += text[t + 1][i];
        }
        sums[t] = sum;
        counts[t] = count;
        total += wanted - count * log(sum);
    }
    double scale = -1.0 / (CELLS * (LENGTH - 1));
    if (!g) return scale * total;
    double dh[2][CELLS] = {0}, dc[2][CELLS] = {0}, *gl = g + 16 * CELLS;
    memset(g, 0, LSTM * sizeof *g);
    for (int t = LENGTH - 2; t >= 0; t--) {
        double dx[CELLS];
        for (int i = 0; i < CELLS; i++) {
            double by = scale * (text[t + 1][i] - counts[t] * power[t][i] / sums[t]);
            gl[CELLS + i] += by * x[t][2][i];
            gl[2 * CELLS + i] += by;
            dx[i] = by * last[CELLS + i];
        }
        for (int n = 1; n >= 0; n--)
            for (int i = 0; i < CELLS; i++) {
                const double *q = p + 8 * n * CELLS + i;
                double *r = g + 8 * n * CELLS + i;
                double by = dx[i] + dh[n][i], v = x[t][n][i], h = hidden[t][n][i];
                double c = dc[n][i] + by * out[t][n][i] * (1 - squashed[t][n][i] * squashed[t][n][i]);
                double bo = by * squashed[t][n][i] * out[t][n][i] * (1 - out[t][n][i]);
                double bf = c * cell[t][n][i] * f[t][n][i] * (1 - f[t][n][i]);
                double bi = c * change[t][n][i] * in[t][n][i] * (1 - in[t][n][i]);
                double ba = c * in[t][n][i] * (1 - change[t][n][i] * change[t][n][i]);
                r[0] += bf * v;
                r[CELLS] += bf;
                r[2 * CELLS] += bi * h;
                r[3 * CELLS] += bi;
                r[4 * CELLS] += bo * v;
                r[5 * CELLS] += bo;
                r[6 * CELLS] += ba * h;
                r[7 * CELLS] += ba;
                dx[i] = bf * q[0] + bo * q[4 * CELLS];
                dh[n][i] = bi * q[2 * CELLS] + ba * q[6 * CELLS];
                dc[n][i] = c * f[t][n][i];
            }
        for (int i = 0; i < CELLS; i++) gl[i] += dx[i] * text[t][i];
    }
    return scale * total;
}

static double lstm(const double *p) { return text_loss(p, NULL); }
static void lstm_gradient(const double *p, double *g) { text_loss(p, g); }

static const struct {
    const char *name;
    int parameters;
    double (*value)(const double *);
    void (*gradient)(const double *, double *);
} problems[] = {
    {"lse", LSE, lse, lse_gradient},          {"llsq", LLSQ, llsq, llsq_gradient},
    {"det", DET, det, det_gradient},          {"ode", ODE, ode, ode_gradient},
    {"kmeans", KMEANS, kmeans, kmeans_gradient}, {"gmm", GMM, gmm, gmm_gradient},
    {"lstm", LSTM, lstm, lstm_gradient},
};

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    // In the order of the program in OCaml, which also draws the numbers of a hand.
    for (int s = 0; s < POINTS; s++)
        for (int i = 0; i < WIDTH; i++) points[s][i] = random_number();
    for (int s = 0; s < N; s++)
        for (int i = 0; i < D; i++) seen[s][i] = random_number();
    for (int i = 0; i < LENGTH * CELLS; i++) text[i / CELLS][i % CELLS] = i / CELLS * 5 % CELLS == i % CELLS;
    for (int i = 0; i < 60 + 120; i++) random_number();
    int rounds = atoi(argv[2]);
    for (size_t m = 0; m < sizeof problems / sizeof *problems; m++) {
        if (strcmp(problems[m].name, argv[3])) continue;
        static double w[2048], g[2048];
        int n = problems[m].parameters;
        for (int i = 0; i < n; i++) w[i] = random_number();
        double check = 0;
        for (int i = 1; i <= rounds; i++) {
            w[0] += 1e-6;
            if (argv[1][0] == 'p') {
                check += problems[m].value(w);
            } else {
                problems[m].gradient(w, g);
                check += g[i % n];
            }
        }
        printf("%.10g\n", check);
        return 0;
    }
    return 2;
}
