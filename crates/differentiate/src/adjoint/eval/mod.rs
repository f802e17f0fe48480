//! Reads a function as code without calls: known functions are put in their places, tail
//! recursion and `for` become loops, local references become values, tuples and records their parts.
//!
//! ```text
//! let rec go n x = if n = 0 then x else go (n - 1) (f x)        loop (n, x) …
//! let s = ref 0.0 in for … do s := !s +. a.(i) done              loop (s) … : the sum is a parameter
//! ```
//!
//! A function whose calls of itself are no loop is read again as a function of its own (`recursion`).
//! Everything that does not fit (handlers of exceptions, functions chosen at
//! run time that get numbers of the derivative) stops the reading, and the operator uses the tape.

use std::rc::Rc;

use oxbow_base::{IdMap, IdSet, IdVec};
use oxbow_psg::{
    Const, DataKind, IntWidth, JoinId, Key, LambdaId, Mono, NodeId, NodeKind, Program, Ty, TyId,
    VarId,
};

use super::ir::{BlockId, Code, Def, End, Op, Stmt, Test, ValueId};
use super::reason::Reason;

mod calls;
mod control;
mod parts;
mod recursion;
mod value;

use value::{Env, Val};

/// Reading takes at most this many steps: code that is put in many places grows.
const FUEL: u32 = 60_000;

/// Why reading ends early.
#[derive(Debug)]
pub enum Stop {
    /// The code is not of the kind that can be turned round.
    Unfit(Reason),
    /// The block has ended: it raises, or goes on with its loop.
    Left,
    /// The function is no loop: read it as one that calls itself.
    Recursion(LambdaId),
    /// It changes references outside, which calls must hand on.
    Stateful(LambdaId),
}

type Eval<T> = Result<T, Stop>;

/// What the program shows of its functions.
pub struct Known {
    /// Variables that are bound to lambdas.
    pub lambdas: IdMap<VarId, LambdaId>,
    /// Lambdas of recursive bindings.
    pub grouped: IdSet<LambdaId>,
    /// Those of them that can come to themselves again.
    pub recursive: IdSet<LambdaId>,
    /// Global integers.
    pub integers: IdMap<VarId, i64>,
    /// The function whose calls are products of matrices; none if its loops are read.
    pub add_product: Option<LambdaId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    Function(LambdaId),
    Join(JoinId),
    /// `while` and `for`.
    Other,
}

struct Running {
    head: Head,
    own: Env,
    args: Vec<Val>,
    /// How many cells exist outside.
    cells: usize,
    /// What the loop yields: the value and the cells.
    exit: Option<(Val, Vec<Val>)>,
    state: Vec<Val>,
    /// Its value is that of the loop around.
    tail: bool,
    /// It ends by the next round of that loop: what it yields are the arguments.
    outward: Option<(Head, Env)>,
}

#[derive(Clone)]
struct Target {
    params: Vec<VarId>,
    body: NodeId,
    env: Env,
    /// That of the closure, which tells calls of itself from those of another closure of the same code.
    own: Env,
    recursive: bool,
}

pub struct Reader<'a> {
    program: &'a Program<Mono>,
    known: &'a Known,
    pub code: Code,
    outer: IdMap<VarId, ValueId>,
    current: BlockId,
    cells: Vec<Val>,
    loops: Vec<Running>,
    /// Functions that are read as recursion, and those of them that hand on references.
    functions: IdSet<LambdaId>,
    stateful: IdSet<LambdaId>,
    open: Vec<recursion::Open>,
    /// Where the loop that has just been read goes on.
    outward: Option<(Head, Env)>,
    joins: IdMap<JoinId, Target>,
    fuel: u32,
    /// Types of the program that are asked for.
    int: TyId,
    unit: TyId,
}

