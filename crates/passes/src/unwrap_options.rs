//! `Some r` of a record is the record, where data hold it.
//!
//! ```text
//! before   type cell = { value : int; mutable next : cell option }
//!          first.next <- Some second                         match c.next with None -> … | Some d -> f d
//! after    type cell = cell { value : int; mutable next : cell } | None
//!          first.next <- second                              switch c.next { cell -> f c.next; None -> … }
//! ```
//!
//! A reference to a record is never a constant, so a constant can say that there is none. The record's type gets
//! one constructor more, and stands for the option as well: nothing is made for `Some`, nothing is read where it is
//! matched, and one count is kept instead of two. The same holds for every type with one constant and one constructor
//! around a record, as `type link = End | Link of cell`. A record stays as it is if
//!
//! - no data of the program hold such an option of it: what functions only hand on is short-lived anyway;
//! - the compiler knows its type, or it has no fields;
//! - a primitive looks at values of it, other than `==`;
//! - a declaration has a parameter in an option, which the record is an argument for: that field would need another
//!   type in this instance of the declaration.
//!
//! Programs with `Marshal` stay as they are: bytes are read by the types that wrote them.
//!
//! Phase: Mono -> Mono. After `unbox_products`, so that what is still a record is an object. Nothing grows.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{
    Compared, Ctor, DataDecl, DataId, DataKind, Key, KnownType, Mono, NodeId, NodeKind, Prim,
    Program, Ty, TyId, walk,
};

use crate::retyping::{self, Retyping, mentioned, moves_values};

/// The constructor with a record's fields, and the constant beside it.
const RECORD: u32 = 0;
const NOTHING: u32 = 1;

pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let Some(chosen) = choose(&program) else { return program };
    let changes = retyping::changes(
        &program,
        |node| inside(&program, &chosen, node),
        |node| changed(&program, &chosen, node),
    );
    let mut types = Types { chosen, known: IdMap::new() };
    let constants = types.constants(&program);
    // All before a declaration changes: what a type wraps is read there.
    for ty in all_types(&program).iter() {
        types.map(&mut program, ty);
    }
    types.run(&mut program, changes);
    for (data, constant) in constants {
        add_constant(&mut program.types.datas[data], constant);
    }
    program
}

/// A type with a constant and a constructor around one other value.
#[derive(Clone, Copy)]
struct Wrapper {
    /// The number of the constructor around the value; the constant has the other one.
    full: u32,
    /// What it holds, in the words of the declaration.
    inside: TyId,
}

fn wrapper(decl: &DataDecl) -> Option<Wrapper> {
    let DataKind::Variant(ctors) = &decl.kind else { return None };
    let [one, two] = &ctors[..] else { return None };
    let (full, field) = match (&one.fields[..], &two.fields[..]) {
        ([], [field]) => (1, field),
        ([field], []) => (0, field),
        _ => return None,
    };
    let is_plain = is_plain(decl) && decl.known.is_none_or(|it| it == KnownType::Option);
    (is_plain && !field.mutable).then_some(Wrapper { full, inside: field.ty })
}

fn is_plain(decl: &DataDecl) -> bool {
    match decl.compared {
        Compared::Parts | Compared::Declared | Compared::Reference => true,
        Compared::Elements
        | Compared::Identity
        | Compared::Suspension
        | Compared::Tags
        | Compared::Objects
        | Compared::Numbers
        | Compared::Integers => false,
    }
}

/// Which records get a constant.
struct Chosen {
    records: IdSet<DataId>,
    /// Wrappers that stay, whatever they hold.
    kept: IdSet<DataId>,
}

impl Chosen {
    /// What a value of this type wraps, if that is all that will be left of it.
    fn unwrap(&self, program: &Program<Mono>, ty: TyId) -> Option<(Wrapper, TyId)> {
        let Ty::Data(data, args) = program.types.get(ty) else { return None };
        if self.kept.contains(*data) {
            return None;
        }
        let decl = &program.types.datas[*data];
        let wrapper = wrapper(decl)?;
        let inside = match program.types.get(wrapper.inside) {
            Ty::Var(var) => args[decl.params.iter().position(|it| it == var)?],
            _ if args.is_empty() => wrapper.inside,
            _ => return None,
        };
        let Ty::Data(record, _) = program.types.get(inside) else { return None };
        self.records.contains(*record).then_some((wrapper, inside))
    }

