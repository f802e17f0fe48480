//! The walk: control flow, variables, blocks.
//!
//! [`Machine::eval`] loops along tail positions and recurses into the others. So a
//! jump, which stands in tail position of its join, just continues the loop at the
//! join's code, and a tail call replaces the frame and continues at the body.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use oxbow_base::{FileId, FxHashMap, Id, IdMap, IdSet, Symbol};

use super::calls::{Newest, Ready};
use super::frames::{Frames, NO_SLOT};
use super::layout::Layout;
use super::native::Native;
use super::value::{ObjectKind, Value};
use super::{Host, Options, Outcome, default, exn_text};
use crate::{
    Const, DataId, ExnId, ItemKind, Key, LambdaId, NodeId, NodeKind, Prim, Program, Ty, VarId,
};

/// Why evaluation does not end with a value.
pub(super) enum Stop {
    Raise(Value),
    Exit(i32),
    Steps,
    Fault(Box<str>),
    /// What this interpreter does not do.
    Refused(Box<str>),
}

pub(super) type Result<T> = std::result::Result<T, Stop>;

pub(super) fn fault<T>(message: impl Into<Box<str>>) -> Result<T> {
    Err(Stop::Fault(message.into()))
}

pub(super) struct Machine<'a, P> {
    pub program: &'a Program<P>,
    pub host: &'a mut dyn Host,
    pub layout: Layout,
    pub(super) frames: Frames,
    /// Frames, and above them the arguments of calls that are being prepared.
    pub(super) stack: Vec<Value>,
    pub(super) globals: Vec<Value>,
    /// Equal string literals are one object, and so are the literals of empty arrays in one file.
    literals: FxHashMap<Arc<[u8]>, Value>,
    empty_arrays: IdMap<FileId, Value>,
    /// Constant exceptions: one object each.
    exceptions: IdMap<ExnId, Value>,
    steps_left: u64,
    pub(super) depth_left: usize,
    pub(super) newest: Newest,
    pub(super) native: Native,
}

/// Whether the value of a node is the result of the function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Tail,
    Inner,
}

pub(super) fn run<P>(
    program: &Program<P>,
    host: &mut dyn Host,
    options: Options,
    watched: IdSet<LambdaId>,
) -> (Outcome, Option<LambdaId>) {
    let frames = match Frames::new(program) {
        Ok(frames) => frames,
        Err(message) => return (Outcome::Fault(message), None),
    };
    let mut machine = Machine {
        program,
        host,
        layout: Layout::new(program),
        frames,
        stack: Vec::new(),
        globals: vec![Value::Undefined; program.vars.len()],
        literals: FxHashMap::default(),
        empty_arrays: IdMap::new(),
        exceptions: IdMap::new(),
        steps_left: options.step_limit.unwrap_or(u64::MAX),
        depth_left: options.depth_limit,
        newest: Newest { watched, objects: IdMap::new(), stale: None },
        native: Native::default(),
    };
    let outcome = match machine.items() {
        Ok(()) => Outcome::Exit(0),
        Err(Stop::Raise(exn)) => outcome(machine.uncaught(exn)),
        Err(stop) => outcome(stop),
    };
    (outcome, machine.newest.stale)
}

fn outcome(stop: Stop) -> Outcome {
    match stop {
        Stop::Exit(code) => Outcome::Exit(code),
        Stop::Raise(_) => Outcome::Exit(2),
        Stop::Steps => Outcome::StepLimit,
        Stop::Fault(message) => Outcome::Fault(message.into()),
        Stop::Refused(message) => Outcome::Refused(message.into()),
    }
}

