//! Items of structures and signatures, and expressions and types of modules.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Reported;

use super::*;

#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    Let {
        recursive: bool,
        bindings: Vec<Binding>,
    },
    /// A top-level expression.
    Eval(Expr),
    External(External),
    Type {
        recursive: bool,
        decls: Vec<TypeDecl>,
    },
    Exception(ExceptionDecl),
    /// `type t += …`
    Extend(TypeExtension),
    Module {
        name: Name,
        body: ModuleExpr,
    },
    /// `module rec A : S = a and B : T = b`
    RecModules(Vec<RecModule>),
    ModuleType {
        name: Name,
        body: Option<ModuleType>,
    },
    Open(ModuleExpr),
    Include(ModuleExpr),
    Class(Vec<ClassDecl<ClassExpr>>),
    ClassType(Vec<ClassDecl<ClassType>>),
    /// Names in what could not be parsed (Clef): that they are unknown is reported already.
    Broken(Vec<Symbol>),
    /// Members of the types declared before (Clef), of all types of one group together.
    Members(Vec<Members>),
    /// `[@@@attr]`
    Attribute(Attribute),
    Error(Reported),
}

/// `external x : t = "prim"`
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    pub name: Name,
    pub ty: TypeExpr,
    pub prims: Vec<Symbol>,
    /// How C is given each parameter and gives the result, as the attributes say.
    pub passing: Vec<Passing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// As OCaml has the value.
    Boxed,
    /// `[@unboxed]`: a float or an integer of 32 or 64 bits as C has it.
    Unboxed,
    /// `[@untagged]`: an `int` as a number of 64 bits.
    Untagged,
}

/// The members of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Members {
    pub path: Path,
    pub params: Vec<TypeParam>,
    pub members: Vec<Member>,
    /// What other types its values can be seen as.
    pub views: Vec<View>,
    pub class: ClassMembers,
}

/// What a class of Clef says of the methods that heirs define.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassMembers {
    /// `abstract M: t`
    pub slots: Vec<Name>,
    /// `override`s and `default`s.
    pub overrides: Vec<Name>,
    /// Its objects are those of heirs, or it is no class.
    pub is_abstract: bool,
    /// `interface I with …`
    pub interfaces: Vec<TypeExpr>,
}

/// The member that `x[i]` means in Clef.
pub const INDEXER: &str = "Item";

#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: Name,
    pub kind: MemberKind,
    /// A function: of the object first, of unit for a static property.
    pub binding: Binding,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    Property,
    Method,
    StaticProperty,
    StaticMethod,
}

/// One of several modules that know each other.
#[derive(Clone, Debug, PartialEq)]
pub struct RecModule {
    pub name: Name,
    pub ty: ModuleType,
    pub body: ModuleExpr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModuleExpr {
    pub kind: ModuleExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ModuleExprKind {
    Path(ModulePath),
    Structure(Vec<Item>),
    /// `functor (X : S) -> m`; a generative `()` has no name.
    Functor(FunctorParam, Box<ModuleExpr>),
    /// `F (X)`; `None` is `F ()`.
    Apply(Box<ModuleExpr>, Option<Box<ModuleExpr>>),
    Constraint(Box<ModuleExpr>, ModuleType),
    /// `(val e)`, `(val e : S)`
    Unpack(Box<Expr>, Option<PackageType>),
    Error(Reported),
}

#[derive(Clone, Debug, PartialEq)]
pub struct FunctorParam {
    /// `None` for `()` and for `_`.
    pub name: Option<Name>,
    /// `None` for `()`.
    pub ty: Option<Box<ModuleType>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModuleType {
    pub kind: ModuleTypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ModuleTypeKind {
    Path(Path),
    Signature(Vec<SigItem>),
    Functor(FunctorParam, Box<ModuleType>),
    With(Box<ModuleType>, Vec<WithConstraint>),
    /// `module type of m`
    TypeOf(Box<ModuleExpr>),
    Error(Reported),
}

#[derive(Clone, Debug, PartialEq)]
pub enum WithConstraint {
    /// `type ('a) M.t = u`; `destructive` for `:=`.
    Type {
        path: Path,
        params: Vec<TypeParam>,
        ty: TypeExpr,
        destructive: bool,
        /// `constraint 'a = t` behind it.
        constraints: Vec<(TypeExpr, TypeExpr)>,
    },
    Module {
        path: Path,
        target: ModulePath,
        destructive: bool,
    },
    ModuleType {
        path: Path,
        ty: ModuleType,
        destructive: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct SigItem {
    pub kind: SigItemKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SigItemKind {
    Value {
        name: Name,
        ty: TypeExpr,
    },
    External(External),
    Type {
        recursive: bool,
        decls: Vec<TypeDecl>,
    },
    Exception(ExceptionDecl),
    /// `type t += …`
    Extend(TypeExtension),
    Module {
        name: Name,
        ty: ModuleType,
    },
    /// `module rec A : S and B : T`
    RecModules(Vec<(Name, ModuleType)>),
    /// `module M = N`
    ModuleAlias {
        name: Name,
        target: ModulePath,
    },
    ModuleType {
        name: Name,
        body: Option<ModuleType>,
    },
    Open(ModulePath),
    Include(ModuleType),
    Class(Vec<ClassDecl<ClassType>>),
    ClassType(Vec<ClassDecl<ClassType>>),
    /// `type t := u`, `module M := N`, `module type S := T`: known in the rest of the signature only.
    Local(Box<SigItem>),
    Attribute(Attribute),
    Error(Reported),
}

/// A parsed `.ml` file.
pub type Structure = Vec<Item>;
/// A parsed `.mli` file.
pub type Signature = Vec<SigItem>;
