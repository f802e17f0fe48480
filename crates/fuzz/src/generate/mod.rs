//! Random well-typed programs, made top-down by type from a seed.
//!
//! ```text
//! types    types, declarations, exceptions
//! scope    variables in scope and calls of them
//! expr     expressions of a given type
//! bind     functions, `let`, recursion
//! cases    patterns, `match`, `try`
//! shapes   what breaks closure compilers: shared cells, loops, many captures, tail calls
//! features classes, packed modules, polymorphic variants, constructors with results of their own
//! rich     declared types of those kinds, for programs of the profile `rich`
//! memory   what breaks reclamation: long loops over lists, trees, maps and arrays of closures
//! ```
//!
//! Every program ends soon. What can run long calls `tick`, which raises an exception once the
//! fuel is used up: recursive functions, functions whose estimated cost is high, and each read of
//! a function out of something mutable (which could tie a knot). Values stay small: joins of
//! strings and lists are cut, and recursive values are cut in depth where they are built.

mod bind;
mod cases;
mod cost;
mod expr;
mod features;
mod memory;
mod rich;
mod scope;
mod shapes;
mod types;

use crate::globals::{self, Global};
use crate::leaf::leaf;
use crate::rng::Rng;
use crate::tree::{Arm, Ending, Expr, Item, Kind, Pat, Program, Var, VarInfo};
use crate::types::{Ty, Types};
use scope::Entry;

/// What kind of programs to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Anything, of some size.
    Wide,
    /// Few and small definitions: for what a strategy accepts only in simple programs.
    Small,
    /// Much allocation, in loops.
    Memory,
    /// Types whose values are held uniformly or found at run time: constructors with results of their own, polymorphic
    /// variants, objects and packed modules.
    Rich,
}

impl Profile {
    pub const ALL: [(&str, Profile); 4] = [
        ("wide", Self::Wide),
        ("small", Self::Small),
        ("memory", Self::Memory),
        ("rich", Self::Rich),
    ];

    /// The profile of a seed where none was asked for: half of the programs are wide, and none is rich.
    pub fn of(seed: u64) -> Self {
        match seed % 4 {
            0 | 1 => Self::Wide,
            2 => Self::Memory,
            _ => Self::Small,
        }
    }
}

/// The program of a seed, of the seed's own profile.
pub fn program(seed: u64) -> Program {
    program_of(seed, Profile::of(seed))
}

/// The program of a seed and a profile.
pub fn program_of(seed: u64, profile: Profile) -> Program {
    let mut cx = Generator {
        rng: Rng::new(seed),
        profile,
        types: Types::default(),
        vars: Vec::new(),
        scope: Vec::new(),
        globals: globals::globals(),
        costs: Vec::new(),
        tries: 0,
        marks: 0,
    };
    cx.declare_types();
    let items = cx.items();
    let ending = match cx.rng.below(10) {
        0 => Ending::Exit(cx.rng.below(7) as u8),
        1 => Ending::Raise,
        _ => Ending::Normal,
    };
    Program { seed, types: cx.types, vars: cx.vars, items, ending }
}

struct Generator {
    rng: Rng,
    profile: Profile,
    types: Types,
    vars: Vec<VarInfo>,
    scope: Vec<Entry>,
    globals: Vec<Global>,
    /// The estimated cost of calling each variable.
    costs: Vec<usize>,
    /// Handlers around the place.
    tries: usize,
    /// How many times something was logged, to number the places.
    marks: i64,
}

