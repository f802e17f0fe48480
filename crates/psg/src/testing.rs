//! Small programs built by hand, for the unit tests of this crate.

use oxbow_base::{FileId, Id, Span, Symbol};

use crate::{
    Const, IntOp, IntWidth, Item, ItemKind, Lambda, NodeId, NodeKind, Poly, Prim, Program, Ty,
    TyId, Var, VarId,
};

pub(crate) struct Builder {
    pub program: Program<Poly>,
}

pub(crate) fn no_span() -> Span {
    Span::new(FileId::from_index(0), 0, 0)
}

impl Builder {
    pub fn new() -> Self {
        Self { program: Program::new() }
    }

    pub fn var(&mut self, name: &str, ty: TyId) -> VarId {
        self.program.vars.push(Var {
            name: Symbol::new(name),
            ty,
            tyvars: Vec::new(),
            mutable: false,
            global: false,
            span: no_span(),
        })
    }

    pub fn mutable(&mut self, name: &str, ty: TyId) -> VarId {
        let var = self.var(name, ty);
        self.program.vars[var].mutable = true;
        var
    }

    pub fn node(&mut self, kind: NodeKind, ty: TyId) -> NodeId {
        self.program.add(kind, ty, no_span())
    }

    pub fn int(&mut self, value: i64) -> NodeId {
        let ty = self.program.types.int;
        self.node(NodeKind::Const(Const::Int(IntWidth::I63, value)), ty)
    }

    pub fn use_(&mut self, var: VarId) -> NodeId {
        let ty = self.program.vars[var].ty;
        self.node(NodeKind::Var { var, tyargs: Vec::new() }, ty)
    }

    /// `a + (b + (c + …))`
    pub fn add_vars(&mut self, vars: &[VarId]) -> NodeId {
        let nodes: Vec<_> = vars.iter().map(|&it| self.use_(it)).collect();
        let ty = self.program.types.int;
        let mut nodes = nodes.into_iter().rev();
        let last = nodes.next().expect("at least one variable");
        nodes.fold(last, |sum, node| {
            let prim = Prim::Int(IntWidth::I63, IntOp::Add);
            self.node(NodeKind::Prim { prim, args: vec![node, sum] }, ty)
        })
    }

    pub fn let_(&mut self, var: VarId, value: NodeId, body: NodeId) -> NodeId {
        let ty = self.program.ty(body);
        self.node(NodeKind::Let { var, value, body }, ty)
    }

    pub fn tuple(&mut self, items: &[NodeId]) -> NodeId {
        let tys = items.iter().map(|&it| self.program.ty(it)).collect();
        let ty = self.program.types.intern(Ty::Tuple(tys));
        self.node(NodeKind::Tuple(items.to_vec()), ty)
    }

    pub fn lambda(&mut self, name: &str, params: &[VarId], body: NodeId) -> NodeId {
        let tys: Vec<_> = params.iter().map(|&it| self.program.vars[it].ty).collect();
        let result = self.program.ty(body);
        let ty = self.program.types.function(&tys, result);
        let lambda = self.program.lambdas.push(Lambda::new(
            Some(Symbol::new(name)),
            params.to_vec(),
            body,
            no_span(),
        ));
        self.node(NodeKind::Lambda(lambda), ty)
    }

    pub fn eval(&mut self, node: NodeId) {
        let item = Item { kind: ItemKind::Eval(node), span: no_span(), library: false };
        self.program.items.push(item);
    }
}
