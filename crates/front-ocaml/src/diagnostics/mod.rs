//! The reports of this crate: each a struct of facts whose `render` makes the text.
//!
//! ```text
//! E0001          something else was expected
//! E0002 – E0008  characters, comments, literals         lexical
//! E0009 – E0011  brackets                               delimiters
//! E0012          nesting too deep                       structure
//! E0013 – E0017  a word of a construct is missing       missing
//! E0018 – E0029  a known confusion                      confusions
//! E0216, E0220   packed and recursive modules           modules
//! W0014          an unknown escape
//! ```

pub(crate) mod confusions;
pub(crate) mod delimiters;
pub(crate) mod lexical;
pub(crate) mod missing;
pub(crate) mod modules;
pub(crate) mod structure;

/// How a token is named in a message: in backticks, shortened, or by its kind.
pub(crate) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(24).take_while(|&it| it != '\n').collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{short}`")
}
