//! The code that makes an object, and the expressions that only methods have.

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, ClassBody, ClassFieldKind, Name};
use crate::tast::{self, ExprKind, RecordRef};
use crate::types::{ObjectField, Tag, Type, TypeId};

use super::class_body::OpenObject;
use super::env::{Env, ValueKind};
use super::{Expect, Infer};

impl Infer<'_> {
    /// The type of `self` must not be that of something outside: classes that inherit have others.
    pub(super) fn check_escape(&mut self, self_ty: TypeId, level: u32, span: Span) {
        let Some((_, row)) = self.object_row(self_ty) else { return };
        let report = Diagnostic::error("E0194", "the type of `self` is used outside of its class")
            .at(Span { end: span.start + 6, ..span }, "of this object");
        if row.closed {
            // Only another object's type says that there are no more methods.
            let note = "an object that has these methods and no others is given where `self` is \
                        wanted; objects of classes that inherit have more";
            self.diagnostics.error(report.note(note));
        } else if row.level < level {
            self.diagnostics.error(
                report
                    .note("something that was there before the class holds the object itself")
                    .help("give the object as one of its class: `(self :> c)`"),
            );
        }
    }

    pub(super) fn close_object(&mut self, self_ty: TypeId) {
        if let Some((at, mut row)) = self.object_row(self_ty) {
            row.closed = true;
            self.set_node(at, Type::Row(Box::new(row)));
        }
    }

    /// Every method and every instance variable has a definition.
    pub(super) fn check_complete(&mut self, open: &OpenObject, span: Span) -> bool {
        let Some((_, row)) = self.object_row(open.self_ty) else { return false };
        let is_defined =
            |name: Symbol| open.methods.iter().any(|it| it.name == name && it.function.is_some());
        let declared = open.methods.iter().filter(|it| it.function.is_none());
        let mut methods: Vec<Symbol> = declared.map(|it| it.name).collect();
        let asked = row.tags.iter().map(|it| it.0).filter(|&it| !is_defined(it));
        let asked: Vec<Symbol> = asked.filter(|it| !methods.contains(it)).collect();
        methods.extend(asked);
        let fields = open.fields.iter().filter(|it| it.value.is_none());
        let fields: Vec<Symbol> = fields.map(|it| it.name).collect();
        if methods.is_empty() && fields.is_empty() {
            return true;
        }
        let list = |names: &[Symbol]| -> String {
            let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
            names.join(", ")
        };
        let count = |names: &[Symbol], what: &str| match names.len() {
            1 => format!("the {what} {}", list(names)),
            _ => format!("the {what}s {}", list(names)),
        };
        let what = match (methods.is_empty(), fields.is_empty()) {
            (false, true) => count(&methods, "method"),
            (true, _) => count(&fields, "instance variable"),
            (false, false) => {
                format!("{} and {}", count(&methods, "method"), count(&fields, "instance variable"))
            }
        };
        let (verb, them) = match methods.len() + fields.len() {
            1 => ("is", "it"),
            _ => ("are", "them"),
        };
        let at = Span { end: span.start + 6, ..span };
        let mut report = Diagnostic::error("E0192", format!("{what} {verb} not defined"))
            .at(at, format!("an object of this class would lack {them}"));
        for method in open.methods.iter().filter(|it| it.function.is_none()).take(3) {
            if method.span.file == span.file {
                report = report.label(method.span, "declared here");
            }
        }
        report = report.help(format!("define {them}, or declare the class `virtual`"));
        self.diagnostics.error(report);
        false
    }

    /// The code that makes the object.
    pub(super) fn object_code(
        &mut self,
        open: OpenObject,
        before: Vec<tast::ItemKind>,
        functions: Vec<tast::RecBinding>,
        ((this, first), plain): ((VarId, Vec<tast::Expr>), bool),
        span: Span,
    ) -> tast::Expr {
        let int = self.builtins.int;
        let number = self.new_var(Symbol::new("number"), int, span);
        let mut infos = vec![ObjectField { name: Symbol::new("id"), ty: int, mutable: false }];
        let mut fields = vec![self.var_expr(number, span)];
        for field in &open.fields {
            infos.push(ObjectField { name: field.name, ty: field.ty, mutable: field.mutable });
            if let Some(value) = field.value {
                fields.push(self.var_expr(value, span));
            }
        }
        for method in &open.methods {
            let Some(function) = method.function else { continue };
            let name = Made::Method(method.name).symbol();
            let ty = self.types.vars[function].ty;
            infos.push(ObjectField { name, ty, mutable: false });
            fields.push(self.var_expr(function, span));
        }
        let object = open.object;
        self.types.objects[object as usize].fields = infos;
        if plain {
            self.types.objects[object as usize].is_value = Some(number);
            self.classes.numbers.insert(number);
        }
        let ty = open.self_ty;
        let mut code = tast::Expr { kind: ExprKind::Object { object, fields }, ty, span };
        if !first.is_empty() {
            let binding = self.let_var(this, code);
            let mut steps = first;
            steps.push(self.var_expr(this, span));
            let body = tast::Expr { kind: ExprKind::Sequence(steps), ty, span };
            let kind =
                ExprKind::Let { bindings: vec![binding], as_match: None, body: Box::new(body) };
            code = tast::Expr { kind, ty, span };
        }
        if !functions.is_empty() {
            let kind = ExprKind::LetRec { bindings: functions, body: Box::new(code) };
            code = tast::Expr { kind, ty, span };
        }
        for item in before.into_iter().rev() {
            let body = Box::new(code);
            let kind = match item {
                tast::ItemKind::Let(bindings) => ExprKind::Let { bindings, as_match: None, body },
                tast::ItemKind::LetRec(bindings) => ExprKind::LetRec { bindings, body },
                tast::ItemKind::Eval(value) => ExprKind::Sequence(vec![value, *body]),
            };
            code = tast::Expr { kind, ty, span };
        }
        let binding = {
            let value = self.new_number(span);
            self.let_var(number, value)
        };
        let kind = ExprKind::Let { bindings: vec![binding], as_match: None, body: Box::new(code) };
        tast::Expr { kind, ty, span }
    }

    pub(super) fn are_values(&self, items: &[tast::ItemKind]) -> bool {
        items.iter().all(|it| match it {
            tast::ItemKind::Let(bindings) => bindings.iter().all(|it| self.is_value(&it.value)),
            tast::ItemKind::LetRec(bindings) => bindings.iter().all(|it| self.is_value(&it.value)),
            tast::ItemKind::Eval(_) => false,
        })
    }

    /// A body defines a method or an instance variable once.
    pub(super) fn check_defined_once(&mut self, body: &ClassBody) {
        let mut seen: Vec<(bool, Name)> = Vec::new();
        for field in &body.fields {
            let (is_method, name) = match &field.kind {
                ClassFieldKind::Method { name, value: Some(_), .. } => (true, *name),
                ClassFieldKind::Val { name, value: Some(_), .. } => (false, *name),
                _ => continue,
            };
            let first = seen.iter().find(|it| it.0 == is_method && it.1.text == name.text);
            if let Some((_, first)) = first {
                let what = if is_method { "method" } else { "instance variable" };
                let report = Diagnostic::error(
                    "E0196",
                    format!("the {what} `{}` is defined twice in this object", name.text),
                )
                .at(name.span, "defined again")
                .label(first.span, "first defined here");
                self.diagnostics.error(report);
            }
            seen.push((is_method, name));
        }
    }

    /// The number of a new object.
    pub(super) fn new_number(&mut self, span: Span) -> tast::Expr {
        let Some(next) = self.stdlib_value("new_object_id") else {
            self.not_supported(span, "objects without the standard library");
            return self.failed(span);
        };
        let func = self.value_expr(&next, span);
        let (int, unit) = (self.builtins.int, self.builtins.unit);
        let args = vec![tast::Expr { kind: ExprKind::Unit, ty: unit, span }];
        tast::Expr { kind: ExprKind::Apply { func: Box::new(func), args }, ty: int, span }
    }

    pub(super) fn instance_variable(
        &mut self,
        ty: TypeId,
        (object, index): (u32, u32),
        this: VarId,
        span: Span,
    ) -> tast::Expr {
        let holder = Box::new(self.var_expr(this, span));
        let record = RecordRef::Object(object);
        tast::Expr { kind: ExprKind::Field { object: holder, record, index }, ty, span }
    }

    /// `x <- e` for an instance variable; a mistake for others.
    pub(super) fn assign_instance(
        &mut self,
        env: &Env,
        (path, target): (&ast::Path, &super::env::Value),
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let name = path.name.text;
        let ValueKind::Instance { object, index, this } = target.kind else {
            self.infer_only(env, value);
            let report = Diagnostic::error(
                "E0022",
                "`<-` assigns to a field or an element, not to a variable",
            )
            .at(path.span(), "")
            .note("variables do not change; a reference does")
            .help(format!("if `{name}` is a reference, write `{name} := …`"));
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let value = Box::new(self.part(env, value, Expect::plain(target.ty)));
        let open = self.classes.open_objects.iter().find(|it| it.object == object);
        let field = open.map(|it| &it.fields[index as usize - 1]);
        if let Some(field) = field
            && !field.mutable
        {
            let mut report = Diagnostic::error(
                "E0193",
                format!("the instance variable `{name}` is not mutable"),
            )
            .at(path.span(), "cannot be assigned")
            .help(format!("declare it `val mutable {name}`"));
            if field.span.file == span.file {
                report = report.label(field.span, "declared here");
            }
            self.diagnostics.error(report);
        }
        let holder = Box::new(self.var_expr(this, span));
        let record = RecordRef::Object(object);
        let unit = self.builtins.unit;
        let kind = ExprKind::SetField { object: holder, record, index, value };
        self.node(kind, unit, span, expect)
    }

    /// `{< x = e >}`: a copy of the object with other values.
    pub(super) fn override_expr(
        &mut self,
        env: &Env,
        fields: &[(Name, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let open = self
            .classes
            .open_objects
            .last()
            .and_then(|it| Some((it.current?, it.object, it.self_ty)));
        let Some((this, object, self_ty)) = open else {
            let report = Diagnostic::error("E0193", "`{< … >}` stands outside of a method")
                .at(span, "there is no object to copy");
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let mut updates = vec![(0, self.new_number(span))];
        for (name, value) in fields {
            let known = self.open_object().fields.iter().position(|it| it.name == name.text);
            let Some(at) = known else {
                let names: Vec<Symbol> =
                    self.open_object().fields.iter().map(|it| it.name).collect();
                let mut report = Diagnostic::error(
                    "E0193",
                    format!("there is no instance variable `{}`", name.text),
                )
                .at(name.span, "the object has none of this name");
                if let Some(near) = super::suggest::nearest(name.text, names.into_iter()) {
                    report = report.help(format!("did you mean `{near}`?"));
                }
                self.diagnostics.error(report);
                self.infer_only(env, value);
                continue;
            };
            let ty = self.open_object().fields[at].ty;
            let value = self.part(env, value, Expect::plain(ty));
            updates.push((at as u32 + 1, value));
        }
        let base = Box::new(self.var_expr(this, span));
        let record = RecordRef::Object(object);
        self.node(ExprKind::RecordWith { base, record, updates }, self_ty, span, expect)
    }

    pub(super) fn super_as_value(&mut self, span: Span) -> tast::Expr {
        let report = Diagnostic::error("E0193", "a name for what is inherited is no object")
            .at(span, "only its methods can be used: `super#m`");
        let reported = self.diagnostics.error(report);
        self.error_expr(reported, span)
    }

    pub(super) fn send_super(
        &mut self,
        (number, this): (u32, VarId),
        name: Name,
        object: Span,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let methods = &self.classes.supers[number as usize];
        let Some((_, function, tag)) = methods.iter().find(|it| it.0 == name.text).cloned() else {
            let near = super::suggest::nearest(name.text, methods.iter().map(|it| it.0));
            let mut report = Diagnostic::error(
                "E0190",
                format!("what is inherited defines no method `{}`", name.text),
            )
            .at(name.span, "no such method");
            if let Some(near) = near {
                report = report.help(format!("did you mean `{near}`?"));
            }
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let holder = self.var_expr(this, object);
        self.send_node(holder, name, &tag, Some(function), span, expect)
    }

    /// The function of a method, if the expression is `self`.
    pub(super) fn known_object(&self, object: &tast::Expr, name: Symbol) -> Option<VarId> {
        let ExprKind::Var { var, .. } = object.kind else { return None };
        let open = self.classes.open_objects.iter().rev().find(|it| it.this.contains(&var))?;
        open.methods.iter().find(|it| it.name == name)?.function
    }

    /// A private method, if the object is `self`.
    pub(super) fn private_method(&self, object: TypeId, name: Symbol) -> Option<Tag> {
        let at = self.types.repr(object);
        let open =
            self.classes.open_objects.iter().rev().find(|it| self.types.repr(it.self_ty) == at)?;
        open.methods.iter().find(|it| it.private && it.name == name).map(|it| it.tag.clone())
    }
}
