//! What users' files see of the library's modules, which have no interface files.
//!
//! ```text
//! [@@@hidden "grow reserve cell"]   values and types that are not OCaml's
//! [@@@abstract "t"]                 types whose constructors and fields nobody else sees
//! ```
//!
//! The same holds inside of a module of such a file, for that module. The library's own files, and code that a front
//! end makes, see everything.

use std::rc::Rc;

use oxbow_base::{FxHashMap, FxHashSet, Symbol};

use crate::ast::{Item, ItemKind, ModuleExprKind};
use crate::types::TyConId;

use super::env::{Ctor, Env, Module};
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
    pub opaque: FxHashSet<TyConId>,
}

impl Infer<'_> {
    /// The modules behind `Stdlib.`, for the code at hand.
    pub(super) fn library_units(&self) -> &FxHashMap<Symbol, Module> {
        if self.library || self.sees_all { &self.units } else { &self.public.units }
    }

    /// Is this a type of the library whose fields the code at hand does not see?
    pub(super) fn is_opaque(&self, tycon: TyConId) -> bool {
        !self.library && !self.sees_all && self.public.opaque.contains(&tycon)
    }

    /// The module without what its file hides.
    pub(super) fn public(&mut self, unit: &Unit, module: &Module) -> Module {
        let (public, opaque) = public(&unit.structure, module);
        self.public.opaque.extend(opaque);
        public
    }
}

/// The module without what its text hides, and the types that are opaque.
fn public(items: &[Item], module: &Module) -> (Module, Vec<TyConId>) {
    let names = |attribute: &str| -> FxHashSet<Symbol> {
        let lists = items.iter().filter_map(|it| match &it.kind {
            ItemKind::Attribute(it) if it.name.text.as_str() == attribute => it.payload,
            _ => None,
        });
        lists.flat_map(|it| it.as_str().split_whitespace()).map(Symbol::new).collect()
    };
    let (hidden, closed) = (names("hidden"), names("abstract"));
    let Module::Structure(structure) = module else { return (module.clone(), Vec::new()) };
    let mut inner = Vec::new();
    for item in items {
        if let ItemKind::Module { name, body } = &item.kind
            && let ModuleExprKind::Structure(items) = &body.kind
            && let Some(module) = structure.modules.get(&name.text)
        {
            inner.push((name.text, public(items, module)));
        }
    }
    inner.retain(|(name, (module, _))| match (module, structure.modules.get(name)) {
        (Module::Structure(new), Some(Module::Structure(old))) => !Rc::ptr_eq(new, old),
        _ => false,
    });
    if hidden.is_empty() && closed.is_empty() && inner.is_empty() {
        return (module.clone(), Vec::new());
    }
    let mut structure = structure.as_ref().clone();
    let mut opaque: Vec<_> =
        closed.iter().filter_map(|it| structure.types.get(it).copied()).collect();
    structure.values.retain(|it, _| !hidden.contains(it));
    structure.types.retain(|it, _| !hidden.contains(it));
    structure.ctors.retain(|_, it| !matches!(it, Ctor::Variant(con, _) if opaque.contains(con)));
    for records in structure.fields.values_mut() {
        records.retain(|it| !opaque.contains(it));
    }
    structure.fields.retain(|_, it| !it.is_empty());
    for (name, (module, types)) in inner {
        structure.modules.insert(name, module);
        opaque.extend(types);
    }
    (Module::Structure(structure.into()), opaque)
}
