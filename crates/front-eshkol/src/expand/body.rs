//! Bodies and top levels: definitions are found first, then everything is expanded.

use std::borrow::Cow;

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{Core, CoreKind, Item, VarId};
use crate::datum::{Datum, DatumKind, Ident};
use crate::known;

/// A form whose expressions are not expanded yet. What the text holds is borrowed: bodies stand in bodies.
enum Pending<'d> {
    Define(VarId, Cow<'d, Datum>),
    /// `(define (f . params) body …)`, the parameters and the body.
    Function(VarId, Datum, Cow<'d, [Datum]>, Span),
    /// A second definition of a global is an assignment.
    Redefine(VarId, Cow<'d, Datum>),
    Values(Vec<VarId>, Option<VarId>, Cow<'d, Datum>, Span),
    Expr(Cow<'d, Datum>),
    Done(Item),
}

impl Pending<'_> {
    /// The same with copies of what is borrowed.
    fn into_owned<'o>(self) -> Pending<'o> {
        let owned = |it: Cow<'_, Datum>| Cow::Owned(it.into_owned());
        match self {
            Self::Define(var, value) => Pending::Define(var, owned(value)),
            Self::Function(var, params, body, span) => {
                Pending::Function(var, params, Cow::Owned(body.into_owned()), span)
            }
            Self::Redefine(var, value) => Pending::Redefine(var, owned(value)),
            Self::Values(vars, rest, value, span) => {
                Pending::Values(vars, rest, owned(value), span)
            }
            Self::Expr(form) => Pending::Expr(owned(form)),
            Self::Done(item) => Pending::Done(item),
        }
    }
}

impl Expander<'_> {
    /// The body of a lambda or `let`. It has a scope of its own: it may define a name that is a parameter, but
    /// none twice.
    pub(super) fn body(&mut self, forms: &[Datum], scope: ScopeId, span: Span) -> Core {
        let scope = self.scopes.child(Some(scope));
        let mut items = self.body_items(forms, scope, false);
        let last = match items.pop() {
            Some(Item { var: None, value }) => value,
            Some(item) => {
                items.push(item);
                if items.iter().all(|it| it.var.is_some()) {
                    return self.bad_core(span, "a body needs an expression after its definitions");
                }
                Core::new(CoreKind::Unspecified, span)
            }
            None => return self.bad_core(span, "an empty body"),
        };
        if items.is_empty() {
            return last;
        }
        if items.iter().all(|it| it.var.is_none()) {
            let mut all: Vec<Core> = items.into_iter().map(|it| it.value).collect();
            all.push(last);
            return Core::new(CoreKind::Seq(all), span);
        }
        Core::new(CoreKind::Block(items, Box::new(last)), span)
    }

    pub(super) fn body_items(
        &mut self,
        forms: &[Datum],
        scope: ScopeId,
        global: bool,
    ) -> Vec<Item> {
        let mut pending = Vec::new();
        self.scan(forms, scope, global, &mut pending);
        if global {
            self.keep_old_meanings(&mut pending, scope);
        }
        let mut items = Vec::new();
        for it in pending {
            self.finish(it, scope, &mut items);
        }
        items
    }

    /// `(define old-car car)` before a definition of `car` means the library's.
    fn keep_old_meanings(&mut self, pending: &mut [Pending<'_>], scope: ScopeId) {
        let defines = |it: &Pending<'_>, wanted: VarId| match it {
            Pending::Define(var, _) | Pending::Function(var, ..) => *var == wanted,
            Pending::Redefine(..) | Pending::Values(..) | Pending::Expr(_) | Pending::Done(_) => {
                false
            }
        };
        for at in 0..pending.len() {
            let Pending::Define(_, value) = &pending[at] else { continue };
            let Some(ident) = value.as_ident() else { continue };
            let Some(Binding::Var(var)) = self.scopes.own(scope, ident) else { continue };
            let later = pending[at + 1..].iter().any(|it| defines(it, var));
            let name = Ident::Plain(self.scopes.symbol(ident));
            let span = value.span;
            if later && scope != self.base && self.scopes.lookup(self.base, name).is_some() {
                let old = self.scopes.alias(name, self.base);
                if let Pending::Define(_, value) = &mut pending[at] {
                    *value = Cow::Owned(Datum::new(DatumKind::Ident(old), span));
                }
            }
        }
    }

    fn finish(&mut self, pending: Pending<'_>, scope: ScopeId, items: &mut Vec<Item>) {
        match pending {
            Pending::Define(var, value) => {
                let value = self.expr(&value, scope);
                items.push(Item { var: Some(var), value: self.named(var, value) });
            }
            Pending::Function(var, params, body, span) => {
                let name = Some(self.vars[var].name);
                let value = self.lambda(&params, &body, scope, name, span);
                items.push(Item { var: Some(var), value });
            }
            Pending::Redefine(var, value) => {
                let value = self.expr(&value, scope);
                self.vars[var].mutated = true;
                let span = value.span;
                let value = Core::new(CoreKind::Set(var, Box::new(value)), span);
                items.push(Item { var: None, value });
            }
            Pending::Values(vars, rest, value, span) => {
                let value = self.expr(&value, scope);
                let temp = self.temp("values", span);
                let value = self.unpack(value, vars.len(), rest.is_some(), span);
                items.push(Item { var: Some(temp), value });
                for (index, var) in vars.into_iter().chain(rest).enumerate() {
                    let value = self.unpacked(temp, index, span);
                    items.push(Item { var: Some(var), value });
                }
            }
            Pending::Expr(form) => {
                let value = self.expr(&form, scope);
                items.push(Item { var: None, value });
            }
            Pending::Done(item) => items.push(item),
        }
    }

    fn scan<'d>(
        &mut self,
        forms: &'d [Datum],
        scope: ScopeId,
        global: bool,
        pending: &mut Vec<Pending<'d>>,
    ) {
        for form in forms {
            match self.head_expanded(form, scope) {
                Cow::Borrowed(form) => self.scan_form(form, scope, global, pending),
                Cow::Owned(form) => {
                    let mut made = Vec::new();
                    self.scan_form(&form, scope, global, &mut made);
                    pending.extend(made.into_iter().map(Pending::into_owned));
                }
            }
        }
    }

    /// Forms that are not part of what is scanned.
    fn scan_others(
        &mut self,
        forms: &[Datum],
        scope: ScopeId,
        global: bool,
        pending: &mut Vec<Pending<'_>>,
    ) {
        let mut made = Vec::new();
        self.scan(forms, scope, global, &mut made);
        pending.extend(made.into_iter().map(Pending::into_owned));
    }

    fn scan_form<'d>(
        &mut self,
        form: &'d Datum,
        scope: ScopeId,
        global: bool,
        pending: &mut Vec<Pending<'d>>,
    ) {
        let items = form.as_list().unwrap_or_default();
        let name = items
            .first()
            .and_then(Datum::as_ident)
            .and_then(|it| self.special(it, scope))
            .unwrap_or("");
        let args = items.get(1..).unwrap_or_default();
        let span = form.span;
        match name {
            "begin" => self.scan(args, scope, global, pending),
            "define" => self.scan_define(args, scope, global, span, pending),
            "define-values" => self.scan_define_values(args, scope, global, span, pending),
            "define-record-type" => {
                let made = self.record_type(args, scope, global, span);
                pending.extend(made.into_iter().map(Pending::Done));
            }
            "define-syntax" => self.define_syntax(args, scope, span),
            "cond-expand" => {
                let forms = self.cond_expand(args, scope, span);
                self.scan_others(&forms, scope, global, pending);
            }
            "include" | "include-ci" | "load" => {
                let forms = self.include(args, span);
                self.scan_others(&forms, scope, global, pending);
            }
            "import" => self.import(args, scope),
            "define-library" if global => {
                let made = self.define_library(args, span);
                pending.extend(made.into_iter().map(Pending::Done));
            }
            "require" if global => {
                let made = self.require(args, scope, span);
                pending.extend(made.into_iter().map(Pending::Done));
            }
            "provide" | "export" if global => (),
            _ => pending.push(Pending::Expr(Cow::Borrowed(form))),
        }
    }

    /// The variable of a definition; `None` if the name is defined already.
    pub(super) fn define(
        &mut self,
        ident: Ident,
        scope: ScopeId,
        global: bool,
        span: Span,
    ) -> Result<VarId, VarId> {
        match self.scopes.own(scope, ident) {
            Some(Binding::Var(var)) if global => return Err(var),
            Some(binding) if !global => self.defined_twice(ident, binding, span),
            _ => (),
        }
        let var = self.new_var(ident, span);
        self.scopes.bind(scope, ident, Binding::Var(var));
        Ok(var)
    }

    fn defined_twice(&mut self, ident: Ident, binding: Binding, span: Span) {
        let name = self.scopes.symbol(ident);
        let mut report =
            Diagnostic::error("E0420", format!("`{name}` is defined twice in this body"))
                .at(span, "");
        if let Binding::Var(var) = binding {
            report = report.label(self.vars[var].span, "first defined here");
        }
        self.diagnostics.error(report);
    }

    fn scan_define<'d>(
        &mut self,
        args: &'d [Datum],
        scope: ScopeId,
        global: bool,
        span: Span,
        pending: &mut Vec<Pending<'d>>,
    ) {
        let Some((head, body)) = args.split_first() else {
            let shapes = "`(define name value)` or `(define (name parameter …) body …)`";
            return self.bad(span, &format!("bad `define`: it is written {shapes}"));
        };
        match &head.kind {
            DatumKind::Ident(ident) => {
                let value = match body {
                    [value] => Cow::Borrowed(value),
                    [] => {
                        if let Ok(var) = self.define(*ident, scope, global, head.span) {
                            let value = Core::new(CoreKind::Unspecified, span);
                            pending.push(Pending::Done(Item { var: Some(var), value }));
                        }
                        return;
                    }
                    // A documentation string between name and value.
                    [doc, value] if matches!(doc.kind, DatumKind::String(_)) => {
                        Cow::Borrowed(value)
                    }
                    _ => {
                        return self.bad(span, "`define` of a variable takes one expression");
                    }
                };
                let it = match self.define(*ident, scope, global, head.span) {
                    Ok(var) => Pending::Define(var, value),
                    Err(var) => Pending::Redefine(var, value),
                };
                pending.push(it);
            }
            DatumKind::List(parts, tail) if !parts.is_empty() => {
                let params =
                    Datum::new(DatumKind::List(parts[1..].to_vec(), tail.clone()), head.span);
                if body.is_empty() {
                    let message = "bad `define`: a procedure needs a body";
                    return self.bad(span, message);
                }
                match &parts[0].kind {
                    DatumKind::Ident(ident) => {
                        match self.define(*ident, scope, global, parts[0].span) {
                            Ok(var) => {
                                let body = Cow::Borrowed(body);
                                pending.push(Pending::Function(var, params, body, span));
                            }
                            Err(var) => {
                                let mut form = vec![Datum::symbol("lambda", span), params];
                                form.extend(body.iter().cloned());
                                let form = Cow::Owned(self.base_form(form, span));
                                pending.push(Pending::Redefine(var, form));
                            }
                        }
                    }
                    DatumKind::List(..) => {
                        // Curried: `(define ((f a) b) …)` is a function that makes one.
                        let mut inner = vec![Datum::symbol("lambda", span), params];
                        inner.extend(body.iter().cloned());
                        let inner = self.base_form(inner, span);
                        let args = [parts[0].clone(), inner];
                        let mut made = Vec::new();
                        self.scan_define(&args, scope, global, span, &mut made);
                        pending.extend(made.into_iter().map(Pending::into_owned));
                    }
                    _ => self.bad(parts[0].span, "`define` needs a name"),
                }
            }
            _ => self.bad(head.span, "`define` needs a name"),
        }
    }

    /// A form whose head means what it means in the library, whatever the program defines.
    pub(super) fn base_form(&mut self, mut items: Vec<Datum>, span: Span) -> Datum {
        if let Some(ident) = items[0].as_ident() {
            let alias = self.scopes.alias(ident, self.base);
            items[0] = Datum::new(DatumKind::Ident(alias), span);
        }
        Datum::list(items, span)
    }

    fn scan_define_values<'d>(
        &mut self,
        args: &'d [Datum],
        scope: ScopeId,
        global: bool,
        span: Span,
        pending: &mut Vec<Pending<'d>>,
    ) {
        let [formals, value] = args else {
            let shape = "`(define-values (name …) value)`";
            return self.bad(span, &format!("bad `define-values`: it is written {shape}"));
        };
        let (items, tail): (&[Datum], Option<&Datum>) = match &formals.kind {
            DatumKind::Ident(_) => (&[], Some(formals)),
            DatumKind::List(items, tail) => (items, tail.as_deref()),
            _ => return self.bad(formals.span, "`define-values` needs names"),
        };
        let mut vars = Vec::new();
        for item in items.iter().chain(tail) {
            match item.as_ident() {
                Some(ident) => match self.define(ident, scope, global, item.span) {
                    Ok(var) => vars.push(var),
                    Err(_) => self.bad(item.span, "this name is defined already"),
                },
                None => self.bad(item.span, "`define-values` needs names"),
            }
        }
        let rest = if tail.is_some() { vars.pop() } else { None };
        pending.push(Pending::Values(vars, rest, Cow::Borrowed(value), span));
    }

    pub(super) fn define_syntax(&mut self, args: &[Datum], scope: ScopeId, span: Span) {
        let [name, rules] = args else {
            let shape = "`(define-syntax name (syntax-rules …))`";
            return self.bad(span, &format!("bad `define-syntax`: it is written {shape}"));
        };
        let Some(ident) = name.as_ident() else {
            return self.bad(name.span, "`define-syntax` needs a name");
        };
        let text = self.scopes.symbol(ident);
        if let Some(index) = self.macro_of(rules, scope, text.as_str()) {
            self.scopes.bind(scope, ident, Binding::Macro(index));
        }
    }

    pub(super) fn bind_syntaxes(&mut self, bindings: &Datum, place: ScopeId, inner: ScopeId) {
        for binding in self.listed("let-syntax", "(name rules)", bindings) {
            match binding.as_list() {
                Some([name, rules]) if name.as_ident().is_some() => {
                    let ident = name.as_ident().unwrap_or(Ident::Plain("_".into()));
                    let text = self.scopes.symbol(ident);
                    if let Some(index) = self.macro_of(rules, place, text.as_str()) {
                        self.scopes.bind(inner, ident, Binding::Macro(index));
                    }
                }
                _ => {
                    self.bad(binding.span, "a binding of `let-syntax` is `(name (syntax-rules …))`")
                }
            }
        }
    }

    /// Spreads values over variables: a vector of as many as are wanted, the rest as a list.
    pub(super) fn unpack(&mut self, value: Core, count: usize, rest: bool, span: Span) -> Core {
        let count = self.integer(count as i64, span);
        let rest = Core::new(CoreKind::Const(Datum::new(DatumKind::Bool(rest), span)), span);
        self.call(known::UNPACK, vec![value, count, rest], span)
    }

    pub(super) fn unpacked(&mut self, from: VarId, index: usize, span: Span) -> Core {
        let index = self.integer(index as i64, span);
        let from = self.var_ref(from, span);
        self.call("vector-ref", vec![from, index], span)
    }
}
