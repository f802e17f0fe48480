//! Random layouts of Clef: `;`, `if`, `match`, `fun`, `try`, `for`, `let` on one line and on several.
//!
//! ```text
//! let t7 () =
//!     if c 1 then p 2; p 3
//!     match v 4 with 0 -> p 5; p 6 | _ -> p 7
//! ```
//!
//! What is made is text, and nobody here knows what belongs to what: an implementation of F# decides, or refuses it.
//! All statements are of type `unit`, so that every way to read a text has a type. Each part writes its number down
//! when it runs; a test prints the numbers in order.

use std::fmt::Write as _;

use crate::rng::Rng;

/// What the tests call. Conditions and values follow from the numbers.
pub const HEAD: &str = "\
let log = System.Text.StringBuilder()
let note (k: int) = log.Append(\" \").Append(k) |> ignore
let p (k: int) : unit = note k
let v (k: int) : int = note k; k % 3
let c (k: int) : bool = note k; k % 2 = 0
let q (xs: int list) : unit = log.Append(\" [\").Append(List.length xs).Append(\"]\") |> ignore
let fail (k: int) : unit = note k; (if k % 5 < 2 then failwith \"x\")
let run (f: unit -> unit) : unit = f ()
let add (k: int) (x: int) : int = note k; x + k
let rounds = System.Collections.Generic.Dictionary<int, int>()
let more (k: int) : bool =
    note k
    let n = if rounds.ContainsKey k then rounds.[k] else 0
    rounds.[k] <- n + 1
    n < 2
";

/// One test: a function, and the line that runs it.
pub fn test(seed: u64) -> String {
    let mut layout = Layout { rng: Rng::new(seed), text: String::new(), number: 0, column: 4 };
    let _ = write!(layout.text, "let t{seed} () : unit =\n    ");
    layout.block(1 + (seed % 3) as usize);
    let _ = write!(
        layout.text,
        "\nlog.Clear() |> ignore\nrounds.Clear()\n(try t{seed} () with _ -> note 0)\nprintfn \"{seed}:%s\" (log.ToString())\n"
    );
    layout.text
}

struct Layout {
    rng: Rng,
    text: String,
    number: usize,
    column: usize,
}

impl Layout {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.len();
    }

    fn newline(&mut self, column: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', column));
        self.column = column;
    }

    fn call(&mut self, function: &str) {
        self.number += 1;
        let text = format!("{function} {}", self.number);
        self.put(&text);
    }

    /// Statements from here on, on the lines below in this column as well.
    fn block(&mut self, depth: usize) {
        let column = self.column;
        for _ in 0..self.rng.below(3) {
            self.statement(depth);
            match self.rng.below(4) {
                0 => self.put("; "),
                1 => {
                    self.put(";");
                    self.newline(column);
                }
                _ => self.newline(column),
            }
        }
        self.statement(depth);
    }

    /// Statements on this line alone.
    fn line(&mut self, depth: usize) {
        for _ in 0..self.rng.weighted(&[3, 3, 1]) {
            self.statement_on_line(depth);
            self.put("; ");
        }
        self.statement_on_line(depth);
    }

    /// The rest of this line, or a block below it.
    fn body(&mut self, depth: usize, base: usize) {
        if depth == 0 || self.rng.chance(45) {
            self.put(" ");
            self.line(depth.saturating_sub(1));
        } else {
            self.newline(base + 4);
            self.block(depth - 1);
        }
    }

    /// The next word of a construct: behind the last one, or below the first.
    fn next(&mut self, word: &str, base: usize, on_line: bool) {
        if on_line {
            self.put(" ");
        } else {
            self.newline(base);
        }
        self.put(word);
    }

    fn statement(&mut self, depth: usize) {
        if depth == 0 || self.rng.chance(20) {
            return self.statement_on_line(depth);
        }
        let base = self.column;
        match self.rng.below(13) {
            0 | 1 => self.condition(depth, base),
            2 | 3 => self.cases(depth, base),
            4 => self.lambda(depth, base),
            5 | 6 => self.attempt(depth, base),
            7 => {
                let head = *self.rng.pick(&["for i in 1 .. 2 do", "for i = 1 to 2 do"]);
                self.put(head);
                self.body(depth, base);
            }
            8 => {
                self.put("while ");
                self.call("more");
                self.put(" do");
                self.body(depth, base);
            }
            9 => {
                self.put("let x =");
                self.value_below(depth, base);
                self.newline(base);
                self.block(depth - 1);
            }
            10 => {
                self.put("let f () =");
                self.body(depth, base);
                self.newline(base);
                self.put("f ()");
            }
            11 => {
                self.call("v");
                for _ in 0..self.rng.below(3) {
                    self.newline(base);
                    self.put("|> ");
                    self.call("add");
                }
                self.newline(base);
                self.put("|> ignore");
            }
            _ => {
                self.put("(");
                self.block(depth - 1);
                self.put(")");
            }
        }
    }

    fn condition(&mut self, depth: usize, base: usize) {
        self.put("if ");
        self.call("c");
        let on_line = self.rng.chance(75);
        self.next("then", base, on_line);
        self.body(depth, base);
        for _ in 0..self.rng.weighted(&[4, 1]) {
            self.newline(base);
            self.put("elif ");
            self.call("c");
            self.put(" then");
            self.body(depth, base);
        }
        if self.rng.chance(60) {
            let on_line = self.rng.chance(20);
            self.next("else", base, on_line);
            self.body(depth, base);
        }
    }

    fn cases(&mut self, depth: usize, base: usize) {
        self.put("match ");
        self.call("v");
        self.put(" with");
        let count = 1 + self.rng.below(2);
        let on_line = self.rng.chance(15);
        for at in 0..=count {
            let pattern = if at == count { "_".to_string() } else { at.to_string() };
            let guard = if self.rng.chance(15) { " when true" } else { "" };
            let guard = if at == count { "" } else { guard };
            self.next(&format!("| {pattern}{guard} ->"), base, on_line);
            self.body(depth, base);
        }
    }

    fn lambda(&mut self, depth: usize, base: usize) {
        let (open, close) = *self.rng.pick(&[
            ("run (fun () ->", ")"),
            ("run <| fun () ->", ""),
            ("List.iter (fun i ->", ") [1; 2]"),
            ("[1; 2] |> List.iter (fun i ->", ")"),
        ]);
        self.put(open);
        self.body(depth, base);
        if !close.is_empty() && self.rng.chance(25) {
            self.newline(base);
        }
        self.put(close);
    }

    fn attempt(&mut self, depth: usize, base: usize) {
        self.put("try");
        if self.rng.chance(50) {
            self.put(" ");
            self.line(depth - 1);
        } else {
            self.newline(base + 4);
            self.block(depth - 1);
        }
        let on_line = self.rng.chance(30);
        if self.rng.chance(30) {
            self.next("finally", base, on_line);
        } else if self.rng.chance(50) {
            self.next("with _ ->", base, on_line);
        } else {
            self.next("with", base, on_line);
            self.next("| _ ->", base, on_line);
        }
        self.body(depth, base);
    }

    fn value_below(&mut self, depth: usize, base: usize) {
        if self.rng.chance(50) {
            self.put(" ");
            return self.value(depth);
        }
        self.newline(base + 4);
        let column = self.column;
        for _ in 0..self.rng.below(2) {
            self.statement(depth - 1);
            self.newline(column);
        }
        self.value(depth);
    }

    fn value(&mut self, depth: usize) {
        match self.rng.below(if depth == 0 { 1 } else { 6 }) {
            0 | 1 => self.call("v"),
            2 => {
                self.put("if ");
                self.call("c");
                self.put(" then ");
                self.value(depth - 1);
                self.put(" else ");
                self.value(depth - 1);
            }
            3 => {
                self.put("(");
                self.line(depth - 1);
                self.put("; ");
                self.value(depth - 1);
                self.put(")");
            }
            4 => {
                self.put("match ");
                self.call("v");
                self.put(" with 0 -> ");
                self.value(depth - 1);
                self.put(" | _ -> ");
                self.value(depth - 1);
            }
            _ => {
                self.value(0);
                self.put(" + ");
                self.value(0);
            }
        }
    }

    fn statement_on_line(&mut self, depth: usize) {
        if depth == 0 || self.rng.chance(35) {
            let function = if self.rng.chance(15) { "fail" } else { "p" };
            return self.call(function);
        }
        match self.rng.below(11) {
            0 | 1 => {
                self.put("if ");
                self.call("c");
                self.put(" then ");
                self.line(depth - 1);
                if self.rng.chance(50) {
                    self.put(" else ");
                    self.line(depth - 1);
                }
            }
            2 => {
                let bar = *self.rng.pick(&[" with 0 -> ", " with | 0 -> "]);
                self.put("match ");
                self.call("v");
                self.put(bar);
                self.line(depth - 1);
                self.put(" | _ -> ");
                self.line(depth - 1);
            }
            3 => {
                let (open, close) =
                    *self.rng.pick(&[("run (fun () -> ", ")"), ("run <| fun () -> ", "")]);
                self.put(open);
                self.line(depth - 1);
                self.put(close);
            }
            4 => {
                self.put("try ");
                self.line(depth - 1);
                let word = *self.rng.pick(&[" with _ -> ", " with | _ -> ", " finally "]);
                self.put(word);
                self.line(depth - 1);
            }
            5 => {
                self.put("for i in 1 .. 2 do ");
                self.line(depth - 1);
            }
            6 => {
                self.put("let x = ");
                self.value(depth - 1);
                self.put(" in ");
                self.line(depth - 1);
            }
            7 => {
                self.put("(");
                self.line(depth - 1);
                self.put(")");
            }
            8 => {
                self.put("p (");
                self.value(depth - 1);
                self.put(")");
            }
            9 => self.list(depth),
            _ => {
                self.call("v");
                self.put(" |> function 0 -> ");
                self.line(depth - 1);
                self.put(" | _ -> ");
                self.line(depth - 1);
            }
        }
    }

    fn list(&mut self, depth: usize) {
        self.put("q [");
        for at in 0..1 + self.rng.below(3) {
            if at > 0 {
                self.put("; ");
            }
            if self.rng.chance(35) {
                self.put("if ");
                self.call("c");
                self.put(" then ");
            }
            self.value(depth.saturating_sub(2));
        }
        self.put("]");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_one_text() {
        assert_eq!(test(3), test(3));
        assert!((0..50).any(|it| test(it).contains("; ")));
        assert!((0..50).any(|it| test(it).contains("match ")));
    }
}
