//! The text of tuples with labels.

use oxbow_base::Symbol;

/// `(~x:1, _)`: a tuple with labels.
pub fn labelled_tuple(labels: &[Option<Symbol>], parts: impl Iterator<Item = String>) -> String {
    let shown = labels.iter().zip(parts).map(|(label, part)| match label {
        Some(label) => format!("~{label}:{part}"),
        None => part,
    });
    format!("({})", shown.collect::<Vec<_>>().join(", "))
}
