//! Which declarations of types are equal, and numbers that are equal for equal types.
//!
//! Two declarations are equal if they stand at the same place of the source, and their constructors and fields have the
//! same names and equal types, where the declarations themselves count as equal: `Map.Make (A).t` and
//! `Map.Make (B).t`, if the keys are of one type.

use std::mem::{Discriminant, discriminant};

use oxbow_base::indexmap::{IndexMap, IndexSet};
use oxbow_base::{Id, IdMap, Span, Symbol};
use oxbow_psg::{Compared, Ctor, DataId, DataKind, Mono, Program, Ty, TyId, TyVarId, TypeTable};

/// Equal for types that are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TyNumber(usize);

pub struct Types {
    /// The declarations for which another one stands: the first of its class.
    first: IdMap<DataId, DataId>,
    /// Of types without variables.
    numbers: IdMap<TyId, TyNumber>,
    /// Each with the declaration that stands for its own, and numbers as its parts.
    known: IndexSet<Ty>,
}

impl Types {
    pub fn new(program: &Program<Mono>) -> Self {
        let mut types = Self { first: IdMap::new(), numbers: IdMap::new(), known: IndexSet::new() };
        let mut classes = of_one_shape(&program.types);
        loop {
            types.first.clear();
            types.numbers.clear();
            types.known.clear();
            for class in &classes {
                class[1..].iter().for_each(|&it| _ = types.first.insert(it, class[0]));
            }
            let finer: Vec<Vec<DataId>> =
                classes.iter().flat_map(|it| types.split(&program.types, it)).collect();
            let is_stable = finer.len() == classes.len()
                && finer.iter().zip(&classes).all(|it| it.0.len() == it.1.len());
            if is_stable {
                return types;
            }
            classes = finer;
        }
    }

    /// The parts of a class whose fields have equal types, those of one declaration left out.
    fn split(&mut self, table: &TypeTable, class: &[DataId]) -> Vec<Vec<DataId>> {
        let mut parts: IndexMap<Vec<TyNumber>, Vec<DataId>> = IndexMap::new();
        for &data in class {
            let decl = &table.datas[data];
            let fields: Vec<TyNumber> =
                decl.kind.fields().map(|it| self.number_in(table, it.ty, &decl.params)).collect();
            parts.entry(fields).or_default().push(data);
        }
        parts.into_values().filter(|it| it.len() > 1).collect()
    }

    /// The number of a type of the program.
    pub fn number(&mut self, table: &TypeTable, ty: TyId) -> TyNumber {
        self.number_in(table, ty, &[])
    }

    /// The same within a declaration, whose parameters count by their positions.
    fn number_in(&mut self, table: &TypeTable, ty: TyId, params: &[TyVarId]) -> TyNumber {
        if let Some(&known) = self.numbers.get(ty) {
            return known;
        }
        let (stands, mut is_closed) = match table.get(ty).clone() {
            Ty::Data(data, args) => (Ty::Data(self.stands_for(data), args), true),
            Ty::Var(var) => {
                let at = params.iter().position(|&it| it == var);
                (Ty::Var(at.map_or(var, TyVarId::from_index)), false)
            }
            other => (other, true),
        };
        let stands = stands.map_parts(|it| {
            let number = self.number_in(table, it, params);
            is_closed &= self.numbers.contains(it);
            TyId::from_index(number.0)
        });
        let number = TyNumber(self.known.insert_full(stands).0);
        // A type with shared parts is large when it is written out.
        if is_closed {
            self.numbers.insert(ty, number);
        }
        number
    }

    fn stands_for(&self, data: DataId) -> DataId {
        self.first.get(data).copied().unwrap_or(data)
    }

    /// Has one declaration for each class.
    pub fn apply(&self, program: &mut Program<Mono>) {
        let mut known = IdMap::new();
        for var in program.vars.ids() {
            program.vars[var].ty = self.map(&mut program.types, &mut known, program.vars[var].ty);
        }
        for node in program.nodes.ids() {
            program.nodes[node].ty =
                self.map(&mut program.types, &mut known, program.nodes[node].ty);
        }
        for exn in program.types.exns.ids() {
            for at in 0..program.types.exns[exn].fields.len() {
                let ty = program.types.exns[exn].fields[at].ty;
                program.types.exns[exn].fields[at].ty =
                    self.map(&mut program.types, &mut known, ty);
            }
        }
        for data in program.types.datas.ids() {
            let mut kind = program.types.datas[data].kind.clone();
            for field in kind.fields_mut() {
                field.ty = self.map(&mut program.types, &mut known, field.ty);
            }
            program.types.datas[data].kind = kind;
        }
    }

    fn map(&self, table: &mut TypeTable, known: &mut IdMap<TyId, TyId>, ty: TyId) -> TyId {
        if let Some(&mapped) = known.get(ty) {
            return mapped;
        }
        let stands = match table.get(ty).clone() {
            Ty::Data(data, args) => Ty::Data(self.stands_for(data), args),
            other => other,
        };
        let stands = stands.map_parts(|it| self.map(table, known, it));
        let mapped = table.intern(stands);
        known.insert(ty, mapped);
        mapped
    }
}

/// What declarations have in common before anything is known of the types of their fields.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    span: Span,
    compared: Discriminant<Compared>,
    params: usize,
    is_record: bool,
    ctors: Vec<(Symbol, bool, usize)>,
    fields: Vec<(Symbol, bool, bool)>,
}

/// The declarations of one place and shape, of which there is more than one, in order.
fn of_one_shape(table: &TypeTable) -> Vec<Vec<DataId>> {
    let mut classes: IndexMap<Shape, Vec<DataId>> = IndexMap::new();
    for (data, decl) in table.datas.iter() {
        let Some(span) = decl.span.filter(|_| decl.known.is_none() && decl.own.is_empty()) else {
            continue;
        };
        let ctors: &[Ctor] = match &decl.kind {
            DataKind::Record(_) => &[],
            DataKind::Variant(ctors) => ctors,
        };
        let shape = Shape {
            span,
            compared: discriminant(&decl.compared),
            params: decl.params.len(),
            is_record: matches!(decl.kind, DataKind::Record(_)),
            ctors: ctors.iter().map(|it| (it.name, it.inline_record, it.fields.len())).collect(),
            fields: decl.kind.fields().map(|it| (it.name, it.mutable, it.acyclic)).collect(),
        };
        classes.entry(shape).or_default().push(data);
    }
    classes.into_values().filter(|it| it.len() > 1).collect()
}
