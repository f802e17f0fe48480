//! Units of measure: types of them, unification, and what operators do with them.
//!
//! ```text
//! 60.0<km> / 0.5<h>    Times a power: float<km> -> float<h> -> float<km/h>
//! sqrt 9.0<m^2>        float<m^2> -> float<m>
//! fun x -> x * 2.0     waits: `x` may turn out to have a unit until the function is generalised
//! ```
//!
//! In programs with units, `*`, `/`, `sqrt` and `atan2` have a type variable for each operand and for the result, and a
//! [`UnitRule`] that relates them as soon as enough is known.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;
use oxbow_psg::KnownType;

use crate::ast::{self, Power, TypeExpr, TypeExprKind};
use crate::tast;
use crate::types::{Builtin, Factor, GENERIC, Label, TyConId, TyConKind, Type, TypeId, Walk};

use super::super::env::Env;
use super::super::typexpr::Vars;
use super::super::unify::{Mismatch, Pairs};
use super::super::{Because, Expect, Infer};
use super::operation::{Operation, Units};

/// What the result of a mention has to do with its operands.
#[derive(Clone, Copy, Debug)]
enum Relation {
    /// The unit of the first operand times that of the second to a power.
    Times(Power),
    /// The unit of the operand to a power.
    Root(Power),
    /// No unit, of two operands with one unit.
    Ratio,
}

/// A mention of an operator whose operands have units, or may turn out to have them.
#[derive(Clone, Debug)]
pub struct UnitRule {
    relation: Relation,
    /// The mention, among the overloads.
    overload: usize,
    operands: Vec<TypeId>,
    result: TypeId,
}

fn relation(operation: Operation) -> Option<Relation> {
    match operation.units() {
        Units::Product => Some(Relation::Times(Power::ONE)),
        Units::Quotient => Some(Relation::Times(Power::ONE.negated())),
        Units::Root => Some(Relation::Root(Power::new(1, 2)?)),
        Units::Ratio => Some(Relation::Ratio),
        Units::None | Units::Kept | Units::Dropped => None,
    }
}

