//! From the typed tree to the graph.
//!
//! ```text
//! typed tree ──types──▶ TypeTable       abbreviations and sealed types expanded
//!            ──expr, apply, letrec──▶ nodes
//!            ──matching──▶ decision trees, W0008 W0011 W0012
//!            ──item──▶ items
//! ```
//!
//! Needs a tree without errors. Variables keep their ids; those the builder makes follow
//! them. Nodes may be left over that nothing mentions. Recursion follows nesting only:
//! chains of `let`, sequences and list literals are loops.

mod apply;
mod discard;
mod expr;
mod fit;
mod frames;
mod item;
mod letrec;
mod matching;
mod objects;
mod order;
mod rec_check;
mod rec_objects;
mod suspension;
mod types;
mod variants;
pub(crate) mod walk;

use oxbow_base::{FxHashMap, IdMap, SourceMap, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics, ice};
use oxbow_psg::clone::Cloner;
use oxbow_psg::{
    Const, DataId, ExnId, IntWidth, KnownFunction, Node, NodeId, NodeKind, Poly, Storage, Ty, TyId,
    TyVarId, Var, VarId, WellKnown,
};

use crate::tast;
use crate::types::{TyConId, TypeId, Types};

/// Builds the graph of a program that inference found no error in. Warnings about
/// matches go to the sink; an error can only be a construct that is not supported.
pub fn build(
    program: tast::Program,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> oxbow_psg::Program<Poly> {
    let tast::Program { types, items, well_known, overloads, left_to_right } = program;
    let mut builder = Builder::new(types, sources, diagnostics);
    builder.overloads = overloads;
    builder.left_to_right = left_to_right;
    builder.reference = well_known.reference;
    builder.program.well_known = WellKnown {
        uncaught: well_known.uncaught,
        finish: well_known.finish,
        flush: well_known.flush,
        fiber: well_known.functions.get(KnownFunction::FiberStart),
        unwinds: well_known.functions.get(KnownFunction::FiberUnwinds),
        domain: None,
        match_failure: well_known.match_failure,
        assert_failure: well_known.assert_failure,
        invalid_argument: well_known.invalid_argument,
        stack_overflow: well_known.stack_overflow,
        functions: well_known.functions,
    };
    for item in &items {
        builder.item(item);
    }
    let mut program = builder.program;
    discard::discard(items);
    if left_to_right {
        order::left_to_right(&mut program);
        order::constructors_as_declared(&mut program);
    }
    oxbow_psg::captures::fill_all(&mut program);
    program
}

/// The graph under construction and what the tree's ids became.
struct Builder<'a> {
    types: Types,
    program: oxbow_psg::Program<Poly>,
    sources: &'a SourceMap,
    diagnostics: &'a mut Diagnostics,
    /// By representative.
    tys: IdMap<TypeId, TyId>,
    tyvars: IdMap<TypeId, TyVarId>,
    datas: IdMap<TyConId, DataId>,
    /// Type variables that a declaration mentions besides its parameters.
    outer_vars: IdMap<TyConId, Vec<TypeId>>,
    /// The type that carries a scrutinee or its exception out of a `Try`.
    match_result: Option<DataId>,
    /// The type of all polymorphic variants, and its constructors by tag and what they hold.
    variants: Option<DataId>,
    variant_ctors: FxHashMap<(Symbol, Option<TyId>), u32>,
    /// The type of all objects, and the constructors of the places that make them.
    objects: Option<DataId>,
    object_ctors: FxHashMap<u32, u32>,
    /// Variables of a recursive group that stand for the contents of a cell, while the group
    /// is being built.
    cells: IdMap<VarId, VarId>,
    /// For a cell that may be read too early: the variable that tells whether it is filled.
    flags: IdMap<VarId, VarId>,
    /// What overloaded mentions mean.
    overloads: Vec<tast::Expr>,
    /// Components of tuples that are taken apart are evaluated as they are written.
    left_to_right: bool,
    /// The function `ref`: `ref e` makes an object of `e` as a constructor does.
    reference: Option<VarId>,
    /// For guards that stand at several leaves of a decision tree.
    cloner: Cloner,
}

impl<'a> Builder<'a> {
    fn new(types: Types, sources: &'a SourceMap, diagnostics: &'a mut Diagnostics) -> Self {
        let mut builder = Self {
            types,
            program: oxbow_psg::Program::new(),
            sources,
            diagnostics,
            tys: IdMap::new(),
            tyvars: IdMap::new(),
            datas: IdMap::new(),
            outer_vars: IdMap::new(),
            match_result: None,
            variants: None,
            variant_ctors: FxHashMap::default(),
            objects: None,
            object_ctors: FxHashMap::default(),
            cells: IdMap::new(),
            flags: IdMap::new(),
            overloads: Vec::new(),
            left_to_right: false,
            reference: None,
            cloner: Cloner::new(),
        };
        builder.declare_exns();
        builder.declare_vars();
        builder
    }

    fn node(&mut self, kind: NodeKind, ty: TyId, span: Span) -> NodeId {
        self.program.nodes.push(Node { kind, ty, span, storage: Storage::default() })
    }

    /// A new local variable, immutable and monomorphic.
    fn fresh(&mut self, name: Symbol, ty: TyId, span: Span) -> VarId {
        self.program.vars.push(Var {
            name,
            ty,
            tyvars: Vec::new(),
            mutable: false,
            global: false,
            span,
        })
    }

