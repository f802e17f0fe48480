//! The objects other than functions that the user's code makes.

use oxbow_abi::ObjectKind;
use oxbow_base::{FxHashMap, IdSet, SourceMap, Span};
use oxbow_psg::{
    Effect, KnownType, Mono, NodeId, NodeKind, Prim, Program, Storage as Stored, Ty, TyId,
    TypeTable, walk,
};

use crate::analyze::{InRegion, storage_of};
use crate::escape_path::{Paths, constructor};
use crate::graph::Graph;
use crate::history::{Written, contains, is_cell, place};
use crate::model::{Allocation, Class, Place, Reason, Storage};
use crate::{layout, types};

/// Allocations of the user's files, in the order of the text, equal ones of one place together.
pub fn find(paths: &Paths<'_>, lambdas: &[Written]) -> Vec<Allocation> {
    let (graph, sources) = (paths.graph, paths.sources);
    let program = graph.program;
    let mut found: Vec<(Span, Allocation)> = Vec::new();
    let mut at: FxHashMap<Span, Vec<usize>> = FxHashMap::default();
    walk::for_each_reachable(program, |node| {
        let Some((mut kind, size)) = kind(graph, node) else { return };
        let Some(span) = user_span(graph, sources, node) else { return };
        let mut storage = storage(paths, node);
        let ty = types::text(&program.types, program.ty(node));
        if holds_formats(&program.types, program.ty(node)) {
            // The user wrote a format, not these lists.
            kind = "format".into();
            storage.reasons = vec![Reason {
                text: "the text to print is put together from pieces".into(),
                place: None,
            }];
        }
        let here = at.entry(span).or_default();
        let same = here.iter().copied().find(|&index| {
            let it = &found[index].1;
            it.kind == kind && it.ty == ty && it.storage == storage
        });
        if let Some(index) = same {
            found[index].1.copies += 1;
            return;
        }
        here.push(found.len());
        let place = place(sources, span);
        let inside = innermost(lambdas, span);
        found.push((span, Allocation { kind, ty, place, inside, copies: 1, size, storage }));
    });
    // Those of one place stay in the order of the program.
    found.sort_by_key(|it| it.0);
    found.into_iter().map(|it| it.1).collect()
}

/// Is it a type of formats or of their parts?
fn holds_formats(types: &TypeTable, ty: TyId) -> bool {
    let mut seen = IdSet::new();
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match types.get(ty) {
            Ty::Data(data, _) if types.datas[*data].known == Some(KnownType::FormatPiece) => {
                return true;
            }
            Ty::Data(_, items) | Ty::Tuple(items) => todo.extend(items),
            Ty::Array(item) => todo.push(*item),
            Ty::Fn(param, result) => todo.extend([*param, *result]),
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes
            | Ty::Exn
            | Ty::Uniform
            | Ty::Var(_) => (),
        }
    }
    false
}

/// Gives the objects that are made in regions that class.
pub fn in_regions(found: Vec<Allocation>, regions: &[InRegion]) -> Vec<Allocation> {
    let mut result = Vec::new();
    for it in found {
        match in_region(&it.storage, &it.place, regions) {
            None => result.push(it),
            Some((region, storage)) => {
                result.push(Allocation { storage, ..it.clone() });
                if region.also_counted {
                    result.push(it);
                }
            }
        }
    }
    result
}

/// The storage of what a place makes in a region instead.
pub fn in_region<'a>(
    storage: &Storage,
    place: &Place,
    regions: &'a [InRegion],
) -> Option<(&'a InRegion, Storage)> {
    let place = format!("{}:{}:{}", place.file, place.line, place.column);
    let known = regions.iter().find(|it| it.site == place);
    let region = known.filter(|_| storage.class == Class::Counted)?;
    let text =
        format!("what is made, looked at and forgotten from {} on is in one region", region.scope);
    let storage = Storage { class: Class::Region, reasons: vec![Reason { text, place: None }] };
    Some((region, storage))
}

/// Where the user wrote an allocation. The library's `ref` is often put in its caller: such a cell
/// belongs to the variable it is bound to, or to the code around it.
fn user_span(graph: &Graph<'_, Mono>, sources: &SourceMap, node: NodeId) -> Option<Span> {
    let users = |span: &Span| !sources.file(span.file).is_library;
    let own = Some(graph.program.span(node)).filter(users);
    if own.is_some() || !makes_cell(graph.program, node) {
        return own;
    }
    let around = |mut at: NodeId| loop {
        at = graph.parent(at)?;
        if let span @ Some(_) = Some(graph.program.span(at)).filter(users) {
            return span;
        }
    };
    graph.name_span(node).filter(users).or_else(|| around(node))
}

