//! What the form of a pattern says by itself.

use super::{Pattern, PatternKind};

impl Pattern {
    /// A constructor anywhere, of which inference only knows the type.
    pub fn has_constructor(&self) -> bool {
        let mut todo = vec![self];
        while let Some(pattern) = todo.pop() {
            match &pattern.kind {
                PatternKind::Construct(..)
                | PatternKind::ConstructMany(..)
                | PatternKind::ConstructTypes(..)
                | PatternKind::List(_)
                | PatternKind::Variant(..)
                | PatternKind::VariantType(_) => return true,
                PatternKind::Any
                | PatternKind::Var(_)
                | PatternKind::Constant(_)
                | PatternKind::Range(..)
                | PatternKind::TypeTest(_)
                | PatternKind::Measured(..)
                | PatternKind::Unpack(..)
                | PatternKind::Error(_) => (),
                PatternKind::Alias(inner, _)
                | PatternKind::Annotate(inner, _)
                | PatternKind::Lazy(inner)
                | PatternKind::Exception(inner)
                | PatternKind::Open(_, inner) => todo.push(inner),
                PatternKind::Tuple(items) | PatternKind::Array(items) => todo.extend(items),
                PatternKind::LabelledTuple { items, .. } => {
                    todo.extend(items.iter().map(|it| &it.1))
                }
                PatternKind::Record { fields, .. } => todo.extend(fields.iter().map(|it| &it.1)),
                PatternKind::Or(left, right) => todo.extend([&**left, &**right]),
            }
        }
        false
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
