//! Types during inference: an arena of nodes with unification variables.
//!
//! Generalisation is by levels: a variable made inside a `let` has a higher level than
//! the `let`; those still free when it ends become generic (level [`GENERIC`]). A generic
//! variable is never unified, only replaced by instantiation.

use oxbow_base::{FxHashMap, FxHashSet, Id, IdVec, Span, Symbol, define_id};
use oxbow_diag::limits;
use oxbow_psg::{Compared, ExnId, IntWidth, VarId};

define_id!(
    /// A type node.
    pub TypeId, "ty"
);
define_id!(
    /// A type constructor: builtin, declared, abstract or rigid.
    pub TyConId, "tc"
);

/// The level of quantified variables.
pub const GENERIC: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub enum Type {
    /// Unbound (or generic, by its level). The name is the user's, if any.
    Var {
        level: u32,
        name: Option<Symbol>,
    },
    Link(TypeId),
    Arrow(Label, TypeId, TypeId),
    Tuple(Vec<TypeId>),
    Con(TyConId, Vec<TypeId>),
    /// After a reported error: equal to everything.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    None,
    Labelled(Symbol),
    /// The parameter's type is an option.
    Optional(Symbol),
}

/// A type constructor.
#[derive(Clone, Debug)]
pub struct TyCon {
    pub name: Symbol,
    /// As people should see it: `M.t`.
    pub path: String,
    /// Generic variables.
    pub params: Vec<TypeId>,
    pub kind: TyConKind,
    /// Values of a private record or variant are made by its own module only.
    pub private: bool,
    /// A record or variant that a signature declares is a type of its own to unification; this is
    /// the structure's type behind it (over `params`), from which the graph is built.
    pub view: Option<TypeId>,
    /// What its declaration says of equality and order.
    pub compared: Compared,
    pub span: Option<Span>,
}

impl TyCon {
    pub fn new(
        name: Symbol,
        path: String,
        params: Vec<TypeId>,
        kind: TyConKind,
        span: Option<Span>,
    ) -> Self {
        let compared = Compared::Parts;
        Self { name, path, params, kind, private: false, view: None, compared, span }
    }
}

