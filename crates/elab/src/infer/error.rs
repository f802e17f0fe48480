//! Type errors in words.

use oxbow_base::Span;
use oxbow_diag::{Diagnostic, Reported};

use crate::types::{Label, Type, TypeId, Unknown};

use super::print::Printer;
use super::unify::Mismatch;
use super::{Because, Expect, Infer};

impl Infer<'_> {
    pub(super) fn show(&self, ty: TypeId) -> String {
        Printer::new(&self.types).show(ty)
    }

    pub(super) fn report_mismatch(
        &mut self,
        expect: Expect,
        actual: TypeId,
        span: Span,
        mismatch: Mismatch,
    ) -> Reported {
        let mut printer = Printer::new(&self.types);
        let (wanted, found) = (printer.show(expect.ty), printer.show(actual));
        if let Mismatch::Cyclic = mismatch {
            return self.diagnostics.error(
                Diagnostic::error("E0114", "this expression would have an infinite type")
                    .at(span, format!("has type `{found}`, but `{wanted}` is expected"))
                    .note("one of the two types contains the other"),
            );
        }
        if let Mismatch::SameHash(a, b) = mismatch {
            return self.same_hash(a, b, span);
        }
        if let Mismatch::Escape(con) = mismatch {
            // What is wrong within may be all that keeps the type from being known.
            if self.diagnostics.has_error_within(span) {
                return self.diagnostics.reported();
            }
            let name = self.types.tycons[con].path.clone();
            let label = match self.mentions_con(actual, con) {
                true => format!("has type `{found}`, which is not known outside"),
                false => format!("must be `{wanted}` here, which is not known outside"),
            };
            let mut diagnostic =
                Diagnostic::error("E0131", format!("type `{name}` escapes its scope"))
                    .at(span, label);
            if let Some(declared) = self.types.tycons[con].span
                && declared.file == span.file
            {
                let text = match self.types.tycons[con].unknown {
                    Unknown::Existential => {
                        format!("the type `{name}` is bound by the constructor here")
                    }
                    Unknown::Packed => {
                        format!("the type `{name}` is bound by unpacking the module here")
                    }
                    _ => "declared here".into(),
                };
                diagnostic = diagnostic.label(declared, text);
            }
            return self.diagnostics.error(diagnostic);
        }
        if let Mismatch::Ambiguous(con) = mismatch {
            let name = self.types.tycons[con].path.clone();
            let text = format!("it is ambiguous whether this is `{wanted}` or `{found}`");
            return self.diagnostics.error(
                Diagnostic::error("E0174", text)
                    .at(span, format!("this has type `{found}`, but `{wanted}` is expected"))
                    .note(format!(
                        "the two are equal in this branch only, where it is known what `{name}` is"
                    ))
                    .help("annotate the function or the `match` with the type of its result"),
            );
        }
        let mut diagnostic =
            Diagnostic::error("E0113", format!("expected `{wanted}`, found `{found}`"));
        diagnostic = match expect.because {
            Because::Plain => diagnostic.at(span, format!("this has type `{found}`")),
            // A name that the compiler made up is nobody's.
            Because::Argument(_, Some(func)) if func.is_hidden() => {
                diagnostic.at(span, format!("this must be `{wanted}`"))
            }
            Because::Argument(number, Some(func)) => {
                diagnostic.at(span, format!("argument {number} of `{func}` must be `{wanted}`"))
            }
            Because::Argument(number, None) => {
                diagnostic.at(span, format!("argument {number} must be `{wanted}`"))
            }
            Because::Condition => diagnostic.at(span, "a condition must be `bool`"),
            Because::Branch(first) => diagnostic
                .at(span, format!("this branch has type `{found}`"))
                .label(first, format!("the other branch has type `{wanted}`")),
            Because::Annotation(place) => diagnostic
                .at(span, format!("this has type `{found}`"))
                .label(place, format!("`{wanted}` because of this annotation")),
            Because::Element(first) => diagnostic
                .at(span, format!("this has type `{found}`"))
                .label(first, format!("the first element has type `{wanted}`")),
            Because::NoElse(whole) => diagnostic
                .at(span, format!("this has type `{found}`"))
                .label(whole.at_start(), "this `if` has no `else`, so its branch must be `unit`"),
        };
        let help = match expect.because {
            Because::NoElse(_) => Some("add an `else` with the other value".to_string()),
            Because::Argument(1, Some(func)) if func.as_str() == "!" && self.is_clef() => {
                Some("`!` reads a `ref` cell; the negation of a truth value is `not`".into())
            }
            _ => self.conversion_help(expect.ty, actual),
        };
        if let Some(note) = self.equations_about(&[expect.ty, actual]) {
            diagnostic = diagnostic.note(note);
        }
        let lacking = self.tags_not_allowed(expect.ty, actual);
        if let Some(note) = lacking.or_else(|| self.lacking_methods(expect.ty, actual)) {
            diagnostic = diagnostic.note(note);
        }
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.diagnostics.error(diagnostic)
    }

    /// A change that would make the types agree, for the usual confusions.
    fn conversion_help(&self, wanted: TypeId, actual: TypeId) -> Option<String> {
        // A program's own type of such a name is not meant.
        let name = |ty: TypeId| match self.types.get(ty) {
            Type::Con(con, _) if self.types.tycons[*con].library => {
                Some(self.types.tycons[*con].path.as_str())
            }
            _ => None,
        };
        let is_function = |ty: TypeId| matches!(self.types.get(ty), Type::Arrow(..));
        if self.is_clef() {
            let numbers = ["int32", "int64", "float", "float32", "uint8", "char", "string"];
            let help = match (name(wanted), name(actual)) {
                (Some("string"), Some("char")) => "use `string c`, or a literal with double quotes",
                (Some("list"), Some("array")) => "use `Array.toList`",
                (Some("array"), Some("list")) => "use `List.toArray`",
                (Some("Ref"), Some("Ref")) => return None,
                (_, Some("Ref")) => "read the cell by `.Value`",
                (Some(to), Some(from)) if numbers.contains(&to) && numbers.contains(&from) => {
                    let to = if to == "int32" { "int" } else { to };
                    return Some(format!("convert it: `{to} (…)`"));
                }
                _ => "",
            };
            if !help.is_empty() {
                return Some(help.into());
            }
        }
        let help = match (name(wanted), name(actual)) {
            (Some("float"), Some("int")) => {
                "use `float_of_int`, or write a float literal such as `1.` and float operators such as `+.`"
            }
            (Some("int"), Some("float")) => {
                "use `int_of_float`, or the float operators `+.`, `-.`, `*.`, `/.`"
            }
            (Some("string"), Some("int")) => "use `string_of_int`",
            (Some("string"), Some("float")) => "use `string_of_float` or `Printf.sprintf`",
            (Some("string"), Some("char")) => {
                "use `String.make 1 c`, or a string literal with double quotes"
            }
            (Some("char"), Some("string")) => "a character literal has single quotes: `'c'`",
            (Some("int"), Some("string")) => "use `int_of_string`",
            (Some("int"), Some("char")) => "use `Char.code`",
            (Some("unit"), Some(_)) => "use `ignore (…)` to discard a result",
            (Some("bool"), Some("int")) => "compare it: `x <> 0`",
            (_, Some("ref")) if name(wanted) != Some("ref") => "read the reference with `!`",
            (_, Some("option")) if name(wanted) != Some("option") => {
                "match on the option to get at the value inside, or use `Option.get`"
            }
            (Some("option"), _) if !is_function(actual) && name(actual) != Some("option") => {
                "wrap the value in `Some`"
            }
            (Some("list"), Some("array")) => "use `Array.to_list`",
            (Some("array"), Some("list")) => "use `Array.of_list`",
            _ if is_function(actual) && !is_function(wanted) => {
                let Type::Arrow(label, ..) = self.types.get(actual) else { return None };
                return Some(match label {
                    Label::Labelled(name) => {
                        format!("the function is not fully applied: argument `~{name}` is missing")
                    }
                    Label::None | Label::Optional(_) => {
                        "the function is not fully applied: an argument is missing".into()
                    }
                });
            }
            _ => return None,
        };
        Some(help.into())
    }

    pub(super) fn not_supported(&mut self, span: Span, construct: &str) -> Reported {
        self.diagnostics.error(Diagnostic::not_supported(span, construct))
    }
}
