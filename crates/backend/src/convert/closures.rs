//! Closures and environments.
//!
//! ```text
//! make_closure @f(%a, %b)     { header | code of @f, a, b }      called as code(closure, arguments…)
//! make_closure @f()           the constant object oxbow.closure.f
//! closure @f with %env        { header | code of @f, env }  and  env = { header | count | kind, a | kind, b }
//! ```
//!
//! The second form is that of functions with `separate_env`. An environment that nothing but further captures and reads
//! of it uses is not made at all. One that is made has the number of its captures and for each a slot of 16 bytes at a
//! multiple of 16: what kind of value it is, and the value. A pair fills its slot.

use oxbow_abi::{CACHE_LINE, CLOSURE_CAPTURES_OFFSET, HEADER_SIZE, ObjectKind};
use oxbow_diag::ice;
use oxbow_dialect::inspect::{key, uses_of};
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{
    Closure, DialectOp, EnvCapture, EnvDeclare, EnvGet, Opcode, RegionClosure, Storage, View,
    opcode, view,
};
use oxbow_dialect::{OcamlType as _, Op, Val, result_of};

use super::alloc::{Form, Place};
use super::body::{Body, place};
use super::calls::tail_kind;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::regions::Fit;
use super::{Converter, Func, Hint, NewFunction};

/// An environment that is put together in the function being converted.
#[derive(Clone)]
pub struct Gathered<'c> {
    values: Vec<Val<'c>>,
    storage: Storage,
}

/// The environment that a function with captures gets.
pub struct OwnEnv<'c> {
    /// The argument of the old function.
    pub env: usize,
    captures: Vec<Type<'c>>,
    /// Where captures are in what the argument stands for.
    offsets: Vec<u64>,
    pub closure: Val<'c>,
}

impl<'c> Converter<'c> {
    /// What a closure over the function holds behind its code.
    pub fn closure_fields(&self, func: &Func<'c>) -> Vec<Type<'c>> {
        match &func.captures {
            Some(_) if func.separate_env => vec![self.layout.types.env],
            Some(captures) => captures.clone(),
            None => Vec::new(),
        }
    }

    pub fn make_closure(
        &mut self,
        body: &Body<'c>,
        symbol: &str,
        values: &[Val<'c>],
        storage: Storage,
    ) -> Val<'c> {
        let func = self.funcs[symbol].clone();
        if !func.has_captures() {
            self.static_closure(symbol, &func);
            return self.object_address(&closure_symbol(symbol));
        }
        let closure = self.closure_object(body, &func, place(storage));
        self.fill_closure(body, &func, closure, values, place(storage));
        closure
    }

    /// Sets the captures of a closure that exists.
    pub fn fill_closure(
        &mut self,
        body: &Body<'c>,
        func: &Func<'c>,
        closure: Val<'c>,
        values: &[Val<'c>],
        place: Place,
    ) {
        let captures = func.captures.clone().unwrap_or_default();
        if func.separate_env {
            let env = self.env_object(body, &captures, place);
            self.fill_env(env, &captures, values);
            self.fill(closure, CLOSURE_CAPTURES_OFFSET, &[self.layout.types.env], &[env]);
        } else {
            self.fill(closure, CLOSURE_CAPTURES_OFFSET, &captures, values);
        }
    }

    fn env_object(&mut self, body: &Body<'c>, captures: &[Type<'c>], place: Place) -> Val<'c> {
        let form = self.env_form(captures);
        let env = self.object_at(body, &form, place, 16);
        self.begin_env(env, captures, &form);
        env
    }

    fn env_form(&self, captures: &[Type<'c>]) -> Form {
        self.form(ObjectKind::Tuple, 0, 0, &self.env_types(captures).0)
    }

    /// What an environment holds besides the captures.
    fn begin_env(&mut self, env: Val<'c>, captures: &[Type<'c>], form: &Form) {
        let positions = self.env_types(captures).1;
        let count = self.i64(captures.len() as i64);
        self.store_raw(count, env, 8, Access::Capture);
        for (&ty, position) in captures.iter().zip(positions) {
            if ty.pair_parts().is_none() {
                let kind = self.i64(self.slot_kind(ty));
                let slot = self.offset(env, form.offsets[position - 1] as i64);
                self.store_raw(kind, slot, 8, Access::Capture);
            }
        }
    }

