//! Families of classes: what is asked of the class that another one inherits from.
//!
//! ```text
//! inherit A.Shape(n)      a class with a place for what heirs add (the parser has given it one), or a report
//! interface I with …      that no class implements from which this one inherits
//! IComparable             of this class, or of one from which it inherits, whose order is that of its heirs
//! ```
//!
//! A class whose base is refused is given up as a whole: nothing that is named like it or its members is reported.

use oxbow_base::{Made, Mark, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, Member, Members, TypeExprKind};
use crate::types::{TyConId, TypeId};

use super::super::Infer;
use super::super::env::{Env, ValueKind};

impl Infer<'_> {
    /// The class from which all classes of the family inherit, as this one sees it.
    pub(in super::super) fn root_class(&mut self, class: TypeId) -> TypeId {
        let (mut root, mut seen) = (class, Vec::new());
        while let Some((con, _)) = self.head_con(root)
            && !seen.contains(&con)
            && let Some(base) = self.part_type(root, Made::Base)
        {
            seen.push(con);
            root = base;
        }
        root
    }

    /// Notes what types inherit from and implement, before their members are looked at: the types, with those that can
    /// be elaborated.
    pub(super) fn note_families(&mut self, env: &Env, groups: &[(TyConId, &Members)]) -> Vec<bool> {
        for (con, group) in groups {
            self.note_views(env, *con, group);
            if group.members.iter().any(|it| is_marked(it, Mark::Order)) {
                self.clef.ordered.insert(*con);
            }
            if group.members.iter().any(|it| it.name.text == Made::Constructor.symbol()) {
                self.clef.made.insert(*con);
            }
        }
        let is_sound = |this: &mut Self, con, group: &Members| {
            let sound = this.has_sound_base(env, con, group) && this.has_interfaces(env, group);
            if !sound {
                this.give_up(con, group);
            }
            sound
        };
        let mut sound: Vec<_> = groups.iter().map(|it| is_sound(self, it.0, it.1)).collect();
        // Who inherits from one that is given up is given up, wherever it stands in the group.
        while let Some(at) = (0..groups.len()).find(|&it| {
            let base = self.base_of(groups[it].0);
            sound[it] && base.is_some_and(|it| self.clef.given_up.contains(it))
        }) {
            self.give_up(groups[at].0, groups[at].1);
            sound[at] = false;
        }
        for ((con, group), _) in groups.iter().zip(&sound).filter(|it| *it.1) {
            self.note_interfaces(env, *con, group);
        }
        sound
    }

    /// Can the class that is inherited have heirs? If not, what belongs to the heir is not looked at.
    fn has_sound_base(&mut self, env: &Env, con: TyConId, group: &Members) -> bool {
        let Some(view) = group.views.iter().find(|it| it.base) else { return true };
        let TypeExprKind::Constr(path, _) = &view.ty.kind else { return true };
        let mark = self.diagnostics.mark();
        let found = self.lookup_type(env, path);
        // The field that holds the object of the base has its type, and was reported.
        self.diagnostics.rollback(mark);
        if let Ok(base) = found {
            let base = self.types.declaration(base);
            // That it inherits from itself has been said.
            let is_known = self.base_of(con) == Some(base);
            match self.fault_of_base(base) {
                _ if self.clef.given_up.contains(base) => (),
                None if is_known => return true,
                Some(report) if is_known => {
                    self.diagnostics.error(report(path.name.text.as_str()).at(view.ty.span, ""));
                }
                _ => (),
            }
        }
        false
    }

    /// Is everything that the type claims to implement an interface?
    fn has_interfaces(&mut self, env: &Env, group: &Members) -> bool {
        group.views.iter().filter(|it| !it.base).all(|view| {
            let TypeExprKind::Constr(path, _) = &view.ty.kind else { return true };
            let Ok(found) = self.lookup_type(env, path) else { return false };
            let found = self.types.declaration(found);
            if self.is_class(found) && !self.clef.made.contains(found) {
                return true;
            }
            let name = path.name.text;
            self.diagnostics.error(
                Diagnostic::error("E0163", format!("`{name}` is no interface"))
                    .at(view.ty.span, "an interface is needed here"),
            );
            false
        })
    }

    /// Nothing more is said of this type.
    fn give_up(&mut self, con: TyConId, group: &Members) {
        self.clef.views.remove(con);
        self.clef.given_up.insert(con);
        let names = group.members.iter().map(|it| it.name.text);
        self.broken.insert(group.path.name.text);
        self.broken.extend(names.filter(|it| !it.is_hidden()));
    }

    /// Why a type can have no heirs.
    fn fault_of_base(&mut self, base: TyConId) -> Option<fn(&str) -> Diagnostic> {
        if self.head_con(self.builtins.exn).is_some_and(|it| it.0 == base) {
            return None;
        }
        if !self.is_class(base) {
            return Some(|name| {
                Diagnostic::error("E0163", format!("`{name}` is no class"))
                    .note("classes inherit from classes")
            });
        }
        if !self.clef.made.contains(base) {
            return Some(|name| {
                Diagnostic::error("E0163", format!("`{name}` is an interface"))
                    .help(format!("implement it: `interface {name} with …`"))
            });
        }
        let place = Made::Heir.symbol();
        let own = self.part_of(base, Made::Own);
        let has_place = |it: TyConId| self.fields_of(it).iter().any(|it| it.name == place);
        if has_place(base) || own.is_some_and(has_place) {
            return None;
        }
        Some(|name| {
            let what = format!("inheriting from `{name}`");
            Diagnostic::error("E0900", format!("not supported yet: {what}"))
                .note("it is sealed, a struct, made of `val` alone, or of the library or an earlier phrase")
        })
    }

    /// A class must not implement an interface that one from which it inherits implements: what an object is seen as
    /// would be what the base makes of it.
    fn note_interfaces(&mut self, env: &Env, con: TyConId, group: &Members) {
        let mut own = Vec::new();
        for ty in &group.class.interfaces {
            let TypeExprKind::Constr(path, _) = &ty.kind else { continue };
            let mark = self.diagnostics.mark();
            let found = self.lookup_type(env, path);
            self.diagnostics.rollback(mark);
            let Ok(interface) = found else { continue };
            let mut all = vec![self.types.declaration(interface)];
            let mut at = 0;
            while let Some(&next) = all.get(at) {
                all.extend(self.interfaces_of(next));
                at += 1;
            }
            let mut above = self.base_of(con);
            while let Some(base) = above {
                let known = self.clef.implemented.get(base);
                if known.is_some_and(|it| all.iter().any(|own| it.contains(own))) {
                    let what =
                        "an interface that the class implements from which this one inherits";
                    self.diagnostics.error(Diagnostic::not_supported(ty.span, what).help(
                        "let the member of the interface call an abstract member, and override that",
                    ));
                    break;
                }
                above = self.base_of(base);
            }
            own.extend(all);
        }
        if !own.is_empty() {
            self.clef.implemented.insert(con, own);
        }
        let has_order = group.members.iter().find(|it| is_marked(it, Mark::Order));
        if let Some(member) = has_order
            && self.is_ordered_by_base(con)
        {
            let construct = "`IComparable` of a class that inherits from one with it";
            self.diagnostics.error(Diagnostic::not_supported(member.name.span, construct));
        }
    }

    /// Does it inherit from a class that says what `compare` means?
    fn is_ordered_by_base(&self, con: TyConId) -> bool {
        let mut above = self.base_of(con);
        while let Some(base) = above {
            if self.clef.ordered.contains(base) {
                return true;
            }
            above = self.base_of(base);
        }
        false
    }

    /// What `compare` means by the class that is inherited is left out where that has no order.
    pub(super) fn is_wanted(&self, con: TyConId, member: &Member) -> bool {
        !is_marked(member, Mark::InheritedOrder) || self.is_ordered_by_base(con)
    }

    /// A member that says what `=`, `compare` or `hash` mean at its type.
    pub(super) fn note_own_order(
        &mut self,
        env: &Env,
        tycon: TyConId,
        hidden: Symbol,
        attribute: &ast::Attribute,
    ) {
        let Some(ValueKind::Var(var)) = env.value(hidden).map(|it| it.kind) else { return };
        let own = &mut self.types.tycons[tycon].own;
        if attribute.is(Mark::Equality) {
            own.equal = Some(var);
        } else if attribute.is(Mark::Order) || attribute.is(Mark::InheritedOrder) {
            own.compare = Some(var);
        } else if attribute.is(Mark::Hash) {
            own.hash = Some(var);
        } else if attribute.is(Mark::Text) {
            own.text = Some(var);
        } else if attribute.is(Mark::Shown) {
            own.shown = Some(var);
        } else if attribute.is(Mark::Object) {
            own.object = Some(var);
        }
    }
}

fn is_marked(member: &Member, mark: Mark) -> bool {
    member.binding.attributes.iter().any(|it: &ast::Attribute| it.is(mark))
}
