//! Trees of programs without faults. The cases about precedence agree with the
//! reference compiler's parse trees.

mod common;

use oxbow_base::Span;

fn structure(source: &str) -> String {
    let (dump, reports) = common::parse(source);
    dump + &reports
}

fn signature(source: &str) -> String {
    let (dump, reports) = common::parse_signature(source);
    dump + &reports
}

#[test]
fn expressions() {
    common::check_cases("expressions.txt", structure);
}

#[test]
fn patterns_and_parameters() {
    common::check_cases("patterns.txt", structure);
}

#[test]
fn types_and_modules() {
    common::check_cases("declarations.txt", structure);
}

#[test]
fn signatures() {
    common::check_cases("signatures.txt", signature);
}

#[test]
fn literals() {
    common::check_cases("literals.txt", structure);
}

#[test]
fn larger_programs_have_no_faults() {
    for (name, text) in common::programs() {
        let (_, reports) = common::parse(&text);
        assert_eq!(reports, "", "{name}");
    }
}

#[test]
fn dependencies_leave_out_what_the_file_binds() {
    let source = "open Printf\n\
                  module M = struct let x = A.x end\n\
                  module F (X : B.S) = struct let y = X.y + M.x end\n\
                  let f = let module L = C in L.z, D.E.w, (fun { G.field } -> H.(i))\n\
                  type t = K.t F(J).t\n\
                  let first a = a.(0)";
    let mut sources = oxbow_base::SourceMap::new();
    let file = sources.add("test.ml", source);
    let mut diagnostics = oxbow_diag::Diagnostics::new();
    let tree = oxbow_front_ocaml::parse_structure(file, source, &mut diagnostics);
    let mentions = oxbow_elab::mentions::of_structure(&tree);
    let outer = mentions.iter().filter(|it| it.within.is_none());
    let found: Vec<_> = outer.map(|it| it.name.as_str()).collect();
    assert_eq!(found, ["Printf", "A", "B", "C", "D", "G", "H", "J", "K", "Array"]);
    // Each has the place where the file names it.
    for mention in mentions.iter().filter(|it| it.name.as_str() != "Array") {
        let Span { start, end, .. } = mention.span;
        assert_eq!(&source[start as usize..end as usize], mention.name.as_str());
    }
}
