//! Values as far as they are known while reading.

use std::rc::Rc;

use oxbow_base::Id as _;
use oxbow_psg::{LambdaId, TyId, VarId};

use super::super::ir::ValueId;

/// A value as far as it is known while reading.
#[derive(Clone, Debug)]
pub enum Val {
    Dyn(ValueId),
    Unit,
    Tuple(Rc<[Val]>),
    /// A record or constructor whose parts do not change.
    Data {
        ty: TyId,
        ctor: u32,
        fields: Rc<[Val]>,
    },
    /// One whose parts change.
    Object {
        ty: TyId,
        cells: Rc<[usize]>,
    },
    /// A mutable variable.
    Cell(usize),
    Closure {
        lambda: LambdaId,
        env: Env,
    },
    Partial {
        func: Rc<Val>,
        args: Rc<[Val]>,
    },
}

/// The variables in scope.
#[derive(Clone, Debug, Default)]
pub struct Env(pub Option<Rc<Binding>>);

#[derive(Debug)]
pub struct Binding {
    var: VarId,
    val: Val,
    next: Env,
}

impl Env {
    pub fn with(&self, var: VarId, val: Val) -> Env {
        Env(Some(Rc::new(Binding { var, val, next: self.clone() })))
    }
    pub fn get(&self, var: VarId) -> Option<&Val> {
        let mut at = self;
        while let Some(binding) = &at.0 {
            if binding.var == var {
                return Some(&binding.val);
            }
            at = &binding.next;
        }
        None
    }
    pub fn is(&self, other: &Env) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// The values that a value is made of.
pub fn leaves(val: &Val, out: &mut Vec<ValueId>) {
    match val {
        Val::Dyn(value) => out.push(*value),
        Val::Tuple(items) => items.iter().for_each(|it| leaves(it, out)),
        Val::Data { fields, .. } => fields.iter().for_each(|it| leaves(it, out)),
        Val::Partial { args, .. } => args.iter().for_each(|it| leaves(it, out)),
        Val::Unit | Val::Object { .. } | Val::Cell(_) | Val::Closure { .. } => (),
    }
}

pub fn with_leaves(val: &Val, fresh: &mut impl Iterator<Item = ValueId>) -> Val {
    match val {
        Val::Dyn(old) => Val::Dyn(fresh.next().unwrap_or(*old)),
        Val::Tuple(items) => Val::Tuple(items.iter().map(|it| with_leaves(it, fresh)).collect()),
        Val::Data { ty, ctor, fields } => Val::Data {
            ty: *ty,
            ctor: *ctor,
            fields: fields.iter().map(|it| with_leaves(it, fresh)).collect(),
        },
        Val::Partial { func, args } => Val::Partial {
            func: Rc::clone(func),
            args: args.iter().map(|it| with_leaves(it, fresh)).collect(),
        },
        Val::Unit | Val::Object { .. } | Val::Cell(_) | Val::Closure { .. } => val.clone(),
    }
}

/// Whether two values differ in their leaves only. References are those that exist outside.
pub fn same_form(a: &Val, b: &Val, cells: usize) -> bool {
    let all = |a: &[Val], b: &[Val]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_form(a, b, cells))
    };
    match (a, b) {
        (Val::Dyn(_), Val::Dyn(_)) | (Val::Unit, Val::Unit) => true,
        (Val::Tuple(a), Val::Tuple(b)) => all(a, b),
        (Val::Data { ty, ctor, fields }, Val::Data { ty: t, ctor: c, fields: f }) => {
            ty == t && ctor == c && all(fields, f)
        }
        (Val::Object { ty, cells: own }, Val::Object { ty: t, cells: others }) => {
            ty == t && own == others && own.iter().all(|&it| it < cells)
        }
        (Val::Cell(a), Val::Cell(b)) => a == b && *a < cells,
        (Val::Closure { lambda, env }, Val::Closure { lambda: l, env: e }) => {
            lambda == l && env.is(e)
        }
        (Val::Partial { func, args }, Val::Partial { func: f, args: g }) => {
            same_form(func, f, cells) && all(args, g)
        }
        _ => false,
    }
}

/// The form that two values can be given: where one is a constructor and the other another one, or not known, both are
/// whole objects. The leaves are of either.
pub fn common_form(a: &Val, b: &Val, cells: usize) -> Option<Val> {
    let all = |a: &[Val], b: &[Val]| -> Option<Rc<[Val]>> {
        let pairs = (a.len() == b.len()).then(|| a.iter().zip(b))?;
        pairs.map(|(a, b)| common_form(a, b, cells)).collect()
    };
    match (a, b) {
        (Val::Tuple(a), Val::Tuple(b)) => Some(Val::Tuple(all(a, b)?)),
        (Val::Data { ty, ctor, fields }, Val::Data { ctor: c, fields: f, .. }) if ctor == c => {
            Some(Val::Data { ty: *ty, ctor: *ctor, fields: all(fields, f)? })
        }
        (Val::Dyn(_), Val::Data { .. }) => Some(a.clone()),
        (Val::Data { .. }, Val::Dyn(_)) => Some(b.clone()),
        (Val::Data { .. }, Val::Data { .. }) => Some(Val::Dyn(ValueId::from_index(0))),
        _ => same_form(a, b, cells).then(|| a.clone()),
    }
}

/// Whether a value mentions no reference that a loop has made.
pub fn is_outside(val: &Val, cells: usize) -> bool {
    match val {
        Val::Tuple(items) => items.iter().all(|it| is_outside(it, cells)),
        Val::Data { fields, .. } => fields.iter().all(|it| is_outside(it, cells)),
        Val::Object { cells: own, .. } => own.iter().all(|&it| it < cells),
        Val::Cell(cell) => *cell < cells,
        Val::Partial { args, .. } => args.iter().all(|it| is_outside(it, cells)),
        // What a closure captured may be such a reference.
        Val::Closure { env, .. } => env.0.is_none(),
        Val::Dyn(_) | Val::Unit => true,
    }
}
