//! Makes one copy of every polymorphic binding for each list of types it is used at.
//!
//! Front ends leave type variables in the graph. Copies are made on demand, starting from the user's items, so nothing
//! unreachable is copied and library items that nobody mentions vanish.
//!
//! ```text
//! before   let id['a] = fun (x: 'a) -> x        id[int] 1, id[string] "a"
//! after    let id = fun (x: int) -> x           id 1,      id' "a"
//!          let id' = fun (x: string) -> x
//! ```
//!
//! Polymorphic order, hash and exception printing at structured types become calls of
//! functions generated for the type (see `order`, `hash`, `exn_text`; `suspension` for `lazy`), and so do values whose
//! numbers are changed (`numbers`), and the values that places have before they are set (`default`).
//!
//! Phase: Poly -> Mono. Needs: the value of a polymorphic binding has no effects; the
//! variables of one `LetRec` share their type parameters. Type variables that no
//! enclosing binding binds stand for `unit`. Values whose type is not known, polymorphic recursion whose types keep
//! growing, and types that do (`regular`) are served by uniform values (`facts`, `retype`). Too many copies are
//! reported as `E0902`; the result must not be used then.

mod arrange;
mod copy;
mod copy_prims;
mod decided_later;
mod default;
mod dynamic;
mod elements;
mod exn_text;
mod facts;
mod fold_domains;
mod generate;
mod hash;
mod inside;
mod magic;
mod members;
mod number_arrays;
mod numbers;
mod objects;
mod order;
mod own;
pub mod phrase;
mod regular;
mod retype;
mod shape;
mod show;
mod substitution;
mod suspension;
mod tags;

use oxbow_base::indexmap::IndexSet;
use oxbow_base::{FxHashMap, IdMap, Span};
use oxbow_diag::limits::{self, Limit};
use oxbow_diag::{Diagnostic, Diagnostics, ice};
use oxbow_psg::{
    DataId, ExnId, Item, ItemKind, JoinId, KnownFunction, Mono, NodeId, NodeKind, Poly, Prim,
    Program, TyId, TyVarId, VarId, WellKnown,
};

use exn_text::Exns;
use facts::{Facts, Uniform};
use generate::{Generated, GeneratedKey};
use members::Members;
use phrase::{Phrase, Specialized};

/// Library functions, each with the one that `differentiate` may call in its place.
const COMPANIONS: [(KnownFunction, KnownFunction); 1] =
    [(KnownFunction::Jacobian, KnownFunction::JacobianByParts)];

/// Instantiates everything that the user's items reach.
pub fn run(program: Program<Poly>, diagnostics: &mut Diagnostics) -> Program<Mono> {
    specialize(&program, None, diagnostics).program
}

fn specialize(
    program: &Program<Poly>,
    phrase: Option<Phrase<'_>>,
    diagnostics: &mut Diagnostics,
) -> Specialized {
    let (mut facts, mark) = (Facts::default(), diagnostics.mark());
    loop {
        let mut out: Program<Mono> = Program::new();
        out.types = program.types.clone();
        let tags = tags::Tags::take(&mut out.types);
        let objects = objects::Objects::take(&mut out.types);
        let mut context = Context::new(program, out, diagnostics);
        context.phrase = phrase;
        context.tags = tags;
        context.objects = objects;
        context.facts = facts;
        context.apply_facts();
        let replayed = context.replay_tags() & context.replay_objects();
        context.demand_roots();
        context.drain();
        context.demand_effects();
        context.drain();
        context.check_regular();
        context.check_members();
        if !context.learnt {
            let noted = context.note_phrase(replayed);
            let program = context.finish();
            return match phrase {
                Some(phrase) => phrase::finish(program, noted, phrase, diagnostics),
                None => Specialized::whole(program),
            };
        }
        facts = context.facts;
        diagnostics.rollback(mark);
    }
}

/// Who mentions a generated function.
#[derive(Clone, Copy)]
enum Owner {
    Item(usize),
    Generated(usize),
}

/// One copy of an item.
struct Instance {
    item: usize,
    /// The only variable of the item that is copied, if its members are copied one by one (`members`).
    member: Option<usize>,
    tyargs: Vec<TyId>,
    /// The copies of the item's variables, in its order, or of the member.
    vars: Vec<VarId>,
    /// The instance whose code asked for this one.
    parent: Option<usize>,
    /// Where it was asked for.
    asked: Span,
    depth: usize,
}

