//! `type t = M.t = A | B of int`: the same type as `M.t`, with its constructors or fields in scope here.
//!
//! The declaration must repeat the type that it names: its parameters in their order, and each constructor or field
//! with its types. It may be private where the original is not:
//!
//! ```text
//! type t = A | B
//! type u = t = private A | B      from here on `A` is the one of `u`: it can be matched, but makes no values
//! ```
//!
//! Such a name leads to `u` in scopes and structures; whoever looks it up goes on with the one of `t` behind it.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{Path, TypeDecl};
use crate::types::{Builtin, CtorInfo, FieldInfo, Row, TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::env::{Ctor, Env, Sort, Structure};

impl Infer<'_> {
    /// Checks what a declaration repeats, when all types of its group are known.
    pub(super) fn check_reexport(&mut self, decl: &TypeDecl, tycon: TyConId, kind: &TyConKind) {
        let Err(differs) = self.repeats(tycon, kind) else { return };
        self.diagnostics.error(
            Diagnostic::error(
                "E0109",
                format!("`{}` does not repeat the type it names", decl.name.text),
            )
            .at(decl.span, differs),
        );
    }

    /// What differs otherwise.
    fn repeats(&mut self, tycon: TyConId, kind: &TyConKind) -> Result<(), &'static str> {
        let TyConKind::Alias(manifest) = self.types.tycons[tycon].kind else { return Ok(()) };
        let target = self.types.expand(manifest);
        let (original, args) = match self.types.nodes[target].clone() {
            Type::Con(original, args) => (original, args),
            Type::Error => return Ok(()),
            _ => return Err("what it names has neither constructors nor fields"),
        };
        if !self.same_parameters(tycon, original, &args) {
            return Err("its parameters are not those of the original");
        }
        if self.is_private_type(manifest) && !self.types.tycons[tycon].private {
            return Err("the original is private");
        }
        if self.repeats_builtin(original, kind) {
            return Ok(());
        }
        match (self.types.tycons[tycon].unboxed, self.types.tycons[original].unboxed) {
            (false, true) => return Err("the original is `[@@unboxed]`"),
            (true, false) => return Err("the original is not `[@@unboxed]`"),
            _ => (),
        }
        // Nothing may become of a parameter while the two are compared.
        let params = self.types.tycons[tycon].params.clone();
        let rigid: Vec<_> =
            params.iter().map(|_| self.open_unplaced_rigid(Symbol::new("a"))).collect();
        let types: Vec<TypeId> =
            rigid.iter().map(|it| self.types.add(Type::Con(it.tycon, Vec::new()))).collect();
        let kind = self.with_parameters(kind, &params, &types);
        let args: Vec<TypeId> =
            args.into_iter().map(|it| self.types.substitute(it, &params, &types)).collect();
        let same = self.same_representation(&kind, original, &args);
        for (rigid, &param) in rigid.into_iter().zip(&params) {
            self.close_rigid(rigid, param);
        }
        if same { Ok(()) } else { Err("constructors or fields differ from the original") }
    }

    /// Are the arguments, as they are written, the parameters of the declaration in their order?
    fn same_parameters(&mut self, tycon: TyConId, original: TyConId, args: &[TypeId]) -> bool {
        let it = &self.types.tycons[tycon];
        let params = it.forms.clone().unwrap_or_else(|| it.params.clone());
        let it = &self.types.tycons[original];
        let given = match it.forms.clone() {
            Some(forms) => {
                let own = it.params.clone();
                let same = |(a, b): (&TypeId, &TypeId)| self.same_row_bounds(*a, *b);
                if !params.iter().zip(&forms).all(same) {
                    return false;
                }
                forms.into_iter().map(|form| self.types.substitute(form, &own, args)).collect()
            }
            None => {
                let is_variable = |it: &TypeId| matches!(self.types.get(*it), Type::Var { .. });
                if !args.iter().all(is_variable) {
                    return false;
                }
                args.to_vec()
            }
        };
        params.len() == given.len()
            && params.into_iter().zip(given).all(|(param, given)| self.unify(param, given).is_ok())
    }

    /// Rows are parameters with bounds, which are part of what a declaration repeats.
    fn same_row_bounds(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.get(a), self.types.get(b)) {
            (Type::Row(a), Type::Row(b)) => {
                let names = |row: &Row| row.tags.iter().map(|it| it.0).collect::<Vec<Symbol>>();
                a.closed == b.closed && names(a) == names(b)
            }
            _ => true,
        }
    }

    pub(super) fn is_private_type(&self, ty: TypeId) -> bool {
        matches!(*self.types.get(ty), Type::Con(con, _) if self.is_private(con))
    }

    /// Is the type, or one of the names that lead to it, private?
    pub(super) fn is_private(&self, mut tycon: TyConId) -> bool {
        loop {
            match self.types.tycons[tycon].kind {
                _ if self.types.tycons[tycon].private => return true,
                TyConKind::Alias(body) => match *self.types.get(body) {
                    Type::Con(next, _) => tycon = next,
                    _ => return false,
                },
                _ => return false,
            }
        }
    }

    /// Does its declaration have constructors or fields? An abbreviation has none of its own.
    pub(super) fn shows_members(&self, tycon: TyConId) -> bool {
        !matches!(self.types.tycons[tycon].kind, TyConKind::Alias(_))
            || self.reexports.contains(tycon)
    }

    /// `type t = bool = false | true`, `type t = unit = ()`: the language has literals for these constructors.
    fn repeats_builtin(&self, original: TyConId, kind: &TyConKind) -> bool {
        let names: &[&str] = match self.types.tycons[original].kind {
            TyConKind::Builtin(Builtin::Bool) => &["false", "true"],
            TyConKind::Builtin(Builtin::Unit) => &["()"],
            _ => return false,
        };
        let TyConKind::Variant(ctors) = kind else { return false };
        let is_constant = |it: &CtorInfo| it.args.is_empty() && it.own.is_none();
        ctors.iter().all(is_constant)
            && ctors.iter().map(|it| it.name.as_str()).eq(names.iter().copied())
    }

    fn with_parameters(
        &mut self,
        kind: &TyConKind,
        params: &[TypeId],
        types: &[TypeId],
    ) -> TyConKind {
        match kind {
            TyConKind::Record(fields) => TyConKind::Record(
                fields
                    .iter()
                    .map(|it| FieldInfo {
                        ty: self.types.substitute(it.ty, params, types),
                        ..it.clone()
                    })
                    .collect(),
            ),
            TyConKind::Variant(ctors) => {
                let mut replaced = Vec::new();
                for ctor in ctors {
                    let args = ctor.args.iter();
                    let args = args.map(|&it| self.types.substitute(it, params, types)).collect();
                    replaced.push(CtorInfo { args, ..ctor.clone() });
                }
                TyConKind::Variant(replaced)
            }
            other => other.clone(),
        }
    }

    /// Adds constructors and fields of a type to a scope; through a re-export `type t = M.t = …`
    /// those of the original.
    pub(super) fn add_members(&mut self, env: &mut Env, structure: &mut Structure, tycon: TyConId) {
        let mut members = Structure::default();
        members.add_type_members(&self.types, tycon);
        if let Some(original) = self.reexported(tycon) {
            members.add_type_members(&self.types, original);
        }
        let is_private = self.types.tycons[tycon].private && self.reexports.contains(tycon);
        for (&name, &ctor) in &members.ctors {
            let ctor = match ctor {
                Ctor::Variant(_, index) if is_private => Ctor::Variant(tycon, index),
                ctor => ctor,
            };
            env.add_ctor(name, ctor);
            structure.ctors.insert(name, ctor);
        }
        for (&name, records) in &members.fields {
            for &record in records {
                let record = if is_private { tycon } else { record };
                env.add_field(name, record);
                structure.add_field(name, record);
            }
        }
    }

    /// The type that `type t = M.t = A | B` names.
    fn reexported(&self, tycon: TyConId) -> Option<TyConId> {
        if !self.reexports.contains(tycon) {
            return None;
        }
        match self.types.tycons[tycon].kind {
            TyConKind::Alias(body) => match self.types.get(body) {
                Type::Con(con, _) => self.reexported(*con).or(Some(*con)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The constructor itself, where a name may lead to a re-export of it.
    pub(super) fn ctor_behind(&self, ctor: Ctor) -> Ctor {
        match ctor {
            Ctor::Variant(tycon, index) => {
                Ctor::Variant(self.reexported(tycon).unwrap_or(tycon), index)
            }
            Ctor::Exn(_) => ctor,
        }
    }

    /// The constructor itself, which must be one that makes values here.
    pub(super) fn public_ctor(&mut self, ctor: Ctor, span: Span) -> Ctor {
        match ctor {
            Ctor::Variant(tycon, _) => self.check_public(tycon, span),
            Ctor::Exn(exn) => self.check_public_extension(exn, span),
        }
        let ctor = self.ctor_behind(ctor);
        self.use_ctor(ctor, true);
        ctor
    }

    /// The records themselves, the latest last.
    pub(super) fn records_behind(&self, records: &[TyConId]) -> Vec<TyConId> {
        let mut found: Vec<TyConId> = Vec::new();
        for &record in records {
            let record = self.reexported(record).unwrap_or(record);
            found.retain(|&it| it != record);
            found.push(record);
        }
        found
    }

    /// What the name of a constructor leads to, whose type is known.
    pub(super) fn named_ctor(
        &mut self,
        env: &Env,
        name: Symbol,
        (ctor, ty): (Ctor, TypeId),
    ) -> Ctor {
        match (env.ctor(name), self.types.get(ty)) {
            (Some(named), _) if self.ctor_behind(named) == ctor => {
                self.use_name(env, Sort::Ctor, name);
                named
            }
            // It is not in scope, and found by its type alone.
            (_, &Type::Con(con, _)) => match ctor {
                Ctor::Variant(_, index) if self.reexports.contains(con) => {
                    Ctor::Variant(con, index)
                }
                _ => ctor,
            },
            _ => ctor,
        }
    }

    /// The type that the name of a field leads to, where that of the record is known.
    pub(super) fn named_record(&mut self, env: &Env, path: &Path, record: TyConId) -> TyConId {
        let records = match &path.prefix {
            None => env.field(path.name.text).to_vec(),
            // It has been looked up, and may be the name of Clef's record type.
            Some(prefix) => match self.quiet_structure(env, prefix) {
                Some(it) => it.fields.get(&path.name.text).cloned().unwrap_or_default(),
                None => Vec::new(),
            },
        };
        let leads_there = |it: &&TyConId| self.reexported(**it).unwrap_or(**it) == record;
        records.iter().rev().find(leads_there).copied().unwrap_or(record)
    }
}
