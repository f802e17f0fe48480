//! A short way to write typed trees.

use oxbow_base::{FileId, Id, SourceMap, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::interp::{self, MemoryHost};
use oxbow_psg::{ExnId, IntOp, IntWidth, KnownExns, OrderOp, Poly, Prim, VarId};

use crate::ast::Constant;
use crate::tast::{
    Binding, Builtin, Case, Expr, ExprKind, InlineAttribute, Item, ItemKind, Pattern, PatternKind,
    Program, WellKnown,
};
use crate::types::{
    Builtin as BuiltinType, CtorInfo, ExnInfo, Label, TyCon, TyConId, TyConKind, Type, TypeId,
    Types, VarInfo,
};

/// The text the spans point into: places are line 2, columns as given.
const TEXT: &str = "(* main *)\n0123456789012345678901234567890123456789\n";

pub struct Trees {
    pub types: Types,
    pub items: Vec<Item>,
    pub int: TypeId,
    pub bool: TypeId,
    pub unit: TypeId,
    pub exn: TypeId,
    pub list_con: TyConId,
    pub ints: TypeId,
    pub char: TypeId,
    pub float: TypeId,
    pub array: TypeId,
    pub match_failure: ExnId,
    pub not_found: ExnId,
}

pub fn span(column: u32) -> Span {
    Span::new(FileId::from_index(0), 11 + column, 12 + column)
}

impl Trees {
    pub fn new() -> Self {
        let mut types = Types::default();
        let mut con = |name: &str, kind| {
            types.tycons.push(TyCon::new(Symbol::new(name), name.into(), Vec::new(), kind, None))
        };
        let int_con = con("int", TyConKind::Builtin(BuiltinType::Int(IntWidth::I63)));
        let bool_con = con("bool", TyConKind::Builtin(BuiltinType::Bool));
        let unit_con = con("unit", TyConKind::Builtin(BuiltinType::Unit));
        let exn_con = con("exn", TyConKind::Builtin(BuiltinType::Exn));
        let string_con = con("string", TyConKind::Builtin(BuiltinType::String));
        let char_con = con("char", TyConKind::Builtin(BuiltinType::Char));
        let float_con = con("float", TyConKind::Builtin(BuiltinType::Float));
        let array_con = con("array", TyConKind::Builtin(BuiltinType::Array));
        let list_con = con("list", TyConKind::Pending);
        let mut ty = |con| types.add(Type::Con(con, Vec::new()));
        let (int, bool, unit, exn, string) =
            (ty(int_con), ty(bool_con), ty(unit_con), ty(exn_con), ty(string_con));
        let (char, float) = (ty(char_con), ty(float_con));
        // A list of ints is enough.
        let ints = ty(list_con);
        let array = types.add(Type::Con(array_con, vec![int]));
        let ctor = |name: &str, args| CtorInfo {
            name: Symbol::new(name),
            args,
            inline_record: None,
            own: None,
            span: span(0),
        };
        types.tycons[list_con].kind =
            TyConKind::Variant(vec![ctor("[]", Vec::new()), ctor("::", vec![int, ints])]);
        let mut exception = |name: &str, args| {
            types.exns.push(ExnInfo {
                name: Symbol::new(name),
                path: name.into(),
                args,
                inline_record: None,
                own: None,
                of: None,
                private: false,
                view_of: None,
                packed: None,
                number: None,
                span: span(0),
            })
        };
        let match_failure = exception("Match_failure", vec![string, int, int]);
        let not_found = exception("Not_found", Vec::new());
        Self {
            types,
            items: Vec::new(),
            int,
            bool,
            unit,
            exn,
            list_con,
            ints,
            char,
            float,
            array,
            match_failure,
            not_found,
        }
    }

    pub fn var(&mut self, name: &str, ty: TypeId) -> VarId {
        self.types.vars.push(VarInfo {
            name: Symbol::new(name),
            ty,
            tyvars: Vec::new(),
            mutable: false,
            global: false,
            span: span(0),
        })
    }

    pub fn global(&mut self, name: &str, ty: TypeId) -> VarId {
        let var = self.var(name, ty);
        self.types.vars[var].global = true;
        var
    }

    pub fn arrow(&mut self, param: TypeId, result: TypeId) -> TypeId {
        self.types.add(Type::Arrow(Label::None, param, result))
    }

    pub fn pair(&mut self, left: TypeId, right: TypeId) -> TypeId {
        self.types.add(Type::Tuple(vec![left, right]))
    }

    pub fn expr(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr { kind, ty, span: span(5) }
    }

    pub fn num(&self, value: i64) -> Expr {
        self.expr(ExprKind::Constant(Constant::Int(value)), self.int)
    }

    pub fn read(&self, var: VarId) -> Expr {
        self.expr(ExprKind::Var { var, tyargs: Vec::new() }, self.types.vars[var].ty)
    }

    pub fn call(&self, func: Expr, args: Vec<Expr>, ty: TypeId) -> Expr {
        self.expr(ExprKind::Apply { func: Box::new(func), args }, ty)
    }

    fn operator(&mut self, prim: Prim, result: TypeId) -> Expr {
        let inner = self.arrow(self.int, result);
        let ty = self.arrow(self.int, inner);
        self.expr(ExprKind::Builtin(Builtin::Prim(prim)), ty)
    }

    pub fn plus(&mut self) -> Expr {
        self.operator(Prim::Int(IntWidth::I63, IntOp::Add), self.int)
    }

    pub fn add(&mut self, left: Expr, right: Expr) -> Expr {
        let func = self.plus();
        self.call(func, vec![left, right], self.int)
    }

    pub fn less(&mut self, left: Expr, right: Expr) -> Expr {
        let func = self.operator(Prim::Order(OrderOp::Lt), self.bool);
        self.call(func, vec![left, right], self.bool)
    }

    pub fn tuple(&mut self, left: Expr, right: Expr) -> Expr {
        let ty = self.pair(left.ty, right.ty);
        self.expr(ExprKind::Tuple(vec![left, right]), ty)
    }

    pub fn raise(&mut self, exn: ExnId, ty: TypeId) -> Expr {
        let func_ty = self.arrow(self.exn, ty);
        let func = self.expr(ExprKind::Builtin(Builtin::Raise), func_ty);
        let value = self.expr(ExprKind::MakeExn { exn, args: Vec::new() }, self.exn);
        self.call(func, vec![value], ty)
    }

    pub fn lambda(&mut self, param: VarId, body: Expr) -> Expr {
        let pattern = self.bind(param);
        let ty = self.arrow(pattern.ty, body.ty);
        let kind = ExprKind::Lambda {
            params: vec![pattern.into()],
            body: Box::new(body),
            inline: InlineAttribute::None,
        };
        self.expr(kind, ty)
    }

    pub fn matching(&self, scrutinee: Expr, cases: Vec<Case>, exceptions: Vec<Case>) -> Expr {
        let ty = cases[0].body.ty;
        self.expr(ExprKind::Match { scrutinee: Box::new(scrutinee), cases, exceptions }, ty)
    }

    pub fn pattern(&self, kind: PatternKind, ty: TypeId) -> Pattern {
        Pattern { kind, ty, span: span(9) }
    }

    pub fn any(&self, ty: TypeId) -> Pattern {
        self.pattern(PatternKind::Any, ty)
    }

    pub fn bind(&self, var: VarId) -> Pattern {
        self.pattern(PatternKind::Var(var), self.types.vars[var].ty)
    }

    pub fn is(&self, value: i64) -> Pattern {
        self.pattern(PatternKind::Constant(Constant::Int(value)), self.int)
    }

    pub fn both(&mut self, left: Pattern, right: Pattern) -> Pattern {
        let ty = self.pair(left.ty, right.ty);
        self.pattern(PatternKind::Tuple(vec![left, right]), ty)
    }

    pub fn cons(&self, head: Pattern, tail: Pattern) -> Pattern {
        self.pattern(
            PatternKind::Construct { tycon: self.list_con, ctor: 1, args: vec![head, tail] },
            self.ints,
        )
    }

    pub fn define(&mut self, pattern: Pattern, value: Expr) {
        self.item(ItemKind::Let(vec![Binding { pattern, value }]));
    }

    pub fn item(&mut self, kind: ItemKind) {
        self.items.push(Item { kind, span: span(0), library: false });
    }

    /// The graph of the program that ends with this exit code, and the reports.
    pub fn graph(mut self, code: Expr) -> (oxbow_psg::Program<Poly>, Vec<Diagnostic>) {
        let func_ty = self.arrow(self.int, self.unit);
        let func = self.expr(ExprKind::Builtin(Builtin::Prim(Prim::SysExit)), func_ty);
        let exit = self.call(func, vec![code], self.unit);
        self.item(ItemKind::Eval(exit));
        let exns = KnownExns { match_failure: Some(self.match_failure), ..KnownExns::default() };
        let well_known = WellKnown { exns, ..WellKnown::default() };
        let program =
            Program { types: self.types, items: self.items, well_known, ..Program::default() };
        let mut sources = SourceMap::new();
        sources.add("main.ml", TEXT);
        let mut diagnostics = Diagnostics::new();
        let graph = super::super::build(program, &sources, &mut diagnostics);
        (graph, diagnostics.take())
    }

    /// Builds the program that ends with this exit code, checks it and runs it.
    pub fn exit_code(self, code: Expr) -> (Option<i32>, Vec<Diagnostic>) {
        let (graph, reports) = self.graph(code);
        if reports.iter().any(|it| it.severity == oxbow_diag::Severity::Error) {
            return (None, reports);
        }
        if let Err(error) = oxbow_psg::verify::verify_poly(&graph) {
            panic!("{error}");
        }
        let outcome = interp::run(
            &graph,
            &mut MemoryHost::new(Vec::new(), Vec::new()),
            interp::Options::default(),
        );
        match outcome {
            interp::Outcome::Exit(code) => (Some(code), reports),
            other => panic!("{other:?}"),
        }
    }
}

pub fn case(pattern: Pattern, body: Expr) -> Case {
    Case { pattern, guard: None, body }
}
