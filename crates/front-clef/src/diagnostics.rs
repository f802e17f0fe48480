//! The reports of the lexer and the parser.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

pub fn tabs(first: Span, count: usize) -> Diagnostic {
    let others = match count {
        1 => String::new(),
        2 => " (1 other line has them too)".into(),
        n => format!(" ({} other lines have them too)", n - 1),
    };
    Diagnostic::error("E0050", format!("tabs cannot be used to indent{others}"))
        .at(first, "a tab")
        .note("columns decide where a block ends, and a tab has no fixed width")
        .help("replace every tab by spaces")
}

pub fn illegal(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("E0002", format!("illegal character `{text}`")).at(span, "")
}

pub fn unterminated_comment(span: Span) -> Diagnostic {
    Diagnostic::error("E0003", "comment is not terminated")
        .at(span, "begins here")
        .help("close it by `*)`")
}

pub const UNTERMINATED: &str = "E0004";

pub fn unterminated_string(span: Span) -> Diagnostic {
    Diagnostic::error(UNTERMINATED, "string is not terminated")
        .at(span, "begins here")
        .help("the missing `\"` may be that of an earlier string")
}

pub fn bad_escape(span: Span) -> Diagnostic {
    Diagnostic::error("E0005", "this escape names no character").at(span, "")
}

pub fn bad_char(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::error("E0006", format!("malformed character literal: {reason}")).at(span, "")
}

pub fn bad_number(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("E0007", format!("malformed number `{text}`")).at(span, "")
}

pub fn too_large(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::error("E0008", format!("this number does not fit the type `{ty}`"))
        .at(span, "")
        .help("choose a larger type by a suffix: `1L` is an `int64`, `1UL` a `uint64`")
}

pub fn expected(span: Span, what: &str, found: &str) -> Diagnostic {
    Diagnostic::error("E0001", format!("expected {what}, found {found}"))
        .at(span, "not expected here")
}

pub fn unclosed(open: Span, bracket: &str, stop: Span, wanted: &str) -> Diagnostic {
    Diagnostic::error("E0009", format!("`{bracket}` is never closed"))
        .at(open, "opened here")
        .label(stop, format!("a `{wanted}` is missing before this"))
}

pub fn closes_nothing(span: Span, bracket: &str) -> Diagnostic {
    Diagnostic::error("E0011", format!("`{bracket}` closes nothing"))
        .at(span, "no bracket is open here")
}

pub fn wrong_close(
    open: Span,
    bracket: &str,
    close: Span,
    found: &str,
    wanted: &str,
) -> Diagnostic {
    Diagnostic::error("E0010", format!("`{bracket}` is closed by `{found}`"))
        .at(close, format!("expected `{wanted}`"))
        .label(open, "opened here")
}

pub fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("E0012", "this program is nested too deeply").at(span, "")
}

pub fn missing_equals(at: Span, next: Span) -> Diagnostic {
    Diagnostic::error("E0056", "this `let` has no `=`")
        .at(at, "expected `=`")
        .label(next, "this line is its value")
}

pub fn type_without_equals(at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("E0056", "this `type` has no `=`")
        .at(at, "expected `=`")
        .help(format!("write `type {name} = …`"))
}

pub fn comma_between_fields(span: Span) -> Diagnostic {
    Diagnostic::error("E0057", "the fields of a record are separated by `;`")
        .at(span, "a comma")
        .help("write `;` instead, or put each field on a line of its own")
}

pub fn missing_of(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("E0058", format!("the case `{name}` has no `of`"))
        .at(span, "expected `of` before the type")
        .help(format!("write `{name} of …`"))
}

pub fn lower_case(span: Span, name: &str) -> Diagnostic {
    let mut capital = name.to_string();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Diagnostic::error("E0059", format!("the case `{name}` begins with a small letter"))
        .at(span, "cases of a union begin with a capital letter")
        .help(format!("write `{capital}`"))
}

pub fn member_without_object(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("E0065", "this member has no name for its object")
        .at(span, "expected a name and a `.` before this")
        .help(format!("write `member this.{name}`, or `static member {name}`"))
}

pub fn and_alone(span: Span, start: Span) -> Diagnostic {
    Diagnostic::error("E0066", "`and` joins the definitions of a `let rec`")
        .at(span, "nothing to join")
        .label(start, "this is no `let rec`")
        .help("the operator for truth values is `&&`")
}

pub fn foreign_elif(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error("E0067", format!("`{word}` is no keyword")).at(span, "").help("write `elif`")
}

pub fn missing_in(span: Span, variable: Span) -> Diagnostic {
    Diagnostic::error("E0068", "this `for` has no `in`")
        .at(span, "expected `in` before this")
        .label(variable, "after the loop's variable")
}

pub fn missing_then(cond: Span, at: Span) -> Diagnostic {
    Diagnostic::error("E0014", "this `if` has no `then`")
        .at(at, "expected `then`")
        .label(cond, "after this condition")
}

pub fn missing_arrow(pattern: Span, at: Span) -> Diagnostic {
    Diagnostic::error("E0015", "this case has no `->`")
        .at(at, "expected `->`")
        .label(pattern, "after this pattern")
}

pub fn missing_with(keyword: Span, word: &str, at: Span) -> Diagnostic {
    let help = match word {
        "try" => "write `try … with` or `try … finally`",
        _ => "write `match … with`",
    };
    Diagnostic::error("E0016", format!("this `{word}` has no `with`"))
        .at(at, "expected `with`")
        .label(keyword, format!("the `{word}` begins here"))
        .help(help)
}

pub fn missing_do(at: Span, keyword: Span) -> Diagnostic {
    Diagnostic::error("E0017", "this loop has no `do`")
        .at(at, "expected `do`")
        .label(keyword, "the loop begins here")
}

pub fn keyword_as_name(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error("E0018", format!("`{word}` is a keyword, it cannot be a name"))
        .at(span, "")
        .help(format!("choose another name, or quote it: `` ``{word}`` ``"))
}

pub fn indentation(span: Span, block: Span) -> Diagnostic {
    Diagnostic::error("E0051", "this line is indented differently from the lines before it")
        .at(span, "begins in another column")
        .label(block, "the block begins in this column")
        .help("give all lines of a block the same indentation")
}

pub fn empty_block(after: Span, at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("E0052", format!("{what} is missing"))
        .at(at, "expected before this")
        .label(after, "belongs to this")
        .help(
            "what belongs to a line is on the same line, or on the next ones, further to the right",
        )
}

pub fn let_at_end(span: Span) -> Diagnostic {
    Diagnostic::error("E0053", "a block cannot end with a `let`")
        .at(span, "nothing follows that could use it")
        .help("end the block with its result, or with `()`")
}

pub fn else_alone(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error("E0019", format!("this `{word}` belongs to no `if`")).at(span, "")
}

pub fn several_characters(span: Span) -> Diagnostic {
    Diagnostic::error("E0006", "malformed character literal: it holds several characters")
        .at(span, "")
        .help("a string has double quotes: `\"…\"`")
}

pub fn else_left_of_if(span: Span, at_if: Span) -> Diagnostic {
    Diagnostic::error("E0019", "this stands left of the line that its `if` is in")
        .at(span, "begins a line too far left")
        .label(at_if, "the `if`")
        .help("indent it as far as the line with the `if`")
}

pub fn bad_hole(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error("E0054", format!("malformed interpolated string: {message}")).at(span, "")
}
