//! Functions that use themselves at other types. F# allows it where parameters and result are
//! annotated in full:
//!
//! ```text
//! let rec depth (x: Nest<'a>) (show: 'a -> string) : string = … depth inner (fun (a, b) -> …)
//! ```
//!
//! Annotations are taken as schemes first. `'a` may turn out to be a known type, which F# allows: then
//! the group is inferred again with one type for each function.

use oxbow_base::Symbol;

use crate::ast::{self, ArgLabel, ExprKind, Name, PatternKind, PolyType, TypeExpr, TypeExprKind};
use crate::tast;

use super::super::Infer;
use super::super::env::{Env, Value};

/// How deep groups in groups are inferred twice.
const MOST_TRIED: u32 = 3;

impl Infer<'_> {
    pub(in super::super) fn recursive_group(
        &mut self,
        env: &Env,
        bindings: &[ast::Binding],
    ) -> (Vec<tast::RecBinding>, Vec<(Symbol, Value)>) {
        // The parameters of a class are no variables of its members.
        let own = |it: PolyType| {
            let is_class = |it: &Name| self.clef.class_tyvars.contains_key(&it.text);
            (!it.vars.iter().any(is_class)).then_some(it)
        };
        let schemes: Vec<Option<PolyType>> =
            bindings.iter().map(|it| scheme(it).and_then(own)).collect();
        if !self.is_clef()
            || self.clef.schemes_tried > MOST_TRIED
            || schemes.iter().all(Option::is_none)
        {
            return self.recursive_bindings(env, bindings);
        }
        let trial = self.begin_trial();
        let explicit: Vec<ast::Binding> = bindings
            .iter()
            .zip(schemes)
            .map(|(it, scheme)| {
                let annotation = scheme.or_else(|| it.annotation.clone());
                ast::Binding { annotation, ..it.clone() }
            })
            .collect();
        self.clef.schemes_tried += 1;
        let generic = self.recursive_bindings(env, &explicit);
        self.clef.schemes_tried -= 1;
        if self.holds(&trial) && !self.trial_waits(&trial) {
            self.keep_trial(trial);
            return generic;
        }
        self.forget_trial(trial);
        self.recursive_bindings(env, bindings)
    }
}

/// The type of a function whose parameters and result are annotated in full, with its variables.
fn scheme(binding: &ast::Binding) -> Option<PolyType> {
    let ExprKind::Fun(params, Some(result), _) = &binding.value.kind else { return None };
    if binding.annotation.is_some() {
        return None;
    }
    let mut ty = result.clone();
    for param in params.iter().rev() {
        let (from, span) = (type_of(&param.pattern)?, param.span);
        let kind = TypeExprKind::Arrow(ArgLabel::None, Box::new(from), Box::new(ty));
        ty = TypeExpr { kind, span };
    }
    let mut vars = Vec::new();
    variables(&ty, &mut vars)?;
    (!vars.is_empty()).then_some(PolyType { vars, locally_abstract: false, ty })
}

pub(super) fn type_of(pattern: &ast::Pattern) -> Option<TypeExpr> {
    let span = pattern.span;
    match &pattern.kind {
        PatternKind::Annotate(_, ty) => Some(ty.clone()),
        PatternKind::Tuple(items) => {
            let items: Option<Vec<_>> = items.iter().map(type_of).collect();
            Some(TypeExpr { kind: TypeExprKind::Tuple(items?), span })
        }
        PatternKind::Construct(path, None) if path.name.text.as_str() == "()" => {
            let path = ast::Path::plain(super::name("unit", span));
            Some(TypeExpr { kind: TypeExprKind::Constr(path, Vec::new()), span })
        }
        _ => None,
    }
}

/// `None` if a part is left open.
fn variables(ty: &TypeExpr, into: &mut Vec<Name>) -> Option<()> {
    match &ty.kind {
        TypeExprKind::Var(name) => {
            if !into.iter().any(|it| it.text == name.text) {
                into.push(*name);
            }
            Some(())
        }
        TypeExprKind::Arrow(_, param, result) => {
            variables(param, into)?;
            variables(result, into)
        }
        TypeExprKind::Tuple(items) | TypeExprKind::Constr(_, items) => {
            items.iter().try_for_each(|it| variables(it, into))
        }
        _ => None,
    }
}
