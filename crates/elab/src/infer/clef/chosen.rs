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

/// How far the type of a parameter is from that of an argument: not at all, any type at all, a collection as a
/// sequence, something that the argument can be seen as (and further for each step), `obj`.
const GENERIC: u32 = 1;
const SEQUENCE: u32 = 10;
const SEEN: u32 = 100;
const OBJECT: u32 = 10_000;

/// Is an argument seen as something else at this distance?
pub fn is_seen(distance: u32) -> bool {
    distance >= SEEN
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

    /// How far the parameters of a method are from arguments of these types, by their shapes only; `None` if it cannot
    /// take them.
    pub(super) fn distance(
        &mut self,
        info: &MemberInfo,
        ty: TypeId,
        args: &[Given],
    ) -> Option<u32> {
        let mut rest = ty;
        if info.kind == MemberKind::Method {
            let Type::Arrow(_, _, result) = *self.types.get(rest) else { return Some(0) };
            rest = result;
        }
        let Type::Arrow(_, param, _) = *self.types.get(rest) else { return Some(0) };
        let params = match self.types.get(param) {
            Type::Tuple(items) if info.names.len() > 1 || args.len() > 1 => items.clone(),
            _ => vec![param],
        };
        let (mut next, mut sum) = (0, 0);
        for given in args {
            let param = |name: Symbol| {
                info.names.iter().position(|it| it.name == Some(super::arguments::plain(name)))
            };
            if let Some((name, shape)) = given.named
                && let Some(at) = param(name)
            {
                let is_option = super::arguments::plain(name) != name;
                sum += self.distance_at(info, &params, (at, 0), (shape, is_option))?;
                continue;
            }
            next += 1;
            let last = info.names.len().saturating_sub(1);
            let is_rest = info.names.get(last).is_some_and(|it| it.kind == ParameterKind::Rest);
            let at = if is_rest { (next - 1).min(last) } else { next - 1 };
            let left = args.len() - last.min(args.len());
            sum += self.distance_at(info, &params, (at, left), (given.shape, false))?;
        }
        Some(sum)
    }

    /// The same for the parameter of this number and an argument of this shape, of so many that are left for the last
    /// one.
    fn distance_at(
        &mut self,
        info: &MemberInfo,
        params: &[TypeId],
        (at, left): (usize, usize),
        (shape, is_option): (Option<Shape>, bool),
    ) -> Option<u32> {
        let &param = params.get(at)?;
        let inside = |this: &mut Self| {
            let (_, inside) = this.head_con(param)?;
            inside.first().copied()
        };
        match info.names.get(at).map(|it| it.kind) {
            Some(ParameterKind::Optional) if !is_option => match inside(self) {
                Some(param) => self.distance_of(param, shape),
                None => Some(0),
            },
            Some(ParameterKind::Rest) => {
                let Some(element) = inside(self) else { return Some(0) };
                let whole = if left == 1 { self.distance_of(param, shape) } else { None };
                whole.or_else(|| self.distance_of(element, shape))
            }
            _ => self.distance_of(param, shape),
        }
    }

    fn distance_of(&mut self, param: TypeId, shape: Option<Shape>) -> Option<u32> {
        let byref = self.prelude_type("byref");
        let wanted = self.head_con(param);
        // Only `&x` is a reference.
        if let Some((wanted, _)) = wanted
            && Some(wanted) == byref
        {
            return (shape.map(|it| it.head) == byref).then_some(0);
        }
        let Some(given) = shape else { return Some(0) };
        // The shape of a function is that of `unit`.
        let function = self.head_con(self.builtins.unit).map(|it| it.0);
        if matches!(self.types.get(param), Type::Arrow(..)) {
            return (function == Some(given.head)).then_some(0);
        }
        let Some((wanted, inside)) = wanted else { return Some(GENERIC) };
        if wanted == given.head {
            let element = inside.first().and_then(|&it| self.head_con(it));
            let differs =
                matches!((element, given.element), (Some((wanted, _)), Some(it)) if wanted != it);
            return (!differs).then_some(0);
        }
        if Some(wanted) == self.prelude_type("seq") {
            return self.may_be_sequence(given.head).then_some(SEQUENCE);
        }
        if self.is_object_type(wanted) {
            return Some(OBJECT);
        }
        if self.clef.delegates.contains(wanted) && Some(given.head) == function {
            return Some(SEEN);
        }
        self.way(given.head, wanted).map(|it| SEEN + it.len() as u32)
    }

    /// Could a value of this type be converted to a sequence?
    fn may_be_sequence(&mut self, con: TyConId) -> bool {
        let builtins = &self.builtins;
        let numbers = [builtins.int32, builtins.int64, builtins.float, builtins.float32];
        let others = [builtins.char, builtins.bool, builtins.unit];
        let has_none = numbers
            .into_iter()
            .chain(others)
            .any(|it| self.head_con(it).is_some_and(|it| it.0 == con));
        !has_none && (!self.is_class(con) || self.has_elements(con))
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
