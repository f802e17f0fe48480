//! Arguments that choose among methods of one name.
//!
//! ```text
//! (f x).Split(g y)   ⇒  let object = f x in let argument = g y in object.Split(argument)
//! ```
//!
//! Which `Split` is meant depends on the type of `g y`, which does not show in the text. So the argument is inferred
//! first and gets a name; the object gets one before it, since it is evaluated before. Arguments whose types show, or
//! that take their types from the method (functions), stay where they are.

use oxbow_base::{Made, Span, Symbol};

use crate::ast::{self, ArgLabel, ExprKind, MemberKind};
use crate::tast;
use crate::types::{TyConId, Type, TypeId};

use super::super::env::Env;
use super::super::{Expect, Infer};
use super::arguments::ParameterKind;
use super::member::{Given, MemberInfo, Shape};

/// Does a method take its arguments at their types, or as what they can be seen as?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    Exact,
    Seen,
}

/// A call whose object and arguments are being named.
struct Call<'a> {
    func: ast::Expr,
    args: &'a [(ArgLabel, ast::Expr)],
    /// Arguments that have their final form.
    done: Vec<ast::Expr>,
    span: Span,
    expect: Expect,
}

impl Infer<'_> {
    /// The call with its arguments named, if only their types tell which method is meant.
    pub(super) fn call_by_types(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        args: &[(ArgLabel, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        let ExprKind::Field(object, path) = &func.kind else { return None };
        let [(_, arg)] = args else { return None };
        let items = items(arg);
        if !self.is_chosen_by_type(path.name.text, items.len())
            || self.is_module_value(env, object, path.name.text)
            || !items.iter().any(|it| self.hides_its_type(env, it))
        {
            return None;
        }
        let call = Call { func: func.clone(), args, done: Vec::new(), span, expect };
        if is_chain(object) {
            return Some(self.name_arguments(env, call));
        }
        let ty = self.fresh();
        let typed = self.expr(env, object, Expect::plain(ty));
        let path = path.clone();
        Some(self.with_typed(env, typed, Made::Object, |this, env, mention| {
            let kind = ExprKind::Field(Box::new(mention), path);
            let func = super::node(kind, call.func.span);
            this.name_arguments(env, Call { func, ..call })
        }))
    }

    fn name_arguments(&mut self, env: &Env, mut call: Call) -> tast::Expr {
        let whole = &call.args[0].1;
        let items = items(whole);
        let Some(&next) = items.get(call.done.len()) else {
            let arg = match call.done.len() {
                1 => call.done.remove(0),
                _ => super::node(ExprKind::Tuple(call.done), whole.span),
            };
            return self.apply(env, &call.func, &[(ArgLabel::None, arg)], call.span, call.expect);
        };
        if !self.hides_its_type(env, next) {
            call.done.push(next.clone());
            return self.name_arguments(env, call);
        }
        let ty = self.fresh();
        let typed = self.expr(env, next, Expect::plain(ty));
        self.with_typed(env, typed, super::typed("argument"), |this, env, mention| {
            call.done.push(mention);
            this.name_arguments(env, call)
        })
    }

    /// Has a type several methods of this name with this many parameters?
    fn is_chosen_by_type(&self, name: Symbol, count: usize) -> bool {
        self.clef.members.iter().any(|((_, it), infos)| {
            *it == name && infos.iter().filter(|it| it.takes_count(count)).count() > 1
        })
    }

    /// Could a method of this type take arguments of these types? By their shapes only.
    pub(super) fn takes(
        &mut self,
        info: &MemberInfo,
        ty: TypeId,
        args: &[Given],
        fit: Fit,
    ) -> bool {
        let mut rest = ty;
        if info.kind == MemberKind::Method {
            let Type::Arrow(_, _, result) = *self.types.get(rest) else { return true };
            rest = result;
        }
        let Type::Arrow(_, param, _) = *self.types.get(rest) else { return true };
        let params = match self.types.get(param) {
            Type::Tuple(items) if info.names.len() > 1 || args.len() > 1 => items.clone(),
            _ => vec![param],
        };
        let mut next = 0;
        args.iter().all(|given| {
            let param = |name: Symbol| {
                info.names.iter().position(|it| it.name == Some(super::arguments::plain(name)))
            };
            if let Some((name, shape)) = given.named
                && let Some(at) = param(name)
            {
                let is_option = super::arguments::plain(name) != name;
                return self.takes_at(info, &params, (at, 0), (shape, is_option, fit));
            }
            next += 1;
            let last = info.names.len().saturating_sub(1);
            let is_rest = info.names.get(last).is_some_and(|it| it.kind == ParameterKind::Rest);
            let at = if is_rest { (next - 1).min(last) } else { next - 1 };
            self.takes_at(
                info,
                &params,
                (at, args.len() - last.min(args.len())),
                (given.shape, false, fit),
            )
        })
    }

    /// Could the parameter of this number take an argument of this shape, of so many that are left for the last one?
    fn takes_at(
        &mut self,
        info: &MemberInfo,
        params: &[TypeId],
        (at, left): (usize, usize),
        (shape, is_option, fit): (Option<Shape>, bool, Fit),
    ) -> bool {
        let Some(&param) = params.get(at) else { return false };
        let inside = |this: &mut Self| {
            let (_, inside) = this.head_con(param)?;
            inside.first().copied()
        };
        match info.names.get(at).map(|it| it.kind) {
            Some(ParameterKind::Optional) if !is_option => match inside(self) {
                Some(param) => self.takes_shape(param, shape, fit),
                None => true,
            },
            Some(ParameterKind::Rest) => {
                let Some(element) = inside(self) else { return true };
                left == 1 && self.takes_shape(param, shape, fit)
                    || self.takes_shape(element, shape, fit)
            }
            _ => self.takes_shape(param, shape, fit),
        }
    }

    fn takes_shape(&mut self, param: TypeId, shape: Option<Shape>, fit: Fit) -> bool {
        if fit == Fit::Seen
            && let (Some((wanted, _)), Some(given)) = (self.head_con(param), shape)
            && self.is_seen_as(given.head, wanted)
        {
            return true;
        }
        let seq = self.prelude_type("seq");
        let byref = self.prelude_type("byref");
        let numbers = [self.builtins.int32, self.builtins.int64, self.builtins.float];
        let numbers = numbers.map(|it| self.head_con(it).map(|it| it.0));
        // The shape of a function is that of `unit`.
        if let (Type::Arrow(..), Some(given)) = (self.types.get(param), shape) {
            return self.head_con(self.builtins.unit).is_some_and(|it| it.0 == given.head);
        }
        match (self.head_con(param), shape) {
            // Only `&x` is a reference.
            (Some((wanted, _)), given) if Some(wanted) == byref => given.map(|it| it.head) == byref,
            // Another collection is converted.
            (Some((wanted, _)), Some(given)) if Some(wanted) == seq => {
                !numbers.contains(&Some(given.head))
                    && (!self.is_class(given.head) || self.has_elements(given.head))
            }
            (Some((wanted, inside)), Some(given)) => {
                let element = inside.first().and_then(|&it| self.head_con(it));
                wanted == given.head
                    && match (element, given.element) {
                        (Some((wanted, _)), Some(given)) => wanted == given,
                        _ => true,
                    }
            }
            _ => true,
        }
    }

    /// Is an argument of this type converted to the other one?
    fn is_seen_as(&mut self, given: TyConId, wanted: TyConId) -> bool {
        let function = self.head_con(self.builtins.unit).map(|it| it.0);
        self.is_object_type(wanted)
            || self.way(given, wanted).is_some()
            || self.clef.delegates.contains(wanted) && Some(given) == function
    }

    /// Can it be enumerated?
    fn has_elements(&self, con: TyConId) -> bool {
        self.clef.members.contains_key(&(con, Symbol::new("AsSeq")))
    }

    /// `Module.name`, which is no method.
    fn is_module_value(&self, env: &Env, object: &ast::Expr, name: Symbol) -> bool {
        super::apply::module_path(env, object)
            .and_then(|path| self.quiet_structure(env, &path))
            .is_some_and(|it| it.values.contains_key(&name) || it.ctors.contains_key(&name))
    }

    /// Must this argument be inferred before its type is known?
    fn hides_its_type(&mut self, env: &Env, arg: &ast::Expr) -> bool {
        let stays = matches!(
            arg.kind,
            ExprKind::Ident(_)
                | ExprKind::Constant(_)
                | ExprKind::Fun(..)
                | ExprKind::Function(..)
                | ExprKind::AddressOf(_)
                | ExprKind::Error(_)
        );
        // What is behind the `=` of a named argument has a type, too, but it cannot be taken out of it.
        !stays && super::arguments::named(arg).is_none() && self.known_shape(env, arg).is_none()
    }
}

fn items(arg: &ast::Expr) -> Vec<&ast::Expr> {
    match &arg.kind {
        ExprKind::Tuple(items) => items.iter().collect(),
        ExprKind::Construct(path, None) if path.name.text.as_str() == "()" => Vec::new(),
        _ => vec![arg],
    }
}

/// `a.b.c`: names of modules, types and values, which do nothing.
fn is_chain(object: &ast::Expr) -> bool {
    match &object.kind {
        ExprKind::Ident(_) | ExprKind::Constant(_) => true,
        ExprKind::Field(inner, _) | ExprKind::TypeApply(inner, _) => is_chain(inner),
        _ => false,
    }
}
