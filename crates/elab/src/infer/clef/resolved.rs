//! Statically resolved members: `(^a : (member Name : string) x)`.
//!
//! Such a call waits for the type as an operator does (`overload`). Its function is the member of that name, or the
//! field of a record. Functions that have such calls are inline, so that each use has a type of its own.

use oxbow_base::Span;

use crate::ast::{self, ArgLabel, Expr, ExprKind, ResolvedMember};
use crate::tast;
use crate::types::{Label, Type, TypeId};

use super::super::env::Env;
use super::super::typexpr::Vars;
use super::super::{Expect, Infer};
use super::operation::Operation;
use super::{Overload, construct, node};

impl Infer<'_> {
    pub(super) fn resolved_member(
        &mut self,
        env: &Env,
        member: &ResolvedMember,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let class = self.type_expr(env, &member.on, Vars::Shared);
        let declared = self.type_expr(env, &member.ty, Vars::Shared);
        let (ty, args) = self.resolved_call(member, class, declared);
        let shown = member.name.text;
        let func = self.mention((Operation::Member, shown), class, ty, span);
        let args: Vec<_> = args.into_iter().map(|it| (ArgLabel::None, it)).collect();
        self.apply_typed(env, func, Some(shown), &args, span, expect)
    }

    /// The type of the function behind a member, and its arguments.
    fn resolved_call(
        &mut self,
        member: &ResolvedMember,
        class: TypeId,
        declared: TypeId,
    ) -> (TypeId, Vec<Expr>) {
        let method = match *self.types.get(declared) {
            Type::Arrow(_, param, result) => Some((param, result)),
            _ => None,
        };
        let mut items = match &member.args.kind {
            ExprKind::Tuple(items) => items.clone(),
            ExprKind::Construct(path, None) if path.name.text.as_str() == "()" => Vec::new(),
            _ => vec![member.args.clone()],
        };
        let mut args = Vec::new();
        if !member.is_static && !items.is_empty() {
            args.push(items.remove(0));
        }
        let is_operator = !member.name.text.as_str().starts_with(|it: char| it.is_alphabetic());
        let mut ty = match method {
            // Operators take one operand after the other.
            Some((param, result)) if is_operator => {
                let params = match self.types.get(param) {
                    Type::Tuple(params) => params.clone(),
                    _ => vec![param],
                };
                args.append(&mut items);
                params.iter().rfold(result, |rest, &it| self.arrow(Label::None, it, rest))
            }
            Some(_) => {
                args.push(together(items, member.args.span));
                declared
            }
            None if member.is_static => {
                args.push(construct("()", None, member.args.span));
                let unit = self.builtins.unit;
                self.arrow(Label::None, unit, declared)
            }
            None => declared,
        };
        if !member.is_static {
            ty = self.arrow(Label::None, class, ty);
        }
        (ty, args)
    }

    /// `fun it -> it.Name`, if the type is a record that has such a field.
    pub(super) fn resolved_field(&mut self, index: usize, class: TypeId) -> Option<tast::Expr> {
        let Overload { shown, ty, span, .. } = self.clef.overloads[index];
        let (con, _) = self.head_con(class)?;
        self.fields_of(con).iter().find(|it| it.name == shown)?;
        let it = super::name("it", span);
        let path = ast::Path::plain(ast::Name { text: shown, span });
        let field = node(ExprKind::Field(Box::new(super::ident(it)), path), span);
        let function = super::flow::lambda(it, field, span);
        let env = self.clef_scope();
        self.local_depth += 1;
        let typed = self.expr(&env, &function, Expect::plain(ty));
        self.local_depth -= 1;
        Some(typed)
    }
}

/// The arguments of a method as its one parameter.
fn together(mut items: Vec<Expr>, span: Span) -> Expr {
    match items.len() {
        0 => construct("()", None, span),
        1 => items.remove(0),
        _ => node(ExprKind::Tuple(items), span),
    }
}