/// Reads `func` applied to one argument, with these types of argument and result.
pub fn read(
    program: &Program<Mono>,
    known: &Known,
    func: NodeId,
    input: TyId,
    result: TyId,
) -> Result<Code, Reason> {
    let (mut functions, mut stateful) = (IdSet::new(), IdSet::new());
    loop {
        let marks = (functions.clone(), stateful.clone());
        let marked = match read_once(program, known, func, (input, result), marks) {
            Ok(code) => return Ok(code),
            Err(Stop::Left) => return Err(Reason::NeverReturns),
            Err(Stop::Unfit(why)) => return Err(why),
            Err(Stop::Recursion(lambda)) => functions.insert(lambda),
            Err(Stop::Stateful(lambda)) => stateful.insert(lambda),
        };
        if !marked {
            return Err(Reason::NoLoop);
        }
    }
}

fn read_once(
    program: &Program<Mono>,
    known: &Known,
    func: NodeId,
    (input, result): (TyId, TyId),
    (functions, stateful): (IdSet<LambdaId>, IdSet<LambdaId>),
) -> Eval<Code> {
    let mut code = Code {
        values: IdVec::new(),
        blocks: IdVec::new(),
        input: oxbow_base::Id::from_index(0),
        root: oxbow_base::Id::from_index(0),
    };
    code.root = code.new_block();
    code.input = code.value(input, Def::Param, code.root);
    let mut reader = Reader {
        program,
        known,
        outer: IdMap::new(),
        current: code.root,
        cells: Vec::new(),
        loops: Vec::new(),
        functions,
        stateful,
        open: Vec::new(),
        outward: None,
        joins: IdMap::new(),
        fuel: FUEL,
        int: program.types.int,
        unit: program.types.unit,
        code,
    };
    let input = Val::Dyn(reader.code.input);
    let read = |reader: &mut Reader<'_>| {
        let func = reader.eval(func, &Env::default(), false)?;
        reader.apply(func, vec![input], false)
    };
    match read(&mut reader)? {
        Val::Dyn(value) if reader.code.ty(value) == result => {
            let block = reader.current;
            reader.code.blocks[block].end = End::Yield(vec![value]);
            Ok(reader.code)
        }
        _ => Err(Stop::Unfit(Reason::NoNumber)),
    }
}

