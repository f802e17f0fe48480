//! Calls and constructions as Clef writes them.

use std::rc::Rc;

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::{Prim, VarId};

use crate::ast::{self, ArgLabel, Constant, ExprKind, Path, Pattern, PatternKind};
use crate::tast::{self, Builtin};
use crate::types::{Label, TyConKind, Type};

use super::super::env::{Ctor, Env, Module, Structure, ValueKind};
use super::super::pattern::Bound;
use super::super::{Expect, Infer, suggest};
use super::dotted::Head;
use super::spread::is_length_function;
use super::{apply, ident, library};

impl Infer<'_> {
    /// Calls that are not those of a plain function.
    pub(in super::super) fn clef_apply(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        args: &[(ArgLabel, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        if let [(_, arg)] = args
            && is_length_function(func)
            && !self.is_of_program(env, Symbol::new("String"), Symbol::new("length"))
        {
            self.warn_length(arg, func.span);
        }
        if let ExprKind::Ident(path) = &func.kind
            && path.prefix.as_ref().is_none_or(|it| is_prelude_path(it))
        {
            let text = path.name.text;
            if let [(_, left), (_, right)] = args {
                match text.as_str() {
                    "|>" if self.is_prelude(env, "|>") => {
                        return Some(self.pipe(env, left, right, span, expect));
                    }
                    "||>" | "|||>"
                        if self.is_prelude(env, text.as_str())
                            && let ExprKind::Tuple(items) = &left.kind
                            && items.len() + 1 == text.as_str().len()
                            && !matches!(
                                right.kind,
                                ExprKind::Fun(..) | ExprKind::Function(..)
                            ) =>
                    {
                        return Some(self.pipe_many(env, items, right, span, expect));
                    }
                    "<|" if self.is_prelude(env, "<|") => {
                        let args = [(ArgLabel::None, right.clone())];
                        return Some(self.apply(env, left, &args, span, expect));
                    }
                    _ => (),
                }
                if let Some(value) = env.value(text)
                    && matches!(value.kind, ValueKind::Overload(_))
                    && !text.as_str().starts_with(char::is_alphabetic)
                {
                    return Some(self.operator_call(env, func, text, left, right, span, expect));
                }
            }
            if let [(_, left), (_, right)] = args
                && path.prefix.is_none()
                && env.value(text).is_none()
                && self.clef.members.keys().any(|it| it.1 == text)
                && !text.as_str().starts_with(|it: char| it.is_alphabetic() || it == '_')
            {
                return Some(self.operator_of_type(env, (func, text), (left, right), span, expect));
            }
            // A function that the program calls so hides the one of the language.
            if text.as_str() == "reraise"
                && env.value(text).is_none()
                && env.value(Made::Caught.symbol()).is_some()
            {
                let exn = ident(super::made(Made::Caught, span));
                let made = apply(library("raise", span), vec![exn], span);
                return Some(self.expr(env, &made, expect));
            }
        }
        if let ExprKind::Ident(path) = &func.kind
            && let Some(meaning) = self.alias_meaning(env, path)
        {
            return Some(self.apply(env, &meaning, args, span, expect));
        }
        if let Some(seen) = self.seen_branch(env, func, args, expect) {
            return Some(seen);
        }
        if let Some(made) = self.implicit_line(env, func, args, expect) {
            return Some(made);
        }
        if let Some(made) = self.expected_sequence(env, (func, args), span, expect) {
            return Some(made);
        }
        if let Some(call) = self.composite_format(env, func, args, span) {
            return Some(self.expr(env, &call, expect));
        }
        if let Some(made) = self.with_settings(env, func, args, span) {
            return Some(self.expr(env, &made, expect));
        }
        if let ExprKind::TypeApply(inner, given) = &func.kind
            && let Some(made) = self.made_at(env, (inner, given), args, span, expect)
        {
            return Some(made);
        }
        if let Some(call) = self.call_by_types(env, func, args, span, expect) {
            return Some(call);
        }
        let calls = self.clef.call_shapes.len();
        if let ExprKind::Field(_, path) | ExprKind::Ident(path) = &func.kind {
            self.note_call(env, path.name.span, args);
        }
        // `a.f(x).g(y)`: typing the object notes the calls in it.
        self.clef.chosen = None;
        let head = self.head(env, func);
        self.clef.call_shapes.truncate(calls);
        let arranged = self.arranged(env, func, args);
        let args = arranged.as_deref().unwrap_or(args);
        match head? {
            Head::Ctor(ctor, path) => Some(self.ctor_call(env, ctor, &path, args, span, expect)),
            Head::Expr(typed) => {
                if matches!(self.types.get(typed.ty), Type::Error) {
                    for (_, arg) in args {
                        self.infer_only(env, arg);
                    }
                    return Some(self.failed(span));
                }
                let name = match &func.kind {
                    ExprKind::Field(_, path) => Some(path.name.text),
                    _ => None,
                };
                Some(self.apply_typed(env, typed, name, args, span, expect))
            }
        }
    }

    /// The type that `T` or `M.T` before type arguments names, if it is no value.
    pub(super) fn constructed(&self, env: &Env, name: &ast::Expr) -> Option<crate::types::TyConId> {
        match &name.kind {
            ExprKind::Ident(path) => {
                let text = path.name.text;
                let other = env.value(text).is_some() || env.ctor(text).is_some();
                env.ty(text).filter(|_| path.prefix.is_none() && !other)
            }
            ExprKind::Field(object, path) if path.prefix.is_none() => {
                let module = self.quiet_structure(env, &module_path(env, object)?)?;
                module.types.get(&path.name.text).copied()
            }
            _ => None,
        }
    }

    fn ctor_call(
        &mut self,
        env: &Env,
        ctor: Ctor,
        path: &Path,
        args: &[(ArgLabel, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        // The expected type decides between cases of one name.
        let in_scope = path.prefix.is_none() && env.ctor(path.name.text) == Some(ctor);
        let ctor = match in_scope.then(|| self.resolve_ctor(env, path, expect.ty)) {
            Some(Ok(found)) => found,
            _ => ctor,
        };
        if let (Ctor::Exn(_), [(_, arg)]) = (ctor, args)
            && matches!(&arg.kind, ExprKind::Construct(path, None) if path.name.text.as_str() == "()")
            && let Some(made) = self.exception_without_message(env, ctor, path, span, expect)
        {
            return made;
        }
        match args {
            [(_, arg)] => self.construct_ctor(env, ctor, path, Some(arg), span, expect),
            _ => {
                let reported = self.diagnostics.error(
                    Diagnostic::error(
                        "E0024",
                        format!("`{}` is given {} arguments", path.name.text, args.len()),
                    )
                    .at(span, "a union case takes one argument, or a tuple")
                    .help(format!("write `{} (a, b)`", path.name.text)),
                );
                self.error_expr(reported, span)
            }
        }
    }

    /// `ArgumentException()`: with the message that .NET has for it.
    fn exception_without_message(
        &mut self,
        env: &Env,
        ctor: Ctor,
        path: &Path,
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        if self.prelude_ctor(path.name.text) != Some(ctor) {
            return None;
        }
        let message = match path.name.text.as_str() {
            "IndexOutOfRangeException" | "DivideByZeroException" => None,
            "ArgumentException" => Some("Value does not fall within the expected range."),
            "ArgumentNullException" => Some("Value cannot be null."),
            "ArgumentOutOfRangeException" => {
                Some("Specified argument was out of the range of valid values.")
            }
            "InvalidOperationException" => {
                Some("Operation is not valid due to the current state of the object.")
            }
            "NotSupportedException" => Some("Specified method is not supported."),
            "NotImplementedException" => Some("The method or operation is not implemented."),
            "FormatException" => Some("One of the identified items was in an invalid format."),
            "OverflowException" => Some("Arithmetic operation resulted in an overflow."),
            "KeyNotFoundException" => Some("The given key was not present in the dictionary."),
            _ => return None,
        };
        let text = message.map(|it| {
            super::node(ExprKind::Constant(Constant::String(it.as_bytes().to_vec())), span)
        });
        Some(self.construct_ctor(env, ctor, path, text.as_ref(), span, expect))
    }

    /// A name or a chain of dots where a value is wanted.
    pub(in super::super) fn head_expr(
        &mut self,
        env: &Env,
        head: Head,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let typed = match head {
            Head::Ctor(ctor, path) => {
                let instance = self.instantiate_ctor(ctor);
                if instance.args.is_empty() || self.is_active_case(ctor) {
                    // A case that only its type names is the one that is meant.
                    let in_scope = path.prefix.is_none() && env.ctor(path.name.text).is_some();
                    let ctor = match in_scope.then(|| self.resolve_ctor(env, &path, expect.ty)) {
                        Some(Ok(found)) => found,
                        _ => ctor,
                    };
                    return self.construct_ctor(env, ctor, &path, None, span, expect);
                }
                self.ctor_value(env, ctor, &path, span)
            }
            Head::Expr(typed) => self.read_reference(typed, expect),
        };
        if self.expect(expect, typed.ty, span) {
            typed
        } else {
            tast::Expr { ty: self.builtins.error, ..typed }
        }
    }

    /// Is the constructor one that an active pattern's definition has another name for?
    pub(in super::super) fn is_active_case(&self, ctor: Ctor) -> bool {
        match ctor {
            Ctor::Variant(tycon, index) => self.clef.active_ctors.contains(&(tycon, index)),
            Ctor::Exn(_) => false,
        }
    }

    pub(in super::super) fn float32_literal(
        &mut self,
        value: f32,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let (float, float32) = (self.builtins.float, self.builtins.float32);
        let wide = Constant::Float(f64::from(value));
        let wide = tast::Expr { kind: tast::ExprKind::Constant(wide), ty: float, span };
        let ty = self.arrow(Label::None, float, float32);
        let prim = tast::ExprKind::Builtin(Builtin::Prim(Prim::Float32OfFloat));
        let func = Box::new(tast::Expr { kind: prim, ty, span });
        self.node(tast::ExprKind::Apply { func, args: vec![wide] }, float32, span, expect)
    }

    /// `[<Literal>] let Limit = 10`: patterns may name it.
    pub(in super::super) fn note_literal(&mut self, binding: &ast::Binding, var: VarId) {
        if binding.attributes.iter().any(|it| it.name.text.as_str() == "Literal")
            && let ExprKind::Constant(constant) = &binding.value.kind
        {
            self.clef.literals.insert(var, constant.clone());
        }
    }

    /// `Rect (height = 2.0, width = 1.0)` as the tuple of the arguments in order.
    pub(in super::super) fn named_arguments(
        &mut self,
        ctor: Ctor,
        arg: Option<&ast::Expr>,
        span: Span,
    ) -> Option<ast::Expr> {
        let Ctor::Variant(tycon, index) = ctor else { return None };
        let names = self.clef.case_fields.get(&(tycon, index))?.clone();
        let items: Vec<&ast::Expr> = match &arg?.kind {
            ExprKind::Tuple(items) => items.iter().collect(),
            _ => vec![arg?],
        };
        let mut given: Vec<(Symbol, ast::Expr)> = Vec::new();
        for item in &items {
            let ExprKind::Apply(func, args) = &item.kind else { return None };
            let (ExprKind::Ident(op), [(_, left), (_, right)]) = (&func.kind, args.as_slice())
            else {
                return None;
            };
            let ExprKind::Ident(field) = &left.kind else { return None };
            if op.name.text.as_str() != "=" || !names.contains(&Some(field.name.text)) {
                return None;
            }
            given.push((field.name.text, right.clone()));
        }
        let mut parts = Vec::new();
        for name in &names {
            let name = (*name)?;
            let Some((_, value)) = given.iter().find(|it| it.0 == name) else {
                self.diagnostics.error(
                    Diagnostic::error("E0122", format!("field `{name}` is not given")).at(span, ""),
                );
                return None;
            };
            parts.push(value.clone());
        }
        Some(match parts.len() {
            1 => parts.remove(0),
            _ => super::node(ExprKind::Tuple(parts), arg?.span),
        })
    }

    /// The same for patterns; fields that are not named match anything.
    pub(in super::super) fn named_patterns(
        &mut self,
        ctor: Ctor,
        arg: Option<&Pattern>,
        _span: Span,
    ) -> Option<Pattern> {
        let Ctor::Variant(tycon, index) = ctor else { return None };
        let names = self.clef.case_fields.get(&(tycon, index))?.clone();
        let arg = arg?;
        let PatternKind::Record { fields, .. } = &arg.kind else { return None };
        let known = |name: Symbol| names.contains(&Some(name));
        if let Some((path, _)) = fields.iter().find(|it| !known(it.0.name.text)) {
            let name = path.name.text;
            self.diagnostics.error(
                Diagnostic::error("E0104", format!("this case has no field `{name}`"))
                    .at(path.name.span, "unknown field"),
            );
        }
        let mut parts: Vec<Pattern> = names
            .iter()
            .map(|name| {
                let found = fields.iter().find(|it| Some(it.0.name.text) == *name);
                found.map_or(Pattern { kind: PatternKind::Any, span: arg.span }, |it| it.1.clone())
            })
            .collect();
        Some(match parts.len() {
            1 => parts.remove(0),
            _ => Pattern { kind: PatternKind::Tuple(parts), span: arg.span },
        })
    }

    /// The module of a path, if there is one.
    pub(in super::super) fn quiet_structure(
        &self,
        env: &Env,
        path: &ast::ModulePath,
    ) -> Option<Rc<Structure>> {
        let module = match path {
            ast::ModulePath::Name(name) => env.module(name.text).cloned(),
            ast::ModulePath::Dot(inside, name) => {
                self.quiet_structure(env, inside)?.modules.get(&name.text).cloned()
            }
            ast::ModulePath::Apply(..) => None,
        };
        match module? {
            Module::Structure(structure) => Some(structure),
            _ => None,
        }
    }

    /// Names in patterns that mean something else than in OCaml: variables with capital letters,
    /// literals, active patterns, cases qualified by their type.
    pub(in super::super) fn clef_pattern(
        &mut self,
        env: &Env,
        path: &Path,
        arg: Option<&Pattern>,
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> Option<tast::Pattern> {
        let name = path.name.text;
        if matches!(name.as_str(), "::" | "[]") {
            return None;
        }
        if let Some(prefix) = &path.prefix {
            if let Some(found) = self.active_case(env, path) {
                return Some(self.active_pattern(
                    env,
                    found,
                    &arg.into_iter().collect::<Vec<_>>(),
                    span,
                    expect,
                    bound,
                ));
            }
            // `Shape.Circle r`: the prefix may be the type, in a module or not.
            let (inside, last) = match prefix.as_ref() {
                ast::ModulePath::Name(first) => (None, first.text),
                ast::ModulePath::Dot(inside, last) => {
                    (Some(self.quiet_structure(env, inside)?), last.text)
                }
                ast::ModulePath::Apply(..) => return None,
            };
            let module = match &inside {
                None => env.module(last),
                Some(inside) => inside.modules.get(&last),
            };
            if let Some(Module::Structure(module)) = module {
                if module.ctors.contains_key(&name) {
                    return None;
                }
                if let Some(value) = module.values.get(&name)
                    && let ValueKind::Var(var) = value.kind
                    && let Some(constant) = self.clef.literals.get(var).cloned()
                {
                    let pattern = Pattern { kind: PatternKind::Constant(constant), span };
                    return Some(self.pattern(env, &pattern, expect, bound));
                }
            }
            let tycon = match &inside {
                None => env.ty(last)?,
                Some(inside) => inside.types.get(&last).copied()?,
            };
            let target = self.types.declaration(tycon);
            let TyConKind::Variant(ctors) = &self.types.tycons[target].kind else { return None };
            let index = ctors.iter().position(|it| it.name == name)?;
            let mut inner = env.clone();
            inner.add_ctor(name, Ctor::Variant(target, index as u32));
            let plain = Path::plain(path.name);
            return Some(self.plain_construct_pattern(&inner, &plain, arg, span, expect, bound));
        }
        let known = env.ctor(name).is_some() || self.expected_has(expect, name);
        if known && env.value(super::active::case_name(name)).is_none() {
            return None;
        }
        if let Some(found) = self.active_case(env, path) {
            return Some(self.active_pattern(
                env,
                found,
                &arg.into_iter().collect::<Vec<_>>(),
                span,
                expect,
                bound,
            ));
        }
        if known || arg.is_some() {
            return None;
        }
        if let Some(value) = env.value(name)
            && let ValueKind::Var(var) = value.kind
            && let Some(constant) = self.clef.literals.get(var).cloned()
        {
            let pattern = Pattern { kind: PatternKind::Constant(constant), span };
            return Some(self.pattern(env, &pattern, expect, bound));
        }
        self.check_variable(env, path.name);
        let pattern = Pattern { kind: PatternKind::Var(path.name), span };
        Some(self.pattern(env, &pattern, expect, bound))
    }

    /// A variable in a pattern that looks like a case of a union, as F# warns of it.
    fn check_variable(&mut self, env: &Env, name: ast::Name) {
        let text = name.text.as_str();
        if self.library || !text.starts_with(char::is_uppercase) || text.chars().count() < 3 {
            return;
        }
        let report =
            Diagnostic::warning("W0903", format!("`{text}` is a variable here, not a case"))
                .at(name.span, "matches every value");
        let help = match suggest::nearest(name.text, env.ctor_names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "begin the names of variables with a small letter".to_string(),
        };
        self.diagnostics.warning(report.help(help));
    }

    fn expected_has(&mut self, expect: Expect, name: Symbol) -> bool {
        let Some((con, _)) = self.head_con(expect.ty) else { return false };
        matches!(&self.types.tycons[con].kind, TyConKind::Variant(ctors) if ctors.iter().any(|it| it.name == name))
    }

    /// `Active a b p`
    pub(in super::super) fn many_pattern(
        &mut self,
        env: &Env,
        path: &Path,
        args: &[Pattern],
        span: Span,
        expect: Expect,
        bound: &mut Bound,
    ) -> tast::Pattern {
        if let Some(found) = self.active_case(env, path) {
            return self.active_pattern(
                env,
                found,
                &args.iter().collect::<Vec<_>>(),
                span,
                expect,
                bound,
            );
        }
        let wanted = 1;
        if self.resolve_ctor(env, path, expect.ty).is_ok() {
            self.ctor_arity_error(path, wanted, args.len(), span);
        }
        for arg in args {
            let error = self.builtins.error;
            self.pattern(env, arg, Expect::plain(error), bound);
        }
        tast::Pattern { kind: tast::PatternKind::Any, ty: self.builtins.error, span }
    }

    /// `:? E`: an exception, whatever it holds. `:? Exception` is any.
    pub(in super::super) fn type_test(
        &mut self,
        env: &Env,
        tested: &ast::TypeExpr,
        span: Span,
        expect: Expect,
    ) -> tast::Pattern {
        let exn = self.builtins.exn;
        let known = self.head_con(expect.ty).map(|it| it.0);
        let path = match &tested.kind {
            ast::TypeExprKind::Constr(path, args) if args.is_empty() => Some(path),
            _ => None,
        };
        let is_exception = known.is_none() || known == self.head_con(exn).map(|it| it.0);
        let Some(path) = path.filter(|_| is_exception) else {
            let wanted = self.type_expr(env, tested, super::super::typexpr::Vars::Shared);
            let wanted = self.show(wanted);
            let reported = self.no_test_for(expect.ty, &wanted, span);
            let ty = expect.ty;
            return tast::Pattern { kind: tast::PatternKind::Error(reported), ty, span };
        };
        self.expect(expect, exn, span);
        let any = tast::Pattern { kind: tast::PatternKind::Any, ty: exn, span };
        if matches!(path.name.text.as_str(), "Exception" | "exn") {
            return any;
        }
        let plain = Path::plain(path.name);
        let Ok(ctor) = self.lookup_ctor(env, &plain) else { return any };
        let Ctor::Exn(id) = ctor else {
            let reported = self.not_supported(span, "type tests of values that are no exceptions");
            return tast::Pattern { kind: tast::PatternKind::Error(reported), ty: exn, span };
        };
        let instance = self.instantiate_ctor(ctor);
        let args = instance
            .args
            .iter()
            .map(|&ty| tast::Pattern { kind: tast::PatternKind::Any, ty, span })
            .collect();
        tast::Pattern {
            kind: tast::PatternKind::Exn { exn: self.types.exn_behind(id), args },
            ty: exn,
            span,
        }
    }
}

/// `A.B` as the path of a module, if `A` is no value.
pub(super) fn module_path(env: &Env, expr: &ast::Expr) -> Option<ast::ModulePath> {
    match &expr.kind {
        ExprKind::Ident(path) if path.prefix.is_none() && env.value(path.name.text).is_none() => {
            Some(ast::ModulePath::Name(path.name))
        }
        ExprKind::Field(object, path) if path.prefix.is_none() => {
            let inside = module_path(env, object)?;
            Some(ast::ModulePath::Dot(Box::new(inside), path.name))
        }
        _ => None,
    }
}

fn is_prelude_path(path: &ast::ModulePath) -> bool {
    matches!(path, ast::ModulePath::Name(name) if name.text == Made::Prelude.symbol())
}
