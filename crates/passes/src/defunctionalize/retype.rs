//! Types after functions have become variants.
//!
//! ```text
//! (int -> int) list            `list` for this type alone, whose `::` holds a variant
//! { run : string -> 'a }       at `int`: a declaration of its own, too
//! ```
//!
//! A part of a type has the representation of its class, wherever the type stands; functions within types of closures
//! are closures.

use oxbow_base::{FxHashMap, Id, IdMap, IdSet, Symbol};
use oxbow_psg::{
    Compared, DataDecl, DataId, DataKind, Field, LambdaId, Mono, Program, Ty, TyId, walk,
};

use super::choose::{self, Choice};
use super::classes::Slot;

/// Declarations that are copied for their type arguments; a program with more is left alone.
const MOST_COPIES: usize = 2_000;

pub struct Retype<'a> {
    choice: &'a Choice,
    known: IdMap<TyId, TyId>,
    /// Types with a part that changes.
    changed: IdSet<TyId>,
    /// The declaration of each class, by the place that stands for it.
    pub variants: Vec<(u32, DataId)>,
    variant_of: FxHashMap<u32, TyId>,
    class_of: IdMap<DataId, u32>,
    copies: usize,
    /// Copies whose fields have the old types, with the types that they are copies for.
    unfinished: Vec<(DataId, TyId)>,
    originals: usize,
}

impl<'a> Retype<'a> {
    /// None if the program has too many types.
    pub fn new(program: &mut Program<Mono>, choice: &'a Choice) -> Option<Self> {
        let changed = changed(program, choice)?;
        Some(Self {
            choice,
            changed,
            known: IdMap::new(),
            variants: Vec::new(),
            variant_of: FxHashMap::default(),
            class_of: IdMap::new(),
            copies: 0,
            unfinished: Vec::new(),
            originals: program.types.datas.len(),
        })
    }

    /// Did the types grow too large?
    pub fn is_too_large(&self) -> bool {
        self.copies > MOST_COPIES
    }

    /// The type of what is at a place.
    pub fn at(&mut self, program: &mut Program<Mono>, place: u32, ty: TyId) -> TyId {
        match program.types.get(ty) {
            Ty::Fn(..) => match self.choice.variant(place) {
                Some(root) => self.of_class(program, root),
                None => self.map(program, ty),
            },
            _ => self.map(program, ty),
        }
    }

    /// The same for a part of a type.
    fn at_slot(&mut self, program: &mut Program<Mono>, slot: Slot, ty: TyId) -> TyId {
        match program.types.get(ty) {
            Ty::Fn(..) => match self.choice.classes.known_slot(slot) {
                Some(place) => self.at(program, place, ty),
                // Nothing is ever put there, or read.
                None => self.map(program, ty),
            },
            _ => self.map(program, ty),
        }
    }

    /// The class whose functions have become values of this type.
    pub fn class(&self, program: &Program<Mono>, ty: TyId) -> Option<u32> {
        let Ty::Data(data, _) = *program.types.get(ty) else { return None };
        self.class_of.get(data).copied()
    }

    /// The type with its parts mapped; functions are closures.
    pub fn map(&mut self, program: &mut Program<Mono>, ty: TyId) -> TyId {
        if let Some(&known) = self.known.get(ty) {
            return known;
        }
        let mapped = match program.types.get(ty).clone() {
            Ty::Data(_, args) if args.is_empty() || !self.changed.contains(ty) => ty,
            Ty::Data(data, args) => self.copy(program, ty, data, &args),
            Ty::Tuple(items) => {
                let mut mapped = Vec::new();
                for (at, it) in items.into_iter().enumerate() {
                    mapped.push(self.at_slot(program, Slot::Field(ty, 0, at as u32), it));
                }
                program.types.intern(Ty::Tuple(mapped))
            }
            Ty::Array(item) => {
                let item = self.at_slot(program, Slot::Element(ty), item);
                program.types.intern(Ty::Array(item))
            }
            // Functions are closures.
            other => {
                let mapped = other.map_parts(|it| self.map(program, it));
                program.types.intern(mapped)
            }
        };
        self.known.insert(ty, mapped);
        mapped
    }

    /// The type that stands for a class.
    pub fn of_class(&mut self, program: &mut Program<Mono>, root: u32) -> TyId {
        if let Some(&made) = self.variant_of.get(&root) {
            return made;
        }
        let data = program.types.datas.push(DataDecl {
            name: Symbol::new("function"),
            params: Vec::new(),
            kind: DataKind::Variant(Vec::new()),
            compared: Compared::Reference,
            own: oxbow_psg::OwnFunctions::default(),
            known: None,
            span: None,
        });
        self.variants.push((root, data));
        self.class_of.insert(data, root);
        let made = program.types.intern(Ty::Data(data, Vec::new()));
        self.variant_of.insert(root, made);
        made
    }

