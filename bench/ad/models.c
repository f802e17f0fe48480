// The models of this folder in C, with gradients written by hand.
// usage: models (mlp|gmm|lstm|reprojection|ode) (primal|gradient) ROUNDS
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long seed = 12345;

static double random_number(void) {
    seed = (seed * 1103515245 + 12345) & 0x3FFFFFFF;
    return (double)seed / (double)0x3FFFFFFF - 0.5;
}

// --- multilayer perceptron -------------------------------------------------------------------

enum { INPUTS = 16, HIDDEN = 32, SAMPLES = 64, MLP = HIDDEN * INPUTS + HIDDEN + HIDDEN + 1 };
static double data[SAMPLES][INPUTS], target[SAMPLES];

static void mlp_setup(void) {
    for (int s = 0; s < SAMPLES; s++)
        for (int i = 0; i < INPUTS; i++) data[s][i] = random_number();
    for (int s = 0; s < SAMPLES; s++) target[s] = random_number();
}

static double mlp(const double *w) {
    double total = 0;
    for (int s = 0; s < SAMPLES; s++) {
        double result = w[MLP - 1];
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

static void mlp_gradient(const double *w, double *g) {
    memset(g, 0, MLP * sizeof *g);
    for (int s = 0; s < SAMPLES; s++) {
        double activation[HIDDEN];
        double result = w[MLP - 1];
        for (int j = 0; j < HIDDEN; j++) {
            double sum = w[HIDDEN * INPUTS + j];
            for (int i = 0; i < INPUTS; i++) sum += w[j * INPUTS + i] * data[s][i];
            activation[j] = tanh(sum);
            result += w[HIDDEN * INPUTS + HIDDEN + j] * activation[j];
        }
        double back = 2 * (result - target[s]) / SAMPLES;
        g[MLP - 1] += back;
        for (int j = 0; j < HIDDEN; j++) {
            g[HIDDEN * INPUTS + HIDDEN + j] += back * activation[j];
            double inner =
                back * w[HIDDEN * INPUTS + HIDDEN + j] * (1 - activation[j] * activation[j]);
            g[HIDDEN * INPUTS + j] += inner;
            for (int i = 0; i < INPUTS; i++) g[j * INPUTS + i] += inner * data[s][i];
        }
    }
}

// --- mixture of Gaussians --------------------------------------------------------------------

enum { D = 8, K = 8, N = 200, GMM = K + 2 * K * D };
static double points[N][D];

static void gmm_setup(void) {
    for (int s = 0; s < N; s++)
        for (int i = 0; i < D; i++) points[s][i] = random_number();
}

static double log_sum_exp(const double *a) {
    double best = a[0], sum = 0;
    for (int i = 1; i < K; i++)
        if (a[i] > best) best = a[i];
    for (int i = 0; i < K; i++) sum += exp(a[i] - best);
    return best + log(sum);
}

static double gmm(const double *p) {
    double normal = log_sum_exp(p), total = 0, terms[K], factor[K * D];
    for (int i = 0; i < K * D; i++) factor[i] = exp(p[K + K * D + i]);
    for (int s = 0; s < N; s++) {
        for (int j = 0; j < K; j++) {
            double sum = p[j];
            for (int i = 0; i < D; i++) {
                double scale = p[K + K * D + j * D + i];
                double z = (points[s][i] - p[K + j * D + i]) * factor[j * D + i];
                sum += scale - 0.5 * z * z;
            }
            terms[j] = sum;
        }
        total += log_sum_exp(terms) - normal;
    }
    return total;
}

static void gmm_gradient(const double *p, double *g) {
    memset(g, 0, GMM * sizeof *g);
    double normal = log_sum_exp(p), factor[K * D];
    for (int i = 0; i < K * D; i++) factor[i] = exp(p[K + K * D + i]);
    for (int s = 0; s < N; s++) {
        double terms[K], z[K][D];
        for (int j = 0; j < K; j++) {
            double sum = p[j];
            for (int i = 0; i < D; i++) {
                double scale = p[K + K * D + j * D + i];
                z[j][i] = (points[s][i] - p[K + j * D + i]) * factor[j * D + i];
                sum += scale - 0.5 * z[j][i] * z[j][i];
            }
            terms[j] = sum;
        }
        double all = log_sum_exp(terms);
        for (int j = 0; j < K; j++) {
            double share = exp(terms[j] - all);
            g[j] += share;
            for (int i = 0; i < D; i++) {
                g[K + j * D + i] += share * z[j][i] * factor[j * D + i];
                g[K + K * D + j * D + i] += share * (1 - z[j][i] * z[j][i]);
            }
        }
    }
    for (int j = 0; j < K; j++) g[j] -= N * exp(p[j] - normal);
}

// --- LSTM ------------------------------------------------------------------------------------

enum { UNITS = 16, STEPS = 50, GATE = 3 * UNITS, LSTM = 4 * GATE };
static double sequence[STEPS + 1][UNITS];

static void lstm_setup(void) {
    for (int t = 0; t <= STEPS; t++)
        for (int i = 0; i < UNITS; i++) sequence[t][i] = random_number();
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static double gate(const double *p, int g, int i, double x, double h) {
    int at = g * GATE + i;
    return p[at] * x + p[at + UNITS] * h + p[at + 2 * UNITS];
}

static double lstm(const double *p) {
    double h[UNITS] = {0}, c[UNITS] = {0}, total = 0;
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < UNITS; i++) {
            double x = sequence[t][i];
            double forget = sigmoid(gate(p, 0, i, x, h[i]));
            double input = sigmoid(gate(p, 1, i, x, h[i]));
            double output = sigmoid(gate(p, 2, i, x, h[i]));
            double change = tanh(gate(p, 3, i, x, h[i]));
            c[i] = forget * c[i] + input * change;
            h[i] = output * tanh(c[i]);
            double error = h[i] - sequence[t + 1][i];
            total += error * error;
        }
    return total;
}

static void gate_back(const double *p, double *g, int which, int i, double x, double h, double by,
                      double *dh) {
    int at = which * GATE + i;
    g[at] += by * x;
    g[at + UNITS] += by * h;
    g[at + 2 * UNITS] += by;
    *dh += by * p[at + UNITS];
}

static void lstm_gradient(const double *p, double *g) {
    static double f[STEPS][UNITS], in[STEPS][UNITS], o[STEPS][UNITS], a[STEPS][UNITS],
        th[STEPS][UNITS], hs[STEPS + 1][UNITS], cs[STEPS + 1][UNITS];
    memset(g, 0, LSTM * sizeof *g);
    memset(hs[0], 0, sizeof hs[0]);
    memset(cs[0], 0, sizeof cs[0]);
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < UNITS; i++) {
            double x = sequence[t][i], h = hs[t][i];
            f[t][i] = sigmoid(gate(p, 0, i, x, h));
            in[t][i] = sigmoid(gate(p, 1, i, x, h));
            o[t][i] = sigmoid(gate(p, 2, i, x, h));
            a[t][i] = tanh(gate(p, 3, i, x, h));
            cs[t + 1][i] = f[t][i] * cs[t][i] + in[t][i] * a[t][i];
            th[t][i] = tanh(cs[t + 1][i]);
            hs[t + 1][i] = o[t][i] * th[t][i];
        }
    double dh[UNITS] = {0}, dc[UNITS] = {0};
    for (int t = STEPS - 1; t >= 0; t--)
        for (int i = 0; i < UNITS; i++) {
            double x = sequence[t][i], h = hs[t][i];
            double back = dh[i] + 2 * (hs[t + 1][i] - sequence[t + 1][i]);
            double cell = dc[i] + back * o[t][i] * (1 - th[t][i] * th[t][i]);
            double before = 0;
            gate_back(p, g, 0, i, x, h, cell * cs[t][i] * f[t][i] * (1 - f[t][i]), &before);
            gate_back(p, g, 1, i, x, h, cell * a[t][i] * in[t][i] * (1 - in[t][i]), &before);
            gate_back(p, g, 2, i, x, h, back * th[t][i] * o[t][i] * (1 - o[t][i]), &before);
            gate_back(p, g, 3, i, x, h, cell * in[t][i] * (1 - a[t][i] * a[t][i]), &before);
            dc[i] = cell * f[t][i];
            dh[i] = before;
        }
}

// --- reprojection error ----------------------------------------------------------------------

enum { POINTS = 100, CAMERA = 9, BA = CAMERA + 3 * POINTS };
static double seen[2 * POINTS];

static void reprojection_setup(void) {
    for (int i = 0; i < 2 * POINTS; i++) seen[i] = random_number();
}

static double reprojection(const double *p) {
    double total = 0;
    for (int i = 0; i < POINTS; i++) {
        const double *q = p + CAMERA + 3 * i;
        double angle = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + 1e-12);
        double c = cos(angle), s = sin(angle);
        double ux = p[0] / angle, uy = p[1] / angle, uz = p[2] / angle;
        double dot = (ux * q[0] + uy * q[1] + uz * q[2]) * (1 - c);
        double x = q[0] * c + (uy * q[2] - uz * q[1]) * s + ux * dot + p[3];
        double y = q[1] * c + (uz * q[0] - ux * q[2]) * s + uy * dot + p[4];
        double z = q[2] * c + (ux * q[1] - uy * q[0]) * s + uz * dot + p[5] + 3;
        double u = x / z, v = y / z, r = u * u + v * v;
        double scale = p[8] * (1 + r * (p[6] + p[7] * r));
        double du = scale * u - seen[2 * i], dv = scale * v - seen[2 * i + 1];
        total += du * du + dv * dv;
    }
    return total;
}

