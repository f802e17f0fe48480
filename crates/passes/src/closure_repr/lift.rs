//! Turns the captures of lifted lambdas into parameters and moves the lambdas out.
//!
//! What a lifted lambda needs is what it captures itself and what the lifted lambdas
//! it calls need; around a cycle all need the same.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{
    Callee, Capture, CaptureMode, Item, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Repr,
    TyId, Var, VarId, walk,
};

use crate::known_calls;

/// Lifts every nested lambda whose `repr` is `Lifted`.
pub(super) fn run(program: &mut Program<Mono>) {
    let known = known_calls::bound_lambdas(program);
    let lifted = lifted_lambdas(program, &known);
    if lifted.is_empty() {
        return;
    }
    let needs = needs(program, &known, &lifted);
    move_out(program, needs);
}

/// Moves the lambdas that `needs` names to the top level, where what they need are leading parameters.
pub(crate) fn move_out(program: &mut Program<Mono>, needs: IdMap<LambdaId, Vec<Capture>>) {
    let mut pass =
        Lift { program, needs, renamed: IdMap::new(), moved: Vec::new(), items: Vec::new() };
    let items = std::mem::take(&mut pass.program.items);
    for item in items {
        for root in item.kind.roots() {
            pass.rewrite(root);
        }
        let moved = std::mem::take(&mut pass.moved);
        pass.place(item, moved);
    }
    pass.program.items = std::mem::take(&mut pass.items);
}

/// The nested lambdas to lift, each with its variable.
fn lifted_lambdas(
    program: &Program<Mono>,
    known: &IdMap<VarId, LambdaId>,
) -> Vec<(VarId, LambdaId)> {
    let is_lifted = |lambda: LambdaId| program.lambdas[lambda].repr == Repr::Lifted;
    let mut lifted: Vec<(VarId, LambdaId)> = known
        .iter()
        .filter(|&(var, &lambda)| !program.vars[var].global && is_lifted(lambda))
        .map(|(var, &lambda)| (var, lambda))
        .collect();
    // A lambda that reaches a mutable variable stays, and so do those that call it.
    let mut stay: IdSet<LambdaId> = IdSet::new();
    loop {
        let before = lifted.len();
        lifted.retain(|&(_, lambda)| {
            let moves = program.lambdas[lambda].captures.iter().all(|capture| {
                capture.mode == CaptureMode::ByValue
                    && known.get(capture.var).is_none_or(|&it| !stay.contains(it))
            });
            if !moves {
                stay.insert(lambda);
            }
            moves
        });
        if lifted.len() == before {
            return lifted;
        }
    }
}

/// For every lifted lambda the variables it needs from outside.
pub(crate) fn needs(
    program: &Program<Mono>,
    known: &IdMap<VarId, LambdaId>,
    lifted: &[(VarId, LambdaId)],
) -> IdMap<LambdaId, Vec<Capture>> {
    let mut place: IdMap<LambdaId, usize> = IdMap::new();
    for (index, &(_, lambda)) in lifted.iter().enumerate() {
        place.insert(lambda, index);
    }
    let callee = |capture: &Capture| known.get(capture.var).and_then(|&it| place.get(it).copied());
    let graph: Vec<Vec<usize>> = lifted
        .iter()
        .map(|&(_, lambda)| program.lambdas[lambda].captures.iter().filter_map(callee).collect())
        .collect();
    let mut needs: IdMap<LambdaId, Vec<Capture>> = IdMap::new();
    for group in oxbow_base::components(&graph) {
        let (mut all, mut seen) = (Vec::new(), IdSet::new());
        for &member in &group {
            for capture in &program.lambdas[lifted[member].1].captures {
                let inherited: &[Capture] = match callee(capture) {
                    Some(it) => needs.get(lifted[it].1).map_or(&[], |it| it),
                    None => std::slice::from_ref(capture),
                };
                all.extend(inherited.iter().filter(|it| seen.insert(it.var)));
            }
        }
        for &member in &group {
            needs.insert(lifted[member].1, all.clone());
        }
    }
    needs
}

