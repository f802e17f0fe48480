//! Exceptions of packed modules: two fields of the record for each.
//!
//! ```text
//! module type S = sig exception E of int  type t = ..  type t += A end
//!
//! { "E" = fun n -> E n;  "E?" = function E n -> Some n | _ -> None;  "A" = …;  "A?" = … }
//! raise (P.E 1)               raise (p."E" 1)
//! try … with P.E n -> e       a pattern that calls p."E?", as `lazy` patterns call `Lazy.force`
//! ```
//!
//! Which exception it is, is known to the module that was packed: two packed modules may have different ones.

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, Reported};
use oxbow_psg::ExnId;

use crate::tast;
use crate::types::{Label, Type, TypeId};

use super::Infer;
use super::env::{Ctor, Module, Structure};

impl Infer<'_> {
    /// What a constructor holds, as one value.
    pub(super) fn payload(&mut self, args: &[TypeId]) -> TypeId {
        match args {
            [] => self.builtins.unit,
            [only] => *only,
            _ => self.types.add(Type::Tuple(args.to_vec())),
        }
    }

    /// `E args`, of this type.
    pub(super) fn made_exn(
        &mut self,
        exn: ExnId,
        args: Vec<tast::Expr>,
        ty: TypeId,
        span: Span,
    ) -> tast::ExprKind {
        let exn = self.types.exn_behind(exn);
        let Some(packed) = self.types.exns[exn].packed else {
            return tast::ExprKind::MakeExn { exn, args };
        };
        let types: Vec<TypeId> = args.iter().map(|it| it.ty).collect();
        let payload = self.payload(&types);
        let argument = together(args, payload, span);
        let kind = self.packed_value(packed, span);
        let func = tast::Expr { kind, ty: self.arrow(Label::None, payload, ty), span };
        tast::ExprKind::Apply { func: Box::new(func), args: vec![argument] }
    }

    /// The pattern `E args`, of this type.
    pub(super) fn matched_exn(
        &mut self,
        exn: ExnId,
        args: Vec<tast::Pattern>,
        ty: TypeId,
        span: Span,
    ) -> tast::PatternKind {
        let exn = self.types.exn_behind(exn);
        let Some((var, tycon, index)) = self.types.exns[exn].packed else {
            return tast::PatternKind::Exn { exn, args };
        };
        let types: Vec<TypeId> = args.iter().map(|it| it.ty).collect();
        let payload = self.payload(&types);
        let held = patterns_together(args, payload, span);
        let option = self.builtins.option;
        let view = self.types.add(Type::Con(option, vec![payload]));
        let kind = tast::PatternKind::Construct { tycon: option, ctor: 1, args: vec![held] };
        let pattern = Box::new(tast::Pattern { kind, ty: view, span });
        let kind = self.packed_value((var, tycon, index + 1), span);
        let force = tast::Expr { kind, ty: self.arrow(Label::None, ty, view), span };
        tast::PatternKind::Lazy { force: Box::new(force), pattern }
    }

    /// Is it the exception of a module that was unpacked?
    pub(super) fn is_packed(&self, exn: ExnId) -> bool {
        self.types.exns[self.types.exn_behind(exn)].packed.is_some()
    }

    /// `P.E r`: the record lies in the exception of the module that was packed, which is not known here.
    pub(super) fn packed_record(&mut self, exn: ExnId, span: Span) -> Reported {
        let name = self.types.exns[exn].name;
        let what = format!("the record of `{name}` of a packed module as a whole");
        self.diagnostics.error(
            Diagnostic::not_supported(span, &what)
                .help(format!("take it apart, or write it out: `{name} {{ … }}`")),
        )
    }

    /// The two functions of an exception.
    pub(super) fn exn_functions(&mut self, exn: ExnId, span: Span) -> [tast::Expr; 2] {
        self.local_depth += 1;
        let instance = self.instantiate_ctor(Ctor::Exn(exn));
        let (payload, result) = (self.payload(&instance.args), instance.result);
        let option = self.builtins.option;
        let view = self.types.add(Type::Con(option, vec![payload]));

        let (patterns, values) = self.held_by_exn(&instance.args, span);
        let kind = self.made_exn(exn, values, result, span);
        let made = tast::Expr { kind, ty: result, span };
        let pattern = patterns_together(patterns, payload, span);
        let make = self.function_of(vec![(pattern, made)], (payload, result), span);

        let (patterns, values) = self.held_by_exn(&instance.args, span);
        let kind = self.matched_exn(exn, patterns, result, span);
        let some = tast::ExprKind::Construct {
            tycon: option,
            ctor: 1,
            args: vec![together(values, payload, span)],
        };
        let none = tast::ExprKind::Construct { tycon: option, ctor: 0, args: Vec::new() };
        let [some, none] = [some, none].map(|kind| tast::Expr { kind, ty: view, span });
        let cases = [(kind, some), (tast::PatternKind::Any, none)]
            .map(|(kind, body)| (tast::Pattern { kind, ty: result, span }, body));
        let look = self.function_of(cases.into(), (result, view), span);
        self.local_depth -= 1;
        [make, look]
    }

    /// Variables for what an exception holds, as patterns and as values.
    fn held_by_exn(
        &mut self,
        types: &[TypeId],
        span: Span,
    ) -> (Vec<tast::Pattern>, Vec<tast::Expr>) {
        let held = types.iter().map(|&ty| {
            let var = self.new_var(Symbol::new("held"), ty, span);
            let kind = tast::ExprKind::Var { var, tyargs: Vec::new() };
            let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty, span };
            (pattern, tast::Expr { kind, ty, span })
        });
        held.unzip()
    }

    pub(super) fn function_of(
        &mut self,
        cases: Vec<(tast::Pattern, tast::Expr)>,
        (param_ty, result): (TypeId, TypeId),
        span: Span,
    ) -> tast::Expr {
        let cases = cases.into_iter();
        let cases =
            cases.map(|(pattern, body)| tast::Case { pattern, guard: None, body }).collect();
        let inline = tast::InlineAttribute::None;
        let kind =
            tast::ExprKind::Function { keyword: span, failure: span, cases, param_ty, inline };
        tast::Expr { kind, ty: self.arrow(Label::None, param_ty, result), span }
    }
}

fn together(mut values: Vec<tast::Expr>, ty: TypeId, span: Span) -> tast::Expr {
    let kind = match values.len() {
        0 => tast::ExprKind::Unit,
        1 => return values.remove(0),
        _ => tast::ExprKind::Tuple(values),
    };
    tast::Expr { kind, ty, span }
}

fn patterns_together(mut patterns: Vec<tast::Pattern>, ty: TypeId, span: Span) -> tast::Pattern {
    let kind = match patterns.len() {
        0 => tast::PatternKind::Any,
        1 => return patterns.remove(0),
        _ => tast::PatternKind::Tuple(patterns),
    };
    tast::Pattern { kind, ty, span }
}

/// The exception of this path in a structure.
pub fn exn_at(structure: &Structure, path: &[Symbol]) -> Option<ExnId> {
    match path {
        [name] => match structure.ctors.get(name)? {
            Ctor::Exn(exn) => Some(*exn),
            Ctor::Variant(..) => None,
        },
        [module, rest @ ..] => match structure.modules.get(module)? {
            Module::Structure(inner) => exn_at(inner, rest),
            Module::Functor(_) | Module::Later(_) | Module::Error => None,
        },
        [] => None,
    }
}
