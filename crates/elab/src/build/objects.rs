//! Objects in the graph: all of them are values of one type.
//!
//! ```text
//! object val mutable x = 1 method m y = x + y end
//!
//! data objects compared objects = object of { id : int; mutable x : int; #m : objects -> int -> int }
//! o#m 2             %send.2.m o 2
//! ```
//!
//! A constructor is a place of the program that makes objects, with the instance variables and the methods of these, so
//! that an object of one type is one of every type that has some of its methods: coercions cost nothing (decision 90).
//! Methods are functions of the object. What is held may mention the type variables of the function around;
//! specialisation makes a constructor of each instance, and a function of each method that is sent.

use oxbow_base::{Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{
    Compared, Ctor, DataDecl, DataId, DataKind, Field, NodeId, NodeKind, Prim, Ty, TyId,
};

use super::Builder;
use crate::tast::{Expr, ExprKind};

impl Builder<'_> {
    /// The type of all objects, made at the first mention.
    pub(super) fn objects(&mut self) -> DataId {
        if let Some(known) = self.objects {
            return known;
        }
        let data = self.program.types.datas.push(DataDecl {
            name: Symbol::new("objects"),
            params: Vec::new(),
            kind: DataKind::Variant(Vec::new()),
            compared: Compared::Objects,
            own: oxbow_psg::OwnFunctions::default(),
            known: None,
            span: None,
        });
        self.objects = Some(data);
        data
    }

    /// The constructor of a place that makes objects.
    pub(super) fn object_ctor(&mut self, object: u32) -> u32 {
        if let Some(&known) = self.object_ctors.get(&object) {
            return known;
        }
        let data = self.objects();
        let info = self.types.objects[object as usize].clone();
        let mut fields = Vec::new();
        for field in &info.fields {
            let ty = self.ty(field.ty);
            let plain = Field::plain(field.name, ty);
            fields.push(Field { mutable: field.mutable, ..plain });
        }
        let DataKind::Variant(ctors) = &mut self.program.types.datas[data].kind else {
            ice!("the type of objects is no variant type")
        };
        let number = ctors.len() as u32;
        ctors.push(Ctor { name: Symbol::new(&info.path), fields, inline_record: false });
        self.object_ctors.insert(object, number);
        number
    }

    pub(super) fn object(&mut self, object: u32, fields: &[Expr], ty: TyId, span: Span) -> NodeId {
        let ctor = self.object_ctor(object);
        let args = self.parts_at(fields, ctor, ty);
        self.node(NodeKind::Construct { ctor, args }, ty, span)
    }

    /// A method that is called with these arguments, or with none. The object is evaluated before them, as by
    /// `ocamlopt`.
    pub(super) fn send(&mut self, func: &Expr, args: &[Expr], ty: TyId, span: Span) -> NodeId {
        let ExprKind::Send { object, .. } = &func.kind else { ice!("only methods are sent") };
        let data = self.objects();
        let object_ty = self.program.types.intern(Ty::Data(data, Vec::new()));
        let object = self.expr_at(object, object_ty);
        if args.is_empty() || matches!(self.program.nodes[object].kind, NodeKind::Var { .. }) {
            return self.send_to(object, func, args, ty, span);
        }
        let receiver = self.fresh(Symbol::new("receiver"), object_ty, span);
        let read = self.read(receiver, span);
        let call = self.send_to(read, func, args, ty, span);
        self.bind(receiver, object, call, span)
    }

    fn send_to(
        &mut self,
        object: NodeId,
        func: &Expr,
        args: &[Expr],
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let ExprKind::Send { label, method, known, .. } = &func.kind else {
            ice!("only methods are sent")
        };
        let object_ty = self.program.ty(object);
        let method_ty = self.ty(*method);
        let whole = self.program.types.function(&[object_ty], method_ty);
        let mut operands = self.exprs(args);
        operands.insert(0, object);
        if let Some(function) = known {
            let node = self.node(NodeKind::Var { var: *function, tyargs: Vec::new() }, whole, span);
            return self.call(node, operands, ty, span);
        }
        let (params, result) = self.program.types.split_function(whole, operands.len());
        let rest = operands.split_off(params.len());
        let operands = self.fit_all(operands, &params);
        let prim = Prim::Send { label: *label, arity: operands.len() as u8 };
        let node = self.node(NodeKind::Prim { prim, args: operands }, result, span);
        if rest.is_empty() { self.fit(node, ty) } else { self.call(node, rest, ty, span) }
    }
}
