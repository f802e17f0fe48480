//! Polymorphic variants in expressions, patterns and type expressions.

use oxbow_base::{Span, SparseSet, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, Name, RowBound, RowExpr, RowField, TypeExpr};
use crate::tast;
use crate::types::{GENERIC, Row, Tag, TyConId, Type, TypeId};

use super::env::{Ctor, Env};
use super::pattern::Bound;
use super::typexpr::Vars;
use super::unify::Mismatch;
use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn open_row(&mut self, tags: Vec<(Symbol, Tag)>) -> TypeId {
        let level = self.level;
        self.types.add(Type::Row(Box::new(Row {
            object: false,
            tags,
            closed: false,
            level,
            name: None,
        })))
    }

    /// `` `Tag e `` has the type `` [> `Tag of t ] ``.
    pub(super) fn variant_expr(
        &mut self,
        env: &Env,
        tag: Name,
        arg: Option<&ast::Expr>,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let held = arg.map(|_| self.fresh());
        let row = self.open_row(vec![(tag.text, Tag::Present(held))]);
        let ok = self.expect(expect, row, span);
        let arg = match (arg, held) {
            (Some(arg), Some(held)) => Some(Box::new(self.part(env, arg, Expect::plain(held)))),
            _ => None,
        };
        let ty = if ok { row } else { self.builtins.error };
        tast::Expr { kind: tast::ExprKind::Variant { tag: tag.text, arg }, ty, span }
    }

    pub(super) fn variant_pattern(
        &mut self,
        env: &Env,
        tag: Name,
        arg: Option<&ast::Pattern>,
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let held = arg.map(|_| self.fresh());
        let row = bound.row.map(|it| self.types.repr(it));
        if row.is_some() && row == self.excluding_row(expect.ty) {
            let of = self.types.expand(expect.ty);
            let is_absent =
                matches!(&self.types.nodes[of], Type::Row(row) if row.find(tag.text).is_none());
            if is_absent {
                self.usage.absent.insert((span, tag.text));
                let arg = arg.zip(held).map(|(arg, held)| {
                    Box::new(self.pattern(env, arg, Expect::plain(held), bound))
                });
                let kind = tast::PatternKind::Variant { tag: tag.text, arg };
                return tast::Pattern { kind, ty: expect.ty, span };
            }
        }
        let types = held.into_iter().collect();
        let maybe = Tag::Maybe { constant: held.is_none(), types, matched: true };
        let row = self.open_row(vec![(tag.text, maybe)]);
        let ok = self.expect(expect, row, span);
        let arg = match (arg, held) {
            (Some(arg), Some(held)) => {
                let ty = if ok { held } else { self.builtins.error };
                Some(Box::new(self.pattern(env, arg, Expect::plain(ty), bound)))
            }
            _ => None,
        };
        if !ok {
            return self.error_pattern(span);
        }
        tast::Pattern { kind: tast::PatternKind::Variant { tag: tag.text, arg }, ty: row, span }
    }

    /// `#t`: any of the tags of `t`.
    pub(super) fn variant_type_pattern(
        &mut self,
        env: &Env,
        path: &ast::Path,
        span: Span,
        (expect, bound): (Expect, &Bound),
    ) -> tast::Pattern {
        let Ok(tycon) = self.lookup_type(env, path) else { return self.error_pattern(span) };
        let params = self.types.tycons[tycon].params.clone();
        let args = self.types.fresh_copies(&params, self.level);
        let named = self.types.add(Type::Con(tycon, args));
        let expanded = self.types.expand(named);
        let Some(of) = self.tags_of(expanded) else {
            self.not_a_row(named, span);
            return self.error_pattern(span);
        };
        let maybe = |tag: &Tag| Tag::Maybe {
            constant: matches!(tag, Tag::Present(None) | Tag::Maybe { constant: true, .. }),
            types: tag.types().to_vec(),
            matched: true,
        };
        let absent = self.tags_excluded(&of, expect.ty, bound);
        self.usage.absent.extend(absent.iter().map(|&it| (span, it)));
        let allowed = of.tags.iter().filter(|it| !absent.contains(&it.0));
        let tags = allowed.map(|(name, tag)| (*name, maybe(tag))).collect();
        let row = self.open_row(tags);
        if !self.expect(expect, row, span) {
            return self.error_pattern(span);
        }
        let alternative = |(name, tag): &(Symbol, Tag)| {
            let any = |&ty: &TypeId| tast::Pattern { kind: tast::PatternKind::Any, ty, span };
            let arg = tag.types().first().map(|it| Box::new(any(it)));
            tast::Pattern { kind: tast::PatternKind::Variant { tag: *name, arg }, ty: row, span }
        };
        let either = |left, right| {
            let kind = tast::PatternKind::Or(Box::new(left), Box::new(right));
            tast::Pattern { kind, ty: row, span }
        };
        match of.tags.iter().map(alternative).reduce(either) {
            Some(pattern) => pattern,
            None => self.error_pattern(span),
        }
    }

    /// The tags that what is matched as a whole cannot have.
    fn tags_excluded(&mut self, of: &Row, ty: TypeId, bound: &Bound) -> Vec<Symbol> {
        let matched = bound.row.map(|it| self.types.repr(it));
        let Some(row) = self.excluding_row(ty).filter(|&it| matched == Some(it)) else {
            return Vec::new();
        };
        let Type::Row(row) = &self.types.nodes[row] else { return Vec::new() };
        of.tags.iter().map(|it| it.0).filter(|&it| row.find(it).is_none()).collect()
    }

    /// The type of the name of a pattern `p as x`: of variants, that of the tags that `p` matches.
    pub(super) fn named_type(&mut self, pattern: &tast::Pattern) -> TypeId {
        match self.tags_matched(pattern) {
            Some(row) => row,
            None => self.type_with_tags(pattern).unwrap_or(pattern.ty),
        }
    }

    /// The type of what has parts in which tags were matched.
    fn type_with_tags(&mut self, pattern: &tast::Pattern) -> Option<TypeId> {
        if !self.names_other_type(pattern) {
            return None;
        }
        match &pattern.kind {
            tast::PatternKind::Alias(inner, _) => self.type_with_tags(inner),
            tast::PatternKind::Tuple(items) => {
                let items = items.iter().map(|it| self.named_type(it)).collect();
                Some(self.types.add(Type::Tuple(items)))
            }
            tast::PatternKind::Construct { tycon, ctor, args }
                if self.is_plain_ctor(*tycon, *ctor) && !self.has_unused_params(*tycon, *ctor) =>
            {
                let instance = self.instantiate_ctor(Ctor::Variant(*tycon, *ctor));
                for (&wanted, arg) in instance.args.iter().zip(args) {
                    let ty = self.named_type(arg);
                    self.unify(wanted, ty).ok()?;
                }
                Some(instance.result)
            }
            tast::PatternKind::Record { tycon, fields }
                if !self.types.tycons[*tycon].private
                    && self.fields_of(*tycon).iter().all(|it| it.vars.is_empty()) =>
            {
                let [old, new] = [0, 1].map(|_| self.record_instance(*tycon));
                self.unify(old.0, pattern.ty).ok()?;
                let mutable: Vec<bool> =
                    self.fields_of(*tycon).iter().map(|it| it.mutable).collect();
                for (index, (&old, &new)) in (0..).zip(old.1.iter().zip(&new.1)) {
                    // What can change stays what it is.
                    let matched =
                        fields.iter().find(|it| it.0 == index && !mutable[index as usize]);
                    let part = match matched {
                        Some((_, it)) => self.named_type(it),
                        None => old,
                    };
                    self.unify(new, part).ok()?;
                }
                Some(new.0)
            }
            _ => None,
        }
    }

    /// Are tags matched in the parts of a tuple or constructor, or records with parameters that no field mentions?
    fn names_other_type(&self, pattern: &tast::Pattern) -> bool {
        let other = |it: &tast::Pattern| self.names_other_type(it);
        match &pattern.kind {
            tast::PatternKind::Variant { .. } => true,
            tast::PatternKind::Alias(inner, _) => other(inner),
            tast::PatternKind::Or(left, right) => other(left) && other(right),
            tast::PatternKind::Tuple(items) => items.iter().any(other),
            tast::PatternKind::Construct { args, .. } => args.iter().any(other),
            tast::PatternKind::Record { tycon, fields } => {
                self.has_erased_param(*tycon) || fields.iter().any(|it| other(&it.1))
            }
            _ => false,
        }
    }

    fn tags_matched(&mut self, pattern: &tast::Pattern) -> Option<TypeId> {
        match &pattern.kind {
            tast::PatternKind::Variant { tag, arg } => {
                let held = arg.as_ref().map(|it| self.named_type(it));
                Some(self.open_row(vec![(*tag, Tag::Present(held))]))
            }
            tast::PatternKind::Or(left, right) => {
                let (left, right) = (self.tags_matched(left)?, self.tags_matched(right)?);
                self.unify(left, right).is_ok().then_some(left)
            }
            tast::PatternKind::Alias(inner, _) => self.tags_matched(inner),
            _ => None,
        }
    }

    fn tags_of(&self, ty: TypeId) -> Option<Box<Row>> {
        match &self.types.nodes[ty] {
            Type::Row(row) if !row.object => Some(row.clone()),
            _ => None,
        }
    }

    pub(super) fn not_a_row(&mut self, ty: TypeId, span: Span) {
        if matches!(self.types.get(ty), Type::Error) {
            return;
        }
        let shown = self.show(ty);
        self.diagnostics.error(
            Diagnostic::error("E0180", format!("`{shown}` is no type of polymorphic variants"))
                .at(span, "the tags of a type are asked for here")
                .help("name a type such as ``type t = [ `A | `B of int ]``"),
        );
    }

    /// `t as 'a`, where `t` may mention `'a` inside a row.
    pub(super) fn alias_type(
        &mut self,
        env: &Env,
        inner: &TypeExpr,
        name: Name,
        vars: Vars,
    ) -> TypeId {
        let known = self.tyvars.get(&name.text).copied();
        let var = known.unwrap_or_else(|| self.fresh());
        self.tyvars.insert(name.text, var);
        let ty = self.type_expr(env, inner, vars);
        match *self.types.get(var) {
            Type::Var { level: GENERIC, .. } => return self.constrain_param(var, ty),
            Type::Con(con, _) if self.scope_levels.contains(con) && self.is_named_by(var, ty) => {
                return self.rigid_row(var, ty);
            }
            _ => (),
        }
        if known.is_none() && !self.types.mentions_any(ty, &[var]) {
            self.set_node(var, Type::Link(ty));
        } else if let Err(mismatch) = self.unify(var, ty) {
            self.report_mismatch(Expect::plain(var), ty, inner.span, mismatch);
            return self.builtins.error;
        }
        ty
    }

    /// A quantified variable may be another name of a row, which may mention it if others can have more than it says.
    fn is_named_by(&self, var: TypeId, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Row(row) => !row.is_fixed() || !self.types.mentions_any(ty, &[var]),
            _ => false,
        }
    }

    /// `let f : 'a. ([> … ] as 'a) -> …`: a row that is equal to itself alone while the definition is checked.
    fn rigid_row(&mut self, var: TypeId, ty: TypeId) -> TypeId {
        let (at, var) = (self.types.repr(ty), self.types.repr(var));
        if let Type::Row(row) = &mut self.types.nodes[at]
            && !row.is_fixed()
        {
            row.level = GENERIC;
            self.rigid_rows.insert(at, self.level);
        }
        self.set_node(var, Type::Link(at));
        at
    }

    /// `type 'a t = [> … ] as 'a`: the parameter stands for rows with these bounds.
    fn constrain_param(&mut self, param: TypeId, ty: TypeId) -> TypeId {
        let at = self.types.repr(ty);
        let param = self.types.repr(param);
        if param != at {
            if let Type::Row(row) = &mut self.types.nodes[at] {
                row.level = GENERIC;
            }
            self.set_node(param, Type::Link(at));
        }
        ty
    }

    /// The arguments of a type whose parameters stand for rows only have their bounds.
    pub(super) fn check_row_params(&mut self, tycon: TyConId, args: &[TypeId], span: Span) {
        let params = self.types.tycons[tycon].params.clone();
        // `constraint 'a = int` in a class.
        for (&param, &arg) in params.iter().zip(args) {
            let open = |_: TypeId, ty: &Type| matches!(ty, Type::Var { .. } | Type::Row(_));
            let is_known = !self.types.any_part(param, open);
            if is_known && let Err(mismatch) = self.unify(param, arg) {
                self.report_mismatch(Expect::plain(param), arg, span, mismatch);
            }
        }
        let is_row = |it: &TypeId| matches!(self.types.get(*it), Type::Row(_));
        if !params.iter().any(is_row) {
            return;
        }
        let bounds = self.types.fresh_copies(&params, self.level);
        for (&bound, &arg) in bounds.iter().zip(args) {
            // A parameter without bounds is the argument, in declarations one of theirs.
            let bound = self.types.repr(bound);
            if matches!(self.types.nodes[bound], Type::Var { .. }) {
                self.set_node(bound, Type::Link(arg));
                continue;
            }
            if let Err(mismatch) = self.unify(bound, arg) {
                self.report_mismatch(Expect::plain(bound), arg, span, mismatch);
            }
        }
    }

    /// Rows of a declaration that are not fixed are parameters of it.
    pub(super) fn check_declared_rows(&mut self, tycon: TyConId, parts: &[TypeId], span: Span) {
        let params = self.types.tycons[tycon].params.clone();
        let params: Vec<TypeId> = params.iter().map(|&it| self.types.repr(it)).collect();
        let mut seen: SparseSet<TypeId> = SparseSet::new();
        let mut todo = parts.to_vec();
        while let Some(ty) = todo.pop() {
            let ty = self.types.repr(ty);
            if !seen.insert(ty) {
                continue;
            }
            match &self.types.nodes[ty] {
                Type::Var { .. } | Type::Link(_) | Type::Error => (),
                &Type::Arrow(_, param, result) => todo.extend([param, result]),
                Type::Tuple(items) | Type::Con(_, items) => todo.extend(items),
                Type::Row(row) if row.is_fixed() || params.contains(&ty) => {
                    todo.extend(row.types());
                }
                // What else the row has is known to the module alone.
                Type::Row(row) if parts.contains(&ty) && self.types.tycons[tycon].private => {
                    todo.extend(row.types());
                }
                Type::Row(_) => {
                    let shown = self.show(ty);
                    self.diagnostics.error(
                        Diagnostic::error(
                            "E0105",
                            format!("the row of `{shown}` is not determined"),
                        )
                        .at(span, "it is not a parameter of this type")
                        .help(format!("make it one: `type 'a … = ({shown} as 'a)`")),
                    );
                    return;
                }
            }
        }
    }

    pub(super) fn row_type(&mut self, env: &Env, expr: &RowExpr, vars: Vars) -> TypeId {
        let (tags, level) = (Vec::new(), self.level);
        let mut row = Row { object: false, tags, closed: true, level, name: None };
        row.closed = expr.bound != RowBound::AtLeast;
        for field in &expr.fields {
            match field {
                RowField::Tag { name, constant, types } => {
                    let types: Vec<TypeId> =
                        types.iter().map(|it| self.type_expr(env, it, vars)).collect();
                    let certain = expr.bound != RowBound::AtMost
                        || expr.present.iter().any(|it| it.text == name.text);
                    if certain && (types.len() > 1 || *constant && !types.is_empty()) {
                        self.two_types(name.text, name.span);
                    }
                    let tag = match types[..] {
                        [] if certain => Tag::Present(None),
                        [ty] if certain && !constant => Tag::Present(Some(ty)),
                        _ if certain => Tag::Present(Some(self.builtins.error)),
                        _ => Tag::Maybe { constant: *constant, types, matched: false },
                    };
                    self.add_tag(&mut row, name.text, tag, name.span);
                }
                RowField::Inherit(ty) => self.inherit_tags(env, expr, ty, &mut row, vars),
            }
        }
        if let Some(missing) = expr.present.iter().find(|it| row.find(it.text).is_none()) {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0181",
                    format!("the tag `` `{} `` is not in the list before `>`", missing.text),
                )
                .at(missing.span, "it cannot be there for certain")
                .help("add it to the tags that are allowed"),
            );
        }
        if vars == Vars::Declared && !row.is_fixed() {
            row.level = GENERIC;
        }
        self.types.add(Type::Row(Box::new(row)))
    }

    fn add_tag(&mut self, row: &mut Row, name: Symbol, tag: Tag, span: Span) {
        let same = match (row.find(name), &tag) {
            (Some(Tag::Present(Some(a))), Tag::Present(Some(b))) => {
                let (a, b) = (*a, *b);
                self.unify(a, b).is_ok()
            }
            (Some(Tag::Present(None)), Tag::Present(Some(_)))
            | (Some(Tag::Present(Some(_))), Tag::Present(None)) => false,
            _ => true,
        };
        if !same {
            return self.two_types(name, span);
        }
        row.add(name, tag);
        if let Err(Mismatch::SameHash(a, b)) = super::rows::check_hashes(row) {
            self.same_hash(a, b, span);
        }
    }

    fn two_types(&mut self, name: Symbol, span: Span) {
        self.diagnostics.error(
            Diagnostic::error("E0182", format!("the tag `` `{name} `` has two types here"))
                .at(span, "a value would have to be of both"),
        );
    }

    pub(super) fn same_hash(&mut self, a: Symbol, b: Symbol, span: Span) -> oxbow_diag::Reported {
        self.diagnostics.error(
            Diagnostic::error(
                "E0183",
                format!("the tags `` `{a} `` and `` `{b} `` have the same hash"),
            )
            .at(span, "they cannot be tags of one type")
            .help("rename one of them"),
        )
    }

    /// The tags of another type, in a row that is being written.
    fn inherit_tags(
        &mut self,
        env: &Env,
        expr: &RowExpr,
        ty: &TypeExpr,
        row: &mut Row,
        vars: Vars,
    ) {
        let span = ty.span;
        let inherited = self.type_expr(env, ty, vars);
        let expanded = self.types.expand(inherited);
        // Which tags a private row has is not known here.
        let tags = if self.is_private_type(inherited) { None } else { self.tags_of(expanded) };
        let Some(of) = tags else {
            return self.not_a_row(inherited, span);
        };
        for (name, tag) in &of.tags {
            let certain =
                expr.bound != RowBound::AtMost || expr.present.iter().any(|it| it.text == *name);
            let tag = match tag {
                Tag::Present(held) if !certain => Tag::Maybe {
                    constant: held.is_none(),
                    types: held.iter().copied().collect(),
                    matched: false,
                },
                other => other.clone(),
            };
            self.add_tag(row, *name, tag, span);
        }
    }

    /// `#t` as a type: rows with no tags but those of `t`; objects with the methods of the class `t`, and maybe others.
    pub(super) fn bounded_by(
        &mut self,
        env: &Env,
        path: &ast::Path,
        args: &[TypeExpr],
        span: Span,
        vars: Vars,
    ) -> TypeId {
        let kind = ast::TypeExprKind::Constr(path.clone(), args.to_vec());
        if let Some(tycon) = self.object_tycon(env, path) {
            return self.open_class_type(env, tycon, &TypeExpr { kind, span }, vars);
        }
        let named = RowField::Inherit(TypeExpr { kind, span });
        let row = RowExpr { bound: RowBound::AtMost, fields: vec![named], present: Vec::new() };
        self.row_type(env, &row, vars)
    }
}
