//! What every program may use: functions of the library and of the prelude, with their types.
//!
//! The prelude (`prelude.ml`) holds one definition per paragraph; a printed program gets the
//! paragraphs that it needs.

use crate::types::{Ctor, Data, Field, Label, Shape, Ty};

/// A polymorphic function in scope everywhere.
pub struct Global {
    pub name: &'static str,
    pub ty: Ty,
    /// Its first type parameter must have no functions in it.
    pub compares: bool,
    /// A rough number of steps per call.
    pub cost: usize,
}

const FUNCTIONS: &[(&str, &str, usize)] = &[
    ("id", "'a -> 'a", 1),
    ("konst", "'a -> 'b -> 'a", 1),
    ("flip", "('a -> 'b -> 'c) -> 'b -> 'a -> 'c", 20),
    ("compose", "('a -> 'b) -> ('c -> 'a) -> 'c -> 'b", 40),
    ("twice", "('a -> 'a) -> 'a -> 'a", 40),
    ("apply", "('a -> 'b) -> 'a -> 'b", 20),
    ("curry", "('a * 'b -> 'c) -> 'a -> 'b -> 'c", 20),
    ("uncurry", "('a -> 'b -> 'c) -> 'a * 'b -> 'c", 20),
    ("swap", "'a * 'b -> 'b * 'a", 1),
    ("both", "('a -> 'b) -> 'a * 'a -> 'b * 'b", 40),
    ("pair", "'a -> 'b -> 'a * 'b", 1),
    ("dup", "'a -> 'a * 'a", 1),
    ("bracket", "('a -> 'b) -> ('a -> 'b) -> 'a -> 'b", 40),
    ("tap", "('a -> unit) -> 'a -> 'a", 20),
    ("memo", "('a -> 'b) -> 'a -> 'b", 40),
    ("counter", "unit -> int -> int", 3),
    ("fold_tree", "('a -> 'b -> 'b) -> 'a tree -> 'b -> 'b", 100),
    ("map_tree", "('a -> 'b) -> 'a tree -> 'b tree", 100),
    ("insert", "'a -> 'a tree -> 'a tree", 10),
    ("either", "('a -> 'c) -> ('b -> 'c) -> ('a, 'b) sum -> 'c", 20),
    ("set_box", "'a box -> 'a -> int", 2),
    ("sum_by", "('a -> int) -> 'a list -> int", 100),
    ("or_else", "?default:int -> int option -> int", 2),
    ("fold", "f:('b -> 'a -> 'b) -> init:'b -> 'a list -> 'b", 100),
    ("Stdlib.fst", "'a * 'b -> 'a", 1),
    ("Stdlib.snd", "'a * 'b -> 'b", 1),
    ("Stdlib.ref", "'a -> 'a ref", 1),
    ("Stdlib.succ", "int -> int", 1),
    ("Stdlib.incr", "int ref -> unit", 1),
    ("string_of_int", "int -> string", 2),
    ("cat", "string -> string -> string", 4),
    ("String.length", "string -> int", 1),
    ("nth", "'a list -> int -> 'a -> 'a", 5),
    ("app", "'a list -> 'a list -> 'a list", 20),
    ("List.map", "('a -> 'b) -> 'a list -> 'b list", 100),
    ("List.mapi", "(int -> 'a -> 'b) -> 'a list -> 'b list", 100),
    ("List.iter", "('a -> unit) -> 'a list -> unit", 100),
    ("List.rev", "'a list -> 'a list", 10),
    ("List.length", "'a list -> int", 10),
    ("List.filter", "('a -> bool) -> 'a list -> 'a list", 100),
    ("List.exists", "('a -> bool) -> 'a list -> bool", 100),
    ("List.fold_left", "('b -> 'a -> 'b) -> 'b -> 'a list -> 'b", 100),
    ("List.fold_right", "('a -> 'b -> 'b) -> 'a list -> 'b -> 'b", 100),
    ("sort", "'a list -> 'a list", 50),
    ("List.nth_opt", "'a list -> int -> 'a option", 5),
    ("List.find_opt", "('a -> bool) -> 'a list -> 'a option", 100),
    ("List.mem", "'a -> 'a list -> bool", 20),
    ("List.assoc_opt", "'a -> ('a * 'b) list -> 'b option", 20),
    ("List.split", "('a * 'b) list -> 'a list * 'b list", 20),
    ("init", "int -> (int -> 'a) -> 'a list", 60),
    ("Option.map", "('a -> 'b) -> 'a option -> 'b option", 20),
    ("Option.bind", "'a option -> ('a -> 'b option) -> 'b option", 20),
    ("Array.map", "('a -> 'b) -> 'a array -> 'b array", 100),
    ("Array.to_list", "'a array -> 'a list", 10),
    ("Array.of_list", "'a list -> 'a array", 10),
    ("Array.length", "'a array -> int", 1),
    ("Array.fold_left", "('b -> 'a -> 'b) -> 'b -> 'a array -> 'b", 100),
    ("cmp", "'a -> 'a -> int", 20),
    ("Stdlib.max", "'a -> 'a -> 'a", 20),
];

