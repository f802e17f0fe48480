//! `oxbow explain CODE`: the section of `docs/diagnostics.md` about a diagnostic.

use std::path::Path;

use oxbow_driver::Error;

const TEXT: &str = include_str!("../../../docs/diagnostics.md");

/// The code of a diagnostic, unless the argument names a file: a name with an extension or a
/// folder, or something that exists.
pub fn code(what: &Path) -> Option<String> {
    let is_file = what.extension().is_some()
        || what.components().count() > 1
        || what.as_os_str() == "-"
        || what.exists();
    (!is_file).then(|| what.to_string_lossy().into_owned())
}

/// The explanation of a code, which may be written in lower case.
pub fn text(code: &str) -> Result<String, Error> {
    let typed = code.trim();
    let code = typed.to_ascii_uppercase();
    match sections().find(|it| it.0 == code) {
        Some((_, text)) => Ok(format!("{}\n", text.trim_end())),
        None => Err(Error::Usage(format!(
            "`{typed}` is not the code of a diagnostic; codes look like E0102 or W0008"
        ))),
    }
}

/// Codes with their sections: from a heading `### E0102: …` to the next heading.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXT.split("\n### ").skip(1).filter_map(|section| {
        let section = section.split("\n## ").next()?;
        Some((section.split(':').next()?, section))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every code that the sources of the compiler mention is explained, and no other.
    #[test]
    fn every_code_is_explained() {
        let mut used = Vec::new();
        collect(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")), &mut used);
        used.sort();
        used.dedup();
        let missing: Vec<_> = used.iter().filter(|it| text(it).is_err()).collect();
        assert!(missing.is_empty(), "without a section in docs/diagnostics.md: {missing:?}");
        let stale: Vec<_> =
            sections().filter(|it| !used.iter().any(|code| code == it.0)).map(|it| it.0).collect();
        assert!(stale.is_empty(), "explained, but never reported: {stale:?}");
    }

    /// Quoted codes in the sources below `folder`, tests apart.
    fn collect(folder: &std::path::Path, codes: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("tests") && !path.ends_with("cli") {
                collect(&path, codes);
            } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a readable source");
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                for piece in text.split('"') {
                    let digits = piece.strip_prefix(['E', 'W']).unwrap_or("");
                    if digits.len() == 4 && digits.bytes().all(|it| it.is_ascii_digit()) {
                        codes.push(piece.to_string());
                    }
                }
            }
        }
    }

    #[test]
    fn an_unknown_code() {
        assert!(text("E9999").is_err());
        assert!(text("e0900").is_ok_and(|it| it.starts_with("E0900: ")));
    }
}
