#!/usr/bin/env python3
"""Seconds per gradient of the models of this folder in JAX (jitted) and PyTorch, on one processor.

usage: peers.py [jax|torch] ...      both by default; a library that is not installed is left out

Numbers are doubles, arrays are whole layers and data sets as is usual in these libraries. Each time is the least of
seven runs, after the first calls have compiled what is compiled.
"""
import sys
import time

import numpy as np

rng = np.random.default_rng(1)
uniform = lambda *shape: rng.random(shape) - 0.5
mlp_x, mlp_y = uniform(64, 16), uniform(64)
gmm_x = uniform(200, 8)
lstm_x = uniform(51, 16)
seen = uniform(100, 2)
sizes = {"mlp": 577, "gmm": 136, "lstm": 192, "reprojection": 309, "ode": 6}
start = {name: uniform(size) for name, size in sizes.items()}
start["ode"] = np.array([1.1, 0.4, 0.4, 0.1, 2.0, 1.0])


def models(xp, logsumexp, scan):
    """The models, with the library's functions."""

    def mlp(w, x, y):
        a, b, c, d = w[:512].reshape(32, 16), w[512:544], w[544:576], w[576]
        error = xp.tanh(x @ a.T + b) @ c + d - y
        return (error * error).mean()

    def gmm(p, x):
        mean, scale = p[8:72].reshape(8, 8), p[72:].reshape(8, 8)
        z = (x[:, None, :] - mean) * xp.exp(scale)
        terms = p[:8] + (scale - 0.5 * z * z).sum(-1)
        return (logsumexp(terms, -1) - logsumexp(p[:8], 0)).sum()

    def lstm(p, x):
        q = p.reshape(4, 3, 16)
        sigmoid = lambda v: 1 / (1 + xp.exp(-v))

        def step(state, t):
            h, c, total = state
            gate = lambda g: q[g, 0] * t[0] + q[g, 1] * h + q[g, 2]
            c = sigmoid(gate(0)) * c + sigmoid(gate(1)) * xp.tanh(gate(3))
            h = sigmoid(gate(2)) * xp.tanh(c)
            error = h - t[1]
            return h, c, total + (error * error).sum()

        zero = p[:16] * 0
        return scan(step, (zero, zero, zero.sum()), (x[:-1], x[1:]))[2]

    def reprojection(p, seen):
        r, q = p[:3], p[9:].reshape(100, 3)
        angle = xp.sqrt((r * r).sum() + 1e-12)
        u, c, s = r / angle, xp.cos(angle), xp.sin(angle)
        cross = xp.stack([u[1] * q[:, 2] - u[2] * q[:, 1], u[2] * q[:, 0] - u[0] * q[:, 2],
                          u[0] * q[:, 1] - u[1] * q[:, 0]], -1)
        moved = q * c + cross * s + u * ((q @ u) * (1 - c))[:, None] + p[3:6]
        flat = moved[:, :2] / (moved[:, 2:] + 3)
        d = (flat * flat).sum(-1)
        error = flat * (p[8] * (1 + d * (p[6] + p[7] * d)))[:, None] - seen
        return (error * error).sum()

    def ode(p, times):
        h = 0.01
        f = lambda x, y: (p[0] * x - p[1] * x * y, p[3] * x * y - p[2] * y)

        def step(state, _):
            x, y = state
            k1, l1 = f(x, y)
            k2, l2 = f(x + 0.5 * h * k1, y + 0.5 * h * l1)
            k3, l3 = f(x + 0.5 * h * k2, y + 0.5 * h * l2)
            k4, l4 = f(x + h * k3, y + h * l3)
            return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)

        x, y = scan(step, (p[4], p[5]), (times,))
        return x * x + y

    return {"mlp": (mlp, (mlp_x, mlp_y)), "gmm": (gmm, (gmm_x,)), "lstm": (lstm, (lstm_x,)),
            "reprojection": (reprojection, (seen,)), "ode": (ode, (np.zeros(1000),))}


def least(call, rounds):
    call()
    call()
    times = []
    for _ in range(7):
        begin = time.process_time()
        for _ in range(rounds):
            call()
        times.append((time.process_time() - begin) / rounds)
    return min(times)


def with_jax():
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    scan = lambda step, init, xs: jax.lax.scan(lambda s, t: (step(s, t), None), init, xs)[0]
    for name, (f, data) in models(jnp, jax.scipy.special.logsumexp, scan).items():
        data = [jnp.asarray(it) for it in data]
        gradient = jax.jit(jax.grad(f))
        p = jnp.asarray(start[name])
        yield name, least(lambda: gradient(p, *data).block_until_ready(), 50)


def with_torch():
    import torch
    torch.set_num_threads(1)

    def scan(step, state, xs):
        for t in zip(*xs):
            state = step(state, t)
        return state

    for name, (f, data) in models(torch, torch.logsumexp, scan).items():
        data = [torch.tensor(it) for it in data]

        def call():
            p = torch.tensor(start[name], requires_grad=True)
            f(p, *data).backward()
            return p.grad

        yield name, least(call, 2 if name == "ode" else 20)


for library in sys.argv[1:] or ["jax", "torch"]:
    try:
        for name, seconds in {"jax": with_jax, "torch": with_torch}[library]():
            print(f"{library:6}{name:14}{seconds * 1e6:12.1f} us", flush=True)
    except ImportError:
        print(f"{library} is not installed")
