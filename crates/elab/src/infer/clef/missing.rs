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
        let mut known = self.members_to_show(con);
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

    /// The members of a type that programs can name.
    fn members_to_show(&self, con: TyConId) -> Vec<Symbol> {
        let members = self.clef.members.keys().filter(|it| it.0 == con && !it.1.is_hidden());
        members.map(|it| it.1).collect()
    }

    pub(super) fn no_member(&mut self, ty: TypeId, name: Name) -> tast::Expr {
        if self.broken.contains(&name.text) {
            return self.failed(name.span);
        }
        if let Some((construct, instead)) = member_of_dotnet(name.text.as_str()) {
            let report = Diagnostic::not_supported(name.span, &construct).help(instead);
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, name.span);
        }
        let shown = self.show(ty);
        let con = self.head_con(ty).map(|it| it.0);
        let mut known = Vec::new();
        if let Some(con) = con {
            known = self.members_to_show(con);
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

/// What .NET's collections and objects have that is left out on purpose, and what to use instead.
fn member_of_dotnet(name: &str) -> Option<(String, &'static str)> {
    let instead = match name {
        "GetType" | "MemberwiseClone" => {
            let construct = format!("reflection (`{name}`)");
            return Some((construct, "types are known when the program is compiled"));
        }
        "Select" => "use `Seq.map`, `List.map` or `Array.map`",
        "Where" => "use `Seq.filter`, `List.filter` or `Array.filter`",
        "SelectMany" => "use `Seq.collect`",
        "OrderBy" | "ThenBy" => "use `Seq.sortBy`",
        "OrderByDescending" | "ThenByDescending" => "use `Seq.sortByDescending`",
        "GroupBy" => "use `Seq.groupBy`",
        "FirstOrDefault" | "First" => "use `Seq.tryHead` or `Seq.tryFind`",
        "LastOrDefault" => "use `Seq.tryLast`",
        "Aggregate" => "use `Seq.fold`",
        "ToDictionary" => "use `dict` or `Map.ofSeq`",
        "Any" => "use `Seq.exists`",
        "All" => "use `Seq.forall`",
        "Distinct" => "use `Seq.distinct`",
        "Skip" => "use `Seq.skip`",
        "Take" => "use `Seq.truncate`",
        "Zip" => "use `Seq.zip`",
        _ => return None,
    };
    Some((format!("LINQ (`{name}`)"), instead))
}