struct Lift<'a> {
    program: &'a mut Program<Mono>,
    needs: IdMap<LambdaId, Vec<Capture>>,
    /// What stands for an outer variable in the lambda that is being rewritten.
    renamed: IdMap<VarId, VarId>,
    /// Bindings taken out of the current item.
    moved: Vec<(VarId, NodeId)>,
    items: Vec<Item>,
}

enum Step {
    Visit(NodeId),
    /// Leaves a lifted lambda: variables get back what stood for them.
    Restore(Vec<(VarId, Option<VarId>)>),
}

impl Lift<'_> {
    /// Rewrites the code below `root` in place.
    fn rewrite(&mut self, root: NodeId) {
        let mut work = vec![Step::Visit(root)];
        while let Some(step) = work.pop() {
            match step {
                Step::Visit(node) => self.visit(node, &mut work),
                Step::Restore(saved) => {
                    for (var, before) in saved.into_iter().rev() {
                        match before {
                            Some(it) => self.renamed.insert(var, it),
                            None => self.renamed.remove(var),
                        };
                    }
                }
            }
        }
    }

    fn visit(&mut self, node: NodeId, work: &mut Vec<Step>) {
        self.move_out(node, work);
        let program = &mut *self.program;
        match &mut program.nodes[node].kind {
            NodeKind::Var { var, .. } | NodeKind::Assign { var, .. } => {
                if let Some(&it) = self.renamed.get(*var) {
                    *var = it;
                }
            }
            &mut NodeKind::Lambda(lambda) => {
                work.push(Step::Visit(program.lambdas[lambda].body));
                return;
            }
            NodeKind::Apply { callee: Callee::Known(lambda), .. } => {
                let lambda = *lambda;
                self.pass_needs(node, lambda);
            }
            _ => (),
        }
        let first = work.len();
        self.program.nodes[node].kind.for_each_child(|it| work.push(Step::Visit(it)));
        work[first..].reverse();
    }

    fn is_moved(&self, value: NodeId) -> Option<LambdaId> {
        match self.program.nodes[value].kind {
            NodeKind::Lambda(lambda) if self.needs.contains(lambda) => Some(lambda),
            _ => None,
        }
    }

    /// Takes lifted bindings off the front of `node`.
    fn move_out(&mut self, node: NodeId, work: &mut Vec<Step>) {
        loop {
            match &self.program.nodes[node].kind {
                &NodeKind::Let { var, value, body } => {
                    let Some(lambda) = self.is_moved(value) else { return };
                    self.open(var, value, lambda, work);
                    self.become_(node, body);
                }
                NodeKind::LetRec { vars, values, body } => {
                    let body = *body;
                    let bindings: Vec<(VarId, NodeId)> =
                        vars.iter().copied().zip(values.iter().copied()).collect();
                    let (gone, kept): (Vec<_>, Vec<_>) =
                        bindings.into_iter().partition(|it| self.is_moved(it.1).is_some());
                    if gone.is_empty() {
                        return;
                    }
                    for (var, value) in gone {
                        if let Some(lambda) = self.is_moved(value) {
                            self.open(var, value, lambda, work);
                        }
                    }
                    if kept.is_empty() {
                        self.become_(node, body);
                        continue;
                    }
                    let (vars, values) = kept.into_iter().unzip();
                    self.program.nodes[node].kind = NodeKind::LetRec { vars, values, body };
                    return;
                }
                _ => return,
            }
        }
    }

    /// `node` becomes what `body` is.
    fn become_(&mut self, node: NodeId, body: NodeId) {
        self.program.nodes[node] = self.program.nodes[body].clone();
    }

    /// Gives a lifted lambda its parameters and schedules its body.
    fn open(&mut self, var: VarId, value: NodeId, lambda: LambdaId, work: &mut Vec<Step>) {
        let needs = self.needs[lambda].clone();
        let mut params = Vec::new();
        let mut enter = Vec::new();
        for capture in &needs {
            let old = &self.program.vars[capture.var];
            let (name, ty, span) = (old.name, old.ty, old.span);
            let fresh = Var { name, ty, tyvars: Vec::new(), mutable: false, global: false, span };
            let fresh = self.program.vars.push(fresh);
            params.push(fresh);
            enter.push((capture.var, Some(fresh)));
        }
        let tys: Vec<TyId> = needs.iter().map(|it| it.ty).collect();
        let ty = self.program.types.function(&tys, self.program.vars[var].ty);
        self.program.vars[var].ty = ty;
        self.program.vars[var].global = true;
        self.program.nodes[value].ty = ty;
        params.append(&mut self.program.lambdas[lambda].params);
        self.program.lambdas[lambda].params = params;
        self.moved.push((var, value));
        // The body is rewritten with the new names; afterwards the old ones hold again.
        let before = enter.iter().map(|&(var, _)| (var, self.renamed.get(var).copied())).collect();
        work.push(Step::Restore(before));
        work.push(Step::Visit(self.program.lambdas[lambda].body));
        work.push(Step::Restore(enter));
    }

    /// Adds the leading arguments to a call of a lifted lambda.
    fn pass_needs(&mut self, call: NodeId, lambda: LambdaId) {
        let Some(needs) = self.needs.get(lambda).cloned() else { return };
        let span = self.program.span(call);
        // The new operands are visited with the others and get their names then.
        let leading: Vec<NodeId> = needs
            .iter()
            .map(|it| {
                self.program.add(NodeKind::Var { var: it.var, tyargs: Vec::new() }, it.ty, span)
            })
            .collect();
        if let NodeKind::Apply { func, args, .. } = &mut self.program.nodes[call].kind {
            args.splice(0..0, leading);
            let func = *func;
            // The variable's own type is extended when its binding is met.
            let tys: Vec<TyId> = needs.iter().map(|it| it.ty).collect();
            let ty = self.program.types.function(&tys, self.program.nodes[func].ty);
            self.program.nodes[func].ty = ty;
        }
    }

    /// Puts an item and the functions that were moved out of it in order.
    fn place(&mut self, item: Item, moved: Vec<(VarId, NodeId)>) {
        if moved.is_empty() {
            self.items.push(item);
            return;
        }
        let span = item.span;
        let library = item.library;
        // The item's own functions may be called by those moved out.
        let mut functions = moved;
        let own: Vec<(VarId, NodeId)> =
            item.kind.vars().iter().copied().zip(item.kind.roots()).collect();
        let is_functions = !own.is_empty()
            && own.iter().all(|it| matches!(self.program.nodes[it.1].kind, NodeKind::Lambda(_)));
        if is_functions {
            functions.extend(own);
        }
        let mut place: IdMap<VarId, usize> = IdMap::new();
        for (index, it) in functions.iter().enumerate() {
            place.insert(it.0, index);
        }
        let graph: Vec<Vec<usize>> = functions
            .iter()
            .map(|&(_, value)| {
                let mut calls = Vec::new();
                walk::for_each_node(self.program, value, |node| {
                    if let NodeKind::Var { var, .. } = self.program.nodes[node].kind
                        && let Some(&it) = place.get(var)
                    {
                        calls.push(it);
                    }
                });
                calls
            })
            .collect();
        for group in oxbow_base::components(&graph) {
            let recursive = group.len() > 1 || graph[group[0]].contains(&group[0]);
            let vars: Vec<VarId> = group.iter().map(|&it| functions[it].0).collect();
            let values: Vec<NodeId> = group.iter().map(|&it| functions[it].1).collect();
            let kind = if recursive {
                ItemKind::LetRec { vars, values }
            } else {
                ItemKind::Let { var: vars[0], value: values[0] }
            };
            self.items.push(Item { kind, span, library });
        }
        if !is_functions {
            self.items.push(item);
        }
    }
}
