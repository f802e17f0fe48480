//! Any text gives a tree: no panic, no endless loop, no stack overflow.

mod common;

use std::time::{Duration, Instant};

const SNIPPETS: &[&str] = &[
    "let rec f ~x ?(y = 2) (z : int) : t = if x then y else let open M in z; f !x.y",
    "let g = function A | B (x, _) :: _ as r when x -> . | exception E -> (try a with _ -> b)",
    "type 'a t = A | B of int * string | C of { x : int; mutable y : 'a } and u = private { a : int }",
    "module F (X : S with type t = int and module M = N) : R = struct let x = [| 1; 2 |] end",
    "let s = \"a\\n\\065\\x41\\u{e9}\" ^ {q|raw|q} (* c \"*)\" 'x' (* n *) *) and c = '\\'' and n = 0xFFl, 1.5e3",
    "let () = for i = 0 to 10 do while true do a.(i) <- s.[i]; r.f <- { r with g = 1 } done done;;\nf x;;",
    "let x = `A and y = object method m = 1 end and z = (module M : S) and w = [%ext a] [@@attr]",
    "let* a = b and* c = d in begin match a with x -> -1 + ~-y | _ -> assert false end",
    "class c = object end\nexternal f : int -> int = \"f\" \"g\"\nexception E of int\ninclude struct end",
];

/// A small generator of numbers; the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(characters.len().max(1)).min(characters.len());
        let end = (at + 1 + random.below(12)).min(characters.len());
        match random.below(5) {
            0 => drop(characters.drain(at..end)),
            1 => {
                let copy: Vec<char> = characters[at..end].to_vec();
                characters.splice(at..at, copy);
            }
            2 => characters.truncate(at),
            3 => {
                let noise = [
                    '(', ')', '[', ']', '{', '}', '"', '\'', '|', ';', '#', '~', '?', '`', '\0',
                    'é', '\n', '.',
                ];
                characters.insert(at, noise[random.below(noise.len())]);
            }
            _ => {
                let words = [
                    " let ", " in ", " end ", " begin ", " (* ", " *) ", " and ", " else ",
                    " struct ", " type ", ";;",
                ];
                characters.splice(at..at, words[random.below(words.len())].chars());
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn mutated_programs() {
    common::on_large_stack(|| {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut texts: Vec<String> = SNIPPETS.iter().map(|it| (*it).to_owned()).collect();
        texts.push(SNIPPETS.join("\n"));
        texts.extend(common::programs().into_iter().map(|(_, text)| text).take(40));
        for text in &texts {
            let rounds = if text.len() > 2_000 { 15 } else { 1_500 };
            for _ in 0..rounds {
                let mutated = mutate(text, &mut random);
                common::parse(&mutated);
                common::parse_signature(&mutated);
            }
        }
    });
}

#[test]
fn every_prefix() {
    common::on_large_stack(|| {
        let text = SNIPPETS.join("\n");
        for end in (0..text.len()).filter(|&it| text.is_char_boundary(it)) {
            common::parse(text.get(..end).expect("a boundary"));
        }
    });
}

/// Parses on the large stack and returns the reports.
fn reports(text: String) -> String {
    common::on_large_stack(move || {
        let start = Instant::now();
        let mut sources = oxbow_base::SourceMap::new();
        let file = sources.add("test.ml", text.as_str());
        let mut diagnostics = oxbow_diag::Diagnostics::new();
        let tree = oxbow_front_ocaml::parse_structure(file, text.as_str(), &mut diagnostics);
        drop(tree);
        assert!(start.elapsed() < Duration::from_secs(10), "linear time");
        let all: Vec<_> = diagnostics.iter().map(|it| it.message.clone()).collect();
        all.join("\n")
    })
}

const MANY: usize = 100_000;

#[test]
fn long_chains_are_no_nesting() {
    for text in [
        format!("let x = {}a", "let a = 1 in ".repeat(MANY)),
        format!("let x = {}c", "if a then b else ".repeat(MANY)),
        format!("let x = {}[]", "a :: ".repeat(MANY)),
        format!("let x = 1{}", " + 1".repeat(MANY)),
        format!("let x = {}()", "a; ".repeat(MANY)),
        format!("let x = f{}", " a".repeat(MANY)),
        format!("let x = [{}]", "a; ".repeat(MANY)),
        format!("let x = {}a", "! ".repeat(MANY)),
        format!("let x = a{}", ".b".repeat(MANY)),
        format!("let x : {}int = 1", "int -> ".repeat(MANY)),
        format!("let f = function {} _ -> 1", "A | ".repeat(MANY)),
        "let x = 1\n".repeat(MANY),
    ] {
        assert_eq!(reports(text), "");
    }
}

#[test]
fn deep_nesting_is_reported_once() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("begin ", " end"),
        ("if a then ", ""),
        ("fun x -> ", ""),
        ("match x with y -> ", ""),
        ("let a = ", " in a"),
        ("M.(", ")"),
        ("a.b <- ", ""),
        ("f (fun x -> ", ")"),
        ("let module M = struct let x = ", " end in 1"),
    ] {
        let text = format!("let x = {}1{}", open.repeat(MANY), close.repeat(MANY));
        assert_eq!(reports(text), "nesting too deep", "{open}");
    }
    let text = format!("let f {}x{} = 1", "(".repeat(MANY), ")".repeat(MANY));
    assert_eq!(reports(text), "nesting too deep");
    let text = format!("let x : {}int{} = 1", "(".repeat(MANY), ")".repeat(MANY));
    assert_eq!(reports(text), "nesting too deep");
    let text = format!("let x = {}a", "let a = 1 in ".repeat(250_000));
    assert_eq!(reports(text), "nesting too deep");
}

#[test]
fn many_brackets_without_partner_are_few_reports() {
    assert_eq!(reports(format!("let x = 1 {}", ")".repeat(MANY))), "`)` closes nothing");
    assert!(reports(format!("let x = {}", "(".repeat(MANY))).lines().count() <= 2);
}
