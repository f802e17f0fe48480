//! Procedures of the library that are called in the place of others (decision 35).
//!
//! ```text
//! (vector-map f v)      (%vector-map/at place f v)      the place of the call is known
//! (append a b)          (%append/2 a b)                 two arguments
//! ```
//!
//! The library defines them under these names, which are read here and nowhere else; a variable says what it stands
//! for. What a program calls so is a procedure like any other.

use oxbow_base::Symbol;

/// What begins the names that the library keeps for itself.
const OWN: &str = "%";

/// A procedure of the library, and the calls that are not its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub of: Symbol,
    pub at: Calls,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Those of the program, whose places are known. The place is the first argument.
    Placed,
    /// Those with so many arguments.
    Count(usize),
}

impl Variant {
    /// What a name that the library defines stands for.
    pub fn of_name(name: Symbol) -> Option<Self> {
        let (of, calls) = name.as_str().strip_prefix(OWN)?.rsplit_once('/')?;
        let at = match calls {
            "at" => Calls::Placed,
            _ => Calls::Count(calls.parse().ok()?),
        };
        (!of.is_empty()).then(|| Self { of: Symbol::new(of), at })
    }

    /// The name that the library defines it under.
    pub fn name(self) -> Symbol {
        let of = self.of;
        Symbol::new(&match self.at {
            Calls::Placed => format!("{OWN}{of}/at"),
            Calls::Count(count) => format!("{OWN}{of}/{count}"),
        })
    }
}

/// Is the name for the library's own use?
pub fn is_own(name: Symbol) -> bool {
    name.as_str().starts_with(OWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for at in [Calls::Placed, Calls::Count(2)] {
            let variant = Variant { of: "vector-map".into(), at };
            assert_eq!(Variant::of_name(variant.name()), Some(variant));
        }
        assert_eq!(Variant::of_name("%place".into()), None);
        assert_eq!(Variant::of_name("f/2".into()), None);
        assert_eq!(Variant::of_name("%/2".into()), None);
    }
}
