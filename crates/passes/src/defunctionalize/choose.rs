//! Which classes of functions become variants.
//!
//! A class stays one of closures for a [`Reason`]. Closures are called by one convention, so functions that
//! closures take or give are closures, too: the reason goes on to their classes.

use oxbow_base::{FxHashMap, FxHashSet, IdMap, IdSet, Span};
use oxbow_psg::{
    Callee, CaptureMode, DataKind, ExnId, LambdaId, Mono, NodeId, NodeKind, Program, Ty, TyId,
    VarId, walk,
};

use super::classes::{self, Classes, Slot};
use crate::flow::{Candidate, Flow, Moves, moves};

/// A class with more functions than this stays one of closures: a call of a closure costs the same for any number of
/// them, a match grows.
const MOST: usize = 16;

/// Types that are looked at; a program with more is left alone.
pub(super) const LARGEST_TYPE: usize = 20_000;

/// Why functions stay closures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// They come from code that is not seen, or go there.
    Outside,
    /// `==` compares them.
    Compared,
    /// One reaches a mutable variable by its address.
    Address,
    /// One has the layout that the language documents.
    Layout,
    /// There are too many.
    Many,
    /// A closure takes or gives them.
    Passed,
}

impl Reason {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Outside => "code that is not seen makes or takes one of them",
            Self::Compared => "`==` compares them",
            Self::Address => "one of them reaches a mutable variable by its address",
            Self::Layout => "the language fixes the layout of closures",
            Self::Many => "they are too many to tell apart",
            Self::Passed => "closures take or give them",
        }
    }
}

/// Where functions stand as values.
pub struct Values {
    /// The type of each function.
    pub types: IdMap<LambdaId, TyId>,
    /// Nodes whose value is a literal or names one, with the literal; calls are not among them.
    pub uses: Vec<(NodeId, LambdaId)>,
    pub used: IdSet<LambdaId>,
}

/// Functions that meet at the same places.
#[derive(Clone, Debug)]
pub struct Set {
    /// Where each is written, and how many arguments it has been given.
    pub members: Vec<(Span, usize)>,
    /// Why they stay closures, if they do.
    pub closures: Option<Reason>,
}

/// What has been decided.
pub struct Choice {
    pub classes: Classes,
    /// The classes that stay, by the place that stands for each.
    pub fixed: FxHashMap<u32, Reason>,
    /// Classes whose functions are called with functions, or give some.
    callers: FxHashSet<u32>,
    /// Functions that a constructor stands for.
    pub converted: IdSet<LambdaId>,
    /// Others that they call, whose captures become parameters, too.
    pub called: IdSet<LambdaId>,
}

impl Choice {
    /// The variant that a function at this place belongs to, by the place that stands for its class.
    pub fn variant(&self, place: u32) -> Option<u32> {
        let root = self.classes.find(place);
        // A class without functions need not change, unless a call says that what it would take has changed.
        let is_needed = self.classes.members.contains_key(&root) || self.callers.contains(&root);
        (is_needed && !self.fixed.contains_key(&root)).then_some(root)
    }

    pub fn members(&self, root: u32) -> &[Candidate] {
        self.classes.members.get(&root).map_or(&[], |it| it)
    }
}

/// Finds the functions that are used as values. Needs: known calls are marked.
pub fn values(program: &Program<Mono>, known: &IdMap<VarId, LambdaId>) -> Values {
    let mut found = Values { types: IdMap::new(), uses: Vec::new(), used: IdSet::new() };
    let mut code = IdSet::<NodeId>::new();
    let mut named = |program: &Program<Mono>, var: VarId, value: NodeId| {
        if !program.vars[var].mutable && matches!(program.nodes[value].kind, NodeKind::Lambda(_)) {
            code.insert(value);
        }
    };
    for item in &program.items {
        item.kind.vars().iter().zip(item.kind.roots()).for_each(|it| named(program, *it.0, it.1));
    }
    // A node is visited before its operands, so their roles are known by then.
    walk::for_each_reachable(program, |node| match &program.nodes[node].kind {
        NodeKind::Let { var, value, .. } => {
            let is_lambda = matches!(program.nodes[*value].kind, NodeKind::Lambda(_));
            if is_lambda && !program.vars[*var].mutable {
                code.insert(*value);
            }
        }
        NodeKind::LetRec { values, .. } => code_all(&mut code, values),
        NodeKind::Apply { func, callee, .. } => match &program.nodes[*func].kind {
            NodeKind::Var { var, .. } if known.contains(*var) => code_all(&mut code, &[*func]),
            NodeKind::Lambda(_) if matches!(callee, Callee::Known(_)) => {
                code_all(&mut code, &[*func]);
            }
            _ => (),
        },
        NodeKind::Var { var, .. } => {
            if let Some(&lambda) = known.get(*var)
                && !code.contains(node)
            {
                found.uses.push((node, lambda));
                found.used.insert(lambda);
            }
        }
        NodeKind::Lambda(lambda) => {
            found.types.insert(*lambda, program.ty(node));
            if !code.contains(node) {
                found.uses.push((node, *lambda));
                found.used.insert(*lambda);
            }
        }
        _ => (),
    });
    found
}

