//! Writes the program again with the levels that were found.
//!
//! ```text
//! float                float * float, float * int, …        as its level says
//! float array          float array * float array, …         one array for each part of the number
//! other types          the same with these replaced; data types are declared anew
//! ```
//!
//! Each instance of a function that is mentioned becomes a function. Where a number flows to a higher
//! level, zero derivatives are added. Comparisons, conversions to integers and text take the value.

use oxbow_base::{FxHashMap, Id, IdMap, IdSet, Span};
use oxbow_diag::ice;
use oxbow_psg::{
    DataDecl, DataKind, Item, ItemKind, JoinId, KnownFunction, KnownFunctions, KnownGroup, Mono,
    NodeId, Program, Ty, TyId, TypeTable, Var, VarId, WellKnown, captures,
};

use super::constrain::Global;
use super::level::Level;
use super::shape::{Shape, ShapeId};
use super::solve::{InstanceId, Owner, Solver, is_function_item};
use super::tape::NodeOf;

pub struct Emitter<'a> {
    pub solver: Solver<'a>,
    pub source: &'a Program<Mono>,
    pub out: Program<Mono>,
    /// Of the code that is being written.
    pub span: Span,
    pub frame: Frame,
    pub operations: FxHashMap<(oxbow_psg::Prim, Vec<Level>), VarId>,
    data: FxHashMap<(TyId, Vec<Level>), TyId>,
    reps: FxHashMap<(InstanceId, ShapeId, TyId), TyId>,
    globals: IdMap<VarId, VarId>,
    functions: FxHashMap<(VarId, Vec<Level>), VarId>,
    work: Vec<(VarId, InstanceId)>,
    item_of: IdMap<VarId, usize>,
    /// The functions made for each item, with the global variables that they mention.
    made: Vec<Vec<Made>>,
    /// Operations and tapes.
    front: Vec<Made>,
    tapes: FxHashMap<Level, VarId>,
    pub pushes: FxHashMap<(Level, usize, NodeOf), VarId>,
    /// Functions whose code or callees contain operators.
    operators: IdSet<VarId>,
}

struct Made {
    var: VarId,
    value: NodeId,
    uses: IdSet<VarId>,
}

/// The instance whose code is being written.
pub struct Frame {
    pub instance: InstanceId,
    pub vars: IdMap<VarId, VarId>,
    pub joins: IdMap<JoinId, JoinId>,
    pub mentions: IdMap<NodeId, usize>,
    uses: IdSet<VarId>,
}

impl Frame {
    fn new(instance: InstanceId) -> Self {
        Self {
            instance,
            vars: IdMap::new(),
            joins: IdMap::new(),
            mentions: IdMap::new(),
            uses: IdSet::new(),
        }
    }
}

/// The program with all levels written out.
pub fn run(solver: Solver<'_>) -> Program<Mono> {
    let source = solver.program;
    let mut item_of = IdMap::new();
    for (index, item) in source.items.iter().enumerate() {
        for &var in item.kind.vars() {
            item_of.insert(var, index);
        }
    }
    let operators = reaching_operators(&solver);
    let Some(span) = source.items.first().map(|it| it.span) else { ice!("an empty program") };
    let mut emitter = Emitter {
        solver,
        source,
        out: Program::new(),
        span,
        frame: Frame::new(InstanceId::from_index(0)),
        operations: FxHashMap::default(),
        data: FxHashMap::default(),
        reps: FxHashMap::default(),
        globals: IdMap::new(),
        functions: FxHashMap::default(),
        work: Vec::new(),
        item_of,
        made: source.items.iter().map(|_| Vec::new()).collect(),
        front: Vec::new(),
        tapes: FxHashMap::default(),
        pushes: FxHashMap::default(),
        operators,
    };
    emitter.exceptions();
    let items = emitter.items();
    let well_known = emitter.well_known();
    emitter.drain();
    let mut out = emitter.assemble(items);
    out.well_known = well_known;
    captures::fill_all(&mut out);
    out
}

/// The functions from which an operator can be reached by mentions.
fn reaching_operators(solver: &Solver<'_>) -> IdSet<VarId> {
    let mut found = IdSet::new();
    loop {
        let mut changed = false;
        for (owner, constraints) in &solver.constraints {
            if let Owner::Function(var) = *owner
                && (constraints.scope.is_some()
                    || constraints.mentions.iter().any(|it| found.contains(it.function)))
            {
                changed |= found.insert(var);
            }
        }
        if !changed {
            return found;
        }
    }
}

