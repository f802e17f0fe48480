//! "Did you mean": the nearest known name.

use oxbow_base::Symbol;

/// The candidate nearest to `name`, if one is near enough to be a slip of the finger.
pub fn nearest(name: Symbol, candidates: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    nearest_of(name, candidates.map(|it| (it, false)))
}

/// The same for candidates some of which are more likely than others that are as near.
pub fn nearest_of(
    name: Symbol,
    candidates: impl Iterator<Item = (Symbol, bool)>,
) -> Option<Symbol> {
    let text = name.as_str();
    let limit = match text.len() {
        0..=3 => 1,
        4..=5 => 2,
        _ => 3,
    };
    // Distances count insertions, deletions, replacements and swaps of neighbours.
    candidates
        .filter(|(it, _)| it.as_str().len().abs_diff(text.len()) <= limit)
        .filter(|(it, _)| it.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .map(|(it, likely)| (strsim::osa_distance(text, it.as_str()), !likely, it.as_str()))
        .filter(|it| it.0 <= limit && it.0 < text.len())
        .min()
        .map(|it| Symbol::new(it.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_nothing_else() {
        let names = || ["length", "map", "fold_left", "x"].into_iter().map(Symbol::new);
        assert_eq!(nearest("lenght".into(), names()), Some("length".into()));
        assert_eq!(nearest("foldleft".into(), names()), Some("fold_left".into()));
        assert_eq!(nearest("zebra".into(), names()), None);
        // Two of three letters are another name.
        assert_eq!(nearest("mud".into(), names()), None);
        assert_eq!(nearest("mop".into(), names()), Some("map".into()));
    }
}