    /// Strikes off what a type mentions.
    fn keep(&mut self, program: &Program<Mono>, ty: TyId) {
        for data in mentioned(program, &[ty]) {
            self.records.remove(data);
            // What a primitive does with options of one type says nothing of others.
            if program.types.datas[data].known != Some(KnownType::Option) {
                self.kept.insert(data);
            }
        }
    }
}

fn choose(program: &Program<Mono>) -> Option<Chosen> {
    let mut chosen = Chosen { records: IdSet::new(), kept: IdSet::new() };
    for (data, decl) in program.types.datas.iter() {
        if let DataKind::Record(fields) = &decl.kind
            && !fields.is_empty()
            && decl.known.is_none()
            && is_plain(decl)
        {
            chosen.records.insert(data);
        }
    }
    let mut marshals = false;
    walk::for_each_reachable(program, |node| {
        let NodeKind::Prim { prim, args } = &program.nodes[node].kind else { return };
        match prim {
            Prim::MarshalWrite | Prim::MarshalRead | Prim::MarshalShape => marshals = true,
            // What of the records is one object, is so of the options. Of tuples it looks at the parts.
            Prim::PhysEq | Prim::PhysNe => {
                let ty = program.ty(args[0]);
                if let Ty::Tuple(_) = program.types.get(ty) {
                    chosen.keep(program, ty);
                }
            }
            prim if moves_values(*prim) => (),
            _ => {
                chosen.keep(program, program.ty(node));
                args.iter().for_each(|&it| chosen.keep(program, program.ty(it)));
            }
        }
    });
    if marshals {
        return None;
    }
    strike_hidden(program, &mut chosen);
    let held = held(program, &chosen);
    chosen.records = program.types.datas.ids().filter(|it| held.contains(*it)).collect();
    (!held.is_empty()).then_some(chosen)
}

/// All types of variables, nodes and fields, with their parts.
fn all_types(program: &Program<Mono>) -> IdSet<TyId> {
    let mut seen: IdSet<TyId> = IdSet::new();
    let mut work: Vec<TyId> = program.vars.iter().map(|it| it.1.ty).collect();
    work.extend(program.nodes.iter().map(|it| it.1.ty));
    work.extend(field_types(program));
    while let Some(ty) = work.pop() {
        if seen.insert(ty) {
            work.extend(program.types.get(ty).parts());
        }
    }
    seen
}

fn field_types(program: &Program<Mono>) -> impl Iterator<Item = TyId> {
    let datas = program.types.datas.iter().flat_map(|it| it.1.kind.fields());
    datas.chain(program.types.exns.iter().flat_map(|it| &it.1.fields)).map(|it| it.ty)
}

/// Strikes off the records that are arguments of declarations which have a parameter in a wrapper.
fn strike_hidden(program: &Program<Mono>, chosen: &mut Chosen) {
    let mut hiding: IdSet<DataId> = IdSet::new();
    let is_var = |ty: TyId| matches!(program.types.get(ty), Ty::Var(_));
    loop {
        let mut more = false;
        for (data, decl) in program.types.datas.iter() {
            if hiding.contains(data) {
                continue;
            }
            let types: Vec<TyId> = decl.kind.fields().map(|it| it.ty).collect();
            let hides = parts(program, &types).into_iter().any(|ty| {
                let Ty::Data(inner, args) = program.types.get(ty) else { return false };
                let is_open = !program.types.vars_in(args.iter().copied()).is_empty();
                is_open && hiding.contains(*inner)
                    || wrapper(&program.types.datas[*inner]).is_some()
                        && args.iter().any(|it| is_var(*it))
            });
            if hides {
                hiding.insert(data);
                more = true;
            }
        }
        if !more {
            break;
        }
    }
    for ty in all_types(program).iter() {
        if let Ty::Data(data, args) = program.types.get(ty)
            && hiding.contains(*data)
        {
            for data in mentioned(program, args) {
                chosen.records.remove(data);
            }
        }
    }
}

/// Types and their parts.
fn parts(program: &Program<Mono>, types: &[TyId]) -> Vec<TyId> {
    let (mut seen, mut found, mut work) = (IdSet::<TyId>::new(), Vec::new(), types.to_vec());
    while let Some(ty) = work.pop() {
        if seen.insert(ty) {
            found.push(ty);
            work.extend(program.types.get(ty).parts());
        }
    }
    found
}

