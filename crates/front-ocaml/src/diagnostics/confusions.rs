//! Reports about mistakes that are common enough to be named.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

pub(crate) struct KeywordAsName<'a> {
    pub span: Span,
    pub word: &'a str,
}

impl KeywordAsName<'_> {
    pub fn render(&self) -> Diagnostic {
        let word = self.word;
        Diagnostic::error("E0018", format!("`{word}` is a keyword and cannot be a name"))
            .at(self.span, "keyword")
            .help(format!("choose another name, for example `{word}_`"))
    }
}

/// `else` that no `if` is waiting for.
pub(crate) struct ElseWithoutIf {
    pub span: Span,
    /// An `if` before it that a `;` has ended.
    pub ended_if: Option<Span>,
}

impl ElseWithoutIf {
    pub fn render(&self) -> Diagnostic {
        let report = Diagnostic::error("E0019", "`else` without `if`")
            .at(self.span, "no `if` is waiting for an `else`");
        match self.ended_if {
            Some(span) => report
                .label(span, "this `if` ends at the `;` behind it")
                .help("put `begin … end` around the branch, or remove the `;` before `else`"),
            None => report,
        }
    }
}

/// `elif` and its like.
pub(crate) struct ElseIfSpelling<'a> {
    pub span: Span,
    pub word: &'a str,
}

impl ElseIfSpelling<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0020", format!("OCaml has no `{}`", self.word))
            .at(self.span, "")
            .help("write `else if`")
    }
}

/// One of `=`, `==`, `:=`, `<-` where another belongs.
pub(crate) struct WrongEquals<'a> {
    pub span: Span,
    pub found: &'a str,
    pub expected: &'a str,
    /// What is being written: "a definition", "a field".
    pub purpose: &'a str,
}

impl WrongEquals<'_> {
    pub fn render(&self) -> Diagnostic {
        let Self { found, expected, purpose, .. } = self;
        Diagnostic::error(
            "E0021",
            format!("{purpose} is written with `{expected}`, not with `{found}`"),
        )
        .at(self.span, format!("expected `{expected}`"))
    }
}

/// `x <- e` where `x` is neither a field nor an element.
pub(crate) struct AssignToVariable<'a> {
    pub span: Span,
    pub target: &'a str,
}

impl AssignToVariable<'_> {
    pub fn render(&self) -> Diagnostic {
        let target = self.target;
        Diagnostic::error("E0022", "`<-` assigns to a field or an element, not to a variable")
            .at(self.span, "")
            .note("variables do not change; a reference does")
            .help(format!("if `{target}` is a reference, write `{target} := …`"))
    }
}

/// `let* rec x = …`
pub(crate) struct RecursiveOperator<'a> {
    pub span: Span,
    pub operator: &'a str,
}

impl RecursiveOperator<'_> {
    pub fn render(&self) -> Diagnostic {
        let operator = self.operator;
        Diagnostic::error("E0069", format!("`{operator}` cannot be recursive"))
            .at(self.span, "only `let` can be")
            .help(format!("define the value by `let rec` and give it to `{operator}`"))
    }
}

/// A top-level expression right behind another item.
pub(crate) struct ExpressionAfterItem {
    pub span: Span,
}

impl ExpressionAfterItem {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0023", "expression does not belong to the item before it")
            .at(self.span, "this is an expression, and a new item is expected")
            .help("write `let () = …`, or put `;;` before the expression")
    }
}

/// `C a b`
pub(crate) struct CurriedConstructor<'a> {
    pub span: Span,
    pub constructor: &'a str,
    pub constructor_span: Span,
}

impl CurriedConstructor<'_> {
    pub fn render(&self) -> Diagnostic {
        let name = self.constructor;
        Diagnostic::error(
            "E0024",
            format!("constructor `{name}` is given several arguments one by one"),
        )
        .at(self.span, "second argument")
        .label(self.constructor_span, "a constructor takes one argument or a tuple")
        .help(format!(
            "write `{name} (a, b)`; put an argument that is itself an application in parentheses"
        ))
    }
}

/// `f fun x -> …`
pub(crate) struct NeedsParentheses<'a> {
    pub span: Span,
    pub word: &'a str,
}

impl NeedsParentheses<'_> {
    pub fn render(&self) -> Diagnostic {
        let word = self.word;
        Diagnostic::error("E0025", format!("`{word}` as an argument needs parentheses"))
            .at(self.span, "")
            .help(format!("write `({word} …)`"))
    }
}

/// A construct of signatures inside a structure, or the reverse.
pub(crate) struct WrongPlace<'a> {
    pub span: Span,
    pub word: &'a str,
    /// "a structure" or "a signature".
    pub place: &'a str,
    pub help: &'a str,
}

impl WrongPlace<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0026", format!("`{}` cannot stand in {}", self.word, self.place))
            .at(self.span, "")
            .help(self.help)
    }
}

/// A lower-case name where an upper-case one belongs, or the reverse.
pub(crate) struct WrongCase<'a> {
    pub span: Span,
    pub name: &'a str,
    /// "a module", "a constructor".
    pub what: &'a str,
    pub suggestion: &'a str,
}

impl WrongCase<'_> {
    pub fn render(&self) -> Diagnostic {
        let Self { name, what, suggestion, .. } = self;
        let case = if suggestion.starts_with(char::is_uppercase) {
            "an upper-case"
        } else {
            "a lower-case"
        };
        Diagnostic::error("E0027", format!("{what} has {case} name, but `{name}` is written"))
            .at(self.span, "")
            .help(format!("write `{suggestion}`"))
    }
}

/// A statement on a new line, right behind another expression.
pub(crate) struct MissingSemicolon {
    pub span: Span,
    /// The last token before it.
    pub before: Span,
}

impl MissingSemicolon {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0028", "expected `;` between two expressions")
            .at(self.span, "a new expression starts here")
            .label(self.before, "`;` is missing behind this")
    }
}

/// `f x;` at the end of an item.
pub(crate) struct SemicolonBeforeItem {
    pub span: Span,
}

impl SemicolonBeforeItem {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0029", "`;` at the end of an item")
            .at(self.span, "an expression would have to follow")
            .help("remove it; items need no separator, or `;;`")
    }
}
