//! Values of types with functions of their own, which only specialisation finds.

use crate::OwnFunctions;

use super::eval::Machine;
use super::value::{ObjectKind, Value};

impl<P> Machine<'_, P> {
    /// Is there an object in a value whose type has such functions of its own?
    pub(super) fn holds(&self, value: &Value, has: fn(OwnFunctions) -> bool) -> bool {
        let datas = &self.program.types.datas;
        let mut work = vec![value.clone()];
        for _ in 0..10_000 {
            let data = match work.pop() {
                None => return false,
                Some(Value::Object(object)) => {
                    work.extend(object.fields.borrow().iter().cloned());
                    match object.kind {
                        ObjectKind::Data { data, .. } => data,
                        _ => continue,
                    }
                }
                Some(Value::Constant { data, .. }) => data,
                Some(_) => continue,
            };
            if has(datas[data].own) {
                return true;
            }
        }
        false
    }

    pub(super) fn has_own_order(&self, values: &[Value]) -> bool {
        self.layout.has_own_order && values.iter().any(|it| self.holds(it, OwnFunctions::has_order))
    }
}