static void reprojection_gradient(const double *p, double *g) {
    memset(g, 0, BA * sizeof *g);
    double angle = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + 1e-12);
    double c = cos(angle), s = sin(angle);
    double ux = p[0] / angle, uy = p[1] / angle, uz = p[2] / angle;
    double dc = 0, ds = 0, dux = 0, duy = 0, duz = 0;
    for (int i = 0; i < POINTS; i++) {
        const double *q = p + CAMERA + 3 * i;
        double *h = g + CAMERA + 3 * i;
        double plain = ux * q[0] + uy * q[1] + uz * q[2], dot = plain * (1 - c);
        double cx = uy * q[2] - uz * q[1], cy = uz * q[0] - ux * q[2], cz = ux * q[1] - uy * q[0];
        double x = q[0] * c + cx * s + ux * dot + p[3];
        double y = q[1] * c + cy * s + uy * dot + p[4];
        double z = q[2] * c + cz * s + uz * dot + p[5] + 3;
        double u = x / z, v = y / z, r = u * u + v * v;
        double distortion = 1 + r * (p[6] + p[7] * r), scale = p[8] * distortion;
        double bu = 2 * (scale * u - seen[2 * i]), bv = 2 * (scale * v - seen[2 * i + 1]);
        double bscale = bu * u + bv * v;
        g[8] += bscale * distortion;
        double bd = bscale * p[8];
        g[6] += bd * r;
        g[7] += bd * r * r;
        double br = bd * (p[6] + 2 * p[7] * r);
        double du = bu * scale + 2 * br * u, dv = bv * scale + 2 * br * v;
        double bx = du / z, by = dv / z, bz = -(du * u + dv * v) / z;
        g[3] += bx;
        g[4] += by;
        g[5] += bz;
        double bdot = bx * ux + by * uy + bz * uz, bplain = bdot * (1 - c);
        dc += bx * q[0] + by * q[1] + bz * q[2] - bdot * plain;
        ds += bx * cx + by * cy + bz * cz;
        double bcx = bx * s, bcy = by * s, bcz = bz * s;
        dux += bx * dot + bplain * q[0] - bcy * q[2] + bcz * q[1];
        duy += by * dot + bplain * q[1] + bcx * q[2] - bcz * q[0];
        duz += bz * dot + bplain * q[2] - bcx * q[1] + bcy * q[0];
        h[0] = bx * c + bplain * ux + bcy * uz - bcz * uy;
        h[1] = by * c + bplain * uy - bcx * uz + bcz * ux;
        h[2] = bz * c + bplain * uz + bcx * uy - bcy * ux;
    }
    double da = ds * c - dc * s - (dux * ux + duy * uy + duz * uz) / angle;
    g[0] = dux / angle + da * p[0] / angle;
    g[1] = duy / angle + da * p[1] / angle;
    g[2] = duz / angle + da * p[2] / angle;
}

