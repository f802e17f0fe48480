//! Which right sides of OCaml's `let rec` are allowed.
//!
//! A value of the group is an address before it is an object. The code that makes a value may
//! store the addresses of others (and its own), but look at none of them. How far a mention of a variable
//! is from being looked at is its [`Mode`], computed from the outside in; the mode of a
//! variable that is bound inside is the one in which its own definition is judged:
//!
//! ```text
//! let rec d = { inst = ref (Some d) }                     d: Guard, in three objects
//! let rec g = let v = lazy (f n) in fun () -> force v …   v: Delay, so n: Delay as well
//! let rec g = let v = lazy (f n) in force v               v: Dereference, so n is needed
//! ```
//!
//! An address can be given out before the value is computed only if it is known what kind of object
//! it will be ([`Size::Static`]): the value of a call or a branch cannot mention the group at
//! all. These are the rules of OCaml's own compiler, and values are computed in its order:
//! those of unknown size first.

use std::collections::BTreeMap;

use oxbow_base::Span;
use oxbow_psg::VarId;

use super::Builder;
use super::walk::{for_each_mention, pattern_vars};
use crate::tast::{Binding, Case, Expr, ExprKind, ItemKind, Pattern, PatternKind};
use crate::tast::{Item, RecBinding};
use crate::types::{Builtin as BuiltinType, TyConId, TyConKind, Type, TypeId};

/// What a mention asks of a variable's value, from nothing to everything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Mode {
    /// It stands under a function or `lazy`.
    Delay,
    /// Its address, which is stored in something made here.
    Guard,
    /// Its address, as the result.
    Return,
    /// Its contents, or unknown code gets it.
    Dereference,
}

impl Mode {
    /// A place of mode `inner` inside of one of mode `self`.
    fn compose(self, inner: Self) -> Self {
        match (self, inner) {
            (Self::Dereference | Self::Delay, _) => self,
            (Self::Guard, Self::Return) => Self::Guard,
            (Self::Guard | Self::Return, _) => inner,
        }
    }
}

/// Is the kind of object known before it is computed?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Size {
    Static,
    Dynamic,
}

/// The most that is asked of each variable, and where.
pub(super) type Uses = BTreeMap<VarId, (Mode, Span)>;

