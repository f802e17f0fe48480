//! Flat closures: the code pointer, then the captures.
//!
//! ```text
//! make_closure @f(%a, %b)     { header | code of @f, a, b }      called as code(closure, arguments…)
//! make_closure @f()           the constant object oxbow.closure.f
//! ```

use oxbow_abi::CLOSURE_CAPTURES_OFFSET;
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::Type;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::{Op, Val};

use super::alloc::Place;
use super::body::{Body, place, tail_kind};
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::{Converter, Func, Hint, NewFunction, int_attr};
use oxbow_dialect::read::key;

impl<'c> Converter<'c> {
    pub fn make_closure(
        &mut self,
        body: &Body<'c>,
        symbol: &str,
        captures: &[Type<'c>],
        values: &[Val<'c>],
        storage: &str,
    ) -> Val<'c> {
        let func = self.funcs[symbol].clone();
        if captures.is_empty() {
            self.static_closure(symbol, &func);
            return self.object_address(&closure_symbol(symbol));
        }
        let closure = self.closure_object(body, &func, place(storage));
        self.fill(closure, captures, values);
        closure
    }

    /// A closure without captures, which is a constant.
    fn static_closure(&mut self, symbol: &str, func: &Func<'c>) {
        let object = closure_symbol(symbol);
        if self.made.contains(&object) {
            return;
        }
        let code = self.closure_code(func);
        self.made.insert(object.clone());
        let block = self.build.block();
        let ty = self.layout.record(&[self.layout.types.i64, self.layout.ptr]);
        let word = self.closure_form(func.params.len(), &[]).shape.static_header() as i64;
        self.global_with(&object, ty, false, 16, |this| {
            let word = this.i64(word);
            let code = this.address_of(&code);
            this.pack(&[word, code])
        });
        self.build.set_block(block);
    }

    /// A closure object with its code pointer set.
    pub fn closure_object(&mut self, body: &Body<'c>, func: &Func<'c>, place: Place) -> Val<'c> {
        let code = self.closure_code(func);
        let captures = func.captures.clone().unwrap_or_default();
        let form = self.closure_form(func.params.len(), &captures);
        let closure = self.object(body, &form, place);
        let code = self.address_of(&code);
        self.store_raw(code, closure, 8, Access::Capture);
        closure
    }

    pub fn fill(&mut self, closure: Val<'c>, captures: &[Type<'c>], values: &[Val<'c>]) {
        let fields = self.layout.fields_from(CLOSURE_CAPTURES_OFFSET, captures);
        for ((&ty, &value), &offset) in captures.iter().zip(values).zip(&fields.offsets) {
            self.store(ty, value, closure, offset, Access::Capture);
        }
    }

    pub fn env_get(&mut self, body: &mut Body<'c>, op: Op<'c>, env: Val<'c>) {
        let index = int_attr(op, "index") as usize;
        if let Some(captured) = body.envs.get(&key(env)) {
            let Some(&value) = captured.get(index) else { ice!("capture {index} is not there") };
            let value = body.get(value);
            return body.set(op, 0, value);
        }
        let parent = op.parent_operation().expect("the op is in a function");
        let name = parent.attribute("sym_name").map(super::attribute_bytes).unwrap_or_default();
        let name = std::str::from_utf8(name).expect("names are text");
        let captures = self.funcs[name].captures.clone().unwrap_or_default();
        let offset = self.layout.fields_from(CLOSURE_CAPTURES_OFFSET, &captures).offsets[index];
        let value = self.load(captures[index], body.get(env), offset, Access::Capture);
        body.set(op, 0, value);
    }

    /// The code that a closure over the function points to: takes the closure first, gives a
    /// value and an exception. A function that is not like that gets a wrapper.
    fn closure_code(&mut self, func: &Func<'c>) -> String {
        if func.captures.is_some() && func.raises {
            return func.symbol.clone();
        }
        let symbol = format!("{}.code", func.symbol);
        if !self.made.insert(symbol.clone()) {
            return symbol;
        }
        let (block, location) = (self.build.block(), self.build.location);
        let mut params = vec![self.layout.ptr];
        params.extend(self.layout.flat_all(&func.params));
        let result = self.layout.result(func.result, true);
        let entry = self.new_function(&NewFunction {
            symbol: &symbol,
            params: &params,
            facts: &[],
            result,
            convention: Convention::Tail,
            exported: false,
            hint: Hint::None,
        });
        let first = usize::from(func.captures.is_none());
        let args: Vec<_> = (first..params.len()).map(|at| self.build.argument(entry, at)).collect();
        let mut used = self.layout.registers_of(&func.params);
        used.0 += 1;
        let kind = match func.raises {
            true => tail_kind(super::fits_registers(used)),
            false => TailKind::None,
        };
        let inner = self.layout.result(func.result, func.raises);
        let value =
            self.call(Target::Symbol(&func.symbol), &args, Some(inner), Convention::Tail, kind);
        if func.raises {
            self.ret(value);
        } else {
            let mut body = Body::generated(entry, func.result, true);
            let flat = self.layout.flat(func.result);
            let value = value.expect("a call with a result");
            let value = match flat.len() {
                1 => value,
                _ => self.implode(&self.explode(func.result, value)),
            };
            self.leave(&mut body, value, None);
            self.close(&mut body);
        }
        self.build.set_block(block);
        self.build.location = location;
        symbol
    }
}

/// The object of a closure without captures.
pub fn closure_symbol(func: &str) -> String {
    format!("oxbow.closure.{func}")
}
