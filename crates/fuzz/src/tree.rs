//! The typed tree of a generated program.
//!
//! Variables are numbers, bound once each; the printer chooses names, and lets one variable
//! shadow another wherever the other is not needed. A shrunk program is well-typed as long as
//! expressions are replaced by expressions of the same type and its variables are in scope.

use crate::types::{Label, Ty, Types};

/// A variable, an index into [`Program::vars`].
pub type Var = usize;

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub ty: Ty,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Text without parts: a literal, a library function.
    Atom(String),
    Var(Var),
    /// Text with parts: `({0} + {1})`. Only the parts numbered in the text are printed.
    Op(&'static str, Vec<Expr>),
    /// A value of a compound type.
    Build(Build, Vec<Expr>),
    /// The text of a value, by its type.
    Show(Box<Expr>),
    Call {
        func: Box<Expr>,
        args: Vec<Arg>,
        permuted: bool,
    },
    Fun {
        params: Vec<Param>,
        body: Box<Expr>,
    },
    Let {
        pat: Pat,
        annotated: bool,
        bound: Box<Expr>,
        body: Box<Expr>,
    },
    LetRec {
        binds: Vec<(Var, Expr)>,
        body: Box<Expr>,
    },
    /// A local instance of a functor of the prelude; see `globals::MODULES`.
    LetModule {
        module: usize,
        args: Vec<Expr>,
        vars: Vec<Var>,
        body: Box<Expr>,
    },
    Match {
        on: Box<Expr>,
        arms: Vec<Arm>,
    },
    Try {
        body: Box<Expr>,
        arms: Vec<Arm>,
    },
    For {
        var: Var,
        down: bool,
        from: Box<Expr>,
        to: Box<Expr>,
        body: Box<Expr>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Build {
    Tuple,
    List,
    Array,
    /// A constructor by name; `limit` names the function that bounds recursive arguments.
    Ctor(String, Option<String>),
    /// Field names in the order they are written.
    Record(Vec<String>),
    /// An object of a declared type: the values of its fields.
    Object(Making, usize),
    /// A packed module of a declared type: what its hidden type is, the functions from and to `int`, its values.
    Package(Ty, usize),
}

/// How an object is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// `object … end`
    Immediate,
    /// `new` of the class that is declared with the type.
    New,
    /// `new` of a class that inherits from that, seen as the type.
    Heir,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    pub label: Label,
    /// Absent: an optional argument that is left out.
    pub value: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub pat: Pat,
    pub label: Label,
    pub ty: Ty,
    pub default: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub pat: Pat,
    pub guard: Option<Expr>,
    pub body: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Pat {
    Wild,
    Var(Var),
    Literal(String),
    Tuple(Vec<Pat>),
    List(Vec<Pat>),
    Cons(Box<Pat>, Box<Pat>),
    Ctor(String, Vec<Pat>),
    Record(Vec<(String, Pat)>),
    Or(Vec<Pat>),
    As(Box<Pat>, Var),
}

/// A definition at the top of the program.
#[derive(Clone, Debug)]
pub enum Item {
    Let {
        var: Var,
        bound: Expr,
    },
    LetRec {
        binds: Vec<(Var, Expr)>,
    },
    Module {
        module: usize,
        args: Vec<Expr>,
        vars: Vec<Var>,
    },
    /// `let () = …`
    Run(Expr),
}

#[derive(Clone, Debug)]
pub struct VarInfo {
    /// The name it gets if that is free.
    pub hint: &'static str,
    pub ty: Ty,
}

/// How a program that is alone in its file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Normal,
    Exit(u8),
    Raise,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub types: Types,
    pub vars: Vec<VarInfo>,
    pub items: Vec<Item>,
    pub ending: Ending,
}

impl Expr {
    pub fn new(ty: Ty, kind: Kind) -> Self {
        Self { ty, kind }
    }

    pub fn atom(ty: Ty, text: impl Into<String>) -> Self {
        Self::new(ty, Kind::Atom(text.into()))
    }

    pub fn op(ty: Ty, text: &'static str, parts: Vec<Expr>) -> Self {
        Self::new(ty, Kind::Op(text, parts))
    }

    pub fn int(value: i64) -> Self {
        Self::atom(Ty::Int, if value < 0 { format!("({value})") } else { value.to_string() })
    }

    pub fn var(ty: Ty, var: Var) -> Self {
        Self::new(ty, Kind::Var(var))
    }

    /// A call without labels.
    pub fn call(func: Expr, args: Vec<Expr>) -> Self {
        let ty = func.ty.after(args.len());
        let args = args.into_iter().map(|it| Arg { label: Label::None, value: Some(it) }).collect();
        Self::new(ty, Kind::Call { func: Box::new(func), args, permuted: false })
    }

    pub fn bind(var: Var, bound: Expr, body: Expr) -> Self {
        let (pat, ty) = (Pat::Var(var), body.ty.clone());
        Self::new(
            ty,
            Kind::Let { pat, annotated: false, bound: Box::new(bound), body: Box::new(body) },
        )
    }

    /// A function of plain parameters.
    pub fn lambda(params: &[(Var, Ty)], body: Expr) -> Self {
        let types: Vec<Ty> = params.iter().map(|it| it.1.clone()).collect();
        let ty = Ty::fun(&types, body.ty.clone());
        let plain = |(var, ty): &(Var, Ty)| Param {
            pat: Pat::Var(*var),
            label: Label::None,
            ty: ty.clone(),
            default: None,
        };
        Self::new(
            ty,
            Kind::Fun { params: params.iter().map(plain).collect(), body: Box::new(body) },
        )
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        let mut size = 1;
        self.children(&mut |it| size += it.size());
        size
    }

    pub fn children<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            Kind::Atom(_) | Kind::Var(_) => (),
            Kind::Op(_, parts) | Kind::Build(_, parts) => parts.iter().for_each(f),
            Kind::Show(of) => f(of),
            Kind::Call { func, args, .. } => {
                f(func);
                args.iter().filter_map(|it| it.value.as_ref()).for_each(f);
            }
            Kind::Fun { params, body } => {
                params.iter().filter_map(|it| it.default.as_ref()).for_each(&mut *f);
                f(body);
            }
            Kind::Let { bound, body, .. } => {
                f(bound);
                f(body);
            }
            Kind::LetRec { binds, body } => {
                binds.iter().for_each(|it| f(&it.1));
                f(body);
            }
            Kind::LetModule { args, body, .. } => {
                args.iter().for_each(&mut *f);
                f(body);
            }
            Kind::Match { on: body, arms } | Kind::Try { body, arms } => {
                f(body);
                for arm in arms {
                    arm.guard.iter().for_each(&mut *f);
                    f(&arm.body);
                }
            }
            Kind::For { from, to, body, .. } => {
                f(from);
                f(to);
                f(body);
            }
        }
    }

    pub fn children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            Kind::Atom(_) | Kind::Var(_) => (),
            Kind::Op(_, parts) | Kind::Build(_, parts) => parts.iter_mut().for_each(f),
            Kind::Show(of) => f(of),
            Kind::Call { func, args, .. } => {
                f(func);
                args.iter_mut().filter_map(|it| it.value.as_mut()).for_each(f);
            }
            Kind::Fun { params, body } => {
                params.iter_mut().filter_map(|it| it.default.as_mut()).for_each(&mut *f);
                f(body);
            }
            Kind::Let { bound, body, .. } => {
                f(bound);
                f(body);
            }
            Kind::LetRec { binds, body } => {
                binds.iter_mut().for_each(|it| f(&mut it.1));
                f(body);
            }
            Kind::LetModule { args, body, .. } => {
                args.iter_mut().for_each(&mut *f);
                f(body);
            }
            Kind::Match { on: body, arms } | Kind::Try { body, arms } => {
                f(body);
                for arm in arms {
                    arm.guard.iter_mut().for_each(&mut *f);
                    f(&mut arm.body);
                }
            }
            Kind::For { from, to, body, .. } => {
                f(from);
                f(to);
                f(body);
            }
        }
    }

    /// The variables that occur, bound inside or not.
    pub fn mentions(&self, out: &mut Vec<Var>) {
        if let Kind::Var(var) = self.kind {
            out.push(var);
        }
        self.children(&mut |it| it.mentions(out));
    }
}

