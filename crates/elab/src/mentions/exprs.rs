//! What expressions and patterns mention.

use oxbow_base::{Made, Symbol};

use super::Walk;
use crate::ast::{
    Binding, Case, Expr, ExprKind, INDEXER, LetBang, LetOpBinding, ModuleExpr, Name, Param,
    ParamLabel, Path, Pattern, PatternKind, ResolvedMember, TypeExpr,
};

impl Walk {
    pub(super) fn bindings(&mut self, bindings: &[Binding]) {
        bindings.iter().for_each(|it| self.binding(it));
    }

    pub(super) fn binding(&mut self, binding: &Binding) {
        self.pattern(&binding.pattern);
        binding.annotation.iter().for_each(|it| self.type_expr(&it.ty));
        self.expr(&binding.value);
    }

    fn cases(&mut self, cases: &[Case]) {
        for case in cases {
            self.pattern(&case.pattern);
            case.guard.iter().chain(&case.body).for_each(|it| self.expr(it));
        }
    }

    fn anonymous_copy(&mut self, base: &Expr, fields: &[(Name, Expr)]) {
        self.expr(base);
        fields.iter().for_each(|it| self.expr(&it.1));
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        if self.names.is_some() {
            self.implied_names(expr);
        }
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Error(_) => (),
            ExprKind::Ident(path) => self.value(path),
            ExprKind::Construct(path, arg) => self.construct(path, arg.as_deref()),
            ExprKind::AssignVar(path, value) => self.assigned(path, value),
            ExprKind::Variant(_, arg) => arg.iter().for_each(|it| self.expr(it)),
            ExprKind::Coerce(inner, from, to) => {
                self.expr(inner);
                from.iter().chain([to]).for_each(|it| self.type_expr(it));
            }
            ExprKind::List(parts)
            | ExprKind::Array(parts)
            | ExprKind::Tuple(parts)
            | ExprKind::Sequence(parts) => {
                parts.iter().for_each(|it| self.expr(it));
            }
            ExprKind::AnonymousCopy(base, fields) => self.anonymous_copy(base, fields),
            ExprKind::LabelledTuple(parts) => parts.iter().for_each(|it| self.expr(&it.1)),
            ExprKind::Apply(func, args) => {
                self.expr(func);
                args.iter().for_each(|(_, it)| self.expr(it));
            }
            ExprKind::Fun(params, ty, body) => {
                self.params(params);
                ty.iter().for_each(|it| self.type_expr(it));
                self.expr(body);
            }
            ExprKind::Function(_, cases) => self.cases(cases),
            ExprKind::Let { bindings, body, .. } => {
                self.bindings(bindings);
                self.expr(body);
            }
            ExprKind::LetOp { bindings, body } => {
                bindings.iter().for_each(|it| self.let_op(it));
                self.expr(body);
            }
            ExprKind::Match(value, cases) | ExprKind::Try(value, cases) => {
                self.expr(value);
                self.cases(cases);
            }
            ExprKind::If(condition, then, other) => {
                [condition, then].into_iter().chain(other).for_each(|it| self.expr(it));
            }
            ExprKind::While(first, second)
            | ExprKind::Index(first, second)
            | ExprKind::Computation(first, second) => {
                [first, second].into_iter().for_each(|it| self.expr(it));
            }
            ExprKind::For { var, from, to, body, .. } => {
                self.pattern(var);
                [from, to, body].into_iter().for_each(|it| self.expr(it));
            }
            ExprKind::Record { base, fields } => {
                base.iter().for_each(|it| self.expr(it));
                fields.iter().for_each(|it| self.record_field(it));
            }
            ExprKind::Field(record, path) => self.field(record, path),
            ExprKind::SetField(record, path, value) => {
                self.expr(record);
                self.assigned(path, value);
            }
            ExprKind::Annotate(value, ty)
            | ExprKind::TypeTest(value, ty)
            | ExprKind::Measured(value, ty)
            | ExprKind::Downcast(value, ty) => {
                self.expr(value);
                self.type_expr(ty);
            }
            ExprKind::ResolvedMember(it) => self.resolved_member(it),
            ExprKind::Assert(value)
            | ExprKind::Lazy(value)
            | ExprKind::Handle(value)
            | ExprKind::AddressOf(value)
            | ExprKind::Yield(value)
            | ExprKind::YieldFrom(value)
            | ExprKind::Bang(_, value)
            | ExprKind::ImplicitYield { value, .. } => self.expr(value),
            ExprKind::LetBang(it) => self.let_bang(it),
            ExprKind::Aliases(names, body) => self.aliases(names, body),
            ExprKind::Object(body) => self.class_body(body),
            ExprKind::Send(object, _) => self.expr(object),
            ExprKind::New(path) | ExprKind::ExtensionConstructor(path) => self.path(path),
            ExprKind::Override(fields) => fields.iter().for_each(|it| self.expr(&it.1)),
            ExprKind::Open(module, body) => self.open_expr(module, body),
            ExprKind::LetModule(name, module, body) => {
                self.module_expr(module);
                self.with_name(name.text, body);
            }
            ExprKind::Pack(module, ty) => {
                self.module_expr(module);
                ty.iter().for_each(|it| self.package_type(it));
            }
            ExprKind::LetException(decl, body) => {
                self.exception(decl);
                self.expr(body);
            }
            ExprKind::ForIn { pattern, source, body, .. } => {
                self.pattern(pattern);
                [source, body].into_iter().for_each(|it| self.expr(it));
            }
            ExprKind::Range { from, step, to } => {
                [from].into_iter().chain(step).chain([to]).for_each(|it| self.expr(it));
            }
            ExprKind::SetIndex(object, index, value) => {
                [object, index, value].into_iter().for_each(|it| self.expr(it));
            }
            ExprKind::Slice(object, from, to) => {
                [object].into_iter().chain(from).chain(to).for_each(|it| self.expr(it));
            }
            ExprKind::TypeApply(value, types) => {
                self.expr(value);
                types.iter().for_each(|it| self.type_expr(it));
            }
        }
    }

    fn construct(&mut self, path: &Path, arg: Option<&Expr>) {
        self.path(path);
        self.note_maker(path);
        arg.into_iter().for_each(|it| self.expr(it));
    }

    fn aliases(&mut self, names: &[(Name, Expr)], body: &Expr) {
        self.expr(body);
        for (name, meaning) in names {
            if self.names.as_ref().is_none_or(|it| it.all.contains(&name.text)) {
                self.expr(meaning);
            }
        }
    }

    /// Members that are called without their names.
    fn implied_names(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Index(..) => self.note(Symbol::new(INDEXER)),
            ExprKind::SetIndex(..) => self.note(Made::Setter(Symbol::new(INDEXER)).symbol()),
            ExprKind::Coerce(..) | ExprKind::Downcast(..) | ExprKind::TypeTest(..) => {
                self.note_conversion();
            }
            ExprKind::SetField(_, path, _) | ExprKind::AssignVar(path, _) => {
                self.note(Made::Setter(path.name.text).symbol());
            }
            _ => (),
        }
    }

    fn resolved_member(&mut self, it: &ResolvedMember) {
        self.type_expr(&it.on);
        self.type_expr(&it.ty);
        self.expr(&it.args);
    }

    fn assigned(&mut self, path: &Path, value: &Expr) {
        self.path(path);
        self.expr(value);
    }

    fn open_expr(&mut self, module: &ModuleExpr, body: &Expr) {
        self.opened(module);
        self.module_expr(module);
        self.expr(body);
    }

    fn with_name(&mut self, name: Symbol, body: &Expr) {
        self.scoped(|walk| {
            walk.bind(name);
            walk.expr(body);
        });
    }

    fn let_bang(&mut self, it: &LetBang) {
        for (pattern, value) in &it.bindings {
            self.pattern(pattern);
            self.expr(value);
        }
        self.expr(&it.body);
    }

    fn let_op(&mut self, binding: &LetOpBinding) {
        self.pattern(&binding.pattern);
        self.expr(&binding.value);
    }

    fn record_field(&mut self, (path, ty, value): &(Path, Option<TypeExpr>, Expr)) {
        self.path(path);
        ty.iter().for_each(|it| self.type_expr(it));
        self.expr(value);
    }

    fn field(&mut self, record: &Expr, path: &Path) {
        self.expr(record);
        self.path(path);
        // In Clef, types decide what a dot means.
        if let ExprKind::Ident(Path { prefix: None, name: outer }) = &record.kind
            && !self.is_bound(outer.text)
        {
            self.mention(Some(outer.text), path.name.text, path.name.span);
        }
    }

    pub(super) fn params(&mut self, params: &[Param]) {
        for param in params {
            if let ParamLabel::Optional(_, Some(default)) = &param.label {
                self.expr(default);
            }
            self.pattern(&param.pattern);
        }
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Any
            | PatternKind::Var(_)
            | PatternKind::Constant(_)
            | PatternKind::Range(..)
            | PatternKind::Error(_) => (),
            PatternKind::TypeTest(ty) => {
                self.note_conversion();
                self.type_expr(ty);
            }
            PatternKind::Measured(_, unit) => self.type_expr(unit),
            // The name is bound in code that comes later; a module of the same name is one file more than needed.
            PatternKind::Unpack(_, ty) => ty.iter().for_each(|it| self.package_type(it)),
            PatternKind::ConstructMany(path, args) => {
                self.path(path);
                args.iter().for_each(|it| self.pattern(it));
            }
            PatternKind::Alias(inner, _)
            | PatternKind::Lazy(inner)
            | PatternKind::Exception(inner) => {
                self.pattern(inner);
            }
            PatternKind::Tuple(parts) | PatternKind::List(parts) | PatternKind::Array(parts) => {
                parts.iter().for_each(|it| self.pattern(it));
            }
            PatternKind::LabelledTuple { items, .. } => {
                items.iter().for_each(|it| self.pattern(&it.1));
            }
            PatternKind::Construct(path, arg) => {
                self.path(path);
                arg.iter().for_each(|it| self.pattern(it));
            }
            PatternKind::ConstructTypes(path, _, arg) => {
                self.path(path);
                self.pattern(arg);
            }
            PatternKind::Variant(_, arg) => arg.iter().for_each(|it| self.pattern(it)),
            PatternKind::VariantType(path) => self.path(path),
            PatternKind::Record { fields, .. } => {
                for (path, inner) in fields {
                    self.path(path);
                    self.pattern(inner);
                }
            }
            PatternKind::Or(left, right) => {
                self.pattern(left);
                self.pattern(right);
            }
            PatternKind::Annotate(inner, ty) => {
                self.pattern(inner);
                self.type_expr(ty);
            }
            PatternKind::Open(module, inner) => {
                self.module_path(module);
                self.pattern(inner);
            }
        }
    }
}
