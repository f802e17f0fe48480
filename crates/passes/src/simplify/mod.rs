//! The optimiser: inlines, resolves calls and evaluates what is known at compile time.
//!
//! ```text
//! before   let r = { contents = 0 } in                after   let mutable r = 0 in
//!          iter (fun x -> r.contents <- …) …                  … the loop of `iter`, `r := …` …
//!          let p = (1, x) in p.0 + 2                          3
//!          let f = fun a -> fun b -> a + b in f 1 y           1 + y
//! ```
//!
//! What it does, in one walk down the program with what is known of every variable:
//! copies and constants are propagated; calls of known lambdas are bound to their
//! parameters by `Let` (the last argument first, as it is evaluated first) when the
//! lambda is small, marked, used once or stands at the call; a switch, a field or a
//! component of a known object is replaced; records that are only read and written
//! field by field become variables; bindings nobody mentions vanish if their values
//! have no effect. Before each walk curried lambdas with nothing in between are merged
//! and recursive bindings are split into what is really recursive.
//!
//! Phase: Mono -> Mono. Needs: nothing. A few rounds; growth is bounded.

mod case_of_case;
mod chain;
mod fold;
mod inline;
mod items;
mod prepare;
mod rewrite;
mod switch;

use oxbow_base::{IdMap, IdSet, Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::clone::Cloner;
use oxbow_psg::{
    Const, Item, ItemKind, JoinId, LambdaId, Mono, NodeId, NodeKind, Program, TyId, Var, VarId,
    captures, walk,
};

use crate::called_at::Library;
use crate::uses::Uses;
use crate::{known_calls, start};

const ROUNDS: usize = 4;

/// Optimises the whole program.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let mut size = 0;
    walk::for_each_reachable(&program, |_| size += 1);
    let mut budget = size / 2 + 2_000;
    let mut split = Vec::new();
    for _ in 0..ROUNDS {
        captures::fill_all(&mut program);
        prepare::split_recursion(&mut program);
        prepare::merge_curried(&mut program);
        let moved = case_of_case::run(&mut program);
        let changed;
        (program, budget, changed) = round(program, budget, &mut split);
        if !changed && !moved {
            break;
        }
    }
    crate::dead_functions::prune_well_known(&mut program);
    known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    check_split(&program, &split);
    program
}

/// Variables that fields of objects have become are places of the call: no function may hold them.
fn check_split(program: &Program<Mono>, split: &[VarId]) {
    let mut places: IdSet<VarId> = IdSet::new();
    for &var in split.iter().filter(|it| program.vars[**it].mutable) {
        places.insert(var);
    }
    walk::for_each_reachable(program, |node| {
        let NodeKind::Lambda(lambda) = program.nodes[node].kind else { return };
        let captures = &program.lambdas[lambda].captures;
        if let Some(capture) = captures.iter().find(|it| places.contains(it.var)) {
            let name = program.vars[capture.var].name;
            ice!("a function holds `{name}`, which is a place of the call around it");
        }
    });
}

/// What later passes need, and nothing else: recursive bindings are split, and calls of known functions say so.
pub fn resolve_calls(mut program: Program<Mono>) -> Program<Mono> {
    captures::fill_all(&mut program);
    prepare::split_recursion(&mut program);
    crate::dead_functions::prune_well_known(&mut program);
    known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    program
}

fn round(
    program: Program<Mono>,
    budget: i64,
    split: &mut Vec<VarId>,
) -> (Program<Mono>, i64, bool) {
    let uses = Uses::of_program(&program);
    let recursive = prepare::recursive_lambdas(&program);
    let many_loops = start::has_many_loops(&program);
    let library = Library::of(&program);
    let mut pass = Simplify {
        program,
        library,
        uses,
        facts: IdMap::new(),
        recursive,
        moved: IdSet::new(),
        parts: IdSet::new(),
        sizes: IdMap::new(),
        join_bodies: IdMap::new(),
        cloner: Cloner::new(),
        inline_depth: 0,
        budget,
        room: 0,
        runs_once: true,
        many_loops,
        in_piece: false,
        long_chain: None,
        changed: false,
    };
    let items = std::mem::take(&mut pass.program.items);
    let mut hoisted = Vec::new();
    let mut start_size = 0;
    for mut item in items {
        let before = pass.budget;
        let is_start = pass.measure(&item.kind, start_size);
        match &mut item.kind {
            ItemKind::Let { var, value } => *value = pass.item_value(*var, *value),
            ItemKind::LetRec { vars, values } => {
                pass.note_recursive(vars, values);
                values.iter_mut().for_each(|it| *it = pass.simplify(*it));
            }
            ItemKind::Eval(node) => *node = pass.simplify(*node),
        }
        if let Some(size) = is_start {
            start_size += size + (before - pass.budget);
        }
        let Item { kind, span, library } = item;
        let mut kinds = Vec::new();
        pass.hoist(kind, &mut kinds);
        hoisted.extend(kinds.into_iter().map(|kind| Item { kind, span, library }));
    }
    let mut items = hoisted;
    // From the last to the first, so that a chain of unused functions goes at once.
    let mut kept = Vec::new();
    while let Some(mut item) = items.pop() {
        let unused = item.kind.vars().iter().all(|&it| pass.uses.get(it).mentions == 0);
        let droppable = item.kind.roots().all(|it| pass.droppable(it));
        let named = !item.kind.vars().is_empty();
        if unused && droppable || unused && item.library && named {
            let roots: Vec<NodeId> = item.kind.roots().collect();
            roots.into_iter().for_each(|it| pass.discard(it));
            continue;
        }
        if let ItemKind::Let { value, .. } = item.kind
            && unused
        {
            item.kind = ItemKind::Eval(value);
        }
        kept.push(item);
    }
    kept.reverse();
    pass.program.items = kept;
    split.extend(pass.parts.iter());
    (pass.program, pass.budget, pass.changed)
}

