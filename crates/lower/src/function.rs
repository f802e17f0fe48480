//! One function: its parameters, captures, variables and the exits of its body.

use oxbow_base::{IdMap, IdSet, Span};
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Location, RegionRef, Type};
use oxbow_dialect::op;
use oxbow_dialect::{Block, FuncSpec, Val, region_of, result_of};
use oxbow_psg::{
    Capture, CaptureMode, InlineHint, JoinId, LambdaId, NodeId, Repr, Storage, TyId, VarId,
};

use crate::Lowering;
use crate::debug::Seen;
use crate::expr::Dest;

/// How a variable is reached in the function being emitted.
#[derive(Clone, Copy)]
pub enum Binding<'c> {
    Value(Val<'c>),
    /// A mutable variable: its address.
    Slot(Val<'c>),
}

#[derive(Clone, Copy)]
pub struct JoinPoint<'c> {
    pub block: Block<'c>,
}

/// The function being emitted.
pub struct Function<'f, 'a, 'c> {
    pub low: &'f mut Lowering<'a, 'c>,
    region: RegionRef<'c, 'c>,
    entry: Block<'c>,
    /// `None` for the program's own code.
    pub lambda: Option<LambdaId>,
    pub env: Option<Val<'c>>,
    pub result: Type<'c>,
    pub raises: bool,
    vars: IdMap<VarId, Binding<'c>>,
    /// Mutable variables that live in this function's own frame.
    own_slots: IdSet<VarId>,
    pub joins: IdMap<JoinId, JoinPoint<'c>>,
    /// Where an exception goes, inside a `try` of this function.
    pub handler: Option<Block<'c>>,
    /// Shared exit for exceptions that nothing in the function handles.
    raise_exit: Option<Block<'c>>,
    /// Where the code at hand stands in the program's own text: what was copied there from the library has been called
    /// there.
    pub place: Option<Span>,
    /// A closure object may hold the address of one of this function's variables.
    pub shares_frame: bool,
    /// The variables that debuggers see.
    pub seen: Seen<'c>,
    /// Where the function stands.
    own: Location<'c>,
}

/// Emits the function of a lambda into the current block, the module's.
pub fn lambda(low: &mut Lowering<'_, '_>, id: LambdaId) {
    let program = low.program;
    let it = &program.lambdas[id];
    let captures = low.facts.captures[id].clone();
    let capture_types: Vec<_> = captures.iter().map(|it| low.capture_type(it)).collect();
    let mut params: Vec<_> =
        it.params.iter().map(|&var| low.types.get(program.vars[var].ty, &mut low.names)).collect();
    let lifted = it.repr == Repr::Lifted;
    if lifted {
        params.splice(0..0, capture_types.iter().copied());
    }
    let result = low.types.get(program.ty(it.body), &mut low.names);
    low.build.location = low.function_location(it.name, it.span);
    let symbol = low.facts.symbols[id].clone();
    let names: Vec<_> = captures.iter().map(|it| program.vars[it.var].name.as_str()).collect();
    let op = low.build.func(&FuncSpec {
        name: &symbol,
        params: &params,
        result,
        raises: it.raises,
        captures: if lifted { &[] } else { &capture_types },
        capture_names: &names,
        inline_hint: match it.inline {
            InlineHint::Default => None,
            InlineHint::Always => Some(op::InlineHint::Always),
            InlineHint::Cold => Some(op::InlineHint::Cold),
            InlineHint::Rare => Some(op::InlineHint::Rare),
            InlineHint::Once => Some(crate::entry::start_hint(program, vec![it.body])),
            InlineHint::Never | InlineHint::ZeroAlloc => Some(op::InlineHint::Never),
        },
        exported: false,
    });
    let has_env = !lifted && !captures.is_empty();
    let mut arguments = params.clone();
    if has_env {
        arguments.insert(0, low.build.types.env);
    }
    let mut function = Function::new(low, region_of(op), &arguments, result, it.raises);
    function.lambda = Some(id);
    function.at(it.span);
    let entry = function.entry;
    let mut index = 0;
    if has_env {
        let env = function.low.build.argument(entry, 0);
        function.env = Some(env);
        index = 1;
        for (at, capture) in captures.iter().enumerate() {
            let value = function.low.build.env_get(env, at as u32, capture_types[at]);
            function.bind_capture(capture, value);
        }
    } else {
        for capture in &captures {
            let value = function.low.build.argument(entry, index);
            function.bind_capture(capture, value);
            index += 1;
        }
    }
    for (number, &param) in (1..).zip(&it.params) {
        let value = function.low.build.argument(entry, index);
        function.bind_quietly(param, value);
        function.tell(param, value, number);
        index += 1;
    }
    if has_env {
        let held: Vec<_> = captures.iter().map(|it| (it.var, it.mode)).collect();
        function.tell_closure(&symbol, &held);
    }
    function.body(it.body);
}

