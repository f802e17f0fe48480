//! What the module states of the whole program: families of closures, kinds of objects.
//!
//! ```text
//! ocaml.family !ocaml.closure<(i64) -> i64> takes [1] {raises}      how closures of this type are called
//! ocaml.objects !ocaml.data<"node"> framed [0] noted [1]            where its objects may be, and be known
//! ```

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Type, TypeLike};
use oxbow_dialect::op;

#[derive(Default)]
pub struct Facts {
    families: FxHashMap<usize, Family>,
    framed: FxHashSet<(usize, u32)>,
    noted: FxHashSet<(usize, u32)>,
}

/// What is known of all closures of a type.
pub struct Family {
    /// How many arguments their code takes, in order.
    pub takes: Vec<usize>,
    /// A call may end with an exception.
    pub raises: bool,
    /// A call may hand over the closure.
    pub owned: bool,
    /// A call may change memory.
    pub changes: bool,
}

impl Facts {
    pub fn family(&mut self, stated: op::Family<'_>) {
        let family = Family {
            takes: stated.takes().into_iter().map(|it| it as usize).collect(),
            raises: stated.raises(),
            owned: stated.owned(),
            changes: stated.changes(),
        };
        self.families.insert(id(stated.r#type()), family);
    }

    pub fn objects(&mut self, stated: op::Objects<'_>) {
        let ty = id(stated.r#type());
        self.framed.extend(stated.framed().into_iter().map(|it| (ty, it)));
        self.noted.extend(stated.noted().into_iter().map(|it| (ty, it)));
    }

    /// What is known of a closure type that is called or made.
    pub fn family_of(&self, ty: Type<'_>) -> &Family {
        match self.families.get(&id(ty)) {
            Some(family) => family,
            None => ice!("the module states no family of {ty}"),
        }
    }

    /// May objects of this constructor be in a frame?
    pub fn is_framed(&self, ty: Type<'_>, ctor: u32) -> bool {
        self.framed.contains(&(id(ty), ctor))
    }

    /// May an object of this constructor be noted for the scan for cycles?
    pub fn is_noted(&self, ty: Type<'_>, ctor: u32) -> bool {
        self.noted.contains(&(id(ty), ctor))
    }
}

fn id(ty: Type<'_>) -> usize {
    ty.to_raw().ptr as usize
}
