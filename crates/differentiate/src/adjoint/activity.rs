//! Which numbers depend on the input, and which arrays hold such numbers.
//!
//! Arrays that may be one object (they meet in a branch or a loop) form a class. Each array with numbers
//! of the derivative gets a shadow of the same length that follows it through branches and loops: there the
//! reverse sweep adds up the adjoints of its items.

use oxbow_base::{IdMap, IdSet, IdVec};
use oxbow_psg::{FloatOp, Prim, Ty, TypeTable};

use super::super::constrain::differentiable;
use super::ir::{BlockId, Code, Def, End, Op, Recursion, Stmt, ValueId};
use super::prune::{continues, has_effect, yields};
use super::reason::Reason;
use super::shadows;
use super::useful;

pub struct Activity {
    /// Numbers that depend on the input, and the result on them.
    pub floats: IdSet<ValueId>,
    /// Arrays with such numbers: their shadows.
    pub shadows: IdMap<ValueId, ValueId>,
    /// Shadows that the forward sweep does not pass on: they are made in the reverse sweep.
    pub late: IdSet<ValueId>,
    /// The body of the innermost loop around, or the root. In recursive functions an arm is a frame of its own, since
    /// calls take different paths.
    pub frame: IdVec<BlockId, BlockId>,
    /// Arrays whose items can be read again in the reverse sweep.
    pub stable: IdSet<ValueId>,
    /// Objects of the program around may change.
    pub writes_outside: bool,
    /// The function changes its input.
    pub writes_input: bool,
}

/// A class of arrays: its representative, or all that are known outside.
pub struct Classes {
    parent: IdVec<ValueId, ValueId>,
    outside: IdSet<ValueId>,
    active: IdSet<ValueId>,
}

impl Classes {
    fn find(&self, mut value: ValueId) -> ValueId {
        while self.parent[value] != value {
            value = self.parent[value];
        }
        value
    }

    fn union(&mut self, a: ValueId, b: ValueId) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        self.parent[a] = b;
        if self.outside.contains(a) {
            self.outside.insert(b);
        }
        if self.active.contains(a) {
            self.active.insert(b);
        }
        true
    }

    fn is_outside(&self, value: ValueId) -> bool {
        self.outside.contains(self.find(value))
    }

    fn put_outside(&mut self, value: ValueId) -> bool {
        let class = self.find(value);
        self.outside.insert(class)
    }

    pub fn is_active(&self, value: ValueId) -> bool {
        self.active.contains(self.find(value))
    }

    fn activate(&mut self, value: ValueId) -> bool {
        let class = self.find(value);
        self.active.insert(class)
    }
}

struct Finder<'a> {
    code: &'a Code,
    types: &'a TypeTable,
    floats: IdSet<ValueId>,
    classes: Classes,
    changed: bool,
}

pub fn analyze(code: &mut Code, types: &mut TypeTable) -> Result<Activity, Reason> {
    let (parent, frame) = nesting(code);
    let mut finder = Finder {
        code,
        types,
        floats: IdSet::new(),
        classes: Classes {
            parent: code.values.ids().collect(),
            outside: IdSet::new(),
            active: IdSet::new(),
        },
        changed: true,
    };
    finder.classes.activate(code.input);
    for (value, data) in code.values.iter() {
        if matches!(data.def, Def::Outer(_)) && finder.is_array(value) {
            finder.classes.put_outside(value);
        }
    }
    while std::mem::take(&mut finder.changed) {
        finder.round();
    }
    finder.check()?;
    let Finder { floats, classes, .. } = finder;
    let useful = useful::find(code);
    let floats = floats.iter().filter(|&it| useful.contains(it)).collect();
    let writes_outside = writes_outside(code, types, &classes);
    let writes = written_classes(code);
    let is_written =
        |value: ValueId| writes.iter().any(|&it| classes.find(it) == classes.find(value));
    let writes_input = is_written(code.input);
    let mut stable = IdSet::new();
    let position = Positions { code, parent: &parent };
    for (value, _) in code.values.iter() {
        let is_array = matches!(types.get(code.ty(value)), Ty::Array(_));
        if !is_array {
            continue;
        }
        let is_input = classes.find(value) == classes.find(code.input);
        let fixed = if classes.is_outside(value) {
            !writes_outside
        } else if is_input {
            !writes_input
        } else {
            !is_written(value) || position.filled_before_read(value, &classes)
        };
        if fixed {
            stable.insert(value);
        }
    }
    let shadows = shadows::add(code, types, &classes);
    let late = shadows::not_passed_on(code, &shadows);
    Ok(Activity { floats, shadows, late, frame, stable, writes_outside, writes_input })
}

