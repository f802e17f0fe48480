#!/usr/bin/env python3
"""How long programs with gradients take to compile, against the same programs that only compute the function.

usage: compile_time.py OXBOW [RUNS] [MODEL ...]

Each model is compiled three times: without the function (`base`: the harness and the library with module `Ad`), with the
function, and with its gradient instead. `whole` is the ratio of the last two times, `added` that of what they
add to the first. Processor seconds of the user, each the least of RUNS (7) runs that are interleaved. What a small function adds
is a few milliseconds, less than what runs differ by on a machine that does other things, too. So with RUNS = 0 the numbers are
millions of instructions of the compiler itself, counted by Valgrind in one run of each program; they do not depend on what else runs.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
models = ["mlp", "layers", "gmm", "lstm", "reprojection", "ode"]


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def instructions(command):
    """Millions of them, of the command without the programs that it starts. Valgrind does not read its debug information."""
    plain = os.path.join(os.path.dirname(command[-1]), "oxbow")
    if not os.path.exists(plain):
        runtime = os.path.join(os.path.dirname(os.path.abspath(command[0])), "../runtime/liboxbow_runtime_static.a")
        os.environ.setdefault("OXBOW_RUNTIME", runtime)
        subprocess.run(["strip", "-g", "-o", plain, command[0]], check=True)
    command = [plain, *command[1:]]
    count = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    text = subprocess.run(count, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    return int(re.search(r"Collected : (\d+)", text)[1]) / 1e6


def variants(text):
    """The three programs: what is called at the end decides what is compiled."""
    start = text.rindex("Harness.run")
    head, call = text[:start], text[start:]
    function = call.split("~primal:")[1].split()[0]
    # The point is the last argument: a name, or an array.
    call = call.rstrip()
    point = call[call.rindex("[|"):] if call.endswith("|]") else call.split()[-1]
    # All three read module `Ad`: what the library takes is no part of a gradient.
    head += "let () = ignore (Ad.any_order 0.0 0.0) in\n  "
    program = lambda primal, gradient: f"{head}Harness.run ~primal:{primal} ~gradient:{gradient} {point}\n"
    nothing = ("(fun _ -> 0.0)", "(fun w -> w)")
    return {"base": program(*nothing), "function": program(function, nothing[1]),
            "gradient": program(nothing[0], f"(fun w -> Ad.gradient {function} w)")}


def main():
    oxbow, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    measure, runs = (seconds, runs) if runs else (instructions, 1)
    print(f"{'model':14}{'base':>8}{'function':>10}{'gradient':>10}{'added':>8}{'whole':>8}")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(here, "harness.ml")) as file, open(os.path.join(folder, "harness.ml"), "w") as out:
            out.write(file.read())
        for model in sys.argv[3:] or models:
            with open(os.path.join(here, model + ".ml")) as file:
                programs = variants(file.read())
            best = {}
            for name, text in programs.items():
                with open(os.path.join(folder, f"{model}_{name}.ml"), "w") as out:
                    out.write(text)
            for _ in range(runs):
                for name in programs:
                    source = os.path.join(folder, f"{model}_{name}.ml")
                    time = measure([oxbow, "build", "-O3", source, "-o", os.path.join(folder, "program")])
                    best[name] = min(time, best.get(name, time))
            added = (best["gradient"] - best["base"]) / max(best["function"] - best["base"], 1e-3)
            print(f"{model:14}{best['base']:8.3f}{best['function']:10.3f}{best['gradient']:10.3f}{added:8.1f}"
                  f"{best['gradient'] / best['function']:8.2f}", flush=True)


main()
