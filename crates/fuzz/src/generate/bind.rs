//! Functions, `let` and recursion.

use crate::globals::{MODULES, parse};
use crate::tree::{Arm, Expr, Kind, Param, Pat, Var};
use crate::types::{Label, Ty};

use super::Generator;
use super::scope::{Entry, Lead};

impl Generator {
    /// A function of the type. It takes some or all of the arguments at once.
    pub fn function(&mut self, ty: &Ty, size: usize) -> Expr {
        let scope = self.scope.len();
        let tries = std::mem::take(&mut self.tries);
        let (types, _) = ty.arrows();
        let count = if self.rng.chance(70) { types.len() } else { 1 + self.rng.below(types.len()) };
        let mut params = Vec::new();
        for (label, ty) in types.iter().take(count) {
            let default = match label {
                Label::Optional(_) => Some(self.expr(ty, 2)),
                _ => None,
            };
            let pat = match (ty, label) {
                (_, Label::Optional(_)) => self.bound(ty),
                (Ty::Unit, _) if self.rng.chance(70) => Pat::Literal("()".into()),
                (Ty::Tuple(items), _) if self.rng.chance(40) => {
                    Pat::Tuple(items.iter().map(|it| self.bound(it)).collect())
                }
                _ if self.rng.chance(6) => Pat::Wild,
                _ => self.bound(ty),
            };
            params.push(Param { pat, label: *label, ty: ty.clone(), default });
        }
        let body = self.expr(&ty.after(count), size.saturating_sub(1));
        let body = self.bounded(body);
        self.scope.truncate(scope);
        self.tries = tries;
        Expr::new(ty.clone(), Kind::Fun { params, body: Box::new(body) })
    }

    /// A pattern that is a new variable in scope.
    pub fn bound(&mut self, ty: &Ty) -> Pat {
        Pat::Var(self.introduce(ty))
    }

    /// A new variable in scope.
    pub fn introduce(&mut self, ty: &Ty) -> Var {
        let var = self.fresh(ty);
        self.scope.push(Entry::local(var, ty.clone()));
        var
    }

    /// `let x = … in …`
    pub fn let_value(&mut self, ty: &Ty, size: usize) -> Expr {
        let bound_ty = self.ty(3);
        let bound = self.expr(&bound_ty, size / 2);
        self.let_in(bound, ty, size / 2)
    }

    /// Binds a value and goes on.
    pub fn let_in(&mut self, bound: Expr, ty: &Ty, size: usize) -> Expr {
        let scope = self.scope.len();
        let pat = match &bound.ty {
            Ty::Tuple(items) if self.rng.chance(40) => {
                let items = items.clone();
                Pat::Tuple(items.iter().map(|it| self.bound(it)).collect())
            }
            of => {
                let of = of.clone();
                let var = self.introduce(&of);
                self.costs[var] = self.body_cost(&bound);
                Pat::Var(var)
            }
        };
        let body = self.using(scope, ty, size);
        self.scope.truncate(scope);
        let annotated = matches!(pat, Pat::Var(_)) && self.rng.chance(10);
        Expr::new(
            ty.clone(),
            Kind::Let { pat, annotated, bound: Box::new(bound), body: Box::new(body) },
        )
    }

    /// An expression that uses what came into scope since `scope`: what it does not mention is
    /// printed first.
    pub fn using(&mut self, scope: usize, ty: &Ty, size: usize) -> Expr {
        let mut body = self.expr(ty, size);
        let mut read = Vec::new();
        body.mentions(&mut read);
        for index in scope..self.scope.len() {
            let entry = self.scope[index].clone();
            if read.contains(&entry.var) || self.rng.chance(15) {
                continue;
            }
            let types: Vec<Ty> = (0..entry.params).map(|_| self.ty(1)).collect();
            let instance = entry.ty.subst(&types);
            let (params, _) = instance.arrows();
            // Sometimes one argument less than could be given; labels end no call.
            let mut count = params.len();
            if self.rng.chance(20) && params.iter().all(|it| it.0 == Label::None) {
                count = count.saturating_sub(1);
            }
            let used = self.use_entry(index, count, &instance, 2 * count);
            let shown = Expr::new(Ty::Str, Kind::Show(Box::new(used)));
            body = Expr::op(ty.clone(), "(say {0}; {1})", vec![shown, body]);
        }
        body
    }

    /// `let f = fun … in …`, sometimes with an optional argument.
    pub fn let_function(&mut self, ty: &Ty, size: usize) -> Expr {
        let mut func = self.function_type(2);
        if self.rng.chance(8) {
            let of = self.rng.pick(&[Ty::Int, Ty::Str, Ty::Bool]).clone();
            func = Ty::Fun(Label::Optional("o"), Box::new(of), Box::new(func));
            // The default is evaluated when a positional argument comes, so there is one.
            if !matches!(func.arrows().0.get(1), Some((Label::None, _))) {
                func = func.after(1);
            }
        }
        let bound = match func.arrows().0.first() {
            Some((Label::Optional(_), _)) => self.whole_function(&func, size / 2),
            _ => self.function(&func, size / 2),
        };
        let scope = self.scope.len();
        let var = self.fresh(&func);
        self.costs[var] = self.body_cost(&bound);
        self.scope.push(Entry::known(var, func));
        let body = self.using(scope, ty, size / 2);
        self.scope.truncate(scope);
        Expr::bind(var, bound, body)
    }

