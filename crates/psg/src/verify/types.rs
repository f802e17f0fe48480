//! The type of every node, from its kind and its operands. Types are hash-consed, so
//! equality is that of ids.

use oxbow_base::FxHashSet;

use super::{Result, VerifyError, fail};
use crate::{
    Callee, Compared, Const, DataKind, ExnId, ItemKind, Key, LambdaId, NodeId, NodeKind, Program,
    Ty, TyId, TypeTable, VarId, prim_types, print, walk,
};

pub(super) fn check<P>(program: &Program<P>) -> Result {
    // Instances of polymorphic types may be new to the table.
    let mut checker = Checker { program, types: program.types.clone() };
    for item in &program.items {
        for root in item.kind.roots() {
            let mut result = Ok(());
            walk::for_each_node(program, root, |node| {
                if result.is_ok() {
                    result = checker.node(node);
                }
            });
            result?;
        }
        checker.item(&item.kind)?;
    }
    Ok(())
}

struct Checker<'a, P> {
    program: &'a Program<P>,
    types: TypeTable,
}

impl<P> Checker<'_, P> {
    fn item(&mut self, item: &ItemKind) -> Result {
        match item {
            ItemKind::Eval(_) => Ok(()),
            ItemKind::Let { var, value } => self.binds(*value, *var, *value),
            ItemKind::LetRec { vars, values } => {
                if vars.len() != values.len() {
                    let message = "an item with more variables than values, or fewer";
                    return Err(VerifyError { message: message.into(), node: None });
                }
                vars.iter().zip(values).try_for_each(|(&var, &it)| self.binds(it, var, it))
            }
        }
    }

    fn ty(&self, node: NodeId) -> TyId {
        self.program.nodes[node].ty
    }

    fn same(&self, node: NodeId, what: &str, found: TyId, expected: TyId) -> Result {
        if found == expected {
            return Ok(());
        }
        let show = |ty| print::type_text(&self.types, ty);
        fail(node, format!("{what} has type {}, not {}", show(found), show(expected)))
    }

    /// The operand `child` has the type `expected`.
    fn has(&self, node: NodeId, what: &str, child: NodeId, expected: TyId) -> Result {
        self.same(node, what, self.ty(child), expected)
    }

    fn binds(&self, node: NodeId, var: VarId, value: NodeId) -> Result {
        let data = &self.program.vars[var];
        self.has(node, &format!("the value of `{}`", data.name), value, data.ty)
    }

    fn operands(&self, node: NodeId, args: &[NodeId], expected: &[TyId]) -> Result {
        if args.len() != expected.len() {
            return fail(node, format!("{} operands for {}", args.len(), expected.len()));
        }
        for (index, (&arg, &ty)) in args.iter().zip(expected).enumerate() {
            self.has(node, &format!("operand {index}"), arg, ty)?;
        }
        Ok(())
    }

    fn node(&mut self, node: NodeId) -> Result {
        let program = self.program;
        let ty = self.ty(node);
        let (unit, boolean, exn) = (self.types.unit, self.types.bool, self.types.exn);
        match &program.nodes[node].kind {
            NodeKind::Const(value) => self.constant(node, value),
            NodeKind::Var { var, tyargs } => self.variable(node, *var, tyargs),
            NodeKind::Lambda(lambda) => self.lambda(node, *lambda),
            NodeKind::Apply { func, args, callee } => self.call(node, *func, args, *callee),
            NodeKind::Prim { prim, args } => {
                let args: Vec<_> = args.iter().map(|&it| self.ty(it)).collect();
                let result = prim_types::check(&mut self.types, *prim, &args, ty);
                result.or_else(|message| fail(node, message))
            }
            NodeKind::Let { var, value, body } => {
                self.binds(node, *var, *value)?;
                self.has(node, "the body", *body, ty)
            }
            NodeKind::LetRec { vars, values, body } => {
                for (&var, &value) in vars.iter().zip(values) {
                    self.binds(node, var, value)?;
                }
                self.has(node, "the body", *body, ty)
            }
            NodeKind::Assign { var, value } => {
                if !program.vars[*var].mutable {
                    return fail(node, format!("`{}` is not mutable", program.vars[*var].name));
                }
                self.binds(node, *var, *value)?;
                self.same(node, "the assignment", ty, unit)
            }
            NodeKind::Seq(items) => match items.last() {
                Some(&last) => self.has(node, "the last", last, ty),
                None => fail(node, "an empty sequence"),
            },
            NodeKind::If { cond, then, otherwise } => {
                self.has(node, "the condition", *cond, boolean)?;
                self.has(node, "the first branch", *then, ty)?;
                self.has(node, "the second branch", *otherwise, ty)
            }
            NodeKind::Switch { value, cases, default } => {
                for branch in cases.iter().map(|it| it.1).chain(*default) {
                    self.has(node, "a branch", branch, ty)?;
                }
                self.keys(node, self.ty(*value), cases, default.is_some())
            }
            NodeKind::While { cond, body: _ } => {
                self.has(node, "the condition", *cond, boolean)?;
                self.same(node, "the loop", ty, unit)
            }
            NodeKind::For { var, from, to, down: _, body: _ } => {
                self.for_loop(node, *var, *from, *to)
            }
            NodeKind::Tuple(items) => match self.types.get(ty).clone() {
                Ty::Tuple(tys) => self.operands(node, items, &tys),
                _ => fail(node, "a tuple of another type"),
            },
            NodeKind::TupleGet { tuple, index } => self.component(node, *tuple, *index),
            NodeKind::Record(items) => {
                if !self.is_record(ty) {
                    return fail(node, "a record of another type");
                }
                let fields = self.fields(node, ty, 0)?;
                self.operands(node, items, &fields)
            }
            NodeKind::Construct { ctor, args } => {
                if self.is_record(ty) {
                    return fail(node, "a constructor of a record type");
                }
                let fields = self.fields(node, ty, *ctor)?;
                self.operands(node, args, &fields)
            }
            NodeKind::Field { object, ctor, index } => {
                let field = self.field(node, *object, *ctor, *index)?;
                self.same(node, "the field", ty, field)
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let field = self.field(node, *object, *ctor, *index)?;
                self.has(node, "the new value", *value, field)?;
                if !self.is_mutable(self.ty(*object), *ctor, *index) {
                    return fail(node, "the field is not mutable");
                }
                self.same(node, "the assignment", ty, unit)
            }
            NodeKind::Array(items) => match *self.types.get(ty) {
                Ty::Array(item) => self.operands(node, items, &vec![item; items.len()]),
                _ => fail(node, "an array of another type"),
            },
            NodeKind::MakeExn { exn: id, args } => {
                let fields = self.payload(*id);
                self.operands(node, args, &fields)?;
                self.same(node, "the exception", ty, exn)
            }
            NodeKind::ExnField { object, exn: id, index } => {
                self.has(node, "the object", *object, exn)?;
                match self.payload(*id).get(*index as usize) {
                    Some(&field) => self.same(node, "the payload", ty, field),
                    None => fail(node, format!("no payload {index}")),
                }
            }
            NodeKind::Raise(value) => self.has(node, "what is raised", *value, exn),
            NodeKind::Try { body, var, handler } => {
                self.same(node, "the handler's variable", program.vars[*var].ty, exn)?;
                self.has(node, "the body", *body, ty)?;
                self.has(node, "the handler", *handler, ty)
            }
            NodeKind::Join { join: _, body, rest } => {
                self.has(node, "the joined code", *body, ty)?;
                self.has(node, "the rest", *rest, ty)
            }
            NodeKind::Jump { join, args } => {
                let params = &program.joins[*join].params;
                let params: Vec<_> = params.iter().map(|&it| program.vars[it].ty).collect();
                self.operands(node, args, &params)
            }
        }
    }

    fn for_loop(&self, node: NodeId, var: VarId, from: NodeId, to: NodeId) -> Result {
        let int = self.program.vars[var].ty;
        if !matches!(self.types.get(int), Ty::Int(_)) {
            return fail(node, "the loop's variable is no integer");
        }
        self.has(node, "the first bound", from, int)?;
        self.has(node, "the second bound", to, int)?;
        self.same(node, "the loop", self.ty(node), self.types.unit)
    }

    fn constant(&self, node: NodeId, value: &Const) -> Result {
        let expected = match value {
            Const::Unit => Ty::Unit,
            Const::Bool(_) => Ty::Bool,
            Const::Int(width, _) => Ty::Int(*width),
            Const::Float(_) => Ty::Float,
            Const::Char(_) => Ty::Char,
            Const::String(_) => Ty::String,
        };
        if *self.types.get(self.ty(node)) != expected {
            return fail(node, format!("a constant {value:?} of another type"));
        }
        Ok(())
    }

    fn lambda(&mut self, node: NodeId, lambda: LambdaId) -> Result {
        let program = self.program;
        let lambda = &program.lambdas[lambda];
        if lambda.params.is_empty() {
            return fail(node, "a lambda without parameters");
        }
        let params: Vec<_> = lambda.params.iter().map(|&it| program.vars[it].ty).collect();
        let expected = self.types.function(&params, self.ty(lambda.body));
        self.same(node, "the lambda", self.ty(node), expected)
    }

    fn call(&mut self, node: NodeId, func: NodeId, args: &[NodeId], callee: Callee) -> Result {
        if args.is_empty() {
            return fail(node, "a call without arguments");
        }
        if let Callee::Known(lambda) = callee
            && self.program.lambdas[lambda].params.len() != args.len()
        {
            return fail(node, "a known callee that takes another number of arguments");
        }
        let (params, result) = self.types.split_function(self.ty(func), args.len());
        self.operands(node, args, &params)?;
        self.same(node, "the call", self.ty(node), result)
    }

    fn component(&self, node: NodeId, tuple: NodeId, index: u32) -> Result {
        match self.types.get(self.ty(tuple)) {
            Ty::Tuple(tys) => match tys.get(index as usize) {
                Some(&item) => self.same(node, "the component", self.ty(node), item),
                None => fail(node, format!("no component {index}")),
            },
            _ => fail(node, "a component of something that is no tuple"),
        }
    }

    fn variable(&mut self, node: NodeId, var: VarId, tyargs: &[TyId]) -> Result {
        let data = &self.program.vars[var];
        if data.tyvars.len() != tyargs.len() {
            let (given, needed) = (tyargs.len(), data.tyvars.len());
            return fail(node, format!("`{}`: {given} type arguments for {needed}", data.name));
        }
        let instance = self.types.substitute(data.ty, &|tyvar| {
            data.tyvars.iter().position(|&it| it == tyvar).map(|at| tyargs[at])
        });
        self.same(node, &format!("`{}`", data.name), self.ty(node), instance)
    }

    fn is_record(&self, ty: TyId) -> bool {
        matches!(self.types.get(ty), Ty::Data(data, _)
            if matches!(self.types.datas[*data].kind, DataKind::Record(_)))
    }

    fn declared(&self, ty: TyId, ctor: u32) -> Option<&[crate::Field]> {
        let Ty::Data(data, _) = self.types.get(ty) else { return None };
        match &self.types.datas[*data].kind {
            DataKind::Record(fields) => (ctor == 0).then_some(fields),
            DataKind::Variant(ctors) => ctors.get(ctor as usize).map(|it| it.fields.as_slice()),
        }
    }

    /// The types of the fields in an instance of a data type.
    fn fields(&mut self, node: NodeId, ty: TyId, ctor: u32) -> Result<Vec<TyId>> {
        let Some(declared) = self.declared(ty, ctor) else {
            return fail(node, format!("the type has no constructor {ctor}"));
        };
        let declared: Vec<_> = declared.iter().map(|it| it.ty).collect();
        let Ty::Data(data, args) = self.types.get(ty).clone() else {
            return fail(node, "no record or variant");
        };
        if args.len() != self.types.datas[data].params.len() {
            return fail(node, "a data type with another number of arguments");
        }
        Ok(declared.into_iter().map(|it| self.types.field_type(data, &args, it)).collect())
    }

    fn field(&mut self, node: NodeId, object: NodeId, ctor: u32, index: u32) -> Result<TyId> {
        match self.fields(node, self.ty(object), ctor)?.get(index as usize) {
            Some(&field) => Ok(field),
            None => fail(node, format!("no field {index}")),
        }
    }

    fn is_mutable(&self, ty: TyId, ctor: u32, index: u32) -> bool {
        let field = self.declared(ty, ctor).and_then(|it| it.get(index as usize));
        field.is_some_and(|it| it.mutable)
    }

    fn payload(&self, exn: ExnId) -> Vec<TyId> {
        self.types.exns[exn].fields.iter().map(|it| it.ty).collect()
    }

    fn keys(&self, node: NodeId, ty: TyId, cases: &[(Key, NodeId)], has_default: bool) -> Result {
        let mut seen = FxHashSet::default();
        let scrutinee = self.types.get(ty);
        for (key, _) in cases {
            let fits = match (key, scrutinee) {
                (Key::Ctor(ctor), Ty::Data(..)) => {
                    !self.is_record(ty) && self.declared(ty, *ctor).is_some()
                }
                (Key::Int(width, _), Ty::Int(found)) => width == found,
                (Key::Char(_), Ty::Char)
                | (Key::String(_), Ty::String)
                | (Key::Exn(_), Ty::Exn) => true,
                _ => false,
            };
            if !fits {
                return fail(node, format!("a key {key:?} that the value cannot have"));
            }
            if !seen.insert(key) {
                return fail(node, format!("the key {key:?} twice"));
            }
        }
        let all = match scrutinee {
            // A value has one of the tags of its row.
            Ty::Data(data, _)
                if matches!(
                    self.types.datas[*data].compared,
                    Compared::Tags | Compared::Objects
                ) =>
            {
                Some(cases.len())
            }
            Ty::Data(data, _) => match &self.types.datas[*data].kind {
                DataKind::Variant(ctors) => Some(ctors.len()),
                DataKind::Record(_) => None,
            },
            Ty::Char => Some(256),
            _ => None,
        };
        if !has_default && all != Some(cases.len()) {
            return fail(node, "cases are missing and there is no default");
        }
        Ok(())
    }
}
