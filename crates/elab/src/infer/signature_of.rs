//! `module type of M`: the signature that a structure has.
//!
//! Its types are new ones, to be matched like those of a written signature; the structure's own
//! must not change when another structure is matched with it.

use std::rc::Rc;

use oxbow_base::SparseMap;
use oxbow_psg::ExnId;

use crate::types::{InlineOwner, TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::env::{Ctor, Module, Structure, ValueKind};

/// What the structure's types and exceptions become.
#[derive(Default)]
struct Renaming {
    tycons: SparseMap<TyConId, TyConId>,
    exns: SparseMap<ExnId, ExnId>,
    rows: SparseMap<TypeId, TypeId>,
}

impl Infer<'_> {
    /// The types before `first` are those of modules that the structure includes.
    pub(super) fn signature_of(&mut self, structure: &Structure, first: Option<TyConId>) -> Module {
        let mut renaming = Renaming::default();
        self.name_types(structure, first, &mut renaming);
        for old in renaming.tycons.ids() {
            let new = renaming.tycons[old];
            let kind = self.types.tycons[old].kind.clone();
            self.types.tycons[new].kind = self.rename_kind(kind, new, &mut renaming);
            self.signatures.flexible.insert(new);
        }
        let renamed = self.rename_structure(structure, &mut renaming);
        Module::Structure(match first {
            Some(first) => self.with_named_types(&renamed, first),
            None => renamed,
        })
    }

    /// Modules of OCaml's library are names for files, and the type of such a name says what its types are: those of
    /// the file.
    pub(super) fn signature_with_types_of(&mut self, structure: &Structure) -> Module {
        let declared = self.rename_structure(structure, &mut Renaming::default());
        let first = self.types.tycons.next_id();
        Module::Structure(self.with_named_types(&declared, first))
    }

    /// `type t = M.t = …` for each type before `first`.
    fn with_named_types(&mut self, structure: &Structure, first: TyConId) -> Rc<Structure> {
        let mut result = structure.clone();
        for tycon in result.types.values_mut().filter(|it| **it < first) {
            let old = *tycon;
            let mut new = self.types.tycons[old].clone();
            let body = self.types.add(Type::Con(old, new.params.clone()));
            new.kind = TyConKind::Alias(body);
            (new.view, new.private) = (None, false);
            *tycon = self.types.tycons.push(new);
            if self.shows_members(old) {
                self.reexports.insert(*tycon);
            }
        }
        for module in result.modules.values_mut() {
            if let Module::Structure(inner) = module {
                *module = Module::Structure(self.with_named_types(&inner.clone(), first));
            }
        }
        Rc::new(result)
    }

    pub(super) fn is_library_unit(&self, structure: &Rc<Structure>) -> bool {
        let is_same = |it: &Module| match it {
            Module::Structure(it) => Rc::ptr_eq(it, structure),
            Module::Functor(_) | Module::Later(_) | Module::Error => false,
        };
        self.library_units().values().any(is_same)
    }

    fn name_types(
        &mut self,
        structure: &Structure,
        first: Option<TyConId>,
        renaming: &mut Renaming,
    ) {
        for &old in structure.types.values().filter(|it| first.is_none_or(|first| **it >= first)) {
            let mut tycon = self.types.tycons[old].clone();
            tycon.view = None;
            let new = self.types.tycons.push(tycon);
            renaming.tycons.insert(old, new);
        }
        for module in structure.modules.values() {
            if let Module::Structure(inner) = module {
                self.name_types(inner, first, renaming);
            }
        }
    }

    fn rename_kind(
        &mut self,
        kind: TyConKind,
        owner: TyConId,
        renaming: &mut Renaming,
    ) -> TyConKind {
        match kind {
            TyConKind::Abstract { .. } if !self.types.tycons[owner].private => {
                TyConKind::Abstract { implementation: None }
            }
            TyConKind::Abstract { implementation } => TyConKind::Abstract {
                implementation: implementation.map(|it| self.rename_type(it, renaming)),
            },
            TyConKind::Alias(body) => TyConKind::Alias(self.rename_type(body, renaming)),
            TyConKind::Record(mut fields) => {
                for field in &mut fields {
                    field.ty = self.rename_type(field.ty, renaming);
                }
                TyConKind::Record(fields)
            }
            TyConKind::Variant(mut ctors) => {
                for (index, ctor) in ctors.iter_mut().enumerate() {
                    for arg in &mut ctor.args {
                        *arg = self.rename_type(*arg, renaming);
                    }
                    for arg in ctor.own.iter_mut().flat_map(|it| &mut it.args) {
                        *arg = self.rename_type(*arg, renaming);
                    }
                    let variant = InlineOwner::Ctor(owner, index as u32);
                    ctor.inline_record =
                        ctor.inline_record.map(|it| self.rename_record(it, variant, renaming));
                }
                TyConKind::Variant(ctors)
            }
            kind @ (TyConKind::Builtin(_)
            | TyConKind::Open
            | TyConKind::InlineRecord { .. }
            | TyConKind::Pending) => kind,
        }
    }

    fn rename_record(
        &mut self,
        record: TyConId,
        variant: InlineOwner,
        renaming: &mut Renaming,
    ) -> TyConId {
        let mut tycon = self.types.tycons[record].clone();
        if let TyConKind::InlineRecord { mut fields, .. } = tycon.kind {
            for field in &mut fields {
                field.ty = self.rename_type(field.ty, renaming);
            }
            tycon.kind = TyConKind::InlineRecord { variant, fields };
        }
        self.types.tycons.push(tycon)
    }

    fn rename_type(&mut self, ty: TypeId, renaming: &mut Renaming) -> TypeId {
        let ty = self.types.repr(ty);
        match self.types.nodes[ty].clone() {
            Type::Var { .. } | Type::Link(_) | Type::Error => ty,
            Type::Arrow(label, param, result) => {
                let (param, result) =
                    (self.rename_type(param, renaming), self.rename_type(result, renaming));
                self.arrow(label, param, result)
            }
            Type::Tuple(items) => {
                let items = items.into_iter().map(|it| self.rename_type(it, renaming)).collect();
                self.types.add(Type::Tuple(items))
            }
            Type::Row(row) => {
                let seen = renaming.rows.get(ty).copied();
                seen.unwrap_or_else(|| {
                    let made = self.types.add(Type::Error);
                    renaming.rows.insert(ty, made);
                    let mut row = row.map(|it| self.rename_type(it, renaming));
                    if let Some((con, _)) = &mut row.name {
                        *con = renaming.tycons.get(*con).copied().unwrap_or(*con);
                    }
                    self.types.nodes[made] = Type::Row(Box::new(row));
                    made
                })
            }
            Type::Con(con, args) => {
                let args = args.into_iter().map(|it| self.rename_type(it, renaming)).collect();
                let con = renaming.tycons.get(con).copied().unwrap_or(con);
                self.types.add(Type::Con(con, args))
            }
        }
    }

    fn rename_exn(&mut self, old: ExnId, renaming: &mut Renaming) -> ExnId {
        if let Some(&new) = renaming.exns.get(old) {
            return new;
        }
        let mut info = self.types.exns[old].clone();
        if let Some((con, _)) = &mut info.of {
            *con = renaming.tycons.get(*con).copied().unwrap_or(*con);
        }
        info.view_of = None;
        info.number = None;
        let own = info.own.iter_mut().flat_map(|it| &mut it.args);
        for arg in info.args.iter_mut().chain(own) {
            *arg = self.rename_type(*arg, renaming);
        }
        let new = self.types.exns.push(info);
        if let Some(record) = self.types.exns[new].inline_record {
            let record = self.rename_record(record, InlineOwner::Exn(new), renaming);
            self.types.exns[new].inline_record = Some(record);
        }
        renaming.exns.insert(old, new);
        new
    }

    fn rename_structure(
        &mut self,
        structure: &Structure,
        renaming: &mut Renaming,
    ) -> Rc<Structure> {
        let mut result = structure.clone();
        for value in result.values.values_mut() {
            value.kind = ValueKind::Declared;
            value.instance = None;
            value.ty = self.rename_type(value.ty, renaming);
        }
        for tycon in result.types.values_mut() {
            *tycon = renaming.tycons.get(*tycon).copied().unwrap_or(*tycon);
        }
        for ctor in result.ctors.values_mut() {
            *ctor = match *ctor {
                Ctor::Variant(tycon, index) => {
                    Ctor::Variant(renaming.tycons.get(tycon).copied().unwrap_or(tycon), index)
                }
                Ctor::Exn(exn) => Ctor::Exn(self.rename_exn(exn, renaming)),
            };
        }
        for record in result.fields.values_mut().flatten() {
            *record = renaming.tycons.get(*record).copied().unwrap_or(*record);
        }
        for module in result.modules.values_mut() {
            if let Module::Structure(inner) = module {
                *module = Module::Structure(self.rename_structure(&inner.clone(), renaming));
            }
        }
        Rc::new(result)
    }
}
