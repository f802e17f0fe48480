//! `a.b.c`: what stands before a dot may be a module, a type or a value.
//!
//! ```text
//! point.X          a field or member of a value
//! List.map         a value of a module
//! Shape.Circle     a case of a type
//! Vector.Zero      a static member of a type
//! ```

use oxbow_base::{Made, Span};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ExprKind, ModulePath, Name, Path};
use crate::tast;
use crate::types::{TyConKind, Type};

use super::super::env::{Ctor, Env, Module, ValueKind};
use super::super::{Expect, Infer};

/// What stands at the head of an expression.
pub enum Head {
    Expr(tast::Expr),
    Ctor(Ctor, Path),
}

impl Infer<'_> {
    /// Resolves a name or a chain of dots; `None` if it is something else.
    pub(in super::super) fn head(&mut self, env: &Env, expr: &ast::Expr) -> Option<Head> {
        let head = match &expr.kind {
            ExprKind::Ident(path) => self.ident_head(env, path, expr.span),
            ExprKind::Field(object, path) if path.prefix.is_none() => {
                Some(self.field_head(env, object, path.name, expr.span))
            }
            _ => None,
        };
        if let Some(Head::Ctor(ctor, path)) = &head {
            self.note_ctor(path.name, *ctor);
        }
        head
    }

    fn ident_head(&mut self, env: &Env, path: &Path, _span: Span) -> Option<Head> {
        if path.prefix.is_some() || env.value(path.name.text).is_some() {
            return None;
        }
        if let Some(ctor) = env.ctor(path.name.text) {
            return Some(Head::Ctor(ctor, path.clone()));
        }
        self.constructor(env, env.ty(path.name.text), path.name)
    }

    fn field_head(&mut self, env: &Env, object: &ast::Expr, name: Name, span: Span) -> Head {
        let mut chain = vec![name];
        let mut base = object;
        while let ExprKind::Field(inner, path) = &base.kind
            && path.prefix.is_none()
        {
            chain.push(path.name);
            base = inner;
        }
        // `Stack<int>.Empty`: what is inferred says the same as the type arguments.
        if let ExprKind::TypeApply(inner, _) = &base.kind
            && let ExprKind::Ident(path) = &inner.kind
            && path.prefix.is_none()
            && env.value(path.name.text).is_none()
        {
            base = inner;
        }
        let first = match &base.kind {
            ExprKind::Ident(path) if path.prefix.is_none() => Some(path.name),
            _ => None,
        };
        match first {
            Some(first)
                if env.value(first.text).is_none() || self.is_conversion(env, first, &chain) =>
            {
                chain.push(first);
                chain.reverse();
                self.chain_head(env, &chain, span)
            }
            _ => {
                if let [.., name] = chain.as_slice()
                    && name.text.as_str() == "Length"
                {
                    self.warn_length(base, name.span);
                }
                let ty = self.fresh();
                let base = self.expr(env, base, Expect::plain(ty));
                chain.reverse();
                Head::Expr(self.select_all(env, base, &chain))
            }
        }
    }

    /// `bigint.Pow`: the type is meant, and not the conversion to it.
    fn is_conversion(&self, env: &Env, name: Name, chain: &[Name]) -> bool {
        let value = env.value(name.text).map(|it| &it.kind);
        matches!(value, Some(ValueKind::Overload(_)))
            && !chain.is_empty()
            && env.ty(name.text).is_some()
    }

    /// A chain whose first name is no value: modules, then a value, a case or a type.
    fn chain_head(&mut self, env: &Env, chain: &[Name], span: Span) -> Head {
        let first = chain[0];
        let mut module = env.module(first.text).cloned();
        let mut at = 1;
        // A type that is named like the module, whose members may be meant.
        let mut alike = env.ty(first.text);
        let mut path = ModulePath::Name(first);
        if let Some(module) = &module {
            self.note_module(first, module);
        }
        if module.is_none() {
            if let Some(head) = self.type_head(env, env.ty(first.text), chain, 1) {
                return head;
            }
            if let Some(ctor) = env.ctor(first.text) {
                let value = self.ctor_value(env, ctor, &Path::plain(first), first.span);
                return Head::Expr(self.select_all(env, value, &chain[1..]));
            }
            if let (Some(tycon), Some(&name)) = (env.ty(first.text), chain.get(1)) {
                return Head::Expr(self.no_case(tycon, name));
            }
            let _ = self.lookup_value(env, &Path::plain(first));
            return Head::Expr(self.failed(span));
        }
        while let Some(Module::Structure(structure)) = &module {
            let structure = structure.clone();
            let Some(&name) = chain.get(at) else {
                return Head::Expr(self.module_as_value(chain, span));
            };
            let full = Path { prefix: Some(Box::new(path.clone())), name };
            if let Some(value) = structure.values.get(&name.text) {
                let value = value.clone();
                self.note_value(name, &value);
                let found = self.value_of(&value, name.text, path.span().to(name.span));
                return Head::Expr(self.select_all(env, found, &chain[at + 1..]));
            }
            if let Some(&ctor) = structure.ctors.get(&name.text) {
                if at + 1 == chain.len() {
                    return Head::Ctor(ctor, full);
                }
                let value = self.ctor_value(env, ctor, &full, name.span);
                return Head::Expr(self.select_all(env, value, &chain[at + 1..]));
            }
            if let Some(next) = structure.modules.get(&name.text) {
                self.note_module(name, next);
                module = Some(next.clone());
                alike = structure.types.get(&name.text).copied();
                if at + 1 == chain.len()
                    && let Some(head) = self.constructor(env, alike, name)
                {
                    return head;
                }
                path = ModulePath::Dot(Box::new(path), name);
                at += 1;
                continue;
            }
            let tycon = structure.types.get(&name.text).copied();
            if let Some(head) = self.type_head(env, tycon, chain, at + 1) {
                return head;
            }
            if at + 1 == chain.len()
                && let Some(head) = self.constructor(env, tycon, name)
            {
                return head;
            }
            if let Some(head) = self.type_head(env, alike, chain, at) {
                return head;
            }
            // `System.ArgumentException`: the exceptions of .NET are known without the name.
            if first.text.as_str() == "System"
                && at + 1 == chain.len()
                && let Some(ctor) = self.prelude_ctor(name.text)
            {
                return Head::Ctor(ctor, Path::plain(name));
            }
            let _ = self.lookup_value(env, &full);
            return Head::Expr(self.failed(span));
        }
        Head::Expr(self.failed(span))
    }

    fn module_as_value(&mut self, chain: &[Name], span: Span) -> tast::Expr {
        let names: Vec<&str> = chain.iter().map(|it| it.text.as_str()).collect();
        let name = names.join(".");
        let reported = self.diagnostics.error(
            Diagnostic::error("E0101", format!("`{name}` is a module, and no value"))
                .at(span, "a value is needed here")
                .help(format!("name something in it: `{name}.…`")),
        );
        self.error_expr(reported, span)
    }

    /// `String ('#', 3)`: what makes objects of the type.
    fn constructor(
        &mut self,
        env: &Env,
        tycon: Option<crate::types::TyConId>,
        name: Name,
    ) -> Option<Head> {
        let count = self.types.tycons[tycon?].params.len();
        let fresh: Vec<_> = (0..count).map(|_| self.fresh()).collect();
        let whole = self.types.add(Type::Con(tycon?, fresh));
        let (con, _) = self.head_con(whole)?;
        let new = Name { text: Made::Constructor.symbol(), span: name.span };
        self.static_member(env, con, new).map(Head::Expr)
    }

    /// `Type.Case` or `Type.StaticMember`, the rest selected from it.
    fn type_head(
        &mut self,
        env: &Env,
        tycon: Option<crate::types::TyConId>,
        chain: &[Name],
        at: usize,
    ) -> Option<Head> {
        let &name = chain.get(at)?;
        let fresh: Vec<_> = {
            let count = self.types.tycons[tycon?].params.len();
            (0..count).map(|_| self.fresh()).collect()
        };
        let whole = self.types.add(Type::Con(tycon?, fresh));
        let (con, _) = self.head_con(whole)?;
        if let TyConKind::Variant(ctors) = &self.types.tycons[con].kind
            && let Some(index) = ctors.iter().position(|it| it.name == name.text)
        {
            let ctor = Ctor::Variant(con, index as u32);
            if at + 1 == chain.len() {
                return Some(Head::Ctor(ctor, Path::plain(name)));
            }
            let value = self.ctor_value(env, ctor, &Path::plain(name), name.span);
            return Some(Head::Expr(self.select_all(env, value, &chain[at + 1..])));
        }
        // Static members are those of the classes that are inherited, too.
        let mut class = con;
        let value = loop {
            if let Some(value) = self.static_member(env, class, name) {
                break value;
            }
            class = self.base_of(class)?;
        };
        Some(Head::Expr(self.select_all(env, value, &chain[at + 1..])))
    }

    /// Fields and members one after the other.
    pub(super) fn select_all(&mut self, env: &Env, base: tast::Expr, names: &[Name]) -> tast::Expr {
        names.iter().fold(base, |object, &name| self.select(env, object, name))
    }

    /// `object.name`
    pub(super) fn select(&mut self, env: &Env, object: tast::Expr, name: Name) -> tast::Expr {
        if matches!(self.types.get(object.ty), Type::Error) {
            return object;
        }
        let object = self.dereferenced(object);
        if self.is_hole(name.text) {
            self.fill_hole_of(object.ty);
        }
        let span = object.span.to(name.span);
        let con = self.head_con(object.ty).map(|it| it.0);
        let has_field =
            con.is_some_and(|con| self.fields_of(con).iter().any(|it| it.name == name.text));
        if !has_field && let Some(call) = self.member_call(env, object.clone(), name) {
            return call;
        }
        let record = match con {
            Some(con) if has_field => Some((con, object.ty)),
            Some(_) => None,
            // Of an unknown type: the latest record with such a field.
            None => match self.records_behind(env.field(name.text)).last() {
                Some(&con) => {
                    let fresh: Vec<_> =
                        (0..self.types.tycons[con].params.len()).map(|_| self.fresh()).collect();
                    let ty = self.types.add(Type::Con(con, fresh));
                    self.expect(Expect::plain(ty), object.ty, object.span);
                    Some((con, ty))
                }
                None => None,
            },
        };
        let Some((con, ty)) = record else {
            match name.text.as_str() {
                "ToString" => return self.text_of(env, object, name.span, span),
                "GetHashCode" => return self.of_object(env, object, "object_hash", span),
                "Equals" => return self.of_object(env, object, "object_equals", span),
                "GetType" => return self.of_object(env, object, "object_type", span),
                "CompareTo" => return self.of_object(env, object, "object_compare", span),
                _ => (),
            }
            if con.is_none() && self.is_unknown(object.ty) {
                return self.unknown_object(&object, name);
            }
            if let Some(con) = con
                && let Some(index) = self.tested_case(con, name)
            {
                return self.case_test(env, object, (con, index), span);
            }
            let ty = object.ty;
            return self.no_member(ty, name);
        };
        let Some((index, field)) = self.record_field(con, ty, &Path::plain(name)) else {
            return self.failed(span);
        };
        let record = self.record_ref(con);
        let kind = tast::ExprKind::Field { object: Box::new(object), record, index };
        tast::Expr { kind, ty: field, span }
    }

    /// `object.GetHashCode` and the like, which every type has: `fun argument -> function object argument`.
    fn of_object(
        &mut self,
        env: &Env,
        object: tast::Expr,
        function: &str,
        span: Span,
    ) -> tast::Expr {
        self.with_typed(env, object, super::typed("object"), |this, env, mention| {
            let argument = super::made(Made::local("argument"), span);
            let function = super::library(function, span);
            let ty = this.fresh();
            let call = super::apply(function, vec![mention, super::ident(argument)], span);
            this.expr(env, &super::flow::lambda(argument, call, span), Expect::plain(ty))
        })
    }

    /// `object.ToString`, which every type has: `fun () -> string object`. With a format, as in
    /// `n.ToString("X2")`, what an interpolated string makes of it.
    fn text_of(&mut self, env: &Env, object: tast::Expr, place: Span, span: Span) -> tast::Expr {
        let culture = self.prelude_type("CultureInfo");
        let shapes = &self.clef.call_shapes;
        let args = shapes.iter().find(|it| it.place == place).map_or(&[][..], |it| &it.args[..]);
        let is_culture =
            |it: &super::member::Given| it.shape.is_some_and(|it| Some(it.head) == culture);
        // `ToString(format, culture)`; there is one culture.
        let (formatted, with_culture) = match args {
            [one] => (!is_culture(one), is_culture(one)),
            [_, other] => (true, is_culture(other)),
            _ => (false, false),
        };
        self.with_typed(env, object, super::typed("shown"), |this, env, mention| {
            let ignored = || {
                let path = match with_culture {
                    true => super::library_path("Culture", span),
                    false => Path::plain(super::name("()", span)),
                };
                ast::Pattern { kind: ast::PatternKind::Construct(path, None), span }
            };
            if formatted {
                let format = super::made(Made::local("format"), span);
                let args = vec![super::ident(format), mention];
                let text = super::apply(super::library("hole_format", span), args, span);
                let ty = this.fresh();
                let mut function = super::flow::lambda(format, text, span);
                if let ExprKind::Fun(params, ..) = &mut function.kind
                    && with_culture
                {
                    let spec = params[0].pattern.clone();
                    params[0].pattern.kind = ast::PatternKind::Tuple(vec![spec, ignored()]);
                }
                return this.expr(env, &function, Expect::plain(ty));
            }
            let text = super::apply(super::library("string", span), vec![mention], span);
            let pattern = ignored();
            let param = ast::Param { label: ast::ParamLabel::None, pattern, span };
            let function = ExprKind::Fun(vec![param], None, Box::new(text));
            let ty = this.fresh();
            this.expr(env, &super::node(function, span), Expect::plain(ty))
        })
    }

    /// `IsCircle`: the case `Circle` of a union.
    fn tested_case(&self, con: crate::types::TyConId, name: Name) -> Option<usize> {
        let case = name.text.as_str().strip_prefix("Is")?;
        let TyConKind::Variant(ctors) = &self.types.tycons[con].kind else { return None };
        ctors.iter().position(|it| it.name.as_str() == case)
    }

    /// `match object with Case _ -> true | _ -> false`
    fn case_test(
        &mut self,
        env: &Env,
        object: tast::Expr,
        (con, index): (crate::types::TyConId, usize),
        span: Span,
    ) -> tast::Expr {
        let TyConKind::Variant(ctors) = &self.types.tycons[con].kind else {
            return self.failed(span);
        };
        let (name, has_args) = (ctors[index].name, !ctors[index].args.is_empty());
        let ctor = Ctor::Variant(con, index as u32);
        self.with_typed(env, object, super::typed("case"), |cx, env, mention| {
            let mut inner = env.clone();
            inner.add_ctor(name, ctor);
            let any = || ast::Pattern { kind: ast::PatternKind::Any, span };
            let path = Path::plain(Name { text: name, span });
            let kind = ast::PatternKind::Construct(path, has_args.then(|| Box::new(any())));
            let case = |pattern, text| ast::Case {
                pattern,
                guard: None,
                body: Some(super::construct(text, None, span)),
            };
            let cases = vec![case(ast::Pattern { kind, span }, "true"), case(any(), "false")];
            let ty = cx.builtins.bool;
            let made = super::node(ExprKind::Match(Box::new(mention), cases), span);
            cx.expr(&inner, &made, Expect::plain(ty))
        })
    }

    fn unknown_object(&mut self, object: &tast::Expr, name: Name) -> tast::Expr {
        let is_field = matches!(object.kind, tast::ExprKind::Field { .. });
        let object = object.span;
        // The type of a field is unknown if what it holds was wrong.
        if self.broken.contains(&name.text) || is_field && self.diagnostics.has_errors() {
            return self.failed(object);
        }
        let reported = self.diagnostics.error(
            oxbow_diag::Diagnostic::error(
                "E0145",
                format!(
                    "the type of this value is not known here, so `{}` cannot be looked up",
                    name.text
                ),
            )
            .at(object, "of unknown type")
            .help("annotate it: `(x : SomeType)`"),
        );
        self.error_expr(reported, object)
    }

    /// A constructor as a value: a constant, or the function that makes it.
    pub(in super::super) fn ctor_value(
        &mut self,
        env: &Env,
        ctor: Ctor,
        path: &Path,
        span: Span,
    ) -> tast::Expr {
        let instance = self.instantiate_ctor(ctor);
        let make = |this: &Self, args| match ctor {
            Ctor::Variant(tycon, ctor) => tast::ExprKind::Construct { tycon, ctor, args },
            Ctor::Exn(exn) => tast::ExprKind::MakeExn { exn: this.types.exn_behind(exn), args },
        };
        let _ = (env, path);
        if instance.args.is_empty() {
            return tast::Expr { kind: make(self, Vec::new()), ty: instance.result, span };
        }
        // `fun (a, b) -> C (a, b)`
        self.local_depth += 1;
        let vars: Vec<_> = instance
            .args
            .iter()
            .map(|&ty| (self.new_var(oxbow_base::Symbol::new("part"), ty, span), ty))
            .collect();
        self.local_depth -= 1;
        let parts: Vec<_> = vars
            .iter()
            .map(|&(var, ty)| tast::Pattern { kind: tast::PatternKind::Var(var), ty, span })
            .collect();
        let args = vars
            .iter()
            .map(|&(var, ty)| tast::Expr {
                kind: tast::ExprKind::Var { var, tyargs: Vec::new() },
                ty,
                span,
            })
            .collect();
        let (param, param_ty) = match parts.len() {
            1 => match parts.into_iter().next() {
                Some(one) => {
                    let ty = one.ty;
                    (one, ty)
                }
                None => return self.failed(span),
            },
            _ => {
                let ty = self.types.add(Type::Tuple(instance.args.clone()));
                (tast::Pattern { kind: tast::PatternKind::Tuple(parts), ty, span }, ty)
            }
        };
        let body = Box::new(tast::Expr { kind: make(self, args), ty: instance.result, span });
        let ty = self.arrow(crate::types::Label::None, param_ty, instance.result);
        let kind = tast::ExprKind::Lambda {
            params: vec![param.into()],
            body,
            inline: tast::InlineAttribute::Always,
        };
        tast::Expr { kind, ty, span }
    }
}
