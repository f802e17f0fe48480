"""Processor seconds to compile programs of shapes that are long and plain, each at two sizes, beside `ocamlopt`:

    bench/cliffs.py target/release/oxbow [OCAMLOPT] [SHAPE …]

A shape is a cliff if twice the size takes much more than twice the time, or much more than `ocamlopt` takes.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile


def triples(n):
    lines = [f'    ("name{i}", {i}, fun x -> x * {i % 7 + 1} + {i});' for i in range(n)]
    return "\n".join(["let table = [|", *lines, "  |]"] + [
        "let () = print_int (Array.fold_left (fun a (s, i, f) -> (a + f i + String.length s) land 0xffff) 0 table)", ""])


def hashtables(n):
    lines = ["let h : (string, int -> int) Hashtbl.t = Hashtbl.create 16"]
    lines += [f'let () = Hashtbl.add h "cmd{i}" (fun x -> x + {i})' for i in range(n)]
    return "\n".join(lines + ['let () = print_int ((Hashtbl.find h "cmd3") 4)', ""])


def maps(n):
    lines = []
    for i in range(n):
        lines.append(f"module K{i} = struct type t = int let compare (a : t) b = compare (a + {i}) (b + {i}) end")
        lines.append(f"module M{i} = Map.Make (K{i})")
        lines.append(f"let m{i} = M{i}.add {i} \"x\" (M{i}.add {i + 1} \"y\" M{i}.empty)")
        lines.append(f"let () = print_int (M{i}.cardinal (M{i}.filter (fun k _ -> k > {i}) m{i}))")
    return "\n".join(lines + [""])


def checks(n):
    lines = ['let check name a b = if a <> b then (print_string "wrong "; print_endline name)']
    for i in range(n):
        lines.append(f'let () = check "t{i}" (List.map (fun x -> x + {i}) [1; 2; {i}]) [{i + 1}; {i + 2}; {2 * i}]')
    return "\n".join(lines + [""])


def formats(n):
    return "".join(f'let () = Printf.printf "line {i} %d of %s is %5.2f\\n" {i} "text{i}" {i}.5\n' for i in range(n))


def nested(n):
    lines = ["let f x =", *[f"  match x with {i} -> {i + 1} | _ -> (" for i in range(n)], "  0" + ")" * n]
    return "\n".join(lines + ["let () = print_int (f 7 + f (-1))", ""])


def records(n):
    lines = [f'    {{ id = {i}; name = "n{i}"; weight = {i}.5; tags = [{i}; {i + 1}] }};' for i in range(n)]
    return "\n".join(["type t = { id : int; name : string; weight : float; tags : int list }", "let all = [|", *lines,
                      "  |]", "let () = print_int (Array.fold_left (fun a r -> a + r.id) 0 all)", ""])


def matrices(n):
    """Functions with a match of forty random rows over four columns; `n` is how many."""
    chance = random.Random(7)
    lines = ["type c = A | B | C | D | E of int | F of c"]
    pattern = ["A", "B", "C", "D", "E 1", "E _", "F A", "F _", "_", "_", "_", "_"]
    for i in range(n):
        lines.append(f"let f{i} a b c d = match a, b, c, d with")
        for row in range(40):
            cells = ", ".join(chance.choice(pattern) for _ in range(4))
            lines.append(f"  | {cells} -> {row}")
        lines.append("  | _ -> 40")
        lines.append(f"let () = print_int (f{i} A (E 1) (F B) (E 3))")
    return "\n".join(lines + [""])


SHAPES = {
    "triples": (triples, 600), "hashtables": (hashtables, 300), "maps": (maps, 30), "checks": (checks, 300),
    "formats": (formats, 500), "nested": (nested, 1500), "records": (records, 2500), "matrices": (matrices, 2),
}


def seconds(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr[:2000]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    oxbow = os.path.abspath(sys.argv[1])
    rest = sys.argv[2:]
    peer = rest.pop(0) if rest and rest[0] not in SHAPES else "ocamlopt"
    print(f"{'shape':12}{'size':>7}{'oxbow':>8}{'peer':>8}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for shape in rest or SHAPES:
            make, size = SHAPES[shape]
            for n in (size, 2 * size):
                name = f"{shape}{n}.ml"
                with open(os.path.join(folder, name), "w") as file:
                    file.write(make(n))
                ours = seconds([oxbow, "build", "-O2", name, "-o", "a"], folder)
                theirs = seconds([*peer.split(), "-w", "-a", name, "-o", "b"], folder)
                a = subprocess.run([os.path.join(folder, "a")], capture_output=True).stdout
                b = subprocess.run([os.path.join(folder, "b")], capture_output=True).stdout
                assert a == b, f"{name}: the outputs differ"
                print(f"{shape:12}{n:7}{ours:8.2f}{theirs:8.2f}{ours / theirs:7.1f}", flush=True)


if __name__ == "__main__":
    main()