fn code_all(code: &mut IdSet<NodeId>, nodes: &[NodeId]) {
    nodes.iter().for_each(|&it| {
        code.insert(it);
    });
}

/// Decides for every class. None if nothing would become a variant.
pub fn run(
    program: &mut Program<Mono>,
    known: &IdMap<VarId, LambdaId>,
    values: &Values,
    flow: &Flow,
    is_fixed: &dyn Fn(Span) -> bool,
    sets: &mut Vec<Set>,
) -> Option<Choice> {
    let handled = handled_parts(program)?;
    let mut classes = classes::find(program, known, values, flow);
    for slot in handled {
        let place = classes.slot(slot);
        classes.fixed.push((place, Reason::Outside));
    }
    let mut fixed = std::mem::take(&mut classes.fixed);
    for (&root, members) in &classes.members {
        if members.len() > MOST {
            fixed.push((root, Reason::Many));
        }
        for it in members {
            if flow.functions().is_exposed(it.lambda) {
                fixed.push((root, Reason::Outside));
            } else if is_fixed(program.lambdas[it.lambda].span) {
                fixed.push((root, Reason::Layout));
            }
        }
    }
    let mut choose = Choose { program, classes, fixed: FxHashMap::default() };
    choose.fix(fixed);
    loop {
        let mut converted = IdSet::new();
        let mut homes: IdMap<LambdaId, Vec<u32>> = IdMap::new();
        for (&root, members) in &choose.classes.members {
            if choose.fixed.contains_key(&root) {
                continue;
            }
            for it in members {
                converted.insert(it.lambda);
                homes.entry_or_insert_with(it.lambda, Vec::new).push(root);
            }
        }
        if converted.is_empty() {
            choose.report(sets);
            return None;
        }
        let (called, stay) = choose.called(known, values, &converted);
        if stay.is_empty() {
            choose.report(sets);
            let Choose { classes, fixed, .. } = choose;
            let calls = classes.calls.iter().filter(|it| !it.1.is_empty());
            let callers = calls.map(|it| classes.find(it.0)).collect();
            return Some(Choice { classes, fixed, callers, converted, called });
        }
        let stay = stay.iter().flat_map(|&it| homes[it].iter().map(|&it| (it, Reason::Address)));
        choose.fix(stay.collect());
    }
}

struct Choose<'a> {
    program: &'a Program<Mono>,
    classes: Classes,
    fixed: FxHashMap<u32, Reason>,
}

