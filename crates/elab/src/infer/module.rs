//! Structures, functors and their application.

use std::cell::OnceCell;
use std::rc::Rc;

use oxbow_base::{FxHashMap, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ItemKind, ModuleExprKind, Name};
use crate::tast;

use super::env::{Env, Functor, FunctorBody, Module, ModuleTypeDef, Structure};
use super::nameless::Nameless;
use super::signature::Seal;
use super::typexpr::Vars;
use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn structure(&mut self, env: &Env, items: &[ast::Item]) -> Module {
        let mut env = env.clone();
        let mut structure = Structure { local: self.local_scope.is_some(), ..Structure::default() };
        self.check_unique(items.iter().flat_map(|it| names_of_item(&it.kind)));
        let anchor = self.signatures.anchor.take();
        let unknown = self.unknown_opened;
        for item in items {
            self.item(&mut env, &mut structure, item, anchor.as_ref());
            if self.hole_is_filled() {
                break;
            }
        }
        self.unknown_opened = unknown;
        self.check_nameless(&structure);
        Module::Structure(Rc::new(structure))
    }

    /// Types, modules and module types of one structure or signature have different names. Clef's types of one name
    /// may differ in their numbers of parameters.
    pub(super) fn check_unique(&mut self, names: impl Iterator<Item = Defined>) {
        let mut seen: FxHashMap<(&str, Symbol, usize), Span> = FxHashMap::default();
        for Defined { what, name, params } in names {
            let params = if self.is_clef() { params } else { 0 };
            if let Some(first) = seen.insert((what, name.text, params), name.span) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0213",
                        format!("the {what} `{}` is defined twice", name.text),
                    )
                    .at(name.span, "defined again")
                    .label(first, "first defined here")
                    .help("give one of the two another name"),
                );
            }
        }
    }

    pub(super) fn push_item(&mut self, kind: tast::ItemKind, span: Span) {
        let library = self.library;
        self.items.push(tast::Item { kind, span, library });
    }

    /// An item of a prompt's phrase: what it opens is open in the phrases after it.
    pub(super) fn phrase_item(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        item: &ast::Item,
    ) {
        self.item(env, structure, item, None);
    }

    fn item(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        item: &ast::Item,
        anchor: Option<&Rc<Structure>>,
    ) {
        match &item.kind {
            ItemKind::Let { recursive, bindings } => {
                let kind = self.bindings(env, Some(structure), *recursive, bindings);
                self.push_item(kind, item.span);
            }
            ItemKind::Eval(expr) => {
                if self.local_depth == 0 {
                    self.tyvars.clear();
                    self.named_level = self.level;
                }
                let ty = self.fresh();
                self.local_depth += 1;
                let typed = self.expr(env, expr, Expect::plain(ty));
                self.local_depth -= 1;
                // In Clef such a line is a statement.
                if self.is_clef() {
                    self.check_statement(expr, &typed);
                }
                // In a file of OCaml's library it registers something, in every program that reads the file;
                // other items of the library are there for those who use them.
                let library = self.library && self.is_clef();
                let kind = tast::ItemKind::Eval(typed);
                self.items.push(tast::Item { kind, span: item.span, library });
            }
            ItemKind::External(external) => {
                let value = self.external(env, external);
                env.add_value(external.name.text, value.clone());
                structure.values.insert(external.name.text, value);
            }
            ItemKind::Type { recursive, decls } => {
                self.type_decls(env, structure, *recursive, decls);
                if let Some(anchor) = anchor {
                    self.anchor_types(anchor, structure, decls);
                }
            }
            ItemKind::Exception(decl) => {
                let exn = self.exception(env, structure, decl);
                if let (Some(exn), true) = (exn, self.local_scope.is_some()) {
                    let number = self.number_exception(exn, decl.name.span);
                    self.items.extend(number);
                }
            }
            ItemKind::Extend(extension) => {
                let made = self.extend_here(env, structure, extension);
                if self.local_scope.is_some() {
                    for exn in made {
                        let number = self.number_exception(exn, self.types.exns[exn].span);
                        self.items.extend(number);
                    }
                }
            }
            ItemKind::Module { name, body } => {
                self.path.push(name.text.as_str().into());
                self.exn_path.push(name.text.as_str().into());
                self.note_scope(body.span, name.text.as_str());
                self.signatures.anchor = super::recursive::inner_anchor(anchor, *name, body);
                let module = match &body.kind {
                    ModuleExprKind::Path(path) => {
                        self.module_alias(env, path).unwrap_or(Module::Error)
                    }
                    _ => self.module_expr(env, body),
                };
                self.exn_path.pop();
                self.path.pop();
                self.note_module_definition(*name, body, &module);
                // `module List` of a Clef file leaves the rest of the library's in reach.
                if self.is_clef() {
                    env.layer_module(name.text, module.clone());
                } else {
                    env.add_module(name.text, module.clone());
                }
                structure.modules.insert(name.text, module);
            }
            ItemKind::RecModules(modules) => {
                self.recursive_modules(env, structure, modules, item.span);
            }
            ItemKind::ModuleType { name, body } => {
                if let Some(body) = body {
                    self.check_module_type(env, body);
                }
                let def = match body {
                    Some(body) => ModuleTypeDef::Closure(Rc::new((body.clone(), env.clone()))),
                    None => ModuleTypeDef::Abstract,
                };
                env.add_module_type(name.text, def.clone());
                structure.module_types.insert(name.text, def);
            }
            ItemKind::Open(path) => {
                let module = self.module_expr(env, path);
                match self.as_structure(&module, item.span) {
                    Ok(_) => self.open_noted(env, path, &module),
                    Err(_) => self.unknown_opened = true,
                }
                let hidden = Self::types_without_path(path, &module).into_iter();
                structure.nameless.extend(hidden.map(|tycon| Nameless { tycon, span: item.span }));
            }
            ItemKind::Include(expr) => {
                let module = self.module_expr(env, expr);
                self.unknown_opened |= matches!(module, Module::Error);
                self.include(env, structure, &module, item.span);
                structure.without_path.extend(Self::types_without_path(expr, &module));
            }
            ItemKind::Members(groups) => {
                let made = self.member_items(env, structure, groups);
                made.into_iter().for_each(|it| self.push_item(it, item.span));
            }
            ItemKind::Class(decls) => self.class_decls(env, structure, decls, item.span),
            ItemKind::ClassType(decls) => self.class_type_decls(env, structure, decls),
            ItemKind::Broken(names) => self.broken.extend(names),
            ItemKind::Error(_) => self.broken_items = true,
            ItemKind::Attribute(_) => (),
        }
    }

    pub(super) fn include(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        module: &Module,
        span: Span,
    ) {
        let Ok(included) = self.as_structure(module, span) else {
            // What is missing in it is part of an error that has been reported.
            structure.incomplete = true;
            return;
        };
        structure.incomplete |= included.incomplete;
        self.use_included(&included);
        // In Clef this is `[<AutoOpen>]`.
        if self.is_clef() {
            env.open_layered(module);
        } else {
            env.open(module);
        }
        structure.values.extend(included.values.iter().map(|(&name, it)| (name, it.clone())));
        for (&name, &tycon) in &included.types {
            let old = structure.types.insert(name, tycon);
            Self::shadow_type(structure, old, span);
        }
        structure.ctors.extend(included.ctors.iter().map(|(&name, &it)| (name, it)));
        for (&name, records) in &included.fields {
            for &record in records {
                structure.add_field(name, record);
            }
        }
        structure.modules.extend(included.modules.iter().map(|(&name, it)| (name, it.clone())));
        structure
            .module_types
            .extend(included.module_types.iter().map(|(&name, it)| (name, it.clone())));
    }

    /// A type with its variables quantified, as in `val` and `external`.
    pub(super) fn declared_scheme(
        &mut self,
        env: &Env,
        ty: &ast::TypeExpr,
    ) -> (Vec<crate::types::TypeId>, crate::types::TypeId) {
        let saved = (std::mem::take(&mut self.tyvars), self.named_level);
        self.enter_level();
        self.named_level = self.level;
        let ty = self.type_expr(env, ty, Vars::Shared);
        self.leave_level();
        (self.tyvars, self.named_level) = saved;
        let mut vars = Vec::new();
        self.generalize(ty, &mut vars);
        (vars, ty)
    }

    pub(super) fn module_expr(&mut self, env: &Env, module: &ast::ModuleExpr) -> Module {
        match &module.kind {
            ModuleExprKind::Path(path) => self.lookup_module(env, path).unwrap_or(Module::Error),
            ModuleExprKind::Structure(items) => self.structure(env, items),
            ModuleExprKind::Functor(param, body) => {
                let functor = Rc::new(Functor {
                    param: param.clone(),
                    body: FunctorBody::Expr(Rc::new(body.as_ref().clone())),
                    env: env.clone(),
                    path: self.path.clone(),
                    exn_path: self.exn_path.clone(),
                    library: self.library,
                    local: self.local_scope.is_some(),
                    checked: OnceCell::new(),
                });
                // In a copy of another functor's body it has been checked with that one.
                if !self.library && self.functors.copies.is_none() {
                    self.check_functor(&functor);
                }
                Module::Functor(functor)
            }
            ModuleExprKind::Apply(func, arg) => {
                // As in other calls, the last argument is evaluated first.
                let mut argument = arg.as_ref().map(|it| self.functor_argument(env, it));
                let functor = self.module_expr(env, func);
                // `F (struct end)` is `F ()`.
                let takes_unit =
                    matches!(&functor, Module::Functor(functor) if functor.param.ty.is_none());
                let is_unit = |it: &ast::ModuleExpr| matches!(&it.kind, ModuleExprKind::Structure(items) if items.is_empty());
                if takes_unit && arg.as_deref().is_some_and(is_unit) {
                    argument = None;
                }
                let shown = match arg.as_deref().map(|it| &it.kind) {
                    Some(ModuleExprKind::Path(path)) => super::lookup::show_module_path(path),
                    _ => "…".into(),
                };
                let generative = argument.is_none();
                let first = self.types.tycons.next_id();
                let made = self.apply_functor(functor, argument, &shown, module.span);
                if generative {
                    self.check_applicative(&made, first, module.span);
                }
                made
            }
            ModuleExprKind::Constraint(inner, ty) => {
                let is_written = matches!(inner.kind, ModuleExprKind::Structure(_));
                let text = inner.span;
                let inner = self.module_expr(env, inner);
                let signature = self.signature_for(env, ty, &inner);
                if is_written {
                    self.note_left_out(&inner, &signature, text);
                }
                self.match_module(&inner, &signature, Seal::Opaque, ty.span)
            }
            ModuleExprKind::Unpack(value, ty) => {
                self.unpacked(env, value, ty.as_ref(), module.span)
            }
            ModuleExprKind::Error(_) => Module::Error,
        }
    }

    /// Elaborates a functor's body once with its parameter abstract, for its errors.
    fn check_functor(&mut self, functor: &Rc<Functor>) {
        let mut env = functor.env.clone();
        if let Some(ty) = &functor.param.ty {
            let param = self.frozen_module_type(&functor.env, ty);
            if let Some(name) = functor.param.name {
                env.add_module(name.text, param);
            }
        }
        let FunctorBody::Expr(body) = functor.body.clone() else { return };
        let outer = std::mem::replace(&mut self.checking, true);
        let named = functor.param.ty.is_some();
        let applicative = std::mem::replace(&mut self.functors.is_applicative, named);
        let made = self.discarding_items(|cx| cx.module_expr(&env, &body));
        self.functors.is_applicative = applicative;
        self.checking = outer;
        self.keep_weak(functor, made);
    }

    /// Runs `f`; what it would execute is dropped.
    pub(super) fn discarding_items<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let kept = std::mem::take(&mut self.items);
        self.functors.discarding += 1;
        let result = f(self);
        self.functors.discarding -= 1;
        self.items = kept;
        result
    }
}