/// The records that fields, arrays or references hold behind a wrapper.
fn held(program: &Program<Mono>, chosen: &Chosen) -> IdSet<DataId> {
    let mut found = IdSet::new();
    let mut holder = |ty: TyId| {
        if let Some((_, inside)) = chosen.unwrap(program, ty)
            && let Ty::Data(record, _) = program.types.get(inside)
        {
            found.insert(*record);
        }
    };
    field_types(program).for_each(&mut holder);
    for ty in all_types(program).iter() {
        match program.types.get(ty) {
            Ty::Array(item) => holder(*item),
            Ty::Data(data, args) if program.types.datas[*data].known == Some(KnownType::Cell) => {
                args.iter().copied().for_each(&mut holder);
            }
            _ => (),
        }
    }
    found
}

/// The node that makes the value, behind options that are made or read.
fn inside(program: &Program<Mono>, chosen: &Chosen, mut node: NodeId) -> NodeId {
    loop {
        let (option, part) = match &program.nodes[node].kind {
            NodeKind::Construct { args, .. } => match args[..] {
                [part] => (program.ty(node), part),
                _ => return node,
            },
            NodeKind::Field { object, .. } => (program.ty(*object), *object),
            _ => return node,
        };
        if chosen.unwrap(program, option).is_none() {
            return node;
        }
        node = part;
    }
}

/// The kind of a node that makes a record or nothing, or distinguishes them.
fn changed(program: &Program<Mono>, chosen: &Chosen, node: NodeId) -> Option<NodeKind> {
    match &program.nodes[node].kind {
        NodeKind::Record(args) => {
            let Ty::Data(data, _) = program.types.get(program.ty(node)) else { return None };
            let is_chosen = chosen.records.contains(*data);
            is_chosen.then(|| NodeKind::Construct { ctor: RECORD, args: args.clone() })
        }
        NodeKind::Construct { .. } => {
            chosen.unwrap(program, program.ty(node))?;
            Some(NodeKind::Construct { ctor: NOTHING, args: Vec::new() })
        }
        NodeKind::Switch { value, cases, default } => {
            let (wrapper, _) = chosen.unwrap(program, program.ty(*value))?;
            let cases = cases.iter().map(|(key, case)| {
                let key = match *key {
                    Key::Ctor(it) if it == wrapper.full => Key::Ctor(RECORD),
                    Key::Ctor(_) => Key::Ctor(NOTHING),
                    ref other => other.clone(),
                };
                (key, *case)
            });
            let cases = cases.collect();
            Some(NodeKind::Switch { value: *value, cases, default: *default })
        }
        _ => None,
    }
}

/// The record's declaration, with its constructor and the constant.
fn add_constant(decl: &mut DataDecl, constant: Ctor) {
    if let DataKind::Record(fields) = &mut decl.kind {
        let record = Ctor { name: decl.name, fields: std::mem::take(fields), inline_record: true };
        decl.kind = DataKind::Variant(vec![record, constant]);
    }
}

struct Types {
    chosen: Chosen,
    known: IdMap<TyId, TyId>,
}

impl Types {
    /// What the constant of each record is called: as that of the first wrapper around it.
    fn constants(&self, program: &Program<Mono>) -> Vec<(DataId, Ctor)> {
        let mut named: IdSet<DataId> = IdSet::new();
        let mut constants = Vec::new();
        for ty in all_types(program).iter() {
            let Ty::Data(data, _) = program.types.get(ty) else { continue };
            let Some((wrapper, inside)) = self.chosen.unwrap(program, ty) else { continue };
            if let DataKind::Variant(ctors) = &program.types.datas[*data].kind
                && let Ty::Data(record, _) = program.types.get(inside)
                && named.insert(*record)
            {
                constants.push((*record, ctors[1 - wrapper.full as usize].clone()));
            }
        }
        constants
    }
}

impl Retyping for Types {
    fn known(&mut self) -> &mut IdMap<TyId, TyId> {
        &mut self.known
    }

    fn becomes(&mut self, program: &mut Program<Mono>, ty: TyId) -> Option<TyId> {
        let (_, inside) = self.chosen.unwrap(program, ty)?;
        Some(self.map(program, inside))
    }

    fn keeps(&self, _: DataId) -> bool {
        false
    }
}