impl<'a> Emitter<'a> {
    pub fn table(&mut self) -> &mut TypeTable {
        &mut self.solver.types.table
    }

    pub fn add(&mut self, kind: oxbow_psg::NodeKind, ty: TyId) -> NodeId {
        self.out.add(kind, ty, self.span)
    }

    /// Writes the value of a global variable of the compiler's own.
    pub fn add_front(&mut self, var: VarId, write: impl FnOnce(&mut Self) -> NodeId) {
        let saved = std::mem::take(&mut self.frame.uses);
        let value = write(self);
        let uses = std::mem::replace(&mut self.frame.uses, saved);
        self.front.push(Made { var, value, uses });
    }

    pub fn note_use(&mut self, var: VarId) {
        self.frame.uses.insert(var);
    }

    /// Payloads of exceptions have one level in the whole program: the declarations change.
    fn exceptions(&mut self) {
        let exns: Vec<_> = self.solver.types.table.exns.ids().collect();
        for exn in exns {
            let levels = self.solver.global_levels(Global::Payload(exn));
            if levels.iter().all(|it| it.is_ground()) {
                continue;
            }
            let Some((id, shapes)) = self.solver.instances.iter().find_map(|it| {
                let shapes = self.solver.constraints[&it.1.owner].payloads.get(exn)?;
                Some((it.0, shapes.clone()))
            }) else {
                continue;
            };
            for (place, shape) in shapes.into_iter().enumerate() {
                let ty = self.table().exns[exn].fields[place].ty;
                let rep = self.rep(id, ty, shape);
                self.table().exns[exn].fields[place].ty = rep;
            }
        }
    }

    /// Items that are no functions, in their places.
    fn items(&mut self) -> Vec<Option<Item>> {
        let mut items = Vec::new();
        let mut instance_of: FxHashMap<usize, InstanceId> = FxHashMap::default();
        for (id, instance) in self.solver.instances.iter() {
            if let Owner::Item(index) = instance.owner {
                instance_of.insert(index, id);
            }
        }
        for (index, item) in self.source.items.iter().enumerate() {
            if is_function_item(self.source, &item.kind) {
                items.push(None);
                continue;
            }
            self.open(instance_of[&index]);
            let kind = match &item.kind {
                ItemKind::Let { var, value } => {
                    let owner = Owner::Item(index);
                    let target = self.solver.constraints[&owner].vars[*var];
                    let value = self.emit_to(*value, target);
                    let ty = self.out.ty(value);
                    ItemKind::Let { var: self.global_var(*var, ty), value }
                }
                ItemKind::Eval(node) => ItemKind::Eval(self.emit(*node)),
                ItemKind::LetRec { .. } => ice!("functions are not among the items"),
            };
            items.push(Some(Item { kind, span: item.span, library: item.library }));
        }
        items
    }

    fn open(&mut self, instance: InstanceId) {
        let mut frame = Frame::new(instance);
        let owner = self.solver.instances[instance].owner;
        for (place, mention) in self.solver.constraints[&owner].mentions.iter().enumerate() {
            frame.mentions.insert(mention.node, place);
        }
        self.frame = frame;
    }

    fn well_known(&mut self) -> WellKnown {
        let known = self.source.well_known.clone();
        let mut function = |var: VarId| {
            let id = self.instance_at(var, Level::GROUND);
            self.function(id)
        };
        let mut functions = KnownFunctions::default();
        if let Some(var) = known.functions.get(KnownFunction::AddProduct) {
            let is_first = functions.insert(KnownFunction::AddProduct, function(var));
            debug_assert!(is_first, "nothing was known before");
        }
        WellKnown {
            uncaught: known.uncaught.map(&mut function),
            finish: known.finish.map(&mut function),
            flush: known.flush.map(&mut function),
            fiber: known.fiber.map(&mut function),
            unwinds: known.unwinds.map(&mut function),
            domain: known.domain.map(&mut function),
            functions,
            ..known
        }
    }