/// Functions that compare values of their first type parameter.
const COMPARING: &[&str] =
    &["memo", "insert", "List.mem", "List.assoc_opt", "cmp", "Stdlib.max", "sort"];

/// Functions that read from something mutable: with functions inside, they could tie a knot.
const READING: &[&str] = &["Array.map", "Array.to_list", "Array.fold_left"];

pub fn globals() -> Vec<Global> {
    let global = |(name, ty, cost): &(&'static str, &str, usize)| Global {
        name,
        ty: parse(ty),
        compares: COMPARING.contains(name) || READING.contains(name),
        cost: *cost,
    };
    FUNCTIONS.iter().map(global).collect()
}

/// A functor of the prelude, and an instance of it.
pub struct Module {
    /// The instance, with holes for the arguments.
    pub text: &'static str,
    pub args: &'static [&'static str],
    /// The members to use, with their types.
    pub members: &'static [(&'static str, &'static str)],
}

pub const MODULES: &[Module] = &[
    Module {
        text: "Counter (struct let start = {0} let step = {1} end)",
        args: &["int", "int -> int"],
        members: &[("next", "int -> int"), ("peek", "unit -> int")],
    },
    Module {
        text: "Cell (struct type t = string let initial = {0} let render = {1} end)",
        args: &["string", "string -> string"],
        members: &[("swap", "string -> string"), ("text", "int -> string")],
    },
    Module {
        text: "Cell (struct type t = int * (int -> int) let initial = {0} let render = {1} end)",
        args: &["int * (int -> int)", "int * (int -> int) -> string"],
        members: &[("swap", "int * (int -> int) -> int * (int -> int)"), ("text", "int -> string")],
    },
    Module {
        text: "Scale (struct let by = {0} end)",
        args: &["int"],
        members: &[("apply", "int -> int"), ("all", "(int -> int) -> int")],
    },
    Module {
        text: "struct let base = {0} let state = ref base let add v0 = state := !state + v0; !state let both fn0 = (fn0 base, {1}) end",
        args: &["int", "int"],
        members: &[("add", "int -> int"), ("both", "(int -> 'a) -> 'a * int")],
    },
];

/// The declared types of the prelude, in the order `box`, `tree`, `sum`.
pub fn presets() -> Vec<Data> {
    let ctor = |name: &str, args: Vec<Ty>| Ctor { name: name.into(), args };
    let tree = Ty::Data(1, vec![Ty::Param(0)]);
    let fields = vec![
        Field { name: "v".into(), mutable: true, ty: Ty::Param(0) },
        Field { name: "tag".into(), mutable: false, ty: Ty::Int },
    ];
    let node = ctor("Node", vec![tree.clone(), Ty::Param(0), tree]);
    let sum = vec![ctor("L", vec![Ty::Param(0)]), ctor("R", vec![Ty::Param(1)])];
    let data = |name: &str, params, shape, recursive| Data {
        name: name.into(),
        params,
        shape,
        recursive,
        preset: true,
        includes: None,
    };
    vec![
        data("box", 1, Shape::Record(fields), false),
        data("tree", 1, Shape::Variant(vec![ctor("Leaf", Vec::new()), node]), true),
        data("sum", 2, Shape::Variant(sum), false),
    ]
}

/// Exceptions of the library.
pub fn exceptions() -> Vec<Ctor> {
    let ctor = |name: &str, args: Vec<Ty>| Ctor { name: name.into(), args };
    vec![
        ctor("Not_found", Vec::new()),
        ctor("Exit", Vec::new()),
        ctor("Failure", vec![Ty::Str]),
        ctor("Invalid_argument", vec![Ty::Str]),
    ]
}

