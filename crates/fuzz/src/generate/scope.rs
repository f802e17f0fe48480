//! Variables in scope, and calls of them: exact, partial, and with more arguments than parameters.

use crate::tree::{Arg, Expr, Kind, Var};
use crate::types::{Label, Ty};

use super::Generator;

/// Something that can be named.
#[derive(Clone, Debug)]
pub struct Entry {
    pub var: Var,
    /// The type, after the leading argument if there is one.
    pub ty: Ty,
    /// Its type parameters.
    pub params: usize,
    pub lead: Option<Lead>,
    /// Its type is known where it is used, so that labels may be given in any order.
    pub known: bool,
}

/// The first argument of a recursive function, which makes it end.
#[derive(Clone, Debug)]
pub enum Lead {
    /// Within the function: one less than its own.
    Less(Var),
    /// Within the function: a part of its own.
    Part(Var),
    /// From outside: a small number.
    Small,
    /// From outside: any value.
    Any(Ty),
}

impl Entry {
    pub fn local(var: Var, ty: Ty) -> Self {
        Self { var, ty, params: 0, lead: None, known: false }
    }

    pub fn known(var: Var, ty: Ty) -> Self {
        Self { known: true, ..Self::local(var, ty) }
    }

    pub fn led(var: Var, ty: Ty, lead: Lead) -> Self {
        Self { lead: Some(lead), ..Self::local(var, ty) }
    }

    pub fn is(&self, var: Var) -> bool {
        self.var == var
    }
}

/// A way to get a value of some type from an entry.
struct Way {
    entry: usize,
    args: usize,
    found: Vec<Option<Ty>>,
    /// One more argument than the function has parameters.
    extra: bool,
}

impl Generator {
    /// A variable of exactly this type.
    pub fn exact(&mut self, ty: &Ty) -> Option<Expr> {
        let found: Vec<usize> = (0..self.scope.len())
            .filter(|&it| self.scope[it].ty == *ty && self.scope[it].lead.is_none())
            .collect();
        // The newest are the likeliest, so that nested functions capture from near and far.
        let at = if self.rng.chance(50) { found.iter().rev().take(3).count() } else { found.len() };
        let at = found.len().checked_sub(1 + self.rng.below(at))?;
        Some(Expr::var(ty.clone(), self.scope[found[at]].var))
    }

    /// A call, or a use as a value, of something in scope.
    pub fn something_known(&mut self, ty: &Ty, size: usize) -> Option<Expr> {
        let mut ways = Vec::new();
        let mut weights = Vec::new();
        let locals = self.scope.len();
        for index in 0..locals + self.globals.len() {
            let local = index < locals;
            let entry_ty =
                if local { &self.scope[index].ty } else { &self.globals[index - locals].ty };
            let (params, result) = entry_ty.arrows();
            for args in 0..=params.len() {
                if args > 0 && matches!(params[args - 1].0, Label::Optional(_)) {
                    continue;
                }
                let mut found = Vec::new();
                if !entry_ty.after(args).matches(ty, &mut found) {
                    continue;
                }
                let vague = matches!(entry_ty.after(args), Ty::Param(_));
                let weight = match (local, args) {
                    (true, 0) => 4,
                    (true, _) => 12 + 12 * index / locals,
                    (false, _) if vague => 1,
                    (false, 0) => 1,
                    (false, _) => 4,
                };
                weights.push(weight);
                ways.push(Way { entry: index, args, found, extra: false });
            }
            // With more arguments than it has, a primitive is a computed function: see `production`.
            let primitive = !local && self.globals[index - locals].name.starts_with("Stdlib.");
            if matches!(result, Ty::Param(_))
                && params.len() <= 3
                && !matches!(ty, Ty::Fun(..))
                && !primitive
            {
                let mut found = Vec::new();
                let over =
                    Ty::fun(&[self.rng.pick(&[Ty::Int, Ty::Bool, Ty::Str]).clone()], ty.clone());
                if result.matches(&over, &mut found) {
                    weights.push(1);
                    ways.push(Way { entry: index, args: params.len(), found, extra: true });
                }
            }
        }
        if ways.is_empty() {
            return None;
        }
        let way = ways.swap_remove(self.rng.weighted(&weights));
        self.take(way, size)
    }

