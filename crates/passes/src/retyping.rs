//! What passes have in common that give values of some types another form, in the whole program.
//!
//! The pass says what such a type becomes ([`Retyping::becomes`]) and what the nodes become that make and read its
//! values ([`changes`]). These are found while the types are as they were.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{DataId, Mono, NodeId, NodeKind, Prim, Program, Storage, Ty, TyId, captures, walk};

/// What a node becomes.
pub(crate) struct Change {
    node: NodeId,
    kind: NodeKind,
    storage: Storage,
}

/// `inside` is the node that makes the value of another, behind steps that go; `changed` what such a node becomes, if
/// it does not stay as it is.
pub(crate) fn changes(
    program: &Program<Mono>,
    inside: impl Fn(NodeId) -> NodeId,
    changed: impl Fn(NodeId) -> Option<NodeKind>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    walk::for_each_reachable(program, |node| {
        let last = inside(node);
        let it = &program.nodes[last];
        let kind = match changed(last) {
            Some(kind) => kind,
            None if last != node => it.kind.clone(),
            None => return,
        };
        changes.push(Change { node, kind, storage: it.storage });
    });
    changes
}

/// What types become.
pub(crate) trait Retyping {
    /// What was found before.
    fn known(&mut self) -> &mut IdMap<TyId, TyId>;

    /// What a type becomes; none if only its parts may become others.
    fn becomes(&mut self, program: &mut Program<Mono>, ty: TyId) -> Option<TyId>;

    /// Does this declaration keep the types of its fields?
    fn keeps(&self, data: DataId) -> bool;

    fn map(&mut self, program: &mut Program<Mono>, ty: TyId) -> TyId {
        if let Some(&known) = self.known().get(ty) {
            return known;
        }
        let mapped = match self.becomes(program, ty) {
            Some(mapped) => mapped,
            None => {
                let mapped = program.types.get(ty).clone().map_parts(|it| self.map(program, it));
                program.types.intern(mapped)
            }
        };
        self.known().insert(ty, mapped);
        mapped
    }

    /// The types of fields. A mention of a type becomes another type whatever its arguments are, so declarations with
    /// parameters need no copies.
    fn map_declarations(&mut self, program: &mut Program<Mono>) {
        for data in program.types.datas.ids().filter(|it| !self.keeps(*it)).collect::<Vec<_>>() {
            let mut kind = program.types.datas[data].kind.clone();
            kind.fields_mut().for_each(|it| it.ty = self.map(program, it.ty));
            program.types.datas[data].kind = kind;
        }
        for exn in program.types.exns.ids() {
            let mut fields = std::mem::take(&mut program.types.exns[exn].fields);
            fields.iter_mut().for_each(|it| it.ty = self.map(program, it.ty));
            program.types.exns[exn].fields = fields;
        }
    }

    /// Declarations, variables and nodes.
    fn run(&mut self, program: &mut Program<Mono>, changes: Vec<Change>) {
        self.map_declarations(program);
        for var in program.vars.ids() {
            let ty = program.vars[var].ty;
            program.vars[var].ty = self.map(program, ty);
        }
        for node in program.nodes.ids() {
            let ty = program.nodes[node].ty;
            program.nodes[node].ty = self.map(program, ty);
        }
        for Change { node, kind, storage } in changes {
            program.nodes[node].kind = kind;
            program.nodes[node].storage = storage;
        }
        captures::fill_all(program);
    }
}

/// Does a primitive treat values of any type alike, without looking whether they are objects?
pub(crate) fn moves_values(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::ArrayLength
            | Prim::ArrayGet
            | Prim::ArraySet
            | Prim::ArrayMake
            | Prim::ArrayUninit
            | Prim::ArrayBlit
            | Prim::SysExit
            | Prim::Uninit
            | Prim::Default
            | Prim::Unreachable
            | Prim::Opaque
    )
}

/// The declarations that types name, not those that their fields do.
pub(crate) fn mentioned(program: &Program<Mono>, types: &[TyId]) -> Vec<DataId> {
    let (mut seen, mut found) = (IdSet::<TyId>::new(), Vec::new());
    let mut work = types.to_vec();
    while let Some(ty) = work.pop() {
        if !seen.insert(ty) {
            continue;
        }
        let ty = program.types.get(ty);
        if let Ty::Data(data, _) = ty {
            found.push(*data);
        }
        work.extend(ty.parts());
    }
    found
}