#[derive(Clone, Debug)]
pub enum TyConKind {
    Builtin(Builtin),
    /// Opaque to unification. `implementation` is what it stands for (over `params`), when
    /// it came from sealing or from `type t = private …`: the graph is built from that.
    Abstract {
        implementation: Option<TypeId>,
    },
    /// An abbreviation, over `params`.
    Alias(TypeId),
    Record(Vec<FieldInfo>),
    Variant(Vec<CtorInfo>),
    /// The record inside a constructor `C of { … }`; its values are the constructor's block.
    InlineRecord {
        variant: InlineOwner,
        fields: Vec<FieldInfo>,
    },
    /// Being declared; only while its group is elaborated.
    Pending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InlineOwner {
    Ctor(TyConId, u32),
    Exn(ExnId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Unit,
    Bool,
    Char,
    Int(IntWidth),
    /// A type of its own with the representation of `int64`.
    Nativeint,
    /// An address; its parameter says what is there.
    Nativeptr,
    Float,
    Float32,
    String,
    Bytes,
    Array,
    Exn,
}

#[derive(Clone, Debug)]
pub struct FieldInfo {
    pub name: Symbol,
    pub mutable: bool,
    pub acyclic: bool,
    /// Over the type's `params`, and over `vars`.
    pub ty: TypeId,
    /// Of a polymorphic field `f : 'a. …`: its own variables, which are generic and among [`Types::uniform`].
    pub vars: Vec<TypeId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CtorInfo {
    pub name: Symbol,
    /// Over the type's `params`. For an inline record: the field types in order.
    pub args: Vec<TypeId>,
    /// The [`TyConKind::InlineRecord`] of `C of { … }`.
    pub inline_record: Option<TyConId>,
    pub span: Span,
}

/// An exception constructor.
#[derive(Clone, Debug)]
pub struct ExnInfo {
    pub name: Symbol,
    /// As `Printexc` shows it.
    pub path: String,
    pub args: Vec<TypeId>,
    pub inline_record: Option<TyConId>,
    /// For an exception that a signature declares: the structure's exception behind it.
    pub view_of: Option<ExnId>,
    /// For an exception that is declared inside an expression: the variable that tells its
    /// exceptions from those of other evaluations.
    pub number: Option<VarId>,
    pub span: Span,
}

/// A variable of the typed tree. Ids are those of the graph.
#[derive(Clone, Debug)]
pub struct VarInfo {
    pub name: Symbol,
    pub ty: TypeId,
    /// Generic variables of its scheme, in the order of `tyargs` at its uses. The variables of
    /// one recursive group share one list.
    pub tyvars: Vec<TypeId>,
    pub mutable: bool,
    pub global: bool,
    pub span: Span,
}

/// All types, constructors and variables of a compilation.
#[derive(Debug, Default)]
pub struct Types {
    /// Types are shown by Clef's names.
    pub clef_names: bool,
    /// Some type has more parts than are followed; whoever finds this reports it.
    pub too_large: bool,
    pub nodes: IdVec<TypeId, Type>,
    pub tycons: IdVec<TyConId, TyCon>,
    pub exns: IdVec<ExnId, ExnInfo>,
    pub vars: IdVec<VarId, VarInfo>,
    /// Generic variables that stand for values of unknown type in the graph: no binding has them as parameters.
    pub uniform: FxHashSet<TypeId>,
    /// Variables that a pattern binds to polymorphic fields, with the fields' own variables.
    pub poly_fields: FxHashMap<VarId, Vec<TypeId>>,
}

/// Walks over types up to this size keep no table of what they have seen.
const FEW: usize = 100;

struct Substitution<'a> {
    params: &'a [TypeId],
    args: &'a [TypeId],
    /// What has been made of the parts so far.
    made: FxHashMap<TypeId, TypeId>,
    steps: usize,
}

/// A walk over types that is at each part once. A type is a graph: its text can be of any size where `let` and
/// instantiation share its parts.
#[derive(Debug)]
pub struct Walk<K> {
    steps: usize,
    seen: FxHashSet<K>,
}

impl<K> Default for Walk<K> {
    fn default() -> Self {
        Self { steps: 0, seen: FxHashSet::default() }
    }
}

impl<K: Eq + std::hash::Hash> Walk<K> {
    /// Whether the walk has been here. What is seen twice at the beginning of a walk is looked at twice.
    pub fn has_seen(&mut self, key: K) -> bool {
        self.steps += 1;
        self.steps > FEW && !self.seen.insert(key)
    }
}

impl Types {
    pub fn add(&mut self, ty: Type) -> TypeId {
        self.nodes.push(ty)
    }

    /// Follows links.
    pub fn repr(&self, mut ty: TypeId) -> TypeId {
        while let Type::Link(next) = self.nodes[ty] {
            ty = next;
        }
        ty
    }

    /// The type with links followed at the top.
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.nodes[self.repr(ty)]
    }

    /// Substitutes `args` for `params` (generic variables) in `ty`; shares what has none, and what is shared in `ty`.
    pub fn substitute(&mut self, ty: TypeId, params: &[TypeId], args: &[TypeId]) -> TypeId {
        if params.is_empty() {
            return ty;
        }
        let mut substitution = Substitution { params, args, made: FxHashMap::default(), steps: 0 };
        self.substitute_in(ty, &mut substitution)
    }

    fn substitute_in(&mut self, ty: TypeId, by: &mut Substitution<'_>) -> TypeId {
        let ty = self.repr(ty);
        let new = match &self.nodes[ty] {
            Type::Var { .. } => {
                let at = by.params.iter().position(|&it| self.repr(it) == ty);
                return at.and_then(|at| by.args.get(at)).copied().unwrap_or(ty);
            }
            Type::Link(_) | Type::Error => return ty,
            Type::Arrow(label, param, result) => Type::Arrow(*label, *param, *result),
            Type::Tuple(items) => Type::Tuple(items.clone()),
            Type::Con(con, items) => Type::Con(*con, items.clone()),
        };
        by.steps += 1;
        if by.steps > limits::TYPE_SIZE.most {
            self.too_large = true;
            return ty;
        }
        let shared = by.steps > FEW;
        if shared && let Some(&made) = by.made.get(&ty) {
            return made;
        }
        let made = match new {
            Type::Arrow(label, param, result) => {
                let new_param = self.substitute_in(param, by);
                let new_result = self.substitute_in(result, by);
                if new_param == param && new_result == result {
                    ty
                } else {
                    self.add(Type::Arrow(label, new_param, new_result))
                }
            }
            Type::Tuple(items) => {
                let new: Vec<_> = items.iter().map(|&it| self.substitute_in(it, by)).collect();
                if new == items { ty } else { self.add(Type::Tuple(new)) }
            }
            Type::Con(con, items) => {
                let new: Vec<_> = items.iter().map(|&it| self.substitute_in(it, by)).collect();
                if new == items { ty } else { self.add(Type::Con(con, new)) }
            }
            Type::Var { .. } | Type::Link(_) | Type::Error => ty,
        };
        if shared {
            by.made.insert(ty, made);
        }
        made
    }

    /// Expands abbreviations at the top, for unification and for people's errors.
    pub fn expand(&mut self, ty: TypeId) -> TypeId {
        let mut ty = self.repr(ty);
        while let Type::Con(con, args) = &self.nodes[ty] {
            let TyConKind::Alias(body) = self.tycons[*con].kind else { break };
            let (params, args) = (self.tycons[*con].params.clone(), args.clone());
            let next = self.substitute(body, &params, &args);
            ty = self.repr(next);
        }
        ty
    }

    /// What stands behind a type constructor for the graph, over its `params`.
    pub fn behind(&self, con: TyConId) -> Option<TypeId> {
        match self.tycons[con].kind {
            TyConKind::Alias(body) | TyConKind::Abstract { implementation: Some(body) } => {
                Some(body)
            }
            _ => self.tycons[con].view,
        }
    }

    /// The declaration that the graph knows: behind views, abbreviations and sealed types.
    pub fn declaration(&self, mut con: TyConId) -> TyConId {
        while let Some(body) = self.behind(con)
            && let Type::Con(next, _) = self.get(body)
        {
            con = *next;
        }
        con
    }

    /// The exception that the graph knows.
    pub fn exn_behind(&self, mut exn: ExnId) -> ExnId {
        while let Some(next) = self.exns[exn].view_of {
            exn = next;
        }
        exn
    }

    /// Expands abbreviations and sealed abstract types at the top, for the graph.
    pub fn reveal(&mut self, ty: TypeId) -> TypeId {
        let mut ty = self.repr(ty);
        while let Type::Con(con, args) = &self.nodes[ty] {
            let Some(body) = self.behind(*con) else { break };
            let (params, args) = (self.tycons[*con].params.clone(), args.clone());
            let next = self.substitute(body, &params, &args);
            ty = self.repr(next);
        }
        ty
    }

    pub fn next_var_id(&self) -> VarId {
        VarId::from_index(self.vars.len())
    }
}