impl Generator {
    /// A new variable.
    fn fresh(&mut self, ty: &Ty) -> Var {
        let hints: &[&'static str] = match ty {
            Ty::Fun(..) => &[
                "f", "g", "h", "k", "go", "step", "succ", "fst", "compare", "max", "incr", "f", "g",
            ],
            Ty::Ref(_) | Ty::Data(..) => &["r", "s", "c", "t"],
            Ty::List(_) | Ty::Array(_) => &["l", "xs", "ys", "t"],
            Ty::Str => &["s", "t", "w"],
            _ => &["a", "b", "x", "y", "n", "m", "x", "acc", "i"],
        };
        let hint = self.rng.pick(hints);
        self.vars.push(VarInfo { hint, ty: ty.clone() });
        self.costs.push(20);
        self.vars.len() - 1
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let (most, largest) = match self.profile {
            Profile::Wide => (8, 45),
            Profile::Small => (3, 12),
            Profile::Memory => (6, 25),
            Profile::Rich => (7, 40),
        };
        for _ in 0..self.rng.range(most / 3 + 1, most) {
            let size = self.rng.range(4, largest) as usize;
            let item = match self.rng.below(12) {
                0 | 1 => self.recursive_item(size),
                2 => self.module_item(),
                3..=6 => {
                    let ty = self.function_type(3);
                    let bound = self.function(&ty, size);
                    self.let_item(ty, bound)
                }
                _ => {
                    let ty = self.ty(4);
                    let bound = self.guarded(&ty, size);
                    self.let_item(ty, bound)
                }
            };
            items.push(item);
        }
        let shown: Vec<(Var, Ty)> = items
            .iter()
            .flat_map(Item::vars)
            .map(|it| (it, self.vars[it].ty.clone()))
            .filter(|(_, ty)| !ty.any(&|it| matches!(it, Ty::Param(_))))
            .collect();
        for (var, ty) in shown {
            let Some(value) = self.shown_value(var, &ty) else { continue };
            items.push(Item::Run(report(value)));
        }
        if self.profile == Profile::Memory {
            for _ in 0..self.rng.range(1, 3) {
                let value = self.memory(&Ty::Int, 12);
                items.push(Item::Run(report(value)));
            }
        }
        for _ in 0..self.rng.range(1, most / 2) {
            let ty = self.ty(2);
            let size = self.rng.range(largest.min(16) / 2, largest - 5) as usize;
            let value = self.expr(&ty, size);
            items.push(Item::Run(report(value)));
        }
        items
    }

    /// What is shown of a top-level variable. A function with labels that are optional is called.
    fn shown_value(&mut self, var: Var, ty: &Ty) -> Option<Expr> {
        if let Some(lead) = self.scope.iter().find(|it| it.is(var)).filter(|it| it.lead.is_some()) {
            let ty = lead.ty.clone();
            let entry = self.scope.iter().position(|it| it.is(var))?;
            return Some(self.use_entry(entry, 0, &ty, 3));
        }
        if ty.any(&|it| matches!(it, Ty::Fun(crate::types::Label::Optional(_), ..))) {
            return None;
        }
        Some(Expr::var(ty.clone(), var))
    }

    fn let_item(&mut self, ty: Ty, bound: Expr) -> Item {
        let var = self.fresh(&ty);
        self.costs[var] = self.body_cost(&bound);
        self.scope.push(Entry::known(var, ty));
        Item::Let { var, bound }
    }

    /// An expression whose exceptions are caught.
    fn guarded(&mut self, ty: &Ty, size: usize) -> Expr {
        let body = self.expr(ty, size);
        let exn = self.fresh(&Ty::Exn);
        let handler = Expr::op(
            ty.clone(),
            "(caught {0}; {1})",
            vec![Expr::var(Ty::Exn, exn), leaf(&self.types, ty)],
        );
        let arms = vec![Arm { pat: Pat::Var(exn), guard: None, body: handler }];
        Expr::new(ty.clone(), Kind::Try { body: Box::new(body), arms })
    }

    fn recursive_item(&mut self, size: usize) -> Item {
        let scope = self.scope.len();
        let (binds, entries) = self.recursion(size);
        self.scope.truncate(scope);
        self.scope.extend(entries);
        Item::LetRec { binds }
    }

    fn module_item(&mut self) -> Item {
        let (module, args, vars) = self.module(8);
        Item::Module { module, args, vars }
    }

    fn leaf(&self, ty: &Ty) -> Expr {
        leaf(&self.types, ty)
    }
}

/// Prints the text of a value.
pub fn report(value: Expr) -> Expr {
    let text = Expr::new(Ty::Str, Kind::Show(Box::new(value)));
    Expr::op(Ty::Unit, "report (fun () -> {0})", vec![text])
}
