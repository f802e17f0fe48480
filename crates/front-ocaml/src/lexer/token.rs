//! Tokens: one `Copy` word with a place, so that the parser can look at any of
//! them without borrowing.
//!
//! Operators are grouped by the class that decides their precedence; names are
//! interned. Numbers keep no value: the parser reads it from the text, because a
//! minus sign before a literal changes which values are in range.

use oxbow_base::Symbol;

/// One token. `partner` is the index of the other bracket of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub tok: Tok,
    pub start: u32,
    pub end: u32,
    pub partner: u32,
}

/// `partner` of a token that is not a bracket.
pub(crate) const NO_PARTNER: u32 = u32::MAX;

impl Token {
    /// A closing bracket that the source lacks. Its absence has been reported.
    pub fn is_inserted(self) -> bool {
        self.start == self.end && self.tok != Tok::Eof
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    // Names.
    Lower(Symbol),
    Upper(Symbol),
    /// `~x:`
    Label(Symbol),
    /// `?x:`
    OptLabel(Symbol),
    /// `'a`
    TypeVar(Symbol),

    // Literals.
    Int,
    Float,
    Char(u8),
    /// An index into the table of string contents.
    String(u32),
    /// A literal that was reported.
    BadLiteral,
    /// `{%id|…|}`
    QuotedExtension,

    // Operators with a user-chosen tail, by class.
    Prefix(Symbol),
    Infix0(Symbol),
    Infix1(Symbol),
    Infix2(Symbol),
    Infix3(Symbol),
    Infix4(Symbol),
    HashOp(Symbol),
    DotOp(Symbol),
    LetOp(Symbol),
    AndOp(Symbol),

    // Operators and punctuation.
    Bang,
    Tilde,
    Question,
    Quote,
    Backquote,
    Hash,
    Equal,
    Less,
    Greater,
    Star,
    Percent,
    Plus,
    PlusDot,
    PlusEqual,
    Minus,
    MinusDot,
    Ampersand,
    AmpAmp,
    BarBar,
    Bar,
    Arrow,
    LeftArrow,
    ColonEqual,
    ColonColon,
    ColonGreater,
    Colon,
    Semi,
    SemiSemi,
    Comma,
    Dot,
    DotDot,
    Underscore,

    // Brackets.
    LParen,
    RParen,
    LBracket,
    LBracketBar,
    LBracketLess,
    LBracketGreater,
    LBracketAt,
    LBracketAtAt,
    LBracketAtAtAt,
    LBracketPercent,
    LBracketPercentPercent,
    RBracket,
    BarRBracket,
    LBrace,
    LBraceLess,
    RBrace,

    // Keywords.
    And,
    As,
    Assert,
    Begin,
    Class,
    Constraint,
    Do,
    Done,
    Downto,
    Else,
    End,
    Exception,
    External,
    False,
    For,
    Fun,
    Function,
    Functor,
    If,
    In,
    Include,
    Inherit,
    Initializer,
    Lazy,
    Let,
    Match,
    Method,
    Module,
    Mutable,
    New,
    Nonrec,
    Object,
    Of,
    Open,
    Or,
    Private,
    Rec,
    Sig,
    Struct,
    Then,
    To,
    True,
    Try,
    Type,
    Val,
    Virtual,
    When,
    While,
    With,

    Eof,
}

impl Tok {
    /// The keyword or keyword operator with this spelling.
    pub fn keyword(text: &str) -> Option<Tok> {
        Some(match text {
            "and" => Tok::And,
            "as" => Tok::As,
            "assert" => Tok::Assert,
            "begin" => Tok::Begin,
            "class" => Tok::Class,
            "constraint" => Tok::Constraint,
            "do" => Tok::Do,
            "done" => Tok::Done,
            "downto" => Tok::Downto,
            "else" => Tok::Else,
            "end" => Tok::End,
            "exception" => Tok::Exception,
            "external" => Tok::External,
            "false" => Tok::False,
            "for" => Tok::For,
            "fun" => Tok::Fun,
            "function" => Tok::Function,
            "functor" => Tok::Functor,
            "if" => Tok::If,
            "in" => Tok::In,
            "include" => Tok::Include,
            "inherit" => Tok::Inherit,
            "initializer" => Tok::Initializer,
            "lazy" => Tok::Lazy,
            "let" => Tok::Let,
            "match" => Tok::Match,
            "method" => Tok::Method,
            "module" => Tok::Module,
            "mutable" => Tok::Mutable,
            "new" => Tok::New,
            "nonrec" => Tok::Nonrec,
            "object" => Tok::Object,
            "of" => Tok::Of,
            "open" => Tok::Open,
            "or" => Tok::Or,
            "private" => Tok::Private,
            "rec" => Tok::Rec,
            "sig" => Tok::Sig,
            "struct" => Tok::Struct,
            "then" => Tok::Then,
            "to" => Tok::To,
            "true" => Tok::True,
            "try" => Tok::Try,
            "type" => Tok::Type,
            "val" => Tok::Val,
            "virtual" => Tok::Virtual,
            "when" => Tok::When,
            "while" => Tok::While,
            "with" => Tok::With,
            "_" => Tok::Underscore,
            "land" | "lor" | "lxor" | "mod" => Tok::Infix3(Symbol::new(text)),
            "lsl" | "lsr" | "asr" => Tok::Infix4(Symbol::new(text)),
            _ => return None,
        })
    }

