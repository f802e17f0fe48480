//! The value of `%default` at a type: what .NET gives to a place that nothing was stored in. It must
//! be what `monomorphize` makes.

use super::eval::{Result, fault};
use super::value::{ObjectKind, Value};
use crate::{DataId, DataKind, Field, Program, Ty, TyId, TyVarId};

/// In the `Poly` phase a type may be a variable; nothing is known of its value then.
pub(super) fn value<P>(program: &Program<P>, ty: TyId) -> Result<Value> {
    match of_type(program, ty, &|_| Some(Value::Unit), &mut Vec::new()) {
        Some(value) => Ok(value),
        None => fault("a type without a default"),
    }
}

fn of_type<P>(
    program: &Program<P>,
    ty: TyId,
    variable: &dyn Fn(TyVarId) -> Option<Value>,
    open: &mut Vec<DataId>,
) -> Option<Value> {
    Some(match program.types.get(ty) {
        Ty::Unit | Ty::Fn(..) | Ty::Uniform => Value::Unit,
        Ty::Bool => Value::Bool(false),
        Ty::Char => Value::Char(0),
        Ty::Int(width) => Value::wrap(*width, 0),
        Ty::Float => Value::Float(0.0),
        Ty::Float32 => Value::Float32(0.0),
        Ty::String | Ty::Bytes => Value::bytes(""),
        Ty::Array(_) => Value::object(ObjectKind::Array, Vec::new()),
        Ty::Exn => {
            let exn = program.well_known.exns.invalid_argument?;
            Value::object(ObjectKind::Exn(exn), vec![Value::bytes("no value")])
        }
        Ty::Var(var) => variable(*var)?,
        Ty::Tuple(items) => {
            let items: Option<Vec<_>> =
                items.iter().map(|&it| of_type(program, it, variable, open)).collect();
            Value::object(ObjectKind::Tuple, items?)
        }
        &Ty::Data(data, ref args) => {
            let decl = &program.types.datas[data];
            if open.contains(&data) {
                return None;
            }
            let args: Vec<Option<Value>> =
                args.iter().map(|&it| of_type(program, it, variable, open)).collect();
            let argument = |var: TyVarId| match decl.params.iter().position(|&it| it == var) {
                Some(at) => args.get(at).cloned().flatten(),
                None => Some(Value::Unit),
            };
            open.push(data);
            let mut parts = |fields: &[Field]| -> Option<Vec<Value>> {
                fields.iter().map(|it| of_type(program, it.ty, &argument, open)).collect()
            };
            let made = match &decl.kind {
                DataKind::Record(fields) => {
                    parts(fields).map(|it| Value::object(ObjectKind::Data { data, ctor: 0 }, it))
                }
                DataKind::Variant(ctors) => {
                    match ctors.iter().position(|it| it.fields.is_empty()) {
                        Some(at) => Some(Value::Constant { data, ctor: at as u32 }),
                        None => ctors.iter().enumerate().find_map(|(at, ctor)| {
                            let fields = parts(&ctor.fields)?;
                            Some(Value::object(ObjectKind::Data { data, ctor: at as u32 }, fields))
                        }),
                    }
                }
            };
            open.pop();
            made?
        }
    })
}
