//! Types of the graph, hash-consed: equal types have equal ids.

use oxbow_base::indexmap::IndexSet;
use oxbow_base::{Id, IdSet, IdVec, Span, Symbol};

use crate::{DataId, ExnId, IntWidth, KnownType, TyId, TyVarId, VarId};

/// A type. Abbreviations and abstract types are gone: front ends expand them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    Unit,
    Bool,
    Char,
    Int(IntWidth),
    Float,
    Float32,
    String,
    Bytes,
    /// Two or more components.
    Tuple(Vec<TyId>),
    /// Curried: a function of two arguments is `Fn(a, Fn(b, r))`. How many
    /// arguments a lambda takes at once is the lambda's own affair.
    Fn(TyId, TyId),
    Array(TyId),
    /// A record or variant applied to its type arguments.
    Data(DataId, Vec<TyId>),
    Exn,
    /// A value whose type is not known here: one word that says itself what it is.
    Uniform,
    /// A type variable of an enclosing polymorphic binding. None is left in `Mono`.
    Var(TyVarId),
}

impl Ty {
    /// The types that it is made of, in order. What a declaration holds is not among them.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = TyId> + '_ {
        let (items, others): (&[TyId], [Option<TyId>; 2]) = match self {
            Self::Tuple(items) | Self::Data(_, items) => (items, [None; 2]),
            Self::Fn(param, result) => (&[], [Some(*param), Some(*result)]),
            Self::Array(item) => (&[], [Some(*item), None]),
            Self::Unit
            | Self::Bool
            | Self::Char
            | Self::Int(_)
            | Self::Float
            | Self::Float32
            | Self::String
            | Self::Bytes
            | Self::Exn
            | Self::Uniform
            | Self::Var(_) => (&[], [None; 2]),
        };
        items.iter().copied().chain(others.into_iter().flatten())
    }

    /// The same of other types, which are asked for in the order of the parts.
    pub fn map_parts(self, mut map: impl FnMut(TyId) -> TyId) -> Self {
        match self {
            Self::Tuple(items) => Self::Tuple(items.into_iter().map(map).collect()),
            Self::Data(data, args) => Self::Data(data, args.into_iter().map(map).collect()),
            Self::Fn(param, result) => {
                let param = map(param);
                Self::Fn(param, map(result))
            }
            Self::Array(item) => Self::Array(map(item)),
            Self::Unit
            | Self::Bool
            | Self::Char
            | Self::Int(_)
            | Self::Float
            | Self::Float32
            | Self::String
            | Self::Bytes
            | Self::Exn
            | Self::Uniform
            | Self::Var(_) => self,
        }
    }
}

/// A record or variant type.
#[derive(Clone, Debug)]
pub struct DataDecl {
    pub name: Symbol,
    /// The source path for people, `M.t`.
    pub params: Vec<TyVarId>,
    pub kind: DataKind,
    pub compared: Compared,
    /// What its declaration defines in place of that, in phase `Poly`; not part of a program's text.
    pub own: OwnFunctions,
    /// What the library calls it, if the compiler knows it; not part of a program's text.
    pub known: Option<KnownType>,
    pub span: Option<Span>,
}

/// The functions of a type that stand for `=`, `compare`, `hash` and `%show` on its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OwnFunctions {
    /// `t -> t -> bool`
    pub equal: Option<VarId>,
    /// `t -> t -> int32`
    pub compare: Option<VarId>,
    /// `t -> unit -> int32`
    pub hash: Option<VarId>,
    /// `t -> unit -> string`: its `ToString`, for `%text`.
    pub text: Option<VarId>,
    /// `t -> unit -> obj`: the object behind a value, for `%box`.
    pub object: Option<VarId>,
    /// The same for `%show`: the text of an object. What `%A` shows of records and unions are their parts.
    pub shown: Option<VarId>,
    /// `[<NoEquality>]` and `[<NoComparison>]`: nothing stands for them.
    pub no_equality: bool,
    pub no_order: bool,
}

impl OwnFunctions {
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub fn has_order(self) -> bool {
        self.equal.or(self.compare).or(self.hash).is_some()
    }
}

