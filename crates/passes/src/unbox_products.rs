//! Records and constructors of one or two fields are their fields, where nothing asks for an object.
//!
//! ```text
//! before   type dual = { re : float; eps : float }        type meters = M of float
//!          let add a b = { re = a.re +. b.re; eps = a.eps +. b.eps }
//! after    dual is float * float, meters is float
//!          let add a b = (a.0 +. b.0, a.1 +. b.1)
//! ```
//!
//! Two values side by side need no object, whether they are passed, returned, captured, or lie in other data
//! (`psg::held`). So a record of two fields is a pair, and one of one field is that field; the same holds for a type
//! with one constructor, as that of functions of which there is only one (`defunctionalize`). A type stays as it is if
//!
//! - a field of it is mutable, or filled later (`SetField`), or the compiler knows the type;
//! - the program compares values of it by `==`, or gives them to another primitive that looks at objects;
//! - its fields mention it again, through other such types or not: what it is would have no end.
//!
//! Programs with domains or `Marshal` stay as they are: a pair is not written in one step, and bytes are read by the
//! types that wrote them.
//!
//! Phase: Mono -> Mono. After `defunctionalize`, which tells functions apart by the types that hold them. Nothing
//! grows.

use oxbow_base::{IdMap, IdSet, components};
use oxbow_psg::{
    Compared, DataDecl, DataId, DataKind, Field, KnownType, Mono, Node, NodeId, NodeKind, Prim,
    Program, Ty, TyId, walk,
};

use crate::retyping::{self, Retyping, mentioned, moves_values};

pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let Some(chosen) = choose(&program) else { return program };
    let changes = retyping::changes(
        &program,
        |node| inside(&program, &chosen, node),
        |node| of_pair(&program, &chosen, &program.nodes[node]),
    );
    Types { chosen, known: IdMap::new() }.run(&mut program, changes);
    program
}

/// The fields of all values of a type, if they are alike.
fn fields(decl: &DataDecl) -> Option<&[Field]> {
    match &decl.kind {
        DataKind::Record(fields) => Some(fields),
        DataKind::Variant(ctors) => match &ctors[..] {
            [only] => Some(&only.fields),
            _ => None,
        },
    }
}

/// The declarations whose values become their fields; none if the program stays as it is.
fn choose(program: &Program<Mono>) -> Option<IdSet<DataId>> {
    if program.well_known.domain.is_some() {
        return None;
    }
    let mut chosen: IdSet<DataId> = IdSet::new();
    for (data, decl) in program.types.datas.iter() {
        let is_plain = match decl.compared {
            Compared::Parts | Compared::Declared | Compared::Reference => {
                decl.known.is_none_or(KnownType::is_ordinary)
            }
            Compared::Elements
            | Compared::Identity
            | Compared::Suspension
            | Compared::Tags
            | Compared::Objects
            | Compared::Numbers
            | Compared::Integers => false,
        };
        let fits = |it: &[Field]| (1..=2).contains(&it.len()) && it.iter().all(|it| !it.mutable);
        if is_plain && fields(decl).is_some_and(fits) {
            chosen.insert(data);
        }
    }
    let mut marshals = false;
    walk::for_each_reachable(program, |node| {
        let mut keep = |node: NodeId| keep(program, &mut chosen, program.ty(node));
        match &program.nodes[node].kind {
            NodeKind::SetField { object, .. } => keep(*object),
            NodeKind::Switch { value, .. } => keep(*value),
            NodeKind::Prim { prim, args } => match prim {
                Prim::MarshalWrite | Prim::MarshalRead | Prim::MarshalShape => marshals = true,
                prim if moves_values(*prim) => (),
                _ => {
                    keep(node);
                    args.iter().for_each(|&it| keep(it));
                }
            },
            _ => (),
        }
    });
    strike_recursive(program, &mut chosen);
    (!marshals && chosen.iter().next().is_some()).then_some(chosen)
}

