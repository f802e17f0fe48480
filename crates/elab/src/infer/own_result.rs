//! Constructors with results of their own: `type _ t = Int : int -> int t | Show : 'a * ('a -> string) -> unit t`.
//!
//! Their variables are their own, not the type's parameters. Once a group of types is declared, it is settled which
//! parameters the graph has:
//!
//! ```text
//! type (_, 'a) vec = Nil : (zero, 'a) vec | Cons : 'a * ('n, 'a) vec -> ('n succ, 'a) vec
//!
//! the second is a plain variable in every result      kept: the variables of the constructors become it
//! the first is `zero` or `'n succ`                    erased: (n, int) vec and (m, int) vec are one type in the graph
//! ```
//!
//! A parameter is erased as well where a constructor holds a value of the type at a type that it hides: `'b t` in
//! `Map : 'b t * ('b -> 'a) -> 'a t`. Values would have to be made anew to be held.

use oxbow_base::FxHashSet;
use oxbow_diag::Diagnostic;

use crate::ast::{ConstructorArgs, ConstructorDecl, ConstructorResult, Name};
use crate::types::{
    CtorInfo, GENERIC, InlineOwner, OwnResult, TyConId, TyConKind, Type, TypeId, Walk,
};

use super::Infer;
use super::env::Env;
use super::typexpr::Vars;

