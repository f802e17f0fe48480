//! What the files of a program say of its classes, before any of them is parsed.
//!
//! ```text
//! inherit Shape(…)      { new Shape() with …      objects of `Shape` have a place for what heirs add
//! override _.Equals     objects of classes that inherit say themselves what they are equal to
//! type Exception(…)     no name of .NET
//! ```
//!
//! The names are looked at without the modules around them, so more may be said than is true: a class then has a place
//! that it does not need. What a class inherits from is decided by inference, which knows what names mean. A phrase of
//! a prompt is a program by itself.

use oxbow_base::{FileId, FxHashSet, Symbol};
use oxbow_diag::Diagnostics;

use crate::lexer;
use crate::token::{Part, Tok, Token};

/// What may be said of the classes of a program.
#[derive(Default)]
pub struct Outline {
    inherited: FxHashSet<Symbol>,
    overridden: FxHashSet<Symbol>,
    types: FxHashSet<Symbol>,
    /// `type A = B`
    abbreviations: Vec<(Symbol, Symbol)>,
}

impl Outline {
    /// Adds what a file says.
    pub fn add(&mut self, file: FileId, text: &str) {
        let tokens = lexer::lex(file, text, 0..text.len(), &mut Diagnostics::new());
        self.add_tokens(file, text, &tokens);
        self.follow_abbreviations();
    }

    /// May a class of this name be one that others inherit from?
    pub(crate) fn is_inherited(&self, name: Symbol) -> bool {
        self.inherited.contains(&name)
    }

    /// May a class override this member of all objects?
    pub(crate) fn overrides(&self, name: &str) -> bool {
        self.overridden.contains(&Symbol::new(name))
    }

    /// Is there a type of this name?
    pub(crate) fn declares(&self, name: Symbol) -> bool {
        self.types.contains(&name)
    }

    fn add_tokens(&mut self, file: FileId, text: &str, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            let rest = &tokens[at + 1..];
            match &token.tok {
                Tok::Key("inherit") => self.inherited.extend(last_of_path(rest)),
                Tok::Key("new") if at > 0 && tokens[at - 1].tok == Tok::Key("{") => {
                    self.inherited.extend(last_of_path(rest));
                }
                Tok::Key("override" | "default") => {
                    if let [_, dot, member, ..] = rest
                        && dot.tok == Tok::Key(".")
                        && let Tok::Ident(name) = member.tok
                    {
                        self.overridden.insert(name);
                    }
                }
                Tok::Key("type" | "and") => self.add_type(rest),
                Tok::Interpolated(parts) => {
                    for part in parts {
                        let Part::Hole { start, end, .. } = part else { continue };
                        let sink = &mut Diagnostics::new();
                        let inner = lexer::lex(file, text, *start..*end, sink);
                        self.add_tokens(file, text, &inner);
                    }
                }
                _ => (),
            }
        }
    }

    /// `[<A>] private Name<'T> = Path`
    fn add_type(&mut self, tokens: &[Token]) {
        let is_word = |it: &Token| {
            matches!(it.tok, Tok::Key("private" | "internal" | "public") | Tok::TypeVar(_))
        };
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if token.tok == Tok::Key("[<") {
                at += tokens[at..].iter().take_while(|it| it.tok != Tok::Key(">]")).count();
            } else if !is_word(token) {
                break;
            }
            at += 1;
        }
        let Some(Token { tok: Tok::Ident(name), .. }) = tokens.get(at) else { return };
        self.types.insert(*name);
        let is = |it: &Token| matches!(it.tok, Tok::Op(op) if op.as_str() == "=");
        // Parameters stand before the `=`, which another line may begin with.
        let header = tokens[at..].iter().take_while(|it| !is(it) && !ends_header(&it.tok)).count();
        if let Some(equals) = tokens.get(at + header)
            && is(equals)
            && let Some(target) = last_of_path(&tokens[at + header + 1..])
        {
            self.abbreviations.push((*name, target));
        }
    }

    /// Who inherits from `A` inherits from what it abbreviates.
    fn follow_abbreviations(&mut self) {
        loop {
            let before = self.inherited.len();
            for (name, target) in &self.abbreviations {
                if self.inherited.contains(name) {
                    self.inherited.insert(*target);
                }
            }
            if self.inherited.len() == before {
                return;
            }
        }
    }
}

fn ends_header(tok: &Tok) -> bool {
    matches!(tok, Tok::Key("let" | "type" | "module" | "member" | "|" | "{" | "(") | Tok::Eof)
}

/// `C` of `A.B.C…`
fn last_of_path(tokens: &[Token]) -> Option<Symbol> {
    let mut last = None;
    for pair in tokens.chunks(2) {
        let Tok::Ident(name) = pair[0].tok else { return last };
        last = Some(name);
        if pair.get(1).is_none_or(|it| it.tok != Tok::Key(".")) {
            break;
        }
    }
    last
}
