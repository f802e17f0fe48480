//! What a pattern tells of types: equations and hidden types, as long as its branch lasts.
//!
//! ```text
//! let eval : type a. a expr -> a = function
//!   | Int n -> n                        here a = int
//!   | Pair (x, y) -> (eval x, eval y)   here a = $a * $b, and x : $a expr
//! ```
//!
//! An equation makes a locally abstract type an abbreviation until the branch ends, so that everything that expands
//! abbreviations knows it. A constructor's hidden types are type constructors that must not escape the branch.
//!
//! A variable from outside of the branch that is unified inside gets a type of its own (`held`): if that type is
//! needed at what it equals in this branch only, nobody could say which of the two was meant outside, and it is an
//! error, as in OCaml.

use oxbow_base::{FxHashSet, Span, SparseMap, Symbol};
use oxbow_diag::Diagnostic;

use crate::types::{GENERIC, Row, TyCon, TyConId, TyConKind, Type, TypeId, Unknown, Walk};

use super::Infer;
use super::unify::Mismatch;

/// The equations and hidden types of the branches around.
#[derive(Default)]
pub struct Branches {
    /// Types that are abbreviations for now, with the level of the branch and what they are otherwise.
    equations: Vec<(TyConId, u32, TyConKind)>,
    /// Parts of types that variables from outside have got, with the level of the variable.
    held: SparseMap<TypeId, u32>,
    /// Nodes changed by a trial, as they were before.
    pub trail: Option<Vec<(TypeId, Type)>>,
    /// The bindings around whose patterns must hide no types.
    pub no_hidden: Option<&'static str>,
    /// The names of the types that the patterns around hide.
    hidden: Vec<Symbol>,
}

/// What was the case around a function.
pub struct FunctionScope {
    level: u32,
    equations: usize,
    no_hidden: Option<&'static str>,
    held: SparseMap<TypeId, u32>,
    hidden: usize,
}

