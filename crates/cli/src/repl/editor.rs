//! The line editor: a phrase may have many lines, names are completed, and there are colours and a history.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write as _;
use std::path::PathBuf;

use oxbow_driver::Language;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::split::{First, first_phrase};
use super::{Next, Prompt};

/// So many phrases are remembered.
const REMEMBERED: usize = 1000;

pub fn run(prompt: Box<dyn Prompt>, language: Language) -> i32 {
    let config = Config::builder().completion_type(CompletionType::List);
    let config = config.max_history_size(REMEMBERED).map(|it| it.build());
    let editor = config.and_then(|it| Editor::with_history(it, MemHistory::new()));
    let mut editor: Editor<Editing, MemHistory> = match editor {
        Ok(editor) => editor,
        Err(error) => {
            crate::report::print_error(&format!("error: the terminal cannot be used: {error}\n"));
            return 2;
        }
    };
    editor.set_helper(Some(Editing { prompt: RefCell::new(prompt), language }));
    let history = History::of(language);
    for phrase in history.read() {
        let _ = editor.add_history_entry(phrase);
    }
    let mark = if language == Language::Eshkol { ',' } else { '#' };
    println!("Oxbow {}. {mark}help is a list of directives.\n", env!("CARGO_PKG_VERSION"));
    let prompt = match language {
        Language::Ocaml => "# ",
        _ => "> ",
    };
    loop {
        match editor.readline(prompt) {
            Ok(text) => {
                if text.trim().is_empty() {
                    continue;
                }
                let _ = editor.add_history_entry(text.as_str());
                history.write(&text);
                let Some(helper) = editor.helper() else { return 2 };
                if let Next::Exit(code) = helper.prompt.borrow_mut().all(&text) {
                    return code;
                }
            }
            // What was typed so far is left.
            Err(ReadlineError::Interrupted) => (),
            Err(_) => {
                let Some(helper) = editor.helper() else { return 2 };
                return helper.prompt.borrow_mut().end();
            }
        }
    }
}

/// What was typed in earlier sessions, one phrase a line.
struct History {
    path: Option<PathBuf>,
}

impl History {
    fn of(language: Language) -> Self {
        let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).or_else(|| {
            std::env::var_os("HOME").map(|it| PathBuf::from(it).join(".local").join("state"))
        });
        let name = match language {
            Language::Clef | Language::ClefProject => "clef",
            Language::Eshkol => "eshkol",
            Language::Ocaml | Language::Mlir => "ocaml",
        };
        Self { path: state.map(|it| it.join("oxbow").join(format!("history.{name}"))) }
    }

    fn read(&self) -> Vec<String> {
        let text = self.path.as_ref().and_then(|it| std::fs::read_to_string(it).ok());
        let text = text.unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let recent = lines.iter().skip(lines.len().saturating_sub(REMEMBERED));
        recent.map(|it| it.replace("\\n", "\n").replace("\\\\", "\\")).collect()
    }

    /// A history that cannot be written is none.
    fn write(&self, phrase: &str) {
        let Some(path) = &self.path else { return };
        if let Some(folder) = path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let line = phrase.replace('\\', "\\\\").replace('\n', "\\n") + "\n";
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut it| it.write_all(line.as_bytes()));
    }
}

/// What the editor asks for while a phrase is typed.
struct Editing {
    prompt: RefCell<Box<dyn Prompt>>,
    language: Language,
}

impl Helper for Editing {}

impl Hinter for Editing {
    type Hint = String;
}

impl Validator for Editing {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let mut rest = context.input();
        loop {
            match first_phrase(self.language, rest) {
                First::Ends(_, next) => rest = &rest[next..],
                First::Begins => return Ok(ValidationResult::Incomplete),
                First::Nothing => return Ok(ValidationResult::Valid(None)),
            }
        }
    }
}

impl Completer for Editing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..position];
        let start = before
            .rfind(|it: char| !self.is_part(it) && it != '.')
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let names = self.prompt.borrow_mut().complete(&before[start..]);
        // What stands behind a module is completed by itself.
        let from = match self.language {
            Language::Eshkol => start,
            _ => before.rfind('.').filter(|&at| at >= start).map_or(start, |at| at + 1),
        };
        Ok((from, names))
    }
}

impl Editing {
    /// Is this a part of names here?
    fn is_part(&self, letter: char) -> bool {
        let others = if self.language == Language::Eshkol { "!$%&*/:<=>?^_~+-@" } else { "_'" };
        letter.is_alphanumeric() || others.contains(letter)
    }

    fn keywords(&self) -> &'static [&'static str] {
        match self.language {
            Language::Eshkol => &[
                "define",
                "define-record-type",
                "define-syntax",
                "define-values",
                "lambda",
                "case-lambda",
                "let",
                "let*",
                "letrec",
                "letrec*",
                "let-values",
                "let*-values",
                "if",
                "cond",
                "case",
                "when",
                "unless",
                "and",
                "or",
                "do",
                "begin",
                "set!",
                "delay",
                "guard",
                "parameterize",
                "quote",
                "quasiquote",
                "import",
            ],
            Language::Clef | Language::ClefProject => &[
                "let", "rec", "and", "in", "fun", "function", "match", "with", "when", "if",
                "then", "elif", "else", "for", "to", "do", "while", "type", "module", "open", "of",
                "mutable", "try", "finally", "use", "yield", "return", "inline", "member",
                "static",
            ],
            Language::Ocaml | Language::Mlir => &[
                "let",
                "rec",
                "and",
                "in",
                "fun",
                "function",
                "match",
                "with",
                "when",
                "if",
                "then",
                "else",
                "for",
                "to",
                "downto",
                "do",
                "done",
                "while",
                "type",
                "module",
                "open",
                "of",
                "mutable",
                "try",
                "exception",
                "struct",
                "sig",
                "end",
                "include",
                "class",
                "object",
                "method",
                "val",
                "begin",
                "external",
                "lazy",
                "assert",
                "new",
                "as",
            ],
        }
    }
}

impl Highlighter for Editing {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let mut out = String::with_capacity(line.len() * 2);
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|it: char| !self.is_part(it));
            let length = match first {
                '"' => {
                    let close = rest[1..].find('"').map_or(rest.len(), |it| it + 2);
                    out.push_str(&format!("\x1b[32m{}\x1b[0m", &rest[..close]));
                    close
                }
                it if self.is_part(it) && it != '\'' => {
                    let length = word.unwrap_or(rest.len());
                    let text = &rest[..length];
                    match text {
                        _ if self.keywords().contains(&text) => {
                            out.push_str(&format!("\x1b[34m{text}\x1b[0m"));
                        }
                        _ if it.is_ascii_digit() => {
                            out.push_str(&format!("\x1b[36m{text}\x1b[0m"));
                        }
                        _ => out.push_str(text),
                    }
                    length
                }
                it => {
                    out.push(it);
                    it.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        Cow::Owned(out)
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        true
    }
}