    /// The operator with this spelling, if it is one of the fixed ones.
    pub fn fixed_operator(text: &str) -> Option<Tok> {
        Some(match text {
            "!" => Tok::Bang,
            "~" => Tok::Tilde,
            "?" => Tok::Question,
            "#" => Tok::Hash,
            "=" => Tok::Equal,
            "<" => Tok::Less,
            ">" => Tok::Greater,
            "*" => Tok::Star,
            "%" => Tok::Percent,
            "+" => Tok::Plus,
            "+." => Tok::PlusDot,
            "+=" => Tok::PlusEqual,
            "-" => Tok::Minus,
            "-." => Tok::MinusDot,
            "&" => Tok::Ampersand,
            "&&" => Tok::AmpAmp,
            "||" => Tok::BarBar,
            "|" => Tok::Bar,
            "->" => Tok::Arrow,
            "<-" => Tok::LeftArrow,
            _ => return None,
        })
    }

    /// The closing bracket that this opening one needs.
    pub fn closer(self) -> Option<Tok> {
        Some(match self {
            Tok::LParen => Tok::RParen,
            Tok::LBracket
            | Tok::LBracketLess
            | Tok::LBracketGreater
            | Tok::LBracketAt
            | Tok::LBracketAtAt
            | Tok::LBracketAtAtAt
            | Tok::LBracketPercent
            | Tok::LBracketPercentPercent => Tok::RBracket,
            Tok::LBracketBar => Tok::BarRBracket,
            Tok::LBrace | Tok::LBraceLess => Tok::RBrace,
            Tok::Begin | Tok::Struct | Tok::Sig | Tok::Object => Tok::End,
            Tok::Do => Tok::Done,
            _ => return None,
        })
    }

    pub fn is_closer(self) -> bool {
        matches!(
            self,
            Tok::RParen | Tok::RBracket | Tok::BarRBracket | Tok::RBrace | Tok::End | Tok::Done
        )
    }

    /// The spelling of a closing bracket.
    pub fn closer_text(self) -> &'static str {
        match self {
            Tok::RParen => ")",
            Tok::RBracket => "]",
            Tok::BarRBracket => "|]",
            Tok::RBrace => "}",
            Tok::Done => "done",
            _ => "end",
        }
    }

    /// Words that begin an item of a structure or signature and can begin nothing
    /// else, apart from `let` and from places right behind words such as `with`.
    pub fn begins_item(self) -> bool {
        matches!(
            self,
            Tok::Let
                | Tok::Type
                | Tok::Module
                | Tok::Open
                | Tok::Exception
                | Tok::External
                | Tok::Include
                | Tok::Class
                | Tok::Val
        )
    }

    /// Letters that are reserved, so cannot name a value.
    pub fn is_word(self) -> bool {
        matches!(
            self,
            Tok::And
                | Tok::As
                | Tok::Assert
                | Tok::Begin
                | Tok::Class
                | Tok::Constraint
                | Tok::Do
                | Tok::Done
                | Tok::Downto
                | Tok::Else
                | Tok::End
                | Tok::Exception
                | Tok::External
                | Tok::False
                | Tok::For
                | Tok::Fun
                | Tok::Function
                | Tok::Functor
                | Tok::If
                | Tok::In
                | Tok::Include
                | Tok::Inherit
                | Tok::Initializer
                | Tok::Lazy
                | Tok::Let
                | Tok::Match
                | Tok::Method
                | Tok::Module
                | Tok::Mutable
                | Tok::New
                | Tok::Nonrec
                | Tok::Object
                | Tok::Of
                | Tok::Open
                | Tok::Or
                | Tok::Private
                | Tok::Rec
                | Tok::Sig
                | Tok::Struct
                | Tok::Then
                | Tok::To
                | Tok::True
                | Tok::Try
                | Tok::Type
                | Tok::Val
                | Tok::Virtual
                | Tok::When
                | Tok::While
                | Tok::With
        )
    }
}