/// Strikes off what a type mentions.
fn keep(program: &Program<Mono>, chosen: &mut IdSet<DataId>, ty: TyId) {
    for data in mentioned(program, &[ty]) {
        chosen.remove(data);
    }
}

/// Strikes off the types that come back to themselves through the fields of types that are left.
fn strike_recursive(program: &Program<Mono>, chosen: &mut IdSet<DataId>) {
    let all: Vec<DataId> = program.types.datas.ids().filter(|it| chosen.contains(*it)).collect();
    let mut place: IdMap<DataId, usize> = IdMap::new();
    for (at, &data) in all.iter().enumerate() {
        place.insert(data, at);
    }
    let edges: Vec<Vec<usize>> = all
        .iter()
        .map(|&data| {
            let own = fields(&program.types.datas[data]).unwrap_or_default();
            let types: Vec<TyId> = own.iter().map(|it| it.ty).collect();
            let named = mentioned(program, &types);
            named.into_iter().filter_map(|it| place.get(it).copied()).collect()
        })
        .collect();
    for group in components(&edges) {
        if group.len() > 1 || edges[group[0]].contains(&group[0]) {
            for at in group {
                chosen.remove(all[at]);
            }
        }
    }
}

/// How many fields a value of this type has, if it becomes its fields.
fn width(program: &Program<Mono>, chosen: &IdSet<DataId>, ty: TyId) -> Option<usize> {
    let Ty::Data(data, _) = program.types.get(ty) else { return None };
    let is_chosen = chosen.contains(*data);
    fields(&program.types.datas[*data]).filter(|_| is_chosen).map(<[Field]>::len)
}

/// The node that makes the value, behind records of one field that are made or read.
fn inside(program: &Program<Mono>, chosen: &IdSet<DataId>, mut node: NodeId) -> NodeId {
    loop {
        let it = &program.nodes[node];
        let (whole, part) = match &it.kind {
            NodeKind::Record(args) | NodeKind::Construct { args, .. } => match args[..] {
                [part] => (it.ty, part),
                _ => return node,
            },
            NodeKind::Field { object, .. } => (program.ty(*object), *object),
            _ => return node,
        };
        if width(program, chosen, whole) != Some(1) {
            return node;
        }
        node = part;
    }
}

/// The kind of a node that makes or reads a record of two fields.
fn of_pair(program: &Program<Mono>, chosen: &IdSet<DataId>, it: &Node) -> Option<NodeKind> {
    let is_pair = |ty: TyId| width(program, chosen, ty) == Some(2);
    match &it.kind {
        NodeKind::Record(args) | NodeKind::Construct { args, .. } if is_pair(it.ty) => {
            Some(NodeKind::Tuple(args.clone()))
        }
        &NodeKind::Field { object, index, .. } if is_pair(program.ty(object)) => {
            Some(NodeKind::TupleGet { tuple: object, index })
        }
        _ => None,
    }
}

struct Types {
    chosen: IdSet<DataId>,
    known: IdMap<TyId, TyId>,
}

impl Retyping for Types {
    fn known(&mut self) -> &mut IdMap<TyId, TyId> {
        &mut self.known
    }

    fn becomes(&mut self, program: &mut Program<Mono>, ty: TyId) -> Option<TyId> {
        let Ty::Data(data, args) = program.types.get(ty).clone() else { return None };
        if !self.chosen.contains(data) {
            return None;
        }
        let parts: Vec<TyId> =
            fields(&program.types.datas[data]).unwrap_or_default().iter().map(|it| it.ty).collect();
        let mut mapped = Vec::new();
        for part in parts {
            let part = program.types.field_type(data, &args, part);
            mapped.push(self.map(program, part));
        }
        Some(match mapped[..] {
            [only] => only,
            _ => program.types.intern(Ty::Tuple(mapped)),
        })
    }

    /// What becomes its fields is expanded by its declaration, which stays as it is.
    fn keeps(&self, data: DataId) -> bool {
        self.chosen.contains(data)
    }
}
