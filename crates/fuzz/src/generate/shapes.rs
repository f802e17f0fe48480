//! Shapes that break closure compilers: several closures over one cell, closures made in loops,
//! many captures, tail calls, continuations, instances that must not share state.

use crate::tree::{Expr, Kind, Var};
use crate::types::Ty;

use super::scope::Entry;
use super::{Generator, Profile};

const INT_TO_INT: fn() -> Ty = || Ty::fun(&[Ty::Int], Ty::Int);

/// Polymorphic functions with a hole for a captured number, and their types. Their own variables
/// have names that no other variable gets.
const LOCAL_POLYMORPHIC: &[(&str, &str)] = &[
    ("(fun v0 v1 -> if {0} > 3 then v0 else v1)", "'a -> 'a -> 'a"),
    ("(fun v0 -> ({0}, v0))", "'a -> int * 'a"),
    ("(fun v0 -> log {0}; v0)", "'a -> 'a"),
    ("(fun fn0 v0 -> fn0 {0} v0)", "(int -> 'a -> 'b) -> 'a -> 'b"),
    ("(fun v0 -> init {0} (fun _ -> v0))", "'a -> 'a list"),
    (
        "(fun v0 -> let n0 = {0} in fun v1 -> if n0 land 1 = 0 then [ v0; v1 ] else [ v1 ])",
        "'a -> 'a -> 'a list",
    ),
];

impl Generator {
    pub fn shape(&mut self, ty: &Ty, size: usize) -> Option<Expr> {
        let int = *ty == Ty::Int || *ty == INT_TO_INT();
        match self.rng.weighted(&[
            3,
            4,
            2,
            2,
            if int { 4 } else { 0 },
            if int { 3 } else { 0 },
            2,
            2,
            2,
            match self.profile {
                Profile::Wide | Profile::Rich => 1,
                Profile::Small => 0,
                Profile::Memory => 12,
            },
            3,
        ]) {
            0 => Some(self.shared_cell(ty, size)),
            1 => Some(self.loop_closures(ty, size)),
            2 => Some(self.local_polymorphic(ty, size)),
            3 => {
                let scope = self.scope.len();
                let (module, args, vars) = self.module(size / 2);
                let body = Box::new(self.using(scope, ty, size / 2));
                self.scope.truncate(scope);
                Some(Expr::new(ty.clone(), Kind::LetModule { module, args, vars, body }))
            }
            4 => Some(self.many_captures(ty)),
            5 => Some(self.tail_loop(ty, size)),
            6 => Some(self.continuation(ty, size)),
            7 => Some(self.instances(ty, size)),
            9 => Some(self.memory(ty, size)),
            10 => Some(self.feature(ty, size)),
            _ => {
                let of = self.ty(1);
                let value = self.expr(&of, size / 3);
                let bound = Expr::op(Ty::Lazy(Box::new(of)), "(lazy {0})", vec![value]);
                Some(self.let_in(bound, ty, size / 2))
            }
        }
    }

    /// Something done for its effect.
    pub fn effect(&mut self, size: usize) -> Expr {
        let half = (size / 2).max(1);
        if self.profile == super::Profile::Rich
            && self.rng.chance(20)
            && let Some(change) = self.change_object(size)
        {
            return change;
        }
        let cells: Vec<(Var, Ty)> = self
            .scope
            .iter()
            .filter_map(|it| match &it.ty {
                Ty::Ref(of) if it.lead.is_none() => Some((it.var, (**of).clone())),
                _ => None,
            })
            .collect();
        match self.rng.below(8) {
            0 | 1 if !cells.is_empty() => {
                let (var, of) = self.rng.pick(&cells).clone();
                let value = self.expr(&of, size - 1);
                Expr::op(Ty::Unit, "({0} := {1})", vec![Expr::var(Ty::reference(of), var), value])
            }
            2 => self.for_loop(size),
            3 => {
                let of = self.ty(2);
                let value = self.expr(&of, size - 1);
                Expr::op(Ty::Unit, "(ignore {0})", vec![value])
            }
            4 => self.assign_field(size),
            5 => {
                let of = self.ty(1);
                let parts = vec![
                    self.expr(&Ty::array(of.clone()), half),
                    self.expr(&Ty::Int, 2),
                    self.expr(&of, half),
                ];
                Expr::op(Ty::Unit, "(put {0} {1} {2})", parts)
            }
            6 => {
                let parts = vec![self.expr(&Ty::Bool, half), self.expr(&Ty::Unit, half)];
                Expr::op(Ty::Unit, "(if {0} then {1})", parts)
            }
            _ => {
                let value = self.expr(&Ty::Int, size - 1);
                Expr::op(Ty::Unit, "(log {0})", vec![value])
            }
        }
    }

