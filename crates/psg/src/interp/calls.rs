//! Calls and closures.
//!
//! The arguments of a call lie on the machine's stack, the last one lowest: there
//! they become the parameters of the callee's frame.

use std::cell::RefCell;
use std::rc::Rc;

use oxbow_base::{Id, IdMap, IdSet, Made, Symbol};

use super::eval::{Machine, Place, Result, Stop, fault};
use super::value::{Object, ObjectKind, Value};
use crate::{DataKind, LambdaId, NodeId, NodeKind, VarId};

/// What became of a call.
pub(super) enum Ready {
    Value(Value),
    /// The arguments on the stack are exactly those of the closure.
    Call(Rc<Object>, LambdaId),
}

/// The closure that each watched lambda made last.
pub(super) struct Newest {
    pub watched: IdSet<LambdaId>,
    /// By address: a closure that is called is alive, so no other can have its place.
    pub objects: IdMap<LambdaId, usize>,
    /// A lambda of which a closure was called after it had made another.
    pub stale: Option<LambdaId>,
}

impl Newest {
    pub fn made(&mut self, lambda: LambdaId, closure: &Rc<Object>) {
        if self.watched.contains(lambda) {
            self.objects.insert(lambda, Rc::as_ptr(closure) as usize);
        }
    }

    fn called(&mut self, lambda: LambdaId, closure: &Object) {
        let address = std::ptr::from_ref(closure) as usize;
        if self.watched.contains(lambda) && self.objects.get(lambda) != Some(&address) {
            self.stale = Some(lambda);
        }
    }
}

impl<P> Machine<'_, P> {
    pub(super) fn call_global(&mut self, var: VarId, arg: Value) -> Result<Value> {
        let func = self.globals[var.index()].clone();
        self.stack.push(arg);
        match self.prepare(func, 1)? {
            Ready::Value(value) => Ok(value),
            Ready::Call(closure, lambda) => self.enter(&closure, lambda),
        }
    }

    /// The method of the object on top of the stack.
    pub(super) fn method(&self, label: Symbol) -> Result<Value> {
        let Some(Value::Object(object)) = self.stack.last() else {
            return fault("a method of something that is no object");
        };
        let ObjectKind::Data { data, ctor } = object.kind else {
            return fault("a method of something that is no object");
        };
        let DataKind::Variant(ctors) = &self.program.types.datas[data].kind else {
            return fault("a method of a record");
        };
        let fields = ctors.get(ctor as usize).map_or(&[][..], |it| &it.fields);
        let method = Made::Method(label).symbol();
        match fields.iter().position(|it| it.name == method) {
            Some(at) => Ok(object.fields.borrow()[at].clone()),
            None => fault(format!("an object without the method {label}")),
        }
    }

    /// Brings the `count` arguments on the stack and the function together: collects
    /// those of partial applications, calls on while there are too many.
    pub(super) fn prepare(&mut self, mut func: Value, mut count: usize) -> Result<Ready> {
        loop {
            let Value::Object(object) = func else {
                return fault(format!("a call of {}", func.describe()));
            };
            match object.kind {
                ObjectKind::Closure(lambda) => {
                    let arity = self.program.lambdas[lambda].params.len();
                    if count == arity {
                        return Ok(Ready::Call(object, lambda));
                    }
                    if count < arity {
                        let mut fields: Vec<Value> =
                            self.stack.drain(self.stack.len() - count..).collect();
                        fields.push(Value::Object(object));
                        return Ok(Ready::Value(Value::object(ObjectKind::Partial, fields)));
                    }
                    func = self.enter(&object, lambda)?;
                    count -= arity;
                }
                ObjectKind::Partial => {
                    let fields = object.fields.borrow();
                    let Some((inner, args)) = fields.split_last() else {
                        return fault("an empty partial application");
                    };
                    self.stack.extend(args.iter().cloned());
                    count += args.len();
                    func = inner.clone();
                }
                ObjectKind::Tuple
                | ObjectKind::Data { .. }
                | ObjectKind::Array
                | ObjectKind::Exn(_) => {
                    return fault(format!("a call of {}", Value::Object(object).describe()));
                }
            }
        }
    }

    /// Calls a closure whose arguments are on the stack.
    pub(super) fn enter(&mut self, closure: &Object, lambda: LambdaId) -> Result<Value> {
        let data = &self.program.lambdas[lambda];
        let base = self.stack.len() - data.params.len();
        if self.depth_left == 0 {
            self.stack.truncate(base);
            return match self.program.well_known.exns.stack_overflow {
                Some(exn) => Err(Stop::Raise(self.exception(exn, Vec::new()))),
                None => fault("stack overflow"),
            };
        }
        self.depth_left -= 1;
        self.open_frame(closure, lambda, base);
        let result = self.eval(data.body, base, Place::Tail);
        self.stack.truncate(base);
        self.depth_left += 1;
        result
    }

    /// Completes the frame of which the arguments are there.
    pub(super) fn open_frame(&mut self, closure: &Object, lambda: LambdaId, base: usize) {
        self.newest.called(lambda, closure);
        let params = &self.program.lambdas[lambda].params;
        for (slot, &param) in params.iter().rev().enumerate() {
            if self.program.vars[param].mutable {
                let value = std::mem::replace(&mut self.stack[base + slot], Value::Undefined);
                self.stack[base + slot] = self.place_for(param, value);
            }
        }
        self.stack.extend(closure.fields.borrow().iter().cloned());
        let size = self.frames.lambdas.get(lambda).map_or(0, |it| it.size);
        self.stack.resize(base + size, Value::Undefined);
    }

    pub(super) fn captured(&self, lambda: LambdaId, base: usize) -> Vec<Value> {
        let slots = self.frames.lambdas.get(lambda).map_or(&[][..], |it| &it.captures);
        slots.iter().map(|&slot| self.stack[base + slot as usize].clone()).collect()
    }

    /// The closures exist before their captures are filled in, as these include them.
    pub(super) fn let_rec(&mut self, vars: &[VarId], values: &[NodeId], base: usize) -> Result<()> {
        let mut closures = Vec::with_capacity(vars.len());
        for (&var, &value) in vars.iter().zip(values) {
            let NodeKind::Lambda(lambda) = self.program.nodes[value].kind else {
                return fault(format!("{value}: a recursive value that is no function"));
            };
            let kind = ObjectKind::Closure(lambda);
            let closure = Rc::new(Object { kind, fields: RefCell::new(Vec::new()) });
            self.bind(var, base, Value::Object(closure.clone()));
            self.newest.made(lambda, &closure);
            closures.push((closure, lambda));
        }
        for (closure, lambda) in closures {
            *closure.fields.borrow_mut() = self.captured(lambda, base);
        }
        Ok(())
    }
}