/// Whether the arms of branches share the frame around.
#[derive(Clone, Copy)]
enum Arms {
    InFrame,
    Frames,
}

type Nesting = (IdVec<BlockId, Option<BlockId>>, IdVec<BlockId, BlockId>);

fn nesting(code: &Code) -> Nesting {
    let mut parent: IdVec<BlockId, Option<BlockId>> = code.blocks.ids().map(|_| None).collect();
    let mut frame: IdVec<BlockId, BlockId> = code.blocks.ids().map(|_| code.root).collect();
    let mut work = vec![(code.root, code.root, Arms::InFrame)];
    while let Some((block, own, kind)) = work.pop() {
        frame[block] = own;
        let mut inside = Vec::new();
        for stmt in &code.blocks[block].stmts {
            match stmt {
                Stmt::Branch { arms, .. } => inside.extend(arms.iter().map(|&it| match kind {
                    Arms::InFrame => (it, own, kind),
                    Arms::Frames => (it, it, kind),
                })),
                Stmt::Guard { arms, .. } => {
                    inside.extend(arms.iter().flatten().map(|&it| (it, own, kind)));
                }
                Stmt::Loop(it) => inside.push((it.body, it.body, Arms::InFrame)),
                Stmt::Recursion(it) => inside.push((it.body, it.body, Arms::Frames)),
                Stmt::Op { .. } | Stmt::Recur { .. } => (),
            }
        }
        if let End::Branch { arms, .. } = &code.blocks[block].end {
            inside.extend(arms.iter().map(|&it| (it, own, kind)));
        }
        for &(it, ..) in &inside {
            parent[it] = Some(block);
        }
        work.extend(inside);
    }
    (parent, frame)
}

