//! Units of measure as types.
//!
//! ```text
//! float<kg m/s^2>   Con(measured, [float, unit])           float to the graph
//! kg m/s^2          Con(product, [kg, Con(product, [m, Con(power -2, [s])])])
//! m                 Con(m, [])                             declared by `[<Measure>] type m`
//! 'u                a variable                             as any other
//! ```
//!
//! Units are an abelian group: whoever compares them asks for their factors ([`Types::factors`]), which do not depend
//! on how a unit was written. Walks over types need to know nothing of this. `unit` is what a unit is to the graph, so
//! that a function is one function for all units.

use oxbow_base::Symbol;

use crate::ast::Power;

use super::{GENERIC, TyCon, TyConId, TyConKind, Type, TypeId, Types, Unknown};

/// What a type constructor is among units of measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitCon {
    /// Declared by the program, maybe as an abbreviation.
    Declared,
    /// No unit: `float` is `float<1>`.
    One,
    Product,
    Power(Power),
}

/// The constructors that units are made of.
#[derive(Clone, Debug)]
pub struct Units {
    measured: TyConId,
    one: TypeId,
    product: TyConId,
    powers: Vec<(Power, TyConId)>,
    /// What they are to the graph.
    nothing: TypeId,
    /// The program has units. Without them, factors have one type.
    pub used: bool,
}

/// A unit that is not made of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    Var(TypeId),
    Con(TyConId),
}

/// Factors with their powers, none of which is zero.
pub type Factors = Vec<(Factor, Power)>;

impl Units {
    pub fn new(types: &mut Types, nothing: TypeId) -> Self {
        let mut con = |name: &str, arity: usize, unit: Option<UnitCon>| {
            let vars = (0..arity).map(|_| types.add(Type::Var { level: GENERIC, name: None }));
            let params: Vec<TypeId> = vars.collect();
            let behind = if unit.is_some() { nothing } else { params[0] };
            let kind = TyConKind::Abstract { implementation: Some(behind) };
            let mut tycon = TyCon::new(Symbol::new(name), name.into(), params, kind, None);
            tycon.unit = unit;
            types.tycons.push(tycon)
        };
        let measured = con("number with a unit", 2, None);
        let one = con("1", 0, Some(UnitCon::One));
        let product = con("product of units", 2, Some(UnitCon::Product));
        let one = types.add(Type::Con(one, Vec::new()));
        Self { measured, one, product, powers: Vec::new(), nothing, used: false }
    }
}

impl Types {
    /// The constructors of units; they are made with the built-in types.
    fn the_units(&self) -> &Units {
        self.units.as_ref().unwrap_or_else(|| oxbow_diag::ice!("units before the built-in types"))
    }

    pub fn has_units(&self) -> bool {
        self.units.as_ref().is_some_and(|it| it.used)
    }

    /// Says whether the program has units; gives what was said before.
    pub fn use_units(&mut self, used: bool) -> bool {
        self.units.as_mut().is_some_and(|it| std::mem::replace(&mut it.used, used))
    }

    /// No unit.
    pub fn unit_one(&self) -> TypeId {
        self.the_units().one
    }

    /// What a declared unit is to the graph.
    pub fn unit_implementation(&self) -> TypeId {
        self.the_units().nothing
    }

    /// `number<unit>`
    pub fn measured(&mut self, number: TypeId, unit: TypeId) -> TypeId {
        let con = self.the_units().measured;
        self.use_units(true);
        self.add(Type::Con(con, vec![number, unit]))
    }

    /// The number and the unit of `number<unit>`.
    pub fn measure(&self, ty: TypeId) -> Option<(TypeId, TypeId)> {
        match self.get(ty) {
            Type::Con(con, args) if *con == self.units.as_ref()?.measured => {
                Some((args[0], args[1]))
            }
            _ => None,
        }
    }

    /// A type without the unit at its top.
    pub fn number_of(&self, ty: TypeId) -> TypeId {
        self.measure(ty).map_or(ty, |it| self.repr(it.0))
    }

