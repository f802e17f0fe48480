//! Reports about characters, comments and literals.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use super::quoted;

pub(crate) struct IllegalCharacter {
    pub span: Span,
    pub character: char,
}

impl IllegalCharacter {
    pub fn render(&self) -> Diagnostic {
        let character = self.character;
        let shown = if character.is_control() {
            format!("{}", character.escape_default())
        } else {
            character.to_string()
        };
        let report = Diagnostic::error("E0002", format!("illegal character `{shown}`"))
            .at(self.span, "not part of OCaml's syntax");
        match character {
            '“' | '”' | '„' => report.help("write a straight quote: `\"`"),
            '‘' | '’' => report.help("write a straight quote: `'`"),
            '–' | '—' | '−' => report.help("write a hyphen for minus: `-`"),
            '→' => report.help("write the arrow as `->`"),
            '\\' => report.help("a function is written `fun x -> …`"),
            it if it.is_alphabetic() => {
                report.note("names consist of Latin letters, digits, `_` and `'`")
            }
            _ => report,
        }
    }
}

pub(crate) struct UnterminatedComment {
    pub outer: Span,
    /// The innermost comment, if it is another one.
    pub inner: Option<Span>,
    /// A string inside the comment that does not end.
    pub string: Option<Span>,
}

impl UnterminatedComment {
    pub fn render(&self) -> Diagnostic {
        let mut report = Diagnostic::error("E0003", "comment is not terminated")
            .at(self.outer, "this comment has no `*)`");
        if let Some(inner) = self.inner {
            report = report.label(inner, "neither has this one, inside it");
        }
        if let Some(string) = self.string {
            report = report
                .label(string, "a string starts here and does not end")
                .note("strings inside comments are read as strings");
        }
        report
    }
}

pub(crate) struct UnterminatedString<'a> {
    pub span: Span,
    pub closer: &'a str,
}

impl UnterminatedString<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0004", "string is not terminated")
            .at(self.span, format!("the closing `{}` is missing", self.closer))
    }
}

pub(crate) struct IllegalEscape<'a> {
    pub span: Span,
    pub text: &'a str,
}

impl IllegalEscape<'_> {
    pub fn render(&self) -> Diagnostic {
        let message = format!("illegal escape {}", quoted(self.text));
        let report = Diagnostic::error("E0005", message).at(self.span, "names no character");
        match self.text.as_bytes().get(1) {
            Some(b'0'..=b'9') => report.note("a decimal escape goes from `\\000` to `\\255`"),
            Some(b'u') => report
                .note("a Unicode escape goes from `\\u{0}` to `\\u{10FFFF}`, surrogates left out"),
            _ => report,
        }
    }
}

pub(crate) struct UnknownEscape<'a> {
    pub span: Span,
    pub text: &'a str,
}

impl UnknownEscape<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::warning("W0014", format!("unknown escape {} in a string", quoted(self.text)))
            .at(self.span, "the backslash is kept as it is")
            .help("write `\\\\` for a backslash")
    }
}

pub(crate) struct MalformedCharacter {
    pub span: Span,
    pub length: CharacterLength,
}

/// What stands between the quotes.
pub(crate) enum CharacterLength {
    Empty,
    /// One character of several bytes.
    Wide,
    Several,
}

impl MalformedCharacter {
    pub fn render(&self) -> Diagnostic {
        match self.length {
            CharacterLength::Empty => Diagnostic::error("E0006", "character literal is empty")
                .at(self.span, "")
                .help("write `'\\''` for a quote"),
            CharacterLength::Wide => {
                Diagnostic::error("E0006", "character literal holds more than one byte")
                    .at(self.span, "")
                    .note("a `char` is one byte")
                    .help("use a string")
            }
            CharacterLength::Several => {
                Diagnostic::error("E0006", "character literal holds more than one character")
                    .at(self.span, "")
                    .help("use a string: `\"…\"`")
            }
        }
    }
}

pub(crate) struct MalformedNumber<'a> {
    pub span: Span,
    pub text: &'a str,
}

impl MalformedNumber<'_> {
    pub fn render(&self) -> Diagnostic {
        let report = Diagnostic::error("E0007", format!("malformed number {}", quoted(self.text)))
            .at(self.span, "");
        match self.text.as_bytes() {
            [b'0', b'x' | b'X'] | [b'0', b'o' | b'O'] | [b'0', b'b' | b'B'] => report.note("digits must follow"),
            [b'0'..=b'9', ..] => report.note("a number ends in a digit or in one of `l`, `L`, `n`, and a name starts with a letter"),
            _ => report,
        }
    }
}

pub(crate) struct IntegerOutOfRange<'a> {
    pub span: Span,
    pub text: &'a str,
    pub type_name: &'static str,
    pub lowest: i64,
    pub highest: i64,
}

impl IntegerOutOfRange<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error(
            "E0008",
            format!("integer literal {} does not fit in `{}`", quoted(self.text), self.type_name),
        )
        .at(self.span, "")
        .note(format!("`{}` goes from {} to {}", self.type_name, self.lowest, self.highest))
    }
}
