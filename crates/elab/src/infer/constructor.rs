//! Constructors: which one a name means, and what it takes and gives at types.
//!
//! ```text
//! None                 the constructor of the type that is expected, or else the last one in scope
//! Some : 'a -> 'a option        an instance: `'a1` in place of `'a`
//! ```

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, Reported};

use crate::ast;
use crate::types::{TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::env::{Ctor, Env};
use super::notes::Kind;

/// A constructor with fresh type arguments.
pub struct CtorInstance {
    pub args: Vec<TypeId>,
    pub result: TypeId,
    /// The record inside `C of { … }`, and its type.
    pub inline_record: Option<(TyConId, TypeId)>,
}

impl Infer<'_> {
    /// A constructor by name; by the expected type if that is a known variant.
    pub(super) fn resolve_ctor(
        &mut self,
        env: &Env,
        path: &ast::Path,
        expected: TypeId,
    ) -> Result<Ctor, Option<Reported>> {
        let Some(ctor) = self.ctor_of_type(expected, path.name.text) else {
            if path.prefix.is_none() && env.ctor(path.name.text).is_none() {
                if self.is_hole(path.name.text) {
                    self.fill_hole(env, Kind::Constructor);
                }
                return Err(Some(self.no_such_ctor(env, path, expected)));
            }
            return self.lookup_ctor(env, path);
        };
        let Some(prefix) = &path.prefix else {
            self.note_ctor(path.name, ctor);
            return Ok(self.named_ctor(env, path.name.text, (ctor, expected)));
        };
        // A qualified constructor is of a type of that module.
        let structure = self.prefix_structure(env, prefix)?;
        let Ctor::Variant(wanted, _) = ctor else { return Ok(ctor) };
        let own = |tycon: TyConId| tycon == wanted || self.alias_target(tycon) == Some(wanted);
        if let Some(&named) = structure.ctors.get(&path.name.text)
            && named != ctor
            && self.ctor_behind(named) == ctor
        {
            self.note_ctor(path.name, ctor);
            return Ok(named);
        }
        if structure.types.values().any(|&it| own(it))
            || structure.ctors.get(&path.name.text) == Some(&ctor)
        {
            self.note_ctor(path.name, ctor);
            return Ok(ctor);
        }
        self.lookup_ctor(env, path)
    }

    /// An unknown constructor, where the type of the value may be known.
    fn no_such_ctor(&mut self, env: &Env, path: &ast::Path, expected: TypeId) -> Reported {
        let expanded = self.types.expand(expected);
        let known = match self.types.nodes[expanded] {
            Type::Con(tycon, _) if !self.is_opaque(tycon) => match &self.types.tycons[tycon].kind {
                TyConKind::Variant(ctors) => {
                    Some((tycon, ctors.iter().map(|it| it.name).collect::<Vec<Symbol>>()))
                }
                _ => None,
            },
            _ => None,
        };
        let name = path.name.text;
        let Some((tycon, ctors)) = known.filter(|_| !self.broken.contains(&name)) else {
            return match self.lookup_ctor(env, path) {
                Err(Some(reported)) => reported,
                _ => self.diagnostics.reported(),
            };
        };
        let shown = self.types.tycons[tycon].path.clone();
        let report =
            Diagnostic::error("E0102", format!("type `{shown}` has no constructor `{name}`"))
                .at(path.span(), "unknown constructor");
        let report = match super::suggest::nearest(name, ctors.iter().copied()) {
            Some(near) => {
                report.help(format!("did you mean `{near}`?")).edit(path.name.span, near.as_str())
            }
            None => {
                let all: Vec<_> = ctors.iter().map(|it| format!("`{it}`")).collect();
                report.note(format!("its constructors are {}", all.join(", ")))
            }
        };
        self.diagnostics.error(report)
    }

    /// A name in the place of an inline record, whose type is still open.
    pub(super) fn unknown_inline(&mut self, path: &ast::Path, span: Span) -> Reported {
        let name = path.name.text;
        self.diagnostics.error(
            Diagnostic::error("E0119", format!("`{name}` holds an inline record"))
                .at(span, "not known to be that record")
                .help(format!("write the record here: `{name} {{ … }}`")),
        )
    }

    /// The type constructor that an abbreviation stands for.
    fn alias_target(&self, mut tycon: TyConId) -> Option<TyConId> {
        let mut target = None;
        while let TyConKind::Alias(body) = self.types.tycons[tycon].kind
            && let Type::Con(next, _) = self.types.get(body)
        {
            tycon = *next;
            target = Some(tycon);
        }
        target
    }

    /// Does `[a; b]` stand for constructors that the program declares?
    pub(super) fn is_own_list(&mut self, env: &Env, expected: TypeId) -> bool {
        let cons = Symbol::new("::");
        match self.ctor_of_type(expected, cons).or_else(|| env.ctor(cons)) {
            Some(Ctor::Variant(tycon, _)) => {
                self.types.declaration(tycon) != self.types.declaration(self.builtins.list)
            }
            Some(Ctor::Exn(_)) | None => false,
        }
    }

    fn ctor_of_type(&mut self, ty: TypeId, name: Symbol) -> Option<Ctor> {
        let ty = self.types.expand(ty);
        let Type::Con(tycon, _) = self.types.nodes[ty] else { return None };
        if self.is_opaque(tycon) {
            return None;
        }
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return None };
        let index = ctors.iter().position(|it| it.name == name)?;
        Some(Ctor::Variant(tycon, index as u32))
    }

    pub(super) fn instantiate_ctor(&mut self, ctor: Ctor) -> CtorInstance {
        if let Some(own) = self.own_result(ctor) {
            let fresh = self.own_instance(&own, None);
            return self.instance_of(ctor, &own.vars, &fresh);
        }
        let params = match self.anchored_ctor(ctor) {
            Ctor::Variant(tycon, _) => self.types.tycons[tycon].params.clone(),
            Ctor::Exn(exn) => match &self.types.exns[exn].of {
                Some((_, params)) => params.clone(),
                None => Vec::new(),
            },
        };
        let fresh: Vec<_> = params.iter().map(|_| self.fresh()).collect();
        self.instance_of(ctor, &params, &fresh)
    }

    /// The constructor with these types for its variables.
    pub(super) fn instance_of(
        &mut self,
        ctor: Ctor,
        vars: &[TypeId],
        types: &[TypeId],
    ) -> CtorInstance {
        let (tycon, args, inline_record, own) = match self.anchored_ctor(ctor) {
            Ctor::Variant(tycon, index) => match &self.types.tycons[tycon].kind {
                TyConKind::Variant(ctors) => {
                    let info = ctors[index as usize].clone();
                    (Some(tycon), info.args, info.inline_record, info.own)
                }
                _ => oxbow_diag::ice!("{} has no constructors", self.types.tycons[tycon].path),
            },
            Ctor::Exn(exn) => {
                let info = self.types.exns[exn].clone();
                (info.of.map(|it| it.0), info.args, info.inline_record, info.own)
            }
        };
        let args = args.into_iter().map(|it| self.types.substitute(it, vars, types)).collect();
        let inline_record =
            inline_record.map(|record| (record, self.types.add(Type::Con(record, types.to_vec()))));
        let result = match own {
            Some(own) => {
                own.args.into_iter().map(|it| self.types.substitute(it, vars, types)).collect()
            }
            None => types.to_vec(),
        };
        let result = match tycon {
            Some(tycon) => self.types.add(Type::Con(tycon, result)),
            None => self.builtins.exn,
        };
        CtorInstance { args, result, inline_record }
    }
}
