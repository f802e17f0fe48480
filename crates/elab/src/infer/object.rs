//! The types of objects, and what is sent to objects.
//!
//! ```text
//! < m : int; .. >      an open row with the method m
//! < m : int >          a fixed one
//! #c                   an open row with the methods of the class c
//! o#m                  o : < m : 'a; .. >    o#m : 'a
//! ```
//!
//! In the graph all objects are values of one type, so that coercions are nothing there (decision 90).

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, Name, ObjectTypeExpr, ObjectTypeField, TypeExpr};
use crate::tast;
use crate::types::{GENERIC, Row, Tag, TyConId, Type, TypeId, VarInfo};

use super::coerce::Seen;
use super::env::{Env, ValueKind};
use super::rigid::Rigid;
use super::suggest::nearest;
use super::typexpr::Vars;
use super::unify::Mismatch;
use super::{Expect, Infer};

/// Types that stand for the variables of a polymorphic method while it is checked.
pub(super) struct RigidTypes {
    pub types: Vec<TypeId>,
    rigid: Vec<(Rigid, TypeId)>,
    /// Those of objects, with the variables.
    rows: Vec<(TypeId, TypeId)>,
}

impl Infer<'_> {
    pub(super) fn add_object_row(&mut self, tags: Vec<(Symbol, Tag)>, closed: bool) -> TypeId {
        let level = self.level;
        self.types.add(Type::Row(Box::new(Row { object: true, tags, closed, level, name: None })))
    }

    /// The row of an object type.
    pub(super) fn object_row(&mut self, ty: TypeId) -> Option<(TypeId, Row)> {
        let ty = self.types.expand(ty);
        match &self.types.nodes[ty] {
            Type::Row(row) if row.object => Some((ty, row.as_ref().clone())),
            _ => None,
        }
    }

    // ------------------------------------------------------------------ types

    pub(super) fn object_type(&mut self, env: &Env, object: &ObjectTypeExpr, vars: Vars) -> TypeId {
        let (tags, level) = (Vec::new(), self.level);
        let mut row = Row { object: true, tags, closed: !object.open, level, name: None };
        for field in &object.fields {
            match field {
                ObjectTypeField::Method(name, poly) => {
                    let tag = self.method_tag(env, poly, vars);
                    self.add_method(&mut row, *name, tag);
                }
                ObjectTypeField::Inherit(ty) => {
                    let inherited = self.type_expr(env, ty, vars);
                    let Some((_, of)) = self.object_row(inherited) else {
                        self.not_an_object(inherited, ty.span);
                        continue;
                    };
                    for (name, tag) in of.tags {
                        self.add_method(&mut row, Name { text: name, span: ty.span }, tag);
                    }
                }
            }
        }
        if vars == Vars::Declared && !row.is_fixed() {
            row.level = GENERIC;
        }
        self.types.add(Type::Row(Box::new(row)))
    }

    /// A method as its type is written.
    pub(super) fn method_tag(&mut self, env: &Env, poly: &ast::PolyType, vars: Vars) -> Tag {
        if poly.locally_abstract {
            self.not_supported(poly.ty.span, "`type a.` in the type of a method");
            return Tag::Present(Some(self.builtins.error));
        }
        let (ty, own) = self.field_scheme(env, poly, vars);
        // A variable may stand for objects that have some methods: `'a. (#c as 'a) -> …`.
        for &var in &own {
            let at = self.types.repr(var);
            self.types.uniform.insert(at);
        }
        match own.is_empty() {
            true => Tag::Present(Some(ty)),
            false => Tag::Poly { ty, vars: own },
        }
    }

    fn add_method(&mut self, row: &mut Row, name: Name, tag: Tag) {
        if let Some(before) = row.find(name.text).cloned()
            && self.same_method(&before, &tag).is_err()
        {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0196",
                    format!("the method `{}` has two types here", name.text),
                )
                .at(name.span, "an object would need two methods of this name"),
            );
            return;
        }
        row.add(name.text, tag);
    }

    /// Is this the name of a type of objects?
    pub(super) fn object_tycon(&mut self, env: &Env, path: &ast::Path) -> Option<TyConId> {
        let tycon = match &path.prefix {
            None => env.ty(path.name.text)?,
            Some(prefix) => {
                let structure = self.prefix_structure(env, prefix).ok()?;
                *structure.types.get(&path.name.text)?
            }
        };
        let params = self.types.tycons[tycon].params.clone();
        let ty = self.types.add(Type::Con(tycon, params));
        self.object_row(ty)?;
        if !self.classes.tycons.contains(tycon) {
            let name = path.name.text;
            self.diagnostics.error(
                Diagnostic::error("E0195", format!("`{name}` is no class and no class type"))
                    .at(path.span(), "`#` stands before the name of a class")
                    .help("write the methods out: `< m : t; .. >`"),
            );
        }
        Some(tycon)
    }

    /// `#c`: what objects of `c` and of classes with more methods have in common.
    pub(super) fn open_class_type(
        &mut self,
        env: &Env,
        tycon: TyConId,
        named: &TypeExpr,
        vars: Vars,
    ) -> TypeId {
        let ty = self.type_expr(env, named, vars);
        let Some((at, row)) = self.object_row(ty) else { return self.builtins.error };
        let _ = tycon;
        let open = self.reopened(at, &row);
        if vars == Vars::Declared
            && let Type::Row(row) = &mut self.types.nodes[open]
        {
            row.level = GENERIC;
        }
        open
    }

    /// An open row with the same methods; what was the type itself is the new one.
    pub(super) fn reopened(&mut self, at: TypeId, row: &Row) -> TypeId {
        let made = self.add_object_row(Vec::new(), false);
        let level = self.level;
        let tags = row.map(|it| self.types.substitute(it, &[at], &[made])).tags;
        let open = Row { object: true, tags, closed: false, level, name: None };
        self.types.nodes[made] = Type::Row(Box::new(open));
        made
    }

    // ------------------------------------------------------------ unification

    /// Polymorphic methods of both rows must be the same.
    pub(super) fn unify_poly_methods(&mut self, a: &Row, b: &Row) -> Result<(), Mismatch> {
        if !a.object {
            return Ok(());
        }
        for (name, tag) in &a.tags {
            if let (Tag::Poly { .. }, Some(other @ Tag::Poly { .. })) = (tag, b.find(*name)) {
                self.same_method(tag, other)?;
            }
        }
        Ok(())
    }

    pub(super) fn same_method(&mut self, a: &Tag, b: &Tag) -> Result<(), Mismatch> {
        match (a, b) {
            (&Tag::Present(Some(a)), &Tag::Present(Some(b))) => self.unify(a, b),
            (Tag::Poly { ty: a, vars }, Tag::Poly { ty: b, vars: other })
                if vars.len() == other.len() =>
            {
                if a == b {
                    return Ok(());
                }
                self.same_bounds(vars, other)?;
                self.with_rigid_methods((*a, vars), (*b, other), |cx, a, b| cx.unify(a, b))
            }
            _ => Err(Mismatch::Different),
        }
    }

    /// Compares two polymorphic types, with types that equal themselves alone for their variables.
    fn with_rigid_methods(
        &mut self,
        (a, vars): (TypeId, &[TypeId]),
        (b, other): (TypeId, &[TypeId]),
        compare: impl FnOnce(&mut Self, TypeId, TypeId) -> Result<(), Mismatch>,
    ) -> Result<(), Mismatch> {
        self.enter_level();
        let rigid = self.rigid_types(vars);
        let a = self.types.substitute(a, vars, &rigid.types);
        let b = self.types.substitute(b, other, &rigid.types);
        let result = compare(self, a, b);
        self.leave_level();
        self.close_rigid_types(rigid);
        result
    }

    /// Types that equal themselves alone, for the variables of a polymorphic method.
    pub(super) fn rigid_types(&mut self, vars: &[TypeId]) -> RigidTypes {
        let (mut types, mut rigid, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for &var in vars {
            if let Type::Row(_) = self.types.get(var) {
                let row = self.types.add(Type::Error);
                rows.push((row, var));
                types.push(row);
                continue;
            }
            let one = self.open_unplaced_rigid(self.name_of_var(var));
            types.push(self.types.add(Type::Con(one.tycon, Vec::new())));
            rigid.push((one, var));
        }
        for &(at, var) in &rows {
            if let Type::Row(row) = self.types.get(var).clone() {
                let row = row.map(|it| self.types.substitute(it, vars, &types));
                self.types.nodes[at] = Type::Row(Box::new(Row { level: GENERIC, ..row }));
                self.rigid_rows.insert(at, self.level);
            }
        }
        RigidTypes { types, rigid, rows }
    }

    pub(super) fn close_rigid_types(&mut self, closed: RigidTypes) {
        for (one, var) in closed.rigid {
            self.close_rigid(one, var);
        }
        for (row, var) in closed.rows {
            self.rigid_rows.remove(row);
            let var = self.types.repr(var);
            self.types.nodes[row] = Type::Link(var);
        }
    }

    /// Variables that stand for objects ask for the same methods.
    fn same_bounds(&mut self, a: &[TypeId], b: &[TypeId]) -> Result<(), Mismatch> {
        for (&a, &b) in a.iter().zip(b) {
            let (row, other) = match (self.types.get(a), self.types.get(b)) {
                (Type::Row(row), Type::Row(other)) => (row.clone(), other.clone()),
                (Type::Row(_), _) | (_, Type::Row(_)) => return Err(Mismatch::Different),
                _ => continue,
            };
            let names = |row: &Row| row.tags.iter().map(|it| it.0).collect::<Vec<_>>();
            if names(&row) != names(&other) || row.closed != other.closed {
                return Err(Mismatch::Different);
            }
        }
        Ok(())
    }

    pub(super) fn name_of_var(&self, var: TypeId) -> Symbol {
        match self.types.get(var) {
            Type::Var { name: Some(name), .. } => *name,
            _ => Symbol::new("a"),
        }
    }

    // -------------------------------------------------------------- subtyping

    /// A new row with at least these methods.
    pub(super) fn at_least(&mut self, row: &Row) -> TypeId {
        let tags = row.tags.iter().map(|(name, tag)| match tag {
            Tag::Poly { .. } => (*name, tag.clone()),
            _ => (*name, Tag::Present(Some(self.fresh()))),
        });
        let tags = tags.collect();
        self.add_object_row(tags, false)
    }

    pub(super) fn subtype_object(
        &mut self,
        (a, row): (TypeId, &Row),
        (b, other): (TypeId, &Row),
        seen: &mut Seen,
    ) -> Result<(), Mismatch> {
        let solid = |row: &Row| row.is_fixed() || row.level == GENERIC;
        if !solid(other) {
            return self.unify(a, b);
        }
        if !solid(row) && other.tags.iter().any(|it| row.find(it.0).is_none()) {
            let above = self.at_least(other);
            self.unify(a, above)?;
        }
        if !other.closed && row.closed && !other.is_fixed() {
            return Err(Mismatch::Different);
        }
        let row = match self.types.get(a) {
            Type::Row(row) => row.as_ref().clone(),
            _ => row.clone(),
        };
        for (name, wanted) in &other.tags {
            match (row.find(*name), wanted) {
                (Some(&Tag::Present(Some(found))), &Tag::Present(Some(wanted))) => {
                    self.subtype(found, wanted, seen)?;
                }
                (Some(Tag::Poly { ty: a, vars }), Tag::Poly { ty: b, vars: others })
                    if vars.len() == others.len() =>
                {
                    let (a, b) = ((*a, vars.as_slice()), (*b, others.as_slice()));
                    self.with_rigid_methods(a, b, |cx, a, b| cx.subtype(a, b, seen))?;
                }
                _ => return Err(Mismatch::Different),
            }
        }
        Ok(())
    }

    /// The methods that an object lacks where another type is wanted, in words.
    pub(super) fn lacking_methods(&mut self, wanted: TypeId, found: TypeId) -> Option<String> {
        let (_, wanted) = self.object_row(wanted)?;
        let (_, found) = self.object_row(found)?;
        let lacking: Vec<String> = wanted
            .tags
            .iter()
            .filter(|it| found.closed && found.find(it.0).is_none())
            .map(|it| format!("`{}`", it.0))
            .collect();
        match lacking.len() {
            0 => None,
            1 => Some(format!("the type that is found has no method {}", lacking[0])),
            _ => Some(format!("the type that is found has no methods {}", lacking.join(", "))),
        }
    }

    // ------------------------------------------------------------------ sends

    /// `o#m`
    pub(super) fn send(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        name: Name,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if let ast::ExprKind::Ident(path) = &object.kind
            && path.prefix.is_none()
            && let Some(value) = env.value(path.name.text)
            && let ValueKind::Super { number, this } = value.kind
        {
            self.usage.ancestors.insert(value.span);
            return self.send_super((number, this), name, object.span, span, expect);
        }
        let ty = self.fresh();
        let typed = self.expr(env, object, Expect::plain(ty));
        if matches!(self.types.get(typed.ty), Type::Error) {
            return self.failed(span);
        }
        if self.is_hole(name.text) {
            self.fill_hole_of(typed.ty);
        }
        let known = self.known_object(&typed, name.text);
        if let Some(var) = known {
            let VarInfo { span, ty, .. } = self.types.vars[var];
            self.note_method(name, span, ty);
        }
        let Some(tag) = self.method_of(typed.ty, name, object.span) else {
            return self.failed(span);
        };
        self.send_node(typed, name, &tag, known, span, expect)
    }

    pub(super) fn send_node(
        &mut self,
        object: tast::Expr,
        name: Name,
        tag: &Tag,
        known: Option<VarId>,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let (method, ty) = self.method_instance(tag);
        let kind =
            tast::ExprKind::Send { object: Box::new(object), label: name.text, method, known };
        self.node(kind, ty, span, expect)
    }

    /// The type of a method over its own variables, and at fresh ones.
    fn method_instance(&mut self, tag: &Tag) -> (TypeId, TypeId) {
        match tag {
            Tag::Poly { ty, vars } => {
                let fresh = self.types.fresh_copies(vars, self.level);
                (*ty, self.types.substitute(*ty, vars, &fresh))
            }
            _ => match tag.types() {
                [ty] => (*ty, *ty),
                _ => (self.builtins.error, self.builtins.error),
            },
        }
    }

    /// The method of an object; what is not known of the object's type is known to have it afterwards.
    fn method_of(&mut self, object: TypeId, name: Name, span: Span) -> Option<Tag> {
        if let Some(tag) = self.private_method(object, name.text) {
            return Some(tag);
        }
        let found = self.object_row(object);
        if let Some((_, row)) = &found
            && let Some(tag) = row.find(name.text)
        {
            return Some(tag.clone());
        }
        let expanded = self.types.expand(object);
        let unknown = match (&found, &self.types.nodes[expanded]) {
            (Some((_, row)), _) => !row.is_fixed() && row.level != GENERIC,
            (None, Type::Var { level, .. }) => *level != GENERIC,
            (None, Type::Error) => return None,
            (None, _) => {
                self.not_an_object(object, span);
                return None;
            }
        };
        let ty = self.fresh();
        let row = self.add_object_row(vec![(name.text, Tag::Present(Some(ty)))], false);
        if unknown && self.unify(object, row).is_ok() {
            return Some(Tag::Present(Some(ty)));
        }
        self.no_method(object, name, span);
        None
    }

    /// The text of an object's type with its methods, though it has a name.
    pub(super) fn show_parts(&mut self, ty: TypeId) -> String {
        let Some((_, row)) = self.object_row(ty) else { return self.show(ty) };
        let unnamed = self.types.add(Type::Row(Box::new(Row { name: None, ..row })));
        self.show(unnamed)
    }

    fn no_method(&mut self, object: TypeId, name: Name, span: Span) {
        let shown = self.show(object);
        let mut report =
            Diagnostic::error("E0190", format!("this object has no method `{}`", name.text))
                .at(name.span, "no such method")
                .label(span, format!("this has type `{shown}`"));
        if let Some((_, row)) = self.object_row(object) {
            if let Some(near) = nearest(name.text, row.tags.iter().map(|it| it.0)) {
                report = report.help(format!("did you mean `{near}`?"));
            } else if !row.tags.is_empty() {
                let names: Vec<String> =
                    row.tags.iter().take(12).map(|it| format!("`{}`", it.0)).collect();
                report = report.note(format!("its methods: {}", names.join(", ")));
            }
        }
        self.diagnostics.error(report);
    }

    pub(super) fn not_an_object(&mut self, ty: TypeId, span: Span) {
        if matches!(self.types.get(ty), Type::Error) {
            return;
        }
        let shown = self.show(ty);
        self.diagnostics.error(
            Diagnostic::error("E0191", format!("`{shown}` is no type of objects"))
                .at(span, "the methods of an object are asked for here"),
        );
    }
}