/// A local polymorphic binding while its body and values are copied.
struct LocalGroup {
    vars: Vec<VarId>,
    instances: Vec<LocalInstance>,
    /// The places of the instances, by their types.
    by_types: FxHashMap<Vec<TyId>, usize>,
    /// The instance whose values are being copied.
    active: Option<usize>,
    /// The values of one instance mention another.
    crossed: bool,
}

struct LocalInstance {
    tyargs: Vec<TyId>,
    vars: Vec<VarId>,
}

struct Context<'a> {
    source: &'a Program<Poly>,
    out: Program<Mono>,
    diagnostics: &'a mut Diagnostics,

    /// The item that binds a global variable, and the variable's place in it.
    item_of: IdMap<VarId, (usize, usize)>,
    by_key: FxHashMap<(usize, Option<usize>, Vec<TyId>), usize>,
    /// The recursive groups that were asked for and have type parameters.
    members: FxHashMap<usize, Option<Members>>,
    instances: Vec<Instance>,
    work: Vec<usize>,
    /// For each source item its copies, in order of discovery.
    made: Vec<Vec<Item>>,

    subst: IdMap<TyVarId, TyId>,
    /// Results of substitution; an entry is valid for one generation of `subst`.
    ty_cache: IdMap<TyId, (u32, TyId)>,
    generation: u32,
    last_generation: u32,

    vars: IdMap<VarId, VarId>,
    joins: IdMap<JoinId, JoinId>,
    /// For a variable of a local polymorphic binding: the binding's first variable and
    /// its own place among them.
    local_group: IdMap<VarId, (VarId, usize)>,
    locals: IdMap<VarId, LocalGroup>,
    current: Option<usize>,
    /// The innermost node being copied that stands in the file of its item: code of the library's
    /// inline functions has places of its own.
    place: Option<Span>,
    owner: Owner,

    generated: Vec<Generated>,
    generated_by_key: FxHashMap<GeneratedKey, usize>,
    generated_work: Vec<usize>,
    tags: tags::Tags,
    objects: objects::Objects,
    has_float: IdMap<TyId, bool>,
    has_function: IdMap<TyId, bool>,
    /// The types with values that are equal to themselves alone, when they have been looked for.
    references: Option<Vec<DataId>>,
    /// Comparisons that have been reported as errors: by place and type.
    refused: IndexSet<(Span, TyId)>,
    /// Exceptions that the program makes, in order of discovery.
    exns: Exns,
    /// Exceptions with type parameters, by the types that stand for them.
    exn_instances: FxHashMap<(ExnId, Vec<TyId>), ExnId>,
    /// For a library function: another one that `differentiate` may call in its place.
    companions: IdMap<VarId, VarId>,
    /// How many copies of polymorphic bindings there are.
    polymorphic: usize,
    /// How deep the parts of a type stand in it.
    depths: IdMap<TyId, usize>,
    /// Something grows and has been reported: no more copies are made.
    gave_up: bool,

    /// What is held in uniform form.
    facts: Facts,
    /// There are more facts than the copies were made with.
    learnt: bool,
    /// The type of uniform values, if there are any.
    uniform: Option<Uniform>,
    /// The variables of the source that variables are copies of, where there are uniform values.
    origins: IdMap<VarId, VarId>,
    /// How many arguments the functions take at once that variables of the source are bound to, when it was asked.
    arities: Option<IdMap<VarId, usize>>,
    /// For an adapter: the function that it calls.
    adapted: IdMap<NodeId, NodeId>,

    /// If it is a phrase of a prompt.
    phrase: Option<Phrase<'a>>,
    noted: phrase::Noted,
}