impl Pat {
    /// The variables that the pattern binds.
    pub fn vars(&self) -> Vec<Var> {
        let mut vars = Vec::new();
        self.collect(&mut vars);
        vars
    }

    fn collect(&self, out: &mut Vec<Var>) {
        match self {
            Self::Wild | Self::Literal(_) => (),
            Self::Var(var) => out.push(*var),
            Self::Tuple(items) | Self::List(items) | Self::Ctor(_, items) => {
                items.iter().for_each(|it| it.collect(out));
            }
            Self::Cons(head, tail) => {
                head.collect(out);
                tail.collect(out);
            }
            Self::Record(fields) => fields.iter().for_each(|it| it.1.collect(out)),
            // Every alternative binds the same variables.
            Self::Or(items) => items.iter().take(1).for_each(|it| it.collect(out)),
            Self::As(of, var) => {
                of.collect(out);
                out.push(*var);
            }
        }
    }
}

impl Item {
    /// The variables it defines.
    pub fn vars(&self) -> Vec<Var> {
        match self {
            Self::Let { var, .. } => vec![*var],
            Self::LetRec { binds } => binds.iter().map(|it| it.0).collect(),
            Self::Module { vars, .. } => vars.clone(),
            Self::Run(_) => Vec::new(),
        }
    }

    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Let { bound, .. } => vec![bound],
            Self::LetRec { binds } => binds.iter().map(|it| &it.1).collect(),
            Self::Module { args, .. } => args.iter().collect(),
            Self::Run(expr) => vec![expr],
        }
    }

    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Let { bound, .. } => vec![bound],
            Self::LetRec { binds } => binds.iter_mut().map(|it| &mut it.1).collect(),
            Self::Module { args, .. } => args.iter_mut().collect(),
            Self::Run(expr) => vec![expr],
        }
    }
}

impl Program {
    pub fn size(&self) -> usize {
        self.items.iter().flat_map(|it| it.exprs()).map(Expr::size).sum::<usize>()
            + self.items.len()
    }
}
