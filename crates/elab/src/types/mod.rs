//! Types during inference: an arena of nodes with unification variables.
//!
//! Generalisation is by levels: a variable made inside a `let` has a higher level than
//! the `let`; those still free when it ends become generic (level [`GENERIC`]). A generic
//! variable is never unified, only replaced by instantiation.

mod labels;
mod row;
mod substitute;
mod units;

use crate::ast::{FieldRole, ParamVariance};
use oxbow_base::{FxHashMap, FxHashSet, IdVec, Span, SparseMap, SparseSet, Symbol, define_id};
use oxbow_psg::{Compared, ExnId, IntWidth, KnownType, OwnFunctions, VarId};

pub use labels::labelled_tuple;
pub use row::{Row, Tag};
pub use units::{Factor, Factors, UnitCon, Units};

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
    /// Polymorphic variants, or objects. A row that is not fixed is a variable with bounds: it is unified,
    /// generalised and instantiated as one. Types may be cyclic through rows.
    Row(Box<Row>),
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
    /// The members that stand for them.
    pub own: OwnFunctions,
    /// Is it the compiler's own, or declared by the library?
    pub library: bool,
    pub known: Option<KnownType>,
    /// A type that stands for an unknown one, while its scope is checked.
    pub unknown: Unknown,
    /// The parameters that the graph does not have: constructors with results of their own decide what they are.
    pub erased: Vec<bool>,
    /// If `constraint` says what arguments look like: their forms, over `params`, which are the variables in them.
    pub forms: Option<Vec<TypeId>>,
    /// A signature declares it.
    pub of_signature: bool,
    /// Its declaration says `[@@unboxed]`, which those that repeat it must say as well.
    pub unboxed: bool,
    /// The parameters that are marked `!`.
    pub injective: Vec<bool>,
    /// What its declaration says of its parameters.
    pub variances: Vec<ParamVariance>,
    /// The parameters that stand for units of measure.
    pub measures: Vec<bool>,
    /// If it makes units of measure.
    pub unit: Option<UnitCon>,
    /// Of packed modules: the types that its parameters stand for.
    pub packed: Option<Vec<Symbol>>,
    /// Of tuples with labels: those of its parts.
    pub labels: Option<Vec<Option<Symbol>>>,
    pub span: Option<Span>,
}

/// Which types a type constructor may turn out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It is itself.
    No,
    /// A quantified variable: all types alike.
    Quantified,
    /// A locally abstract type: constructors with results of their own tell what it is in their branches.
    Local,
    /// A type that such a constructor hides.
    Existential,
    /// An abstract type of a packed module.
    Packed,
}

