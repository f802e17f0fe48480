//! Classes and their types.

use oxbow_base::Span;
use oxbow_diag::Reported;

use super::{
    ArgLabel, Binding, Expr, ModuleExpr, Name, Param, Path, Pattern, PolyType, TypeExpr, TypeParam,
};

/// `object (self) … end`
#[derive(Clone, Debug, PartialEq)]
pub struct ClassBody {
    pub self_pattern: Option<Pattern>,
    pub fields: Vec<ClassField>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClassField {
    pub kind: ClassFieldKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClassFieldKind {
    /// `inherit c e as super`
    Inherit {
        class: ClassExpr,
        name: Option<Name>,
        overrides: bool,
    },
    /// `val mutable x : t = e`; without a value it is virtual.
    Val {
        name: Name,
        mutable: bool,
        overrides: bool,
        ty: Option<TypeExpr>,
        value: Option<Expr>,
    },
    /// `method m p : t = e`; without a value it is virtual.
    Method {
        name: Name,
        private: bool,
        overrides: bool,
        ty: Option<PolyType>,
        value: Option<Expr>,
    },
    /// `constraint t = u`
    Constraint(TypeExpr, TypeExpr),
    Initializer(Expr),
    Error(Reported),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClassExpr {
    pub kind: ClassExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClassExprKind {
    /// `[t, u] M.c`
    Path(Path, Vec<TypeExpr>),
    Body(ClassBody),
    Fun(Vec<Param>, Box<ClassExpr>),
    Apply(Box<ClassExpr>, Vec<(ArgLabel, Expr)>),
    Let {
        recursive: bool,
        bindings: Vec<Binding>,
        body: Box<ClassExpr>,
    },
    /// `let open M in …`
    Open(ModuleExpr, Box<ClassExpr>),
    Constraint(Box<ClassExpr>, ClassType),
    Error(Reported),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClassType {
    pub kind: ClassTypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClassTypeKind {
    Path(Path, Vec<TypeExpr>),
    /// `object ('self) … end`
    Body {
        self_type: Option<TypeExpr>,
        fields: Vec<ClassTypeField>,
    },
    Arrow(ArgLabel, TypeExpr, Box<ClassType>),
    /// `let open M in …`
    Open(ModuleExpr, Box<ClassType>),
    Error(Reported),
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClassTypeField {
    Inherit(ClassType),
    Val { name: Name, mutable: bool, is_virtual: bool, ty: TypeExpr },
    Method { name: Name, private: bool, is_virtual: bool, ty: PolyType },
    Constraint(TypeExpr, TypeExpr),
    Error(Reported),
}

/// `class virtual ['a] c = …`, `class type c = …`, and `class c : …` in signatures.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassDecl<T> {
    pub name: Name,
    pub is_virtual: bool,
    pub params: Vec<TypeParam>,
    pub body: T,
    pub span: Span,
}

// -------------------------------------------------------------------- modules
