//! What the compiler itself calls of Eshkol's library, under names that the library keeps for its own use.
//!
//! ```text
//! (delay e)   ⇒   (%make-delay (lambda () e))
//! ```
//!
//! Each is a line of `builtins.txt` or a definition of the `.esk` files; nothing else of the front end spells them.

macro_rules! known {
    ($($name:ident = $text:literal;)*) => {
        $(pub const $name: &str = $text;)*

        /// All of them.
        #[cfg(test)]
        const ALL: &[&str] = &[$($name,)*];
    };
}

known! {
    AD_OPEN = "%ad-open";
    APPLY_VALUES = "%apply-values";
    ASSERTION_FAILED = "%assertion-failed";
    ASSOC = "%assoc";
    CALL_WITH_KEYWORDS = "%call-with-keywords";
    CAUGHT_OBJECT = "%caught-object";
    CPS_APPLY = "%cps-apply";
    CPS_APPLY_VALUES = "%cps-apply-values";
    CPS_CALL = "%cps-call";
    DEFAULT = "%default";
    DYNAMIC_WIND = "dynamic-wind";
    FINISH = "%finish";
    GUARDED = "%guarded";
    HANDLE = "%handle";
    IS_CAUGHT = "%caught?";
    IS_RECORD_OF = "%record-of?";
    MAKE_CONTINUATION = "%make-continuation";
    MAKE_DELAY = "%make-delay";
    MAKE_DELAY_FORCE = "%make-delay-force";
    MAKE_RECORD_TYPE = "%make-record-type";
    NO_MATCH = "%no-match";
    PARAMETERIZE = "%parameterize";
    PLACE = "%place";
    RAISE_CONTINUABLE = "%raise-continuable";
    RECORD = "%record";
    RECORD_REF = "%record-ref";
    RECORD_SET = "%record-set!";
    RERAISE = "%reraise";
    RERAISE_FROM = "%reraise-from";
    RESUME = "%resume";
    RUN = "%run";
    SHOWN = "%shown";
    SPREAD = "%spread";
    THROW = "%throw";
    UNPACK = "%unpack";
    WITH_HANDLER = "%with-handler";
    WITH_RULES = "%with-rules";
}

/// A program that mentions one of these has complex numbers.
pub const OF_COMPLEX: &[&str] =
    &["angle", "imag-part", "make-polar", "make-rectangular", "real-part"];

/// The library of `eval`, and what it exports to define names for it.
pub const EVALUATOR: &str = "oxbow eval";
pub const DEFINE_LIBRARY: &str = "%define-library!";
pub const DEFINE_NAMES: &str = "%define-names!";
pub const DEFINE_PROGRAM: &str = "%define-program!";
/// The library whose environment has the names of the program.
pub const INTERACTION: &str = "scheme repl";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    /// Defined in the library's own files.
    const IN_ESHKOL: &[&str] = &[
        CALL_WITH_KEYWORDS,
        DEFAULT,
        DYNAMIC_WIND,
        GUARDED,
        HANDLE,
        PARAMETERIZE,
        RAISE_CONTINUABLE,
        RERAISE_FROM,
        SHOWN,
        THROW,
        WITH_HANDLER,
        WITH_RULES,
    ];

    /// The files of the library that define them.
    const SOURCES: &[&str] = &[
        include_str!("../../../lib/eshkol/calculus.esk"),
        include_str!("../../../lib/eshkol/prelude.esk"),
    ];

    #[test]
    fn all_are_there() {
        for &name in ALL.iter().chain(OF_COMPLEX) {
            let is_builtin = builtin::table().names().any(|it| it.0.as_str() == name);
            assert!(is_builtin != IN_ESHKOL.contains(&name), "{name}");
        }
        for &name in IN_ESHKOL {
            let starts = [format!("(define ({name} "), format!("(define {name} ")];
            let defines = |it: &str| starts.iter().any(|start| it.starts_with(start.as_str()));
            assert!(SOURCES.iter().any(|text| text.lines().any(defines)), "{name}");
        }
    }
}