impl<'a> Context<'a> {
    fn new(
        source: &'a Program<Poly>,
        out: Program<Mono>,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let mut item_of = IdMap::new();
        for (index, item) in source.items.iter().enumerate() {
            for (place, &var) in item.kind.vars().iter().enumerate() {
                item_of.insert(var, (index, place));
            }
        }
        let mut companions = IdMap::new();
        for (function, other) in COMPANIONS {
            let functions = &source.well_known.functions;
            if let (Some(var), Some(other)) = (functions.get(function), functions.get(other)) {
                companions.insert(var, other);
            }
        }
        Self {
            source,
            out,
            diagnostics,
            item_of,
            by_key: FxHashMap::default(),
            members: FxHashMap::default(),
            instances: Vec::new(),
            work: Vec::new(),
            made: source.items.iter().map(|_| Vec::new()).collect(),
            subst: IdMap::new(),
            ty_cache: IdMap::new(),
            generation: 0,
            last_generation: 0,
            vars: IdMap::new(),
            joins: IdMap::new(),
            local_group: IdMap::new(),
            locals: IdMap::new(),
            current: None,
            place: None,
            owner: Owner::Item(0),
            generated: Vec::new(),
            generated_by_key: FxHashMap::default(),
            generated_work: Vec::new(),
            tags: tags::Tags::default(),
            objects: objects::Objects::default(),
            has_float: IdMap::new(),
            has_function: IdMap::new(),
            references: None,
            refused: IndexSet::new(),
            exns: Exns::default(),
            exn_instances: FxHashMap::default(),
            companions,
            polymorphic: 0,
            depths: IdMap::new(),
            gave_up: false,
            facts: Facts::default(),
            learnt: false,
            uniform: None,
            origins: IdMap::new(),
            arities: None,
            adapted: IdMap::new(),
            phrase: None,
            noted: phrase::Noted::default(),
        }
    }

    fn demand_roots(&mut self) {
        let source = self.source;
        let first = self.phrase.map_or(0, |it| it.first);
        for (index, item) in source.items.iter().enumerate().skip(first) {
            if !item.library && self.item_tyvars(index).is_empty() {
                self.demand((index, None), Vec::new(), item.span);
            } else if self.is_shown(item) {
                // Whatever its type: what is shown of it is the same.
                let unit = self.out.types.unit;
                let tyargs = self.item_tyvars(index).iter().map(|_| unit).collect();
                self.demand((index, None), tyargs, item.span);
            }
        }
        // A phrase is not the end of the program.
        let (is_phrase, flush) = (self.phrase.is_some(), source.well_known.flush);
        for var in source.well_known.entries().filter(|it| !is_phrase || Some(*it) == flush) {
            self.demand_var(var);
        }
        self.work.reverse();
    }

    /// The values of polymorphic items have no effects, so unused ones vanish. One that
    /// has effects all the same is evaluated once.
    fn demand_effects(&mut self) {
        let source = self.source;
        let first = self.phrase.map_or(0, |it| it.first);
        for (index, item) in source.items.iter().enumerate().skip(first) {
            if let ItemKind::Let { value, .. } = item.kind
                && !item.library
                && self.made[index].is_empty()
                && !self.is_value(value)
            {
                let unit = self.out.types.unit;
                let tyargs = self.item_tyvars(index).iter().map(|_| unit).collect();
                self.demand((index, None), tyargs, item.span);
            }
        }
    }

    /// Copies what has been asked for until nothing is left to copy.
    fn drain(&mut self) {
        loop {
            while let Some(instance) = self.work.pop() {
                self.copy_instance(instance);
                self.check_size(instance);
            }
            if let Some(generated) = self.generated_work.pop() {
                self.fill_generated(generated);
                continue;
            }
            // Functions over all exceptions are filled again when others have turned up.
            if !self.refill_outdated() {
                return;
            }
        }
    }

