//! Records: which type a set of fields means, construction, update, access.

use oxbow_base::{Mark, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, Path};
use crate::tast::{self, RecordRef};
use crate::types::{FieldInfo, InlineOwner, TyConId, TyConKind, Type, TypeId};

use super::env::{Env, Sort};
use super::suggest::nearest;
use super::{Because, Expect, Infer};

/// How much of a record the fields at hand are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldSet {
    /// All of it: `{ a = 1; b = 2 }`.
    Whole,
    /// `{ r with a = 1 }`, and patterns that end in `; _`.
    Part,
}

impl Infer<'_> {
    /// `{ r with … }` with all fields.
    fn warn_if_none_kept(&mut self, tycon: TyConId, given: usize, base: Span, span: Span) {
        let is_fine = given < self.fields_of(tycon).len() || self.is_clef() || self.library;
        if is_fine || self.diagnostics.has_error_within(span) {
            return;
        }
        self.diagnostics.warning(
            Diagnostic::warning("W0023", "all fields of this record are given")
                .at(span, "nothing is left to copy")
                .label(base, "this record is evaluated and dropped")
                .help("leave the `with` away"),
        );
    }

    pub(super) fn fields_of(&self, tycon: TyConId) -> &[FieldInfo] {
        match &self.types.tycons[tycon].kind {
            TyConKind::Record(fields) | TyConKind::InlineRecord { fields, .. } => fields,
            _ => &[],
        }
    }

    pub(super) fn record_ref(&self, tycon: TyConId) -> RecordRef {
        match self.types.tycons[tycon].kind {
            TyConKind::InlineRecord { variant: InlineOwner::Exn(exn), .. } => {
                RecordRef::Inline(InlineOwner::Exn(self.types.exn_behind(exn)))
            }
            TyConKind::InlineRecord { variant, .. } => RecordRef::Inline(variant),
            _ => RecordRef::Record(tycon),
        }
    }

    /// The record type of `ty`, if it is known to be one.
    fn known_record(&mut self, ty: TypeId) -> Option<TyConId> {
        let ty = self.types.expand(ty);
        let Type::Con(tycon, _) = self.types.nodes[ty] else { return None };
        match self.types.tycons[tycon].kind {
            TyConKind::Record(_) if self.is_opaque(tycon) => None,
            TyConKind::Record(_) | TyConKind::InlineRecord { .. } => Some(tycon),
            _ => None,
        }
    }

    /// The record that has these fields: by the expected type, else the latest declaration that
    /// has them (and no others, if they are the whole), else the latest that has them all, else the
    /// latest that has the first. With a fresh instance of its type.
    pub(super) fn record_type_of<'p>(
        &mut self,
        env: &Env,
        fields: impl Iterator<Item = &'p Path> + Clone,
        set: FieldSet,
        expect: Expect,
    ) -> Option<(TyConId, TypeId)> {
        // A qualified field decides first.
        let first =
            fields.clone().find(|it| it.prefix.is_some()).or_else(|| fields.clone().next())?;
        if let Some(tycon) = self.known_record(expect.ty)
            && (first.prefix.is_none() || self.lookup_field(env, first).ok()?.contains(&tycon))
        {
            self.use_name(env, Sort::Field, first.name.text);
            let ty =
                if self.types.has_equations { self.types.expand(expect.ty) } else { expect.ty };
            return Some((tycon, ty));
        }
        let candidates = self.lookup_field(env, first).ok()?;
        let names: Vec<Symbol> = fields.map(|it| it.name.text).collect();
        let has_all = |tycon: &TyConId| {
            names.iter().all(|name| self.fields_of(*tycon).iter().any(|it| it.name == *name))
        };
        let having: Vec<TyConId> = candidates.iter().rev().copied().filter(has_all).collect();
        let is_whole = |tycon: &&TyConId| self.fields_of(**tycon).len() == names.len();
        let exact = having.iter().find(is_whole).filter(|_| set == FieldSet::Whole);
        let tycon = exact.or(having.first()).or(candidates.last()).copied()?;
        let fresh: Vec<_> =
            (0..self.types.tycons[tycon].params.len()).map(|_| self.fresh()).collect();
        Some((tycon, self.types.add(Type::Con(tycon, fresh))))
    }

    /// Number and type of a field of a record type, given the record's instance.
    pub(super) fn record_field(
        &mut self,
        tycon: TyConId,
        ty: TypeId,
        path: &Path,
    ) -> Option<(u32, TypeId)> {
        let name = path.name.text;
        let Some(index) = self.fields_of(tycon).iter().position(|it| it.name == name) else {
            if self.is_hole(name) {
                self.fill_hole_of(ty);
            }
            if self.broken.contains(&name) {
                return None;
            }
            let fields = self.fields_of(tycon).iter().map(|it| it.name);
            let fields: Vec<_> = fields.filter(|it| !it.is_hidden()).collect();
            let near = nearest(name, fields.iter().copied());
            let shown = self.types.tycons[tycon].path.clone();
            if self.is_clef() && self.interface_members(tycon, &[name], (path.span(), false)) {
                return None;
            }
            let mut diagnostic =
                Diagnostic::error("E0104", format!("record `{shown}` has no field `{name}`"))
                    .at(path.span(), "unknown field");
            diagnostic = match near {
                Some(near) => diagnostic
                    .help(format!("did you mean `{near}`?"))
                    .edit(path.name.span, near.as_str()),
                None if fields.is_empty() => diagnostic,
                None => {
                    let all: Vec<_> = fields.iter().map(|it| format!("`{it}`")).collect();
                    diagnostic.note(format!("its fields are {}", all.join(", ")))
                }
            };
            self.diagnostics.error(diagnostic);
            return None;
        };
        self.note_field(path.name, tycon, index as u32);
        self.use_type(tycon);
        let (field, vars) = self.field_instance(tycon, ty, index);
        let fresh: Vec<TypeId> = vars.iter().map(|_| self.fresh()).collect();
        Some((index as u32, self.types.substitute(field, &vars, &fresh)))
    }

    pub(super) fn record_expr(
        &mut self,
        env: &Env,
        expr: &ast::Expr,
        (base, fields): (Option<&ast::Expr>, &[ast::FieldValue]),
        expect: Expect,
    ) -> tast::Expr {
        let span = expr.span;
        let all = self.with_bases(expr, fields, expect);
        let fields = all.as_deref().unwrap_or(fields);
        let base = base.map(|it| {
            let ty = self.fresh();
            // The base has the type of the whole, up to type arguments that no kept field uses.
            let hint = if self.known_record(expect.ty).is_some() {
                self.copy_record_type(expect.ty)
            } else {
                ty
            };
            self.inline_allowed = matches!(it.kind, ast::ExprKind::Ident(_));
            self.expr(env, it, Expect::plain(hint))
        });
        let wanted = match &base {
            Some(base) if self.known_record(expect.ty).is_none() => {
                Expect::plain(self.copy_record_type(base.ty))
            }
            _ => expect,
        };
        let set = if base.is_some() { FieldSet::Part } else { FieldSet::Whole };
        let Some((tycon, ty)) =
            self.record_type_of(env, fields.iter().map(|it| &it.0), set, wanted)
        else {
            for (_, _, value) in fields {
                self.infer_only(env, value);
            }
            return self.failed(span);
        };
        if self.is_made_by_constructors(tycon)
            && !expr.attributes.iter().any(|it| it.is(Mark::Class))
        {
            return self.no_record(tycon, span);
        }
        let named = fields.first().map(|it| self.named_record(env, &it.0, tycon));
        self.check_public(named.unwrap_or(tycon), span);
        let mut values: Vec<(u32, tast::Expr)> = Vec::new();
        let mut unknown = false;
        for (path, annotation, value) in fields {
            let Some((index, field_ty)) = self.record_field(tycon, ty, path) else {
                self.infer_only(env, value);
                unknown = true;
                continue;
            };
            let mut expect = Expect::plain(field_ty);
            if let Some(annotation) = annotation {
                let annotated = self.type_expr(env, annotation, super::typexpr::Vars::Shared);
                self.expect(Expect::plain(field_ty), annotated, annotation.span);
                expect.because = Because::Annotation(annotation.span);
            }
            if values.iter().any(|it| it.0 == index) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0121",
                        format!("field `{}` is given twice", path.name.text),
                    )
                    .at(path.span(), "already given"),
                );
            }
            let value = self.field_value(env, value, (tycon, ty, index), expect);
            values.push((index, value));
        }
        let bound = self.bind_fields(&mut values);
        let kind = match base {
            Some(base) => {
                self.unify_kept_fields(tycon, base.ty, ty, &values, base.span);
                self.warn_if_none_kept(tycon, values.len(), base.span, span);
                let record = self.record_ref(tycon);
                tast::ExprKind::RecordWith { base: Box::new(base), record, updates: values }
            }
            None => {
                // A field with a wrong name is reported as that, not as missing, too.
                if unknown || !self.all_fields_given(tycon, &values, span) {
                    return self.failed(span);
                }
                values.sort_by_key(|it| it.0);
                tast::ExprKind::Record {
                    tycon,
                    fields: values.into_iter().map(|it| it.1).collect(),
                }
            }
        };
        let record = self.node(kind, ty, span, expect);
        bound.into_iter().rev().fold(record, |body, binding| {
            let ty = body.ty;
            let kind = tast::ExprKind::Let {
                bindings: vec![binding],
                as_match: None,
                body: Box::new(body),
            };
            tast::Expr { kind, ty, span }
        })
    }

    /// Clef evaluates fields as they are written: those that are not in the order of the type
    /// are bound before the record is made.
    fn bind_fields(&mut self, values: &mut [(u32, tast::Expr)]) -> Vec<tast::Binding> {
        if !self.is_clef() || values.is_sorted_by_key(|it| it.0) {
            return Vec::new();
        }
        let mut bindings = Vec::new();
        for (_, value) in values {
            let (ty, span) = (value.ty, value.span);
            self.local_depth += 1;
            let var = self.new_var(Symbol::new("field"), ty, span);
            self.local_depth -= 1;
            let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty, span };
            let kind = tast::ExprKind::Var { var, tyargs: Vec::new() };
            let value = std::mem::replace(value, tast::Expr { kind, ty, span });
            bindings.push(tast::Binding { pattern, value });
        }
        bindings
    }

    /// The same record type with fresh arguments; `ty` itself if it is not a known record.
    fn copy_record_type(&mut self, ty: TypeId) -> TypeId {
        match self.known_record(ty) {
            Some(tycon) => {
                let fresh: Vec<_> =
                    (0..self.types.tycons[tycon].params.len()).map(|_| self.fresh()).collect();
                self.types.add(Type::Con(tycon, fresh))
            }
            None => ty,
        }
    }

    /// Fields that `{ base with … }` keeps have the same type in the base and in the result.
    fn unify_kept_fields(
        &mut self,
        tycon: TyConId,
        base: TypeId,
        result: TypeId,
        given: &[(u32, tast::Expr)],
        span: Span,
    ) {
        let copy = self.copy_record_type(result);
        self.expect(Expect::plain(copy), base, span);
        if self.types.tycons[tycon].params.is_empty() {
            return;
        }
        let names: Vec<_> = self.fields_of(tycon).iter().map(|it| it.name).collect();
        for (index, name) in names.into_iter().enumerate() {
            if given.iter().any(|it| it.0 as usize == index) {
                continue;
            }
            let path = Path::plain(ast::Name { text: name, span });
            let kept = self.record_field(tycon, base, &path);
            let made = self.record_field(tycon, result, &path);
            if let (Some((_, kept)), Some((_, made))) = (kept, made) {
                self.expect(Expect::plain(made), kept, span);
            }
        }
    }

    fn all_fields_given(
        &mut self,
        tycon: TyConId,
        values: &[(u32, tast::Expr)],
        span: Span,
    ) -> bool {
        let missing: Vec<Symbol> = self
            .fields_of(tycon)
            .iter()
            .enumerate()
            .filter(|(index, _)| !values.iter().any(|it| it.0 as usize == *index))
            .map(|(_, field)| field.name)
            .collect();
        if missing.is_empty() {
            return true;
        }
        if self.is_clef() && self.interface_members(tycon, &missing, (span, true)) {
            return false;
        }
        let missing: Vec<_> = missing.into_iter().map(|it| format!("`{it}`")).collect();
        let (noun, verb) = if missing.len() == 1 { ("field", "is") } else { ("fields", "are") };
        let mut diagnostic = Diagnostic::error(
            "E0122",
            format!("record {noun} {} {verb} missing", missing.join(", ")),
        )
        .at(span, "all fields must be given");
        if let Some(declared) = self.span_of_tycon(tycon)
            && declared.file == span.file
        {
            diagnostic = diagnostic.label(declared, "the record is declared here");
        }
        self.diagnostics.error(diagnostic);
        false
    }

    /// `object.field`: the object, its record, the field's number and type.
    pub(super) fn field_access(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        path: &Path,
    ) -> Option<(tast::Expr, TyConId, u32, TypeId)> {
        let ty = self.fresh();
        self.inline_allowed = matches!(object.kind, ast::ExprKind::Ident(_));
        let mut object = self.expr(env, object, Expect::plain(ty));
        if matches!(self.types.get(object.ty), Type::Error) {
            return None;
        }
        if self.types.has_equations {
            object.ty = self.types.expand(object.ty);
        }
        let tycon = match self.known_record(object.ty) {
            Some(tycon)
                if path.prefix.is_none() || self.lookup_field(env, path).ok()?.contains(&tycon) =>
            {
                self.use_name(env, Sort::Field, path.name.text);
                tycon
            }
            _ => {
                let tycon = *self.lookup_field(env, path).ok()?.last()?;
                let fresh: Vec<_> =
                    (0..self.types.tycons[tycon].params.len()).map(|_| self.fresh()).collect();
                let record = self.types.add(Type::Con(tycon, fresh));
                if !self.expect(Expect::plain(record), object.ty, object.span) {
                    return None;
                }
                tycon
            }
        };
        let (index, ty) = self.record_field(tycon, object.ty, path)?;
        Some((object, tycon, index, ty))
    }
}
