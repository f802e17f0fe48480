//! Patterns as matching sees them: a head and all its parts.
//!
//! `()` and variables match anything; `M.{ x; _ }` has a part for every field; alternatives
//! of nested or-patterns stand in one list, each with a number by which its use is known.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use oxbow_base::{FxHashMap, Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{ExnId, IntWidth, TyId, VarId};

use crate::ast::Constant;
use crate::tast::{Expr, Pattern, PatternKind};
use crate::types::{Tag, TyConId, TyConKind, Type, TypeId, Types};

#[derive(Clone, Debug)]
pub(super) enum Pat<'t> {
    Any,
    Bind(VarId, Box<Pat<'t>>),
    Con(Con, Vec<Pat<'t>>),
    /// Characters, inclusive, ascending.
    Range(u8, u8),
    Or(Vec<(usize, Pat<'t>)>),
    Lazy(View<'t>, Box<Pat<'t>>),
}

/// What is done to a value before it is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) enum View<'t> {
    /// A call of this function, and the number of its type among those of the match.
    Force(&'t Expr, usize),
    /// It is the same, at another type.
    Retype(TyId),
}

/// Patterns that see the value at another type than it has where it stands.
pub(in crate::build) type Views = FxHashMap<*const Pattern, TyId>;

/// What goes with a head and does not tell it from others: the same row may be written in several ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aside<T>(pub T);

impl<T> PartialEq for Aside<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Aside<T> {}

impl<T> Hash for Aside<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A head that distinguishes values of a type, or just opens them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Con {
    Bool(bool),
    Int(IntWidth, i64),
    Char(u8),
    String(Arc<[u8]>),
    /// By bits; the two zeros are one.
    Float(u64),
    /// Of so many components.
    Tuple(usize),
    Ctor(TyConId, u32),
    /// Of a row, with what it holds.
    Tag {
        row: Aside<TypeId>,
        tag: Symbol,
        holds: Aside<Option<TypeId>>,
    },
    Record(TyConId),
    /// Of this length.
    Array(usize),
    Exn(ExnId),
}

impl Con {
    /// Every value of the type has this head.
    pub(super) fn is_only(&self, types: &Types) -> bool {
        match self {
            Con::Tuple(_) | Con::Record(_) => true,
            Con::Ctor(tycon, _) => ctor_count(types, *tycon) == 1,
            Con::Tag { row, .. } => tag_count(types, row.0) == Some(1),
            Con::Bool(_)
            | Con::Int(..)
            | Con::Char(_)
            | Con::String(_)
            | Con::Float(_)
            | Con::Array(_)
            | Con::Exn(_) => false,
        }
    }

    /// How many heads the type has, if finitely many that are worth counting.
    pub(super) fn siblings(&self, types: &Types) -> Option<usize> {
        match self {
            Con::Bool(_) => Some(2),
            Con::Ctor(tycon, _) => Some(ctor_count(types, *tycon)),
            Con::Tag { row, .. } => tag_count(types, row.0),
            Con::Tuple(_) | Con::Record(_) => Some(1),
            Con::Int(..)
            | Con::Char(_)
            | Con::String(_)
            | Con::Float(_)
            | Con::Array(_)
            | Con::Exn(_) => None,
        }
    }
}

fn ctor_count(types: &Types, tycon: TyConId) -> usize {
    match &types.tycons[tycon].kind {
        TyConKind::Variant(ctors) => ctors.len(),
        other => ice!("constructor of {}, which is {other:?}", types.tycons[tycon].path),
    }
}

/// The tags that a closed row may have.
pub(super) fn tags_of(types: &Types, row: TypeId) -> Option<&[(Symbol, Tag)]> {
    match types.get(row) {
        Type::Row(row) if row.closed => Some(&row.tags),
        _ => None,
    }
}

fn tag_count(types: &Types, row: TypeId) -> Option<usize> {
    tags_of(types, row).map(<[_]>::len)
}

/// Are these written alike? Abbreviations are not looked into.
fn same_type(types: &Types, a: TypeId, b: TypeId) -> bool {
    let (a, b) = (types.repr(a), types.repr(b));
    let all = |a: &[TypeId], b: &[TypeId]| {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same_type(types, a, b))
    };
    a == b
        || match (types.get(a), types.get(b)) {
            (Type::Arrow(_, a, x), Type::Arrow(_, b, y)) => all(&[*a, *x], &[*b, *y]),
            (Type::Tuple(a), Type::Tuple(b)) => all(a, b),
            (Type::Con(a, x), Type::Con(b, y)) => a == b && all(x, y),
            _ => false,
        }
}

/// An alternative of an or-pattern.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) span: Span,
    pub(super) arm: usize,
    /// It stands in the text, and is not one of the tags that `#t` stands for.
    pub(super) written: bool,
}

/// Converts the patterns of one match.
pub(super) struct Converter<'c> {
    pub(super) types: &'c Types,
    pub(super) alternatives: Vec<Alternative>,
    /// Keep the bindings of one variable only, under another name.
    pub(super) only: Option<(VarId, VarId)>,
    pub(super) views: &'c Views,
    /// The types of the functions that values are seen through: one function may give values of several types.
    pub(super) forces: Vec<TypeId>,
}

