//! What is gone from a program without polymorphism.

use oxbow_base::IdMap;

use super::{Result, VerifyError, fail};
use crate::{Mono, NodeKind, Prim, Program, Ty, TyId, VarId, walk};

pub(super) fn check(program: &Program<Mono>) -> Result {
    let mut checker = Checker { program, known: IdMap::new() };
    for var in program.items.iter().flat_map(|it| it.kind.vars()) {
        if let Err(message) = checker.var(*var) {
            return Err(VerifyError { message, node: None });
        }
    }
    let mut result = Ok(());
    walk::for_each_reachable(program, |node| {
        if result.is_ok() {
            result = checker.node(node);
        }
    });
    result
}

struct Checker<'a> {
    program: &'a Program<Mono>,
    /// Whether a type is free of type variables.
    known: IdMap<TyId, bool>,
}

impl Checker<'_> {
    fn closed(&mut self, ty: TyId) -> bool {
        if let Some(&known) = self.known.get(ty) {
            return known;
        }
        let closed = match self.program.types.get(ty) {
            Ty::Var(_) => false,
            other => other.parts().all(|it| self.closed(it)),
        };
        self.known.insert(ty, closed);
        closed
    }

    fn var(&mut self, var: VarId) -> std::result::Result<(), String> {
        let data = &self.program.vars[var];
        if !data.tyvars.is_empty() {
            return Err(format!("`{}` is polymorphic", data.name));
        }
        if !self.closed(data.ty) {
            return Err(format!("the type of `{}` has a type variable", data.name));
        }
        Ok(())
    }

    fn node(&mut self, node: crate::NodeId) -> Result {
        let program = self.program;
        if !self.closed(program.ty(node)) {
            return fail(node, "the type has a type variable");
        }
        let kind = &program.nodes[node].kind;
        let mut bound = Vec::new();
        kind.for_each_binder(&program.joins, |var| bound.push(var));
        if let NodeKind::Lambda(lambda) = *kind {
            bound.extend(&program.lambdas[lambda].params);
        }
        for var in bound {
            if let Err(message) = self.var(var) {
                return fail(node, message);
            }
        }
        if let NodeKind::Var { tyargs, .. } = kind
            && !tyargs.is_empty()
        {
            return fail(node, "a variable with type arguments");
        }
        if let NodeKind::Prim { prim, args } = kind {
            let basic = args.iter().all(|&it| is_basic(program.types.get(program.ty(it))));
            let expanded = matches!(
                prim,
                Prim::Show
                    | Prim::MarshalShape
                    | Prim::Text
                    | Prim::AdMapNumbers
                    | Prim::Default
                    | Prim::StrictOrder(_)
                    | Prim::StrictHash
                    | Prim::HashParam
                    | Prim::ObjMagic
                    | Prim::ObjTag
                    | Prim::ObjNumber
                    | Prim::ObjSize
                    | Prim::ObjField
                    | Prim::TypeNumber
                    | Prim::TypeName
                    | Prim::Box
            );
            if expanded || matches!(prim, Prim::Order(_) | Prim::Hash | Prim::ExnToString) && !basic
            {
                return fail(node, format!("{} is not expanded", prim.name()));
            }
        }
        Ok(())
    }
}

/// Scalars and strings.
fn is_basic(ty: &Ty) -> bool {
    match ty {
        Ty::Unit
        | Ty::Bool
        | Ty::Char
        | Ty::Int(_)
        | Ty::Float
        | Ty::Float32
        | Ty::String
        | Ty::Bytes => true,
        Ty::Tuple(_)
        | Ty::Fn(..)
        | Ty::Array(_)
        | Ty::Data(..)
        | Ty::Exn
        | Ty::Uniform
        | Ty::Var(_) => false,
    }
}