    /// A monomorphic variable's value.
    fn read(&mut self, var: VarId, span: Span) -> NodeId {
        let ty = self.program.vars[var].ty;
        self.node(NodeKind::Var { var, tyargs: Vec::new() }, ty, span)
    }

    fn bind(&mut self, var: VarId, value: NodeId, body: NodeId, span: Span) -> NodeId {
        let value = self.fit(value, self.program.vars[var].ty);
        // `let x = e in x` is `e`: selections of one variable end that way.
        if let NodeKind::Var { var: read, tyargs } = &self.program.nodes[body].kind
            && *read == var
            && tyargs.is_empty()
            && !self.program.vars[var].mutable
        {
            return value;
        }
        let ty = self.program.ty(body);
        self.node(NodeKind::Let { var, value, body }, ty, span)
    }

    /// The variable that a node reads, if its value cannot change.
    fn plain_var(&self, node: NodeId) -> Option<VarId> {
        if let NodeKind::Var { var, tyargs } = &self.program.nodes[node].kind
            && tyargs.is_empty()
            && !self.program.vars[*var].mutable
        {
            return Some(*var);
        }
        None
    }

    fn unit(&mut self, span: Span) -> NodeId {
        let ty = self.program.types.unit;
        self.node(NodeKind::Const(Const::Unit), ty, span)
    }

    fn bool(&mut self, value: bool, span: Span) -> NodeId {
        let ty = self.program.types.bool;
        self.node(NodeKind::Const(Const::Bool(value)), ty, span)
    }

    fn int(&mut self, value: i64, span: Span) -> NodeId {
        let ty = self.program.types.int;
        self.node(NodeKind::Const(Const::Int(IntWidth::I63, value)), ty, span)
    }

    /// Raises `Match_failure` or `Assert_failure`, which hold a place: file, line and
    /// column of the start of `at`. The column counts bytes from 0, as OCaml's.
    fn raise_at(&mut self, exn: Option<ExnId>, at: Span, ty: TyId) -> NodeId {
        let Some(exn) = exn else {
            ice!("the library declares no Match_failure or Assert_failure")
        };
        let (file, line, column) = self.place_of(at);
        let name = Const::String(file.as_bytes().into());
        let (string, int, exn_ty) =
            (self.program.types.string, self.program.types.int, self.program.types.exn);
        let parts = vec![
            self.node(NodeKind::Const(name), string, at),
            self.int(line, at),
            self.int(column, at),
        ];
        // The library may declare the place as one tuple or as three fields.
        let args = if self.program.types.exns[exn].fields.len() == 1 {
            let place = self.program.types.intern(Ty::Tuple(vec![string, int, int]));
            vec![self.node(NodeKind::Tuple(parts), place, at)]
        } else {
            parts
        };
        let value = self.node(NodeKind::MakeExn { exn, args }, exn_ty, at);
        self.node(NodeKind::Raise(value), ty, at)
    }

    /// File, line and column, which counts bytes from 0.
    fn place_of(&self, at: Span) -> (&'a str, i64, i64) {
        let file = self.sources.file(at.file);
        let before = file.text.get(..at.start as usize).unwrap_or_default();
        let of_line = before.rfind('\n').map_or(before, |newline| &before[newline + 1..]);
        let line = i64::from(self.sources.position(at.file, at.start).line);
        (&file.name, line, file.encoding.length(of_line) as i64)
    }

    fn here(&mut self, here: tast::Here, ty: TyId, at: Span) -> NodeId {
        let (file, line, column) = self.place_of(at);
        let length = self.sources.file(at.file).encoding.length(self.sources.text(at));
        let end = column + length as i64;
        let string = self.program.types.string;
        let mut text =
            |it: &str| self.node(NodeKind::Const(Const::String(it.as_bytes().into())), string, at);
        match here {
            tast::Here::Loc => {
                text(&format!("File \"{file}\", line {line}, characters {column}-{end}"))
            }
            tast::Here::File => text(file),
            tast::Here::Line => self.int(line, at),
            tast::Here::Pos => {
                let file = text(file);
                let parts = vec![file, self.int(line, at), self.int(column, at), self.int(end, at)];
                self.node(NodeKind::Tuple(parts), ty, at)
            }
        }
    }

    fn raise_text(&mut self, exn: Option<ExnId>, text: &str, at: Span, ty: TyId) -> NodeId {
        let Some(exn) = exn else { ice!("the library lacks an exception") };
        let (string, exn_ty) = (self.program.types.string, self.program.types.exn);
        let text = self.node(NodeKind::Const(Const::String(text.as_bytes().into())), string, at);
        let value = self.node(NodeKind::MakeExn { exn, args: vec![text] }, exn_ty, at);
        self.node(NodeKind::Raise(value), ty, at)
    }

    /// What tells an exception from others that the same declaration has made.
    fn exn_number(&mut self, exn: ExnId, span: Span) -> Option<NodeId> {
        let var = self.types.exns[exn].number?;
        let int = self.program.types.int;
        Some(self.node(NodeKind::Var { var, tyargs: Vec::new() }, int, span))
    }

    fn not_supported(&mut self, span: Span, construct: &str) {
        self.diagnostics.error(Diagnostic::not_supported(span, construct));
    }

    fn overload(&self, number: u32) -> tast::Expr {
        match self.overloads.get(number as usize) {
            Some(meaning) => meaning.clone(),
            None => ice!("overload {number} has no meaning"),
        }
    }

    /// Warnings about the library are not for its users.
    fn warns(&self, span: Span) -> bool {
        !self.sources.file(span.file).is_library
    }
}

#[cfg(test)]
mod tests;