    fn assign_field(&mut self, size: usize) -> Expr {
        let mut ways = Vec::new();
        for entry in self.scope.iter().filter(|it| it.lead.is_none()) {
            let Ty::Data(id, args) = &entry.ty else { continue };
            let crate::types::Shape::Record(fields) = &self.types.data[*id].shape else { continue };
            for field in fields.iter().filter(|it| it.mutable) {
                ways.push((
                    Expr::var(entry.ty.clone(), entry.var),
                    field.name.clone(),
                    field.ty.subst(args),
                ));
            }
        }
        if ways.is_empty() {
            return Expr::op(Ty::Unit, "(log {0})", vec![Expr::int(0)]);
        }
        let (whole, name, of) = ways.swap_remove(self.rng.below(ways.len()));
        let value = self.expr(&of, size - 1);
        Expr::op(Ty::Unit, "({0}.{1} <- {2})", vec![whole, Expr::atom(Ty::Unit, name), value])
    }

    fn for_loop(&mut self, size: usize) -> Expr {
        let scope = self.scope.len();
        let var = self.introduce(&Ty::Int);
        let body = self.expr(&Ty::Unit, size.saturating_sub(3));
        self.scope.truncate(scope);
        let (low, high, down) = (self.rng.range(-2, 2), self.rng.range(0, 4), self.rng.chance(25));
        let (from, to) = if down { (high, low) } else { (low, high) };
        let (from, to) = (Box::new(Expr::int(from)), Box::new(Expr::int(to)));
        Expr::new(Ty::Unit, Kind::For { var, down, from, to, body: Box::new(body) })
    }

    /// `let r = ref … in let write = … in let read = … in …`
    fn shared_cell(&mut self, ty: &Ty, size: usize) -> Expr {
        let of = self.ty(2);
        let cell_ty = Ty::reference(of.clone());
        let value = self.expr(&of, size / 4);
        let first = Expr::op(cell_ty.clone(), "(ref {0})", vec![value]);
        let scope = self.scope.len();
        let cell = self.introduce(&cell_ty);
        let mut lets = vec![(cell, first)];
        for _ in 0..self.rng.range(2, 3) {
            let func_ty = match self.rng.below(3) {
                0 => Ty::fun(&[Ty::Unit], of.clone()),
                1 => Ty::fun(std::slice::from_ref(&of), Ty::Unit),
                _ => INT_TO_INT(),
            };
            let func = self.function(&func_ty, size / 4);
            let var = self.fresh(&func_ty);
            self.costs[var] = self.body_cost(&func);
            self.scope.push(Entry::known(var, func_ty));
            lets.push((var, func));
        }
        let body = self.using(scope, ty, size / 2);
        self.scope.truncate(scope);
        lets.into_iter().rev().fold(body, |body, (var, bound)| Expr::bind(var, bound, body))
    }

    /// A loop that stores closures over its variable in a list, which is in scope afterwards.
    fn loop_closures(&mut self, ty: &Ty, size: usize) -> Expr {
        let func_ty = if self.rng.chance(60) { INT_TO_INT() } else { self.function_type(1) };
        let kept = if self.rng.chance(30) { Ty::Tuple(vec![Ty::Int, func_ty]) } else { func_ty };
        let (list_ty, cell_ty) = (Ty::list(kept.clone()), Ty::reference(Ty::list(kept.clone())));
        let cell = self.fresh(&cell_ty);
        let scope = self.scope.len();
        let count = Expr::int(self.rng.range(1, 5));
        let push = |value: Expr| {
            Expr::op(
                Ty::Unit,
                "({0} := {1} :: !{0})",
                vec![Expr::var(cell_ty.clone(), cell), value],
            )
        };
        let filling = if self.rng.chance(50) {
            let var = self.introduce(&Ty::Int);
            let value = self.expr(&kept, size / 3);
            let (from, to, body) = (Box::new(Expr::int(0)), Box::new(count), Box::new(push(value)));
            Expr::new(Ty::Unit, Kind::For { var, down: false, from, to, body })
        } else {
            // The closures share the counter, and each has its own copy of it.
            let counter_ty = Ty::reference(Ty::Int);
            let counter = self.fresh(&counter_ty);
            let copy = self.introduce(&Ty::Int);
            let value = self.expr(&kept, size / 3);
            let read = Expr::op(Ty::Int, "!{0}", vec![Expr::var(counter_ty.clone(), counter)]);
            let step = Expr::bind(copy, read, push(value));
            let parts = vec![Expr::var(counter_ty.clone(), counter), count, step];
            let text = "(while !{0} < {1} do {0} := !{0} + 1; {2} done)";
            Expr::bind(
                counter,
                Expr::op(counter_ty, "(ref {0})", vec![Expr::int(0)]),
                Expr::op(Ty::Unit, text, parts),
            )
        };
        self.scope.truncate(scope);
        let list = self.introduce(&list_ty);
        let body = self.using(scope, ty, size / 2);
        self.scope.truncate(scope);
        let read = Expr::op(
            list_ty,
            if self.rng.chance(50) { "!{0}" } else { "(List.rev !{0})" },
            vec![Expr::var(cell_ty.clone(), cell)],
        );
        let rest = Expr::op(ty.clone(), "({0}; {1})", vec![filling, Expr::bind(list, read, body)]);
        let empty = Expr::atom(cell_ty, "(ref [])");
        Expr::bind(cell, empty, rest)
    }

