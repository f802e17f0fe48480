//! The Eshkol front end: a Scheme (R7RS-small) that is compiled ahead of time.
//!
//! ```text
//! text ─ reader ─▶ data ─ expand ─▶ core ─ infer ─▶ forms of variables
//!                                     └──── emit ──▶ surface tree of `elab`
//! ```
//!
//! The library is written in two languages: primitives in OCaml (`lib/eshkol/*.ml`), which `builtin`
//! lists, and everything that calls procedures in Eshkol (`lib/eshkol/*.esk`), so that it takes part in
//! the analyses of the program.

pub mod builtin;
mod check_counts;
mod check_kept;
mod complete;
mod core;
mod cps;
pub mod datum;
mod emit;
mod escape;
mod expand;
mod infer;
mod known;
mod lists;
mod ml;
mod plan;
mod procedure;
mod procs;
pub mod reader;
mod reals;
mod variant;

pub use expand::{Dialect, Files, Notes, Shipped, Texts};

use oxbow_base::{FileId, Span};
use oxbow_diag::Diagnostics;
use oxbow_elab::ast;

/// Modules of the library that every compiled program refers to; derivatives of known procedures also
/// use `Ad` and `Eshkol_static`.
pub const MODULES: &[&str] = &[
    "Eshkol_value",
    "Eshkol_identity",
    "Eshkol_big",
    "Eshkol_num",
    "Eshkol_number_text",
    "Eshkol_complex",
    "Eshkol_cells",
    "Eshkol_blocks",
    "Eshkol_rules",
    "Eshkol_series",
    "Eshkol_tape",
    "Eshkol_ad",
    "Eshkol_data",
    "Eshkol_text",
    "Eshkol_table",
    "Eshkol_tensor",
    "Eshkol_print",
    "Eshkol_port",
    "Eshkol_control",
];

/// A file and its text.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub file: FileId,
    pub text: &'a str,
    pub dialect: Dialect,
}