    /// Is this a unit, by its form?
    pub fn is_unit(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Con(con, _) if self.tycons[*con].unit.is_some())
    }

    /// The factors of a unit; `None` of something else.
    pub fn factors(&self, unit: TypeId) -> Option<Factors> {
        let mut factors = Vec::new();
        self.add_factors(unit, Power::ONE, &mut factors)?;
        Some(factors)
    }

    fn add_factors(&self, unit: TypeId, power: Power, factors: &mut Factors) -> Option<()> {
        let unit = self.repr(unit);
        let factor = match &self.nodes[unit] {
            Type::Var { .. } => Factor::Var(unit),
            Type::Con(con, args) => match self.tycons[*con].unit {
                Some(UnitCon::One) => return Some(()),
                Some(UnitCon::Product) => {
                    return args.iter().try_for_each(|&it| self.add_factors(it, power, factors));
                }
                Some(UnitCon::Power(own)) => {
                    return self.add_factors(args[0], power.times(own)?, factors);
                }
                Some(UnitCon::Declared) => match self.tycons[*con].kind {
                    TyConKind::Alias(body) => return self.add_factors(body, power, factors),
                    _ => Factor::Con(*con),
                },
                // A parameter while its scope is checked.
                None if self.tycons[*con].unknown != Unknown::No => Factor::Con(*con),
                None => return None,
            },
            _ => return None,
        };
        match factors.iter().position(|it| it.0 == factor) {
            Some(at) => {
                factors[at].1 = factors[at].1.plus(power)?;
                if factors[at].1.is_zero() {
                    factors.remove(at);
                }
            }
            None if power.is_zero() => (),
            None => factors.push((factor, power)),
        }
        Some(())
    }

    /// The unit of these factors, each to its power times another one.
    pub fn unit_of(&mut self, factors: &[(Factor, Power)]) -> TypeId {
        let mut unit = None;
        for &(factor, power) in factors.iter().rev() {
            let base = match factor {
                Factor::Var(var) => var,
                Factor::Con(con) => self.add(Type::Con(con, Vec::new())),
            };
            let raised = self.unit_power(base, power);
            unit = Some(match unit {
                None => raised,
                Some(rest) => self.unit_product(raised, rest),
            });
        }
        unit.unwrap_or_else(|| self.unit_one())
    }

    pub fn unit_product(&mut self, left: TypeId, right: TypeId) -> TypeId {
        let product = self.the_units().product;
        self.add(Type::Con(product, vec![left, right]))
    }

    pub fn unit_power(&mut self, unit: TypeId, power: Power) -> TypeId {
        if power == Power::ONE {
            return unit;
        }
        let known = self.the_units().powers.iter().find(|it| it.0 == power).map(|it| it.1);
        let con = known.unwrap_or_else(|| {
            let param = self.add(Type::Var { level: GENERIC, name: None });
            let kind = TyConKind::Abstract { implementation: Some(self.unit_implementation()) };
            let name = format!("power {power}");
            let mut tycon = TyCon::new(Symbol::new(&name), name, vec![param], kind, None);
            tycon.unit = Some(UnitCon::Power(power));
            let con = self.tycons.push(tycon);
            self.units.iter_mut().for_each(|it| it.powers.push((power, con)));
            con
        });
        self.add(Type::Con(con, vec![unit]))
    }

    /// The type with no unit in it: what the library's functions are made for.
    pub fn without_units(&mut self, ty: TypeId) -> TypeId {
        let ty = self.repr(ty);
        if let Some((number, _)) = self.measure(ty) {
            return number;
        }
        match self.nodes[ty].clone() {
            Type::Arrow(label, param, result) => {
                let (new_param, new_result) =
                    (self.without_units(param), self.without_units(result));
                if (new_param, new_result) == (param, result) {
                    return ty;
                }
                self.add(Type::Arrow(label, new_param, new_result))
            }
            // A sequence of numbers.
            Type::Con(con, items) => {
                let new: Vec<TypeId> = items.iter().map(|&it| self.without_units(it)).collect();
                if new == items { ty } else { self.add(Type::Con(con, new)) }
            }
            _ => ty,
        }
    }
}