impl<'c> Lowering<'_, 'c> {
    pub fn capture_type(&mut self, capture: &Capture) -> Type<'c> {
        let ty = self.types.get(self.program.vars[capture.var].ty, &mut self.names);
        match capture.mode {
            CaptureMode::ByValue => ty,
            CaptureMode::ByRef => self.build.types.boxed(ty),
        }
    }
}

impl<'f, 'a, 'c> Function<'f, 'a, 'c> {
    pub fn new(
        low: &'f mut Lowering<'a, 'c>,
        region: RegionRef<'c, 'c>,
        arguments: &[Type<'c>],
        result: Type<'c>,
        raises: bool,
    ) -> Self {
        let entry = low.build.new_block(arguments);
        low.build.place(entry, region);
        low.build.set_block(entry);
        let own = low.build.location;
        Self {
            own,
            low,
            region,
            entry,
            lambda: None,
            env: None,
            result,
            raises,
            vars: IdMap::new(),
            own_slots: IdSet::new(),
            joins: IdMap::new(),
            handler: None,
            raise_exit: None,
            place: None,
            shares_frame: false,
            seen: Seen::default(),
        }
    }

    pub fn ty(&mut self, ty: TyId) -> Type<'c> {
        self.low.types.get(ty, &mut self.low.names)
    }

