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
    candidates
        .filter(|(it, _)| it.as_str().len().abs_diff(text.len()) <= limit)
        .filter(|(it, _)| it.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .map(|(it, likely)| (distance(text, it.as_str()), !likely, it.as_str()))
        .filter(|it| it.0 <= limit && it.0 < text.len())
        .min()
        .map(|it| Symbol::new(it.2))
}

/// Edits (insert, delete, replace, swap of neighbours) from one text to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut best = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = row;
        row = next;
    }
    row.last().copied().unwrap_or(0)
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
