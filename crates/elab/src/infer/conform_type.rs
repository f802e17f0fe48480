//! Does the type of a structure agree with what a signature says of it?

use oxbow_base::{Span, SparseMap, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::ParamVariance;
use crate::types::{CtorInfo, FieldInfo, TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::conform::Realised;
use super::signature::Seal;

impl Infer<'_> {
    /// The type constructor that stands for a declared type in the result.
    pub(super) fn match_type(
        &mut self,
        name: Symbol,
        declared: TyConId,
        actual: TyConId,
        seal: Seal,
        realised: &[Realised],
        span: Span,
    ) -> TyConId {
        if declared == actual
            || self.types.tycons[declared].params.len() != self.types.tycons[actual].params.len()
        {
            return actual;
        }
        self.check_injective(declared, actual, span);
        let visible = if seal == Seal::Opaque { declared } else { actual };
        let Some(it) = realised.iter().find(|it| it.tycon == declared) else {
            let params = self.types.tycons[declared].params.clone();
            let a = self.types.add(Type::Con(declared, params.clone()));
            let b = self.types.add(Type::Con(actual, params));
            if self.unify(a, b).is_err() {
                let (wanted, found) = (self.types.expand(a), self.types.expand(b));
                let (wanted, found) = (self.show_parts(wanted), self.show_parts(found));
                let text = format!("type `{name}` is `{found}`, but the signature says `{wanted}`");
                let report = Diagnostic::error("E0209", text);
                // Where the signature is written, its own line says more than the whole of it.
                let is_written = self.span_of_tycon(declared).is_some_and(|it| {
                    it.file == span.file && span.start <= it.start && it.end <= span.end
                });
                let report = match is_written {
                    true => self.at_definition(report, (declared, actual), "", span),
                    false => report.at(span, ""),
                };
                self.diagnostics.error(report);
                // What depends on it is not looked at.
                self.types.tycons[declared].kind = TyConKind::Alias(self.builtins.error);
            } else if self.reexports.contains(declared)
                && let Some(why) = self.hides_members(declared, actual)
            {
                self.report_members(name, (declared, actual), why, span);
            }
            return declared;
        };
        self.note_same_type((declared, &it.declared), actual);
        let said = self.types.tycons[declared].variances.clone();
        if said.iter().any(|it| *it != ParamVariance::Unsaid) {
            let found = self.param_variances(actual, &mut SparseMap::new());
            if said.iter().zip(found).any(|(said, found)| !found.allows(*said)) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0186",
                        format!("the parameters of `{name}` do not vary as the signature says"),
                    )
                    .at(span, ""),
                );
            }
        }
        match &it.declared {
            TyConKind::Abstract { .. } if !self.types.tycons[declared].private => (),
            TyConKind::Abstract { implementation: None } => (),
            // `type t = private u`
            &TyConKind::Abstract { implementation: Some(manifest) } => {
                let mut found = self.types.expand(it.body);
                if let Type::Con(con, args) = self.types.nodes[found].clone()
                    && self.types.tycons[con].private
                    && let TyConKind::Abstract { implementation: Some(inner) } =
                        self.types.tycons[con].kind
                {
                    let params = self.types.tycons[con].params.clone();
                    found = self.types.substitute(inner, &params, &args);
                }
                if self.unify(manifest, found).is_err() {
                    let (wanted, found) = (self.show(manifest), self.show(found));
                    let text = format!(
                        "type `{name}` is `{found}`, but the signature says `private {wanted}`"
                    );
                    self.diagnostics.error(Diagnostic::error("E0209", text).at(span, ""));
                }
            }
            // `type t = private [> …]`: any row that has what is said.
            &TyConKind::Alias(row) => {
                let (row, found) = (self.types.repr(row), self.types.expand(it.body));
                self.enter_level();
                let copy = self.types.fresh_copies(&[row], self.level)[0];
                self.leave_level();
                if found != row && self.unify(copy, found).is_err() {
                    let (wanted, found) = (self.show_parts(row), self.show_parts(found));
                    let text = format!(
                        "type `{name}` is `{found}`, but the signature says `private {wanted}`"
                    );
                    self.diagnostics.error(Diagnostic::error("E0209", text).at(span, ""));
                }
            }
            kind => {
                let kind = kind.clone();
                let expanded = self.types.expand(it.body);
                let why = match self.types.nodes[expanded].clone() {
                    Type::Con(con, args) if self.same_representation(&kind, con, &args) => {
                        let tycons = &self.types.tycons;
                        match (tycons[declared].unboxed, tycons[con].unboxed) {
                            (false, true) => Some("it is `[@@unboxed]`".into()),
                            (true, false) => Some("it is not `[@@unboxed]`".into()),
                            _ => self.hides_members(declared, actual).map(String::from),
                        }
                    }
                    Type::Con(con, _) => {
                        Some(self.type_difference(&kind, &self.types.tycons[con].kind))
                    }
                    Type::Error => None,
                    _ => Some(self.type_difference(&kind, &TyConKind::Pending)),
                };
                if let Some(why) = why {
                    self.report_members(name, (declared, actual), &why, span);
                }
            }
        }
        visible
    }

    /// Why a type that is the same does not show what a signature shows of it.
    fn hides_members(&self, declared: TyConId, actual: TyConId) -> Option<&'static str> {
        if !self.shows_members(actual) {
            return Some(
                "an abbreviation, whose constructors or fields are not part of the module",
            );
        }
        let is_hidden = self.is_private(actual) && !self.types.tycons[declared].private;
        is_hidden.then_some("it is private")
    }

    fn report_members(
        &mut self,
        name: Symbol,
        (declared, actual): (TyConId, TyConId),
        why: &str,
        span: Span,
    ) {
        let diagnostic = Diagnostic::error(
            "E0209",
            format!("type `{name}` is not the one that the signature declares"),
        );
        let diagnostic = self.at_definition(diagnostic, (declared, actual), why, span);
        self.diagnostics.error(diagnostic);
    }

    /// Points at the definition of a type and at its declaration, if they are in one file.
    fn at_definition(
        &self,
        diagnostic: Diagnostic,
        (declared, actual): (TyConId, TyConId),
        label: &str,
        span: Span,
    ) -> Diagnostic {
        match (self.span_of_tycon(actual), self.span_of_tycon(declared)) {
            (Some(defined), Some(wanted)) if defined.file == wanted.file => {
                diagnostic.at(defined, label).label(wanted, "declared here")
            }
            _ => diagnostic.at(span, label),
        }
    }

    /// Does the type `actual`, applied to `args`, have exactly this representation?
    pub(super) fn same_representation(
        &mut self,
        kind: &TyConKind,
        actual: TyConId,
        args: &[TypeId],
    ) -> bool {
        let own = self.types.tycons[actual].params.clone();
        let pairs: Vec<(TypeId, TypeId)> = match (kind, &self.types.tycons[actual].kind) {
            (TyConKind::Open, TyConKind::Open) => return true,
            (TyConKind::Record(a), TyConKind::Record(b)) => {
                let differ = |(a, b): (&FieldInfo, &FieldInfo)| {
                    a.name != b.name || a.mutable != b.mutable || a.vars.len() != b.vars.len()
                };
                if a.len() != b.len() || a.iter().zip(b).any(differ) {
                    return false;
                }
                let pairs = a.iter().cloned().zip(b.iter().cloned()).collect::<Vec<_>>();
                // A polymorphic field's own variables are called as in the other type.
                let renamed = |(a, b): (FieldInfo, FieldInfo)| {
                    (a.ty, self.types.substitute(b.ty, &b.vars, &a.vars))
                };
                pairs.into_iter().map(renamed).collect()
            }
            (TyConKind::Variant(a), TyConKind::Variant(b)) => {
                if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| !self.same_constructor(a, b))
                {
                    return false;
                }
                let (with_own, plain): (Vec<_>, Vec<_>) =
                    a.iter().zip(b).partition(|it| it.0.own.is_some());
                let with_own: Vec<(CtorInfo, CtorInfo)> =
                    with_own.into_iter().map(|(a, b)| (a.clone(), b.clone())).collect();
                let plain = plain
                    .into_iter()
                    .flat_map(|(a, b)| a.args.iter().copied().zip(b.args.iter().copied()))
                    .collect();
                let same = with_own.iter().all(|(a, b)| match (&a.own, &b.own) {
                    (Some(wanted), Some(found)) => {
                        self.same_own_result((&a.args, wanted), (&b.args, found))
                    }
                    _ => false,
                });
                if !same {
                    return false;
                }
                plain
            }
            _ => return false,
        };
        pairs.into_iter().all(|(a, b)| {
            let b = self.types.substitute(b, &own, args);
            self.unify(a, b).is_ok()
        })
    }

    /// Up to the types of the arguments.
    fn same_constructor(&self, a: &CtorInfo, b: &CtorInfo) -> bool {
        let same_fields = match (a.inline_record, b.inline_record) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let names = |it: &FieldInfo| (it.name, it.mutable);
                self.fields_of(a).iter().map(names).eq(self.fields_of(b).iter().map(names))
            }
            _ => false,
        };
        let same_form = a.own.is_some() == b.own.is_some();
        a.name == b.name && a.args.len() == b.args.len() && same_fields && same_form
    }
}