impl Infer<'_> {
    /// Runs `f` in a branch of its own.
    pub(super) fn in_branch<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        if !self.types.has_own_results || self.is_clef() {
            return f(self);
        }
        let scope = self.function_scope();
        self.enter_level();
        let result = f(self);
        self.leave_function_scope(scope);
        result
    }

    /// A branch ends: variables that its code has made, behind the first `before` types, stand for what equations say.
    /// Uses of polymorphic values are instances at known types then: `!r` for an `int ref` is one at `int` also where
    /// the result is needed as an `a`, and does not make `'a ref` hold values of unknown type (decision 85). What is
    /// known outside, through a variable of there, stays as it is.
    pub(super) fn write_out_equations(&mut self, before: usize) {
        let made = self.types.nodes.len() - before;
        for id in self.types.nodes.ids().rev().take(made) {
            if !matches!(self.types.nodes[id], Type::Link(_)) {
                continue;
            }
            let written = self.types.repr(id);
            if self.branches.held.get(written).is_none() && self.equation_at(written).is_some() {
                let known = self.types.expand(written);
                self.set_node(id, Type::Link(known));
            }
        }
    }

    /// Runs `f` with patterns that must hide no types, since what they bind is known outside.
    pub(super) fn without_hidden<T>(
        &mut self,
        place: &'static str,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mark = self.branches.equations.len();
        let before = self.branches.no_hidden.replace(place);
        let result = f(self);
        self.branches.no_hidden = before;
        self.forget_equations(mark);
        result
    }

    /// A side of an or-pattern: what it tells of types is not known behind it, since the other side may match.
    pub(super) fn alternative<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.branches.equations.len();
        let result = f(self);
        self.forget_equations(mark);
        result
    }

    pub(super) fn known_equations(&self) -> usize {
        self.branches.equations.len()
    }

    /// Runs `f` without the equations from the `mark`-th on.
    pub(super) fn without_equations(&mut self, mark: usize, f: impl FnOnce(&mut Self)) {
        let off: Vec<_> = self.branches.equations.split_off(mark);
        let kinds: Vec<_> = off.iter().map(|it| self.types.tycons[it.0].kind.clone()).collect();
        for (tycon, _, otherwise) in &off {
            self.types.tycons[*tycon].kind = otherwise.clone();
        }
        f(self);
        for ((tycon, ..), kind) in off.iter().zip(kinds) {
            self.types.tycons[*tycon].kind = kind;
        }
        self.branches.equations.extend(off);
    }

    /// The scopes that the parameters of a function begin end with it.
    pub(super) fn function_scope(&mut self) -> FunctionScope {
        FunctionScope {
            level: self.level,
            equations: self.branches.equations.len(),
            no_hidden: self.branches.no_hidden.take(),
            // What is known before the branch may be taken for what it equals inside.
            held: std::mem::take(&mut self.branches.held),
            hidden: self.branches.hidden.len(),
        }
    }

    pub(super) fn leave_function_scope(&mut self, scope: FunctionScope) {
        self.level = scope.level;
        self.branches.no_hidden = scope.no_hidden;
        self.branches.held.append(scope.held);
        self.branches.hidden.truncate(scope.hidden);
        self.forget_equations(scope.equations);
    }

    fn forget_equations(&mut self, mark: usize) {
        for (tycon, _, otherwise) in self.branches.equations.split_off(mark) {
            self.types.tycons[tycon].kind = otherwise;
        }
    }

    /// Runs `f` and takes back what it has unified.
    pub(super) fn trial<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.branches.trail.replace(Vec::new());
        let (mark, hidden) = (self.branches.equations.len(), self.branches.hidden.len());
        self.enter_level();
        let result = f(self);
        self.leave_level();
        self.forget_equations(mark);
        self.branches.hidden.truncate(hidden);
        let changed = std::mem::replace(&mut self.branches.trail, outer);
        for (id, ty) in changed.into_iter().flatten().rev() {
            self.types.nodes[id] = ty;
        }
        result
    }

    pub(super) fn has_equation(&self, tycon: TyConId) -> bool {
        self.branches.equations.iter().any(|it| it.0 == tycon)
    }

    /// What the branch says of the locally abstract types that these mention, for people.
    pub(super) fn equations_about(&self, types: &[TypeId]) -> Option<String> {
        let known: Vec<String> = self
            .branches
            .equations
            .iter()
            .filter(|it| types.iter().any(|&ty| self.mentions_con(ty, it.0)))
            .filter_map(|&(tycon, ..)| match self.types.tycons[tycon].kind {
                TyConKind::Alias(body) => {
                    Some(format!("`{}` is `{}`", self.types.tycons[tycon].path, self.show(body)))
                }
                _ => None,
            })
            .collect();
        (!known.is_empty()).then(|| format!("in this branch {}", known.join(", ")))
    }

    pub(super) fn mentions_con(&self, ty: TypeId, tycon: TyConId) -> bool {
        self.types.any_part(ty, |_, it| matches!(it, Type::Con(con, _) if *con == tycon))
    }

    // ------------------------------------------------------------- ambiguity

    /// The type for a variable of this level: a copy, if it could be taken for what it equals in a branch only.
    pub(super) fn held(&mut self, level: u32, ty: TypeId) -> TypeId {
        match self.branches.equations.last() {
            Some(&(_, inner, _)) if inner > level => {
                self.held_copy(level, ty, &mut SparseMap::new())
            }
            _ => ty,
        }
    }

    fn held_copy(
        &mut self,
        level: u32,
        ty: TypeId,
        made: &mut SparseMap<TypeId, TypeId>,
    ) -> TypeId {
        let ty = self.types.repr(ty);
        if let Some(&made) = made.get(ty) {
            return made;
        }
        let copy = match self.types.nodes[ty].clone() {
            Type::Var { .. } | Type::Link(_) | Type::Error => return ty,
            Type::Arrow(label, param, result) => Type::Arrow(
                label,
                self.held_copy(level, param, made),
                self.held_copy(level, result, made),
            ),
            Type::Tuple(items) => {
                Type::Tuple(items.iter().map(|&it| self.held_copy(level, it, made)).collect())
            }
            Type::Con(con, args) => {
                Type::Con(con, args.iter().map(|&it| self.held_copy(level, it, made)).collect())
            }
            // A row that is not fixed is a variable. One that is may mention itself.
            Type::Row(row) if !row.is_fixed() => return ty,
            Type::Row(row) => {
                let copy = self.types.add(Type::Error);
                self.branches.held.insert(copy, level);
                made.insert(ty, copy);
                let row = row.map(|it| self.held_copy(level, it, made));
                self.types.nodes[copy] = Type::Row(Box::new(row));
                return copy;
            }
        };
        let copy = self.types.add(copy);
        self.branches.held.insert(copy, level);
        made.insert(ty, copy);
        copy
    }

    /// Two types have been unified as written here: was an equation needed that one of them must not depend on?
    pub(super) fn check_ambiguous(&self, written: (TypeId, TypeId)) -> Result<(), Mismatch> {
        if self.branches.equations.is_empty() || self.branches.held.is_empty() {
            return Ok(());
        }
        // What was known without the equation stays so: only the side that it was needed for may depend on it.
        for side in [written.0, written.1] {
            if let Some((level, tycon)) = self.equation_at(side)
                && self.is_held_below(side, level)
            {
                return Err(Mismatch::Ambiguous(tycon));
            }
        }
        Ok(())
    }

    /// The equation that the head of a type is expanded by, the innermost one.
    pub(super) fn equation_at(&self, ty: TypeId) -> Option<(u32, TyConId)> {
        let mut ty = self.types.repr(ty);
        let mut found = None;
        while let Type::Con(con, _) = &self.types.nodes[ty]
            && let TyConKind::Alias(body) = self.types.tycons[*con].kind
        {
            let equation = self.branches.equations.iter().find(|it| it.0 == *con);
            found = found.max(equation.map(|&(tycon, level, _)| (level, tycon)));
            ty = self.types.repr(body);
        }
        found
    }

    fn is_held_below(&self, ty: TypeId, level: u32) -> bool {
        self.types.any_part(ty, |id, _| self.branches.held.get(id).is_some_and(|&it| it < level))
    }

    // ------------------------------------------------------------- equations

    /// Unifies the type of a value with the result of a constructor that it was made by. What this says of locally
    /// abstract types is known from here to the end of the branch.
    pub(super) fn relate(&mut self, a: TypeId, b: TypeId) -> Result<(), Mismatch> {
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        if a == b {
            return Ok(());
        }
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            (Type::Error, _) | (_, Type::Error) => Ok(()),
            (Type::Var { level, .. }, _) if level != GENERIC => {
                self.bind(a, level, b, &mut Walk::default())
            }
            (_, Type::Var { level, .. }) if level != GENERIC => {
                self.bind(b, level, a, &mut Walk::default())
            }
            (Type::Con(con_a, _), Type::Con(con_b, _))
                if self.is_open(con_a) && self.is_open(con_b) =>
            {
                if con_a == con_b {
                    return Ok(());
                }
                // The inner one is what the outer one is.
                let level = |con| self.scope_levels.get(con).copied().unwrap_or(0);
                if level(con_a) > level(con_b) {
                    self.equate(con_a, b)
                } else {
                    self.equate(con_b, a)
                }
            }
            (Type::Con(con, _), _) if self.is_open(con) => self.equate(con, b),
            (_, Type::Con(con, _)) if self.is_open(con) => self.equate(con, a),
            (Type::Arrow(label_a, param_a, result_a), Type::Arrow(label_b, param_b, result_b)) => {
                if label_a != label_b {
                    return Err(Mismatch::Different);
                }
                self.relate(param_a, param_b)?;
                self.relate(result_a, result_b)
            }
            (Type::Tuple(items_a), Type::Tuple(items_b)) if items_a.len() == items_b.len() => {
                items_a.into_iter().zip(items_b).try_for_each(|(a, b)| self.relate(a, b))
            }
            (Type::Con(con_a, args_a), Type::Con(con_b, args_b)) if con_a == con_b => {
                for (at, (a, b)) in args_a.into_iter().zip(args_b).enumerate() {
                    // An abstract type may forget its argument: nothing follows for that.
                    if self.is_injective(con_a, at) {
                        self.relate(a, b)?;
                    }
                }
                Ok(())
            }
            (Type::Con(con_a, _), Type::Con(con_b, _)) => {
                let maybe = self.may_be_another(con_a) || self.may_be_another(con_b);
                if maybe { Ok(()) } else { Err(Mismatch::Different) }
            }
            (Type::Con(con, _), _) | (_, Type::Con(con, _)) if self.may_be_another(con) => Ok(()),
            (Type::Row(a), Type::Row(b)) if a.is_fixed() && b.is_fixed() => {
                let shape = |row: &Row| -> Vec<(Symbol, usize)> {
                    row.tags.iter().map(|it| (it.0, it.1.types().len())).collect()
                };
                if shape(&a) != shape(&b) || a.object != b.object {
                    return Err(Mismatch::Different);
                }
                a.types().into_iter().zip(b.types()).try_for_each(|(a, b)| self.relate(a, b))
            }
            (Type::Row(_), Type::Row(_)) => self.unify(a, b),
            _ => Err(Mismatch::Different),
        }
    }

    /// May a branch say what this type is?
    fn is_open(&self, con: TyConId) -> bool {
        let tycon = &self.types.tycons[con];
        if !matches!(tycon.kind, TyConKind::Abstract { .. }) {
            return false;
        }
        match tycon.unknown {
            Unknown::Local | Unknown::Existential => true,
            Unknown::Packed => tycon.params.is_empty(),
            Unknown::Quantified => false,
            // A type that a module keeps to itself.
            Unknown::No => tycon.params.is_empty() && !tycon.private && self.may_be_another(con),
        }
    }

    /// Do different arguments of a type make different types?
    pub(super) fn is_injective(&self, con: TyConId, at: usize) -> bool {
        let tycon = &self.types.tycons[con];
        match tycon.kind {
            // One that a structure declares is nothing else.
            TyConKind::Abstract { implementation: None } if !tycon.of_signature => true,
            TyConKind::Abstract { .. } => tycon.injective.get(at).copied().unwrap_or(false),
            TyConKind::Alias(body) => {
                tycon.params.get(at).is_some_and(|&param| self.determines(body, param))
            }
            _ => true,
        }
    }

    /// Is that said where the type is declared? Results of constructors ask for it.
    pub(super) fn is_marked_injective(&self, con: TyConId, at: usize) -> bool {
        let tycon = &self.types.tycons[con];
        match tycon.kind {
            TyConKind::Abstract { .. } => tycon.injective.get(at).copied().unwrap_or(false),
            TyConKind::Alias(body) => {
                let follows =
                    |&param: &TypeId| self.determines_by(body, param, Self::is_marked_injective);
                tycon.params.get(at).is_some_and(follows)
            }
            _ => true,
        }
    }

    /// Does it follow from the whole type what `var` is?
    pub(super) fn determines(&self, ty: TypeId, var: TypeId) -> bool {
        self.determines_by(ty, var, Self::is_injective)
    }

    pub(super) fn determines_by(
        &self,
        ty: TypeId,
        var: TypeId,
        is_injective: fn(&Self, TyConId, usize) -> bool,
    ) -> bool {
        let follows = |it: TypeId| self.determines_by(it, var, is_injective);
        let ty = self.types.repr(ty);
        if ty == self.types.repr(var) {
            return true;
        }
        match &self.types.nodes[ty] {
            Type::Var { .. } | Type::Link(_) | Type::Error => false,
            &Type::Arrow(_, param, result) => follows(param) || follows(result),
            Type::Tuple(items) => items.iter().any(|&it| follows(it)),
            Type::Con(con, items) => items
                .iter()
                .enumerate()
                .any(|(at, &it)| is_injective(self, *con, at) && follows(it)),
            Type::Row(_) => self.types.mentions_any(ty, &[var]),
        }
    }

    /// The parameters that a signature marks `!` must be so.
    pub(super) fn check_injective(&mut self, declared: TyConId, actual: TyConId, span: Span) {
        let marks = self.types.tycons[declared].injective.clone();
        let forgets = |at: &usize| marks[*at] && !self.is_injective(actual, *at);
        let Some(at) = (0..marks.len()).find(forgets) else { return };
        let (name, number) = (self.types.tycons[declared].name, at + 1);
        let text =
            format!("parameter {number} of type `{name}` is not injective, as the signature says");
        let mut diagnostic = Diagnostic::error("E0209", text);
        diagnostic = match (self.span_of_tycon(actual), self.span_of_tycon(declared)) {
            (Some(defined), Some(wanted)) if defined.file == wanted.file => diagnostic
                .at(defined, "does not depend on its parameter")
                .label(wanted, "declared here"),
            _ => diagnostic.at(span, ""),
        };
        self.diagnostics.error(diagnostic);
    }

    /// Could an abstract type be another one behind its name? Not one that this module or one around it declares.
    fn may_be_another(&self, con: TyConId) -> bool {
        let tycon = &self.types.tycons[con];
        match tycon.kind {
            TyConKind::Abstract { implementation: Some(_) } => true,
            TyConKind::Abstract { implementation: None } => {
                match tycon.unknown {
                    Unknown::No => (),
                    Unknown::Packed => return true,
                    Unknown::Quantified | Unknown::Local | Unknown::Existential => return false,
                }
                // Of the parameter of a functor around.
                if tycon.of_signature {
                    return true;
                }
                let here = self.display_path(Symbol::new(""));
                let module = tycon.path.strip_suffix(tycon.name.as_str()).unwrap_or_default();
                !here.starts_with(module)
            }
            _ => false,
        }
    }

    /// `con = ty` until the branch ends.
    fn equate(&mut self, con: TyConId, ty: TypeId) -> Result<(), Mismatch> {
        // Nothing follows from `a = a list`, though it cannot be.
        if self.occurs(con, ty) {
            return Ok(());
        }
        self.hide_vars(ty, self.types.tycons[con].span);
        let alias = TyConKind::Alias(ty);
        let otherwise = std::mem::replace(&mut self.types.tycons[con].kind, alias);
        self.types.has_equations = true;
        self.branches.equations.push((con, self.level, otherwise));
        Ok(())
    }

    fn occurs(&mut self, con: TyConId, ty: TypeId) -> bool {
        let mut todo = vec![ty];
        let mut seen = FxHashSet::default();
        while let Some(ty) = todo.pop() {
            let ty = self.types.expand(ty);
            if !seen.insert(ty) {
                continue;
            }
            if matches!(self.types.nodes[ty], Type::Con(other, _) if other == con) {
                return true;
            }
            todo.extend(self.types.parts(ty));
        }
        false
    }

    /// The variables of this branch in a type that an equation mentions are hidden types: the constructor was
    /// applied to some types, and nobody knows which.
    fn hide_vars(&mut self, ty: TypeId, span: Option<Span>) {
        let mut todo = vec![ty];
        let mut seen = FxHashSet::default();
        while let Some(ty) = todo.pop() {
            let ty = self.types.repr(ty);
            if !seen.insert(ty) {
                continue;
            }
            match self.types.nodes[ty] {
                Type::Var { level, name } if level != GENERIC && level >= self.level => {
                    let hidden = self.hidden_type(name, span);
                    self.set_node(ty, Type::Link(hidden));
                }
                _ => {
                    // The first part first: hidden types are numbered in the order of the text.
                    let mut parts = self.types.parts(ty);
                    parts.reverse();
                    todo.extend(parts);
                }
            }
        }
    }

    pub(super) fn hidden_type(&mut self, name: Option<Symbol>, span: Option<Span>) -> TypeId {
        let plain = name.map_or("0", Symbol::as_str);
        let numbered = (1..).map(|it| Symbol::new(&format!("${plain}{it}")));
        let mut names = std::iter::once(Symbol::new(&format!("${plain}"))).chain(numbered);
        let taken = &self.branches.hidden;
        let name = names.find(|it| !taken.contains(it)).unwrap_or(Symbol::new("$"));
        self.branches.hidden.push(name);
        let kind = TyConKind::Abstract { implementation: None };
        let mut tycon = TyCon::new(name, name.as_str().into(), Vec::new(), kind, span);
        tycon.unknown = Unknown::Existential;
        let tycon = self.types.tycons.push(tycon);
        self.scope_levels.insert(tycon, self.level);
        self.types.has_equations = true;
        self.types.add(Type::Con(tycon, Vec::new()))
    }
}