impl TyCon {
    pub fn new(
        name: Symbol,
        path: String,
        params: Vec<TypeId>,
        kind: TyConKind,
        span: Option<Span>,
    ) -> Self {
        let (compared, library, known) = (Compared::Parts, span.is_none(), None);
        Self {
            name,
            path,
            params,
            kind,
            private: false,
            view: None,
            compared,
            own: OwnFunctions::default(),
            library,
            known,
            unknown: Unknown::No,
            erased: Vec::new(),
            forms: None,
            of_signature: false,
            unboxed: false,
            injective: Vec::new(),
            variances: Vec::new(),
            measures: Vec::new(),
            unit: None,
            packed: None,
            labels: None,
            span,
        }
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
    /// `type t = ..`: its constructors are those of [`Types::exns`] that name it.
    Open,
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
    pub role: FieldRole,
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
    /// What `C : … -> u` makes; its arguments are over `vars` then.
    pub own: Option<OwnResult>,
    pub span: Span,
}

/// The result of a constructor that has one of its own.
#[derive(Clone, Debug)]
pub struct OwnResult {
    /// All variables of the constructor, generic. Where every constructor of the type has a plain variable in a
    /// position of its result, that is the type's parameter.
    pub vars: Vec<TypeId>,
    /// The arguments of the type that it makes.
    pub args: Vec<TypeId>,
}

/// An exception constructor, or one of another extensible type.
#[derive(Clone, Debug)]
pub struct ExnInfo {
    pub name: Symbol,
    /// As `Printexc` shows it.
    pub path: String,
    /// Over the parameters of its type, or over the variables of `own`.
    pub args: Vec<TypeId>,
    pub inline_record: Option<TyConId>,
    /// What `E : … -> t` makes, if it hides types or decides the type's parameters.
    pub own: Option<OwnResult>,
    /// The extensible type that it belongs to, if not `exn`, and the parameters of that.
    pub of: Option<(TyConId, Vec<TypeId>)>,
    /// Of an extensible type: no values are made by it outside.
    pub private: bool,
    /// For an exception that a signature declares: the structure's exception behind it.
    pub view_of: Option<ExnId>,
    /// For an exception that is declared inside an expression: the variable that tells its
    /// exceptions from those of other evaluations.
    pub number: Option<VarId>,
    /// For an exception of an unpacked module: the variable that holds the module, its type, and the first of the
    /// two fields of the exception: a function that makes it, and one that looks into it.
    pub packed: Option<(VarId, TyConId, u32)>,
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

/// What the objects hold that one place of the program makes.
#[derive(Clone, Debug)]
pub struct ObjectInfo {
    /// The class, as people should see it.
    pub path: String,
    /// Its number first, then its instance variables, then its methods, which take it as their first argument.
    pub fields: Vec<ObjectField>,
    /// The variable of its number, if making it does nothing else than to take one: its type may be generalised.
    pub is_value: Option<VarId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ObjectField {
    pub name: Symbol,
    pub ty: TypeId,
    pub mutable: bool,
}

/// All types, constructors and variables of a compilation.
#[derive(Debug, Default)]
pub struct Types {
    /// Types are shown by Clef's names.
    pub clef_names: bool,
    /// Some type has more parts than are followed; whoever finds this reports it.
    pub too_large: bool,
    /// Some constructor has a result of its own, or some type has no constructors: types decide which cases there are.
    pub has_own_results: bool,
    /// Types were equal by an equation, or hidden by a constructor: the graph converts between them.
    pub has_equations: bool,
    /// Generic variables that stand for values of unknown type in the graph: those that constructors hide, erased
    /// parameters, and those of polymorphic fields. No binding has them as parameters.
    pub uniform: SparseSet<TypeId>,
    /// Variables of a prompt that a later phrase decides, with their numbers: `'_weak1`.
    pub weak: SparseMap<TypeId, u32>,
    /// Those that the phrase being built has as parameters in the graph (decision 330).
    pub open_weak: SparseSet<TypeId>,
    /// What the types say of matches, by the place of the first pattern: a value that is not covered, or none.
    pub coverage: FxHashMap<Span, Option<String>>,
    /// Patterns that no value of the type matches, though their form does not tell.
    pub unreachable: FxHashSet<Span>,
    pub nodes: IdVec<TypeId, Type>,
    pub tycons: IdVec<TyConId, TyCon>,
    pub exns: IdVec<ExnId, ExnInfo>,
    pub vars: IdVec<VarId, VarInfo>,
    /// The rows that abbreviations stand for, by body and arguments: one that mentions itself
    /// is expanded to the same row again.
    expanded_rows: FxHashMap<(TypeId, Vec<TypeId>), TypeId>,
    /// The objects that the program makes, one for each place that makes some.
    pub objects: Vec<ObjectInfo>,
    /// Variables that a pattern binds to polymorphic fields, with the fields' own variables.
    pub poly_fields: SparseMap<VarId, Vec<TypeId>>,
    pub units: Option<Units>,
}

/// Walks over types up to this size keep no table of what they have seen.
const FEW: usize = 100;

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