impl<P> Machine<'_, P> {
    fn items(&mut self) -> Result<()> {
        self.global_functions();
        for item in &self.program.items {
            if item.kind.vars().iter().any(|&it| self.is_set(it)) {
                continue;
            }
            match &item.kind {
                ItemKind::Eval(node) => drop(self.root(*node)?),
                ItemKind::Let { var, value } => {
                    let value = self.root(*value)?;
                    self.set_global(*var, value);
                }
                ItemKind::LetRec { vars, values } => {
                    for (&var, &value) in vars.iter().zip(values) {
                        let value = self.root(value)?;
                        self.set_global(var, value);
                    }
                }
            }
        }
        if let Some(finish) = self.program.well_known.finish {
            self.call_global(finish, Value::Unit)?;
        }
        Ok(())
    }

    /// Lambdas that items bind capture nothing: they exist from the start.
    fn global_functions(&mut self) {
        for item in &self.program.items {
            for (&var, root) in item.kind.vars().iter().zip(item.kind.roots()) {
                if let NodeKind::Lambda(lambda) = self.program.nodes[root].kind {
                    let kind = ObjectKind::Closure(lambda);
                    self.set_global(var, Value::object(kind, Vec::new()));
                }
            }
        }
    }

    fn is_set(&self, var: VarId) -> bool {
        !matches!(self.globals[var.index()], Value::Undefined)
    }

    /// What the entry point does with an exception that nothing handled.
    fn uncaught(&mut self, exn: Value) -> Stop {
        self.stack.clear();
        match self.program.well_known.uncaught {
            Some(handler) => match self.call_global(handler, exn) {
                Ok(_) => Stop::Exit(2),
                Err(stop) => stop,
            },
            None => {
                let text = exn_text::exn_text(self.program, &self.layout, &exn);
                let message = [b"Fatal error: exception ".as_slice(), &text, b"\n"].concat();
                self.host.write(2, &message);
                Stop::Exit(2)
            }
        }
    }

    fn root(&mut self, node: NodeId) -> Result<Value> {
        let size = self.frames.roots.get(node).copied().unwrap_or(0);
        self.stack.resize(size, Value::Undefined);
        let value = self.eval(node, 0, Place::Tail)?;
        self.stack.clear();
        Ok(value)
    }

    fn set_global(&mut self, var: VarId, value: Value) {
        self.globals[var.index()] = self.place_for(var, value);
    }

    pub(super) fn eval(&mut self, mut node: NodeId, base: usize, place: Place) -> Result<Value> {
        let program = self.program;
        loop {
            if self.steps_left == 0 {
                return Err(Stop::Steps);
            }
            self.steps_left -= 1;
            match &program.nodes[node].kind {
                NodeKind::Apply { func, args, callee: _ } => {
                    for &arg in args.iter().rev() {
                        let arg = self.eval(arg, base, Place::Inner)?;
                        self.stack.push(arg);
                    }
                    let func = self.eval(*func, base, Place::Inner)?;
                    match self.prepare(func, args.len())? {
                        Ready::Value(value) => return Ok(value),
                        Ready::Call(closure, lambda) if place == Place::Tail => {
                            let args = self.stack.len() - program.lambdas[lambda].params.len();
                            self.stack.drain(base..args);
                            self.open_frame(&closure, lambda, base);
                            node = program.lambdas[lambda].body;
                        }
                        Ready::Call(closure, lambda) => return self.enter(&closure, lambda),
                    }
                }
                NodeKind::Let { var, value, body } => {
                    let value = self.eval(*value, base, Place::Inner)?;
                    self.bind(*var, base, value);
                    node = *body;
                }
                NodeKind::LetRec { vars, values, body } => {
                    self.let_rec(vars, values, base)?;
                    node = *body;
                }
                NodeKind::Seq(items) => {
                    let Some((last, first)) = items.split_last() else {
                        return fault("an empty sequence");
                    };
                    for &item in first {
                        self.eval(item, base, Place::Inner)?;
                    }
                    node = *last;
                }
                NodeKind::If { cond, then, otherwise } => {
                    let cond = self.eval(*cond, base, Place::Inner)?.as_bool()?;
                    node = if cond { *then } else { *otherwise };
                }
                NodeKind::Switch { value, cases, default } => {
                    let value = self.eval(*value, base, Place::Inner)?;
                    node = select(&self.layout, &value, cases, *default)?;
                }
                NodeKind::Try { body, var, handler } => {
                    let mark = self.stack.len();
                    match self.eval(*body, base, Place::Inner) {
                        Err(Stop::Raise(exn)) => {
                            self.stack.truncate(mark);
                            self.bind(*var, base, exn);
                            node = *handler;
                        }
                        other => return other,
                    }
                }
                NodeKind::Join { rest, .. } => node = *rest,
                NodeKind::Jump { join, args } => {
                    let values = self.operands(args, base)?;
                    for (&param, value) in program.joins[*join].params.iter().zip(values) {
                        self.bind(param, base, value);
                    }
                    let Some(&body) = self.frames.joins.get(*join) else {
                        return fault(format!("{node}: a jump to nowhere"));
                    };
                    node = body;
                }
                _ => return self.leaf(node, base),
            }
        }
    }

    /// The value of a node in whose place nothing else is evaluated.
    fn leaf(&mut self, node: NodeId, base: usize) -> Result<Value> {
        let program = self.program;
        match &program.nodes[node].kind {
            NodeKind::Const(value) => Ok(self.constant(value)),
            NodeKind::Var { var, .. } => self.read(node, *var, base),
            NodeKind::Lambda(lambda) => Ok(self.closure(*lambda, base)),
            NodeKind::Prim { prim: Prim::Send { label, .. }, args } => {
                self.send(*label, args, base)
            }
            NodeKind::Prim { prim: Prim::Default, .. } => {
                let ty = program.nodes[node].ty;
                default::value(program, ty)
            }
            NodeKind::Prim { prim, args } => self.apply_prim(*prim, args, base),
            NodeKind::Assign { var, value } => {
                let value = self.eval(*value, base, Place::Inner)?;
                self.assign(node, *var, base, value)
            }
            NodeKind::While { cond, body } => {
                while self.eval(*cond, base, Place::Inner)?.as_bool()? {
                    self.eval(*body, base, Place::Inner)?;
                }
                Ok(Value::Unit)
            }
            NodeKind::For { var, from, to, down, body } => {
                let from = self.eval(*from, base, Place::Inner)?;
                let to = self.eval(*to, base, Place::Inner)?;
                self.for_loop(*var, (from, to, *down), *body, base)
            }
            NodeKind::Tuple(items) => {
                Ok(Value::object(ObjectKind::Tuple, self.operands(items, base)?))
            }
            NodeKind::Array(items) => self.array(node, items, base),
            NodeKind::Record(items) => {
                let fields = self.operands(items, base)?;
                let kind = ObjectKind::Data { data: self.data_of(node)?, ctor: 0 };
                Ok(Value::object(kind, fields))
            }
            NodeKind::Construct { ctor, args } => self.construct(node, *ctor, args, base),
            NodeKind::MakeExn { exn, args } => {
                let fields = self.operands(args, base)?;
                Ok(self.exception(*exn, fields))
            }
            NodeKind::TupleGet { tuple, index } => {
                let tuple = self.eval(*tuple, base, Place::Inner)?;
                tuple.field(ObjectKind::Tuple, *index)
            }
            NodeKind::Field { object, ctor, index } => {
                let object = self.eval(*object, base, Place::Inner)?;
                object.field(object.data_kind(&self.layout, *ctor)?, *index)
            }
            NodeKind::ExnField { object, exn, index } => {
                let object = self.eval(*object, base, Place::Inner)?;
                object.field(ObjectKind::Exn(*exn), *index)
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let value = self.eval(*value, base, Place::Inner)?;
                let object = self.eval(*object, base, Place::Inner)?;
                object.set_field(object.data_kind(&self.layout, *ctor)?, *index, value)?;
                Ok(Value::Unit)
            }
            NodeKind::Raise(value) => Err(Stop::Raise(self.eval(*value, base, Place::Inner)?)),
            NodeKind::Apply { .. }
            | NodeKind::Let { .. }
            | NodeKind::LetRec { .. }
            | NodeKind::Seq(_)
            | NodeKind::If { .. }
            | NodeKind::Switch { .. }
            | NodeKind::Try { .. }
            | NodeKind::Join { .. }
            | NodeKind::Jump { .. } => fault(format!("{node}: evaluated by its caller")),
        }
    }

    fn closure(&mut self, lambda: LambdaId, base: usize) -> Value {
        let captured = self.captured(lambda, base);
        let closure = Value::object(ObjectKind::Closure(lambda), captured);
        if let Value::Object(object) = &closure {
            self.newest.made(lambda, object);
        }
        closure
    }

    fn send(&mut self, label: Symbol, args: &[NodeId], base: usize) -> Result<Value> {
        for &arg in args.iter().rev() {
            let arg = self.eval(arg, base, Place::Inner)?;
            self.stack.push(arg);
        }
        let method = self.method(label)?;
        match self.prepare(method, args.len())? {
            Ready::Value(value) => Ok(value),
            Ready::Call(closure, lambda) => self.enter(&closure, lambda),
        }
    }

    fn apply_prim(&mut self, prim: Prim, args: &[NodeId], base: usize) -> Result<Value> {
        match *args {
            [a] => {
                let a = self.eval(a, base, Place::Inner)?;
                self.prim(prim, &[a])
            }
            [a, b] => {
                let b = self.eval(b, base, Place::Inner)?;
                let a = self.eval(a, base, Place::Inner)?;
                self.prim(prim, &[a, b])
            }
            _ => {
                let args = self.operands(args, base)?;
                self.prim(prim, &args)
            }
        }
    }

    fn array(&mut self, node: NodeId, items: &[NodeId], base: usize) -> Result<Value> {
        if !items.is_empty() {
            return Ok(Value::object(ObjectKind::Array, self.operands(items, base)?));
        }
        let file = self.program.nodes[node].span.file;
        let make = || Value::object(ObjectKind::Array, Vec::new());
        Ok(self.empty_arrays.entry_or_insert_with(file, make).clone())
    }

    fn construct(
        &mut self,
        node: NodeId,
        ctor: u32,
        args: &[NodeId],
        base: usize,
    ) -> Result<Value> {
        let data = self.data_of(node)?;
        let ctor = self.layout.same_tag(data, ctor);
        if args.is_empty() {
            return Ok(Value::Constant { data, ctor });
        }
        let fields = self.operands(args, base)?;
        Ok(Value::object(ObjectKind::Data { data, ctor }, fields))
    }

    /// Evaluates from the last to the first.
    fn operands(&mut self, nodes: &[NodeId], base: usize) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(nodes.len());
        for &node in nodes.iter().rev() {
            values.push(self.eval(node, base, Place::Inner)?);
        }
        values.reverse();
        Ok(values)
    }

    /// What the slot of a variable holds.
    pub(super) fn place_for(&self, var: VarId, value: Value) -> Value {
        if self.program.vars[var].mutable {
            Value::Cell(Rc::new(RefCell::new(value)))
        } else {
            value
        }
    }

    pub(super) fn bind(&mut self, var: VarId, base: usize, value: Value) {
        let slot = base + self.frames.binders[var] as usize;
        self.stack[slot] = self.place_for(var, value);
    }

    fn place(&self, node: NodeId, var: VarId, base: usize) -> &Value {
        match self.frames.mentions[node] {
            NO_SLOT => &self.globals[var.index()],
            slot => &self.stack[base + slot as usize],
        }
    }

    fn read(&self, node: NodeId, var: VarId, base: usize) -> Result<Value> {
        match self.place(node, var, base) {
            Value::Cell(cell) => Ok(cell.borrow().clone()),
            Value::Undefined => {
                fault(format!("`{}` is read before it is set", self.program.vars[var].name))
            }
            value => Ok(value.clone()),
        }
    }

    fn assign(&mut self, node: NodeId, var: VarId, base: usize, value: Value) -> Result<Value> {
        match self.place(node, var, base) {
            Value::Cell(cell) => {
                *cell.borrow_mut() = value;
                Ok(Value::Unit)
            }
            _ => fault(format!("`{}` is not mutable", self.program.vars[var].name)),
        }
    }

    fn for_loop(
        &mut self,
        var: VarId,
        (from, to, down): (Value, Value, bool),
        body: NodeId,
        base: usize,
    ) -> Result<Value> {
        let (width, mut at) = from.as_any_int()?;
        let (_, end) = to.as_any_int()?;
        if if down { at < end } else { at > end } {
            return Ok(Value::Unit);
        }
        loop {
            self.bind(var, base, Value::wrap(width, at));
            self.eval(body, base, Place::Inner)?;
            if at == end {
                return Ok(Value::Unit);
            }
            at += if down { -1 } else { 1 };
        }
    }

    fn constant(&mut self, value: &Const) -> Value {
        match value {
            Const::Unit => Value::Unit,
            Const::Bool(value) => Value::Bool(*value),
            Const::Int(width, value) => Value::wrap(*width, *value),
            Const::Float(value) => Value::Float(*value),
            Const::Char(value) => Value::Char(*value),
            Const::String(bytes) => {
                let make = || Value::bytes(&**bytes);
                self.literals.entry(bytes.clone()).or_insert_with(make).clone()
            }
        }
    }

    pub fn exception(&mut self, exn: ExnId, fields: Vec<Value>) -> Value {
        let kind = ObjectKind::Exn(exn);
        if !fields.is_empty() {
            return Value::object(kind, fields);
        }
        self.exceptions.entry_or_insert_with(exn, || Value::object(kind, fields)).clone()
    }

    fn data_of(&self, node: NodeId) -> Result<DataId> {
        match self.program.types.get(self.program.nodes[node].ty) {
            Ty::Data(data, _) => Ok(*data),
            ty => fault(format!("{node}: a record or constructor of type {ty:?}")),
        }
    }
}