    fn local_polymorphic(&mut self, ty: &Ty, size: usize) -> Expr {
        let (text, scheme) = *self.rng.pick(LOCAL_POLYMORPHIC);
        let scheme = crate::globals::parse(scheme);
        let captured = self.expr(&Ty::Int, 3);
        let bound = Expr::op(scheme.clone(), text, vec![captured]);
        let var = self.fresh(&scheme);
        let scope = self.scope.len();
        self.scope.push(Entry { params: 2, ..Entry::known(var, scheme) });
        let body = self.using(scope, ty, size - 3);
        self.scope.truncate(scope);
        Expr::bind(var, bound, body)
    }

    /// A closure over 1 to 33 variables of several types.
    fn many_captures(&mut self, ty: &Ty) -> Expr {
        let count = *self.rng.pick(&[1, 7, 8, 16, 17, 33]);
        let mut lets = Vec::new();
        let scope = self.scope.len();
        let param = self.fresh(&Ty::Int);
        let mut sum = Expr::var(Ty::Int, param);
        for index in 0..count {
            let of = match self.rng.below(8) {
                0 => Ty::Str,
                1 => Ty::reference(Ty::Int),
                2 => INT_TO_INT(),
                3 => Ty::Float,
                4 => Ty::Tuple(vec![Ty::Int, Ty::Str]),
                _ => Ty::Int,
            };
            let bound = self.expr(&of, 2);
            let var = self.introduce(&of);
            let text = match &of {
                Ty::Str => "({0} + String.length {1})",
                Ty::Ref(_) => "(let n0 = {0} in {1} := !{1} + 1; n0 * 3 + !{1})",
                Ty::Fun(..) => "({0} + {1} 2)",
                Ty::Float => "({0} + (if {1} > 1.5 then 1 else 2))",
                Ty::Tuple(_) => "({0} lxor (match {1} with (n, s) -> n + String.length s))",
                _ if index % 2 == 0 => "({0} * 7 + {1})",
                _ => "({1} - {0})",
            };
            sum = Expr::op(Ty::Int, text, vec![sum, Expr::var(of, var)]);
            lets.push((var, bound));
        }
        self.scope.truncate(scope);
        let mut body = Expr::lambda(&[(param, Ty::Int)], sum);
        if *ty == Ty::Int {
            body = Expr::call(body, vec![Expr::int(self.rng.range(0, 9))]);
        }
        lets.into_iter().rev().fold(body, |body, (var, bound)| Expr::bind(var, bound, body))
    }

    /// A tail-recursive loop of some thousand steps, with the bound captured.
    fn tail_loop(&mut self, ty: &Ty, size: usize) -> Expr {
        let bound = self.fresh(&Ty::Int);
        let looping = Ty::fun(&[Ty::Int, Ty::Int], Ty::Int);
        let (func, index, acc) = (self.fresh(&looping), self.fresh(&Ty::Int), self.fresh(&Ty::Int));
        let scope = self.scope.len();
        let read = |var| Expr::var(Ty::Int, var);
        // Nothing in scope is called from inside: only arithmetic on variables.
        let captured = self.exact(&Ty::Int).unwrap_or_else(|| Expr::int(5));
        let text = *self.rng.pick(&[
            "({0} * 3 + {1} - {2})",
            "({0} lxor ({1} * {2}))",
            "(({0} + {2}) mod (1000 + {1}))",
        ]);
        let step = Expr::op(Ty::Int, text, vec![read(acc), read(index), captured]);
        let again =
            |at: Expr, acc: Expr| Expr::call(Expr::var(looping.clone(), func), vec![at, acc]);
        let next = Expr::op(Ty::Int, "({0} + 1)", vec![read(index)]);
        let parts = vec![read(index), read(bound), read(acc), again(next, step)];
        let body = Expr::op(Ty::Int, "(if {0} >= {1} then {2} else {3})", parts);
        let binds = vec![(func, Expr::lambda(&[(index, Ty::Int), (acc, Ty::Int)], body))];
        let start = self.expr(&Ty::Int, size / 4);
        let mut result = again(Expr::int(0), start);
        if *ty != Ty::Int {
            let param = self.fresh(&Ty::Int);
            result = Expr::lambda(&[(param, Ty::Int)], again(Expr::int(0), read(param)));
        }
        self.scope.truncate(scope);
        let result = Expr::new(result.ty.clone(), Kind::LetRec { binds, body: Box::new(result) });
        let steps =
            if *ty == Ty::Int { self.rng.range(1000, 4000) } else { self.rng.range(10, 60) };
        Expr::bind(bound, Expr::int(steps), result)
    }