fn innermost(lambdas: &[Written], span: Span) -> Option<usize> {
    let around = lambdas.iter().filter(|it| contains(it.span, span));
    around.min_by_key(|it| it.span.end - it.span.start).map(|it| it.lambda.id)
}

/// Is it the cell of a reference that the node makes?
fn makes_cell(program: &Program<Mono>, node: NodeId) -> bool {
    let is_record = matches!(program.nodes[node].kind, NodeKind::Record(_));
    match program.types.get(program.ty(node)) {
        Ty::Data(data, _) => is_record && is_cell(&program.types, *data),
        _ => false,
    }
}

/// What a node makes, and how large it is; none if it makes nothing.
fn kind(graph: &Graph<'_, Mono>, node: NodeId) -> Option<(String, Option<u64>)> {
    let program = graph.program;
    let types = &program.types;
    let parts = |nodes: &[NodeId]| {
        let nodes: Vec<_> = nodes.iter().map(|&it| program.ty(it)).collect();
        nodes.into_iter()
    };
    let of = |kind, nodes: &[NodeId]| Some(layout::object_size(types, kind, parts(nodes)));
    match &program.nodes[node].kind {
        NodeKind::Tuple(_) if types.is_pair(program.ty(node)) => None,
        NodeKind::Tuple(items) => Some(("tuple".into(), of(ObjectKind::Tuple, items))),
        NodeKind::Record(items) => {
            let (name, kind) = match makes_cell(program, node) {
                true => ("cell", ObjectKind::Cell),
                false => ("record", ObjectKind::Tuple),
            };
            Some((name.into(), of(kind, items)))
        }
        NodeKind::Construct { args, .. } if args.is_empty() => None,
        NodeKind::Construct { ctor, .. } if types.word_ctor(program.ty(node)) == Some(*ctor) => {
            None
        }
        NodeKind::Construct { ctor, args } => Some((
            match constructor(graph, node, *ctor) {
                Some(name) => format!("constructor `{name}`"),
                None => "value".into(),
            },
            of(ObjectKind::Variant, args),
        )),
        NodeKind::Array(items) => {
            let element = items.first().map_or(8, |&it| layout::extent(types, program.ty(it)).size);
            let size =
                oxbow_abi::HEADER_SIZE + oxbow_abi::array_payload(items.len() as u64, element);
            Some(("array".into(), Some(size)))
        }
        NodeKind::MakeExn { args, .. } if args.is_empty() => None,
        NodeKind::MakeExn { exn, args } => {
            let name = types.exns[*exn].name;
            Some((format!("exception `{name}`"), of(ObjectKind::Exception, args)))
        }
        NodeKind::Prim { prim, .. } if prim.effect() == Effect::Alloc => {
            Some((primitive(*prim).into(), None))
        }
        NodeKind::Apply { args, .. } => {
            let callee = graph.callee(node)?;
            let missing = program.lambdas[callee].params.len() > args.len();
            missing.then(|| {
                // A closure over the function and what it was given.
                let fields = std::iter::once(oxbow_abi::Extent::scalar(8))
                    .chain(args.iter().map(|&it| layout::extent(types, program.ty(it))));
                let mut placer = oxbow_abi::Placer::new(oxbow_abi::CLOSURE_CAPTURES_OFFSET);
                fields.for_each(|it| {
                    placer.place(it);
                });
                let size = oxbow_abi::cell_size(ObjectKind::Closure, placer.size);
                (format!("partial application of {}", graph.name(callee)), Some(size))
            })
        }
        _ => None,
    }
}

fn primitive(prim: Prim) -> &'static str {
    match prim {
        Prim::ArrayMake | Prim::ArrayUninit => "array",
        Prim::BytesCreate => "bytes",
        _ => "string",
    }
}

fn storage(paths: &Paths<'_>, node: NodeId) -> Storage {
    let program = paths.graph.program;
    let only_counted = |text: &str| Storage {
        class: Class::Counted,
        reasons: vec![Reason { text: text.into(), place: None }],
    };
    let decided = program.nodes[node].storage;
    match &program.nodes[node].kind {
        NodeKind::Tuple(_) if decided == Stored::Counted => {
            only_counted("tuples of this size are not placed in frames")
        }
        NodeKind::Array(_) => only_counted("arrays are not placed in frames"),
        NodeKind::MakeExn { .. } => only_counted("an exception leaves the frame that makes it"),
        NodeKind::Prim { .. } => only_counted("the runtime makes it: its size is known only then"),
        NodeKind::Apply { .. } => only_counted("partial applications are not placed in frames"),
        _ => storage_of(paths, node),
    }
}