/// What `=`, `compare` and `hash` look at in a record or variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compared {
    /// Constructors and fields; constant constructors come first, as in OCaml.
    #[default]
    Parts,
    /// The same with constructors as they are declared.
    Declared,
    /// The elements in order: balanced trees of the library, whose shape says nothing.
    Elements,
    /// The number in the first field: collections of the library that change.
    Identity,
    /// Nothing: a value is equal to itself alone, and there is no order.
    Reference,
    /// What OCaml has in memory for `lazy e` at this moment (see [`crate::suspension`]).
    Suspension,
    /// The type of all polymorphic variants: a constructor is its tag's hash, then what it holds. Constructors of one
    /// name differ in what they hold; in phase `Poly` that may mention type variables of the function around, and
    /// a switch has cases for the tags that a value can have, not for all.
    Tags,
    /// The type of all objects of OCaml: the number in the first field. A constructor is a place that makes objects; in
    /// phase `Poly` what it holds may mention type variables of the function around, and a switch has cases for those
    /// that a value can be of.
    Objects,
    /// The elements of an array of numbers in bytes: a record of their kind, the order of its indices, the sizes, where
    /// they begin, and the bytes.
    Numbers,
    /// The value of an integer of any size: a constructor with an `int`, and one with how many digits there are,
    /// negative for a negative number, and the bytes of the digits.
    Integers,
}

impl Compared {
    /// Its name in the text of a program; none for the usual.
    pub const NAMES: [(Self, &'static str); 9] = [
        (Self::Declared, "in_order"),
        (Self::Elements, "elements"),
        (Self::Identity, "identity"),
        (Self::Reference, "reference"),
        (Self::Suspension, "suspension"),
        (Self::Tags, "tags"),
        (Self::Objects, "objects"),
        (Self::Numbers, "numbers"),
        (Self::Integers, "integers"),
    ];
}

/// A balanced tree of the library: one constructor with parts left, key, value if there is one, right, height.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tree {
    Map,
    Set,
}

impl Tree {
    /// The word before its elements where F# shows one.
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Set => "set",
        }
    }
}

impl DataDecl {
    /// Is it one of the library's trees?
    pub fn tree(&self) -> Option<Tree> {
        let DataKind::Variant(ctors) = &self.kind else { return None };
        if self.compared != Compared::Elements {
            return None;
        }
        ctors.iter().find_map(|it| match it.fields.len() {
            4 => Some(Tree::Set),
            5 => Some(Tree::Map),
            _ => None,
        })
    }
}

/// The number that OCaml has for a tag of polymorphic variants.
pub fn tag_hash(name: &str) -> i64 {
    let step = |hash: i64, byte: u8| hash.wrapping_mul(223).wrapping_add(i64::from(byte));
    let hash = name.bytes().fold(0, step) & 0x7fff_ffff;
    if hash > 0x3fff_ffff { hash - (1 << 31) } else { hash }
}

#[derive(Clone, Debug)]
pub enum DataKind {
    Record(Vec<Field>),
    Variant(Vec<Ctor>),
}

impl DataKind {
    /// The fields of a record, or of all constructors in order.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        let (record, ctors): (&[Field], &[Ctor]) = match self {
            Self::Record(fields) => (fields, &[]),
            Self::Variant(ctors) => (&[], ctors),
        };
        record.iter().chain(ctors.iter().flat_map(|it| &it.fields))
    }

    /// The same, to be changed.
    pub fn fields_mut(&mut self) -> impl Iterator<Item = &mut Field> {
        let (record, ctors): (&mut [Field], &mut [Ctor]) = match self {
            Self::Record(fields) => (fields, &mut []),
            Self::Variant(ctors) => (&mut [], ctors),
        };
        record.iter_mut().chain(ctors.iter_mut().flat_map(|it| &mut it.fields))
    }
}

#[derive(Clone, Debug)]
pub struct Ctor {
    pub name: Symbol,
    /// Empty for a constant constructor. Named and possibly mutable if the
    /// constructor was declared with an inline record.
    pub fields: Vec<Field>,
    pub inline_record: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// Positional fields are named `0`, `1`, ….
    pub name: Symbol,
    pub mutable: bool,
    /// Assignments to it close no cycle of references, says who declared it.
    pub acyclic: bool,
    pub ty: TyId,
}

