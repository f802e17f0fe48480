//! What else the values of a type can be seen as: the class that it inherits from, the interfaces that it implements.

use oxbow_base::{Mark, SparseSet, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ClassMembers, Members, Name};
use crate::types::TyConId;

use super::super::Infer;
use super::super::env::Env;

/// Another type that the values of a type can be seen as.
#[derive(Clone, Debug)]
pub struct ViewInfo {
    pub(super) target: TyConId,
    pub(super) member: Symbol,
    pub(super) back: Option<Symbol>,
    pub(super) base: bool,
}

/// The methods that heirs of a class may define.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    known: Vec<Symbol>,
    undefined: Vec<Name>,
}

/// What all objects have.
const OF_OBJECTS: [&str; 3] = ["ToString", "Equals", "GetHashCode"];

impl Infer<'_> {
    /// Notes what else the values of a type can be seen as.
    pub(super) fn note_views(&mut self, env: &Env, con: TyConId, group: &Members) {
        for view in &group.views {
            let ast::TypeExprKind::Constr(path, _) = &view.ty.kind else { continue };
            let Ok(target) = self.lookup_type(env, path) else { continue };
            let target = self.types.declaration(target);
            if self.leads_to(target, con) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0163",
                        format!("`{}` inherits from itself", group.path.name.text),
                    )
                    .at(view.ty.span, "this leads back to it"),
                );
                continue;
            }
            let (member, back) = (view.member.text, view.back.map(|it| it.text));
            let views = self.clef.views.entry_or_insert_with(con, Vec::new);
            views.push(ViewInfo { target, member, back, base: view.base });
            self.clef.view_targets.insert(target);
        }
    }

    /// A class of which there are objects defines what those that it inherits from leave open.
    pub(super) fn note_slots(&mut self, con: TyConId, group: &Members) {
        let base = self.base_of(con);
        let inherited = base.and_then(|it| self.clef.slots.get(it)).cloned();
        let Slots { mut known, mut undefined } = inherited.unwrap_or_default();
        let ClassMembers { slots, overrides, is_abstract, interfaces: _ } = &group.class;
        known.extend(slots.iter().map(|it| it.text));
        undefined.extend(slots.iter().copied());
        undefined.retain(|it| !overrides.iter().any(|own| own.text == it.text));
        // A member that overrides nothing is reported, and may be meant to be what is missing.
        let is_known =
            |it: &Name| known.contains(&it.text) || OF_OBJECTS.contains(&it.text.as_str());
        if let Some(first) = undefined.first()
            && !is_abstract
            && overrides.iter().all(is_known)
        {
            let (owner, span) = (group.path.name.text, group.path.name.span);
            let names: Vec<String> = undefined.iter().map(|it| format!("`{}`", it.text)).collect();
            let what = format!("{} of `{owner}` is not defined", names.join(", "));
            let mut report = Diagnostic::error("E0162", what)
                .at(span, "all abstract members are needed")
                .help("define it by `override`, or write `[<AbstractClass>]` before the type");
            if first.span.file == span.file {
                report = report.label(first.span, "declared here");
            }
            self.diagnostics.error(report);
            undefined.clear();
        }
        self.clef.slots.insert(con, Slots { known, undefined });
    }

    /// `{ new C() with … }` defines what `C` leaves open. The call of the constructor has the names of what it defines
    /// on marks.
    pub(super) fn check_object_expression(&mut self, env: &Env, func: &ast::Expr, name: Name) {
        let marks = func.attributes.iter().filter(|it| it.is(Mark::Defines));
        let defined: Vec<Symbol> = marks.clone().filter_map(|it| it.payload).collect();
        if marks.count() == 0 {
            return;
        }
        let Some(con) = self.constructed(env, func).map(|it| self.types.declaration(it)) else {
            return;
        };
        let Some(slots) = self.clef.slots.get(con) else { return };
        let open = slots.undefined.iter().filter(|it| !defined.contains(&it.text));
        let names: Vec<String> = open.map(|it| format!("`{}`", it.text)).collect();
        if names.is_empty() {
            return;
        }
        let what = format!("{} of `{}` is not defined here", names.join(", "), name.text);
        let report = Diagnostic::error("E0162", what);
        self.diagnostics.error(report.at(name.span, "all abstract members are needed"));
    }

    /// Is a type the other one, or inherits from it?
    fn leads_to(&self, from: TyConId, to: TyConId) -> bool {
        let (mut todo, mut seen) = (vec![from], SparseSet::new());
        while let Some(con) = todo.pop() {
            if con == to {
                return true;
            }
            if seen.insert(con) {
                let views = self.clef.views.get(con).map_or([].as_slice(), Vec::as_slice);
                todo.extend(views.iter().map(|it| it.target));
            }
        }
        false
    }

    /// The class that a class inherits from.
    pub(super) fn base_of(&self, con: TyConId) -> Option<TyConId> {
        self.clef.views.get(con)?.iter().find(|it| it.base).map(|it| it.target)
    }
}