    /// A function that takes all its arguments at once.
    fn whole_function(&mut self, ty: &Ty, size: usize) -> Expr {
        for _ in 0..20 {
            let func = self.function(ty, size);
            if matches!(&func.kind, Kind::Fun { params, .. } if params.len() >= 2) {
                return func;
            }
        }
        self.leaf(ty)
    }

    pub fn let_recursion(&mut self, ty: &Ty, size: usize) -> Expr {
        let scope = self.scope.len();
        let (binds, entries) = self.recursion(size / 2);
        self.scope.truncate(scope);
        self.scope.extend(entries);
        let body = self.using(scope, ty, size / 2);
        self.scope.truncate(scope);
        Expr::new(ty.clone(), Kind::LetRec { binds, body: Box::new(body) })
    }

    /// Functions that call themselves or each other with less, and how to call them from outside.
    pub fn recursion(&mut self, size: usize) -> (Vec<(Var, Expr)>, Vec<Entry>) {
        if self.rng.chance(30) {
            return self.structural(size);
        }
        let count = 1 + self.rng.weighted(&[5, 3, 1]);
        let mut funcs = Vec::new();
        for _ in 0..count {
            let rest = if self.rng.chance(70) { self.function_type(1) } else { self.ty(2) };
            let var = self.fresh(&Ty::fun(&[Ty::Int], rest.clone()));
            self.costs[var] = 100;
            funcs.push((var, rest));
        }
        let mut binds = Vec::new();
        for (var, rest) in &funcs {
            let scope = self.scope.len();
            let tries = std::mem::take(&mut self.tries);
            let fuel = self.introduce(&Ty::Int);
            let mut params = vec![(fuel, Ty::Int)];
            let mut result = rest.clone();
            // The recursive function may take its other arguments at once or return a function.
            if self.rng.chance(75) {
                for (label, ty) in rest.arrows().0 {
                    if label != Label::None {
                        break;
                    }
                    params.push((self.introduce(&ty), ty));
                    result = result.after(1);
                }
            }
            let base = self.expr(&result, size / count / 3);
            for (other, rest) in &funcs {
                self.scope.push(Entry::led(*other, rest.clone(), Lead::Less(fuel)));
            }
            let step = self.expr(&result, size / count);
            let test = Expr::var(Ty::Int, fuel);
            let body = Expr::op(result, "(if {0} <= 0 then {1} else {2})", vec![test, base, step]);
            let body = self.ticking(body);
            self.scope.truncate(scope);
            self.tries = tries;
            binds.push((*var, Expr::lambda(&params, body)));
        }
        let entries =
            funcs.into_iter().map(|(var, rest)| Entry::led(var, rest, Lead::Small)).collect();
        (binds, entries)
    }

    /// A function that follows a list or a tree.
    fn structural(&mut self, size: usize) -> (Vec<(Var, Expr)>, Vec<Entry>) {
        let element = self.ty(1);
        let tree = self.rng.chance(40);
        let over =
            if tree { Ty::Data(1, vec![element.clone()]) } else { Ty::list(element.clone()) };
        let rest = if self.rng.chance(50) { self.function_type(1) } else { self.ty(1) };
        let var = self.fresh(&Ty::fun(std::slice::from_ref(&over), rest.clone()));
        self.costs[var] = 100;
        let scope = self.scope.len();
        let tries = std::mem::take(&mut self.tries);
        let whole = self.introduce(&over);
        let base = self.expr(&rest, size / 3);
        let inner = self.scope.len();
        let (pats, parts) = if tree {
            let (left, item, right) = (self.fresh(&over), self.bound(&element), self.fresh(&over));
            let node = Pat::Ctor("Node".into(), vec![Pat::Var(left), item, Pat::Var(right)]);
            ([Pat::Ctor("Leaf".into(), Vec::new()), node], vec![left, right])
        } else {
            let (item, tail) = (self.bound(&element), self.fresh(&over));
            (
                [Pat::List(Vec::new()), Pat::Cons(Box::new(item), Box::new(Pat::Var(tail)))],
                vec![tail],
            )
        };
        for part in parts {
            self.scope.push(Entry::local(part, over.clone()));
            self.scope.push(Entry::led(var, rest.clone(), Lead::Part(part)));
        }
        let step = self.expr(&rest, size);
        self.scope.truncate(inner);
        let [empty, more] = pats;
        let arms = vec![
            Arm { pat: empty, guard: None, body: base },
            Arm { pat: more, guard: None, body: step },
        ];
        let on = Box::new(Expr::var(over.clone(), whole));
        let body = self.ticking(Expr::new(rest.clone(), Kind::Match { on, arms }));
        self.scope.truncate(scope);
        self.tries = tries;
        (
            vec![(var, Expr::lambda(&[(whole, over.clone())], body))],
            vec![Entry::led(var, rest, Lead::Any(over))],
        )
    }

    /// An instance of a module of the prelude; its members are in scope afterwards.
    pub fn module(&mut self, size: usize) -> (usize, Vec<Expr>, Vec<Var>) {
        let module = self.rng.below(MODULES.len());
        let args: Vec<Expr> =
            MODULES[module].args.iter().map(|it| self.expr(&parse(it), size / 2)).collect();
        let mut vars = Vec::new();
        for member in MODULES[module].members {
            let ty = parse(member.1);
            let var = self.fresh(&ty);
            let params = usize::from(ty.any(&|it| matches!(it, Ty::Param(_))));
            self.scope.push(Entry { params, ..Entry::known(var, ty) });
            vars.push(var);
        }
        (module, args, vars)
    }
}
