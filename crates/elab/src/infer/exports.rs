//! What users' files see of the library's modules, which have no interface files.
//!
//! ```text
//! [@@@hidden "grow reserve cell"]   values and types that are not OCaml's
//! [@@@abstract "t M.u"]             types whose constructors and fields nobody else sees, also in modules of the file
//! ```
//!
//! The library's own files, and code that a front end makes, see everything.

use std::rc::Rc;

use oxbow_base::{FxHashMap, FxHashSet, IdSet, Symbol};

use crate::ast::{self, ItemKind};
use crate::types::TyConId;

use super::env::{Ctor, Env, Module, Structure};
use super::{Infer, Unit};

/// The library as users' files see it.
#[derive(Default)]
pub struct Public {
    pub root: Env,
    pub units: FxHashMap<Symbol, Module>,
    /// Modules of the user, which hide those of the library in users' files.
    pub users: FxHashSet<Symbol>,
    pub stdlib: Option<Module>,
    /// Types whose constructors and fields they do not see.
    pub opaque: IdSet<TyConId>,
}

impl Infer<'_> {
    /// The modules behind `Stdlib.`, for the code at hand.
    pub(super) fn library_units(&self) -> &FxHashMap<Symbol, Module> {
        if self.library || self.sees_all { &self.units } else { &self.public.units }
    }

    /// Is this a type of the library whose fields the code at hand does not see?
    pub(super) fn is_opaque(&self, tycon: TyConId) -> bool {
        !self.library && !self.sees_all && self.public.opaque.contains(tycon)
    }

    /// The module without what its file hides.
    pub(super) fn public(&mut self, unit: &Unit, module: &Module) -> Module {
        let inherited = self.hidden_in_included(unit);
        let (public, opaque) = public(unit, module, inherited);
        self.public.opaque.extend(opaque);
        public
    }

    /// What the modules hide that a file of the library includes.
    fn hidden_in_included(&self, unit: &Unit) -> FxHashSet<Symbol> {
        let mut hidden = FxHashSet::default();
        for item in unit.structure.iter().filter(|_| unit.library) {
            if let ItemKind::Include(included) = &item.kind
                && let ast::ModuleExprKind::Path(ast::ModulePath::Name(name)) = &included.kind
                && let Some(Module::Structure(whole)) = self.units.get(&name.text)
                && let Some(Module::Structure(seen)) = self.public.units.get(&name.text)
            {
                hidden.extend(whole.values.keys().filter(|it| !seen.values.contains_key(*it)));
                hidden.extend(whole.types.keys().filter(|it| !seen.types.contains_key(*it)));
            }
        }
        hidden
    }
}

/// The module without what its file hides, and the types that are opaque.
fn public(unit: &Unit, module: &Module, inherited: FxHashSet<Symbol>) -> (Module, Vec<TyConId>) {
    let names = |attribute: &str| -> FxHashSet<Symbol> {
        let lists = unit.structure.iter().filter_map(|it| match &it.kind {
            ItemKind::Attribute(it) if it.name.text.as_str() == attribute => it.payload,
            _ => None,
        });
        lists.flat_map(|it| it.as_str().split_whitespace()).map(Symbol::new).collect()
    };
    let (mut hidden, closed) = (names("hidden"), names("abstract"));
    hidden.extend(inherited);
    let Module::Structure(structure) = module else { return (module.clone(), Vec::new()) };
    if hidden.is_empty() && closed.is_empty() {
        return (module.clone(), Vec::new());
    }
    let mut opaque = Vec::new();
    let public = reduced(structure, "", &hidden, &closed, &mut opaque);
    (Module::Structure(public), opaque)
}

/// The structure without what is hidden, where its own names stand behind `prefix`.
fn reduced(
    structure: &Rc<Structure>,
    prefix: &str,
    hidden: &FxHashSet<Symbol>,
    closed: &FxHashSet<Symbol>,
    all: &mut Vec<TyConId>,
) -> Rc<Structure> {
    let begins = |it: &&Symbol| it.as_str().starts_with(prefix);
    if !hidden.iter().chain(closed).any(|it| begins(&it)) {
        return structure.clone();
    }
    let mut structure = structure.as_ref().clone();
    let own = |names: &FxHashSet<Symbol>| -> FxHashSet<Symbol> {
        let own = names.iter().filter_map(|it| it.as_str().strip_prefix(prefix));
        own.filter(|it| !it.contains('.')).map(Symbol::new).collect()
    };
    for (name, module) in structure.modules.iter_mut() {
        if let Module::Structure(inner) = module {
            let prefix = format!("{prefix}{name}.");
            *inner = reduced(inner, &prefix, hidden, closed, all);
        }
    }
    let (hidden, closed) = (own(hidden), own(closed));
    let opaque: Vec<_> = closed.iter().filter_map(|it| structure.types.get(it).copied()).collect();
    structure.values.retain(|it, _| !hidden.contains(it));
    structure.types.retain(|it, _| !hidden.contains(it));
    let is_opaque = |it: &Ctor| matches!(it, Ctor::Variant(con, _) if opaque.contains(con));
    structure.ctors.retain(|name, it| !hidden.contains(name) && !is_opaque(it));
    for records in structure.fields.values_mut() {
        records.retain(|it| !opaque.contains(it));
    }
    structure.fields.retain(|_, it| !it.is_empty());
    all.extend(opaque);
    structure.into()
}
