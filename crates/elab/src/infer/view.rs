//! How values of a type are shown: what a prompt prints behind `=`.
//!
//! ```text
//! (string * t) list        List(Tuple([Text, Variant([A, B of Int])]))
//! Hashtbl.t, M.t           Abstract, if the user does not see what it is
//! ```
//!
//! Views are numbers in an arena, since types are recursive. Parts stand in the order of the graph's.

use oxbow_base::{FxHashMap, Symbol};
use oxbow_psg::{Compared, IntWidth};

use crate::types::{Builtin, CtorInfo, TyConId, TyConKind, Type, TypeId};

use super::Infer;

/// A number in [`Views`].
pub type ViewId = usize;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// A variable: there is nothing to look at.
    Poly,
    Function,
    Abstract,
    Unit,
    Bool,
    Char,
    Int(IntWidth),
    Nativeint,
    Float,
    Float32,
    Text,
    Bytes,
    Exn,
    Lazy,
    Object,
    Array(ViewId),
    List(ViewId),
    Tuple(Vec<ViewId>),
    Record(Vec<(Symbol, ViewId)>),
    Variant(Vec<CtorView>),
    /// Polymorphic variants; those that are not named hold nothing that is known.
    Tags(Vec<(Symbol, Option<ViewId>)>),
    /// A type that is still looked at, and is replaced then.
    Open(TyConId, Vec<ViewId>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CtorView {
    pub name: Symbol,
    pub args: Vec<ViewId>,
    /// The names of an inline record.
    pub fields: Option<Vec<Symbol>>,
}

/// The views of a phrase's values.
#[derive(Debug, Default)]
pub struct Views {
    all: Vec<View>,
    known: FxHashMap<View, ViewId>,
    declared: FxHashMap<(TyConId, Vec<ViewId>), ViewId>,
}

/// Types with ever larger parts have no end.
const MOST: usize = 4000;

impl Views {
    pub fn get(&self, id: ViewId) -> &View {
        &self.all[id]
    }

    fn add(&mut self, view: View) -> ViewId {
        if let Some(&known) = self.known.get(&view) {
            return known;
        }
        let id = self.all.len();
        self.known.insert(view.clone(), id);
        self.all.push(view);
        id
    }
}

impl Infer<'_> {
    pub(super) fn view(&mut self, ty: TypeId, views: &mut Views) -> ViewId {
        if views.all.len() > MOST {
            return views.add(View::Abstract);
        }
        let view = match self.types.get(ty).clone() {
            Type::Var { .. } | Type::Link(_) | Type::Error => View::Poly,
            Type::Arrow(..) => View::Function,
            Type::Tuple(items) => {
                View::Tuple(items.iter().map(|&it| self.view(it, views)).collect())
            }
            Type::Row(row) if row.object => View::Object,
            Type::Row(row) => {
                let tags = row.tags.iter().map(|(name, tag)| {
                    let holds = tag.types().first().copied();
                    (*name, holds.map(|it| self.view(it, views)))
                });
                View::Tags(tags.collect())
            }
            Type::Con(con, args) => return self.view_con(con, &args, views),
        };
        views.add(view)
    }

    fn view_con(&mut self, con: TyConId, args: &[TypeId], views: &mut Views) -> ViewId {
        let decl = self.types.tycons[con].clone();
        if con == self.builtins.list {
            let item = self.view(args[0], views);
            return views.add(View::List(item));
        }
        let simple = match &decl.kind {
            TyConKind::Builtin(it) => match it {
                Builtin::Unit => View::Unit,
                Builtin::Bool => View::Bool,
                Builtin::Char => View::Char,
                Builtin::Int(width) => View::Int(*width),
                Builtin::Nativeint => View::Nativeint,
                Builtin::Nativeptr => View::Abstract,
                Builtin::Float => View::Float,
                Builtin::Float32 => View::Float32,
                Builtin::String => View::Text,
                Builtin::Bytes => View::Bytes,
                Builtin::Exn => View::Exn,
                Builtin::Array => View::Array(self.view(args[0], views)),
            },
            TyConKind::Alias(of) => {
                let of = self.types.substitute(*of, &decl.params, args);
                return self.view(of, views);
            }
            _ if decl.compared == Compared::Suspension => View::Lazy,
            _ if self.is_opaque(con) || decl.packed.is_some() => View::Abstract,
            // What a constructor hides is not shown, nor what it says of the parameters.
            TyConKind::Abstract { .. } | TyConKind::Pending | TyConKind::InlineRecord { .. } => {
                View::Abstract
            }
            TyConKind::Open => View::Exn,
            TyConKind::Record(fields) if super::declared::is_class(fields) => View::Abstract,
            TyConKind::Record(_) | TyConKind::Variant(_) => {
                return self.view_declared(con, args, views);
            }
        };
        views.add(simple)
    }

    fn view_declared(&mut self, con: TyConId, args: &[TypeId], views: &mut Views) -> ViewId {
        let decl = self.types.tycons[con].clone();
        let key = (con, args.iter().map(|&it| self.view(it, views)).collect::<Vec<_>>());
        if let Some(&known) = views.declared.get(&key) {
            return known;
        }
        let id = views.add(View::Open(con, key.1.clone()));
        views.declared.insert(key, id);
        let part = |this: &mut Self, ty: TypeId, views: &mut Views| {
            let ty = this.types.substitute(ty, &decl.params, args);
            this.view(ty, views)
        };
        // The first field of a record in a module, and constructors, are told with the module.
        let module = decl.path.rsplit_once('.').filter(|_| !self.types.clef_names);
        let named = |name: Symbol| match module {
            Some((module, _)) => Symbol::new(&format!("{module}.{name}")),
            None => name,
        };
        let view = match &decl.kind {
            TyConKind::Record(fields) => {
                let name = |at: usize, name: Symbol| if at == 0 { named(name) } else { name };
                let fields = fields.iter().enumerate();
                let fields = fields.map(|(at, it)| (name(at, it.name), part(self, it.ty, views)));
                View::Record(fields.collect())
            }
            TyConKind::Variant(ctors) => {
                let ctors = ctors.iter().map(|it| CtorView {
                    name: named(it.name),
                    args: it.args.iter().map(|&arg| part(self, arg, views)).collect(),
                    fields: self.inline_names(it),
                });
                View::Variant(ctors.collect())
            }
            _ => View::Abstract,
        };
        views.all[id] = view;
        id
    }

    fn inline_names(&self, ctor: &CtorInfo) -> Option<Vec<Symbol>> {
        match &self.types.tycons[ctor.inline_record?].kind {
            TyConKind::InlineRecord { fields, .. } => {
                Some(fields.iter().map(|it| it.name).collect())
            }
            _ => None,
        }
    }
}
