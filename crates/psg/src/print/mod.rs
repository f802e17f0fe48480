//! The text of programs: stable, readable, and read back by [`crate::read`].
//!
//! ```text
//! type list<'a> = | `[]` | `::`('a, list<'a>);
//! exception Failure(string);
//! let @make: int -> int -> int =
//!   fn @make(k: int) -> int -> int = {
//!     let add: int -> int = fn @add(x: int) captures(k: int) -> int = int.add x, k;
//!     add
//!   };
//! do print_int(@make!(40))!(2);
//! ```
//!
//! Names are made unique per item with a number behind a point (`x.1`), so a change
//! elsewhere does not move them. Types stand at binders and where operands do not give
//! them; spans are left out. `f!(x)` is a call of a known lambda, the one that `f` is
//! bound to; if it is another, both it and the call bear a label: `f!#0(x)`.

mod expr;
mod names;
mod types;

pub(crate) use names::is_reserved;

use crate::{
    Compared, DataKind, Field, ItemKind, LambdaId, NodeKind, Program, TyId, TypeTable, WellKnown,
    walk,
};
use names::Names;
pub use types::Called;

/// The whole program.
pub fn program<P>(program: &Program<P>) -> String {
    let mut printer = Printer::new(program);
    printer.declarations();
    for item in &program.items {
        printer.item(&item.kind, item.library);
    }
    printer.well_known(&program.well_known);
    printer.out
}

/// The lambdas of this name, each by itself, in order of the program. The library's are left
/// out if the program has one of its own.
pub fn function<P>(program: &Program<P>, name: &str) -> Option<String> {
    let mut printer = Printer::new(program);
    let mut found = Vec::new();
    for library in [false, true] {
        if !found.is_empty() {
            break;
        }
        for root in
            program.items.iter().filter(|it| it.library == library).flat_map(|it| it.kind.roots())
        {
            walk::for_each_node(program, root, |node| {
                if let NodeKind::Lambda(lambda) = program.nodes[node].kind
                    && program.lambdas[lambda].name.is_some_and(|it| it.as_str() == name)
                {
                    found.push(node);
                }
            });
        }
    }
    for &node in &found {
        printer.names.start_item();
        printer.names.bind_tree(program, node);
        let text = printer.value(node);
        printer.out += &text;
        printer.out.push('\n');
    }
    (!found.is_empty()).then_some(printer.out)
}

/// The lambdas that are wanted, each by itself, in order of the program.
pub fn lambdas<P>(
    program: &Program<P>,
    wanted: impl Fn(LambdaId) -> bool,
) -> Vec<(LambdaId, String)> {
    let mut printer = Printer::new(program);
    let mut found = Vec::new();
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Lambda(lambda) = program.nodes[node].kind
            && wanted(lambda)
        {
            found.push((lambda, node));
        }
    });
    let mut print = |node| {
        printer.names.start_item();
        printer.names.bind_tree(program, node);
        printer.value(node) + "\n"
    };
    found.into_iter().map(|(lambda, node)| (lambda, print(node))).collect()
}

/// A type, for messages.
pub fn type_text(types: &TypeTable, ty: TyId) -> String {
    type_text_as(types, ty, |_, _| None)
}

/// The same in a language that has names of its own for some types.
pub fn type_text_as(types: &TypeTable, ty: TyId, called: Called) -> String {
    if types::size(types, ty) > LONG {
        return "…".into();
    }
    types::TypeText { types, names: &mut Names::declared(types), called }.text(ty)
}

/// Types with more parts than this are not shown in reports: nobody reads them.
const LONG: usize = 1000;

struct Printer<'a, P> {
    program: &'a Program<P>,
    names: Names,
    out: String,
}

impl<'a, P> Printer<'a, P> {
    fn new(program: &'a Program<P>) -> Self {
        Self { program, names: Names::new(program), out: String::new() }
    }

    fn ty(&mut self, ty: TyId) -> String {
        let (types, names) = (&self.program.types, &mut self.names);
        types::TypeText { types, names, called: |_, _| None }.text(ty)
    }