/// What a variable is known to stand for.
#[derive(Clone)]
enum Fact {
    Atom(Atom),
    Lambda(LambdaId),
    /// A tuple (`None`), or a record or constructor with these fields. `None` for a field
    /// that is mutable or of no simple form.
    Object {
        ctor: Option<u32>,
        fields: Vec<Option<Atom>>,
    },
    /// A constructor whose fields are not known.
    Ctor(u32),
    /// A record that is kept in one variable per field.
    Scalars(Vec<VarId>),
}

/// What can be mentioned again without work.
#[derive(Clone, PartialEq)]
enum Atom {
    Var(VarId),
    Const(Const),
}

#[derive(Clone, Copy)]
enum JoinBody {
    /// There is one jump.
    Once(NodeId),
    /// Each jump gets a copy.
    Each(NodeId),
}

struct Simplify {
    program: Program<Mono>,
    library: Library,
    uses: Uses,
    facts: IdMap<VarId, Fact>,
    recursive: IdSet<LambdaId>,
    /// Lambdas whose body now stands at their only call.
    moved: IdSet<LambdaId>,
    /// Variables for the fields of an object that is no more: their mentions are counted as they are met.
    parts: IdSet<VarId>,
    sizes: IdMap<LambdaId, u32>,
    /// Join points whose bodies take the place of the jumps.
    join_bodies: IdMap<JoinId, JoinBody>,
    cloner: Cloner,
    inline_depth: u32,
    /// How many more nodes may be copied.
    budget: i64,
    /// How many more nodes may be copied into the current item before only small functions are.
    room: i64,
    /// Whether the code at hand runs once, at the start: it stands in no function and in no loop.
    runs_once: bool,
    /// Whether code that runs once calls many functions that have loops.
    many_loops: bool,
    /// Whether the code at hand stands in a part of the start that is a function, with other parts.
    in_piece: bool,
    /// The long chain of bindings that was made last.
    long_chain: Option<chain::Chain>,
    changed: bool,
}

/// A function with more nodes takes no copies of functions but small ones: machine code for it would take long to make,
/// and what a call costs does not matter in it.
const HUGE: u32 = 10_000;
/// The same for the code that runs once, at the start.
const HUGE_START: u32 = 5_000;

impl Simplify {
    /// Finds out how much the item may grow. `start_size` is the size of the code that runs at the
    /// start so far, with the copies made in it; the answer is what this item adds to it, if it is
    /// no function.
    fn measure(&mut self, item: &ItemKind, start_size: i64) -> Option<i64> {
        let is_function = |it: NodeId| matches!(self.kind(it), NodeKind::Lambda(_));
        let functions = item.roots().all(is_function);
        let limit = if functions { HUGE } else { HUGE_START };
        let sizes = item.roots().map(|it| crate::effects::size(&self.program, it, limit));
        let size = sizes.map(i64::from).sum();
        let before = if functions { 0 } else { start_size };
        self.room = i64::from(limit) - before - size;
        (!functions).then_some(size)
    }

    /// Simplifies what may run more than once: the body of a function or of a loop.
    fn simplify_repeated(&mut self, node: NodeId) -> NodeId {
        let outer = std::mem::replace(&mut self.runs_once, false);
        let node = self.simplify(node);
        self.runs_once = outer;
        node
    }

    fn kind(&self, node: NodeId) -> &NodeKind {
        &self.program.nodes[node].kind
    }

    fn add(&mut self, kind: NodeKind, ty: TyId, span: Span) -> NodeId {
        self.program.add(kind, ty, span)
    }

    fn fresh_var(&mut self, name: Symbol, ty: TyId, span: Span) -> VarId {
        let var = Var { name, ty, tyvars: Vec::new(), mutable: false, global: false, span };
        let var = self.program.vars.push(var);
        self.uses.get_mut(var);
        var
    }

    /// A mention of a variable.
    fn read(&mut self, var: VarId, span: Span) -> NodeId {
        self.uses.mention(var);
        let ty = self.program.vars[var].ty;
        self.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span)
    }

    fn atom_node(&mut self, atom: &Atom, ty: TyId, span: Span) -> NodeId {
        match atom {
            Atom::Var(var) => self.read(*var, span),
            Atom::Const(it) => self.add(NodeKind::Const(it.clone()), ty, span),
        }
    }

    /// The node as something that can be mentioned again.
    fn atom(&self, node: NodeId) -> Option<Atom> {
        match self.kind(node) {
            NodeKind::Const(it) => Some(Atom::Const(it.clone())),
            &NodeKind::Var { var, .. } if !self.program.vars[var].mutable => Some(Atom::Var(var)),
            _ => None,
        }
    }

    /// Takes back the mentions in code that is dropped.
    fn discard(&mut self, node: NodeId) {
        self.changed = true;
        let moved = &self.moved;
        self.uses.remove(&self.program, node, |it| moved.contains(it));
    }

    /// The node may be dropped if its value is not used.
    fn droppable(&self, node: NodeId) -> bool {
        crate::effects::droppable(&self.program, node)
    }

    fn size(&mut self, lambda: LambdaId) -> u32 {
        if let Some(&it) = self.sizes.get(lambda) {
            return it;
        }
        let size = crate::effects::size(&self.program, self.program.lambdas[lambda].body, 400);
        self.sizes.insert(lambda, size);
        size
    }
}