impl Infer<'_> {
    /// A constructor of `tycon` that says what it makes.
    pub(super) fn own_constructor(
        &mut self,
        env: &Env,
        ctor: &ConstructorDecl,
        made: &ConstructorResult,
        owner: InlineOwner,
        tycon: TyConId,
    ) -> CtorInfo {
        let (args, inline_record, own) =
            self.own_parts(env, (&ctor.name, &ctor.args), made, owner, tycon);
        let (name, span) = (ctor.name.text, ctor.name.span);
        CtorInfo { name, args, inline_record, own: Some(own), span }
    }

    /// The arguments of a constructor that says what it makes, the record inside it, and its result.
    pub(super) fn own_parts(
        &mut self,
        env: &Env,
        (ctor, args): (&Name, &ConstructorArgs),
        made: &ConstructorResult,
        owner: InlineOwner,
        tycon: TyConId,
    ) -> (Vec<TypeId>, Option<TyConId>, OwnResult) {
        let saved = std::mem::take(&mut self.tyvars);
        for name in &made.vars {
            let var = self.types.add(Type::Var { level: GENERIC, name: Some(name.text) });
            self.tyvars.insert(name.text, var);
        }
        let vars = if made.vars.is_empty() { Vars::Constructor } else { Vars::Declared };
        let (args, inline_record) = self.ctor_args(env, args, owner, ctor.text, Vec::new(), vars);
        let result = self.type_expr(env, &made.ty, vars);
        self.tyvars = saved;
        let expanded = self.types.expand(result);
        let result_args = match &self.types.nodes[expanded] {
            Type::Con(con, args) if *con == tycon => args.clone(),
            Type::Error => self.types.tycons[tycon].params.clone(),
            _ => {
                self.report_other_result(ctor, made, tycon, result);
                self.types.tycons[tycon].params.clone()
            }
        };
        let mut vars = Vec::new();
        for &ty in args.iter().chain(&result_args) {
            self.generic_vars(ty, &mut vars, &mut Walk::default());
        }
        self.check_deduced(ctor, made, &args, &result_args);
        if let Some(record) = inline_record {
            self.types.tycons[record].params.clone_from(&vars);
        }
        self.types.has_own_results = true;
        (args, inline_record, OwnResult { vars, args: result_args })
    }

    fn report_other_result(
        &mut self,
        ctor: &Name,
        made: &ConstructorResult,
        tycon: TyConId,
        result: TypeId,
    ) {
        let (shown, wanted) = (self.show(result), self.types.tycons[tycon].path.clone());
        let name = ctor.text;
        let must_be = match self.types.tycons[tycon].params.is_empty() {
            true => format!("must be `{wanted}`"),
            false => format!("must be `{wanted}` with some arguments"),
        };
        self.diagnostics.error(
            Diagnostic::error(
                "E0170",
                format!("constructor `{name}` makes `{shown}`, but it belongs to `{wanted}`"),
            )
            .at(made.ty.span, must_be),
        );
    }

    /// The types of the arguments must follow from the type: an abstract type may forget its own argument. `'a t`
    /// follows from `'a t w`, whatever `'a` is.
    fn check_deduced(
        &mut self,
        ctor: &Name,
        made: &ConstructorResult,
        args: &[TypeId],
        result: &[TypeId],
    ) {
        let mut walk = Walk::default();
        let forgotten = args.iter().find_map(|&it| self.not_deduced(it, result, &mut walk));
        let Some(var) = forgotten else { return };
        let (shown, name) = (self.show(var), ctor.text);
        let text = format!(
            "the variable `{shown}` of constructor `{name}` does not follow from its result"
        );
        self.diagnostics.error(
            Diagnostic::error("E0176", text)
                .at(made.ty.span, "an abstract type here may forget its argument")
                .help("mark the parameter of the abstract type as injective: `type !'a t`"),
        );
    }

    /// A variable of the result in `ty` that does not follow from it.
    fn not_deduced(
        &mut self,
        ty: TypeId,
        result: &[TypeId],
        walk: &mut Walk<TypeId>,
    ) -> Option<TypeId> {
        let ty = self.types.repr(ty);
        if walk.has_entered(ty) || result.iter().any(|&it| self.deduces(it, ty)) {
            return None;
        }
        if let Type::Var { .. } = self.types.nodes[ty] {
            return result.iter().any(|&it| self.mentions(it, ty)).then_some(ty);
        }
        let parts = self.types.parts(ty);
        parts.into_iter().find_map(|it| self.not_deduced(it, result, walk))
    }

    /// Does it follow from `whole` what `part` is?
    fn deduces(&mut self, whole: TypeId, part: TypeId) -> bool {
        if self.is_written_same(whole, part) {
            return true;
        }
        let whole = self.types.repr(whole);
        match self.types.nodes[whole].clone() {
            Type::Var { .. } | Type::Link(_) | Type::Error => false,
            Type::Arrow(_, param, result) => {
                self.deduces(param, part) || self.deduces(result, part)
            }
            Type::Tuple(items) => items.into_iter().any(|it| self.deduces(it, part)),
            Type::Con(con, items) => items
                .into_iter()
                .enumerate()
                .any(|(at, it)| self.is_marked_injective(con, at) && self.deduces(it, part)),
            Type::Row(_) => self.types.mentions_any(whole, &[part]),
        }
    }

    fn is_written_same(&mut self, a: TypeId, b: TypeId) -> bool {
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        if a == b {
            return true;
        }
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            (Type::Arrow(a, x, y), Type::Arrow(b, u, v)) => {
                a == b && self.is_written_same(x, u) && self.is_written_same(y, v)
            }
            (Type::Tuple(a), Type::Tuple(b)) => self.are_written_same(&a, &b),
            (Type::Con(x, a), Type::Con(y, b)) => x == y && self.are_written_same(&a, &b),
            _ => false,
        }
    }

    fn are_written_same(&mut self, a: &[TypeId], b: &[TypeId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.is_written_same(a, b))
    }

    fn generic_vars(&self, ty: TypeId, found: &mut Vec<TypeId>, walk: &mut Walk<TypeId>) {
        let ty = self.types.repr(ty);
        match &self.types.nodes[ty] {
            Type::Var { .. } => {
                if !found.contains(&ty) {
                    found.push(ty);
                }
            }
            Type::Link(_) | Type::Error => (),
            &Type::Arrow(_, param, result) => {
                if !walk.has_seen(ty) {
                    self.generic_vars(param, found, walk);
                    self.generic_vars(result, found, walk);
                }
            }
            Type::Tuple(items) | Type::Con(_, items) => {
                if !walk.has_seen(ty) {
                    items.iter().for_each(|&it| self.generic_vars(it, found, walk));
                }
            }
            Type::Row(row) => {
                if !row.is_fixed() && !found.contains(&ty) {
                    found.push(ty);
                }
                if !walk.has_seen(ty) {
                    row.types().iter().for_each(|&it| self.generic_vars(it, found, walk));
                }
            }
        }
    }

    /// Decides which parameters of a group of types the graph has.
    pub(super) fn settle_own_results(&mut self, tycons: &[TyConId]) {
        let group: Vec<TyConId> =
            tycons.iter().copied().filter(|&it| self.has_own_results(it)).collect();
        for &tycon in &group {
            self.types.tycons[tycon].erased = self.indices(tycon);
        }
        while group.iter().any(|&it| self.erase_more(it, &group)) {}
        for &tycon in &group {
            let params = self.types.tycons[tycon].params.clone();
            let erased = self.types.tycons[tycon].erased.clone();
            for own in self.own_results(tycon) {
                for ((&arg, &param), _) in
                    own.args.iter().zip(&params).zip(&erased).filter(|it| !it.1)
                {
                    let arg = self.types.repr(arg);
                    if arg != param {
                        self.types.nodes[arg] = Type::Link(param);
                    }
                }
            }
            let kept: Vec<TypeId> =
                params.iter().zip(&erased).filter(|it| !it.1).map(|it| *it.0).collect();
            let vars: Vec<TypeId> =
                self.own_results(tycon).iter().flat_map(|it| it.vars.clone()).collect();
            let all = vars.into_iter().map(|it| self.types.repr(it)).chain(params);
            let unknown: Vec<TypeId> = all.filter(|it| !kept.contains(it)).collect();
            self.types.uniform.extend(unknown);
        }
    }

    pub(super) fn has_own_results(&self, tycon: TyConId) -> bool {
        match &self.types.tycons[tycon].kind {
            TyConKind::Variant(ctors) => ctors.iter().any(|it| it.own.is_some()),
            _ => false,
        }
    }

    fn own_results(&self, tycon: TyConId) -> Vec<OwnResult> {
        match &self.types.tycons[tycon].kind {
            TyConKind::Variant(ctors) => ctors.iter().filter_map(|it| it.own.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// The parameters for which some constructor has something else than a variable of its own.
    pub(super) fn indices(&self, tycon: TyConId) -> Vec<bool> {
        let count = self.types.tycons[tycon].params.len();
        let mut erased = vec![false; count];
        for own in self.own_results(tycon) {
            let args: Vec<TypeId> = own.args.iter().map(|&it| self.types.repr(it)).collect();
            for (at, &arg) in args.iter().enumerate() {
                let is_var = matches!(self.types.nodes[arg], Type::Var { .. });
                let mentions = |ty: TypeId| self.mentions(ty, arg);
                let elsewhere = args.iter().enumerate().any(|it| it.0 != at && mentions(*it.1));
                erased[at] |= !is_var || elsewhere;
            }
        }
        erased
    }

    /// Erases parameters that constructors of `tycon` instantiate with what they hide. Has anything changed?
    fn erase_more(&mut self, tycon: TyConId, group: &[TyConId]) -> bool {
        let TyConKind::Variant(ctors) = self.types.tycons[tycon].kind.clone() else { return false };
        let erased = self.types.tycons[tycon].erased.clone();
        let params = self.types.tycons[tycon].params.clone();
        let mut changed = false;
        for ctor in ctors {
            let kept = |args: &[TypeId]| -> Vec<TypeId> {
                let kept = args.iter().zip(&erased).filter(|it| !it.1);
                kept.map(|it| self.types.repr(*it.0)).collect()
            };
            let (vars, kept) = match &ctor.own {
                Some(own) => (own.vars.clone(), kept(&own.args)),
                None => (params.clone(), kept(&params)),
            };
            let hidden: Vec<TypeId> =
                vars.into_iter().filter(|&it| !kept.contains(&self.types.repr(it))).collect();
            let mut todo = ctor.args.clone();
            let mut rows = FxHashSet::default();
            while let Some(ty) = todo.pop() {
                match self.types.get(ty).clone() {
                    Type::Row(row) => {
                        if rows.insert(self.types.repr(ty)) {
                            todo.extend(row.types());
                        }
                    }
                    Type::Var { .. } | Type::Link(_) | Type::Error => (),
                    Type::Arrow(_, param, result) => todo.extend([param, result]),
                    Type::Tuple(items) => todo.extend(items),
                    Type::Con(con, args) => {
                        if group.contains(&con) {
                            for (at, &arg) in args.iter().enumerate() {
                                let is_hidden = hidden.iter().any(|&it| self.mentions(arg, it));
                                if is_hidden && !self.types.tycons[con].erased[at] {
                                    self.types.tycons[con].erased[at] = true;
                                    changed = true;
                                }
                            }
                        }
                        todo.extend(args);
                    }
                }
            }
        }
        changed
    }

    /// Are two constructors with results of their own the same, up to the names of their variables?
    pub(super) fn same_own_result(
        &mut self,
        (declared, wanted): (&[TypeId], &OwnResult),
        (actual, found): (&[TypeId], &OwnResult),
    ) -> bool {
        self.enter_level();
        let vars = found.vars.clone();
        let fresh = self.types.fresh_copies(&vars, self.level);
        self.leave_level();
        let wanted_types = wanted.args.iter().chain(declared);
        let found_types = found.args.iter().chain(actual);
        for (&wanted, &found) in wanted_types.zip(found_types) {
            let found = self.types.substitute(found, &vars, &fresh);
            if self.unify(wanted, found).is_err() {
                return false;
            }
        }
        // Different variables are different in the other, too.
        let mut seen: Vec<TypeId> = Vec::new();
        fresh.into_iter().all(|it| {
            let it = self.types.repr(it);
            let is_new = !seen.contains(&it);
            seen.push(it);
            is_new
                && match &self.types.nodes[it] {
                    Type::Var { .. } => true,
                    Type::Row(row) => !row.is_fixed(),
                    _ => false,
                }
        })
    }
}