    fn declarations(&mut self) {
        let types = &self.program.types;
        for (id, decl) in types.datas.iter() {
            self.names.start_item();
            let mut text = format!("type {}", self.names.data(id));
            if !decl.params.is_empty() {
                let params: Vec<_> =
                    decl.params.iter().map(|&it| self.names.tyvar(types, it)).collect();
                text += &format!("<{}>", params.join(", "));
            }
            text += " =";
            if let Some((_, name)) = Compared::NAMES.iter().find(|it| it.0 == decl.compared) {
                text += &format!(" {name}");
            }
            match &decl.kind {
                DataKind::Record(fields) => text += &format!(" {}", self.record_fields(fields)),
                DataKind::Variant(ctors) => {
                    for ctor in ctors {
                        let name = names::quote(ctor.name.as_str());
                        text +=
                            &format!(" | {name}{}", self.fields(&ctor.fields, ctor.inline_record));
                    }
                }
            }
            self.out += &format!("{text};\n");
        }
        for (id, decl) in types.exns.iter() {
            self.names.start_item();
            let fields = self.fields(&decl.fields, decl.inline_record);
            let fresh = if decl.is_fresh { "fresh " } else { "" };
            self.out += &format!("exception {fresh}{}{fields};\n", self.names.exn(id));
        }
    }

    fn record_fields(&mut self, fields: &[Field]) -> String {
        let fields: Vec<_> = fields
            .iter()
            .map(|field| {
                let mutable = match (field.mutable, field.acyclic) {
                    (true, true) => "mut acyclic ",
                    (true, false) => "mut ",
                    (false, _) => "",
                };
                format!("{mutable}{}: {}", names::quote(field.name.as_str()), self.ty(field.ty))
            })
            .collect();
        format!("{{{}}}", fields.join(", "))
    }

    fn fields(&mut self, fields: &[Field], inline_record: bool) -> String {
        if inline_record {
            return self.record_fields(fields);
        }
        if fields.is_empty() {
            return String::new();
        }
        let tys: Vec<_> = fields.iter().map(|it| self.ty(it.ty)).collect();
        format!("({})", tys.join(", "))
    }

    fn item(&mut self, item: &ItemKind, library: bool) {
        self.names.start_item();
        for root in item.roots() {
            self.names.bind_tree(self.program, root);
        }
        let binders: Vec<_> = item.vars().iter().map(|&it| self.binder(it)).collect();
        let values: Vec<_> = item.roots().map(|it| self.value(it)).collect();
        let head = match item {
            ItemKind::Let { .. } => format!("let {} =", binders.join(", ")),
            ItemKind::LetRec { .. } => format!("rec {} =", binders.join(", ")),
            ItemKind::Eval(_) => "do".to_string(),
        };
        let library = if library { "library " } else { "" };
        let value = values.join("\nand ");
        self.out += library;
        self.out += &expr::after(&head, &value);
        self.out += ";\n";
    }

    fn well_known(&mut self, known: &WellKnown) {
        let functions = [
            ("uncaught", known.uncaught),
            ("finish", known.finish),
            ("flush", known.flush),
            ("fiber", known.fiber),
            ("unwinds", known.unwinds),
            ("domain", known.domain),
        ];
        for (role, var) in functions {
            if let Some(var) = var {
                self.out += &format!("known {role} = {};\n", self.names.var(self.program, var));
            }
        }
        let exns = [
            ("match_failure", known.exns.match_failure),
            ("assert_failure", known.exns.assert_failure),
            ("invalid_argument", known.exns.invalid_argument),
            ("stack_overflow", known.exns.stack_overflow),
            ("out_of_memory", known.exns.out_of_memory),
            ("undefined_module", known.exns.undefined_module),
        ];
        for (role, exn) in exns {
            if let Some(exn) = exn {
                self.out += &format!("known {role} = {};\n", self.names.exn(exn));
            }
        }
        for (function, var) in known.functions.iter() {
            let var = self.names.var(self.program, var);
            self.out += &format!("known function {} = {var};\n", function.word());
        }
    }
}