impl Builder<'_> {
    /// What the value asks of variables while it is computed.
    pub(super) fn uses_of(&self, value: &Expr, mode: Mode) -> Uses {
        let mut uses = Uses::new();
        self.uses(value, mode, &mut uses);
        uses
    }

    fn uses(&self, expr: &Expr, mode: Mode, out: &mut Uses) {
        if matches!(mode, Mode::Delay | Mode::Dereference) {
            return for_each_mention(expr, |var, _, span| note(out, var, mode, span));
        }
        let deref = Mode::Dereference;
        match &expr.kind {
            ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Constant(_)
            | ExprKind::Builtin(_)
            | ExprKind::Overloaded(_)
            | ExprKind::AssertFalse
            | ExprKind::Here(_)
            | ExprKind::Error(_) => (),
            ExprKind::Var { var, .. } => note(out, *var, mode, expr.span),
            ExprKind::Lambda { .. } | ExprKind::Function { .. } => {
                self.uses(expr, Mode::Delay, out)
            }
            ExprKind::Apply { args, .. } if self.makes_reference(expr) => {
                self.all(args, Mode::Guard, out)
            }
            ExprKind::Object { fields, .. } => self.all(fields, deref, out),
            ExprKind::Send { object, .. } => self.uses(object, deref, out),
            ExprKind::Apply { func, args } => {
                self.uses(func, deref, out);
                self.all(args, deref, out);
            }
            ExprKind::Let { bindings, body, .. } => {
                self.uses(body, mode, out);
                self.bindings(bindings, mode, out);
            }
            ExprKind::LetRec { bindings, body } => {
                self.uses(body, mode, out);
                self.recursive(bindings, mode, out);
            }
            ExprKind::LetItems { items, body } => {
                self.uses(body, mode, out);
                self.items(items, mode, out);
            }
            ExprKind::Match { scrutinee, cases, exceptions } => {
                let of_cases = self.cases(cases, mode, out);
                let of_exceptions = self.cases(exceptions, mode, out);
                let most = of_cases.max(of_exceptions).unwrap_or(Mode::Guard);
                self.uses(scrutinee, most, out);
            }
            ExprKind::Try { body, cases } => {
                self.uses(body, mode, out);
                self.cases(cases, mode, out);
            }
            ExprKind::If { cond, then, otherwise } => {
                self.uses(cond, deref, out);
                self.uses(then, mode, out);
                otherwise.iter().for_each(|it| self.uses(it, mode, out));
            }
            ExprKind::Sequence(items) => {
                if let Some((last, before)) = items.split_last() {
                    self.all(before, Mode::Guard, out);
                    self.uses(last, mode, out);
                }
            }
            ExprKind::While { cond, body } => {
                self.uses(cond, deref, out);
                self.uses(body, Mode::Guard, out);
            }
            ExprKind::For { from, to, body, .. } => {
                self.uses(from, deref, out);
                self.uses(to, deref, out);
                self.uses(body, Mode::Guard, out);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => self.all(items, Mode::Guard, out),
            ExprKind::Variant { arg, .. } => {
                arg.iter().for_each(|it| self.uses(it, Mode::Guard, out));
            }
            ExprKind::Construct { args, .. } | ExprKind::MakeExn { args, .. } => {
                self.all(args, Mode::Guard, out)
            }
            ExprKind::Array(items) => self.all(items, self.array_mode(expr.ty), out),
            ExprKind::Record { tycon, fields } => self.all(fields, self.record_mode(*tycon), out),
            ExprKind::Lazy { value, at_once } => {
                self.uses(value, if *at_once { mode } else { Mode::Delay }, out)
            }
            ExprKind::RecordWith { base, updates, .. } => {
                self.uses(base, deref, out);
                updates.iter().for_each(|it| self.uses(&it.1, Mode::Guard, out));
            }
            ExprKind::Field { object, .. } => self.uses(object, deref, out),
            ExprKind::SetField { object, value, .. } => {
                self.uses(object, deref, out);
                self.uses(value, deref, out);
            }
            ExprKind::AssignVar { value, .. } => self.uses(value, deref, out),
            ExprKind::Assert(cond) => self.uses(cond, deref, out),
        }
    }

    fn all(&self, exprs: &[Expr], mode: Mode, out: &mut Uses) {
        exprs.iter().for_each(|it| self.uses(it, mode, out));
    }

    /// The values of bindings whose body has been looked at; a later one may mention an earlier one.
    fn bindings(&self, bindings: &[Binding], mode: Mode, out: &mut Uses) {
        for binding in bindings.iter().rev() {
            let inner = mode.compose(pattern_mode(&binding.pattern, out));
            self.uses(&binding.value, inner, out);
        }
    }

    /// The same for a group: what one of them asks of another, it asks of all that this one mentions.
    fn recursive(&self, bindings: &[RecBinding], mode: Mode, out: &mut Uses) {
        let asked =
            |uses: &Uses, var| uses.get(&var).map_or(Mode::Guard, |it| it.0.max(Mode::Guard));
        let own: Vec<Uses> = bindings
            .iter()
            .map(|it| self.uses_of(&it.value, mode.compose(asked(out, it.var))))
            .collect();
        let mut whole = own.clone();
        loop {
            let before = whole.clone();
            for (uses, own) in whole.iter_mut().zip(&own) {
                for (binding, of_other) in bindings.iter().zip(&before) {
                    let asked = asked(own, binding.var);
                    for (&var, &(inner, span)) in of_other {
                        note(uses, var, asked.compose(inner), span);
                    }
                }
            }
            let modes = |all: &[Uses]| -> Vec<Vec<(VarId, Mode)>> {
                all.iter().map(|it| it.iter().map(|(&var, use_)| (var, use_.0)).collect()).collect()
            };
            if modes(&whole) == modes(&before) {
                break;
            }
        }
        for (var, (mode, span)) in whole.into_iter().flatten() {
            note(out, var, mode, span);
        }
    }

    /// A local structure: to take something from it is to look at all of it.
    fn items(&self, items: &[Item], mode: Mode, out: &mut Uses) {
        let bound: Vec<VarId> = items.iter().flat_map(item_vars).collect();
        let is_read = bound.iter().any(|it| out.contains_key(it));
        let mode = mode.compose(if is_read { Mode::Dereference } else { Mode::Guard });
        for item in items.iter().rev() {
            match &item.kind {
                ItemKind::Let(bindings) => self.bindings(bindings, mode, out),
                ItemKind::LetRec(bindings) => self.recursive(bindings, mode, out),
                ItemKind::Eval(value) => self.uses(value, mode.compose(Mode::Guard), out),
            }
        }
    }

    /// The cases, and what they ask of the value that is matched.
    fn cases(&self, cases: &[Case], mode: Mode, out: &mut Uses) -> Option<Mode> {
        let mut most = None;
        for case in cases {
            self.uses(&case.body, mode, out);
            case.guard.iter().for_each(|it| self.uses(it, Mode::Dereference, out));
            most = most.max(Some(mode.compose(pattern_mode(&case.pattern, out))));
        }
        most
    }

    /// Arrays of floats hold the numbers themselves; so may an array of unknown elements, which are looked at.
    fn array_mode(&self, ty: TypeId) -> Mode {
        let item = match self.types.get(ty) {
            Type::Con(_, args) => args.first().copied(),
            _ => None,
        };
        let holds_addresses = item.is_some_and(|item| match self.types.get(item) {
            Type::Arrow(..) | Type::Tuple(_) | Type::Row(_) => true,
            Type::Con(..) => match self.kind_of(item) {
                Some(TyConKind::Builtin(builtin)) => *builtin != BuiltinType::Float,
                Some(kind) => !matches!(kind, TyConKind::Abstract { .. }),
                None => true,
            },
            Type::Var { .. } | Type::Link(_) | Type::Error => false,
        });
        if holds_addresses { Mode::Guard } else { Mode::Dereference }
    }

    /// The kind of type that a type is behind its abbreviations; nothing for functions and tuples.
    fn kind_of(&self, mut ty: TypeId) -> Option<&TyConKind> {
        loop {
            let Type::Con(con, _) = self.types.get(ty) else { return None };
            match &self.types.tycons[*con].kind {
                TyConKind::Alias(body) => ty = *body,
                kind => return Some(kind),
            }
        }
    }

    /// A record of floats holds the numbers themselves.
    fn record_mode(&self, tycon: TyConId) -> Mode {
        let TyConKind::Record(fields) = &self.types.tycons[tycon].kind else { return Mode::Guard };
        let all = fields.iter().all(|it| self.is_float(it.ty));
        if all && !fields.is_empty() { Mode::Dereference } else { Mode::Guard }
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.kind_of(ty), Some(TyConKind::Builtin(BuiltinType::Float)))
    }

    /// `ref e`
    pub(super) fn makes_reference(&self, expr: &Expr) -> bool {
        let ExprKind::Apply { func, args } = &expr.kind else { return false };
        match func.kind {
            ExprKind::Var { var, .. } => Some(var) == self.reference && args.len() == 1,
            _ => false,
        }
    }

    /// Whether it is known what kind of object an expression makes.
    pub(super) fn size(&self, expr: &Expr) -> Size {
        self.size_in(expr, &mut BTreeMap::new())
    }

    fn size_in(&self, expr: &Expr, known: &mut BTreeMap<VarId, Size>) -> Size {
        let mut expr = expr;
        loop {
            expr = match &expr.kind {
                ExprKind::Let { bindings, body, .. } => {
                    let mut found = Vec::new();
                    for binding in bindings {
                        if let PatternKind::Var(var) = binding.pattern.kind {
                            found.push((var, self.size_in(&binding.value, known)));
                        }
                    }
                    known.extend(found);
                    body
                }
                ExprKind::LetRec { bindings, body } => {
                    let found: Vec<_> = bindings
                        .iter()
                        .map(|it| (it.var, self.size_in(&it.value, known)))
                        .collect();
                    known.extend(found);
                    body
                }
                ExprKind::LetItems { body, .. } => body,
                ExprKind::Sequence(items) => match items.last() {
                    Some(last) => last,
                    None => return Size::Static,
                },
                ExprKind::Var { var, .. } => {
                    return known.get(var).copied().unwrap_or(Size::Dynamic);
                }
                ExprKind::Lazy { value, .. } if matches!(value.kind, ExprKind::Var { .. }) => value,
                ExprKind::Record { .. } | ExprKind::Lazy { .. } => return Size::Static,
                ExprKind::Apply { .. } if self.makes_reference(expr) => return Size::Static,
                ExprKind::Unit
                | ExprKind::Bool(_)
                | ExprKind::Constant(_)
                | ExprKind::Lambda { .. }
                | ExprKind::Function { .. }
                | ExprKind::While { .. }
                | ExprKind::For { .. }
                | ExprKind::Tuple(_)
                | ExprKind::List(_)
                | ExprKind::Array(_)
                | ExprKind::Construct { .. }
                | ExprKind::Object { .. }
                | ExprKind::Send { .. }
                | ExprKind::Variant { .. }
                | ExprKind::MakeExn { .. }
                | ExprKind::RecordWith { .. }
                | ExprKind::SetField { .. }
                | ExprKind::AssignVar { .. } => return Size::Static,
                ExprKind::Builtin(_)
                | ExprKind::Overloaded(_)
                | ExprKind::Apply { .. }
                | ExprKind::Match { .. }
                | ExprKind::Try { .. }
                | ExprKind::If { .. }
                | ExprKind::Field { .. }
                | ExprKind::Assert(_)
                | ExprKind::AssertFalse
                | ExprKind::Here(_)
                | ExprKind::Error(_) => return Size::Dynamic,
            };
        }
    }
}