    fn drain(&mut self) {
        while let Some((var, instance)) = self.work.pop() {
            let Owner::Function(old) = self.solver.instances[instance].owner else { continue };
            self.open(instance);
            let Some(&lambda) = self.solver.functions.lambdas.get(old) else { continue };
            let shape = self.function_shape(instance);
            let value = self.lambda(lambda, shape, self.source.vars[old].span);
            let uses = std::mem::take(&mut self.frame.uses);
            self.made[self.item_of[old]].push(Made { var, value, uses });
        }
    }

    fn function_shape(&self, instance: InstanceId) -> ShapeId {
        match self.solver.constraints[&self.solver.instances[instance].owner].shape {
            Some(shape) => shape,
            None => ice!("an item has no shape"),
        }
    }

    /// The variable of an instance; its code is written later.
    pub fn function(&mut self, instance: InstanceId) -> VarId {
        let Owner::Function(old) = self.solver.instances[instance].owner else {
            ice!("instance {instance} is no function")
        };
        let constraints = &self.solver.constraints[&Owner::Function(old)];
        let mut key = self.solver.levels(instance, &constraints.interface);
        if !self.operators.contains(old) {
            // Inside of which derivatives it is called changes nothing in its code.
            for (level, &slot) in key.iter_mut().zip(&constraints.interface) {
                if constraints.shapes.is_latent(slot) {
                    *level = Level::GROUND;
                }
            }
        }
        if let Some(&known) = self.functions.get(&(old, key.clone())) {
            return known;
        }
        let shape = self.function_shape(instance);
        let data = self.source.vars[old].clone();
        let ty = self.rep(instance, data.ty, shape);
        let var = self.out.vars.push(Var { ty, ..data });
        self.functions.insert((old, key), var);
        self.work.push((var, instance));
        var
    }

    /// A function of the library's tape at this level.
    pub fn library(&mut self, function: KnownFunction, level: Level) -> VarId {
        let Some(var) = self.source.well_known.functions.get(function) else {
            ice!("the part of the library with `{}` was not read", function.word())
        };
        let instance = self.instance_at(var, level);
        self.function(instance)
    }

    /// The levels of the program are known by now, and no function of the library takes derivatives without end.
    fn instance_at(&mut self, var: VarId, level: Level) -> InstanceId {
        let Ok(instance) = self.solver.instance_at(var, level, self.span) else {
            ice!("a function of the library has no levels")
        };
        instance
    }

    /// The tape for numbers of this level.
    pub fn tape(&mut self, level: Level) -> VarId {
        if let Some(&known) = self.tapes.get(&level) {
            return known;
        }
        let create = self.library(KnownFunction::TapeCreate, level.outer());
        let ty = self.out.vars[create].ty;
        let result = self.table().split_function(ty, 1).1;
        let var = self.global(&format!("tape_{}", level.suffix()), result);
        self.tapes.insert(level, var);
        self.add_front(var, |it| {
            let unit = it.table().unit;
            let argument = it.add(oxbow_psg::NodeKind::Const(oxbow_psg::Const::Unit), unit);
            it.call(create, vec![argument])
        });
        var
    }

    pub fn global_var(&mut self, var: VarId, ty: TyId) -> VarId {
        if let Some(&known) = self.globals.get(var) {
            return known;
        }
        let data = self.source.vars[var].clone();
        let new = self.out.vars.push(Var { ty, ..data });
        self.globals.insert(var, new);
        new
    }

    /// The type of values of this shape.
    pub fn rep(&mut self, instance: InstanceId, ty: TyId, shape: ShapeId) -> TyId {
        let owner = self.solver.instances[instance].owner;
        let constraints = std::rc::Rc::clone(&self.solver.constraints[&owner]);
        let key = (instance, constraints.shapes.find(shape), ty);
        if let Some(&known) = self.reps.get(&key) {
            return known;
        }
        let rep = match (constraints.shapes.get(shape).clone(), self.table().get(ty).clone()) {
            (Shape::Number(slot), _) => {
                let level = self.solver.level(instance, slot);
                self.number_ty(level)
            }
            (Shape::Fn { param, result, .. }, Ty::Fn(param_ty, result_ty)) => {
                let param = self.rep(instance, param_ty, param);
                let result = self.rep(instance, result_ty, result);
                self.table().intern(Ty::Fn(param, result))
            }
            (Shape::Array(item), Ty::Array(item_ty)) => match constraints.shapes.as_number(item) {
                Some(slot) => {
                    let level = self.solver.level(instance, slot);
                    self.array_ty(level)
                }
                None => {
                    let item = self.rep(instance, item_ty, item);
                    self.table().intern(Ty::Array(item))
                }
            },
            (Shape::Tuple(items), Ty::Tuple(tys)) => {
                let items =
                    items.iter().zip(tys).map(|(&item, ty)| self.rep(instance, ty, item)).collect();
                self.table().intern(Ty::Tuple(items))
            }
            (Shape::Data(ctors), Ty::Data(..)) => {
                return self.data_rep(instance, ty, shape, &ctors);
            }
            _ => ty,
        };
        self.reps.insert(key, rep);
        rep
    }