    pub fn node_type(&mut self, node: NodeId) -> Type<'c> {
        self.ty(self.low.program.ty(node))
    }

    /// Emits the body as the function's result and closes the function.
    pub fn body(&mut self, body: NodeId) {
        self.emit(body, Dest::Return);
        self.close();
    }

    /// Emits the shared exit, if something uses it.
    pub fn close(&mut self) {
        if let Some(exit) = self.raise_exit.take() {
            // A debugger that stops at the last line must not stop here.
            if self.low.layouts.is_some() {
                self.low.build.location = self.own;
            }
            self.start(exit);
            let exn = self.low.build.argument(exit, 0);
            self.low.build.raise(exn);
        }
    }

    pub fn start(&mut self, block: Block<'c>) {
        self.low.build.place(block, self.region);
        self.low.build.set_block(block);
    }

    pub fn at(&mut self, span: Span) {
        let location = self.low.location(span);
        let is_library = self.low.sources.file(span.file).is_library;
        if !is_library {
            self.place = Some(span);
        }
        self.low.build.location = match self.place {
            Some(place) if is_library => Location::call_site(location, self.low.location(place)),
            _ => location,
        };
        self.low.build.location = self.scoped(self.low.build.location);
    }

    /// Where exceptions go: the enclosing handler, or out of the function.
    pub fn exception_target(&mut self) -> Block<'c> {
        if let Some(handler) = self.handler {
            return handler;
        }
        if !self.raises {
            ice!("`{}` is said not to raise, but it does", self.name());
        }
        let exn = self.low.build.types.exn;
        *self.raise_exit.get_or_insert_with(|| self.low.build.new_block(&[exn]))
    }

    pub fn name(&self) -> String {
        self.lambda.map_or("the program".into(), |it| self.low.facts.symbols[it].clone())
    }

    // Variables.

    pub fn bind(&mut self, var: VarId, value: Val<'c>) {
        self.bind_quietly(var, value);
        self.tell(var, value, 0);
    }

    fn bind_quietly(&mut self, var: VarId, value: Val<'c>) {
        if self.low.program.vars[var].mutable {
            let slot = self.new_slot(var);
            self.low.build.slot_store(value, slot);
        } else {
            self.vars.insert(var, Binding::Value(value));
        }
    }

    fn bind_capture(&mut self, capture: &Capture, value: Val<'c>) {
        let binding = match capture.mode {
            CaptureMode::ByValue => Binding::Value(value),
            CaptureMode::ByRef => Binding::Slot(value),
        };
        self.vars.insert(capture.var, binding);
        self.tell_captured(capture.var, value, capture.mode);
    }

    /// A slot in the frame, made in the entry block so that it exists once per call.
    fn new_slot(&mut self, var: VarId) -> Val<'c> {
        if let Some(Binding::Slot(slot)) = self.vars.get(var) {
            return *slot;
        }
        let element = self.ty(self.low.program.vars[var].ty);
        let ty = self.low.build.types.boxed(element);
        let op = self.low.build.create(&op::SlotNew::draft(ty));
        self.low.build.insert_first(self.entry, op);
        let slot = result_of(op, 0);
        self.vars.insert(var, Binding::Slot(slot));
        self.own_slots.insert(var);
        if self.low.facts.shared.contains(var) {
            self.shares_frame = true;
        }
        slot
    }

    /// The value of a variable.
    pub fn read(&mut self, var: VarId) -> Val<'c> {
        match self.vars.get(var) {
            Some(&Binding::Value(value)) => return value,
            Some(&Binding::Slot(slot)) => return self.low.build.slot_load(slot),
            None => (),
        }
        if let Some(&lambda) = self.low.facts.bound.get(var) {
            return self.function_value(lambda);
        }
        match self.low.globals.get(var).cloned() {
            Some(symbol) => {
                let ty = self.ty(self.low.program.vars[var].ty);
                self.low.build.global_load(&symbol, ty)
            }
            None => ice!(
                "`{}` ({var}) is not bound in `{}`",
                self.low.program.vars[var].name,
                self.name()
            ),
        }
    }

    pub fn write(&mut self, var: VarId, value: Val<'c>) {
        match self.vars.get(var) {
            Some(&Binding::Slot(slot)) => {
                self.low.build.slot_store(value, slot);
                if self.owns_slot(var) {
                    self.tell(var, value, 0);
                }
            }
            Some(Binding::Value(_)) => {
                ice!("`{}` ({var}) is not mutable", self.low.program.vars[var].name)
            }
            None => match self.low.globals.get(var).cloned() {
                Some(symbol) => self.low.build.global_store(&symbol, value),
                None => ice!(
                    "`{}` ({var}) is not bound in `{}`",
                    self.low.program.vars[var].name,
                    self.name()
                ),
            },
        }
    }

    /// A function that is a constant, or the closure that is running.
    fn function_value(&mut self, lambda: LambdaId) -> Val<'c> {
        let ty =
            self.low.program.lambdas[lambda].params.iter().map(|&it| self.low.program.vars[it].ty);
        let params: Vec<_> = ty.collect::<Vec<_>>().into_iter().map(|it| self.ty(it)).collect();
        let result = self.node_type(self.low.program.lambdas[lambda].body);
        let ty = self.low.build.types.closure(&params, result);
        if let (Some(own), Some(env)) = (self.lambda, self.env) {
            if self.low.facts.in_one_group(own, lambda) {
                // Another's environment may stand here, so only its captures are sure.
                let captures = self.low.facts.captures[lambda].clone();
                let values: Vec<_> = captures.iter().map(|it| self.captured(it)).collect();
                let symbol = self.low.facts.symbols[lambda].clone();
                return self.low.build.make_closure(&symbol, &values, ty, op::Storage::Counted);
            }
            if own == lambda {
                return self.low.build.env_self(env, ty);
            }
        }
        if self.low.program.lambdas[lambda].repr == Repr::Lifted
            || !self.low.facts.is_constant(lambda)
        {
            ice!("`{}` has no value in `{}`", self.low.facts.symbols[lambda], self.name());
        }
        let symbol = self.low.facts.symbols[lambda].clone();
        self.low.build.make_closure(&symbol, &[], ty, op::Storage::Static)
    }

    pub fn owns_slot(&self, var: VarId) -> bool {
        self.own_slots.contains(var)
    }

    /// What a closure or a lifted call holds for a captured variable.
    pub fn captured(&mut self, capture: &Capture) -> Val<'c> {
        match (capture.mode, self.vars.get(capture.var)) {
            (CaptureMode::ByValue, _) => self.read(capture.var),
            (CaptureMode::ByRef, Some(&Binding::Slot(slot))) => slot,
            (CaptureMode::ByRef, _) => {
                ice!(
                    "`{}` is captured by reference but has no address",
                    self.low.program.vars[capture.var].name
                )
            }
        }
    }
}

/// Where the graph says that an object lives.
pub fn placed(storage: Storage) -> op::Storage {
    match storage {
        Storage::Stack => op::Storage::Stack,
        Storage::Counted => op::Storage::Counted,
        Storage::Static => op::Storage::Static,
    }
}