    /// A declaration for these arguments alone; its fields are mapped when all types are known.
    fn copy(&mut self, program: &mut Program<Mono>, ty: TyId, data: DataId, args: &[TyId]) -> TyId {
        self.copies += 1;
        if self.is_too_large() {
            return program.types.unit;
        }
        let mut decl = program.types.datas[data].clone();
        decl.params = Vec::new();
        for field in decl.kind.fields_mut() {
            field.ty = program.types.field_type(data, args, field.ty);
        }
        let copy = program.types.datas.push(decl);
        self.unfinished.push((copy, ty));
        program.types.intern(Ty::Data(copy, Vec::new()))
    }

    /// Maps the fields of all declarations. Those of the variants are the caller's.
    pub fn finish(&mut self, program: &mut Program<Mono>) {
        for index in 0..self.originals {
            let data = DataId::from_index(index);
            if program.types.datas[data].params.is_empty() {
                let ty = program.types.intern(Ty::Data(data, Vec::new()));
                self.map_fields(program, data, ty);
            }
        }
        for exn in program.types.exns.ids() {
            for at in 0..program.types.exns[exn].fields.len() {
                let ty = program.types.exns[exn].fields[at].ty;
                let ty = self.at_slot(program, Slot::Payload(exn, at as u32), ty);
                program.types.exns[exn].fields[at].ty = ty;
            }
        }
        while let Some((copy, ty)) = self.unfinished.pop() {
            self.map_fields(program, copy, ty);
        }
    }

    /// Maps the fields of a declaration, whose values were of this type.
    fn map_fields(&mut self, program: &mut Program<Mono>, data: DataId, ty: TyId) {
        let mut kind = program.types.datas[data].kind.clone();
        let ctors: Vec<&mut Vec<Field>> = match &mut kind {
            DataKind::Record(fields) => vec![fields],
            DataKind::Variant(ctors) => ctors.iter_mut().map(|it| &mut it.fields).collect(),
        };
        for (ctor, fields) in ctors.into_iter().enumerate() {
            for (at, field) in fields.iter_mut().enumerate() {
                let slot = Slot::Field(ty, ctor as u32, at as u32);
                field.ty = self.at_slot(program, slot, field.ty);
            }
        }
        program.types.datas[data].kind = kind;
    }

    /// The type of the code of a function.
    pub fn code(&mut self, program: &mut Program<Mono>, lambda: LambdaId) -> TyId {
        let params = program.lambdas[lambda].params.clone();
        let body = program.lambdas[lambda].body;
        let classes = &self.choice.classes;
        let places: Vec<_> =
            params.iter().map(|&it| (classes.var(it), program.vars[it].ty)).collect();
        let (result, result_ty) = (classes.node(body), program.ty(body));
        let params: Vec<TyId> =
            places.into_iter().map(|(place, ty)| self.at(program, place, ty)).collect();
        let result = self.at(program, result, result_ty);
        program.types.function(&params, result)
    }
}

/// The types that have a part which becomes a variant, or a part that has.
fn changed(program: &mut Program<Mono>, choice: &Choice) -> Option<IdSet<TyId>> {
    let mut todo: Vec<TyId> = program.vars.values().map(|it| it.ty).collect();
    walk::for_each_reachable(program, |node| todo.push(program.ty(node)));
    let exns = program.types.exns.values().flat_map(|it| it.fields.iter().map(|it| it.ty));
    todo.extend(exns);
    let (mut seen, mut wholes) = (IdSet::<TyId>::new(), IdMap::<TyId, Vec<TyId>>::new());
    let (mut changed, mut found) = (IdSet::new(), Vec::new());
    let mut looked_at = 0;
    while let Some(ty) = todo.pop() {
        // What exceptions hold is declared once for all.
        if !seen.insert(ty) || ty == program.types.exn {
            continue;
        }
        looked_at += 1;
        if looked_at > choose::LARGEST_TYPE {
            return None;
        }
        for (slot, part) in choose::parts(program, ty) {
            let is_function = matches!(program.types.get(part), Ty::Fn(..));
            let place = slot.filter(|_| is_function).and_then(|it| choice.classes.known_slot(it));
            if place.and_then(|it| choice.variant(it)).is_some() && changed.insert(ty) {
                found.push(ty);
            }
            wholes.entry_or_insert_with(part, Vec::new).push(ty);
            todo.push(part);
        }
    }
    while let Some(ty) = found.pop() {
        for &whole in wholes.get(ty).map_or(&[][..], |it| it) {
            if changed.insert(whole) {
                found.push(whole);
            }
        }
    }
    Some(changed)
}