impl Field {
    /// A field that stays as it is.
    pub fn plain(name: Symbol, ty: TyId) -> Self {
        Self { name, mutable: false, acyclic: false, ty }
    }
}

/// An exception constructor.
#[derive(Clone, Debug)]
pub struct ExnDecl {
    /// As `Printexc.to_string` shows it: `Not_found`, `Main.Error` with the path
    /// of the module it was declared in.
    pub name: Symbol,
    /// The variables in its fields: those of the function that declares it. Each instance of
    /// the function has an exception of its own.
    pub params: Vec<TyVarId>,
    /// One that is mutable holds a cell with what the program knows as the field.
    pub fields: Vec<Field>,
    pub inline_record: bool,
    /// Each evaluation of its declaration makes another exception: a number in the last field
    /// tells them apart.
    pub is_fresh: bool,
    pub span: Option<Span>,
}

impl ExnDecl {
    /// Without the modules around it.
    pub fn plain_name(&self) -> &str {
        let name = self.name.as_str();
        name.rsplit_once('.').map_or(name, |it| it.1)
    }

    /// The fields that the program knows of.
    pub fn declared(&self) -> &[Field] {
        &self.fields[..self.fields.len() - usize::from(self.is_fresh)]
    }
}

/// The types, data declarations and exceptions of one program.
#[derive(Clone, Debug)]
pub struct TypeTable {
    types: IndexSet<Ty, rustc_hash::FxBuildHasher>,
    /// Tuples whose two items are held side by side: see [`TypeTable::held`].
    pairs: IdSet<TyId>,
    pub datas: IdVec<DataId, DataDecl>,
    pub exns: IdVec<ExnId, ExnDecl>,
    /// One name for each type variable, for dumps.
    pub tyvars: IdVec<TyVarId, Symbol>,
    pub unit: TyId,
    pub bool: TyId,
    pub char: TyId,
    pub int: TyId,
    pub float: TyId,
    pub string: TyId,
    pub bytes: TyId,
    pub exn: TyId,
}

impl Default for TypeTable {
    fn default() -> Self {
        Self::new()
    }
}

impl TypeTable {
    pub fn new() -> Self {
        let mut types = IndexSet::default();
        let mut add = |ty| TyId::from_index(types.insert_full(ty).0);
        let unit = add(Ty::Unit);
        let bool = add(Ty::Bool);
        let char = add(Ty::Char);
        let int = add(Ty::Int(IntWidth::I63));
        let float = add(Ty::Float);
        let string = add(Ty::String);
        let bytes = add(Ty::Bytes);
        let exn = add(Ty::Exn);
        Self {
            types,
            pairs: IdSet::new(),
            datas: IdVec::new(),
            exns: IdVec::new(),
            tyvars: IdVec::new(),
            unit,
            bool,
            char,
            int,
            float,
            string,
            bytes,
            exn,
        }
    }

    pub fn intern(&mut self, ty: Ty) -> TyId {
        let (index, is_new) = self.types.insert_full(ty);
        let id = TyId::from_index(index);
        // Noted here, where the parts are known: a type with shared parts is large when it is written out.
        if is_new
            && let Ty::Tuple(items) = self.get(id)
            && let [first, second] = items[..]
            && !self.is_pair(first)
            && !self.is_pair(second)
        {
            self.pairs.insert(id);
        }
        id
    }

    /// Two values that are held side by side, without an object.
    pub fn is_pair(&self, ty: TyId) -> bool {
        self.pairs.contains(ty)
    }

    /// Does this type occur in the program?
    pub fn contains(&self, ty: &Ty) -> bool {
        self.types.contains(ty)
    }

    pub fn get(&self, id: TyId) -> &Ty {
        match self.types.get_index(id.index()) {
            Some(ty) => ty,
            None => oxbow_diag::ice!("type {id} is not in the table"),
        }
    }

    /// `params[0] -> params[1] -> … -> result`
    pub fn function(&mut self, params: &[TyId], result: TyId) -> TyId {
        params.iter().rev().fold(result, |result, &param| self.intern(Ty::Fn(param, result)))
    }

