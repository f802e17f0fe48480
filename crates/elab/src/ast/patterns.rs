//! What the form of a pattern says by itself, and what stands in it.

use super::{Pattern, PatternKind};

impl Pattern {
    /// Calls `visit` for the patterns that this one is made of, from left to right, and for none of their own.
    pub fn for_each_part<'p>(&'p self, mut visit: impl FnMut(&'p Self)) {
        match &self.kind {
            PatternKind::Any
            | PatternKind::Var(_)
            | PatternKind::Constant(_)
            | PatternKind::Range(..)
            | PatternKind::TypeTest(_)
            | PatternKind::Measured(..)
            | PatternKind::VariantType(_)
            | PatternKind::Unpack(..)
            | PatternKind::Error(_) => (),
            PatternKind::Alias(inner, _)
            | PatternKind::Annotate(inner, _)
            | PatternKind::Lazy(inner)
            | PatternKind::Exception(inner)
            | PatternKind::ConstructTypes(_, _, inner)
            | PatternKind::Open(_, inner) => visit(inner),
            PatternKind::Construct(_, arg) => arg.as_deref().into_iter().for_each(visit),
            PatternKind::Variant(_, arg) => arg.as_deref().into_iter().for_each(visit),
            PatternKind::Tuple(items)
            | PatternKind::List(items)
            | PatternKind::Array(items)
            | PatternKind::ConstructMany(_, items) => items.iter().for_each(visit),
            PatternKind::LabelledTuple { items, .. } => items.iter().for_each(|it| visit(&it.1)),
            PatternKind::Record { fields, .. } => fields.iter().for_each(|it| visit(&it.1)),
            PatternKind::Or(left, right) => {
                visit(left);
                visit(right);
            }
        }
    }

    /// Is there such a pattern: this one, or one inside?
    pub fn contains(&self, mut is_wanted: impl FnMut(&Self) -> bool) -> bool {
        let mut todo = vec![self];
        while let Some(pattern) = todo.pop() {
            if is_wanted(pattern) {
                return true;
            }
            pattern.for_each_part(|it| todo.push(it));
        }
        false
    }

    /// A constructor anywhere, of which inference only knows the type.
    pub fn has_constructor(&self) -> bool {
        self.contains(|it| {
            matches!(
                it.kind,
                PatternKind::Construct(..)
                    | PatternKind::ConstructMany(..)
                    | PatternKind::ConstructTypes(..)
                    | PatternKind::List(_)
                    | PatternKind::Variant(..)
                    | PatternKind::VariantType(_)
            )
        })
    }

    /// Does it bind a module?
    pub fn unpacks(&self) -> bool {
        self.contains(|it| matches!(it.kind, PatternKind::Unpack(..)))
    }

    /// Does it mention tags, as it is written?
    pub fn has_tags(&self) -> bool {
        self.contains(|it| {
            matches!(it.kind, PatternKind::Variant(..) | PatternKind::VariantType(_))
        })
    }

    /// Does the form alone say that this matches every value? A union with one case needs its type.
    pub fn always_matches(&self) -> bool {
        match &self.kind {
            PatternKind::Any | PatternKind::Var(_) | PatternKind::Unpack(..) => true,
            PatternKind::Alias(inner, _)
            | PatternKind::Annotate(inner, _)
            | PatternKind::Open(_, inner) => inner.always_matches(),
            PatternKind::Tuple(items) => items.iter().all(Self::always_matches),
            PatternKind::LabelledTuple { items, .. } => {
                items.iter().all(|it| it.1.always_matches())
            }
            PatternKind::Record { fields, .. } => fields.iter().all(|it| it.1.always_matches()),
            PatternKind::Construct(path, None) => path.name.text.as_str() == "()",
            PatternKind::Construct(_, Some(_))
            | PatternKind::Constant(_)
            | PatternKind::Range(..)
            | PatternKind::List(_)
            | PatternKind::Array(_)
            | PatternKind::Or(..)
            | PatternKind::Lazy(_)
            | PatternKind::Exception(_)
            | PatternKind::ConstructMany(..)
            | PatternKind::ConstructTypes(..)
            | PatternKind::TypeTest(_)
            | PatternKind::Measured(..)
            | PatternKind::Variant(..)
            | PatternKind::VariantType(_)
            | PatternKind::Error(_) => false,
        }
    }
}