    fn take(&mut self, way: Way, size: usize) -> Option<Expr> {
        let locals = self.scope.len();
        let (entry_ty, params, compares) = if way.entry < locals {
            let entry = &self.scope[way.entry];
            (entry.ty.clone(), entry.params, false)
        } else {
            let global = &self.globals[way.entry - locals];
            (global.ty.clone(), 3, global.compares)
        };
        let mut found = way.found;
        found.resize(params.max(found.len()), None);
        let args: Vec<Ty> = found.into_iter().map(|it| it.unwrap_or_else(|| self.ty(1))).collect();
        if compares && args.first().is_some_and(|it| self.types.has_function(it)) {
            return None;
        }
        let instance = entry_ty.subst(&args);
        if instance.size() > 40 {
            return None;
        }
        let count = way.args + usize::from(way.extra);
        Some(self.use_entry(way.entry, count, &instance, size))
    }

    /// Applies an entry, of type `instance` here, to `count` arguments.
    pub fn use_entry(&mut self, entry: usize, count: usize, instance: &Ty, size: usize) -> Expr {
        let locals = self.scope.len();
        let (func, lead, known) = if entry < locals {
            let it = self.scope[entry].clone();
            let full = match &it.lead {
                None => instance.clone(),
                Some(lead) => Ty::fun(&[self.lead_type(lead)], instance.clone()),
            };
            (Expr::var(full, it.var), it.lead, it.known)
        } else {
            let name = self.globals[entry - locals].name;
            (Expr::atom(instance.clone(), name), None, true)
        };
        let (params, _) = instance.arrows();
        let mut args = Vec::new();
        let share = size.saturating_sub(1) / count.max(1);
        if let Some(lead) = lead {
            let value = self.lead_value(&lead, share);
            args.push(Arg { label: Label::None, value: Some(value) });
        }
        for (label, ty) in params.iter().take(count) {
            let omitted = matches!(label, Label::Optional(_)) && self.rng.chance(50);
            let value = if omitted { None } else { Some(self.expr(ty, share)) };
            args.push(Arg { label: *label, value });
        }
        if args.is_empty() {
            return func;
        }
        // Only labels move: if all arguments but the last positional one have them.
        let positional = args.iter().filter(|it| it.label == Label::None).count();
        let labelled = args.iter().any(|it| matches!(it.label, Label::Named(_)));
        let permuted =
            known && labelled && positional == 1 && count == params.len() && self.rng.chance(50);
        Expr::new(instance.after(count), Kind::Call { func: Box::new(func), args, permuted })
    }

    fn lead_type(&self, lead: &Lead) -> Ty {
        match lead {
            Lead::Less(_) | Lead::Small => Ty::Int,
            Lead::Part(var) => self.vars[*var].ty.clone(),
            Lead::Any(ty) => ty.clone(),
        }
    }

    fn lead_value(&mut self, lead: &Lead, size: usize) -> Expr {
        match lead {
            Lead::Less(var) => Expr::op(Ty::Int, "({0} - 1)", vec![Expr::var(Ty::Int, *var)]),
            Lead::Part(var) => Expr::var(self.vars[*var].ty.clone(), *var),
            Lead::Small if self.rng.chance(60) => Expr::int(self.rng.range(0, 7)),
            Lead::Small => {
                let value = self.expr(&Ty::Int, size.min(4));
                Expr::op(Ty::Int, "({0} land 7)", vec![value])
            }
            Lead::Any(ty) => {
                let ty = ty.clone();
                self.expr(&ty, size.max(3))
            }
        }
    }
}