fn note(uses: &mut Uses, var: VarId, mode: Mode, span: Span) {
    let entry = uses.entry(var).or_insert((mode, span));
    if mode > entry.0 {
        *entry = (mode, span);
    }
}

fn item_vars(item: &Item) -> Vec<VarId> {
    match &item.kind {
        ItemKind::Let(bindings) => {
            bindings.iter().flat_map(|it| pattern_vars(&it.pattern)).collect()
        }
        ItemKind::LetRec(bindings) => bindings.iter().map(|it| it.var).collect(),
        ItemKind::Eval(_) => Vec::new(),
    }
}

/// What a pattern asks of the value it is matched with, if its variables are used as `uses` says.
fn pattern_mode(pattern: &Pattern, uses: &Uses) -> Mode {
    if takes_apart(pattern) {
        return Mode::Dereference;
    }
    let of_vars = pattern_vars(pattern).into_iter().filter_map(|it| uses.get(&it)).map(|it| it.0);
    of_vars.max().map_or(Mode::Guard, |it| it.max(Mode::Guard))
}

fn takes_apart(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Any | PatternKind::Var(_) | PatternKind::Error(_) => false,
        // An exception is looked at when it has been raised; `match` does not look at its value.
        PatternKind::Exn { .. } => false,
        PatternKind::Alias(inner, _) => takes_apart(inner),
        PatternKind::Or(left, right) => takes_apart(left) || takes_apart(right),
        PatternKind::Unit
        | PatternKind::Bool(_)
        | PatternKind::Constant(_)
        | PatternKind::CharRange(..)
        | PatternKind::Tuple(_)
        | PatternKind::Construct { .. }
        | PatternKind::Variant { .. }
        | PatternKind::Record { .. }
        | PatternKind::Array(_)
        | PatternKind::Lazy { .. } => true,
    }
}

/// Is the value a constant, whatever is done before?
pub(super) fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Let { body, .. }
        | ExprKind::LetRec { body, .. }
        | ExprKind::LetItems { body, .. } => is_constant(body),
        ExprKind::Sequence(items) => items.last().is_some_and(is_constant),
        ExprKind::Unit | ExprKind::Bool(_) | ExprKind::Constant(_) => true,
        ExprKind::Construct { args, .. } => args.iter().all(is_constant),
        ExprKind::Variant { arg, .. } => arg.as_deref().is_none_or(is_constant),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().all(is_constant),
        ExprKind::Lazy { value, at_once } => {
            let is_float = matches!(value.kind, ExprKind::Constant(crate::ast::Constant::Float(_)));
            *at_once && !is_float && is_constant(value)
        }
        _ => false,
    }
}
