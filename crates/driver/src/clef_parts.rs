//! The parts of Clef's library that only few programs use. A program has a part if its text has one of the part's words,
//! be it in a comment: what is loaded without need is dropped later.
//!
//! ```text
//! let price = 1.50m      a literal that ends in `m`: `decimals`, and `bigIntegers`, which that one needs
//! ```

use oxbow_base::FxHashSet;

pub struct Part {
    /// The name of its file.
    pub stem: &'static str,
    /// Literals are `0` with the letter behind their digits: `0m` is `1.50m`. `[,]` is what types have.
    words: &'static [&'static str],
    needs: &'static [&'static str],
}

/// In the order in which they use each other.
const PARTS: &[Part] = &[
    part(
        "pulled",
        &[
            "zip",
            "zip3",
            "map2",
            "map3",
            "mapi2",
            "iter2",
            "iteri2",
            "fold2",
            "foldBack2",
            "forall2",
            "exists2",
            "compareWith",
            "cache",
            "GetEnumerator",
            "IEnumerator",
        ],
        &[],
    ),
    part("array2D", &["Array2D", "array2D", "[,]"], &[]),
    part("array3D", &["Array3D", "[,,]"], &[]),
    part("bigIntegers", &["bigint", "BigInteger", "0I"], &[]),
    part("moreCollections", &["SortedDictionary", "SortedSet", "PriorityQueue", "LinkedList"], &[]),
    part("random", &["Random"], &[]),
    part("regex", &["Regex", "RegularExpressions"], &[]),
    part("guid", &["Guid"], &["random"]),
    part("events", &["Event", "Observable", "IEvent", "IObservable"], &[]),
    part("encoding", &["Encoding", "BitConverter"], &[]),
    part("files", &["IO", "File", "Path"], &["encoding"]),
    part("times", &["TimeSpan", "Stopwatch"], &[]),
    part("dateTimes", &["DateTime", "DayOfWeek", "DateOnly"], &["times"]),
    part(
        "async",
        &["async", "Async", "task", "Task", "Tasks", "MailboxProcessor", "Threading"],
        &["times"],
    ),
    part("decimals", &["decimal", "Decimal", "0m"], &["bigIntegers"]),
];

const fn part(
    stem: &'static str,
    words: &'static [&'static str],
    needs: &'static [&'static str],
) -> Part {
    Part { stem, words, needs }
}

/// The parts that a text asks for, with those that they need before them.
pub fn wanted_by(text: &str) -> Vec<&'static Part> {
    let words = words(text);
    let mut stems: FxHashSet<&str> = FxHashSet::default();
    for part in PARTS.iter().rev() {
        if stems.contains(part.stem) || part.words.iter().any(|it| words.contains(it)) {
            stems.insert(part.stem);
            stems.extend(part.needs);
        }
    }
    PARTS.iter().filter(|it| stems.contains(it.stem)).collect()
}

fn words(text: &str) -> FxHashSet<&str> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let words = text.split(|it| !is_word(it)).filter(|it| !it.is_empty()).map(literal);
    let types = ["[,]", "[,,]"].into_iter().filter(|it| text.contains(it));
    words.chain(types).collect()
}

fn literal(word: &str) -> &str {
    match (word.as_bytes().first(), word.as_bytes().last()) {
        (Some(b'0'..=b'9'), Some(b'm' | b'M')) => "0m",
        (Some(b'0'..=b'9'), Some(b'I')) => "0I",
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::{PARTS, wanted_by};
    use crate::library;

    #[test]
    fn parts_have_files_and_come_after_what_they_need() {
        for (at, part) in PARTS.iter().enumerate() {
            assert!(library::find_clef(part.stem).is_some(), "{}", part.stem);
            for need in part.needs {
                assert!(
                    PARTS[..at].iter().any(|it| it.stem == *need),
                    "{} needs {need}",
                    part.stem
                );
            }
        }
    }

    #[test]
    fn a_text_asks_by_words_and_literals() {
        let stems = |text| wanted_by(text).iter().map(|it| it.stem).collect::<Vec<_>>();
        assert!(stems("let a = List.length xs").is_empty());
        assert_eq!(stems("let a = Array2D.create 2 2 0"), ["array2D"]);
        assert_eq!(stems("let a = 1.50m"), ["bigIntegers", "decimals"]);
        assert_eq!(stems("let a = 12I"), ["bigIntegers"]);
    }
}