impl Finder<'_> {
    fn is_array(&self, value: ValueId) -> bool {
        matches!(self.types.get(self.code.ty(value)), Ty::Array(_))
    }

    fn is_float(&self, value: ValueId) -> bool {
        self.code.ty(value) == self.types.float
    }

    fn activate(&mut self, value: ValueId) {
        if self.is_float(value) {
            self.changed |= self.floats.insert(value);
        }
    }

    /// One value becomes another one.
    fn flow(&mut self, from: ValueId, to: ValueId) {
        if self.is_array(from) {
            self.changed |= self.classes.union(from, to);
        } else if self.floats.contains(from) {
            self.activate(to);
        }
    }

    fn round(&mut self) {
        let code = self.code;
        for block in code.blocks.values() {
            for stmt in &block.stmts {
                match stmt {
                    Stmt::Op { result, op, args } => self.op(*result, op, args),
                    Stmt::Guard { .. } => (),
                    Stmt::Branch { arms, results, .. } => {
                        for values in arms.iter().flat_map(|&it| yields(code, it)) {
                            for (&from, &to) in values.iter().zip(results) {
                                self.flow(from, to);
                            }
                        }
                    }
                    Stmt::Loop(it) => {
                        for values in std::iter::once(&it.init).chain(continues(code, it.body)) {
                            for (&from, &to) in values.iter().zip(&it.params) {
                                self.flow(from, to);
                            }
                        }
                        let exits = match it.counted {
                            Some(_) => vec![&it.params],
                            None => yields(code, it.body),
                        };
                        for values in exits {
                            for (&from, &to) in values.iter().zip(&it.results) {
                                self.flow(from, to);
                            }
                        }
                    }
                    Stmt::Recursion(it) => self.recursion(it),
                    // With the statement of its function.
                    Stmt::Recur { .. } => (),
                }
            }
        }
    }

    fn recursion(&mut self, it: &Recursion) {
        let code = self.code;
        let calls = code.recurs(it.body);
        let given = std::iter::once(it.init.as_slice()).chain(calls.iter().map(|it| it.0));
        for values in given {
            for (&from, &to) in values.iter().zip(&it.params) {
                self.flow(from, to);
            }
        }
        let found = std::iter::once(it.results.as_slice()).chain(calls.iter().map(|it| it.1));
        for results in found {
            for values in yields(code, it.body) {
                for (&from, &to) in values.iter().zip(results) {
                    self.flow(from, to);
                }
            }
        }
    }

    fn op(&mut self, result: ValueId, op: &Op, args: &[ValueId]) {
        let holds = |it: &Self, value: ValueId| it.floats.contains(value);
        match op {
            Op::Prim(Prim::ArrayGet) if self.is_float(result) => {
                if self.classes.is_active(args[0]) {
                    self.activate(result);
                }
            }
            Op::Prim(Prim::ArraySet) if self.is_float(args[2]) => {
                if holds(self, args[2]) {
                    self.changed |= self.classes.activate(args[0]);
                }
            }
            Op::Prim(Prim::ArrayMake) if self.is_float(args[1]) => {
                if holds(self, args[1]) {
                    self.changed |= self.classes.activate(result);
                }
            }
            Op::Array if args.iter().all(|&it| self.is_float(it)) => {
                if args.iter().any(|&it| holds(self, it)) {
                    self.changed |= self.classes.activate(result);
                }
            }
            Op::Prim(Prim::ArrayBlit) => {
                if self.classes.is_active(args[0]) {
                    self.changed |= self.classes.activate(args[2]);
                }
            }
            Op::AddProduct => {
                if self.classes.is_active(args[1]) || self.classes.is_active(args[2]) {
                    self.changed |= self.classes.activate(args[0]);
                }
            }
            Op::Prim(Prim::ArrayLength | Prim::ArrayUninit) => (),
            Op::Prim(prim) if !differentiable(*prim).is_empty() => {
                if differentiable(*prim).iter().any(|&it| holds(self, args[it])) {
                    self.activate(result);
                }
            }
            // Arrays in objects, and those that unknown code sees.
            _ => {
                for &value in args.iter().chain([&result]) {
                    if self.is_array(value) {
                        self.changed |= self.classes.put_outside(value);
                    }
                }
            }
        }
    }

    fn check(&self) -> Result<(), Reason> {
        for value in self.code.values.ids() {
            if self.is_array(value)
                && self.classes.is_outside(value)
                && self.classes.is_active(value)
            {
                return Err(Reason::NumbersInData);
            }
        }
        for block in self.code.blocks.values() {
            let raises = matches!(block.end, End::Raise(_));
            for stmt in &block.stmts {
                if let Stmt::Op { op, args, .. } = stmt
                    && args.iter().any(|&it| self.floats.contains(it))
                    && !(raises && matches!(op, Op::MakeExn(_)))
                    && !self.takes_numbers(op, args)
                {
                    return Err(Reason::NumbersStored);
                }
            }
        }
        Ok(())
    }

    /// Whether the derivatives of operands are known to be used or without meaning.
    fn takes_numbers(&self, op: &Op, args: &[ValueId]) -> bool {
        match op {
            Op::Prim(Prim::AdAttach) => !self.floats.contains(args[0]),
            Op::Prim(prim) => matches!(
                prim,
                Prim::Float(_)
                    | Prim::Order(_)
                    | Prim::FloatToInt(_)
                    | Prim::FloatBits
                    | Prim::FloatBits32
                    | Prim::FloatLdexp
                    | Prim::FloatFrexpMantissa
                    | Prim::FloatFrexpExponent
                    | Prim::FormatFloat
                    | Prim::FloatDigits
                    | Prim::FloatDigits32
                    | Prim::HashMixFloat
                    | Prim::ArraySet
                    | Prim::ArrayMake
                    | Prim::AdConstant
                    | Prim::AdIsZero
            ),
            Op::Array => true,
            _ => false,
        }
    }
}

fn writes_outside(code: &Code, types: &TypeTable, classes: &Classes) -> bool {
    code.blocks.values().flat_map(|it| &it.stmts).any(|stmt| {
        let Stmt::Op { op, args, .. } = stmt else { return false };
        match op {
            Op::Prim(Prim::ArraySet) => {
                classes.is_outside(args[0]) || code.ty(args[2]) != types.float
            }
            Op::Prim(Prim::ArrayBlit) => classes.is_outside(args[2]),
            Op::AddProduct => classes.is_outside(args[0]),
            // It tells the runtime where an exception is raised.
            Op::Prim(Prim::BacktraceNote) => false,
            op => has_effect(op),
        }
    })
}

fn written_classes(code: &Code) -> Vec<ValueId> {
    let mut found = Vec::new();
    for stmt in code.blocks.values().flat_map(|it| &it.stmts) {
        match stmt {
            Stmt::Op { op: Op::Prim(Prim::ArraySet) | Op::AddProduct, args, .. } => {
                found.push(args[0]);
            }
            Stmt::Op { op: Op::Prim(Prim::ArrayBlit), args, .. } => found.push(args[2]),
            _ => (),
        }
    }
    found
}

