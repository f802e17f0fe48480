//! What the compiler itself calls of Eshkol's library, under names that the library keeps for its own use.
//!
//! ```text
//! (delay e)   ⇒   (%make-delay (lambda () e))
//! ```
//!
//! Each is a line of `builtins.txt` or a definition of the `.esk` files; nothing else of the front end spells them.

pub const AD_OPEN: &str = "%ad-open";
pub const APPLY_VALUES: &str = "%apply-values";
pub const ASSERTION_FAILED: &str = "%assertion-failed";
pub const ASSOC: &str = "%assoc";
pub const CAUGHT_OBJECT: &str = "%caught-object";
pub const CPS_APPLY: &str = "%cps-apply";
pub const CPS_APPLY_VALUES: &str = "%cps-apply-values";
pub const CPS_CALL: &str = "%cps-call";
pub const DEFAULT: &str = "%default";
pub const FINISH: &str = "%finish";
pub const GUARDED: &str = "%guarded";
pub const HANDLE: &str = "%handle";
pub const IS_CAUGHT: &str = "%caught?";
pub const IS_RECORD_OF: &str = "%record-of?";
pub const MAKE_CONTINUATION: &str = "%make-continuation";
pub const MAKE_DELAY: &str = "%make-delay";
pub const MAKE_DELAY_FORCE: &str = "%make-delay-force";
pub const MAKE_RECORD_TYPE: &str = "%make-record-type";
pub const NO_MATCH: &str = "%no-match";
pub const PARAMETERIZE: &str = "%parameterize";
pub const PLACE: &str = "%place";
pub const RAISE_CONTINUABLE: &str = "%raise-continuable";
pub const RECORD: &str = "%record";
pub const RECORD_REF: &str = "%record-ref";
pub const RECORD_SET: &str = "%record-set!";
pub const RERAISE: &str = "%reraise";
pub const RERAISE_FROM: &str = "%reraise-from";
pub const RESUME: &str = "%resume";
pub const RUN: &str = "%run";
pub const SPREAD: &str = "%spread";
pub const THROW: &str = "%throw";
pub const UNPACK: &str = "%unpack";
pub const WITH_HANDLER: &str = "%with-handler";
pub const WITH_RULES: &str = "%with-rules";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    /// Defined in the library's own files.
    const IN_ESHKOL: &[&str] = &[
        DEFAULT,
        GUARDED,
        HANDLE,
        PARAMETERIZE,
        RAISE_CONTINUABLE,
        RERAISE_FROM,
        THROW,
        WITH_HANDLER,
        WITH_RULES,
    ];

    #[test]
    fn all_are_there() {
        let all = [
            AD_OPEN,
            APPLY_VALUES,
            ASSERTION_FAILED,
            ASSOC,
            CAUGHT_OBJECT,
            CPS_APPLY,
            CPS_APPLY_VALUES,
            CPS_CALL,
            DEFAULT,
            FINISH,
            GUARDED,
            HANDLE,
            IS_CAUGHT,
            IS_RECORD_OF,
            MAKE_CONTINUATION,
            MAKE_DELAY,
            MAKE_DELAY_FORCE,
            MAKE_RECORD_TYPE,
            NO_MATCH,
            PARAMETERIZE,
            PLACE,
            RAISE_CONTINUABLE,
            RECORD,
            RECORD_REF,
            RECORD_SET,
            RERAISE,
            RERAISE_FROM,
            RESUME,
            RUN,
            SPREAD,
            THROW,
            UNPACK,
            WITH_HANDLER,
            WITH_RULES,
        ];
        for name in all {
            let is_builtin = builtin::table().names().any(|it| it.0.as_str() == name);
            assert!(is_builtin != IN_ESHKOL.contains(&name), "{name}");
        }
    }
}
