//! The parts of closures that are measured, each as an OCaml program and the C that one would write
//! by hand: a struct that begins with a pointer to its code.
//!
//! Numbers stay below 2²⁸, so that both languages compute the same. `opaque` keeps either compiler
//! from seeing through a value.

use std::fmt::Write as _;

pub struct Case {
    /// A word, also the name of files.
    pub name: String,
    pub group: Group,
    pub ocaml: String,
    pub c: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Basics,
    Depth,
    Calls,
    Creations,
}

impl Group {
    pub const ALL: [Group; 4] = [Self::Basics, Self::Depth, Self::Calls, Self::Creations];

    pub fn title(self) -> &'static str {
        match self {
            Self::Basics => "Creation, calls, partial application",
            Self::Depth => "Reading a variable of the outermost of 1 to 8 functions",
            Self::Calls => "Calling a closure that reads 0 to 32 captures",
            Self::Creations => "Making closures with 0 to 32 captures",
        }
    }
}

pub const CAPTURES: [usize; 7] = [0, 1, 2, 4, 8, 16, 32];
pub const DEPTHS: std::ops::RangeInclusive<usize> = 1..=8;

pub fn all() -> Vec<Case> {
    let mut cases = vec![known(), unknown(), partial(), create()];
    cases.extend(DEPTHS.map(depth));
    cases.extend(CAPTURES.map(calls));
    cases.extend(CAPTURES.map(creations));
    cases
}

const HEAD: &str = "\
#include <stdio.h>
#include <stdlib.h>
#define MASK 0xfffffff
#define NOINLINE __attribute__((noinline))
#define OPAQUE(x) __asm__ volatile(\"\" : \"+r\"(x) : : \"memory\")
";