impl Infer<'_> {
    /// `kg m/s^2`, or a name, a variable, `a * b`, `a b` where a unit is meant.
    pub(in super::super) fn unit_expr(&mut self, env: &Env, expr: &TypeExpr, vars: Vars) -> TypeId {
        let factors: Vec<(&TypeExpr, Power)> = match &expr.kind {
            TypeExprKind::Unit(factors) => factors.iter().map(|it| (&it.0, it.1)).collect(),
            TypeExprKind::Tuple(items) => items.iter().map(|it| (it, Power::ONE)).collect(),
            TypeExprKind::Constr(path, args) if !args.is_empty() => {
                let mut unit = self.unit_name(env, path, expr.span);
                for arg in args {
                    let factor = self.unit_expr(env, arg, vars);
                    unit = self.types.unit_product(factor, unit);
                }
                return unit;
            }
            TypeExprKind::Constr(path, _) => return self.unit_name(env, path, expr.span),
            TypeExprKind::Any | TypeExprKind::Var(_) | TypeExprKind::Error(_) => {
                return self.type_expr(env, expr, vars);
            }
            _ => return self.no_unit(expr.span, "this"),
        };
        let mut unit = self.types.unit_one();
        for (index, (factor, power)) in factors.into_iter().enumerate() {
            let factor = self.unit_expr(env, factor, vars);
            let raised = self.types.unit_power(factor, power);
            unit = if index == 0 { raised } else { self.types.unit_product(unit, raised) };
        }
        unit
    }

    fn unit_name(&mut self, env: &Env, path: &ast::Path, span: Span) -> TypeId {
        let Ok(con) = self.lookup_type(env, path) else { return self.builtins.error };
        if self.types.tycons[con].unit.is_none() {
            let name = self.types.tycons[con].path.clone();
            return self.no_unit(span, &format!("`{name}`"));
        }
        self.types.use_units(true);
        self.types.add(Type::Con(con, Vec::new()))
    }

    fn no_unit(&mut self, span: Span, what: &str) -> TypeId {
        self.diagnostics.error(
            Diagnostic::error("E0187", format!("{what} is no unit of measure"))
                .at(span, "a unit is expected here")
                .help("units are declared by `[<Measure>] type m`"),
        );
        self.builtins.error
    }

    /// `float<m>`, `vector<m/s>`: a type with units among its arguments. `None` if there are none.
    pub(in super::super) fn with_units(
        &mut self,
        env: &Env,
        tycon: TyConId,
        (written, args): (&[TypeExpr], &[TypeId]),
        (expr, vars): (&TypeExpr, Vars),
    ) -> Option<TypeId> {
        if self.types.tycons[tycon].unit.is_some() {
            return Some(self.unit_expr(env, expr, vars));
        }
        if let ([_], [unit]) = (written, args)
            && let Some(number) = self.number_type(tycon)
        {
            let unit = self.as_unit(*unit, written[0].span)?;
            return Some(self.types.measured(number, unit));
        }
        let measures = self.types.tycons[tycon].measures.clone();
        let mut units = args.to_vec();
        for (index, (arg, it)) in args.iter().zip(written).enumerate() {
            let wanted = measures.get(index).copied().unwrap_or(false);
            if wanted {
                units[index] = self.as_unit(*arg, it.span)?;
            } else if self.types.is_unit(*arg) {
                let unit = self.show(*arg);
                let name = self.types.tycons[tycon].path.clone();
                self.diagnostics.error(
                    Diagnostic::error("E0187", format!("`{unit}` is a unit of measure, no type"))
                        .at(it.span, format!("`{name}` takes a type here"))
                        .help(format!("a number with this unit is a `float<{unit}>`")),
                );
                return Some(self.builtins.error);
            }
        }
        if measures.len() != args.len() || !measures.contains(&true) {
            return None;
        }
        Some(self.types.add(Type::Con(tycon, units)))
    }

    /// A type that stands where a unit must stand.
    fn as_unit(&mut self, ty: TypeId, span: Span) -> Option<TypeId> {
        // `a * b` is read as a tuple.
        if let Type::Tuple(items) = self.types.get(ty).clone() {
            let mut unit = self.types.unit_one();
            for item in items {
                let item = self.as_unit(item, span)?;
                unit = self.types.unit_product(unit, item);
            }
            return Some(unit);
        }
        if matches!(self.types.get(ty), Type::Error) || self.types.factors(ty).is_some() {
            return Some(ty);
        }
        let shown = self.show(ty);
        Some(self.no_unit(span, &format!("`{shown}`")))
    }

    /// The type of numbers that a name means, if it is one.
    fn number_type(&mut self, tycon: TyConId) -> Option<TypeId> {
        let plain = self.types.add(Type::Con(tycon, Vec::new()));
        let number = self.types.expand(plain);
        let Type::Con(con, _) = self.types.nodes[number] else { return None };
        let kind = &self.types.tycons[con].kind;
        let is_number = matches!(
            kind,
            TyConKind::Builtin(
                Builtin::Int(_) | Builtin::Nativeint | Builtin::Float | Builtin::Float32
            )
        );
        (is_number || self.is_number_of_library(con)).then_some(number)
    }

    /// `decimal` is a type of the library.
    fn is_number_of_library(&self, con: TyConId) -> bool {
        self.types.tycons[con].known == Some(KnownType::Decimal)
    }

    pub(in super::super) fn measured_type(
        &mut self,
        env: &Env,
        number: TypeId,
        unit: &TypeExpr,
        vars: Vars,
    ) -> TypeId {
        let unit = self.unit_expr(env, unit, vars);
        self.types.measured(number, unit)
    }

    /// `1.5<m/s>`
    pub(super) fn measured_literal(
        &mut self,
        env: &Env,
        number: &ast::Expr,
        unit: &TypeExpr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = self.fresh();
        let typed = self.expr(env, number, Expect::plain(ty));
        let ty = self.measured_type(env, typed.ty, unit, Vars::Shared);
        self.node(typed.kind, ty, span, expect)
    }

    /// `1.5<m/s>` as a pattern.
    pub(in super::super) fn measured_pattern(
        &mut self,
        env: &Env,
        (constant, unit): (&ast::Constant, &TypeExpr),
        span: Span,
        expect: Expect,
    ) -> tast::Pattern {
        let number = self.constant_type(constant);
        let ty = self.measured_type(env, number, unit, Vars::Shared);
        self.expect(expect, ty, span);
        tast::Pattern { kind: tast::PatternKind::Constant(constant.clone()), ty, span }
    }

    /// Units are equal if the one divided by the other is 1. A variable in the quotient is what makes it so.
    pub(in super::super) fn unify_units(&mut self, a: TypeId, b: TypeId) -> Result<(), Mismatch> {
        let is_error = |it: &Self, ty| matches!(it.types.get(ty), Type::Error);
        if is_error(self, a) || is_error(self, b) {
            return Ok(());
        }
        let below = self.types.unit_power(b, Power::ONE.negated());
        let quotient = self.types.unit_product(a, below);
        let Some(factors) = self.types.factors(quotient) else { return Err(Mismatch::Different) };
        if factors.is_empty() {
            return Ok(());
        }
        // The innermost one, so that those outside stay as general as they are.
        let open = factors.iter().filter_map(|&(factor, power)| match factor {
            Factor::Var(var) => match self.types.nodes[var] {
                Type::Var { level, .. } if level != GENERIC => Some((var, level, power)),
                _ => None,
            },
            Factor::Con(_) => None,
        });
        let Some((var, level, power)) = open.max_by_key(|it| it.1) else {
            return Err(Mismatch::Different);
        };
        let root = power.inverted().map(Power::negated).ok_or(Mismatch::Different)?;
        let mut rest = Vec::new();
        for (factor, power) in factors {
            if factor != Factor::Var(var) {
                rest.push((factor, power.times(root).ok_or(Mismatch::Different)?));
            }
        }
        let unit = self.types.unit_of(&rest);
        self.lower(Some(var), level, unit, &mut Walk::default())?;
        self.set_node(var, Type::Link(unit));
        Ok(())
    }

    /// `float<'u>` and `float`: equal if the unit is 1.
    pub(in super::super) fn unify_measured(
        &mut self,
        a: TypeId,
        b: TypeId,
        walk: &mut Pairs,
    ) -> Result<(), Mismatch> {
        let (measure, plain) = match (self.types.measure(a), self.types.measure(b)) {
            (Some(it), None) => (it, b),
            (None, Some(it)) => (it, a),
            _ => return Err(Mismatch::Different),
        };
        self.unify_parts(measure.0, plain, walk)?;
        let one = self.types.unit_one();
        self.unify_units(measure.1, one)
    }

    /// A mention whose operands may have units that differ: its type, and the number that decides what it means.
    pub(super) fn unit_mention(&mut self, operation: Operation) -> Option<(TypeId, TypeId)> {
        let relation = relation(operation).filter(|_| self.types.has_units())?;
        let (result, first) = (self.fresh(), self.fresh());
        let operands = match relation {
            Relation::Times(_) => vec![first, self.fresh()],
            Relation::Root(_) => vec![first],
            Relation::Ratio => vec![first, first],
        };
        let mut ty = result;
        for &operand in operands.iter().rev() {
            ty = self.arrow(Label::None, operand, ty);
        }
        let overload = self.clef.overloads.len();
        self.clef.unit_rules.push(UnitRule { relation, overload, operands, result });
        Some((ty, self.fresh()))
    }

    /// Applies the rules of which enough is known.
    pub(in super::super) fn apply_unit_rules(&mut self) {
        if self.clef.unit_rules.is_empty() {
            return;
        }
        let rules = std::mem::take(&mut self.clef.unit_rules);
        let left = rules.into_iter().filter(|it| !self.apply_unit_rule(it)).collect();
        self.clef.unit_rules = left;
    }

    /// A binding is about to be generalised: what nothing else decides by then has no units.
    pub(super) fn hold_unit_rules(&mut self) {
        self.apply_unit_rules();
        let rules = std::mem::take(&mut self.clef.unit_rules);
        for rule in rules {
            let current = self.level;
            let mut types = rule.operands.clone();
            types.push(rule.result);
            let is_outer = |it: &&TypeId| matches!(self.types.get(**it), Type::Var { level, .. } if *level <= current);
            if rule.operands.iter().any(|it| is_outer(&it)) {
                types.into_iter().for_each(|it| self.fix_levels(it));
                self.clef.unit_rules.push(rule);
            } else {
                self.one_type(&rule);
            }
        }
    }

    /// The end of the file.
    pub(super) fn settle_unit_rules(&mut self) {
        self.apply_unit_rules();
        let rules = std::mem::take(&mut self.clef.unit_rules);
        rules.iter().for_each(|it| self.one_type(it));
    }

    /// Those of mentions that are not looked at again.
    pub(super) fn forget_unit_rules(&mut self, since: usize) {
        self.clef.unit_rules.retain(|it| it.overload < since);
    }

    fn apply_unit_rule(&mut self, rule: &UnitRule) -> bool {
        let operands: Vec<TypeId> = rule.operands.iter().map(|&it| self.types.expand(it)).collect();
        let measures: Vec<_> = operands.iter().map(|&it| self.types.measure(it)).collect();
        let Some((number, _)) = measures.iter().flatten().next().copied() else {
            let open = operands.iter().any(|&it| self.is_unknown(it));
            // What is neither unknown nor a number has no unit.
            let is_number = |it: &mut Self, ty| match it.head_con(ty) {
                Some((con, _)) => it.number_type(con).is_some(),
                None => it.is_unknown(ty),
            };
            if open && operands.iter().all(|&it| is_number(self, it)) {
                return false;
            }
            self.one_type(rule);
            return true;
        };
        let mut units = Vec::new();
        for (&operand, measure) in operands.iter().zip(measures) {
            let (own, unit) = match measure {
                Some(it) => it,
                None if self.is_unknown(operand) => {
                    let unit = self.fresh();
                    let ty = self.types.measured(number, unit);
                    let _ = self.unify(operand, ty);
                    (number, unit)
                }
                None => (operand, self.types.unit_one()),
            };
            if !self.expect_operand(rule, units.len() as u32 + 1, number, own) {
                return true;
            }
            units.push(unit);
        }
        let result = self.related(rule.relation, number, &units);
        let class = self.clef.overloads[rule.overload].class;
        let _ = self.unify(class, number);
        let place = self.clef.overloads[rule.overload].place;
        if !self.expect(Expect::plain(rule.result), result, place) {
            self.refuse(rule);
        }
        true
    }

    fn related(&mut self, relation: Relation, number: TypeId, units: &[TypeId]) -> TypeId {
        let unit = match relation {
            Relation::Times(power) => {
                let second = self.types.unit_power(units[1], power);
                self.types.unit_product(units[0], second)
            }
            Relation::Root(power) => self.types.unit_power(units[0], power),
            Relation::Ratio => return number,
        };
        // Written plainly: types grow with each operation else.
        match self.types.factors(unit) {
            Some(factors) if factors.is_empty() => number,
            Some(factors) => {
                let unit = self.types.unit_of(&factors);
                self.types.measured(number, unit)
            }
            None => self.types.measured(number, unit),
        }
    }

    /// No units: operands and result have one type, as without this rule.
    fn one_type(&mut self, rule: &UnitRule) {
        let class = self.clef.overloads[rule.overload].class;
        let mut types = rule.operands.clone();
        if let Some(&first) = types.first() {
            let _ = self.unify(class, first);
        }
        types.push(rule.result);
        for (index, ty) in types.into_iter().enumerate() {
            if !self.expect_operand(rule, index as u32 + 1, class, ty) {
                return;
            }
        }
    }

    fn expect_operand(&mut self, rule: &UnitRule, at: u32, wanted: TypeId, ty: TypeId) -> bool {
        let (shown, place) = {
            let it = &self.clef.overloads[rule.overload];
            (it.shown, it.place)
        };
        let because = match at as usize <= rule.operands.len() {
            true => Because::Argument(at, Some(shown)),
            false => Because::Plain,
        };
        let ok = self.expect(Expect { ty: wanted, because }, ty, place);
        if !ok {
            self.refuse(rule);
        }
        ok
    }

    /// One report for one mistake.
    fn refuse(&mut self, rule: &UnitRule) {
        let overload = &mut self.clef.overloads[rule.overload];
        let (ty, span) = (overload.ty, overload.span);
        overload.meaning = Some(tast::Expr { kind: tast::ExprKind::Unit, ty, span });
        self.spoil(rule.result);
    }
}
