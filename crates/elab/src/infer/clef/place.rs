//! Elements, slices, addresses, and type arguments in expressions.

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::IntWidth;

use crate::ast::{self, ExprKind, INDEXER, Path};
use crate::tast;
use crate::types::{Builtin, TyConKind, Type, TypeId};

use super::super::env::{Env, ValueKind};
use super::super::typexpr::Vars;
use super::super::{Expect, Infer};
use super::{apply, construct, library, made, name, node};

impl Infer<'_> {
    /// The object of an index, and the member that serves it. An object of unknown type is an
    /// array.
    fn indexed(&mut self, env: &Env, object: &ast::Expr, member: Symbol) -> Option<tast::Expr> {
        let ty = self.fresh();
        let object = self.expr(env, object, Expect::plain(ty));
        let object = self.dereferenced(object);
        if matches!(self.types.get(object.ty), Type::Error) {
            return None;
        }
        if self.is_unknown(object.ty) {
            let item = self.fresh();
            let array = self.builtins.array;
            let array = self.types.add(Type::Con(array, vec![item]));
            let _ = self.unify(object.ty, array);
        }
        let (ty, span) = (object.ty, object.span);
        let indexer = Symbol::new(INDEXER);
        let (sets, named) = match member.origin() {
            Some(Made::Setter(property)) => (true, property),
            _ => (false, member),
        };
        let readable = sets && self.member_of(env, ty, indexer).is_some();
        match self.member_call(env, object, ast::Name { text: member, span }) {
            Some(call) => Some(call),
            // A member that could not be read is no second mistake.
            None if self.broken.contains(&named) => None,
            None if readable => {
                let shown = self.show(ty);
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0146",
                        format!("the elements of a value of type `{shown}` cannot be assigned"),
                    )
                    .at(span, format!("has type `{shown}`"))
                    .help("make a new value, or use an array"),
                );
                None
            }
            None => {
                let shown = self.show(ty);
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0146",
                        format!("a value of type `{shown}` has no elements to index"),
                    )
                    .at(span, format!("has type `{shown}`"))
                    .help("a type can be indexed if it has a member `Item`"),
                );
                None
            }
        }
    }

    pub(super) fn index(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        index: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let args = [(ast::ArgLabel::None, index.clone())];
        self.note_call(env, object.span, &args);
        let func = self.indexed(env, object, Symbol::new(INDEXER));
        self.clef.call_shapes.pop();
        let Some(func) = func else {
            self.infer_only(env, index);
            return self.failed(span);
        };
        self.apply_typed(env, func, None, &args, span, expect)
    }

    pub(super) fn set_index(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        index: &ast::Expr,
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let setter = Made::Setter(Symbol::new(INDEXER)).symbol();
        let Some(func) = self.indexed(env, object, setter) else {
            self.infer_only(env, value);
            return self.failed(span);
        };
        let args = [(ast::ArgLabel::None, index.clone()), (ast::ArgLabel::None, value.clone())];
        self.apply_typed(env, func, None, &args, span, expect)
    }

    pub(super) fn slice(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        from: Option<&ast::Expr>,
        to: Option<&ast::Expr>,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let Some(func) = self.indexed(env, object, Symbol::new("GetSlice")) else {
            return self.failed(span);
        };
        let bound = |it: Option<&ast::Expr>| match it {
            Some(it) => construct("Some", Some(it.clone()), it.span),
            None => construct("None", None, span),
        };
        let args = [(ast::ArgLabel::None, bound(from)), (ast::ArgLabel::None, bound(to))];
        self.apply_typed(env, func, None, &args, span, expect)
    }

    /// `f<int>`: the type arguments in the order in which the type mentions them.
    pub(super) fn type_apply(
        &mut self,
        env: &Env,
        inner: &ast::Expr,
        args: &[ast::TypeExpr],
        expect: Expect,
    ) -> tast::Expr {
        let args: Vec<TypeId> =
            args.iter().map(|it| self.type_expr(env, it, Vars::Shared)).collect();
        let ty = self.fresh();
        let mut typed = self.expr(env, inner, Expect::plain(ty));
        let params = match &typed.kind {
            tast::ExprKind::Var { tyargs, .. } => tyargs.clone(),
            _ => {
                let mut vars = Vec::new();
                self.free_vars(typed.ty, &mut vars);
                vars
            }
        };
        // What only the body of a function mentions is no parameter of its type, and would be forgotten.
        if args.len() > params.len() && !matches!(self.types.get(typed.ty), Type::Error) {
            let what = "a type argument that no parameter and no result depends on";
            let reported = self.diagnostics.error(Diagnostic::not_supported(inner.span, what));
            return self.error_expr(reported, inner.span);
        }
        for (&param, &arg) in params.iter().zip(&args) {
            self.expect(Expect::plain(arg), param, inner.span);
        }
        if !self.expect(expect, typed.ty, inner.span) {
            typed.ty = self.builtins.error;
        }
        typed
    }

    fn free_vars(&mut self, ty: TypeId, into: &mut Vec<TypeId>) {
        let ty = self.types.repr(ty);
        match self.types.nodes[ty].clone() {
            Type::Var { .. } => {
                if !into.contains(&ty) {
                    into.push(ty);
                }
            }
            Type::Link(_) | Type::Error => (),
            Type::Arrow(_, param, result) => {
                self.free_vars(param, into);
                self.free_vars(result, into);
            }
            Type::Tuple(items) | Type::Con(_, items) => {
                items.into_iter().for_each(|it| self.free_vars(it, into));
            }
            // Clef has no rows.
            Type::Row(_) => (),
        }
    }

    fn is_byref(&mut self, ty: TypeId) -> bool {
        let byref = self.prelude_type("byref");
        byref.is_some() && self.head_con(ty).map(|it| it.0) == byref
    }

    /// A reference stands for what it refers to.
    pub(in super::super) fn dereferenced(&mut self, typed: tast::Expr) -> tast::Expr {
        if !self.is_byref(typed.ty) {
            return typed;
        }
        let span = typed.span;
        let Some(read) = self.prelude_value("byref_read") else { return typed };
        let func = self.value_expr(&read, span);
        self.call_one(func, typed, span)
    }

    /// A name whose value is a reference, where the reference itself is not wanted.
    pub(in super::super) fn read_reference(
        &mut self,
        typed: tast::Expr,
        expect: Expect,
    ) -> tast::Expr {
        if self.is_byref(typed.ty) && !self.is_byref(expect.ty) {
            self.dereferenced(typed)
        } else {
            typed
        }
    }

    /// `&x`: a reference that reads and writes the place.
    pub(super) fn address_of(
        &mut self,
        env: &Env,
        place: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if let ExprKind::Ident(path) = &place.kind
            && path.prefix.is_none()
            && let Some(value) = env.value(path.name.text).cloned()
            && self.is_byref(value.ty)
        {
            let typed = self.value_expr(&value, span);
            return if self.expect(expect, typed.ty, span) { typed } else { self.failed(span) };
        }
        if let ExprKind::Ident(path) = &place.kind
            && let Some(Made::Cell(variable)) = path.name.text.origin()
        {
            let Some(cell) = env.value(path.name.text).cloned() else {
                let reported = self.diagnostics.error(
                    Diagnostic::error("E0147", "`&&` takes the address of a local `let mutable`")
                        .at(place.span, format!("`{variable}` has no address"))
                        .help("bind it first: `let mutable x = …`"),
                );
                return self.error_expr(reported, span);
            };
            let typed = self.value_expr(&cell, span);
            return if self.expect(expect, typed.ty, span) { typed } else { self.failed(span) };
        }
        let value = made(Made::local("value"), span);
        let mention = super::ident(value);
        let assignment = match &place.kind {
            ExprKind::Ident(path) => ExprKind::AssignVar(path.clone(), Box::new(mention)),
            ExprKind::Field(object, path) => {
                ExprKind::SetField(object.clone(), path.clone(), Box::new(mention))
            }
            ExprKind::Index(object, index) => {
                ExprKind::SetIndex(object.clone(), index.clone(), Box::new(mention))
            }
            _ => {
                let reported = self.diagnostics.error(
                    Diagnostic::error(
                        "E0147",
                        "`&` takes the address of a variable, a field or an element",
                    )
                    .at(place.span, "has no address")
                    .help("bind it first: `let mutable x = …`"),
                );
                return self.error_expr(reported, span);
            }
        };
        let function = |pattern: ast::PatternKind, body: ast::Expr| {
            let pattern = ast::Pattern { kind: pattern, span };
            let param = ast::Param { label: ast::ParamLabel::None, pattern, span };
            node(ExprKind::Fun(vec![param], None, Box::new(body)), span)
        };
        let unit = ast::PatternKind::Construct(Path::plain(name("()", span)), None);
        let read = function(unit, place.clone());
        let write = function(ast::PatternKind::Var(value), node(assignment, span));
        let made = apply(library("byref_make", span), vec![read, write], span);
        self.expr(env, &made, expect)
    }

    /// What C and Clef can give each other.
    pub(in super::super) fn check_foreign(&mut self, ty: TypeId, span: Span) {
        let mut rest = ty;
        loop {
            let (part, next) = match *self.types.get(rest) {
                Type::Arrow(_, param, result) => (param, Some(result)),
                _ => (rest, None),
            };
            let scalar = match self.head_con(part) {
                Some((con, _)) => match self.types.tycons[con].kind {
                    TyConKind::Builtin(Builtin::Int(width)) => width != IntWidth::I63,
                    TyConKind::Builtin(
                        Builtin::Unit
                        | Builtin::Bool
                        | Builtin::Char
                        | Builtin::Nativeint
                        | Builtin::Nativeptr
                        | Builtin::Float
                        | Builtin::Float32,
                    ) => true,
                    TyConKind::Builtin(Builtin::String) => next.is_some(),
                    _ => false,
                },
                None => matches!(self.types.get(part), Type::Error),
            };
            if !scalar {
                let shown = self.show(part);
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0152",
                        format!("a value of type `{shown}` cannot be given to C"),
                    )
                    .at(span, "declared here")
                    .help("numbers, `bool`, `char`, `string`, `nativeint` and `nativeptr<…>` can"),
                );
                return;
            }
            match next {
                Some(next) => rest = next,
                None => return,
            }
        }
    }

    /// `x <- e` where `x` is a reference.
    pub(in super::super) fn assign_reference(
        &mut self,
        env: &Env,
        path: &Path,
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        let target = env.value(path.name.text)?.clone();
        if path.prefix.is_some() || !self.is_byref(target.ty) {
            return None;
        }
        if !matches!(target.kind, ValueKind::Var(_)) {
            return None;
        }
        let typed = self.value_expr(&target, path.name.span);
        let write = self.prelude_value("byref_write")?;
        let func = self.value_expr(&write, span);
        let func = self.call_one(func, typed, span);
        Some(self.apply_typed(
            env,
            func,
            None,
            &[(ast::ArgLabel::None, value.clone())],
            span,
            expect,
        ))
    }

    /// `M.x <- e` for a mutable variable of a module.
    pub(in super::super) fn module_variable(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        path: &Path,
    ) -> Option<Path> {
        let mut names = Vec::new();
        let mut base = object;
        while let ExprKind::Field(inner, field) = &base.kind {
            names.push(field.name);
            base = inner;
        }
        let ExprKind::Ident(first) = &base.kind else { return None };
        if first.prefix.is_some() || env.value(first.name.text).is_some() {
            return None;
        }
        env.module(first.name.text)?;
        let mut prefix = ast::ModulePath::Name(first.name);
        for name in names.into_iter().rev() {
            prefix = ast::ModulePath::Dot(Box::new(prefix), name);
        }
        // `M.r.X`, where `r` is a value of the module.
        self.quiet_structure(env, &prefix)?;
        Some(Path { prefix: Some(Box::new(prefix)), name: path.name })
    }

    /// `object.Name <- e` where `Name` is no field: the member `set_Name`. The object is typed here
    /// and named, so that it is not typed twice.
    pub(in super::super) fn set_property(
        &mut self,
        env: &Env,
        object: &ast::Expr,
        path: &Path,
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        if let ExprKind::Ident(name) = &object.kind
            && matches!(name.name.text.origin(), Some(Made::Object(_)))
        {
            return None;
        }
        let setter = Made::Setter(path.name.text).symbol();
        if let Some(con) = self.constructed(env, object)
            && let Some(func) =
                self.static_member(env, con, ast::Name { text: setter, span: path.name.span })
        {
            let args = [(ast::ArgLabel::None, value.clone())];
            return Some(self.apply_typed(env, func, Some(path.name.text), &args, span, expect));
        }
        if let Some(done) = self.set_in_struct(env, (object, path), value, span, expect) {
            return Some(done);
        }
        let ty = self.fresh();
        let typed = self.expr(env, object, Expect::plain(ty));
        let typed = self.dereferenced(typed);
        let has_field = self
            .head_con(typed.ty)
            .is_some_and(|(con, _)| self.fields_of(con).iter().any(|it| it.name == path.name.text));
        if !has_field
            && path.prefix.is_none()
            && let Some(call) = self.member_call(
                env,
                typed.clone(),
                ast::Name { text: setter, span: path.name.span },
            )
        {
            let args = [(ast::ArgLabel::None, value.clone())];
            return Some(self.apply_typed(env, call, Some(path.name.text), &args, span, expect));
        }
        if !has_field
            && path.prefix.is_none()
            && let Some((con, _)) = self.head_con(typed.ty)
            && self.clef.members.contains_key(&(con, path.name.text))
        {
            self.infer_only(env, value);
            return Some(self.no_setter(typed.ty, path.name));
        }
        Some(self.with_typed(env, typed, Made::Object, |cx, env, mention| {
            let kind = ExprKind::SetField(Box::new(mention), path.clone(), Box::new(value.clone()));
            cx.expr(env, &node(kind, span), expect)
        }))
    }
}