/// A name that a structure or signature defines once.
pub(super) struct Defined {
    what: &'static str,
    name: Name,
    /// The number of a type's parameters.
    params: usize,
}

impl Defined {
    pub(super) fn new(what: &'static str, name: Name) -> Self {
        Self { what, name, params: 0 }
    }
}

fn names_of_item(item: &ItemKind) -> Vec<Defined> {
    let ty = |name, params: usize| Defined { what: "type", name, params };
    match item {
        ItemKind::Type { decls, .. } => {
            decls.iter().map(|it| ty(it.name, it.params.len())).collect()
        }
        ItemKind::Class(decls) => decls.iter().map(|it| ty(it.name, it.params.len())).collect(),
        ItemKind::ClassType(decls) => decls.iter().map(|it| ty(it.name, it.params.len())).collect(),
        ItemKind::Module { name, .. } if name.text.as_str() != "_" => {
            vec![Defined::new("module", *name)]
        }
        ItemKind::ModuleType { name, .. } => vec![Defined::new("module type", *name)],
        ItemKind::Exception(decl) => vec![Defined::new("extension constructor", decl.name)],
        ItemKind::Extend(extension) => {
            let ctors = extension.ctors.iter();
            ctors.map(|it| Defined::new("extension constructor", it.name)).collect()
        }
        _ => Vec::new(),
    }
}
