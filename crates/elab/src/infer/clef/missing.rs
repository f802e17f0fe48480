//! Reports of members that a type does not have, with the nearest that it has.

use oxbow_base::Symbol;
use oxbow_diag::Diagnostic;

use crate::ast::Name;
use crate::tast;
use crate::types::{TyConId, TyConKind, TypeId};

use super::super::{Infer, suggest};

impl Infer<'_> {
    /// `Type.name` where the type has neither a case nor a static member of this name.
    pub(super) fn no_case(&mut self, tycon: TyConId, name: Name) -> tast::Expr {
        if self.broken.contains(&name.text) {
            return self.failed(name.span);
        }
        let con = self.types.declaration(tycon);
        let mut known: Vec<Symbol> =
            self.clef.members.keys().filter(|it| it.0 == con).map(|it| it.1).collect();
        known.sort_by_key(|it| it.as_str());
        if let TyConKind::Variant(ctors) = &self.types.tycons[con].kind {
            known.extend(ctors.iter().map(|it| it.name));
        }
        let shown = self.types.tycons[tycon].name;
        let what = format!("type `{shown}` has no case or static member `{}`", name.text);
        let mut report = Diagnostic::error("E0144", what).at(name.span, "unknown");
        if let Some(near) = suggest::nearest(name.text, known.into_iter()) {
            report = report.help(format!("did you mean `{near}`?"));
        }
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, name.span)
    }

    pub(super) fn no_member(&mut self, ty: TypeId, name: Name) -> tast::Expr {
        if self.broken.contains(&name.text) {
            return self.failed(name.span);
        }
        let shown = self.show(ty);
        let con = self.head_con(ty).map(|it| it.0);
        let mut known: Vec<Symbol> =
            self.clef.members.keys().filter(|it| Some(it.0) == con).map(|it| it.1).collect();
        if let Some(con) = con {
            known.extend(self.fields_of(con).iter().map(|it| it.name));
        }
        known.sort_by_key(|it| it.as_str());
        let mut report =
            Diagnostic::error("E0144", format!("type `{shown}` has no member `{}`", name.text))
                .at(name.span, "unknown member");
        if let Some(near) = suggest::nearest(name.text, known.into_iter()) {
            report = report.help(format!("did you mean `{near}`?"));
        }
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, name.span)
    }
}
