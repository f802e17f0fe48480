//! The types of generated programs, and their declared data types.
//!
//! A type is closed except inside declarations and the types of polymorphic functions, where
//! [`Ty::Param`] stands for a type parameter.

use std::fmt::Write as _;

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    None,
    Named(&'static str),
    /// With a default; the type is that of the default.
    Optional(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Int,
    Bool,
    Str,
    Float,
    Unit,
    Exn,
    Tuple(Vec<Ty>),
    List(Box<Ty>),
    Option(Box<Ty>),
    Ref(Box<Ty>),
    Array(Box<Ty>),
    Lazy(Box<Ty>),
    /// A declared type, by its index, with its arguments.
    Data(usize, Vec<Ty>),
    Fun(Label, Box<Ty>, Box<Ty>),
    Param(usize),
}

impl Ty {
    pub fn list(of: Ty) -> Self {
        Self::List(Box::new(of))
    }

    pub fn option(of: Ty) -> Self {
        Self::Option(Box::new(of))
    }

    pub fn reference(of: Ty) -> Self {
        Self::Ref(Box::new(of))
    }

    pub fn array(of: Ty) -> Self {
        Self::Array(Box::new(of))
    }

    /// A function without labels.
    pub fn fun(params: &[Ty], result: Ty) -> Self {
        params
            .iter()
            .rev()
            .fold(result, |rest, it| Self::Fun(Label::None, Box::new(it.clone()), Box::new(rest)))
    }

    /// The parameters of a function, however many results it goes through, and the last result.
    pub fn arrows(&self) -> (Vec<(Label, Ty)>, Ty) {
        let mut params = Vec::new();
        let mut at = self;
        while let Self::Fun(label, param, rest) = at {
            params.push((*label, (**param).clone()));
            at = rest;
        }
        (params, at.clone())
    }

    /// The type after `count` arguments.
    pub fn after(&self, count: usize) -> Ty {
        let mut at = self;
        for _ in 0..count {
            match at {
                Self::Fun(_, _, rest) => at = rest,
                _ => break,
            }
        }
        at.clone()
    }

    fn parts(&self) -> Vec<&Ty> {
        match self {
            Self::Int
            | Self::Bool
            | Self::Str
            | Self::Float
            | Self::Unit
            | Self::Exn
            | Self::Param(_) => Vec::new(),
            Self::Tuple(items) | Self::Data(_, items) => items.iter().collect(),
            Self::List(of)
            | Self::Option(of)
            | Self::Ref(of)
            | Self::Array(of)
            | Self::Lazy(of) => vec![of],
            Self::Fun(_, param, result) => vec![param, result],
        }
    }

    /// Whether a part of the type, itself included, satisfies `test`. Does not look into declarations.
    pub fn any(&self, test: &dyn Fn(&Ty) -> bool) -> bool {
        test(self) || self.parts().iter().any(|it| it.any(test))
    }

    pub fn size(&self) -> usize {
        1 + self.parts().iter().map(|it| it.size()).sum::<usize>()
    }

    /// The type with its parameters replaced.
    pub fn subst(&self, args: &[Ty]) -> Ty {
        let one = |it: &Ty| Box::new(it.subst(args));
        match self {
            Self::Param(index) => args.get(*index).cloned().unwrap_or(Self::Int),
            Self::Int | Self::Bool | Self::Str | Self::Float | Self::Unit | Self::Exn => {
                self.clone()
            }
            Self::Tuple(items) => Self::Tuple(items.iter().map(|it| it.subst(args)).collect()),
            Self::Data(id, items) => {
                Self::Data(*id, items.iter().map(|it| it.subst(args)).collect())
            }
            Self::List(of) => Self::List(one(of)),
            Self::Option(of) => Self::Option(one(of)),
            Self::Ref(of) => Self::Ref(one(of)),
            Self::Array(of) => Self::Array(one(of)),
            Self::Lazy(of) => Self::Lazy(one(of)),
            Self::Fun(label, param, result) => Self::Fun(*label, one(param), one(result)),
        }
    }

    /// Finds the parameters that make `self` equal to `ty`. On failure `found` is in disorder.
    pub fn matches(&self, ty: &Ty, found: &mut Vec<Option<Ty>>) -> bool {
        match (self, ty) {
            (Self::Param(index), _) => {
                if found.len() <= *index {
                    found.resize(*index + 1, None);
                }
                match &found[*index] {
                    Some(bound) => bound == ty,
                    None => {
                        found[*index] = Some(ty.clone());
                        true
                    }
                }
            }
            (Self::Tuple(left), Self::Tuple(right)) => {
                left.len() == right.len()
                    && left.iter().zip(right).all(|(a, b)| a.matches(b, found))
            }
            (Self::Data(a, left), Self::Data(b, right)) => {
                a == b && left.iter().zip(right).all(|(a, b)| a.matches(b, found))
            }
            (Self::List(a), Self::List(b))
            | (Self::Option(a), Self::Option(b))
            | (Self::Ref(a), Self::Ref(b))
            | (Self::Array(a), Self::Array(b))
            | (Self::Lazy(a), Self::Lazy(b)) => a.matches(b, found),
            (Self::Fun(la, a, ra), Self::Fun(lb, b, rb)) => {
                la == lb && a.matches(b, found) && ra.matches(rb, found)
            }
            _ => self == ty,
        }
    }
}

/// A field of a record type.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub mutable: bool,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
pub struct Ctor {
    pub name: String,
    pub args: Vec<Ty>,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Record(Vec<Field>),
    /// A recursive variant refers to itself with its own parameters, directly or in a list, and its
    /// first constructor has no arguments.
    Variant(Vec<Ctor>),
    /// A closed polymorphic variant; the names begin with a back quote.
    Tags(Vec<Ctor>),
    /// Constructors with results of their own. Its one parameter is what a value evaluates to; the first constructor
    /// holds a value of any type.
    Gadt(Vec<GadtCtor>),
    /// An object: a method for each field, and one that sets it or makes a changed copy.
    Object(Vec<Field>),
    /// A packed module with a hidden type, two functions between that and `int`, a functor, and these values.
    Package(Vec<Field>),
}

/// A constructor with a result of its own.
#[derive(Clone, Debug)]
pub struct GadtCtor {
    pub name: String,
    pub args: Vec<Ty>,
    /// The argument of the type that it makes.
    pub result: Ty,
    /// What a value of it evaluates to: a template over its arguments.
    pub eval: String,
}

/// A declared type.
#[derive(Clone, Debug)]
pub struct Data {
    pub name: String,
    pub params: usize,
    pub shape: Shape,
    pub recursive: bool,
    /// Declared by the prelude.
    pub preset: bool,
    /// The polymorphic variant whose tags it has as well.
    pub includes: Option<usize>,
}

/// What every part of a program may ask about types.
#[derive(Clone, Debug, Default)]
pub struct Types {
    pub data: Vec<Data>,
    /// Exceptions: of the program and of the library.
    pub exns: Vec<Ctor>,
}

impl Types {
    /// Whether values of the type may hold functions (or what else cannot be compared).
    pub fn has_function(&self, ty: &Ty) -> bool {
        ty.any(&|it| match it {
            Ty::Fun(..) | Ty::Lazy(_) | Ty::Exn => true,
            Ty::Data(id, _) if self.is_opaque(*id) => true,
            Ty::Data(id, _) => self.members(*id).iter().any(|(_, member)| {
                !member.any(&|it| matches!(it, Ty::Data(inner, _) if inner == id))
                    && self.has_function(member)
            }),
            _ => false,
        })
    }

    /// Objects and packed modules are not compared, and trees that could be large are not either.
    fn is_opaque(&self, id: usize) -> bool {
        matches!(self.data[id].shape, Shape::Gadt(_) | Shape::Object(_) | Shape::Package(_))
    }

    /// The types of the parts of a declared type, each with whether it is mutable.
    pub fn members(&self, id: usize) -> Vec<(bool, Ty)> {
        match &self.data[id].shape {
            Shape::Record(fields) | Shape::Object(fields) | Shape::Package(fields) => {
                fields.iter().map(|it| (it.mutable, it.ty.clone())).collect()
            }
            Shape::Gadt(ctors) => {
                ctors.iter().flat_map(|it| it.args.iter().map(|ty| (false, ty.clone()))).collect()
            }
            Shape::Variant(ctors) | Shape::Tags(ctors) => {
                ctors.iter().flat_map(|it| it.args.iter().map(|ty| (false, ty.clone()))).collect()
            }
        }
    }

    /// The type in OCaml's syntax, in parentheses where needed.
    pub fn text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "int".into(),
            Ty::Bool => "bool".into(),
            Ty::Str => "string".into(),
            Ty::Float => "float".into(),
            Ty::Unit => "unit".into(),
            Ty::Exn => "exn".into(),
            Ty::Param(index) => format!("'{}", char::from(b'a' + *index as u8)),
            Ty::Tuple(items) => {
                format!(
                    "({})",
                    items.iter().map(|it| self.text(it)).collect::<Vec<_>>().join(" * ")
                )
            }
            Ty::List(of) => format!("{} list", self.text(of)),
            Ty::Option(of) => format!("{} option", self.text(of)),
            Ty::Ref(of) => format!("{} ref", self.text(of)),
            Ty::Array(of) => format!("{} array", self.text(of)),
            Ty::Lazy(of) => format!("{} Lazy.t", self.text(of)),
            Ty::Data(id, args) => {
                let mut text = String::new();
                if !args.is_empty() {
                    let args: Vec<_> = args.iter().map(|it| self.text(it)).collect();
                    let _ = write!(text, "({}) ", args.join(", "));
                }
                text + &self.data[*id].name
            }
            Ty::Fun(label, param, result) => {
                let label = match label {
                    Label::None => String::new(),
                    Label::Named(name) => format!("{name}:"),
                    Label::Optional(name) => format!("?{name}:"),
                };
                format!("({label}{} -> {})", self.text(param), self.text(result))
            }
        }
    }
}
