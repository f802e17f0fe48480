//! Recursion that is no loop: the function is read once, as a body with parameters, and calls of itself inside stay
//! calls.
//!
//! ```text
//! let rec f n x = if n < 2 then x else f (n - 1) x *. f (n - 2) x
//! v9 = recursion (v3 from v1, v4 from v2) b5        b5: … v6 = recur b5 (v5, v4) …; yield v8
//! ```

use oxbow_psg::{DataKind, Ty, TyId};

use super::super::ir::{BlockId, Def, End, Op, Recursion, Stmt, ValueId};
use super::super::reason::Reason;
use super::value::{Env, Val, leaves, same_form, with_leaves};
use super::{Eval, Head, Reader, Stop, Target};

/// Records in records, to this depth, are taken apart.
const DEEPEST: u32 = 4;

/// A recursive function whose body is being read.
pub struct Open {
    head: Head,
    own: Env,
    body: BlockId,
    args: Vec<Val>,
    /// What it gives, by its type.
    form: Val,
    result: TyId,
    /// The references that exist outside, as they are when it is called.
    state: Vec<Val>,
    /// Whether calls change them.
    threads: bool,
}

impl Reader<'_> {
    /// A call of a function that is one of `functions`.
    pub(super) fn enter(&mut self, head: Head, target: &Target, args: &[Val]) -> Eval<Val> {
        let open = |it: &Open| it.head == head && it.own.is(&target.own);
        match self.open.iter().rposition(open) {
            Some(place) => self.recur(place, args),
            None => self.recursion(head, target, args),
        }
    }

    fn recursion(&mut self, head: Head, target: &Target, args: &[Val]) -> Eval<Val> {
        let result = self.program.ty(target.body);
        let threads = self.is_stateful(head);
        let mut init = Vec::new();
        let state: &[Val] = if threads { &self.cells } else { &[] };
        for val in args.iter().chain(state) {
            leaves(val, &mut init);
        }
        let (block, params) = self.block_for(&init);
        let mut fresh = params.iter().copied();
        let args: Vec<Val> = args.iter().map(|it| with_leaves(it, &mut fresh)).collect();
        let state: Vec<Val> = match threads {
            true => self.cells.iter().map(|it| with_leaves(it, &mut fresh)).collect(),
            false => self.cells.clone(),
        };
        let form = self.form(result, 0)?;
        self.open.push(Open {
            head,
            own: target.own.clone(),
            body: block,
            args: args.clone(),
            form: form.clone(),
            result,
            state: state.clone(),
            threads,
        });
        // Rounds of loops around cannot go on from inside of a call.
        let loops = std::mem::take(&mut self.loops);
        let outside = std::mem::replace(&mut self.current, block);
        self.cells.clone_from(&state);
        let mut env = target.env.clone();
        for (&param, arg) in target.params.iter().zip(args) {
            env = env.with(param, arg);
        }
        let val = match self.eval(target.body, &env, false) {
            Ok(val) => val,
            Err(Stop::Left) => return Err(Stop::Unfit(Reason::RecursionRaises)),
            Err(stop) => return Err(stop),
        };
        let mut yielded = Vec::new();
        self.conform(&val, &form, result, &mut yielded)?;
        self.hand_on(head, threads, &state, &mut yielded)?;
        let end = self.current;
        self.code.blocks[end].end = End::Yield(yielded);
        self.open.pop();
        self.loops = loops;
        self.current = outside;
        self.cells.clone_from(&state);
        let (val, results) = self.outcome(&form, result, threads, state.len());
        let it = Recursion { params, init, body: block, results };
        self.code.blocks[outside].stmts.push(Stmt::Recursion(it));
        Ok(val)
    }

    fn recur(&mut self, place: usize, args: &[Val]) -> Eval<Val> {
        let open = &self.open[place];
        let (head, body, result, threads) = (open.head, open.body, open.result, open.threads);
        let (expected, form, state) = (open.args.clone(), open.form.clone(), open.state.clone());
        let mut values = Vec::new();
        for (arg, expected) in args.iter().zip(&expected) {
            if let (Val::Dyn(value), Val::Data { ty, .. }) = (expected, arg) {
                debug_assert_eq!(
                    self.code.ty(*value),
                    *ty,
                    "arguments have the types of parameters"
                );
                values.push(self.object(arg, *ty)?);
                continue;
            }
            same_form(arg, expected, state.len())
                .then_some(())
                .ok_or(Stop::Unfit(Reason::CallChanges))?;
            leaves(arg, &mut values);
        }
        self.hand_on(head, threads, &state, &mut values)?;
        let (val, results) = self.outcome(&form, result, threads, state.len());
        let block = self.current;
        self.code.blocks[block].stmts.push(Stmt::Recur { body, args: values, results });
        Ok(val)
    }

    fn is_stateful(&self, head: Head) -> bool {
        matches!(head, Head::Function(lambda) if self.stateful.contains(lambda))
    }

    /// The values of the references outside; those that nobody changes are not handed on.
    fn hand_on(
        &mut self,
        head: Head,
        threads: bool,
        state: &[Val],
        values: &mut Vec<ValueId>,
    ) -> Eval<()> {
        for (cell, before) in self.cells[..state.len()].iter().zip(state) {
            if !same_form(cell, before, state.len()) {
                return Err(Stop::Unfit(Reason::CallChanges));
            }
            if threads {
                leaves(cell, values);
                continue;
            }
            let (mut now, mut then) = (Vec::new(), Vec::new());
            leaves(cell, &mut now);
            leaves(before, &mut then);
            if now != then {
                let Head::Function(lambda) = head else {
                    return Err(Stop::Unfit(Reason::CallChanges));
                };
                return Err(Stop::Stateful(lambda));
            }
        }
        Ok(())
    }

    /// Values for what a call gives, in the current block.
    fn outcome(
        &mut self,
        form: &Val,
        ty: TyId,
        threads: bool,
        cells: usize,
    ) -> (Val, Vec<ValueId>) {
        let mut tys = Vec::new();
        self.leaf_types(form, ty, &mut tys);
        if threads {
            let mut values = Vec::new();
            self.cells[..cells].iter().for_each(|it| leaves(it, &mut values));
            tys.extend(values.iter().map(|&it| self.code.ty(it)));
        }
        let block = self.current;
        let results: Vec<ValueId> =
            tys.into_iter().map(|ty| self.code.value(ty, Def::Result, block)).collect();
        let mut fresh = results.iter().copied();
        let val = with_leaves(form, &mut fresh);
        if threads {
            for cell in &mut self.cells[..cells] {
                *cell = with_leaves(cell, &mut fresh);
            }
        }
        (val, results)
    }

    /// The parts that a value of a type is known to have. Leaves are place holders.
    fn form(&self, ty: TyId, depth: u32) -> Eval<Val> {
        let types = &self.program.types;
        let part = |it: TyId| self.form(it, depth + 1);
        Ok(match types.get(ty) {
            Ty::Unit => Val::Unit,
            Ty::Fn(..) => return Err(Stop::Unfit(Reason::GivesFunctions)),
            Ty::Tuple(items) => Val::Tuple(items.iter().map(|&it| part(it)).collect::<Eval<_>>()?),
            Ty::Data(data, _) if depth < DEEPEST => match &types.datas[*data].kind {
                DataKind::Record(fields) if fields.iter().all(|it| !it.mutable) => {
                    let fields = fields.iter().map(|it| part(it.ty)).collect::<Eval<_>>()?;
                    Val::Data { ty, ctor: 0, fields }
                }
                _ => Val::Dyn(self.code.input),
            },
            _ => Val::Dyn(self.code.input),
        })
    }

    fn leaf_types(&self, form: &Val, ty: TyId, out: &mut Vec<TyId>) {
        let types = &self.program.types;
        match (form, types.get(ty)) {
            (Val::Dyn(_), _) => out.push(ty),
            (Val::Tuple(items), Ty::Tuple(tys)) => {
                items.iter().zip(tys).for_each(|(it, &ty)| self.leaf_types(it, ty, out));
            }
            (Val::Data { fields, .. }, Ty::Data(data, _)) => {
                if let DataKind::Record(tys) = &types.datas[*data].kind {
                    fields.iter().zip(tys).for_each(|(it, ty)| self.leaf_types(it, ty.ty, out));
                }
            }
            _ => (),
        }
    }

    /// The leaves of a value in the form that its type says.
    fn conform(&mut self, val: &Val, form: &Val, ty: TyId, out: &mut Vec<ValueId>) -> Eval<()> {
        match (val, form) {
            (Val::Unit, Val::Unit) => Ok(()),
            (_, Val::Dyn(_)) => {
                let value = self.object(val, ty)?;
                out.push(value);
                Ok(())
            }
            (Val::Dyn(value), Val::Tuple(forms)) => {
                let Ty::Tuple(tys) = self.program.types.get(ty).clone() else {
                    return Err(Stop::Unfit(Reason::OtherTuple));
                };
                for (index, (form, ty)) in forms.iter().zip(tys).enumerate() {
                    let part = self.emit(Op::TupleGet(index as u32), vec![*value], ty);
                    self.conform(&part, form, ty, out)?;
                }
                Ok(())
            }
            (Val::Tuple(items), Val::Tuple(forms)) => {
                let Ty::Tuple(tys) = self.program.types.get(ty).clone() else {
                    return Err(Stop::Unfit(Reason::OtherTuple));
                };
                for ((item, form), ty) in items.clone().iter().zip(forms.iter()).zip(tys) {
                    self.conform(item, form, ty, out)?;
                }
                Ok(())
            }
            (Val::Dyn(_) | Val::Data { .. }, Val::Data { fields: forms, .. }) => {
                let Ty::Data(data, _) = *self.program.types.get(ty) else {
                    return Err(Stop::Unfit(Reason::OtherRecord));
                };
                let DataKind::Record(tys) = &self.program.types.datas[data].kind else {
                    return Err(Stop::Unfit(Reason::OtherRecord));
                };
                let tys: Vec<TyId> = tys.iter().map(|it| it.ty).collect();
                for (index, (form, ty)) in forms.iter().zip(tys).enumerate() {
                    let part = match val {
                        Val::Data { fields, .. } => fields[index].clone(),
                        Val::Dyn(value) => {
                            let op = Op::Field { ctor: 0, index: index as u32, mutable: false };
                            self.emit(op, vec![*value], ty)
                        }
                        _ => return Err(Stop::Unfit(Reason::CallChanges)),
                    };
                    self.conform(&part, form, ty, out)?;
                }
                Ok(())
            }
            _ => Err(Stop::Unfit(Reason::CallChanges)),
        }
    }
}