fn known() -> Case {
    let rounds = 100_000_000;
    Case {
        name: "known_call".into(),
        group: Group::Basics,
        ocaml: format!(
            "\
let run n k =
  let[@inline never] step x = (x * 3 + k) land 0xfffffff in
  let acc = ref 1 in
  for i = 1 to n do acc := step (!acc + i) done;
  !acc
let () = Printf.printf \"%d\\n\" (run {rounds} (Sys.opaque_identity 7))
"
        ),
        c: format!(
            "{HEAD}
static NOINLINE long step(long k, long x) {{ return (x * 3 + k) & MASK; }}
int main(void) {{
  long k = 7, acc = 1;
  OPAQUE(k);
  for (long i = 1; i <= {rounds}; i++) acc = step(k, acc + i);
  printf(\"%ld\\n\", acc);
}}
"
        ),
    }
}

fn unknown() -> Case {
    let rounds = 100_000_000;
    let bodies = ["x + {k}", "x * 3 - {k}", "x lxor {k}", "(x lsr 1) + {k}"];
    let c_bodies = ["x + {k}", "x * 3 - {k}", "x ^ {k}", "(long)((unsigned long)x >> 1) + {k}"];
    let ocaml: Vec<String> = bodies
        .iter()
        .map(|it| format!("(fun x -> ({}) land 0xfffffff)", it.replace("{k}", "k")))
        .collect();
    let mut c = format!("{HEAD}\nstruct clo {{ long (*code)(struct clo *, long); long k; }};\n");
    for (index, body) in c_bodies.iter().enumerate() {
        let body = body.replace("{k}", "self->k");
        let _ = writeln!(
            c,
            "static long f{index}(struct clo *self, long x) {{ return ({body}) & MASK; }}"
        );
    }
    let _ = write!(
        c,
        "\
static long (*codes[4])(struct clo *, long) = {{f0, f1, f2, f3}};
int main(void) {{
  long k = 7, acc = 1;
  struct clo *fs[4];
  OPAQUE(k);
  for (int i = 0; i < 4; i++) {{ fs[i] = malloc(sizeof(struct clo)); fs[i]->code = codes[i]; fs[i]->k = k; }}
  struct clo **all = fs;
  OPAQUE(all);
  for (long i = 1; i <= {rounds}; i++) {{ struct clo *f = all[i & 3]; acc = f->code(f, acc + i); }}
  printf(\"%ld\\n\", acc);
}}
"
    );
    Case {
        name: "unknown_call".into(),
        group: Group::Basics,
        ocaml: format!(
            "\
let make k = [| {} |]
let () =
  let fs = Sys.opaque_identity (make (Sys.opaque_identity 7)) in
  let acc = ref 1 in
  for i = 1 to {rounds} do acc := (Array.unsafe_get fs (i land 3)) (!acc + i) done;
  Printf.printf \"%d\\n\" !acc
",
            ocaml.join("; ")
        ),
        c,
    }
}

fn partial() -> Case {
    let rounds = 50_000_000;
    Case {
        name: "partial_application".into(),
        group: Group::Basics,
        ocaml: format!(
            "\
let[@inline never] combine a b c = (a * 3 + b * 5 + c) land 0xfffffff
let () =
  let acc = ref 1 in
  for i = 1 to {rounds} do
    let p = Sys.opaque_identity (combine i 2) in
    acc := p !acc
  done;
  Printf.printf \"%d\\n\" !acc
"
        ),
        c: format!(
            "{HEAD}
struct part {{ long (*code)(struct part *, long); long a, b; }};
static NOINLINE long combine(long a, long b, long c) {{ return (a * 3 + b * 5 + c) & MASK; }}
static long rest(struct part *self, long c) {{ return combine(self->a, self->b, c); }}
int main(void) {{
  long acc = 1;
  for (long i = 1; i <= {rounds}; i++) {{
    struct part *p = malloc(sizeof *p);
    p->code = rest; p->a = i; p->b = 2;
    OPAQUE(p);
    acc = p->code(p, acc);
    free(p);
  }}
  printf(\"%ld\\n\", acc);
}}
"
        ),
    }
}

fn create() -> Case {
    Case { name: "create".into(), group: Group::Basics, ..creation("create", 2, 10_000_000) }
}

fn depth(levels: usize) -> Case {
    let rounds = 100_000_000;
    let mut ocaml = String::from("let make a =\n");
    for level in 1..levels {
        // What is done between keeps two functions from becoming one of two parameters.
        let _ = writeln!(ocaml, "  fun x{level} -> let b{level} = Sys.opaque_identity x{level} in");
    }
    let inner = if levels > 1 { " + b1" } else { "" };
    let _ = writeln!(ocaml, "  fun x -> (x * 3 + a{inner}) land 0xfffffff");
    let args: String = (1..levels).map(|it| format!(" {it}")).collect();
    let _ = write!(
        ocaml,
        "\
let () =
  let f = Sys.opaque_identity (make (Sys.opaque_identity 7){args}) in
  let acc = ref 1 in
  for i = 1 to {rounds} do acc := f (!acc + i) done;
  Printf.printf \"%d\\n\" !acc
"
    );
    let (field, read) = if levels > 1 { (" long b1;", " + self->b1") } else { ("", "") };
    let set = if levels > 1 { " f->b1 = 1;" } else { "" };
    let c = format!(
        "{HEAD}
struct clo {{ long (*code)(struct clo *, long); long a;{field} }};
static long body(struct clo *self, long x) {{ return (x * 3 + self->a{read}) & MASK; }}
int main(void) {{
  long acc = 1;
  struct clo *f = malloc(sizeof *f);
  f->code = body; f->a = 7;{set}
  OPAQUE(f);
  for (long i = 1; i <= {rounds}; i++) acc = f->code(f, acc + i);
  printf(\"%ld\\n\", acc);
}}
"
    );
    Case { name: format!("depth_{levels}"), group: Group::Depth, ocaml, c }
}

/// The sum of captured variables, and their fields in C.
fn captured(count: usize) -> (String, String, String) {
    let names: Vec<String> = (0..count).map(|it| format!("c{it}")).collect();
    let ocaml: String = names.iter().map(|it| format!(" + {it}")).collect();
    let c: String = names.iter().map(|it| format!(" + self->{it}")).collect();
    let fields: String = names.iter().map(|it| format!(" long {it};")).collect();
    (ocaml, c, fields)
}

fn calls(count: usize) -> Case {
    let rounds = 800_000_000 / (4 + count);
    let (sum, c_sum, fields) = captured(count);
    let lets: String =
        (0..count).map(|it| format!("  let c{it} = Sys.opaque_identity {it} in\n")).collect();
    let sets: String = (0..count).map(|it| format!("  f->c{it} = {it};\n")).collect();
    Case {
        name: format!("call_{count}"),
        group: Group::Calls,
        ocaml: format!(
            "\
let make () =
{lets}  fun x -> (x * 3{sum}) land 0xfffffff
let () =
  let f = Sys.opaque_identity (make ()) in
  let acc = ref 1 in
  for i = 1 to {rounds} do acc := f (!acc + i) done;
  Printf.printf \"%d\\n\" !acc
"
        ),
        c: format!(
            "{HEAD}
struct clo {{ long (*code)(struct clo *, long);{fields} }};
static long body(struct clo *self, long x) {{ return (x * 3{c_sum}) & MASK; }}
int main(void) {{
  long acc = 1;
  struct clo *f = malloc(sizeof *f);
  f->code = body;
{sets}  OPAQUE(f);
  for (long i = 1; i <= {rounds}; i++) acc = f->code(f, acc + i);
  printf(\"%ld\\n\", acc);
}}
"
        ),
    }
}

fn creations(count: usize) -> Case {
    creation(&format!("create_{count}"), count, 200_000_000 / (4 + count))
}

/// Closures are made and put in a ring, where each takes the place of an older one.
fn creation(name: &str, count: usize, rounds: usize) -> Case {
    let (sum, c_sum, fields) = captured(count);
    let lets: String = (0..count).map(|it| format!("    let c{it} = i lxor {it} in\n")).collect();
    let sets: String = (0..count).map(|it| format!("    f->c{it} = i ^ {it};\n")).collect();
    Case {
        name: name.into(),
        group: Group::Creations,
        ocaml: format!(
            "\
let ring = Array.make 1024 (fun x -> x)
let () =
  for i = 1 to {rounds} do
{lets}    Array.unsafe_set ring (i land 1023) (fun x -> (x{sum}) land 0xfffffff)
  done;
  let acc = ref 0 in
  for i = 0 to 1023 do acc := (Array.unsafe_get ring i) !acc done;
  Printf.printf \"%d\\n\" !acc
"
        ),
        c: format!(
            "{HEAD}
struct clo {{ long (*code)(struct clo *, long);{fields} }};
static long body(struct clo *self, long x) {{ (void)self; return (x{c_sum}) & MASK; }}
static struct clo *ring[1024];
int main(void) {{
  long acc = 0;
  for (long i = 1; i <= {rounds}; i++) {{
    struct clo *f = malloc(sizeof *f);
    f->code = body;
{sets}    free(ring[i & 1023]);
    ring[i & 1023] = f;
    __asm__ volatile(\"\" : : : \"memory\");
  }}
  for (long i = 0; i < 1024; i++) acc = ring[i]->code(ring[i], acc);
  printf(\"%ld\\n\", acc);
}}
"
        ),
    }
}