    /// The same from the beginning of the walk on, for what leads back to itself.
    pub fn has_entered(&mut self, key: K) -> bool {
        !self.seen.insert(key)
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

    /// Does a type mention one of these variables or rows?
    pub fn mentions_any(&self, ty: TypeId, vars: &[TypeId]) -> bool {
        let vars: Vec<TypeId> = vars.iter().map(|&it| self.repr(it)).collect();
        let mut walk = Walk::default();
        let mut todo = vec![ty];
        while let Some(ty) = todo.pop() {
            let ty = self.repr(ty);
            if vars.contains(&ty) {
                return true;
            }
            if walk.has_seen(ty) {
                continue;
            }
            match &self.nodes[ty] {
                Type::Row(row) if row.object => {
                    let free = row.tags.iter().filter(|it| !self.binds_any(&it.1, &vars));
                    todo.extend(free.flat_map(|it| it.1.types().iter().copied()));
                }
                _ => todo.extend(self.parts(ty)),
            }
        }
        false
    }

    /// Is there such a part of a type, the type itself included?
    pub fn any_part(&self, ty: TypeId, test: impl Fn(TypeId, &Type) -> bool) -> bool {
        let mut walk = Walk::default();
        let mut todo = vec![ty];
        while let Some(ty) = todo.pop() {
            let ty = self.repr(ty);
            if test(ty, &self.nodes[ty]) {
                return true;
            }
            if !walk.has_seen(ty) {
                todo.extend(self.parts(ty));
            }
        }
        false
    }

    /// The types that a type is made of, in the order of its text.
    pub fn parts(&self, ty: TypeId) -> Vec<TypeId> {
        match &self.nodes[ty] {
            Type::Var { .. } | Type::Link(_) | Type::Error => Vec::new(),
            &Type::Arrow(_, param, result) => vec![param, result],
            Type::Tuple(items) | Type::Con(_, items) => items.clone(),
            Type::Row(row) => row.types(),
        }
    }

    /// Fresh copies of the variables of a scheme. The bounds of rows are made of the copies.
    pub fn fresh_copies(&mut self, vars: &[TypeId], level: u32) -> Vec<TypeId> {
        let fresh: Vec<TypeId> =
            vars.iter().map(|_| self.add(Type::Var { level, name: None })).collect();
        for (&var, &copy) in vars.iter().zip(&fresh) {
            if let Type::Row(row) = self.get(var).clone() {
                let row = row.map(|it| self.substitute(it, vars, &fresh));
                self.nodes[copy] = Type::Row(Box::new(Row { level, ..row }));
            }
        }
        fresh
    }

    /// Expands abbreviations at the top, for unification and for people's errors. `float<1>` is `float`.
    pub fn expand(&mut self, ty: TypeId) -> TypeId {
        let mut ty = self.repr(ty);
        while let Type::Con(con, args) = &self.nodes[ty] {
            if let Some((number, unit)) = self.measure(ty)
                && self.factors(unit).is_some_and(|it| it.is_empty())
            {
                ty = self.repr(number);
                continue;
            }
            let TyConKind::Alias(body) = self.tycons[*con].kind else { break };
            let (con, args) = (*con, args.clone());
            let next = self.expand_alias(con, body, args);
            ty = self.repr(next);
        }
        ty
    }

    fn expand_alias(&mut self, con: TyConId, body: TypeId, args: Vec<TypeId>) -> TypeId {
        let is_row = matches!(self.get(body), Type::Row(_));
        let key = (body, args.iter().map(|&it| self.repr(it)).collect::<Vec<_>>());
        if is_row && let Some(&known) = self.expanded_rows.get(&key) {
            return known;
        }
        let params = self.tycons[con].params.clone();
        let made = self.substitute(body, &params, &args);
        if is_row {
            self.expanded_rows.insert(key, made);
            let at = self.repr(made);
            if let Type::Row(row) = &mut self.nodes[at]
                && row.is_fixed()
            {
                row.name.get_or_insert((con, args));
            }
        }
        made
    }

    /// What an abbreviation stands for has changed.
    pub fn forget_expansions(&mut self, body: TypeId) {
        self.expanded_rows.retain(|key, _| key.0 != body);
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
}
