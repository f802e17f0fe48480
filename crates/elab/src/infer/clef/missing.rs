//! Reports of members that a type does not have, with the nearest that it has.

use oxbow_base::{Made, Symbol};
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
            report = report.edit(name.span, near.as_str());
        }
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, name.span)
    }

    /// The members of a type that programs can name.
    fn members_to_show(&self, con: TyConId) -> Vec<Symbol> {
        // A property that can be set is one name.
        let is_setter = |it: Symbol| matches!(it.origin(), Some(Made::Setter(_)));
        let members = self.clef.members.keys().filter(|it| it.0 == con).map(|it| it.1);
        members.filter(|it| !it.is_hidden() && !is_setter(*it)).collect()
    }

    /// `x.P <- v` where `P` can only be read.
    pub(super) fn no_setter(&mut self, ty: TypeId, name: Name) -> tast::Expr {
        let (shown, member) = (self.show(ty), name.text);
        let report =
            Diagnostic::error("E0144", format!("`{member}` of type `{shown}` cannot be set"))
                .at(name.span, "has no setter")
                .help(format!(
                    "give it one: `member this.{member} with get () = … and set value = …`"
                ));
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, name.span)
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
            report = report.edit(name.span, near.as_str());
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