// --- ordinary differential equation ----------------------------------------------------------

enum { ODE = 6, ROUNDS = 1000 };
static const double H = 0.01;

static void step(const double *p, double x, double y, double k[4], double l[4], double xs[4],
                 double ys[4]) {
    static const double part[4] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        xs[i] = i == 0 ? x : x + part[i] * H * k[i - 1];
        ys[i] = i == 0 ? y : y + part[i] * H * l[i - 1];
        k[i] = p[0] * xs[i] - p[1] * xs[i] * ys[i];
        l[i] = p[3] * xs[i] * ys[i] - p[2] * ys[i];
    }
}

static double ode(const double *p) {
    double x = p[4], y = p[5], k[4], l[4], xs[4], ys[4];
    for (int n = 0; n < ROUNDS; n++) {
        step(p, x, y, k, l, xs, ys);
        x += H / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
        y += H / 6 * (l[0] + 2 * l[1] + 2 * l[2] + l[3]);
    }
    return x * x + y;
}

static void ode_gradient(const double *p, double *g) {
    static double kept[ROUNDS][2];
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double x = p[4], y = p[5], k[4], l[4], xs[4], ys[4];
    memset(g, 0, ODE * sizeof *g);
    for (int n = 0; n < ROUNDS; n++) {
        kept[n][0] = x;
        kept[n][1] = y;
        step(p, x, y, k, l, xs, ys);
        x += H / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
        y += H / 6 * (l[0] + 2 * l[1] + 2 * l[2] + l[3]);
    }
    double dx = 2 * x, dy = 1;
    for (int n = ROUNDS - 1; n >= 0; n--) {
        step(p, kept[n][0], kept[n][1], k, l, xs, ys);
        double nx = dx, ny = dy, dk = 0, dl = 0;
        for (int i = 3; i >= 0; i--) {
            dk += H / 6 * weight[i] * dx;
            dl += H / 6 * weight[i] * dy;
            g[0] += dk * xs[i];
            g[1] -= dk * xs[i] * ys[i];
            g[2] -= dl * ys[i];
            g[3] += dl * xs[i] * ys[i];
            double ex = dk * (p[0] - p[1] * ys[i]) + dl * p[3] * ys[i];
            double ey = -dk * p[1] * xs[i] + dl * (p[3] * xs[i] - p[2]);
            nx += ex;
            ny += ey;
            dk = part[i] * H * ex;
            dl = part[i] * H * ey;
        }
        dx = nx;
        dy = ny;
    }
    g[4] = dx;
    g[5] = dy;
}

