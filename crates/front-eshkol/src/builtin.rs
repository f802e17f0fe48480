//! The procedures that the library offers as functions of its own language: what each takes, what it
//! gives, where it is, and what it does besides. The rest of the library is written in Eshkol.
//!
//! ```text
//! name  Module.function  signature  effect
//!
//! d  a value        o  an optional value (`Absent` if it is not given)     r  the rest, as a list
//! result:  d a value   b bool   i int   f float   u unit   n never returns
//! a leading `!`: the function takes the place of the call first, for its errors
//! fold:N  of any number, from the left, N for none    chain  a comparison of two or more
//! ```
//!
//! The effect is a word, see [`Effect`]; `stores:pairs` and its like say what is changed. Analyses ask for it and never
//! for the name: a procedure may be called anything.

use oxbow_base::{FxHashMap, Symbol, define_id};
use std::sync::OnceLock;

use crate::procedure::Procedure;

define_id!(pub BuiltinId, "b");

/// The module of procedures of tensors.
pub const TENSOR: &str = "Eshkol_tensor";

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

/// The most that a procedure does besides giving a value. Any of them may raise an error about its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// `pure`: nothing, and what it gives depends on its arguments alone. Operations on numbers are pure though they
    /// are recorded inside of a derivative: the order of a record's independent parts does not matter.
    Pure,
    /// `reads`: it looks at what others change.
    Reads,
    /// `allocates`: it makes an object that can be changed, or that has an identity, perhaps of what it reads.
    Allocates,
    /// `stores:…`: it changes an object that it is given, or something of the library's own.
    Stores(Stored),
    /// `world`: input, output, time, the environment, the end of the process.
    World,
    /// `raises`: it does not come back, but ends in a handler.
    Raises,
    /// `calls`: it calls procedures that it is given. They are values of the program, so who follows values
    /// knows what they do.
    Calls,
    /// `continues`: it goes on with a continuation, in programs that `cps` has converted.
    Continues,
}

/// What a procedure changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    Pairs,
    Vectors,
    Strings,
    Bytes,
    /// Their type stands before them among the arguments.
    Records,
    Boxes,
    Tables,
    Promises,
    Parameters,
    /// The levels of derivatives and their tapes.
    Tapes,
    /// The library's own: handlers, winds, counters.
    State,
}

impl Effect {
    fn read(word: &str) -> Option<Self> {
        Some(match word {
            "pure" => Self::Pure,
            "reads" => Self::Reads,
            "allocates" => Self::Allocates,
            "world" => Self::World,
            "raises" => Self::Raises,
            "calls" => Self::Calls,
            "continues" => Self::Continues,
            _ => Self::Stores(match word.strip_prefix("stores:")? {
                "pairs" => Stored::Pairs,
                "vectors" => Stored::Vectors,
                "strings" => Stored::Strings,
                "bytes" => Stored::Bytes,
                "records" => Stored::Records,
                "boxes" => Stored::Boxes,
                "tables" => Stored::Tables,
                "promises" => Stored::Promises,
                "parameters" => Stored::Parameters,
                "tapes" => Stored::Tapes,
                "state" => Stored::State,
                _ => return None,
            }),
        })
    }

    /// Whether it can be evaluated before or after another one that is quiet, too. Which of two errors comes first is
    /// not specified.
    pub fn is_quiet(self) -> bool {
        match self {
            Self::Pure | Self::Reads | Self::Allocates => true,
            Self::Stores(_) | Self::World | Self::Raises | Self::Calls | Self::Continues => false,
        }
    }

    /// Whether it may change a pair that it is given or finds. What the procedures do that it calls is not counted.
    pub fn stores_to_pairs(self) -> bool {
        self == Self::Stores(Stored::Pairs)
    }

    /// The place of the argument that it changes.
    pub fn changed_argument(self) -> Option<usize> {
        match self {
            Self::Stores(Stored::Records) => Some(1),
            Self::Stores(Stored::State | Stored::Tapes) => None,
            Self::Stores(
                Stored::Pairs
                | Stored::Vectors
                | Stored::Strings
                | Stored::Bytes
                | Stored::Boxes
                | Stored::Tables
                | Stored::Promises
                | Stored::Parameters,
            ) => Some(0),
            Self::Pure
            | Self::Reads
            | Self::Allocates
            | Self::World
            | Self::Raises
            | Self::Calls
            | Self::Continues => None,
        }
    }
}

pub struct Builtin {
    pub name: &'static str,
    pub procedure: Procedure,
    pub module: &'static str,
    pub function: &'static str,
    pub takes_place: bool,
    pub shape: Shape,
    pub result: Form,
    pub effect: Effect,
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
            let [name, path, signature, effect] = words[..] else {
                oxbow_diag::ice!("a line of the table has not four words: {line}")
            };
            if seen.insert(name, ()).is_some() {
                oxbow_diag::ice!("`{name}` is in the table twice");
            }
            let Some(effect) = Effect::read(effect) else {
                oxbow_diag::ice!("`{effect}` of `{name}` is no effect")
            };
            all.push(builtin(name, path, signature, effect));
        }
        Builtins { all }
    })
}