    /// Splits off up to `count` parameters; fewer if the type has fewer arrows.
    pub fn split_function(&self, ty: TyId, count: usize) -> (Vec<TyId>, TyId) {
        let (mut params, mut result) = (Vec::new(), ty);
        while params.len() < count {
            match *self.get(result) {
                Ty::Fn(param, rest) => {
                    params.push(param);
                    result = rest;
                }
                _ => break,
            }
        }
        (params, result)
    }

    /// Replaces type variables. `subst` answers `None` to keep one.
    pub fn substitute(&mut self, ty: TyId, subst: &dyn Fn(TyVarId) -> Option<TyId>) -> TyId {
        match self.get(ty).clone() {
            Ty::Var(var) => subst(var).unwrap_or(ty),
            other => {
                let mapped = other.map_parts(|it| self.substitute(it, subst));
                self.intern(mapped)
            }
        }
    }

    /// The variables that occur in these types, in order.
    pub fn vars_in(&self, tys: impl IntoIterator<Item = TyId>) -> Vec<TyVarId> {
        let mut todo: Vec<TyId> = tys.into_iter().collect();
        todo.reverse();
        let mut found = Vec::new();
        while let Some(ty) = todo.pop() {
            match self.get(ty) {
                Ty::Var(var) if !found.contains(var) => found.push(*var),
                other => todo.extend(other.parts().rev()),
            }
        }
        found
    }

    /// Is there such a type among those that values of a type hold? The types that variables in a declaration stand for
    /// are among the arguments of its name.
    pub fn holds(&self, ty: TyId, is_sought: impl Fn(&Ty) -> bool) -> bool {
        let (mut todo, mut seen) = (vec![ty], IdSet::new());
        while let Some(ty) = todo.pop() {
            if !seen.insert(ty) {
                continue;
            }
            let ty = self.get(ty);
            if is_sought(ty) {
                return true;
            }
            todo.extend(ty.parts());
            if let Ty::Data(data, _) = ty {
                todo.extend(self.datas[*data].kind.fields().map(|it| it.ty));
            }
        }
        false
    }

    /// The constructor of a variant type that is held in its word, without an object: the first with
    /// just one field that is an `int` or smaller, if all constructors have arguments. Such a field
    /// leaves a bit of its word free, which tells it from the objects of the others; constants would
    /// need that bit.
    pub fn word_ctor(&self, ty: TyId) -> Option<u32> {
        let Ty::Data(data, args) = self.get(ty) else { return None };
        let DataKind::Variant(ctors) = &self.datas[*data].kind else { return None };
        let fits = |ty: TyId| match self.get(ty) {
            Ty::Int(width) => !matches!(width, IntWidth::I64 | IntWidth::U64),
            it => matches!(it, Ty::Char | Ty::Bool),
        };
        let held = |ctor: &Ctor| match &ctor.fields[..] {
            [field] if field.mutable => false,
            [field] => match self.get(field.ty) {
                Ty::Var(var) => {
                    let params = &self.datas[*data].params;
                    let at = params.iter().position(|it| it == var);
                    at.and_then(|it| args.get(it)).is_some_and(|&it| fits(it))
                }
                _ => fits(field.ty),
            },
            _ => false,
        };
        let constants = ctors.iter().any(|it| it.fields.is_empty());
        let found = ctors.iter().position(held).filter(|_| !constants)?;
        Some(found as u32)
    }

    /// The type of a declared field, with the data type's parameters replaced by `args`.
    pub fn field_type(&mut self, data: DataId, args: &[TyId], field: TyId) -> TyId {
        let params = self.datas[data].params.clone();
        self.substitute(field, &|var| {
            params.iter().position(|&it| it == var).and_then(|at| args.get(at).copied())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::tag_hash;

    /// What `(Obj.magic `A : int)` is in OCaml.
    #[test]
    fn tags_have_the_hashes_of_ocaml() {
        assert_eq!(tag_hash("A"), 65);
        assert_eq!(tag_hash("Foo"), 3_505_894);
        assert_eq!(tag_hash("azdwbie"), -332_323_982);
        assert_eq!(tag_hash("c7diagq"), tag_hash("azdwbie"));
        assert_eq!(tag_hash("VeryLongTagNameForHash"), 617_223_492);
    }
}