impl Converter<'_> {
    pub(super) fn convert<'t>(&mut self, pattern: &'t Pattern, arm: usize) -> Pat<'t> {
        let plain = self.convert_plain(pattern, arm);
        match self.views.get(&std::ptr::from_ref(pattern)) {
            Some(&ty) => Pat::Lazy(View::Retype(ty), Box::new(plain)),
            None => plain,
        }
    }

    fn convert_plain<'t>(&mut self, pattern: &'t Pattern, arm: usize) -> Pat<'t> {
        match &pattern.kind {
            PatternKind::Any | PatternKind::Unit => Pat::Any,
            PatternKind::Var(var) => self.bind(*var, Pat::Any),
            PatternKind::Alias(inner, var) => {
                let inner = self.convert(inner, arm);
                self.bind(*var, inner)
            }
            PatternKind::Bool(value) => Pat::Con(Con::Bool(*value), Vec::new()),
            PatternKind::Constant(constant) => Pat::Con(head(constant), Vec::new()),
            PatternKind::CharRange(low, high) => Pat::Range(*low.min(high), *low.max(high)),
            PatternKind::Tuple(items) => Pat::Con(Con::Tuple(items.len()), self.all(items, arm)),
            PatternKind::Construct { tycon, ctor, args } => {
                Pat::Con(Con::Ctor(self.types.declaration(*tycon), *ctor), self.all(args, arm))
            }
            PatternKind::Variant { tag, arg } => {
                let row = self.types.repr(pattern.ty);
                let holds = arg.as_ref().map(|it| self.held(row, *tag, it.ty));
                let parts = arg.iter().map(|it| self.convert(it, arm)).collect();
                Pat::Con(Con::Tag { row: Aside(row), tag: *tag, holds: Aside(holds) }, parts)
            }
            PatternKind::Record { tycon, fields } => {
                let tycon = self.types.declaration(*tycon);
                let count = match &self.types.tycons[tycon].kind {
                    TyConKind::Record(fields) => fields.len(),
                    other => ice!("record pattern of {other:?}"),
                };
                let mut parts = vec![Pat::Any; count];
                for (index, field) in fields {
                    parts[*index as usize] = self.convert(field, arm);
                }
                Pat::Con(Con::Record(tycon), parts)
            }
            PatternKind::Array(items) => Pat::Con(Con::Array(items.len()), self.all(items, arm)),
            PatternKind::Exn { exn, args } => {
                Pat::Con(Con::Exn(self.types.exn_behind(*exn)), self.all(args, arm))
            }
            PatternKind::Or(..) => self.or(pattern, arm),
            PatternKind::Lazy { force, pattern } => {
                let view = View::Force(force, self.number_of(force.ty));
                Pat::Lazy(view, Box::new(self.convert(pattern, arm)))
            }
            PatternKind::Error(_) => ice!("an error pattern reaches the graph"),
        }
    }

    fn number_of(&mut self, ty: TypeId) -> usize {
        let known = self.forces.iter().position(|&it| same_type(self.types, it, ty));
        known.unwrap_or_else(|| {
            self.forces.push(ty);
            self.forces.len() - 1
        })
    }

    /// The type of what a tag holds, the same for all patterns of it.
    fn held(&self, row: TypeId, tag: Symbol, otherwise: TypeId) -> TypeId {
        let found = match self.types.get(row) {
            Type::Row(row) => row.find(tag).and_then(|it| it.types().first().copied()),
            _ => None,
        };
        self.types.repr(found.unwrap_or(otherwise))
    }

    fn all<'t>(&mut self, patterns: &'t [Pattern], arm: usize) -> Vec<Pat<'t>> {
        patterns.iter().map(|it| self.convert(it, arm)).collect()
    }

    fn bind<'t>(&self, var: VarId, inner: Pat<'t>) -> Pat<'t> {
        match self.only {
            None => Pat::Bind(var, Box::new(inner)),
            Some((kept, name)) if kept == var => Pat::Bind(name, Box::new(inner)),
            Some(_) => inner,
        }
    }

    fn or<'t>(&mut self, pattern: &'t Pattern, arm: usize) -> Pat<'t> {
        let (mut found, mut todo) = (Vec::new(), vec![(pattern, true)]);
        while let Some((pattern, written)) = todo.pop() {
            if let PatternKind::Or(left, right) = &pattern.kind {
                let written = left.span != right.span;
                todo.extend([(&**right, written), (&**left, written)]);
            } else {
                let number = self.alternatives.len();
                self.alternatives.push(Alternative { span: pattern.span, arm, written });
                found.push((number, self.convert(pattern, arm)));
            }
        }
        Pat::Or(found)
    }
}

fn head(constant: &Constant) -> Con {
    match constant {
        Constant::Int(value) => Con::Int(IntWidth::I63, *value),
        Constant::Int32(value) => Con::Int(IntWidth::I32, i64::from(*value)),
        Constant::Int64(value) | Constant::Nativeint(value) => Con::Int(IntWidth::I64, *value),
        Constant::Sized(width, value) => Con::Int(*width, *value),
        Constant::Float32(_) => oxbow_diag::ice!("patterns hold no float32"),
        Constant::Float(value) => Con::Float(if *value == 0.0 { 0 } else { value.to_bits() }),
        Constant::Char(value) => Con::Char(*value),
        Constant::String(value) => Con::String(value.as_slice().into()),
    }
}