struct Positions<'a> {
    code: &'a Code,
    parent: &'a IdVec<BlockId, Option<BlockId>>,
}

impl Positions<'_> {
    /// The place in `block` of the statement that holds `inner`; none if it is outside.
    fn of(&self, block: BlockId, inner: BlockId, place: usize) -> Option<usize> {
        if inner == block {
            return Some(place);
        }
        let parent = self.parent[inner]?;
        let stmts = &self.code.blocks[parent].stmts;
        let at = stmts.iter().position(|stmt| match stmt {
            Stmt::Branch { arms, .. } => arms.contains(&inner),
            Stmt::Guard { arms, .. } => arms.contains(&Some(inner)),
            Stmt::Loop(it) => it.body == inner,
            Stmt::Recursion(it) => it.body == inner,
            Stmt::Op { .. } | Stmt::Recur { .. } => false,
        });
        self.of(block, parent, at.unwrap_or(stmts.len()))
    }

    /// Whether all items of the array are written before any is read.
    fn filled_before_read(&self, array: ValueId, classes: &Classes) -> bool {
        let class = classes.find(array);
        let is = |value: ValueId| classes.find(value) == class;
        let (mut made, mut written, mut read) = (Vec::new(), Vec::new(), Vec::new());
        for (block, data) in self.code.blocks.iter() {
            for (place, stmt) in data.stmts.iter().enumerate() {
                let Stmt::Op { result, op, args } = stmt else { continue };
                match op {
                    Op::Prim(Prim::ArrayMake | Prim::ArrayUninit) | Op::Array if is(*result) => {
                        made.push((block, place));
                    }
                    Op::Prim(Prim::ArraySet) if is(args[0]) => written.push((block, place)),
                    Op::AddProduct => {
                        if is(args[0]) {
                            written.push((block, place));
                        }
                        if is(args[1]) || is(args[2]) {
                            read.push((block, place));
                        }
                    }
                    Op::Prim(Prim::ArrayBlit) if is(args[2]) => written.push((block, place)),
                    Op::Prim(Prim::ArrayGet) if is(args[0]) => read.push((block, place)),
                    _ => (),
                }
            }
        }
        let Some(&(first, _)) = made.first() else { return false };
        if made.len() > 1 && self.is_handed_on(&is) {
            return false;
        }
        // The innermost block around all of it. An array lives in one run of that block, from where it is made:
        // before it comes to another run it would be handed on by a loop.
        let mut around = Some(first);
        while let Some(block) = around {
            let places = |list: &[(BlockId, usize)]| -> Option<Vec<usize>> {
                list.iter().map(|&(inner, place)| self.of(block, inner, place)).collect()
            };
            if let (Some(_), Some(written), Some(read)) =
                (places(&made), places(&written), places(&read))
            {
                return written.iter().max() < read.iter().min() || read.is_empty();
            }
            // One that is made once is read and written nowhere else.
            around = self.parent[block].filter(|_| made.len() > 1);
        }
        false
    }

    /// Does a loop or a recursive function pass on such a value?
    fn is_handed_on(&self, is: &impl Fn(ValueId) -> bool) -> bool {
        let any = |values: &[ValueId]| values.iter().any(|&it| is(it));
        self.code.blocks.values().flat_map(|it| &it.stmts).any(|stmt| match stmt {
            Stmt::Loop(it) => any(&it.params) || any(&it.init) || any(&it.results),
            Stmt::Recursion(it) => any(&it.params) || any(&it.init) || any(&it.results),
            Stmt::Recur { args, results, .. } => any(args) || any(results),
            Stmt::Op { .. } | Stmt::Branch { .. } | Stmt::Guard { .. } => false,
        })
    }
}

/// Operations that are done again in the reverse sweep instead of keeping their results.
pub fn is_cheap(op: &Op, stable: bool) -> bool {
    match op {
        Op::Prim(Prim::ArrayGet) => stable,
        Op::Prim(Prim::Float(op)) => matches!(
            op,
            FloatOp::Add
                | FloatOp::Sum
                | FloatOp::Sub
                | FloatOp::Mul
                | FloatOp::Neg
                | FloatOp::Abs
                | FloatOp::Fma
        ),
        Op::Prim(
            Prim::Int(..)
            | Prim::Order(_)
            | Prim::IntCast { .. }
            | Prim::IntToFloat(_)
            | Prim::BoolNot
            | Prim::ArrayLength
            | Prim::AdConstant,
        )
        | Op::TupleGet(_)
        | Op::Field { mutable: false, .. } => true,
        _ => false,
    }
}
