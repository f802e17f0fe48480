//! How many parts each form takes, and how it is written. A form with another number of parts is
//! reported with the way it is written, before anything of it is expanded.

use super::Expander;
use crate::core::Core;
use crate::datum::Datum;

/// The form's name, the least and greatest number of its parts, how it is written.
const SHAPES: &[(&str, usize, usize, &str)] = &[
    ("quote", 1, 1, "(quote datum)"),
    ("quasiquote", 1, 1, "(quasiquote template)"),
    ("lambda", 2, MANY, "(lambda (name …) body …)"),
    ("λ", 2, MANY, "(λ (name …) body …)"),
    ("named-lambda", 2, MANY, "(named-lambda (name parameter …) body …)"),
    ("set!", 2, 2, "(set! name value)"),
    ("if", 2, 3, "(if test consequent alternative)"),
    ("begin", 1, MANY, "(begin expression …)"),
    ("let", 2, MANY, "(let ((name value) …) body …)"),
    ("let*", 2, MANY, "(let* ((name value) …) body …)"),
    ("letrec", 2, MANY, "(letrec ((name value) …) body …)"),
    ("letrec*", 2, MANY, "(letrec* ((name value) …) body …)"),
    ("let-values", 2, MANY, "(let-values (((name …) value) …) body …)"),
    ("let*-values", 2, MANY, "(let*-values (((name …) value) …) body …)"),
    ("receive", 3, MANY, "(receive (name …) value body …)"),
    ("fluid-let", 2, MANY, "(fluid-let ((name value) …) body …)"),
    ("parameterize", 2, MANY, "(parameterize ((parameter value) …) body …)"),
    ("do", 2, MANY, "(do ((name init step) …) (test result …) command …)"),
    ("cond", 1, MANY, "(cond (test expression …) …)"),
    ("case", 2, MANY, "(case key ((datum …) expression …) …)"),
    ("when", 2, MANY, "(when test expression …)"),
    ("unless", 2, MANY, "(unless test expression …)"),
    ("delay", 1, 1, "(delay expression)"),
    ("delay-force", 1, 1, "(delay-force expression)"),
    ("cons-stream", 2, 2, "(cons-stream first rest)"),
    ("guard", 2, MANY, "(guard (name clause …) body …)"),
    ("assert", 1, MANY, "(assert test)"),
    ("let/cc", 2, MANY, "(let/cc name body …)"),
    ("match", 2, MANY, "(match value (pattern expression …) …)"),
    ("let-syntax", 2, MANY, "(let-syntax ((name rules) …) body …)"),
    ("letrec-syntax", 2, MANY, "(letrec-syntax ((name rules) …) body …)"),
    ("define-derivative", 2, MANY, "(define-derivative name derivative …)"),
    ("include", 1, MANY, "(include \"file\" …)"),
];

const MANY: usize = usize::MAX;

/// Names that mean something inside of other forms only, and where.
const PARTS: &[(&str, &str)] = &[
    ("else", "`else` stands only in the last clause of `cond`, `case` and `guard`"),
    ("=>", "`=>` stands only in clauses of `cond`, `case` and `guard`"),
    ("...", "`...` stands only in the rules of `syntax-rules` and in patterns of `match`"),
    ("_", "`_` stands only in patterns"),
    ("unquote", "`unquote` (a comma) stands outside of a quasiquotation"),
    ("unquote-splicing", "`unquote-splicing` (`,@`) stands outside of a quasiquotation"),
    ("syntax-rules", "`syntax-rules` stands only where a macro is defined"),
];

impl Expander<'_> {
    /// Reports a form that has too few or too many parts.
    pub(super) fn misshapen(&mut self, name: &str, form: &Datum, count: usize) -> Option<Core> {
        let &(_, least, most, shape) = SHAPES.iter().find(|it| it.0 == name)?;
        if (least..=most).contains(&count) {
            return None;
        }
        Some(self.bad_core(form.span, &format!("bad `{name}`: it is written `{shape}`")))
    }

    /// What is said of a name of syntax that stands by itself.
    pub(super) fn out_of_place(&self, name: &str) -> Option<&'static str> {
        PARTS.iter().find(|it| it.0 == name).map(|it| it.1)
    }
}
