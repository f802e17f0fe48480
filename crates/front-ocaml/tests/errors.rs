//! What is reported about programs with faults: once for each, at its place.

mod common;

fn reports(source: &str) -> String {
    common::parse(source).1
}

fn tree(source: &str) -> String {
    common::parse(source).0
}

#[test]
fn faults() {
    common::check_cases("errors.txt", reports);
}

#[test]
fn constructs_that_are_not_handled() {
    common::check_cases("unsupported.txt", reports);
}

/// What is left of a program around a fault.
#[test]
fn recovery() {
    common::check_cases("recovery.txt", tree);
}
