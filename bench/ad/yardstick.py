#!/usr/bin/env python3
"""The problems of GradBench: gradients of Oxbow against their functions, gradients written by hand in C, and JAX.

usage: yardstick.py OXBOW [RUNS]     builds everything into a temporary folder; prints a table

Times are microseconds of the user's processor time, each the least of RUNS (7) runs that are interleaved. JAX is left
out if it is not installed. CLANG names the compiler of C.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
problems = os.path.join(here, "../../tests/programs/ad/yardstick")
rounds = {"lse": 10000, "llsq": 15000, "det": 1500, "ode": 4000, "kmeans": 4000, "gmm": 2000, "lstm": 3000,
          "ht": 3000, "ba": 40000, "particle": 2000, "saddle": 400}
in_c = ["lse", "llsq", "det", "ode", "kmeans", "gmm", "lstm"]


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def with_jax():
    """A function of no arguments for each problem, which computes one gradient."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    rng = np.random.default_rng(1)
    uniform = lambda *shape: jnp.asarray(rng.random(shape) - 0.5)
    times = jnp.linspace(-1, 1, 1000)
    powers = times[:, None] ** jnp.arange(10)
    points, seen = uniform(500, 4), uniform(100, 8)
    text = jnp.asarray(np.eye(14)[[t * 5 % 14 for t in range(20)]])
    lower = np.tril_indices(8, -1)

    def llsq(x):
        error = jnp.sign(times) - powers @ x
        return 0.5 * (error * error).sum()

    def ode(x):
        rate = jnp.cumsum(x.at[0].set(0))

        def field(y):
            return jnp.concatenate([x[:1], rate[1:] * y[:-1]])

        def step(y, _):
            h = 1 / 50
            k1 = field(y)
            k2 = field(y + h / 2 * k1)
            k3 = field(y + h / 2 * k2)
            k4 = field(y + h * k3)
            return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        return jax.lax.scan(step, jnp.zeros(20), None, length=50)[0][-1]

    def kmeans(c):
        away = points[:, None, :] - c.reshape(8, 4)
        return (away * away).sum(-1).min(-1).sum()

    def gmm(p):
        weights, mean, diagonal = p[:8], p[8:72].reshape(8, 8), p[72:136].reshape(8, 8)
        below, scales = p[136:].reshape(8, 28), jnp.exp(p[72:136].reshape(8, 8))
        q = jnp.zeros((8, 8, 8)).at[:, lower[0], lower[1]].set(below)
        away = seen[:, None, :] - mean
        z = scales * away + jnp.einsum("krc,skc->skr", q, away)
        terms = weights + diagonal.sum(-1) - 0.5 * (z * z).sum(-1)
        prior = 0.5 * ((scales * scales).sum() + (below * below).sum())
        over = jax.scipy.special.logsumexp
        return over(terms, axis=-1).sum() - 100 * over(weights) - prior

    def lstm(p):
        layers, last = p[: 16 * 14].reshape(2, 4, 2, 14), p[16 * 14 :].reshape(3, 14)
        sigmoid = lambda v: 1 / (1 + jnp.exp(-v))

        def step(state, at):
            x, total = at[0] * last[0], state[2]
            hidden, cell = [], []
            for n in range(2):
                gate = lambda g, v: layers[n, g, 0] * v + layers[n, g, 1]
                h, c = state[0][n], state[1][n]
                c = c * sigmoid(gate(0, x)) + sigmoid(gate(1, h)) * jnp.tanh(gate(3, h))
                x = sigmoid(gate(2, x)) * jnp.tanh(c)
                hidden.append(x)
                cell.append(c)
            guess = x * last[1] + last[2]
            total = total + (at[1] * (guess - jnp.log(2 + jnp.exp(guess).sum()))).sum()
            return (jnp.stack(hidden), jnp.stack(cell), total), None

        zero = jnp.zeros((2, 14))
        total = jax.lax.scan(step, (zero, zero, 0.0), (text[:-1], text[1:]))[0][2]
        return -total / (14 * 19)

    functions = {"lse": (jax.scipy.special.logsumexp, 1000), "llsq": (llsq, 10), "ode": (ode, 20),
                 "kmeans": (kmeans, 32), "gmm": (gmm, 360), "lstm": (lstm, 266)}
    for name, (function, size) in functions.items():
        gradient, x = jax.jit(jax.grad(function)), uniform(size)
        yield name, lambda: gradient(x).block_until_ready()


def main():
    oxbow, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    try:
        jax = dict(with_jax())
    except ImportError:
        jax = {}
        print("JAX is not installed")
    for gradient in jax.values():
        gradient()
    with tempfile.TemporaryDirectory() as folder:
        ours, c = os.path.join(folder, "ours"), os.path.join(folder, "c")
        source = os.path.join(here, "yardstick.ml")
        subprocess.run([oxbow, "build", "-O3", "-I", problems, source, "-o", ours], check=True)
        compiler = os.environ.get("CLANG", "clang-22")
        subprocess.run([compiler, "-O3", os.path.join(here, "yardstick.c"), "-o", c, "-lm"], check=True)
        heads = f"{'problem':10}{'primal':>9}{'gradient':>10}{'ratio':>7}"
        print(heads + f"{'C primal':>10}{'C grad.':>9}{'to C':>6}{'JAX':>9}")
        for problem, count in rounds.items():
            best = {}
            for _ in range(runs):
                for kind in ["primal", "gradient"]:
                    for name, program in [(kind, ours), ("c " + kind, c)][: 2 if problem in in_c else 1]:
                        took = seconds([program, kind, str(count), problem]) / count * 1e6
                        best[name] = min(took, best.get(name, took))
                if problem in jax:
                    begin = time.process_time()
                    for _ in range(200):
                        jax[problem]()
                    took = (time.process_time() - begin) / 200 * 1e6
                    best["jax"] = min(took, best.get("jax", took))
            text = f"{problem:10}{best['primal']:9.2f}{best['gradient']:10.2f}{best['gradient'] / best['primal']:7.2f}"
            if problem in in_c:
                to_c = best["gradient"] / best["c gradient"]
                text += f"{best['c primal']:10.2f}{best['c gradient']:9.2f}{to_c:6.2f}"
            if "jax" in best:
                text += f"{best['jax']:9.1f}" if problem in in_c else f"{best['jax']:34.1f}"
            print(text, flush=True)


main()