    fn finish(mut self) -> Program<Mono> {
        let source = self.source;
        // Their instances stand for them.
        for (_, decl) in self.out.types.exns.iter_mut().filter(|it| !it.1.params.is_empty()) {
            decl.params.clear();
            decl.fields.clear();
            decl.is_fresh = false;
        }
        self.renumber_tags();
        let generated = self.place_generated();
        let mut generated = generated.into_iter().peekable();
        let made = std::mem::take(&mut self.made);
        for (index, items) in made.into_iter().enumerate() {
            while let Some((_, item)) = generated.next_if(|it| it.0 <= index) {
                self.out.items.push(item);
            }
            let is_group = self.members.get(&index).is_some_and(Option::is_some);
            self.out.items.extend(if is_group { members::joined(items) } else { items });
        }
        self.out.items.extend(generated.map(|it| it.1));

        let known = |var: VarId| {
            let (item, place) = *self.item_of.get(var)?;
            let instance = *self.by_key.get(&(item, None, Vec::new()))?;
            self.instances[instance].vars.get(place).copied()
        };
        // The primitives that start fibres and domains ask for these.
        let entry = |it| source.well_known.functions.get(it).and_then(known);
        self.out.well_known = WellKnown {
            uncaught: source.well_known.uncaught.and_then(known),
            finish: source.well_known.finish.and_then(known),
            flush: source.well_known.flush.and_then(known),
            fiber: entry(KnownFunction::FiberStart),
            unwinds: entry(KnownFunction::FiberUnwinds),
            domain: entry(KnownFunction::DomainStart),
            exns: source.well_known.exns,
            functions: source.well_known.functions.filter_map(known),
        };
        // A type's own functions have been asked for.
        let mut has_own = false;
        for (_, decl) in self.out.types.datas.iter_mut() {
            has_own |= !std::mem::take(&mut decl.own).is_empty();
        }
        if has_own {
            arrange::run(&mut self.out);
        }
        fold_domains::run(&mut self.out);
        oxbow_psg::captures::fill_all(&mut self.out);
        self.out
    }