impl Choose<'_> {
    /// The classes of these places stay closures, and so do those of what such closures take and give.
    fn fix(&mut self, mut todo: Vec<(u32, Reason)>) {
        loop {
            while let Some((place, reason)) = todo.pop() {
                let root = self.classes.find(place);
                if self.fixed.contains_key(&root) {
                    continue;
                }
                self.fixed.insert(root, reason);
                for it in self.classes.members.get(&root).map_or(&[][..], |it| it) {
                    let lambda = &self.program.lambdas[it.lambda];
                    for &param in &lambda.params[it.applied..] {
                        if self.is_function(self.program.vars[param].ty) {
                            todo.push((self.classes.var(param), Reason::Passed));
                        }
                    }
                    if self.is_function(self.program.ty(lambda.body)) {
                        todo.push((self.classes.node(lambda.body), Reason::Passed));
                    }
                }
            }
            for (func, involved) in &self.classes.calls {
                if self.fixed.contains_key(&self.classes.find(*func)) {
                    let open = involved.iter().map(|&it| self.classes.find(it));
                    let open = open.filter(|it| !self.fixed.contains_key(it));
                    todo.extend(open.map(|it| (it, Reason::Passed)));
                }
            }
            if todo.is_empty() {
                return;
            }
        }
    }

    /// All classes with their functions, in the order of the text.
    fn report(&self, sets: &mut Vec<Set>) {
        for (root, members) in &self.classes.members {
            let span = |it: &Candidate| (self.program.lambdas[it.lambda].span, it.applied);
            let mut members: Vec<(Span, usize)> = members.iter().map(span).collect();
            members.sort_by_key(|it| (it.0.file, it.0.start, it.1));
            sets.push(Set { members, closures: self.fixed.get(root).copied() });
        }
        sets.sort_by_key(|it| it.members.first().map(|it| (it.0.file, it.0.start, it.1)));
    }

    fn is_function(&self, ty: TyId) -> bool {
        matches!(self.program.types.get(ty), Ty::Fn(..))
    }

    /// The functions that those with a constructor call by name and capture for it; and those that must stay.
    fn called(
        &self,
        known: &IdMap<VarId, LambdaId>,
        values: &Values,
        converted: &IdSet<LambdaId>,
    ) -> (IdSet<LambdaId>, Vec<LambdaId>) {
        let (mut called, mut stay) = (IdSet::new(), Vec::new());
        for first in converted.iter() {
            let (mut todo, mut seen) = (vec![first], IdSet::<LambdaId>::new());
            while let Some(lambda) = todo.pop() {
                for capture in &self.program.lambdas[lambda].captures {
                    if capture.mode == CaptureMode::ByRef {
                        stay.push(first);
                        todo.clear();
                        break;
                    }
                    let Some(&it) = known.get(capture.var) else { continue };
                    if !converted.contains(it) && !values.used.contains(it) && seen.insert(it) {
                        called.insert(it);
                        todo.push(it);
                    }
                }
            }
        }
        (called, stay)
    }
}

/// The parts of types that primitives handle which nobody looks into. None if there are too many types.
fn handled_parts(program: &mut Program<Mono>) -> Option<Vec<Slot>> {
    let mut todo = Vec::new();
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Prim { prim, args } = &program.nodes[node].kind
            && moves(*prim) == Moves::Unknown
        {
            todo.extend(args.iter().map(|&it| program.ty(it)).chain([program.ty(node)]));
        }
    });
    let (mut seen, mut slots) = (IdSet::<TyId>::new(), Vec::new());
    let mut looked_at = 0;
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty) {
            continue;
        }
        looked_at += 1;
        if looked_at > LARGEST_TYPE {
            return None;
        }
        for (slot, part) in parts(program, ty) {
            if matches!(program.types.get(part), Ty::Fn(..)) {
                slots.extend(slot);
            }
            todo.push(part);
        }
    }
    Some(slots)
}

/// The parts of a type, with their slots.
pub(super) fn parts(program: &mut Program<Mono>, ty: TyId) -> Vec<(Option<Slot>, TyId)> {
    let field = |ctor: usize, at: usize| Some(Slot::Field(ty, ctor as u32, at as u32));
    match program.types.get(ty).clone() {
        Ty::Fn(param, result) => vec![(None, param), (None, result)],
        Ty::Tuple(items) => {
            items.into_iter().enumerate().map(|(at, it)| (field(0, at), it)).collect()
        }
        Ty::Array(item) => vec![(Some(Slot::Element(ty)), item)],
        Ty::Data(data, args) => {
            let ctors: Vec<Vec<TyId>> = match &program.types.datas[data].kind {
                DataKind::Record(fields) => vec![fields.iter().map(|it| it.ty).collect()],
                DataKind::Variant(ctors) => {
                    ctors.iter().map(|it| it.fields.iter().map(|it| it.ty).collect()).collect()
                }
            };
            let mut found = Vec::new();
            for (ctor, fields) in ctors.into_iter().enumerate() {
                for (at, it) in fields.into_iter().enumerate() {
                    found.push((field(ctor, at), program.types.field_type(data, &args, it)));
                }
            }
            found
        }
        Ty::Exn => {
            let exns = program.types.exns.iter();
            let payload = |exn: ExnId, at: usize| Some(Slot::Payload(exn, at as u32));
            exns.flat_map(|(exn, it)| {
                it.fields.iter().enumerate().map(move |(at, it)| (payload(exn, at), it.ty))
            })
            .collect()
        }
        Ty::Unit
        | Ty::Bool
        | Ty::Char
        | Ty::Int(_)
        | Ty::Float
        | Ty::Float32
        | Ty::String
        | Ty::Bytes
        | Ty::Uniform
        | Ty::Var(_) => Vec::new(),
    }
}
