//! `let` and `let rec`, local and at the top of structures.

use oxbow_base::{Mark, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, ParamLabel, PatternKind, PolyType};
use crate::tast::{self, ExprKind, InlineAttribute};
use crate::types::{Label, TyConId, Type, TypeId, Unknown};

use super::env::{Env, Structure, Value, ValueKind};
use super::expr::inline_attribute;
use super::labelled::leaves_out_parts;
use super::pattern::Bound;
use super::poly_pattern::may_fail;
use super::rigid::Rigid;
use super::typexpr::{Vars, alias_names, has_wildcard};
use super::{Because, Expect, Infer};

/// The type that a binding's annotation asks for.
struct Annotated {
    ty: TypeId,
    rigid: Vec<Rigid>,
    /// Where the value is checked: with the names of locally abstract types.
    env: Env,
    because: Because,
}

impl Infer<'_> {
    /// Elaborates bindings and adds their variables to the scope and the structure.
    pub(super) fn bindings(
        &mut self,
        env: &mut Env,
        structure: Option<&mut Structure>,
        recursive: bool,
        bindings: &[ast::Binding],
    ) -> tast::ItemKind {
        let in_structure = std::mem::replace(&mut self.scopes.in_structure, structure.is_some());
        let (kind, values) = if recursive {
            let (kind, values) = self.recursive_group(env, bindings);
            (tast::ItemKind::LetRec(kind), values)
        } else {
            let mut typed = Vec::new();
            let mut values = Vec::new();
            let start = bindings.first().map(|it| it.pattern.span.at_start());
            let outer = std::mem::replace(&mut self.let_start, start);
            for binding in bindings {
                self.plain_binding(env, binding, &mut values, &mut typed);
            }
            self.let_start = outer;
            (tast::ItemKind::Let(typed), values)
        };
        self.scopes.in_structure = in_structure;
        let mut seen: Vec<Symbol> = Vec::new();
        for (name, value) in &values {
            if seen.contains(name) && !self.diagnostics.has_error_within(value.span) {
                self.diagnostics.error(
                    Diagnostic::error("E0117", format!("`{name}` is bound twice in this `let`"))
                        .at(value.span, "already bound"),
                );
            }
            seen.push(*name);
        }
        for (name, value) in &values {
            env.add_value(*name, value.clone());
        }
        if let Some(structure) = structure {
            let private = bindings.iter().filter(|it| is_private(it)).map(|it| it.pattern.span);
            let private: Vec<Span> = private.collect();
            for (name, value) in values {
                self.note_weak(name, &value);
                let at = value.span;
                if private.iter().any(|it| it.start <= at.start && at.end <= it.end) {
                    structure.values.shift_remove(&name);
                    structure.private.insert(name, at);
                } else {
                    structure.values.insert(name, value);
                }
            }
        }
        kind
    }

    fn plain_binding(
        &mut self,
        env: &Env,
        binding: &ast::Binding,
        values: &mut Vec<(Symbol, Value)>,
        typed: &mut Vec<tast::Binding>,
    ) {
        if self.is_clef()
            && super::clef::is_inline(binding)
            && let PatternKind::Var(name) = binding.pattern.kind
            && let Some(value) = self.inline_binding(env, binding)
        {
            values.push((name.text, value));
            return;
        }
        self.enter_let();
        let mut annotated = self.annotation(env, binding.annotation.as_ref());
        if self.is_clef()
            && let PatternKind::Var(name) = binding.pattern.kind
        {
            self.active_scope(&mut annotated.env, name.text);
        }
        // The pattern first: what it says is expected of the value. But one with `..` must know what it leaves out.
        let early = leaves_out_parts(&binding.pattern).then(|| {
            let expect = Expect { ty: annotated.ty, because: annotated.because };
            self.value_of_binding(&annotated.env, binding, expect)
        });
        let mut bound = Bound::default();
        let wanted = Expect { ty: annotated.ty, because: annotated.because };
        let place =
            if self.local_depth > 0 { "the other bindings" } else { "the rest of the file" };
        let mut pattern =
            self.without_hidden(place, |cx| cx.pattern(env, &binding.pattern, wanted, &mut bound));
        self.close_rows(&[&pattern]);
        let names = bound.vars.len();
        let start = self.let_start.unwrap_or(binding.pattern.span.at_start());
        self.defining.extend(bound.vars.iter().map(|it| (it.0, start)));
        let expect = Expect { ty: pattern.ty, because: annotated.because };
        let mut value = match early {
            Some(value) => value,
            None => self.value_of_binding(&annotated.env, binding, expect),
        };
        self.defining.truncate(self.defining.len() - names);
        // One report for one mistake: nothing is asked of a value that could not be typed.
        if matches!(self.types.get(value.ty), crate::types::Type::Error) {
            self.spoil(pattern.ty);
        }
        mark_inline(&mut value, &binding.attributes);
        self.leave_level();
        if self.is_clef() {
            self.hold_overloads();
        }
        let ty = annotated.ty;
        let mut vars = self.close_all(annotated.rigid);
        let value = self.do_first(value, typed);
        if !binding.mutable && !may_fail(&pattern) && self.is_value(&value) {
            self.generalize(ty, &mut vars);
            self.generalize(pattern.ty, &mut vars);
            for (_, var) in &bound.vars {
                let ty = self.types.vars[*var].ty;
                self.generalize(ty, &mut vars);
                self.types.vars[*var].tyvars.clone_from(&vars);
            }
        } else {
            if !vars.is_empty() {
                self.not_polymorphic(binding);
                vars.clear();
            }
            if matches!(pattern.kind, tast::PatternKind::Var(_)) && !binding.mutable {
                self.generalize_covariant(ty, &mut vars);
                for (_, var) in bound.vars.iter().filter(|_| !vars.is_empty()) {
                    self.types.vars[*var].tyvars.clone_from(&vars);
                    self.relaxed.insert(*var);
                }
            }
            self.fix_levels(ty);
            for (_, var) in &bound.vars {
                let ty = self.types.vars[*var].ty;
                self.fix_levels(ty);
            }
        }
        if matches!(self.types.get(value.ty), Type::Error) {
            pattern.ty = self.builtins.error;
        }
        for &(name, var) in &bound.vars {
            // All of a pattern's variables have the same list, that of the whole value.
            if self.types.vars[var].tyvars.len() < vars.len() {
                self.types.vars[var].tyvars.clone_from(&vars);
            }
            self.types.vars[var].mutable |= binding.mutable;
            self.note_known(&binding.attributes, var);
            values.push((name, self.value_of_var(var)));
            if self.is_clef() {
                for case in self.note_active(name, var) {
                    values.push((case, self.value_of_var(var)));
                }
                self.note_literal(binding, var);
            }
        }
        let plain = matches!(pattern.kind, tast::PatternKind::Var(_));
        let binding = tast::Binding { pattern, value };
        if plain || vars.is_empty() || bound.vars.is_empty() {
            typed.push(binding);
        } else {
            self.split_pattern(binding, &bound, vars, typed);
        }
    }

    fn value_of_binding(
        &mut self,
        env: &Env,
        binding: &ast::Binding,
        expect: Expect,
    ) -> tast::Expr {
        self.local_depth += 1;
        let value = self.annotated_value(env, binding, expect);
        self.local_depth -= 1;
        value
    }

    /// The value of a binding, which a plain annotation may be about: `let f : t = …`.
    fn annotated_value(&mut self, env: &Env, binding: &ast::Binding, expect: Expect) -> tast::Expr {
        self.note_binding(binding);
        let value = match &binding.annotation {
            Some(poly) if poly.vars.is_empty() || self.is_clef() => {
                self.argument(env, &binding.value, expect)
            }
            _ => self.expr(env, &binding.value, expect),
        };
        self.scopes.is_bound = false;
        value
    }

    pub(super) fn value_of_var(&self, var: VarId) -> Value {
        let info = &self.types.vars[var];
        if let Some(own) = self.types.poly_fields.get(var) {
            let vars = info.tyvars.iter().chain(own).copied().collect();
            let instance = Some(info.tyvars.clone().into());
            return Value {
                kind: ValueKind::Var(var),
                vars,
                ty: info.ty,
                instance,
                span: info.span,
            };
        }
        Value {
            kind: ValueKind::Var(var),
            vars: info.tyvars.clone(),
            ty: info.ty,
            instance: None,
            span: info.span,
        }
    }

    /// Enters the level of a binding's value; type variables named in a top-level item live there.
    fn enter_let(&mut self) {
        self.enter_level();
        if self.local_depth == 0 {
            self.tyvars.clear();
            self.tyvars.extend(self.clef.class_tyvars.iter().map(|(&name, &ty)| (name, ty)));
            self.named_level = self.level;
        }
    }

    fn annotation(&mut self, env: &Env, annotation: Option<&PolyType>) -> Annotated {
        let mut inner = env.clone();
        let Some(poly) = annotation else {
            return Annotated {
                ty: self.fresh(),
                rigid: Vec::new(),
                env: inner,
                because: Because::Plain,
            };
        };
        let mut rigid = Vec::new();
        let mut shadowed = Vec::new();
        for name in &poly.vars {
            let one = self.open_rigid(name.text, name.span);
            if poly.locally_abstract {
                self.types.tycons[one.tycon].unknown = Unknown::Local;
                inner.add_type(name.text, one.tycon);
            } else {
                let ty = self.types.add(Type::Con(one.tycon, Vec::new()));
                shadowed.push((name.text, self.tyvars.insert(name.text, ty)));
            }
            rigid.push(one);
        }
        // `as 'a` in a type with variables of its own names something inside of that type alone.
        if !poly.vars.is_empty() {
            let mut names = Vec::new();
            alias_names(&poly.ty, &mut names);
            names.retain(|it| !self.tyvars.contains_key(it));
            shadowed.extend(names.into_iter().map(|it| (it, None)));
        }
        let ty = self.type_expr(&inner, &poly.ty, Vars::Shared);
        for (name, before) in shadowed {
            match before {
                Some(before) => self.tyvars.insert(name, before),
                None => self.tyvars.remove(&name),
            };
        }
        Annotated { ty, rigid, env: inner, because: Because::Annotation(poly.ty.span) }
    }

    pub(super) fn recursive_bindings(
        &mut self,
        env: &Env,
        bindings: &[ast::Binding],
    ) -> (Vec<tast::RecBinding>, Vec<(Symbol, Value)>) {
        self.enter_let();
        let mut inner = env.clone();
        let group: Vec<_> = bindings.iter().filter_map(|it| self.recursive_name(env, it)).collect();
        // The quantified variables of the group, in the order of its functions, begin the type
        // parameters that all of them share. A use inside the group is at any type in those of
        // the function itself, and at the current ones in the others.
        let rigid: Vec<TyConId> =
            group.iter().flat_map(|it| it.2.rigid.iter().map(|it| it.tycon)).collect();
        let mut first = 0;
        for (name, var, annotated, binding) in &group {
            let value = match &binding.annotation {
                // Polymorphic recursion needs an explicit scheme.
                Some(poly) if !poly.vars.is_empty() => {
                    self.explicit_scheme(env, poly, *var, &rigid, first)
                }
                _ => self.mono_value(ValueKind::Var(*var), annotated.ty, name.span),
            };
            first += annotated.rigid.len();
            if self.is_clef() {
                for case in self.note_active(name.text, *var) {
                    inner.add_value(case, value.clone());
                }
            }
            inner.add_value(name.text, value);
        }
        let mut typed = Vec::new();
        let mut wrong = Vec::new();
        let mut rigid = Vec::new();
        let vars_of_group: Vec<VarId> = group.iter().map(|it| it.1).collect();
        for (name, var, annotated, binding) in group {
            let mut value = self.recursive_value(&inner, name.text, &annotated, binding);
            mark_inline(&mut value, &binding.attributes);
            self.note_known(&binding.attributes, var);
            if let ExprKind::Lambda { body, .. } = &value.kind
                && matches!(self.types.get(body.ty), Type::Error)
            {
                wrong.push(var);
            }
            self.note_uses_inside(var, &vars_of_group);
            rigid.extend(annotated.rigid);
            typed.push((name, tast::RecBinding { var, value }));
        }
        let group: Vec<_> = typed.iter().map(|it| (it.0, it.1.var)).collect();
        self.check_rec(&group);
        if self.is_clef() {
            self.hold_overloads_below();
        }
        self.leave_level();
        let all_values = typed.iter().all(|it| self.is_value(&it.1.value));
        let mut vars = self.close_all(rigid);
        if !all_values && !vars.is_empty() {
            bindings
                .iter()
                .filter(|it| it.annotation.as_ref().is_some_and(|it| !it.vars.is_empty()))
                .for_each(|it| {
                    self.not_polymorphic(it);
                });
        }
        for (_, binding) in &typed {
            let ty = self.types.vars[binding.var].ty;
            if all_values {
                self.generalize(ty, &mut vars);
            } else {
                self.fix_levels(ty);
            }
        }
        // One report for one mistake: a function whose result is wrong gives nothing to complain about.
        for var in wrong {
            self.types.vars[var].ty = self.builtins.error;
        }
        let mut values = Vec::new();
        for (name, binding) in &typed {
            self.types.vars[binding.var].tyvars.clone_from(&vars);
            values.push((name.text, self.value_of_var(binding.var)));
            if self.is_clef() {
                for case in self.note_active(name.text, binding.var) {
                    values.push((case, self.value_of_var(binding.var)));
                }
            }
        }
        (typed.into_iter().map(|it| it.1).collect(), values)
    }

    /// The variable of one binding of a recursive group, with what its annotations and its syntax say of its type.
    fn recursive_name<'b>(
        &mut self,
        env: &Env,
        binding: &'b ast::Binding,
    ) -> Option<(ast::Name, VarId, Annotated, &'b ast::Binding)> {
        let mut annotated = self.annotation(env, binding.annotation.as_ref());
        let (name, pattern_annotation) = match &binding.pattern.kind {
            PatternKind::Var(name) => (*name, None),
            PatternKind::Annotate(pattern, ty) if let PatternKind::Var(name) = &pattern.kind => {
                (*name, Some(ty))
            }
            _ => {
                self.recursive_pattern_error(binding);
                return None;
            }
        };
        if let Some(annotation) = pattern_annotation {
            let ty = self.type_expr(env, annotation, Vars::Shared);
            self.expect(Expect::plain(annotated.ty), ty, annotation.span);
            annotated.because = Because::Annotation(annotation.span);
        }
        let var = self.new_var(name.text, annotated.ty, name.span);
        let shape = self.shape(&binding.value);
        let _ = self.unify(annotated.ty, shape);
        if self.is_clef()
            && binding.annotation.is_none()
            && self.clef.hidden.contains_key(&name.text)
        {
            self.note_annotations(env, binding, annotated.ty);
            self.note_slot(name.text, annotated.ty);
        }
        Some((name, var, annotated, binding))
    }

    /// The value of one binding of a recursive group.
    fn recursive_value(
        &mut self,
        env: &Env,
        name: Symbol,
        annotated: &Annotated,
        binding: &ast::Binding,
    ) -> tast::Expr {
        let mut scope = env.clone();
        if self.is_clef() {
            self.active_scope(&mut scope, name);
        }
        if let Some(poly) = &binding.annotation
            && poly.locally_abstract
        {
            for (type_name, one) in poly.vars.iter().zip(&annotated.rigid) {
                scope.add_type(type_name.text, one.tycon);
            }
        }
        // In Clef the variables of the annotation are known in the function.
        let mut outside = Vec::new();
        if let Some(poly) = binding.annotation.as_ref().filter(|_| self.is_clef()) {
            for (name, one) in poly.vars.iter().zip(&annotated.rigid) {
                let ty = self.types.add(Type::Con(one.tycon, Vec::new()));
                outside.push((name.text, self.tyvars.insert(name.text, ty)));
            }
        }
        self.local_depth += 1;
        let expect = Expect { ty: annotated.ty, because: annotated.because };
        let value = if self.is_clef() {
            self.expr(&scope, &binding.value, expect)
        } else {
            self.annotated_value(&scope, binding, expect)
        };
        self.local_depth -= 1;
        for (name, before) in outside {
            match before {
                Some(before) => self.tyvars.insert(name, before),
                None => self.tyvars.remove(&name),
            };
        }
        value
    }

    /// What the syntax of a function says of its type: its parameters' labels. Recursive calls
    /// need it before the function itself is inferred.
    fn shape(&mut self, value: &ast::Expr) -> TypeId {
        match &value.kind {
            ast::ExprKind::Fun(params, _, body) => {
                let result = self.shape(body);
                params.iter().rev().fold(result, |result, param| {
                    let item = self.fresh();
                    match &param.label {
                        ParamLabel::None => self.arrow(Label::None, item, result),
                        ParamLabel::Labelled(name) => {
                            self.arrow(Label::Labelled(name.text), item, result)
                        }
                        ParamLabel::Optional(name, _) => {
                            let option = self.option_of(item);
                            self.arrow(Label::Optional(name.text), option, result)
                        }
                        ParamLabel::Newtype(_) => result,
                    }
                })
            }
            ast::ExprKind::Function(..) => {
                let (param, result) = (self.fresh(), self.fresh());
                self.arrow(Label::None, param, result)
            }
            _ => self.fresh(),
        }
    }

    /// The scheme of an annotation `'a. t`, for uses inside the definition itself.
    fn explicit_scheme(
        &mut self,
        env: &Env,
        poly: &PolyType,
        var: VarId,
        rigid: &[TyConId],
        first: usize,
    ) -> Value {
        let rows = self.rigid_rows.ids();
        let again = self.annotation(env, Some(poly));
        let mut vars = self.close_all(again.rigid);
        // What `_` stands for is one type in all uses.
        if has_wildcard(&poly.ty) {
            let own: Vec<TypeId> = rigid[first..first + vars.len()]
                .iter()
                .map(|&it| self.types.add(Type::Con(it, Vec::new())))
                .collect();
            let here = self.types.substitute(again.ty, &vars, &own);
            let _ = self.unify(self.types.vars[var].ty, here);
        }
        // The rows of this copy are quantified at once.
        for row in self.rigid_rows.ids().into_iter().filter(|it| !rows.contains(it)) {
            self.rigid_rows.remove(row);
            vars.push(row);
        }
        let span = self.types.vars[var].span;
        let mut instance: Vec<TypeId> =
            rigid.iter().map(|&it| self.types.add(Type::Con(it, Vec::new()))).collect();
        for (slot, &own) in instance.iter_mut().skip(first).zip(&vars) {
            *slot = own;
        }
        Value {
            kind: ValueKind::Var(var),
            vars,
            ty: again.ty,
            instance: Some(instance.into()),
            span,
        }
    }

    /// `let f : 'a. … = e` where `e` is no value.
    fn not_polymorphic(&mut self, binding: &ast::Binding) {
        let Some(annotation) = &binding.annotation else { return };
        self.diagnostics.error(
            Diagnostic::error(
                "E0135",
                "this definition is not as polymorphic as its annotation says",
            )
            .at(binding.value.span, "computed once, so it has one type")
            .label(annotation.ty.span, "asks for all types")
            .help("make it a function: `fun x -> … x`"),
        );
    }

    fn recursive_pattern_error(&mut self, binding: &ast::Binding) {
        self.diagnostics.error(
            Diagnostic::error("E0129", "only a variable may stand on the left of `let rec`")
                .at(binding.pattern.span, "a pattern is not allowed here"),
        );
    }
}

/// `let private x = …`
fn is_private(binding: &ast::Binding) -> bool {
    binding.attributes.iter().any(|it| it.is(Mark::Private))
}

/// `let[@inline] f x = …`
fn mark_inline(value: &mut tast::Expr, attributes: &[ast::Attribute]) {
    let wanted = inline_attribute(attributes);
    if wanted == InlineAttribute::None {
        return;
    }
    if let ExprKind::Lambda { inline, .. } | ExprKind::Function { inline, .. } = &mut value.kind {
        *inline = wanted;
    }
}