/// Compiles a program to the items of one module. `library` is the part of the library that is written in Eshkol.
pub fn compile(
    library: &[Source<'_>],
    program: Source<'_>,
    texts: Texts<'_>,
    locate: &dyn Fn(Span) -> String,
    mut notes: Option<&mut Notes>,
    diagnostics: &mut Diagnostics,
) -> Vec<ast::Item> {
    let library_files: Vec<FileId> = library.iter().map(|it| it.file).collect();
    let library: Vec<_> =
        library.iter().flat_map(|it| reader::read(it.file, it.text, diagnostics)).collect();
    let data = reader::read(program.file, program.text, diagnostics);
    if diagnostics.has_errors() {
        // What follows from the errors is not reported, but editors want to know the rest.
        if notes.is_some() {
            let reports = &mut Diagnostics::new();
            expand::expand(&library, &library_files, &data, program, texts, notes, reports);
        }
        return Vec::new();
    }
    let notes = notes.take();
    let mut core =
        expand::expand(&library, &library_files, &data, program, texts, notes, diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    check_counts::check_counts(&core, diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    check_kept::check_kept(&core, diagnostics);
    complete::complete(&mut core);
    let first_class = escape::needs_first_class(&core);
    let core = if first_class { cps::convert(core) } else { core };
    let core = core.reached();
    let mut types = infer::infer(&core);
    if !first_class {
        types.lists = lists::lists(&core);
    }
    let start = Span::new(program.file, 0, 0);
    let of_library = library_files.first().map_or(start, |&it| Span::new(it, 0, 0));
    emit::emit(&core, &types, locate, (start, of_library))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxbow_base::SourceMap;

    pub(crate) fn core_of(text: &str) -> core::Program {
        let mut sources = SourceMap::new();
        let library = [
            include_str!("../../../lib/eshkol/prelude.esk"),
            include_str!("../../../lib/eshkol/texts.esk"),
            include_str!("../../../lib/eshkol/calculus.esk"),
            include_str!("../../../lib/eshkol/tensors.esk"),
        ];
        let library = library.map(|text| (sources.add_library("library.esk", text), text));
        let file = sources.add("main.esk", text);
        let mut diagnostics = Diagnostics::new();
        let library_data: Vec<_> =
            library.iter().flat_map(|it| reader::read(it.0, it.1, &mut diagnostics)).collect();
        let data = reader::read(file, text, &mut diagnostics);
        let texts = Texts {
            files: &mut |_: &str, _: FileId| Err("there are no files".to_string()),
            shipped: &mut |_: &str| None,
        };
        let library = library.map(|it| it.0);
        let source = Source { file, text, dialect: Dialect::Eshkol };
        let program =
            expand::expand(&library_data, &library, &data, source, texts, None, &mut diagnostics);
        let reports: Vec<_> = diagnostics.iter().map(|it| it.message.clone()).collect();
        assert!(!diagnostics.has_errors(), "{reports:?}");
        program
    }

    pub(crate) fn var(program: &core::Program, name: &str) -> core::VarId {
        let named =
            |it: &&core::Item| it.var.is_some_and(|it| program.vars[it].name.as_str() == name);
        program.items[program.user_start..]
            .iter()
            .find(named)
            .and_then(|it| it.var)
            .expect("defined")
    }

    #[test]
    fn continuations_that_only_leave_are_found() {
        let leaves = [
            "(call/cc (lambda (k) (+ 1 (k 2))))",
            "(define (f l) (call/cc (lambda (return) (for-each (lambda (x) (return x)) l) #f)))",
            "(define (g) (lambda () (call/cc (lambda (k) (let loop ((i 0)) (if (= i 9) (k i) (loop (+ i 1))))))))",
            "(define (h k x) (if (= x 0) (k 1) (h k (- x 1)))) (call/cc (lambda (k) (h k 5)))",
            "(call/cc (lambda (k) (with-exception-handler (lambda (e) (k e)) (lambda () (raise 1)))))",
        ];
        for text in leaves {
            assert!(!escape::needs_first_class(&core_of(text)), "{text}");
        }
        let stays = [
            "(define k #f) (call/cc (lambda (c) (set! k c)))",
            "(call/cc (lambda (k) k))",
            "(map (lambda (x) x) (list call/cc))",
            "(call/cc (lambda (k) (lambda () (k 1))))",
            "(define (f k) (vector k)) (call/cc (lambda (k) (f k)))",
            "(define q '()) (call/cc (lambda (k) (set! q (cons k q))))",
        ];
        for text in stays {
            assert!(escape::needs_first_class(&core_of(text)), "{text}");
        }
    }

    #[test]
    fn floats_are_found_through_calls_and_loops() {
        let program = core_of(
            "(define (scale x) (* x 2)) (define (any y) (* y 2)) (define (both z) (+ z 1.0))
             (define (sum n) (let loop ((i 0) (s 0.0)) (if (= i n) s (loop (+ i 1) (+ s i)))))
             (display (scale 1.5)) (display (any 1)) (display (any 1.5)) (display (both 1)) (display (sum 5))",
        )
        .reached();
        let types = infer::infer(&program);
        let result = |name: &str| types.result(var(&program, name));
        assert_eq!(result("scale"), builtin::Form::Float);
        assert_eq!(result("any"), builtin::Form::Dyn);
        assert_eq!(result("both"), builtin::Form::Float);
        assert_eq!(result("sum"), builtin::Form::Float);
    }

    #[test]
    fn a_procedure_used_as_a_value_takes_anything() {
        let program =
            core_of("(define (f x) x) (display (f 1.5)) (display (map f '(1 2)))").reached();
        let types = infer::infer(&program);
        assert_eq!(types.result(var(&program, "f")), builtin::Form::Dyn);
    }

    #[test]
    fn functions_come_before_what_needs_them() {
        let program = core_of("(define (f) (g x)) (define y (f)) (define x 1) (define (g a) a)");
        let items = &program.items[program.user_start..];
        let plan = plan::plan(items, None, &program.vars);
        use plan::Step;
        let expected = vec![
            Step::Cell(var(&program, "x")),
            Step::Functions(vec![3]),
            Step::Functions(vec![0]),
            Step::Item(1),
            Step::Item(2),
        ];
        assert_eq!(plan.steps, expected);
    }

    #[test]
    fn nested_expressions_are_looked_at_once() {
        // Each of these doubled the work with each level once; 1,000 levels would never end. The limit is 10,000.
        let levels = [
            ("(+ 1 ", ")", 10_000),
            ("(* x (- 2.5 ", "))", 1000),
            ("(min x ", ")", 1000),
            ("(if (< ", " 1) x 2)", 1000),
        ];
        for (open, close, count) in levels {
            let text = format!(
                "(define (f x) {}x{}) (display (f 1)) (display (f 1.5))",
                open.repeat(count),
                close.repeat(count)
            );
            let work = move || {
                let program = core_of(&text).reached();
                let types = infer::infer(&program);
                let start = program.vars[var(&program, "f")].span;
                emit::emit(&program, &types, &|_| String::new(), (start, start)).len()
            };
            let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
            let made = thread.expect("a thread").join().expect("it is compiled");
            assert!(made > 0, "{open}");
        }
    }

    #[test]
    fn hygiene_keeps_names_apart() {
        // The macro's `t` is not the user's, and `if` is the library's wherever it is used.
        let program = core_of(
            "(define-syntax my-or (syntax-rules () ((_ a b) (let ((t a)) (if t t b)))))
             (define (f t) (let ((if list)) (my-or #f t)))",
        );
        let f = program.items.last().expect("defined");
        let core::CoreKind::Lambda(lambda) = &f.value.kind else { panic!("a lambda") };
        let param = lambda.params[0];
        let text = format!("{:?}", lambda.body);
        assert!(text.contains(&format!("Ref({param:?})")), "{text}");
    }
}
