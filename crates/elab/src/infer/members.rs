//! The names of OCaml's own standard library: what is missing here is told from what nobody has.
//!
//! `members.txt` is made by `xtask/members.ml` from the interfaces of an installed OCaml.

use oxbow_base::Symbol;

const TABLE: &str = include_str!("members.txt");

/// Modules that come with OCaml, outside of its standard library.
const OTHER_MODULES: &[&str] =
    &["Dynlink", "Event", "Genlex", "Stream", "Thread", "ThreadUnix", "Unix", "UnixLabels"];

/// Does OCaml's module of this path (`Stdlib`, `List`, `Float.Array`) have such a name?
pub(super) fn has(module: &str, what: &str, name: &str) -> bool {
    let kind = match what {
        "value" => "val",
        "constructor" => "exception",
        "module type" => "signature",
        "type" | "module" => what,
        _ => return false,
    };
    let is_other = module == "Stdlib" && what == "module" && OTHER_MODULES.contains(&name);
    is_other || names(module, kind).any(|it| it == name)
}

/// The modules of the standard library.
pub(super) fn modules() -> impl Iterator<Item = Symbol> {
    names("Stdlib", "module").map(Symbol::new)
}

fn names(module: &str, kind: &str) -> impl Iterator<Item = &'static str> {
    let line = TABLE.lines().find_map(|line| {
        line.strip_prefix(module)?.strip_prefix(' ')?.strip_prefix(kind)?.strip_prefix(' ')
    });
    line.unwrap_or("").split(' ').filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_nested_modules() {
        assert!(has("Stdlib", "module", "Domain"));
        assert!(has("Float", "module", "Array"));
        assert!(has("Float.Array", "value", "map"));
        assert!(has("Sys", "value", "getcwd"));
        assert!(!has("Sys", "value", "getcw"));
        assert!(!has("Sy", "value", "s"));
    }
}