    /// A function in continuation-passing style; it is in scope afterwards.
    fn continuation(&mut self, ty: &Ty, size: usize) -> Expr {
        let of = self.ty(1);
        let cont_ty = Ty::fun(std::slice::from_ref(&of), of.clone());
        let func_ty = Ty::fun(&[Ty::Int, cont_ty.clone()], of.clone());
        let (func, depth, cont, value) =
            (self.fresh(&func_ty), self.fresh(&Ty::Int), self.fresh(&cont_ty), self.fresh(&of));
        let scope = self.scope.len();
        self.scope.push(Entry::local(depth, Ty::Int));
        let base = self.expr(&of, size / 5);
        self.scope.push(Entry::local(value, of.clone()));
        let after = self.expr(&of, size / 4);
        self.scope.truncate(scope);
        let call = |arg: Expr| Expr::call(Expr::var(cont_ty.clone(), cont), vec![arg]);
        let inner = self.bounded(Expr::lambda(&[(value, of.clone())], call(after)));
        let less = Expr::op(Ty::Int, "({0} - 1)", vec![Expr::var(Ty::Int, depth)]);
        let again = Expr::call(Expr::var(func_ty, func), vec![less, inner]);
        let parts = vec![Expr::var(Ty::Int, depth), call(base), again];
        let body = self.ticking(Expr::op(of.clone(), "(if {0} <= 0 then {1} else {2})", parts));
        let binds = vec![(func, Expr::lambda(&[(depth, Ty::Int), (cont, cont_ty.clone())], body))];
        self.costs[func] = 100;
        self.scope.push(Entry::led(func, Ty::fun(&[cont_ty], of), super::scope::Lead::Small));
        let body = Box::new(self.using(scope, ty, size / 2));
        self.scope.truncate(scope);
        Expr::new(ty.clone(), Kind::LetRec { binds, body })
    }

    /// A maker of closures with state of their own, and two that it made.
    fn instances(&mut self, ty: &Ty, size: usize) -> Expr {
        let state_ty = Ty::reference(Ty::Int);
        let maker_ty = Ty::fun(&[Ty::Int], INT_TO_INT());
        let (start, state, made, by) = (
            self.fresh(&Ty::Int),
            self.fresh(&state_ty),
            self.fresh(&INT_TO_INT()),
            self.fresh(&Ty::Int),
        );
        let state_var = || Expr::var(state_ty.clone(), state);
        // Recursion makes the inner function refer to itself.
        let less = Expr::op(Ty::Int, "({0} - 1)", vec![Expr::var(Ty::Int, by)]);
        let again = Expr::call(Expr::var(INT_TO_INT(), made), vec![less]);
        let text = "(if {0} > 5 then {2} else ({1} := !{1} + {0}; !{1}))";
        let body = Expr::op(Ty::Int, text, vec![Expr::var(Ty::Int, by), state_var(), again]);
        let text = "(({0} land 15) + 0)";
        let param = self.fresh(&Ty::Int);
        let small = Expr::op(Ty::Int, text, vec![Expr::var(Ty::Int, param)]);
        let entry = Expr::lambda(
            &[(param, Ty::Int)],
            Expr::call(Expr::var(INT_TO_INT(), made), vec![small]),
        );
        let binds = vec![(made, Expr::lambda(&[(by, Ty::Int)], body))];
        let inner = Expr::new(INT_TO_INT(), Kind::LetRec { binds, body: Box::new(entry) });
        let cell = Expr::op(state_ty.clone(), "(ref {0})", vec![Expr::var(Ty::Int, start)]);
        let maker = Expr::lambda(&[(start, Ty::Int)], Expr::bind(state, cell, inner));
        let func = self.fresh(&maker_ty);
        let scope = self.scope.len();
        self.scope.push(Entry::known(func, maker_ty.clone()));
        let mut lets = vec![(func, maker)];
        for _ in 0..2 {
            let arg = self.expr(&Ty::Int, 2);
            let bound = Expr::call(Expr::var(maker_ty.clone(), func), vec![arg]);
            let var = self.fresh(&INT_TO_INT());
            self.scope.push(Entry::known(var, INT_TO_INT()));
            lets.push((var, bound));
        }
        let rest = self.using(scope, ty, size / 2);
        self.scope.truncate(scope);
        lets.into_iter().rev().fold(rest, |body, (var, bound)| Expr::bind(var, bound, body))
    }
}
