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
mod exn_cells;
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

use oxbow_base::{FxHashMap, Id as _, IdMap, SourceMap, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics, ice};
use oxbow_psg::clone::Cloner;
use oxbow_psg::{
    Const, DataId, ExnId, IntWidth, Node, NodeId, NodeKind, Poly, Storage, Ty, TyId, TyVarId, Var,
    VarId, WellKnown,
};

use crate::infer::Inference;
use crate::tast;
use crate::types::{TyConId, TypeId, Types, VarInfo};

/// Builds the graph of a program that inference found no error in. Warnings about
/// matches go to the sink; an error can only be a construct that is not supported.
pub fn build(
    program: tast::Program,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> oxbow_psg::Program<Poly> {
    build_onto(Graph::default(), program, sources, diagnostics)
}

/// Builds what follows a part of the program that has been built.
pub fn build_onto(
    graph: Graph,
    program: tast::Program,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> oxbow_psg::Program<Poly> {
    graph.extended(program, sources, diagnostics).0.program
}

/// Builds what has been inferred so far: the library, before there is a program. What follows is built onto it.
pub fn build_library(
    inference: &mut Inference,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Graph {
    let (mut graph, mut types) = Graph::default().extended(inference.part(), sources, diagnostics);
    graph.make_room(&mut types);
    graph.hold_places(&mut types);
    inference.resume(types);
    graph
}

/// Builds what has been inferred since, of a program that grows.
pub fn build_phrase(
    graph: Graph,
    inference: &mut Inference,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Graph {
    let (graph, mut types) = graph.extended(inference.part(), sources, diagnostics);
    graph.hold_places(&mut types);
    inference.resume(types);
    graph
}

/// Nodes, types and the like of a program of some hundred lines.
const ROOM: usize = 1 << 15;

/// What has been built, and what the tree's ids became.
#[derive(Default)]
pub struct Graph {
    program: oxbow_psg::Program<Poly>,
    tys: IdMap<TypeId, TyId>,
    tyvars: IdMap<TypeId, TyVarId>,
    datas: IdMap<TyConId, DataId>,
    outer_vars: IdMap<TyConId, Vec<TypeId>>,
    match_result: Option<DataId>,
    variants: Option<DataId>,
    variant_ctors: FxHashMap<(Symbol, Option<TyId>), u32>,
    objects: Option<DataId>,
    object_ctors: FxHashMap<u32, u32>,
    overloads: Vec<tast::Expr>,
    cloner: Cloner,
}

impl Graph {
    /// Builds another part of the program. The types are those of inference, which may go on with them.
    fn extended(
        self,
        part: tast::Program,
        sources: &SourceMap,
        diagnostics: &mut Diagnostics,
    ) -> (Self, Types) {
        let tast::Program { types, items, well_known, overloads, left_to_right, scopes: _ } = part;
        let (item, node) = (self.program.items.len(), self.program.nodes.next_id());
        let lambda = self.program.lambdas.next_id();
        let mut builder = Builder::new(self, types, sources, diagnostics);
        builder.overloads.extend(overloads);
        builder.left_to_right = left_to_right;
        builder.reference = well_known.reference;
        builder.program.well_known = WellKnown {
            uncaught: well_known.uncaught,
            finish: well_known.finish,
            flush: well_known.flush,
            fiber: None,
            unwinds: None,
            domain: None,
            exns: well_known.exns,
            functions: well_known.functions,
        };
        for item in &items {
            builder.item(item);
        }
        discard::discard(items);
        let (mut graph, types) = builder.parts();
        if left_to_right {
            order::left_to_right(&mut graph.program, node);
            order::constructors_as_declared(&mut graph.program);
        }
        oxbow_psg::captures::fill_from(&mut graph.program, item, lambda);
        (graph, types)
    }

    /// What has been built so far.
    pub fn program(&self) -> &oxbow_psg::Program<Poly> {
        &self.program
    }

    /// Tables that grow with every program have room for one of the usual size.
    fn make_room(&mut self, types: &mut Types) {
        self.program.nodes.reserve(ROOM);
        self.program.lambdas.reserve(ROOM);
        self.program.items.reserve_exact(ROOM);
        types.nodes.reserve(ROOM);
        self.program.vars.reserve(ROOM);
        types.vars.reserve(ROOM);
    }

    /// The variables that the builder has made have ids, which inference must not give to others.
    fn hold_places(&self, types: &mut Types) {
        let Some(ty) = types.vars.values().next().map(|it| it.ty) else { return };
        for index in types.vars.len()..self.program.vars.len() {
            let made = &self.program.vars[VarId::from_index(index)];
            types.vars.push(VarInfo {
                name: made.name,
                ty,
                tyvars: Vec::new(),
                mutable: made.mutable,
                global: made.global,
                span: made.span,
            });
        }
    }
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
    /// How many type variables that nothing has decided were met.
    undecided: u32,
}

impl<'a> Builder<'a> {
    fn new(
        graph: Graph,
        types: Types,
        sources: &'a SourceMap,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let mut builder = Self {
            types,
            program: graph.program,
            sources,
            diagnostics,
            tys: graph.tys,
            tyvars: graph.tyvars,
            datas: graph.datas,
            outer_vars: graph.outer_vars,
            match_result: graph.match_result,
            variants: graph.variants,
            variant_ctors: graph.variant_ctors,
            objects: graph.objects,
            object_ctors: graph.object_ctors,
            cells: IdMap::new(),
            flags: IdMap::new(),
            overloads: graph.overloads,
            left_to_right: false,
            reference: None,
            cloner: graph.cloner,
            undecided: 0,
        };
        builder.declare_exns();
        builder.declare_vars();
        builder
    }

    /// What outlives the construction of a part.
    fn parts(self) -> (Graph, Types) {
        let graph = Graph {
            program: self.program,
            tys: self.tys,
            tyvars: self.tyvars,
            datas: self.datas,
            outer_vars: self.outer_vars,
            match_result: self.match_result,
            variants: self.variants,
            variant_ctors: self.variant_ctors,
            objects: self.objects,
            object_ctors: self.object_ctors,
            overloads: self.overloads,
            cloner: self.cloner,
        };
        (graph, self.types)
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