    /// A closure in a region, with its environment if that is an object of its own.
    pub fn region_closure(&mut self, body: &mut Body<'c>, new: RegionClosure<'c>) {
        let region = body.get(new.region());
        let values = body.get_all(&new.captures());
        let func = self.funcs[new.func()].clone();
        let form = self.closure_form(func.params.len(), &self.closure_fields(&func));
        let size = HEADER_SIZE + 8 * form.shape.words;
        let fit = if size <= CACHE_LINE { Fit::Line } else { Fit::Next };
        let closure = self.region_object(body, region, &form, fit);
        let code = self.closure_code(&func);
        let code = self.address_of(&code);
        self.store_raw(code, closure, 8, Access::Capture);
        let captures = func.captures.clone().unwrap_or_default();
        if func.separate_env {
            let form = self.env_form(&captures);
            let env = self.region_object(body, region, &form, Fit::Even);
            self.begin_env(env, &captures, &form);
            self.fill_env(env, &captures, &values);
            self.fill(closure, CLOSURE_CAPTURES_OFFSET, &[self.layout.types.env], &[env]);
        } else {
            self.fill(closure, CLOSURE_CAPTURES_OFFSET, &captures, &values);
        }
        body.set(new.op(), 0, closure);
    }

    /// The words of an environment, and which of them are the captures.
    fn env_types(&self, captures: &[Type<'c>]) -> (Vec<Type<'c>>, Vec<usize>) {
        let i64 = self.layout.types.i64;
        let mut types = vec![i64];
        let mut positions = Vec::new();
        for &ty in captures {
            if ty.pair_parts().is_none() {
                types.push(i64);
            }
            positions.push(types.len());
            types.push(ty);
        }
        (types, positions)
    }

    /// Where captures are in an environment of its own.
    pub fn env_offsets(&self, captures: &[Type<'c>]) -> Vec<u64> {
        let (types, positions) = self.env_types(captures);
        let offsets = self.layout.fields(&types).offsets;
        positions.into_iter().map(|it| offsets[it]).collect()
    }

    /// The tag of a slot.
    fn slot_kind(&self, ty: Type<'c>) -> i64 {
        if ty == self.layout.types.f64 || ty == self.layout.types.f32 {
            2
        } else if self.layout.is_counted(ty) {
            3
        } else {
            1
        }
    }

    fn fill_env(&mut self, env: Val<'c>, captures: &[Type<'c>], values: &[Val<'c>]) {
        let offsets = self.env_offsets(captures);
        for ((&ty, &value), &offset) in captures.iter().zip(values).zip(&offsets) {
            self.store(ty, value, env, offset, Access::Capture);
        }
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
        let word = self.static_word(self.closure_form(func.params.len(), &[]).shape) as i64;
        self.note_static(16);
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
        let fields = self.closure_fields(func);
        let form = self.closure_form(func.params.len(), &fields);
        let closure = self.object(body, &form, place);
        let code = self.address_of(&code);
        self.store_raw(code, closure, 8, Access::Capture);
        closure
    }

    /// Sets fields that begin at `start` of an object.
    pub fn fill(&mut self, object: Val<'c>, start: u64, captures: &[Type<'c>], values: &[Val<'c>]) {
        let fields = self.layout.fields_from(start, captures);
        for ((&ty, &value), &offset) in captures.iter().zip(values).zip(&fields.offsets) {
            self.store(ty, value, object, offset, Access::Capture);
        }
    }

    /// The environment of a function with captures; `closure` is its first argument.
    pub fn enter_env(
        &mut self,
        body: &mut Body<'c>,
        func: &Func<'c>,
        env: Val<'c>,
        closure: Val<'c>,
    ) {
        let captures = func.captures.clone().unwrap_or_default();
        let (value, offsets) = match func.separate_env {
            true => {
                let ty = self.layout.types.env;
                let value = self.load(ty, closure, CLOSURE_CAPTURES_OFFSET, Access::Capture);
                (value, self.env_offsets(&captures))
            }
            false => (closure, self.layout.fields_from(CLOSURE_CAPTURES_OFFSET, &captures).offsets),
        };
        body.bind(env, value);
        body.own = Some(OwnEnv { env: key(env), captures, offsets, closure });
    }

    /// Converts an op on environments.
    pub fn env_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        match view(op) {
            View::EnvNew(it) => {
                let gathered = Gathered { values: Vec::new(), storage: it.storage() };
                self.gather(body, op, gathered);
            }
            View::EnvCapture(it) => {
                let Some(mut gathered) = body.envs.get(&key(it.env())).cloned() else {
                    ice!("an environment that grows is made in the same function")
                };
                // An environment that others keep is left alone: its values are shared.
                if let Some(kept) = body.made(it.env()) {
                    for value in gathered.values.clone() {
                        self.dup(body, value.r#type(), body.get(value));
                    }
                    self.drop(body, self.layout.types.env, kept, false);
                }
                gathered.values.push(it.value());
                self.gather(body, op, gathered);
            }
            View::EnvDeclare(it) => {
                let captures = self.captures_of(it.func());
                let env = self.env_object(body, &captures, place(it.storage()));
                body.set(op, 0, env);
            }
            View::EnvFill(it) => {
                let captures = self.captures_of(it.func());
                let values = body.get_all(&it.captures());
                let env = body.get(it.env());
                self.fill_env(env, &captures, &values);
                if it.suspect() {
                    self.note_fill(env);
                }
            }
            View::EnvGet(it) => self.env_get(body, it),
            View::EnvSelf(_) => match &body.own {
                Some(own) => {
                    let closure = own.closure;
                    body.set(op, 0, closure);
                }
                None => ice!("a function without captures asks for its closure"),
            },
            View::Closure(it) => self.closure_over_env(body, it),
            _ => ice!("{:?} is no op on environments", opcode(op)),
        }
    }

    fn closure_over_env(&mut self, body: &mut Body<'c>, new: Closure<'c>) {
        let func = self.funcs[new.func()].clone();
        let value = if func.has_captures() {
            let env = body.get(new.env());
            let closure = self.closure_object(body, &func, place(new.storage()));
            let ty = self.layout.types.env;
            self.fill(closure, CLOSURE_CAPTURES_OFFSET, &[ty], &[env]);
            closure
        } else {
            self.make_closure(body, new.func(), &[], Storage::Static)
        };
        body.set(new.op(), 0, value);
    }

    fn captures_of(&self, function: &str) -> Vec<Type<'c>> {
        self.funcs[function].captures.clone().unwrap_or_default()
    }

    /// Notes what an environment holds; makes the object if it is used as a value.
    fn gather(&mut self, body: &mut Body<'c>, op: Op<'c>, gathered: Gathered<'c>) {
        let result = result_of(op, 0);
        let looks = |(user, at): &(Op<'c>, usize)| match opcode(*user) {
            Opcode::EnvGet => true,
            Opcode::EnvCapture => *at == EnvCapture::ENV,
            _ => false,
        };
        if !uses_of(result).iter().all(looks) {
            let types: Vec<_> = gathered.values.iter().map(|it| it.r#type()).collect();
            let values: Vec<_> = gathered.values.iter().map(|&it| body.get(it)).collect();
            let env = self.env_object(body, &types, place(gathered.storage));
            self.fill_env(env, &types, &values);
            body.set(op, 0, env);
        }
        body.envs.insert(key(result), gathered);
    }

    fn env_get(&mut self, body: &mut Body<'c>, get: EnvGet<'c>) {
        let (op, env, index) = (get.op(), get.env(), get.index() as usize);
        if let Some(gathered) = body.envs.get(&key(env)) {
            let Some(&value) = gathered.values.get(index) else {
                ice!("capture {index} is not there")
            };
            let value = body.get(value);
            return body.set(op, 0, value);
        }
        let (ty, offset) = match (&body.own, EnvDeclare::defining(env)) {
            (Some(own), _) if own.env == key(env) => (own.captures[index], own.offsets[index]),
            (_, Some(declare)) => {
                let captures = self.captures_of(declare.func());
                (captures[index], self.env_offsets(&captures)[index])
            }
            _ => ice!("what the environment holds is not known here"),
        };
        let value = self.load(ty, body.get(env), offset, Access::Capture);
        body.set(op, 0, value);
    }

    /// The code that a closure over the function points to: takes the closure first, gives a
    /// value and, if its family can raise, an exception. A function that is not like that gets a
    /// wrapper.
    fn closure_code(&mut self, func: &Func<'c>) -> String {
        let family = self.layout.types.closure(&func.params, func.result);
        let code_raises = self.facts.family_of(family).raises;
        if func.gets_closure() && func.raises == code_raises {
            return func.symbol.clone();
        }
        let symbol = format!("{}.code", func.symbol);
        if !self.made.insert(symbol.clone()) {
            return symbol;
        }
        let (block, location) = (self.build.block(), self.build.location);
        let mut params = vec![self.layout.ptr];
        params.extend(self.layout.flat_all(&func.params));
        let result = self.layout.result(func.result, code_raises);
        let entry = self.new_function(&NewFunction {
            symbol: &symbol,
            params: &params,
            facts: &[],
            result,
            convention: Convention::Tail,
            exported: false,
            hint: Hint::None,
        });
        let first = usize::from(!func.gets_closure());
        let args: Vec<_> = (first..params.len()).map(|at| self.build.argument(entry, at)).collect();
        let mut used = self.layout.registers_of(&func.params);
        used.0 += 1;
        let same = func.raises == code_raises;
        let kind = match same && !func.cold {
            true => tail_kind(super::fits_registers(used)),
            false => TailKind::None,
        };
        let inner = self.layout.result(func.result, func.raises);
        let target = Target::Symbol(&func.symbol);
        let value = self.call(target, &args, Some(inner), func.convention(), kind);
        if same {
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
