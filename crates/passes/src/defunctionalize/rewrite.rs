//! Puts constructors in the place of functions and matches in the place of calls.

use oxbow_base::{IdMap, IdSet, Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{
    Callee, Capture, Ctor, DataKind, Field, LambdaId, Mono, NodeId, NodeKind, Program, TyId, Var,
    VarId, captures, walk,
};

use super::choose::{self, Choice};
use super::classes::Classes;
use super::dispatch::Dispatch;
use super::retype::Retype;
use crate::closure_repr::lift;
use crate::flow::{Candidate, Flow};

/// What a node becomes.
enum Change {
    /// A function as a value.
    Value(LambdaId),
    /// A function with some of its arguments.
    Partial(LambdaId),
    /// A call of a function value of this class.
    Call(u32, Vec<Candidate>),
}

pub(super) fn run(
    mut program: Program<Mono>,
    mut known: IdMap<VarId, LambdaId>,
    flow: &Flow,
    mut choice: Choice,
) -> Program<Mono> {
    name_values(&mut program, &mut known, &mut choice);
    captures::fill_all(&mut program);
    let Some(mut retype) = Retype::new(&mut program, &choice) else { return program };
    if !fits(&mut program, &mut retype) {
        return program;
    }
    let changes = changes(&program, &known, flow, &choice);
    let lifted: Vec<(VarId, LambdaId)> = known
        .iter()
        .map(|it| (it.0, *it.1))
        .filter(|it| !program.vars[it.0].global)
        .filter(|it| choice.converted.contains(it.1) || choice.called.contains(it.1))
        .collect();
    let mut needs = lift::needs(&program, &known, &lifted);
    retype_all(&mut program, &mut retype, &known, &choice);
    for &(_, lambda) in &lifted {
        let captures = needs.get_mut(lambda).into_iter().flatten();
        captures.for_each(|it| it.ty = program.vars[it.var].ty);
    }
    let mut pass = Rewrite {
        program,
        retype,
        needs,
        choice: &choice,
        bound: IdMap::new(),
        dispatch: Dispatch::default(),
    };
    for (var, &lambda) in known.iter() {
        pass.bound.insert(lambda, var);
    }
    for (node, change) in changes {
        pass.change(node, change);
    }
    lift::move_out(&mut pass.program, pass.needs.clone());
    pass.finish(flow)
}

/// Maps every type once, to see that there are not too many.
fn fits(program: &mut Program<Mono>, retype: &mut Retype<'_>) -> bool {
    let mut types = Vec::new();
    walk::for_each_reachable(program, |node| types.push(program.ty(node)));
    types.extend(program.vars.values().map(|it| it.ty));
    for ty in types {
        retype.map(program, ty);
        if retype.is_too_large() {
            return false;
        }
    }
    true
}

/// Names literals that have no name, and gives each named local function a variable for its value, so that it is made
/// once.
fn name_values(
    program: &mut Program<Mono>,
    known: &mut IdMap<VarId, LambdaId>,
    choice: &mut Choice,
) {
    let values = choose::values(program, known);
    let inner = inner_mentions(program);
    let mut wanted: IdMap<VarId, Vec<NodeId>> = IdMap::new();
    for (node, lambda) in values.uses {
        if !choice.converted.contains(lambda) {
            continue;
        }
        match program.nodes[node].kind {
            NodeKind::Lambda(_) => {
                let var = name_literal(program, &mut choice.classes, node, lambda);
                known.insert(var, lambda);
            }
            NodeKind::Var { var, .. } if !program.vars[var].global && !inner.contains(node) => {
                wanted.entry_or_insert_with(var, Vec::new).push(node);
            }
            _ => (),
        }
    }
    let mut bindings = Vec::new();
    walk::for_each_reachable(program, |node| {
        if matches!(program.nodes[node].kind, NodeKind::Let { .. } | NodeKind::LetRec { .. }) {
            bindings.push(node);
        }
    });
    for binding in bindings {
        hold_values(program, &mut choice.classes, binding, &wanted);
    }
}

/// `fun …` becomes `let f = fun … in f`.
fn name_literal(
    program: &mut Program<Mono>,
    classes: &mut Classes,
    node: NodeId,
    lambda: LambdaId,
) -> VarId {
    let (ty, span) = (program.ty(node), program.span(node));
    let name = program.lambdas[lambda].name.unwrap_or_else(|| Symbol::new("fun"));
    let var = local(program, name, ty, span);
    let value = program.add(NodeKind::Lambda(lambda), ty, span);
    let body = program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span);
    let place = classes.node(node);
    classes.add_var(var, place);
    classes.add_node(value, place);
    classes.add_node(body, place);
    program.nodes[node].kind = NodeKind::Let { var, value, body };
    var
}

