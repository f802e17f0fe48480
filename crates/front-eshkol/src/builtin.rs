//! The procedures that the library offers as functions of its own language: what each takes, what it
//! gives, and where it is. The rest of the library is written in Eshkol.
//!
//! ```text
//! name  Module.function  signature
//!
//! d  a value        o  an optional value (`Absent` if it is not given)     r  the rest, as a list
//! result:  d a value   b bool   i int   f float   u unit   n never returns
//! a leading `!`: the function takes the place of the call first, for its errors
//! fold:N  of any number, from the left, N for none    chain  a comparison of two or more
//! ```

use oxbow_base::{FxHashMap, Symbol, define_id};
use std::sync::OnceLock;

define_id!(pub BuiltinId, "b");

/// How values pass to and from a function of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Dyn,
    Bool,
    Int,
    Float,
    Unit,
    Never,
    /// A procedure of so many arguments, held as a function.
    Fun(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Plain {
        required: usize,
        optional: usize,
        rest: bool,
    },
    /// Of any number, from the left. Without arguments it is the number, unless it is less than 0.
    Fold(i64),
    /// `(- a)`, `(/ a)`: with one argument the operation on this number and it.
    Inverse(i64),
    Chain,
}

pub struct Builtin {
    pub name: &'static str,
    pub module: &'static str,
    pub function: &'static str,
    pub takes_place: bool,
    pub shape: Shape,
    pub result: Form,
}

pub struct Builtins {
    all: Vec<Builtin>,
}

impl Builtins {
    pub fn get(&self, id: BuiltinId) -> &Builtin {
        use oxbow_base::Id as _;
        &self.all[id.index()]
    }

    /// Every name with its number. Names are interned on the thread that asks.
    pub fn names(&self) -> impl Iterator<Item = (Symbol, BuiltinId)> {
        use oxbow_base::Id as _;
        self.all
            .iter()
            .enumerate()
            .map(|(at, it)| (Symbol::new(it.name), BuiltinId::from_index(at)))
    }
}

impl Builtin {
    /// The least and greatest number of arguments.
    pub fn arity(&self) -> (usize, Option<usize>) {
        match self.shape {
            Shape::Plain { required, rest: true, .. } => (required, None),
            Shape::Plain { required, optional, .. } => (required, Some(required + optional)),
            Shape::Fold(identity) => (usize::from(identity < 0), None),
            Shape::Inverse(_) | Shape::Chain => (1, None),
        }
    }
}

pub fn table() -> &'static Builtins {
    static TABLE: OnceLock<Builtins> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut seen = FxHashMap::default();
        let mut all = Vec::new();
        for line in TEXT.lines() {
            let words: Vec<&'static str> = line.split_whitespace().collect();
            let [name, path, signature] = words[..] else { continue };
            if seen.insert(name, ()).is_some() {
                oxbow_diag::ice!("`{name}` is in the table twice");
            }
            all.push(builtin(name, path, signature));
        }
        Builtins { all }
    })
}

fn builtin(name: &'static str, path: &'static str, signature: &'static str) -> Builtin {
    let (short, function) = path.split_once('.').unwrap_or(("", path));
    let module = match short {
        "V" => "Eshkol_value",
        "N" => "Eshkol_num",
        "X" => "Eshkol_number_text",
        "D" => "Eshkol_data",
        "T" => "Eshkol_table",
        "P" => "Eshkol_port",
        "C" => "Eshkol_control",
        "A" => "Eshkol_ad",
        _ => oxbow_diag::ice!("`{path}` names no module"),
    };
    let takes_place = signature.starts_with('!');
    let signature = signature.trim_start_matches('!');
    let (args, result) = signature.rsplit_once('>').unwrap_or((signature, "d"));
    let result = match result {
        "d" => Form::Dyn,
        "b" => Form::Bool,
        "i" => Form::Int,
        "f" => Form::Float,
        "u" => Form::Unit,
        "n" => Form::Never,
        _ => oxbow_diag::ice!("bad signature of `{name}`"),
    };
    let number = |text: &str| text.parse().unwrap_or(-1);
    let shape = match args.split_once(':') {
        Some(("fold", it)) => Shape::Fold(number(it)),
        Some(("inverse", it)) => Shape::Inverse(number(it)),
        _ if args == "chain" => Shape::Chain,
        _ => Shape::Plain {
            required: args.matches('d').count(),
            optional: args.matches('o').count(),
            rest: args.contains('r'),
        },
    };
    Builtin { name, module, function, takes_place, shape, result }
}

const TEXT: &str = include_str!("builtins.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let table = table();
        let find = |name: &str| table.all.iter().find(|it| it.name == name).expect("in the table");
        assert_eq!(find("car").shape, Shape::Plain { required: 1, optional: 0, rest: false });
        assert!(find("car").takes_place);
        assert_eq!(find("pair?").result, Form::Bool);
        assert_eq!(find("+").shape, Shape::Fold(0));
        assert_eq!(find("make-vector").arity(), (1, Some(2)));
        assert_eq!(find("<").shape, Shape::Chain);
    }
}
