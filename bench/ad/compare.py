#!/usr/bin/env python3
"""The cost of gradients: Oxbow against its own primal and against gradients written by hand in C.

usage: compare.py OXBOW [RUNS]       builds everything into a temporary folder; prints a table

Times are processor seconds of the user, each the least of RUNS (9) runs that are interleaved; ratios are of these.
"""
import os
import resource
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
rounds = {"mlp": 8000, "gmm": 10000, "lstm": 8000, "reprojection": 80000, "ode": 8000}
# Recursion that is no loop, and what needs the tape.
others = {"tree": 3000, "recursion": 3000, "handlers": 6000, "chosen": 1500, "lists": 6000}
# Models in Eshkol: at compile time, and with dynamic numbers.
eshkol = {"mlp": 600, "ode": 300}


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    oxbow, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9
    with tempfile.TemporaryDirectory() as folder:
        c = os.path.join(folder, "models")
        clang = os.environ.get("CLANG", "clang-22")
        subprocess.run([clang, "-O3", os.path.join(here, "models.c"), "-o", c, "-lm"], check=True)
        print(f"{'model':14}{'primal':>9}{'gradient':>10}{'ratio':>7}{'C primal':>10}{'C grad.':>9}{'to C':>6}"
              f"{'us/gradient':>13}")
        for model, count in rounds.items():
            program = os.path.join(folder, model)
            subprocess.run([oxbow, "build", "-O3", os.path.join(here, model + ".ml"), "-o", program], check=True)
            commands = {"primal": [program, "primal"], "gradient": [program, "gradient"],
                        "c": [c, model, "primal"], "c gradient": [c, model, "gradient"]}
            if model == "ode":
                commands["derivative"] = [program, "derivative"]
            best = {}
            for _ in range(runs):
                for name, command in commands.items():
                    time = seconds(command + [str(count)])
                    best[name] = min(time, best.get(name, time))
            ratio, to_c = best["gradient"] / best["primal"], best["gradient"] / best["c gradient"]
            print(f"{model:14}{best['primal']:9.3f}{best['gradient']:10.3f}{ratio:7.2f}{best['c']:10.3f}"
                  f"{best['c gradient']:9.3f}{to_c:6.2f}{best['gradient'] / count * 1e6:13.2f}", flush=True)
            if "derivative" in best:
                print(f"{'  derivative':14}{best['primal']:9.3f}{best['derivative']:10.3f}"
                      f"{best['derivative'] / best['primal']:7.2f}", flush=True)
        for model, count in others.items():
            program = os.path.join(folder, model)
            subprocess.run([oxbow, "build", "-O3", os.path.join(here, model + ".ml"), "-o", program], check=True)
            best = {}
            for _ in range(runs):
                for name in ["primal", "gradient"]:
                    time = seconds([program, name, str(count)])
                    best[name] = min(time, best.get(name, time))
            print(f"{model:14}{best['primal']:9.3f}{best['gradient']:10.3f}{best['gradient'] / best['primal']:7.2f}",
                  flush=True)
        # The same network in whole layers, for any processor and for this one.
        for kind in ["any", "native"]:
            program = os.path.join(folder, "layers-" + kind)
            subprocess.run([oxbow, "build", "-O3", "--cpu=" + kind, os.path.join(here, "layers.ml"), "-o", program],
                           check=True)
            count, best = rounds["mlp"], {}
            for _ in range(runs):
                for name in ["primal", "gradient"]:
                    time = seconds([program, name, str(count)])
                    best[name] = min(time, best.get(name, time))
            print(f"{'layers, ' + kind:14}{best['primal']:9.3f}{best['gradient']:10.3f}"
                  f"{best['gradient'] / best['primal']:7.2f}{'':25}{best['gradient'] / count * 1e6:13.2f}", flush=True)
        print(f"\n{'Eshkol':14}{'primal':>9}{'gradient':>10}{'ratio':>7}{'dynamic':>10}{'ratio':>7}")
        for model, count in eshkol.items():
            program = os.path.join(folder, model + "-eshkol")
            subprocess.run([oxbow, "build", "-O3", os.path.join(here, model + ".esk"), "-o", program], check=True)
            kinds = ["primal", "gradient", "dynamic"] + (["derivative"] if model == "ode" else [])
            best = {}
            for _ in range(min(runs, 5)):
                for kind in kinds:
                    time = seconds([program, kind, str(count)])
                    best[kind] = min(time, best.get(kind, time))
            print(f"{model:14}{best['primal']:9.3f}{best['gradient']:10.3f}{best['gradient'] / best['primal']:7.2f}"
                  f"{best['dynamic']:10.3f}{best['dynamic'] / best['primal']:7.2f}", flush=True)
            if "derivative" in best:
                print(f"{'  derivative':14}{best['primal']:9.3f}{best['derivative']:10.3f}"
                      f"{best['derivative'] / best['primal']:7.2f}", flush=True)


main()