    fn data_rep(
        &mut self,
        instance: InstanceId,
        ty: TyId,
        shape: ShapeId,
        ctors: &[Vec<ShapeId>],
    ) -> TyId {
        let owner = self.solver.instances[instance].owner;
        let constraints = std::rc::Rc::clone(&self.solver.constraints[&owner]);
        let slots = constraints.shapes.slots_of(&mut self.solver.types, ty, shape);
        let levels: Vec<Level> = slots
            .iter()
            .map(|&it| {
                let is_number = !constraints.shapes.is_latent(it);
                if is_number { self.solver.level(instance, it) } else { Level::GROUND }
            })
            .collect();
        if levels.iter().all(|it| it.is_ground()) {
            return ty;
        }
        let key = (ty, levels);
        if let Some(&known) = self.data.get(&key) {
            return known;
        }
        let Ty::Data(data, _) = *self.table().get(ty) else { ice!("{ty} is no data type") };
        let decl = self.table().datas[data].clone();
        let new = self.table().datas.push(DataDecl { params: Vec::new(), ..decl });
        let rep = self.table().intern(Ty::Data(new, Vec::new()));
        self.data.insert(key, rep);
        for (ctor, tys) in self.solver.types.fields(ty).into_iter().enumerate() {
            for (place, field) in tys.into_iter().enumerate() {
                let field = self.rep(instance, field, ctors[ctor][place]);
                match &mut self.table().datas[new].kind {
                    DataKind::Record(fields) => fields[place].ty = field,
                    DataKind::Variant(all) => all[ctor].fields[place].ty = field,
                }
            }
        }
        rep
    }

    fn assemble(mut self, items: Vec<Option<Item>>) -> Program<Mono> {
        let mut out = std::mem::take(&mut self.out);
        let mut known = self.source.well_known.functions.iter();
        let core = known.find(|it| matches!(it.0.group(), KnownGroup::Tape | KnownGroup::Series));
        let core = core.map(|it| self.source.vars[it.1].span.file);
        let mut front = std::mem::take(&mut self.front);
        let mut rest = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            let old = &self.source.items[index];
            let made = std::mem::take(&mut self.made[index]);
            match item {
                Some(item) => rest.push(item),
                None if Some(old.span.file) == core => front.extend(made),
                None => rest.extend(group(made, old.span, old.library)),
            }
        }
        // Library functions before the operations' own place call them already.
        out.items = group(front, self.span, true);
        out.items.append(&mut rest);
        out.types = self.solver.types.table;
        out
    }
}

/// Definitions, each after those that it mentions.
fn group(made: Vec<Made>, span: Span, library: bool) -> Vec<Item> {
    let place: IdMap<VarId, usize> = made.iter().enumerate().map(|it| (it.1.var, it.0)).collect();
    let graph: Vec<Vec<usize>> = made
        .iter()
        .map(|it| {
            let mut uses: Vec<usize> =
                it.uses.iter().filter_map(|it| place.get(it).copied()).collect();
            uses.sort_unstable();
            uses
        })
        .collect();
    let mut items = Vec::new();
    for component in oxbow_base::components(&graph) {
        let single = component.len() == 1 && !graph[component[0]].contains(&component[0]);
        let kind = if single {
            ItemKind::Let { var: made[component[0]].var, value: made[component[0]].value }
        } else {
            ItemKind::LetRec {
                vars: component.iter().map(|&it| made[it].var).collect(),
                values: component.iter().map(|&it| made[it].value).collect(),
            }
        };
        items.push(Item { kind, span, library });
    }
    items
}
