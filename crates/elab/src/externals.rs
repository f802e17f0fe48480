//! What OCaml's own primitives are here, for files that declare them by `external`: the table in
//! `externals.txt`.

const TABLE: &str = include_str!("externals.txt");

/// A value of the library: its module and its name there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub module: &'static str,
    pub value: &'static str,
}

/// The values of the library that a primitive can be, the likeliest first; none if it has no
/// meaning here.
pub fn targets(primitive: &str) -> impl Iterator<Item = Target> + use<> {
    let found = entries().find(|it| it.0 == primitive).map(|it| it.1);
    found.into_iter().flat_map(str::split_whitespace).filter_map(|it| {
        let (module, value) = it.split_once('.')?;
        Some(Target { module, value })
    })
}

/// The names of the table, in order, each with what stands behind it.
pub fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE
        .lines()
        .filter(|it| !it.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(name, targets)| (name, targets.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_there_once_and_in_order() {
        let names: Vec<_> = entries().map(|it| it.0).collect();
        assert!(names.len() > 300 && names.windows(2).all(|it| it[0] < it[1]));
        assert!(entries().all(|it| targets(it.0).count() > 0));
    }

    #[test]
    fn operators_are_values_too() {
        let found: Vec<_> = targets("%addfloat").collect();
        assert_eq!(found, [Target { module: "Stdlib", value: "+." }]);
        assert_eq!(targets("%perform").count(), 0);
    }
}