impl Reader<'_> {
    fn constant(&mut self, value: Const, ty: TyId) -> Val {
        if value == Const::Unit {
            return Val::Unit;
        }
        let root = self.code.root;
        Val::Dyn(self.code.value(ty, Def::Const(value), root))
    }

    fn emit(&mut self, op: Op, args: Vec<ValueId>, ty: TyId) -> Val {
        let result = self.code.value(ty, Def::Result, self.current);
        let block = self.current;
        self.code.blocks[block].stmts.push(Stmt::Op { result, op, args });
        if ty == self.unit { Val::Unit } else { Val::Dyn(result) }
    }

    /// A value as an object of the program.
    fn object(&mut self, val: &Val, ty: TyId) -> Eval<ValueId> {
        match val {
            Val::Dyn(value) => Ok(*value),
            Val::Unit => {
                let root = self.code.root;
                Ok(self.code.value(ty, Def::Const(Const::Unit), root))
            }
            Val::Tuple(items) => {
                let Ty::Tuple(tys) = self.program.types.get(ty).clone() else {
                    return Err(Stop::Unfit(Reason::OtherTuple));
                };
                let items = Rc::clone(items);
                let mut args = Vec::new();
                for (item, ty) in items.iter().zip(tys) {
                    args.push(self.object(item, ty)?);
                }
                match self.emit(Op::Tuple, args, ty) {
                    Val::Dyn(value) => Ok(value),
                    _ => Err(Stop::Unfit(Reason::NoParts)),
                }
            }
            Val::Closure { lambda, .. } => {
                let captures = &self.program.lambdas[*lambda].captures;
                if !captures.is_empty() {
                    return Err(Stop::Unfit(Reason::StoredClosure));
                }
                match self.emit(Op::Function(*lambda), Vec::new(), ty) {
                    Val::Dyn(value) => Ok(value),
                    _ => Err(Stop::Unfit(Reason::NoParts)),
                }
            }
            Val::Data { ty, ctor, fields } => {
                let (ty, ctor, fields) = (*ty, *ctor, Rc::clone(fields));
                let mut args = Vec::new();
                for field in fields.iter() {
                    match field {
                        Val::Dyn(value) => args.push(*value),
                        Val::Data { ty, .. } => {
                            let ty = *ty;
                            args.push(self.object(field, ty)?);
                        }
                        _ => {
                            return Err(Stop::Unfit(Reason::PassedData));
                        }
                    }
                }
                let is_record = match *self.program.types.get(ty) {
                    Ty::Data(data, _) => {
                        matches!(self.program.types.datas[data].kind, DataKind::Record(_))
                    }
                    _ => false,
                };
                let op = if is_record { Op::Record } else { Op::Construct(ctor) };
                match self.emit(op, args, ty) {
                    Val::Dyn(value) => Ok(value),
                    _ => Err(Stop::Unfit(Reason::NoParts)),
                }
            }
            Val::Object { .. } | Val::Cell(_) | Val::Partial { .. } => {
                Err(Stop::Unfit(Reason::StoredReference))
            }
        }
    }

    fn eval_object(&mut self, node: NodeId, env: &Env) -> Eval<ValueId> {
        let val = self.eval(node, env, false)?;
        self.object(&val, self.program.ty(node))
    }

    /// From the last to the first, as they are evaluated.
    fn eval_all(&mut self, nodes: &[NodeId], env: &Env) -> Eval<Vec<Val>> {
        let mut vals = Vec::new();
        for &node in nodes.iter().rev() {
            vals.push(self.eval(node, env, false)?);
        }
        vals.reverse();
        Ok(vals)
    }

    fn eval_objects(&mut self, nodes: &[NodeId], env: &Env) -> Eval<Vec<ValueId>> {
        let vals = self.eval_all(nodes, env)?;
        let mut args = Vec::new();
        for (val, &node) in vals.iter().zip(nodes) {
            args.push(self.object(val, self.program.ty(node))?);
        }
        Ok(args)
    }

    fn var(&mut self, var: VarId, env: &Env) -> Eval<Val> {
        let data = &self.program.vars[var];
        if let Some(val) = env.get(var) {
            return Ok(match val {
                Val::Cell(cell) => self.cells[*cell].clone(),
                val => val.clone(),
            });
        }
        if let Some(&lambda) = self.known.lambdas.get(var) {
            return Ok(Val::Closure { lambda, env: Env::default() });
        }
        if data.mutable {
            let ty = data.ty;
            return Ok(self.emit(Op::ReadVar(var), Vec::new(), ty));
        }
        if data.ty == self.unit {
            return Ok(Val::Unit);
        }
        if let Some(&value) = self.known.integers.get(var) {
            let ty = data.ty;
            return Ok(self.constant(Const::Int(IntWidth::I63, value), ty));
        }
        if let Some(&value) = self.outer.get(var) {
            return Ok(Val::Dyn(value));
        }
        let root = self.code.root;
        let value = self.code.value(data.ty, Def::Outer(var), root);
        self.outer.insert(var, value);
        Ok(Val::Dyn(value))
    }

    /// `tail`: the node's value is that of the innermost loop's body.
    fn eval(&mut self, node: NodeId, env: &Env, tail: bool) -> Eval<Val> {
        let program = self.program;
        let (mut node, mut env) = (node, env.clone());
        loop {
            self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Unfit(Reason::TooLarge))?;
            let ty = program.ty(node);
            match &program.nodes[node].kind {
                NodeKind::Const(value) => return Ok(self.constant(value.clone(), ty)),
                NodeKind::Var { var, .. } => return self.var(*var, &env),
                NodeKind::Lambda(lambda) => return Ok(Val::Closure { lambda: *lambda, env }),
                NodeKind::Let { var, value, body } => {
                    let mut val = self.eval(*value, &env, false)?;
                    if program.vars[*var].mutable {
                        self.cells.push(val);
                        val = Val::Cell(self.cells.len() - 1);
                    }
                    env = env.with(*var, val);
                    node = *body;
                }
                NodeKind::LetRec { vars, values, body } => {
                    env = self.recursive(vars, values, &env);
                    node = *body;
                }
                NodeKind::Seq(items) => {
                    let Some((&last, first)) = items.split_last() else {
                        oxbow_diag::ice!("a sequence of nothing")
                    };
                    for &item in first {
                        self.eval(item, &env, false)?;
                    }
                    node = last;
                }
                NodeKind::Assign { var, value } => {
                    return self.assign(*var, *value, ty, &env);
                }
                NodeKind::Apply { func, args, .. } => {
                    let args = self.eval_all(args, &env)?;
                    let func_ty = program.ty(*func);
                    let func = self.eval(*func, &env, false)?;
                    return self.call(func, args, func_ty, tail);
                }
                NodeKind::Prim { prim, args } => return self.prim(*prim, args, ty, &env),
                NodeKind::If { cond, then, otherwise } => {
                    let cond = self.eval_object(*cond, &env)?;
                    if let Def::Const(Const::Bool(taken)) = self.code.values[cond].def {
                        node = if taken { *then } else { *otherwise };
                        continue;
                    }
                    return self.branch(Test::If(cond), &[*then, *otherwise], &env, tail);
                }
                NodeKind::Switch { value, cases, default } => {
                    let scrutinee = self.eval(*value, &env, false)?;
                    if let Val::Data { ctor, .. } = scrutinee {
                        node = case_of(ctor, cases, *default)?;
                        continue;
                    }
                    let value = self.object(&scrutinee, program.ty(*value))?;
                    let keys = cases.iter().map(|it| it.0.clone()).collect();
                    let arms: Vec<NodeId> = cases.iter().map(|it| it.1).chain(*default).collect();
                    return self.branch(Test::Switch { value, keys }, &arms, &env, tail);
                }
                NodeKind::While { cond, body } => return self.while_loop(*cond, *body, &env),
                NodeKind::For { var, from, to, down, body } => {
                    let from = self.eval_object(*from, &env)?;
                    let to = self.eval_object(*to, &env)?;
                    return self.for_loop((*var, from, to, *down), *body, &env);
                }
                NodeKind::Tuple(items) => {
                    return Ok(Val::Tuple(self.eval_all(items, &env)?.into()));
                }
                NodeKind::TupleGet { tuple, index } => {
                    let tuple = self.eval(*tuple, &env, false)?;
                    return self.part(tuple, *index, ty);
                }
                NodeKind::Record(items) => {
                    let fields = self.eval_all(items, &env)?;
                    return Ok(self.construct(ty, 0, fields));
                }
                NodeKind::Construct { ctor, args } => {
                    let fields = self.eval_all(args, &env)?;
                    return Ok(self.construct(ty, *ctor, fields));
                }
                NodeKind::Field { object, ctor, index } => {
                    let of = program.ty(*object);
                    let object = self.eval(*object, &env, false)?;
                    return self.field((object, of), *ctor, *index, ty);
                }
                NodeKind::SetField { object, ctor, index, value } => {
                    let val = (self.eval(*value, &env, false)?, program.ty(*value));
                    let object = self.eval(*object, &env, false)?;
                    return self.set_field(object, *ctor, *index, val);
                }
                NodeKind::Array(items) => {
                    let args = self.eval_objects(items, &env)?;
                    return Ok(self.emit(Op::Array, args, ty));
                }
                NodeKind::MakeExn { exn, args } => {
                    let args = self.eval_objects(args, &env)?;
                    return Ok(self.emit(Op::MakeExn(*exn), args, ty));
                }
                NodeKind::Raise(value) => {
                    let value = self.eval_object(*value, &env)?;
                    let block = self.current;
                    self.code.blocks[block].end = End::Raise(value);
                    return Err(Stop::Left);
                }
                NodeKind::Join { join, body, rest } => {
                    self.bind_join(*join, *body, &env);
                    node = *rest;
                }
                NodeKind::Jump { join, args } => {
                    let args = self.eval_all(args, &env)?;
                    return self.jump(*join, args, tail);
                }
                NodeKind::ExnField { .. } | NodeKind::Try { .. } => {
                    return Err(Stop::Unfit(Reason::Handler));
                }
            }
        }
    }
}

/// The case that a known constructor takes.
fn case_of(ctor: u32, cases: &[(Key, NodeId)], default: Option<NodeId>) -> Eval<NodeId> {
    let case = cases.iter().find(|it| it.0 == Key::Ctor(ctor));
    case.map(|it| it.1).or(default).ok_or(Stop::Unfit(Reason::MissingCase))
}
