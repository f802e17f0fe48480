//! What forms the variables and procedures of a core program have.

use oxbow_base::FxHashMap;

use crate::builtin::{self, Form};
use crate::core::{Core, CoreKind, VarId};
use crate::datum::{DatumKind, Number};

#[derive(Default)]
pub struct Types {
    vars: FxHashMap<VarId, Form>,
    results: FxHashMap<VarId, Form>,
}

impl Types {
    pub fn var(&self, var: VarId) -> Form {
        self.vars.get(&var).copied().unwrap_or(Form::Dyn)
    }

    pub fn result(&self, var: VarId) -> Form {
        self.results.get(&var).copied().unwrap_or(Form::Dyn)
    }

    /// The form in which an expression is made.
    pub fn form(&self, core: &Core) -> Form {
        match &core.kind {
            CoreKind::Const(datum) => match &datum.kind {
                DatumKind::Bool(_) => Form::Bool,
                DatumKind::Number(Number::Fixnum(_)) => Form::Int,
                DatumKind::Number(Number::Flonum(_)) => Form::Float,
                _ => Form::Dyn,
            },
            CoreKind::Ref(var) => self.var(*var),
            CoreKind::Call(callee, args) => match &callee.kind {
                CoreKind::Builtin(id) => {
                    let it = builtin::table().get(*id);
                    if self.is_float_call(it.name, args) && it.result != Form::Bool {
                        return Form::Float;
                    }
                    match it.result {
                        Form::Bool => Form::Bool,
                        _ => Form::Dyn,
                    }
                }
                _ => Form::Dyn,
            },
            _ => Form::Dyn,
        }
    }

    pub fn is_float_call(&self, _name: &str, _args: &[Core]) -> bool {
        false
    }
}

/// The operator on floats.
pub fn float_operation(name: &str) -> Option<&'static str> {
    Some(match name {
        "+" => "+.",
        "-" => "-.",
        "*" => "*.",
        "/" => "/.",
        _ => return None,
    })
}