    fn item_tyvars(&self, item: usize) -> &'a [TyVarId] {
        let source = self.source;
        source.items[item].kind.vars().first().map_or(&[], |&it| &source.vars[it].tyvars)
    }

    /// The copy of an item or of one of its members at these types, made later if it is not there yet.
    fn demand(
        &mut self,
        (item, member): (usize, Option<usize>),
        tyargs: Vec<TyId>,
        span: Span,
    ) -> usize {
        let key = (item, member, tyargs);
        if let Some(&it) = self.by_key.get(&key) {
            return it;
        }
        let depth = self.current.map_or(0, |it| self.instances[it].depth + 1);
        let most = self.recursive_instances();
        if depth > most
            && let Some(first) = self.first_of_many((item, member), most)
            && let Some(&binding) = self.source.items[item].kind.vars().first()
        {
            self.note_members_growth(item, first);
            let first = self.instances[first].tyargs.clone();
            self.learn_growth(binding, &first, &key.2);
        }
        // What is made after a report is not used.
        if self.gave_up
            && let Some(stand_in) =
                self.instances.iter().position(|it| (it.item, it.member) == (item, member))
        {
            self.by_key.insert(key, stand_in);
            return stand_in;
        }
        let source = self.source;
        let saved = self.enter(self.item_tyvars(item), &key.2);
        let copied = source.items[item].kind.vars();
        let copied = member.map_or(copied, |it| &copied[it..=it]);
        let vars = copied.iter().map(|&it| self.fresh_var(it)).collect();
        self.leave(saved);
        let index = self.instances.len();
        self.polymorphic += usize::from(!key.2.is_empty());
        self.instances.push(Instance {
            item,
            member,
            tyargs: key.2.clone(),
            vars,
            parent: self.current,
            asked: self.place.unwrap_or(span),
            depth,
        });
        self.by_key.insert(key, index);
        if !self.gave_up {
            self.work.push(index);
        }
        index
    }

    /// The first instance of this that led to the code that is being copied, if more than `most` did.
    fn first_of_many(&self, of: (usize, Option<usize>), most: usize) -> Option<usize> {
        let (mut at, mut count, mut first) = (self.current, 0, None);
        while let Some(it) = at {
            if (self.instances[it].item, self.instances[it].member) == of {
                count += 1;
                first = Some(it);
            }
            at = self.instances[it].parent;
        }
        first.filter(|_| count > most)
    }

    /// Reports what grows, once: with each copy it would grow on.
    fn give_up(&mut self, report: Diagnostic) {
        if !std::mem::replace(&mut self.gave_up, true) {
            self.diagnostics.error(report);
        }
        self.work.clear();
        self.generated_work.clear();
    }

    /// Gives up if there are too many copies; `instance` is the last.
    fn check_size(&mut self, instance: usize) {
        let grown: Option<Limit> = if self.polymorphic > limits::INSTANCES.most {
            Some(limits::INSTANCES)
        } else {
            (self.out.nodes.len() > limits::NODES.most).then_some(limits::NODES)
        };
        if let Some(limit) = grown {
            let Instance { item, asked, .. } = self.instances[instance];
            let vars = self.source.items[item].kind.vars();
            let name = vars.first().map_or("this", |&it| self.source.vars[it].name.as_str());
            let label = format!("here `{name}` is used at one more type");
            self.give_up(limit.report(asked, label));
        }
    }

    /// The copy of a monomorphic global variable.
    fn demand_var(&mut self, var: VarId) -> VarId {
        self.demand_global(var, Vec::new(), self.source.vars[var].span)
    }

    fn demand_global(&mut self, var: VarId, mut tyargs: Vec<TyId>, span: Span) -> VarId {
        let Some(&(item, place)) = self.item_of.get(var) else {
            ice!("no item binds the global variable {} ({var})", self.source.vars[var].name);
        };
        let member = self.member(item, place, &mut tyargs);
        let instance = self.demand((item, member), tyargs, span);
        if let Some(&companion) = self.companions.get(var) {
            self.demand_var(companion);
        }
        self.instances[instance].vars[member.map_or(place, |_| 0)]
    }

    /// The function of the library, which generated code calls.
    fn well_known(&mut self, function: KnownFunction) -> VarId {
        match self.source.well_known.functions.get(function) {
            Some(var) => self.demand_var(var),
            None => ice!("the part of the library with `{}` was not read", function.word()),
        }
    }

    fn copy_instance(&mut self, index: usize) {
        let source = self.source;
        let item = self.instances[index].item;
        self.current = Some(index);
        self.place = None;
        self.owner = Owner::Item(item);
        let tyargs = self.instances[index].tyargs.clone();
        let vars = self.instances[index].vars.clone();
        let saved = self.enter(self.item_tyvars(item), &tyargs);
        let kind = match &source.items[item].kind {
            ItemKind::Let { value, .. } => {
                if self.made[item].len() == 1 && !self.is_value(*value) {
                    let of_item = self.instances.iter().filter(|it| it.item == item);
                    let types = of_item.map(|it| it.tyargs.clone()).collect();
                    let binding = source.items[item].kind.vars()[0];
                    self.learn_computed(binding, types, source.items[item].span);
                }
                let value = match self.kept_value(index, *value) {
                    Some(kept) => kept,
                    None => self.copy(*value),
                };
                ItemKind::Let { var: vars[0], value }
            }
            ItemKind::LetRec { values, .. } => {
                let copied =
                    self.instances[index].member.map_or(&values[..], |it| &values[it..=it]);
                ItemKind::LetRec { vars, values: copied.iter().map(|&it| self.copy(it)).collect() }
            }
            ItemKind::Eval(node) => ItemKind::Eval(self.copy(*node)),
        };
        self.leave(saved);
        self.current = None;
        let (span, library) = (source.items[item].span, source.items[item].library);
        self.made[item].push(Item { kind, span, library });
    }

    /// No effect can be seen if the node is evaluated once, twice or never.
    fn is_value(&self, node: NodeId) -> bool {
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            let kind = &self.source.nodes[node].kind;
            match kind {
                NodeKind::Const(_) | NodeKind::Var { .. } | NodeKind::Lambda(_) => (),
                // At most a function is put around another one.
                NodeKind::Prim { prim: Prim::Retype, .. } => (),
                NodeKind::Prim { prim, .. } => {
                    if prim.effect() != oxbow_psg::Effect::Pure {
                        return false;
                    }
                }
                NodeKind::Let { .. }
                | NodeKind::LetRec { .. }
                | NodeKind::Seq(_)
                | NodeKind::If { .. }
                | NodeKind::Switch { .. }
                | NodeKind::Tuple(_)
                | NodeKind::TupleGet { .. }
                | NodeKind::Record(_)
                | NodeKind::Construct { .. }
                | NodeKind::Field { .. }
                | NodeKind::Array(_)
                | NodeKind::MakeExn { .. }
                | NodeKind::ExnField { .. }
                | NodeKind::Join { .. }
                | NodeKind::Jump { .. } => (),
                NodeKind::Apply { .. }
                | NodeKind::Assign { .. }
                | NodeKind::While { .. }
                | NodeKind::For { .. }
                | NodeKind::SetField { .. }
                | NodeKind::Raise(_)
                | NodeKind::Try { .. } => return false,
            }
            kind.for_each_child(|it| work.push(it));
        }
        true
    }
}
