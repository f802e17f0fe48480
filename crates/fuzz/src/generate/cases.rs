//! Patterns, `match` and `try`.

use crate::tree::{Arm, Expr, Kind, Pat};
use crate::types::{Shape, Ty};

use super::Generator;

impl Generator {
    pub fn matching(&mut self, ty: &Ty, size: usize) -> Expr {
        let on_ty = self.matchable();
        let on = self.expr(&on_ty, size / 3);
        let count = self.rng.range(1, 4) as usize;
        let share = size / (count + 2);
        let mut arms = Vec::new();
        if let Ty::Data(id, args) = &on_ty
            && let Shape::Variant(ctors) | Shape::Tags(ctors) = self.types.data[*id].shape.clone()
            && self.rng.chance(50)
        {
            // One arm for each constructor.
            for ctor in ctors {
                let scope = self.scope.len();
                let items = ctor.args.iter().map(|it| self.pattern(&it.subst(args), 0)).collect();
                let body = self.expr(ty, share);
                self.scope.truncate(scope);
                arms.push(Arm { pat: Pat::Ctor(ctor.name, items), guard: None, body });
            }
        } else if let Ty::Data(id, args) = &on_ty
            && let Shape::Gadt(ctors) = self.types.data[*id].shape.clone()
            && let Some(index) = args.first()
        {
            arms = self.gadt_arms(&ctors, index, ty, share);
        } else {
            for _ in 0..count {
                let scope = self.scope.len();
                let pat = self.pattern(&on_ty, 2);
                let guard =
                    if self.rng.chance(25) { Some(self.expr(&Ty::Bool, share / 2)) } else { None };
                let body = self.expr(ty, share);
                self.scope.truncate(scope);
                arms.push(Arm { pat, guard, body });
            }
            let scope = self.scope.len();
            let pat = if self.rng.chance(50) { Pat::Wild } else { self.bound(&on_ty) };
            let body = self.expr(ty, share);
            self.scope.truncate(scope);
            arms.push(Arm { pat, guard: None, body });
        }
        Expr::new(ty.clone(), Kind::Match { on: Box::new(on), arms })
    }

    fn matchable(&mut self) -> Ty {
        for _ in 0..6 {
            let ty = self.ty(3);
            if matches!(
                ty,
                Ty::Int | Ty::Str | Ty::Tuple(_) | Ty::List(_) | Ty::Option(_) | Ty::Data(..)
            ) {
                return ty;
            }
        }
        Ty::Tuple(vec![Ty::Int, Ty::option(Ty::Int)])
    }

    pub fn trying(&mut self, ty: &Ty, size: usize) -> Expr {
        self.tries += 1;
        let body = self.expr(ty, size / 2);
        self.tries -= 1;
        let count = self.rng.range(1, 3) as usize;
        let mut arms = Vec::new();
        for _ in 0..count {
            let scope = self.scope.len();
            let pat = self.pattern(&Ty::Exn, 2);
            let guard = if self.rng.chance(20) { Some(self.expr(&Ty::Bool, 3)) } else { None };
            let body = self.expr(ty, size / (2 * count));
            self.scope.truncate(scope);
            arms.push(Arm { pat, guard, body });
        }
        if self.rng.chance(50) {
            arms.push(Arm { pat: Pat::Wild, guard: None, body: self.expr(ty, 2) });
        }
        Expr::new(ty.clone(), Kind::Try { body: Box::new(body), arms })
    }

    /// A pattern whose variables are in scope afterwards.
    fn pattern(&mut self, ty: &Ty, depth: usize) -> Pat {
        if depth == 0 || self.rng.chance(15) {
            // A function read out of a mutable field could tie a knot: see `tick`.
            return if self.rng.chance(15) { Pat::Wild } else { self.bound(ty) };
        }
        if self.rng.chance(8) {
            let var = self.fresh(ty);
            let of = self.pattern(ty, depth - 1);
            self.scope.push(super::scope::Entry::local(var, ty.clone()));
            return Pat::As(Box::new(of), var);
        }
        match ty {
            Ty::Int | Ty::Bool | Ty::Str if self.rng.chance(30) => {
                let pats = vec![self.literal(ty), self.literal(ty)];
                Pat::Or(pats)
            }
            Ty::Int | Ty::Bool | Ty::Str => self.literal(ty),
            Ty::Unit => Pat::Literal("()".into()),
            Ty::Tuple(items)
                if items.len() == 2
                    && items[0] == items[1]
                    && items[0] == Ty::Int
                    && self.rng.chance(40) =>
            {
                let var = self.introduce(&Ty::Int);
                let left = Pat::Tuple(vec![self.literal(&Ty::Int), Pat::Var(var)]);
                let right = Pat::Tuple(vec![Pat::Var(var), self.literal(&Ty::Int)]);
                Pat::Or(vec![left, right])
            }
            Ty::Tuple(items) => {
                Pat::Tuple(items.iter().map(|it| self.pattern(it, depth - 1)).collect())
            }
            Ty::List(of) => match self.rng.below(4) {
                0 => Pat::List(Vec::new()),
                1 => {
                    let count = self.rng.range(1, 3);
                    Pat::List((0..count).map(|_| self.pattern(of, depth - 1)).collect())
                }
                _ => {
                    let head = self.pattern(of, depth - 1);
                    let tail = self.pattern(ty, depth - 1);
                    Pat::Cons(Box::new(head), Box::new(tail))
                }
            },
            Ty::Option(of) => match self.rng.below(3) {
                0 => Pat::Ctor("None".into(), Vec::new()),
                _ => Pat::Ctor("Some".into(), vec![self.pattern(of, depth - 1)]),
            },
            Ty::Data(id, args) => match self.types.data[*id].shape.clone() {
                Shape::Record(fields) => {
                    let mut pats = Vec::new();
                    for field in fields {
                        let of = field.ty.subst(args);
                        let knot = field.mutable && self.types.has_function(&of);
                        if !knot && (pats.is_empty() || self.rng.chance(60)) {
                            pats.push((field.name, self.pattern(&of, depth - 1)));
                        }
                    }
                    if pats.is_empty() { Pat::Wild } else { Pat::Record(pats) }
                }
                Shape::Gadt(_) | Shape::Object(_) | Shape::Package(_) => self.bound(ty),
                Shape::Tags(_)
                    if let Some(part) = self.types.data[*id].includes
                        && self.rng.chance(30) =>
                {
                    let part_ty = Ty::Data(part, args.clone());
                    let tags = Pat::Ctor(format!("#{}", self.types.data[part].name), Vec::new());
                    Pat::As(Box::new(tags), self.introduce(&part_ty))
                }
                Shape::Variant(ctors) | Shape::Tags(ctors) => {
                    let ctor = self.rng.pick(&ctors).clone();
                    Pat::Ctor(
                        ctor.name,
                        ctor.args
                            .iter()
                            .map(|it| self.pattern(&it.subst(args), depth - 1))
                            .collect(),
                    )
                }
            },
            Ty::Exn => {
                let at = self.rng.below(self.types.exns.len());
                let exn = self.types.exns[at].clone();
                Pat::Ctor(exn.name, exn.args.iter().map(|it| self.pattern(it, depth - 1)).collect())
            }
            _ => self.bound(ty),
        }
    }

    fn literal(&mut self, ty: &Ty) -> Pat {
        let texts: &[&str] = match ty {
            Ty::Int => &["0", "1", "2", "3", "7", "-1"],
            Ty::Bool => &["true", "false"],
            _ => &["\"\"", "\"a\"", "\"s\"", "\"bc\""],
        };
        Pat::Literal((*self.rng.pick(texts)).into())
    }
}