/// Reads a type of the tables here.
pub fn parse(text: &str) -> Ty {
    let spaced =
        text.replace('(', " ( ").replace(')', " ) ").replace(',', " , ").replace(':', ": ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    Reader { tokens, at: 0 }.arrow()
}

struct Reader<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn arrow(&mut self) -> Ty {
        let label = match self.peek() {
            "?default:" => Label::Optional("default"),
            "f:" => Label::Named("f"),
            "init:" => Label::Named("init"),
            _ => Label::None,
        };
        self.at += usize::from(label != Label::None);
        let mut items = vec![self.postfix()];
        while self.take("*") {
            items.push(self.postfix());
        }
        let left = if items.len() == 1 { items.remove(0) } else { Ty::Tuple(items) };
        if self.take("->") { Ty::Fun(label, Box::new(left), Box::new(self.arrow())) } else { left }
    }

    fn postfix(&mut self) -> Ty {
        let mut args = Vec::new();
        if self.take("(") {
            args.push(self.arrow());
            while self.take(",") {
                args.push(self.arrow());
            }
            self.take(")");
        } else {
            let name = self.peek().to_string();
            self.at += 1;
            args.push(match name.as_str() {
                "int" => Ty::Int,
                "bool" => Ty::Bool,
                "string" => Ty::Str,
                "unit" => Ty::Unit,
                _ => Ty::Param(usize::from(name.as_bytes().get(1).copied().unwrap_or(b'a') - b'a')),
            });
        }
        loop {
            let one = |args: &mut Vec<Ty>| Box::new(args.remove(0));
            let ty = match self.peek() {
                "list" => Ty::List(one(&mut args)),
                "option" => Ty::Option(one(&mut args)),
                "ref" => Ty::Ref(one(&mut args)),
                "array" => Ty::Array(one(&mut args)),
                "box" => Ty::Data(0, std::mem::take(&mut args)),
                "tree" => Ty::Data(1, std::mem::take(&mut args)),
                "sum" => Ty::Data(2, std::mem::take(&mut args)),
                _ => return args.remove(0),
            };
            self.at += 1;
            args.push(ty);
        }
    }
}

/// The paragraphs of the prelude that `text` needs, in order.
pub fn prelude_for(text: &str) -> String {
    let paragraphs: Vec<&str> = include_str!("prelude.ml").split("\n\n").collect();
    let mut needed = vec![false; paragraphs.len()];
    let mut work = vec![text];
    while let Some(text) = work.pop() {
        let mut words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'').collect();
        words.sort_unstable();
        words.dedup();
        for (index, paragraph) in paragraphs.iter().enumerate() {
            if !needed[index] && defined(paragraph).iter().any(|it| words.binary_search(it).is_ok())
            {
                needed[index] = true;
                work.push(paragraph);
            }
        }
    }
    let chosen: Vec<&str> =
        paragraphs.iter().zip(&needed).filter(|it| *it.1).map(|it| it.0.trim_end()).collect();
    chosen.join("\n") + "\n"
}

/// The names that a paragraph defines.
fn defined(paragraph: &str) -> Vec<&str> {
    match paragraph
        .split_whitespace()
        .find(|it| !matches!(*it, "let" | "rec" | "module" | "exception"))
    {
        Some("type") => ["box", "tree", "sum", "Leaf", "Node", "L", "R", "tag"]
            .into_iter()
            .filter(|name| paragraph.split(|c: char| !c.is_alphanumeric()).any(|it| it == *name))
            .collect(),
        Some(name) => vec![name],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read() {
        let (a, b) = (Ty::Param(0), Ty::Param(1));
        let expected = Ty::fun(
            &[Ty::fun(std::slice::from_ref(&a), b.clone()), Ty::list(a.clone())],
            Ty::list(b.clone()),
        );
        assert_eq!(parse("('a -> 'b) -> 'a list -> 'b list"), expected);
        assert_eq!(parse("('a, 'b) sum"), Ty::Data(2, vec![a, b]));
    }

    #[test]
    fn the_prelude_is_pruned() {
        let text = prelude_for("let x = twice f 1");
        assert!(text.contains("let tick") && text.contains("exception Fuel"));
        assert!(!text.contains("show_list"));
    }
}