fn builtin(
    name: &'static str,
    path: &'static str,
    signature: &'static str,
    effect: Effect,
) -> Builtin {
    let (short, function) = path.split_once('.').unwrap_or(("", path));
    let module = match short {
        "V" => "Eshkol_value",
        "N" => "Eshkol_num",
        "X" => "Eshkol_number_text",
        "Z" => "Eshkol_complex",
        "D" => "Eshkol_data",
        "S" => "Eshkol_text",
        "T" => "Eshkol_table",
        "P" => "Eshkol_port",
        "C" => "Eshkol_control",
        "A" => "Eshkol_ad",
        "K" => TENSOR,
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
    let procedure = Procedure::named(name);
    Builtin { name, procedure, module, function, takes_place, shape, result, effect }
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
        assert_eq!(find("%record-set!").effect, Effect::Stores(Stored::Records));
    }

    #[test]
    fn names_that_promise_a_store_have_one_and_units_do_something() {
        for it in &table().all {
            // `reverse!` is `reverse`: it may change its argument and does not.
            let other = it.name.strip_suffix('!');
            let is_alias = |other: &str| {
                let mut all = table().all.iter();
                all.any(|that| that.name == other && that.function == it.function)
            };
            if other.is_some_and(|other| !is_alias(other)) {
                assert!(matches!(it.effect, Effect::Stores(_)), "{}", it.name);
            }
            let reports = it.takes_place || it.module == "Eshkol_ad";
            assert!(it.result != Form::Unit || !it.effect.is_quiet() || reports, "{}", it.name);
            assert!(it.result != Form::Never || !it.effect.is_quiet(), "{}", it.name);
        }
    }

    #[test]
    fn one_function_has_one_effect() {
        for it in &table().all {
            for that in &table().all {
                if (it.module, it.function) == (that.module, that.function) {
                    assert_eq!(it.effect, that.effect, "{} and {}", it.name, that.name);
                }
            }
        }
    }

    /// The library's OCaml functions change pairs in a few places; each is one whose lines say so, or changes pairs
    /// that nobody else has.
    #[test]
    fn the_functions_that_change_pairs_say_so() {
        let sources = [
            ("Eshkol_data", include_str!("../../../lib/eshkol/eshkol_data.ml")),
            ("Eshkol_text", include_str!("../../../lib/eshkol/eshkol_text.ml")),
            ("Eshkol_table", include_str!("../../../lib/eshkol/eshkol_table.ml")),
            ("Eshkol_port", include_str!("../../../lib/eshkol/eshkol_port.ml")),
            ("Eshkol_control", include_str!("../../../lib/eshkol/eshkol_control.ml")),
            ("Eshkol_value", include_str!("../../../lib/eshkol/eshkol_value.ml")),
            ("Eshkol_ad", include_str!("../../../lib/eshkol/eshkol_ad.ml")),
            ("Eshkol_num", include_str!("../../../lib/eshkol/eshkol_num.ml")),
            ("Eshkol_number_text", include_str!("../../../lib/eshkol/eshkol_number_text.ml")),
        ];
        let mut found = Vec::new();
        for (module, text) in sources {
            let mut function = "";
            for line in text.lines() {
                if let Some(rest) = line.strip_prefix("let ").or(line.strip_prefix("let[@inline] "))
                {
                    let rest = rest.strip_prefix("rec ").unwrap_or(rest);
                    function = rest.split([' ', ':']).next().unwrap_or_default();
                }
                if line.contains(".car <-") || line.contains(".cdr <-") {
                    found.push((module, function));
                }
            }
        }
        found.dedup();
        let expected = [
            ("Eshkol_data", "set_car"),
            ("Eshkol_data", "set_cdr"),
            // What `set-car!` and `set-cdr!` become where the pair is known to be one.
            ("Eshkol_data", "known_set_car"),
            ("Eshkol_data", "known_set_cdr"),
            // The entries of a table, which `hash-table->alist` copies.
            ("Eshkol_table", "table_set"),
            // What was just read.
            ("Eshkol_port", "resolve"),
        ];
        assert_eq!(found, expected);
        for it in table().all.iter().filter(|it| it.function.starts_with("set_c")) {
            assert!(it.effect.stores_to_pairs(), "{}", it.name);
        }
    }

    /// Integers and floats stand among the values as they are (decisions 25 and 252).
    #[test]
    fn constants_have_numbers_divisible_by_four() {
        let text = include_str!("../../../lib/eshkol/eshkol_value.ml");
        let dyn_type = text.split("type dyn =").nth(1).and_then(|it| it.split("\nand ").next());
        let constructors: Vec<&str> =
            dyn_type.unwrap_or_default().lines().filter_map(|it| it.strip_prefix("  | ")).collect();
        assert!(constructors.len() > 30, "{constructors:?}");
        for (number, line) in constructors.iter().enumerate() {
            let is_constant = !line.contains(" of ");
            assert!(!is_constant || number % 4 == 0, "{line} has the number {number}");
        }
    }
}