static void nothing(void) {}

static const struct {
    const char *name;
    int parameters;
    void (*setup)(void);
    double (*value)(const double *);
    void (*gradient)(const double *, double *);
} models[] = {
    {"mlp", MLP, mlp_setup, mlp, mlp_gradient},
    {"gmm", GMM, gmm_setup, gmm, gmm_gradient},
    {"lstm", LSTM, lstm_setup, lstm, lstm_gradient},
    {"reprojection", BA, reprojection_setup, reprojection, reprojection_gradient},
    {"ode", ODE, nothing, ode, ode_gradient},
};

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        if (strcmp(models[m].name, argv[1])) continue;
        int n = models[m].parameters, rounds = atoi(argv[3]);
        static double w[2048], g[2048];
        models[m].setup();
        static const double start[ODE] = {1.1, 0.4, 0.4, 0.1, 2.0, 1.0};
        for (int i = 0; i < n; i++) w[i] = n == ODE ? start[i] : random_number();
        double check = 0;
        for (int i = 1; i <= rounds; i++) {
            w[0] += 1e-6;
            if (argv[2][0] == 'p') {
                check += models[m].value(w);
            } else {
                models[m].gradient(w, g);
                check += g[i % n];
            }
        }
        printf("%.10g\n", check);
        return 0;
    }
    return 2;
}