fn select(
    layout: &Layout,
    value: &Value,
    cases: &[(Key, NodeId)],
    default: Option<NodeId>,
) -> Result<NodeId> {
    let matches = |key: &Key| match (key, value) {
        (Key::Ctor(key), Value::Constant { data, ctor }) => layout.same_tag(*data, *key) == *ctor,
        (Key::Ctor(key), Value::Object(object)) => {
            matches!(object.kind, ObjectKind::Data { data, ctor } if ctor == layout.same_tag(data, *key))
        }
        (Key::Int(_, key), Value::Int(value) | Value::Int64(value) | Value::Sized(_, value)) => {
            key == value
        }
        (Key::Int(_, key), Value::Int32(value)) => *key == i64::from(*value),
        (Key::Char(key), Value::Char(value)) => key == value,
        (Key::String(key), Value::Bytes(value)) => **key == **value.borrow(),
        (Key::Exn(key), Value::Object(object)) => object.kind == ObjectKind::Exn(*key),
        (Key::Ctor(_) | Key::Int(..) | Key::Char(_) | Key::String(_) | Key::Exn(_), _) => false,
    };
    match cases.iter().find(|(key, _)| matches(key)).map(|it| it.1).or(default) {
        Some(node) => Ok(node),
        None => fault(format!("a switch without a case for {}", value.describe())),
    }
}
