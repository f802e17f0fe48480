//! Calls, and the ends of a function.
//!
//! ```text
//! return %v        ret v, or (v, null) if the function may raise
//! raise %e         ret (anything, e)
//! call @f(%x)      call tailcc; a second result is the exception
//! tail_call @f     the same in tail position, in constant stack
//! ```

use oxbow_abi::fibers::thread;
use oxbow_diag::ice;
use oxbow_dialect::inspect::{is_library, key};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::op::{Call, DialectOp, Invoke, TailCall, View, opcode, view};
use oxbow_dialect::{Op, Val};

use super::body::{Body, types_of};
use super::llvm_ops::{Access, TailKind, Target};
use super::{Converter, Func, OwnClosure};

impl<'c> Converter<'c> {
    /// Calls, and the ends of a function.
    pub fn control_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        match view(op) {
            View::Return(it) => {
                self.leave_frames(body);
                if body.is_main {
                    self.end_program();
                }
                self.leave(body, body.get(it.value()), None);
            }
            // Of a call that never raises.
            View::Raise(_) if !body.raises => self.build.unreachable(),
            View::Raise(it) => {
                self.leave_frames(body);
                let value = self.no_value(body.result);
                self.leave(body, value, Some(body.get(it.exn())));
            }
            View::Call(it) => self.call_op(body, it),
            View::TailCall(it) => self.tail_call_op(body, it),
            View::Invoke(it) => self.invoke_op(body, it),
            View::TailInvoke(it) => {
                let args = body.get_all(&it.args());
                self.leave_frames(body);
                self.tail_invoke(body, it.callee().r#type(), body.get(it.callee()), &args);
            }
            View::RuntimeCall(it) => {
                let args = body.get_all(&it.args());
                let value = self
                    .call_in_place(it.callee(), &args)
                    .or_else(|| self.runtime_call(it.callee(), &args));
                if let Some(value) = value {
                    body.set(op, 0, value);
                }
            }
            View::ForeignCall(it) => {
                let (args, types) = (body.get_all(&it.args()), types_of(&it.args()));
                let result = it.result().first().map(|it| it.r#type());
                if let Some(value) = self.foreign_call(it.callee(), &args, &types, result) {
                    body.set(op, 0, value);
                }
            }
            _ => ice!("{:?} is no call", opcode(op)),
        }
    }

    fn call_op(&mut self, body: &mut Body<'c>, call: Call<'c>) {
        let op = call.op();
        let func = self.funcs[call.callee()].clone();
        let result = self.layout.result(func.result, func.raises);
        self.note_caller(&func);
        let mut args = self.flat_values(body, &call.args());
        let lends = !call.handed_over() && func.own_closure == Some(OwnClosure::Either);
        if func.captures.is_some() && lends {
            args[0] = self.lend(args[0]);
        }
        let value = self.call(
            Target::Symbol(&func.symbol),
            &args,
            Some(result),
            func.convention(),
            TailKind::None,
        );
        let value = value.expect("a call with a result");
        if func.raises {
            let (value, exn) = self.split_result(func.result, value);
            body.set(op, 0, value);
            body.set(op, 1, exn);
        } else {
            body.set(op, 0, value);
            if op.result_count() == 2 {
                let none = self.null();
                body.set(op, 1, none);
            }
        }
    }

    fn tail_call_op(&mut self, body: &mut Body<'c>, call: TailCall<'c>) {
        let func = self.funcs[call.callee()].clone();
        let result = self.layout.result(func.result, func.raises);
        let kind = match body.cold || func.cold {
            true => TailKind::None,
            false => tail_kind(body.in_registers && func.in_registers),
        };
        self.note_caller(&func);
        let args = self.flat_values(body, &call.args());
        self.leave_frames(body);
        let value =
            self.call(Target::Symbol(&func.symbol), &args, Some(result), func.convention(), kind);
        self.ret(value);
    }

    /// Says where the program's own text calls the library, for messages about memory.
    fn note_caller(&mut self, callee: &Func<'c>) {
        if callee.notes_caller && !is_library(self.build.location) {
            self.note_place(oxbow_abi::CALLER, self.domains.then_some(thread::CALLER));
        }
    }

    /// Says where the runtime is called.
    pub fn note_site(&mut self) {
        let has_own = self.domains && !self.is_measured();
        self.note_place(oxbow_abi::SITE, has_own.then_some(thread::SITE));
    }

    /// Stores the place in a variable of the program, or in one of this thread.
    fn note_place(&mut self, variable: &str, of_thread: Option<usize>) {
        self.need_heap();
        let site = self.site_address();
        let variable = match of_thread {
            Some(offset) => {
                let variables = self.thread_variables();
                self.offset(variables, offset as i64)
            }
            None => self.address_of(variable),
        };
        self.store_raw(site, variable, 8, Access::Heap);
    }

    fn invoke_op(&mut self, body: &mut Body<'c>, call: Invoke<'c>) {
        let closure = call.callee().r#type();
        let callee = body.get(call.callee());
        let own = match call.handed_over() {
            false if self.facts.family_of(closure).owned => self.lend(callee),
            _ => callee,
        };
        let args = body.get_all(&call.args());
        let (value, exn) = self.invoke(body, closure, (callee, own), &args);
        body.set(call.op(), 0, value);
        body.set(call.op(), 1, exn);
    }

    /// The parts of values, which are in registers of their own.
    fn flat_values(&self, body: &Body<'c>, values: &[Val<'c>]) -> Vec<Val<'c>> {
        let values = values.iter().filter_map(|it| Some((it.r#type(), body.value(key(*it))?)));
        self.explode_all(values)
    }

    /// Ends the function with a value or an exception.
    pub fn leave(&mut self, body: &mut Body<'c>, value: Val<'c>, exn: Option<Val<'c>>) {
        if body.exported {
            self.ret(None);
            return;
        }
        let mut parts = self.explode(body.result, value);
        if body.raises {
            parts.push(exn.unwrap_or_else(|| self.null()));
        }
        if let [single] = parts[..] {
            self.ret(Some(single));
            return;
        }
        let types = self.layout.result_parts(body.result, body.raises);
        let exit = *body.exit.get_or_insert_with(|| self.build.new_block(&types));
        self.build.br(exit, &parts);
    }
}

/// LLVM 22 loses the stack arguments of a `musttail` call on x86-64 (its issue 199224), and leaves
/// those of the caller behind. A plain `tail` call between `tailcc` functions is turned into a jump
/// just as surely, by the convention.
pub fn tail_kind(in_registers: bool) -> TailKind {
    if in_registers { TailKind::MustTail } else { TailKind::Tail }
}