/// Behind a binding of functions: variables for those of them that are used as values.
fn hold_values(
    program: &mut Program<Mono>,
    classes: &mut Classes,
    binding: NodeId,
    wanted: &IdMap<VarId, Vec<NodeId>>,
) {
    let (vars, mut body) = match &program.nodes[binding].kind {
        NodeKind::Let { var, body, .. } => (vec![*var], *body),
        NodeKind::LetRec { vars, body, .. } => (vars.clone(), *body),
        _ => return,
    };
    for var in vars {
        let Some(mentions) = wanted.get(var) else { continue };
        let Var { name, ty, span, .. } = program.vars[var].clone();
        let holder = local(program, name, ty, span);
        for &mention in mentions {
            program.nodes[mention].kind = NodeKind::Var { var: holder, tyargs: Vec::new() };
        }
        let value = program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span);
        let (at, result) = (program.span(body), program.ty(body));
        let around = program.add(NodeKind::Let { var: holder, value, body }, result, at);
        classes.add_var(holder, classes.var(var));
        classes.add_node(value, classes.var(var));
        classes.add_node(around, classes.node(body));
        body = around;
    }
    match &mut program.nodes[binding].kind {
        NodeKind::Let { body: it, .. } | NodeKind::LetRec { body: it, .. } => *it = body,
        _ => (),
    }
}

/// Mentions of the functions of a recursive group within the group: the variable for the value does not exist there.
fn inner_mentions(program: &Program<Mono>) -> IdSet<NodeId> {
    let mut groups = Vec::new();
    walk::for_each_reachable(program, |node| {
        if let NodeKind::LetRec { vars, values, .. } = &program.nodes[node].kind {
            groups.push((vars, values));
        }
    });
    let mut inner = IdSet::new();
    for (vars, values) in groups {
        for &value in values {
            walk::for_each_node(program, value, |node| {
                if let NodeKind::Var { var, .. } = &program.nodes[node].kind
                    && vars.contains(var)
                {
                    inner.insert(node);
                }
            });
        }
    }
    inner
}

fn local(program: &mut Program<Mono>, name: Symbol, ty: TyId, span: Span) -> VarId {
    let tyvars = Vec::new();
    program.vars.push(Var { name, ty, tyvars, mutable: false, global: false, span })
}

/// What becomes of each node.
fn changes(
    program: &Program<Mono>,
    known: &IdMap<VarId, LambdaId>,
    flow: &Flow,
    choice: &Choice,
) -> Vec<(NodeId, Change)> {
    let mut changes = Vec::new();
    for (node, lambda) in choose::values(program, known).uses {
        if choice.converted.contains(lambda) {
            changes.push((node, Change::Value(lambda)));
        }
    }
    walk::for_each_reachable(program, |node| {
        let NodeKind::Apply { func, callee: Callee::Unknown, .. } = program.nodes[node].kind else {
            return;
        };
        let target = match program.nodes[func].kind {
            NodeKind::Var { var, .. } => known.get(var).copied(),
            _ => None,
        };
        if let Some(lambda) = target {
            changes.push((node, Change::Partial(lambda)));
        } else if let Some(root) = choice.variant(choice.classes.node(func)) {
            let callees = flow.functions().callee(node).known;
            changes.push((node, Change::Call(root, callees)));
        }
    });
    changes
}

/// Gives every variable and node its new type.
fn retype_all(
    program: &mut Program<Mono>,
    retype: &mut Retype<'_>,
    known: &IdMap<VarId, LambdaId>,
    choice: &Choice,
) {
    let mut codes = IdMap::new();
    for lambda in walk::reachable_lambdas(program) {
        let code = retype.code(program, lambda);
        codes.insert(lambda, code);
    }
    let mut nodes = Vec::new();
    walk::for_each_reachable(program, |node| nodes.push(node));
    let code_of = |var: VarId| known.get(var).and_then(|&it| codes.get(it)).copied();
    for node in nodes {
        let old = program.ty(node);
        let code = match program.nodes[node].kind {
            NodeKind::Lambda(lambda) => codes.get(lambda).copied(),
            NodeKind::Var { var, .. } => code_of(var),
            _ => None,
        };
        program.nodes[node].ty = match code {
            Some(code) => code,
            None => retype.at(program, choice.classes.node(node), old),
        };
    }
    for var in program.vars.ids() {
        let old = program.vars[var].ty;
        program.vars[var].ty = match code_of(var) {
            Some(code) => code,
            None => retype.at(program, choice.classes.var(var), old),
        };
    }
    retype.finish(program);
}

pub(super) struct Rewrite<'a> {
    pub(super) program: Program<Mono>,
    pub(super) retype: Retype<'a>,
    pub(super) needs: IdMap<LambdaId, Vec<Capture>>,
    pub(super) choice: &'a Choice,
    /// The variable of each function.
    pub(super) bound: IdMap<LambdaId, VarId>,
    pub(super) dispatch: Dispatch,
}

