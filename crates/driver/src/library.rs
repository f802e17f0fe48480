//! The shipped library's sources, embedded in the compiler.

include!(concat!(env!("OUT_DIR"), "/library_table.rs"));

/// The source file of a library module: `List` is in `list.ml`.
pub fn find(module: &str) -> Option<(&'static str, &'static str)> {
    let mut wanted = module.to_string();
    if let Some(first) = wanted.get_mut(0..1) {
        first.make_ascii_lowercase();
    }
    wanted.push_str(".ml");
    OCAML.iter().chain(ESHKOL).find(|it| it.0 == wanted).copied()
}

/// Is this a module of OCaml's or Clef's library?
pub fn has_module(name: &str) -> bool {
    let is_it = |stem: &&str| stem.eq_ignore_ascii_case(name) && !stem.starts_with(name);
    find(name).is_some() || CLEF_ORDER.iter().chain(CLEF_PARTS).any(is_it)
}

/// The text of a file of any language's library.
pub fn text_of(file: &str) -> Option<&'static str> {
    OCAML.iter().chain(ESHKOL).chain(CLEF).find(|it| it.0 == file).map(|it| it.1)
}

/// The part of Eshkol's library that is written in Eshkol, in the order in which its files use each other.
pub fn eshkol_sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    ["prelude.esk", "texts.esk", "lists.esk", "calculus.esk", "tensors.esk"].into_iter().map(
        |name| match ESHKOL.iter().find(|it| it.0 == name) {
            Some(&file) => file,
            None => oxbow_diag::ice!("the library of Eshkol has no `{name}`"),
        },
    )
}

/// A library of Eshkol that is read where it is imported: `srfi-41` is in `srfi-41.sld`.
pub fn eshkol_library(name: &str) -> Option<(&'static str, &'static str)> {
    let wanted = format!("{name}.sld");
    ESHKOL_LIBRARIES.iter().find(|it| it.0 == wanted).copied()
}

/// Clef's library in the order in which its files use each other.
pub const CLEF_ORDER: &[&str] = &[
    "prelude",
    "operators",
    "nativeOperators",
    "option",
    "valueOption",
    "result",
    "tables",
    "list",
    "array",
    "string",
    "char",
    "seq",
    "map",
    "set",
    "mutableCollections",
    "printf",
    "lazy",
    "format",
    "console",
    "math",
    "checked",
    "parse",
    "ad",
    "nativePtr",
    "languagePrimitives",
    "sys",
    "system",
    "fSharp",
    "globals",
];

/// Parts of Clef's library behind those, in the order in which they use each other. What their modules `Opened` define
/// is in scope everywhere.
pub const CLEF_PARTS: &[&str] = &[
    "pulled",
    "array2D",
    "array3D",
    "bigIntegers",
    "arrays",
    "moreCollections",
    "random",
    "regex",
    "guid",
    "events",
    "encoding",
    "files",
    "times",
    "dateTimes",
    "async",
    "decimals",
    "cultures",
    "plot",
];

/// A file of Clef's library.
pub fn find_clef(stem: &str) -> Option<(&'static str, &'static str)> {
    let wanted = format!("{stem}.clef");
    CLEF.iter().find(|it| it.0 == wanted).copied()
}

#[cfg(test)]
mod tests {
    use oxbow_base::FxHashSet;
    use oxbow_elab::externals;

    use super::{find, find_clef};

    /// The name that a line of the library defines: `let[@inline] rec f x`, `external ( + ) : …`.
    fn defined(line: &str) -> Option<&str> {
        let rest = line.strip_prefix("let").or_else(|| line.strip_prefix("external"))?;
        let rest = if rest.starts_with("[@") { rest.split_once(']')?.1 } else { rest };
        let rest = rest.strip_prefix(' ')?.trim_start();
        let rest = rest.strip_prefix("rec ").unwrap_or(rest);
        match rest.strip_prefix("( ") {
            Some(operator) => operator.split(' ').next(),
            None => rest.split([' ', ':', '=']).next(),
        }
    }

    /// The names that a file of Clef's library defines.
    fn names_of(text: &str) -> FxHashSet<&str> {
        let word = |it: &str| it.starts_with(|c: char| c.is_alphabetic());
        let names = text.lines().filter_map(|line| {
            let line = line.trim_start();
            if let Some(rest) = line.strip_prefix("let ") {
                let rest =
                    rest.strip_prefix("inline ").or(rest.strip_prefix("rec ")).unwrap_or(rest);
                return rest.split([' ', ':', '(']).next();
            }
            let rest = line.strip_prefix("static member ").or(line.strip_prefix("member "))?;
            let name = rest.split([' ', ':', '(']).next()?;
            Some(name.split_once('.').map_or(name, |it| it.1))
        });
        names.filter(|it| word(it)).collect()
    }

    /// What FSharp.Core's modules have is there.
    #[test]
    fn names_of_fsharp_core_are_there() {
        let mut missing = Vec::new();
        for line in include_str!("fsharp_core.txt").lines() {
            let Some((files, wanted)) = line.split_once(": ").filter(|it| !it.0.contains(' '))
            else {
                continue;
            };
            let texts: Vec<_> = files
                .split(',')
                .map(|file| find_clef(file.trim_end_matches(".clef")).map_or("", |it| it.1))
                .collect();
            let known: FxHashSet<_> = texts.iter().flat_map(|it| names_of(it)).collect();
            let absent = wanted.split(' ').filter(|it| !known.contains(it));
            missing.extend(absent.map(|it| format!("{files}: {it}")));
        }
        assert!(missing.is_empty(), "{missing:#?}");
    }

    /// What the table of OCaml's primitives names is there.
    #[test]
    fn primitives_are_values_of_the_library() {
        for (name, _) in externals::entries() {
            for target in externals::targets(name) {
                let text = find(target.module).map_or("", |it| it.1);
                let found = text.lines().any(|line| defined(line) == Some(target.value));
                assert!(found, "{name}: {}.{}", target.module, target.value);
            }
        }
    }
}