impl Rewrite<'_> {
    /// The constructor for a function of a class.
    pub(super) fn ctor(&self, root: u32, candidate: Candidate) -> u32 {
        match self.choice.members(root).iter().position(|&it| it == candidate) {
            Some(at) => at as u32,
            None => ice!("a function is not in its class"),
        }
    }

    fn change(&mut self, node: NodeId, change: Change) {
        match change {
            Change::Value(lambda) => self.value(node, lambda),
            Change::Partial(lambda) => self.partial(node, lambda),
            Change::Call(root, mut callees) => {
                let NodeKind::Apply { func, args, .. } = self.program.nodes[node].kind.clone()
                else {
                    return;
                };
                let mine = self.choice.members(root);
                callees.retain(|it| mine.contains(it));
                let span = self.program.span(node);
                let types = args.iter().map(|&it| self.program.ty(it)).collect();
                let result = self.program.ty(node);
                let (var, lambda) = self.dispatcher(root, callees, types, result, span);
                let ty = self.program.vars[var].ty;
                let callee = self.program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span);
                let args = [func].into_iter().chain(args).collect();
                let kind = NodeKind::Apply { func: callee, args, callee: Callee::Known(lambda) };
                self.program.nodes[node].kind = kind;
            }
        }
    }

    fn value(&mut self, node: NodeId, lambda: LambdaId) {
        let span = self.program.span(node);
        let place = self.choice.classes.node(node);
        let args = self.needed(lambda, span);
        if let Some(root) = self.choice.variant(place) {
            let ctor = self.ctor(root, Candidate { lambda, applied: 0 });
            let ty = self.retype.of_class(&mut self.program, root);
            self.program.nodes[node].kind = NodeKind::Construct { ctor, args };
            self.program.nodes[node].ty = ty;
        } else if !args.is_empty() {
            // A closure of a function that has been moved holds what it needs.
            let ty = self.program.ty(node);
            let func = self.program.nodes[node].kind.clone();
            let func = self.program.add(func, ty, span);
            self.program.nodes[node].kind =
                NodeKind::Apply { func, args: Vec::new(), callee: Callee::Unknown };
            self.give(node, args);
        }
    }

    fn partial(&mut self, node: NodeId, lambda: LambdaId) {
        let span = self.program.span(node);
        let needed = self.needed(lambda, span);
        let place = self.choice.classes.node(node);
        let ty = self.program.ty(node);
        match self.retype.class(&self.program, ty).and_then(|_| self.choice.variant(place)) {
            Some(root) => {
                let NodeKind::Apply { args, .. } = self.program.nodes[node].kind.clone() else {
                    return;
                };
                let ctor = self.ctor(root, Candidate { lambda, applied: args.len() });
                let args = needed.into_iter().chain(args).collect();
                self.program.nodes[node].kind = NodeKind::Construct { ctor, args };
            }
            None => self.give(node, needed),
        }
    }

    /// Adds leading arguments to a call of a function that is moved.
    fn give(&mut self, call: NodeId, leading: Vec<NodeId>) {
        let tys: Vec<TyId> = leading.iter().map(|&it| self.program.ty(it)).collect();
        let NodeKind::Apply { func, args, .. } = &mut self.program.nodes[call].kind else { return };
        args.splice(0..0, leading);
        let func = *func;
        let ty = self.program.types.function(&tys, self.program.nodes[func].ty);
        self.program.nodes[func].ty = ty;
    }

    /// Mentions of what a function needs from outside; they get their names when it is moved.
    fn needed(&mut self, lambda: LambdaId, span: Span) -> Vec<NodeId> {
        let needs = self.needs.get(lambda).cloned().unwrap_or_default();
        let mention = |it: &Capture| {
            let kind = NodeKind::Var { var: it.var, tyargs: Vec::new() };
            self.program.add(kind, it.ty, span)
        };
        needs.iter().map(mention).collect()
    }

    /// Declares the constructors, and adds the functions that the calls go to.
    fn finish(mut self, flow: &Flow) -> Program<Mono> {
        self.fill_dispatchers(flow);
        for (root, data) in self.retype.variants.clone() {
            let members = self.choice.members(root);
            let mut ctors: Vec<Ctor> = members.iter().map(|&it| self.declare(it)).collect();
            if ctors.is_empty() {
                // No function comes to such a place.
                let name = Symbol::new("none");
                ctors.push(Ctor { name, fields: Vec::new(), inline_record: false });
            }
            self.program.types.datas[data].kind = DataKind::Variant(ctors);
        }
        self.place_dispatchers();
        self.program
    }

    fn declare(&self, candidate: Candidate) -> Ctor {
        let it = &self.program.lambdas[candidate.lambda];
        let name = it.name.unwrap_or_else(|| Symbol::new("fun"));
        let fields = self
            .held(candidate)
            .into_iter()
            .enumerate()
            .map(|(at, ty)| Field::plain(Symbol::new(&at.to_string()), ty))
            .collect();
        Ctor { name, fields, inline_record: false }
    }

    /// The types of what a constructor holds: the leading parameters of the function, now that it is moved.
    pub(super) fn held(&self, candidate: Candidate) -> Vec<TyId> {
        let needs = self.needs.get(candidate.lambda).map_or(0, Vec::len);
        let params = &self.program.lambdas[candidate.lambda].params;
        params[..needs + candidate.applied].iter().map(|&it| self.program.vars[it].ty).collect()
    }
}
