//! The application of functors, and which applications make the same types.
//!
//! ```text
//! module A = Set.Make (Inv (Int))      A.t = B.t: both apply `Set.Make` to `Inv (Int)`, which is one module
//! module B = Set.Make (Inv (Int))      as an argument, however often it is made
//! ```
//!
//! A functor that is applied twice to one module makes the same types. What is one module is told by a key: of the
//! functor and its argument, by their addresses, or for an argument without a name, of the application around and its
//! number in it.

use std::rc::Rc;

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use crate::ast::{self, ModuleExprKind, ModulePath};

use super::Infer;
use super::env::{Env, Functor, FunctorBody, Module, Structure};
use super::lookup::show_module_path;
use super::signature::Seal;

impl Infer<'_> {
    /// The argument of a functor.
    pub(super) fn functor_argument(&mut self, env: &Env, argument: &ast::ModuleExpr) -> Module {
        let outer = self.functors.key.clone();
        let module = self.module_expr(env, argument);
        match (&argument.kind, outer) {
            (ModuleExprKind::Path(_), _) => (),
            (kind, _) if is_application(kind) => {
                if let Some(key) = self.functors.applied.take() {
                    self.identify(&module, key);
                }
            }
            (_, Some(key)) => {
                self.functors.decls += 1;
                let number = self.functors.decls;
                self.identify(&module, format!("{key}#{number}"));
            }
            (_, None) => (),
        }
        module
    }

    /// All structures of one key are one module.
    fn identify(&mut self, module: &Module, key: String) {
        let Module::Structure(structure) = module else { return };
        match self.functors.identified.get(&key).cloned() {
            Some(first) => self.same_identity(structure, &first),
            None => {
                self.functors.identified.insert(key, structure.clone());
            }
        }
    }

    /// All functors of one key are one: what `F(A)` makes of `B` is `F(A)(B)`, wherever that is written.
    fn identify_functor(&mut self, functor: &Rc<Functor>, key: &str) {
        let address = self.functor_address(functor);
        match self.functors.identified_functors.get(key) {
            Some(&first) if first == address => (),
            Some(&first) => {
                self.functors.same_functor.insert(address, first);
                self.functors.kept_functors.push(functor.clone());
            }
            None => {
                self.functors.identified_functors.insert(key.to_owned(), address);
                self.functors.kept_functors.push(functor.clone());
            }
        }
    }

    pub(super) fn apply_functor(
        &mut self,
        functor: Module,
        argument: Option<Module>,
        shown: &str,
        span: Span,
    ) -> Module {
        let functor = match functor {
            Module::Functor(functor) => functor,
            Module::Structure(_) => {
                self.diagnostics.error(
                    Diagnostic::error("E0204", "this module is not a functor")
                        .at(span, "cannot be applied"),
                );
                return Module::Error;
            }
            Module::Later(_) | Module::Error => return Module::Error,
        };
        let is_sealed = std::mem::take(&mut self.functors.sealed_result);
        // The types are named after the functor and its argument, or else after what the result
        // is bound to.
        let named = argument.is_some() && shown != "…";
        let path = if named { functor.path.clone() } else { self.path.clone() };
        let outer = (
            std::mem::replace(&mut self.path, path),
            std::mem::replace(&mut self.exn_path, functor.exn_path.clone()),
            std::mem::replace(&mut self.library, functor.library),
            self.functors.key.take(),
            self.functors.decls,
            std::mem::take(&mut self.tyvars),
            self.local_scope,
        );
        if let Some(last) = self.path.last_mut()
            && named
        {
            last.push_str(&format!("({shown})"));
        }
        if let Some(last) = self.exn_path.last_mut() {
            last.push_str(&format!("({})", functor.param.name.map_or("", |it| it.text.as_str())));
        }
        let mut env = functor.env.clone();
        let mut failed = false;
        let mut given = None;
        match (&functor.param.ty, argument) {
            (_, Some(Module::Error)) => failed = true,
            (Some(ty), Some(argument)) => {
                let signature = self.signature_for(&functor.env, ty, &argument);
                let before = self.diagnostics.error_count();
                let bound = self.match_module(&argument, &signature, Seal::Transparent, span);
                failed = self.diagnostics.error_count() > before;
                if let Some(name) = functor.param.name {
                    env.add_module(name.text, bound.clone());
                }
                given = Some(bound);
                if let Module::Structure(structure) = &argument {
                    let argument = self.address(structure);
                    let address = self.functor_address(&functor);
                    self.functors.key = Some(format!("{address:x}({argument:x})"));
                    // What is made of global things is global.
                    if !structure.local && !functor.local {
                        self.local_scope = None;
                    }
                }
                self.functors.kept_modules.push((functor.clone(), argument));
            }
            (None, None) => (),
            (wanted, _) => {
                let text = match wanted {
                    Some(_) => "this functor takes a module, but `()` is given",
                    None => "this functor takes `()`, but a module is given",
                };
                self.diagnostics.error(Diagnostic::error("E0214", text).at(span, ""));
                failed = true;
            }
        }
        self.functors.decls = 0;
        let key = self.functors.key.clone();
        let result = if failed {
            Module::Error
        } else {
            self.functors.sealed_result = is_sealed;
            self.functor_result(&functor, &env, given, (shown, span))
        };
        (
            self.path,
            self.exn_path,
            self.library,
            self.functors.key,
            self.functors.decls,
            self.tyvars,
            self.local_scope,
        ) = outer;
        if let (Some(key), Module::Functor(made)) = (&key, &result) {
            self.identify_functor(made, key);
        }
        self.functors.applied = key;
        result
    }

    fn functor_result(
        &mut self,
        functor: &Rc<Functor>,
        env: &Env,
        given: Option<Module>,
        (shown, span): (&str, Span),
    ) -> Module {
        match &functor.body {
            FunctorBody::Expr(body) => {
                let is_sealed = std::mem::take(&mut self.functors.sealed_result);
                let made = self.copying(span, |cx| cx.module_expr(env, body));
                let made = made.unwrap_or(Module::Error);
                if let Some(checked) = functor.checked.get().filter(|_| !is_sealed) {
                    self.share_weak(checked, &made);
                }
                made
            }
            FunctorBody::Abstract(_) if !self.checking && self.functors.discarding == 0 => {
                let what = "functors of recursive modules that are applied before they are defined";
                self.not_supported(span, what);
                Module::Error
            }
            FunctorBody::Abstract(ty) => self.frozen_module_type(env, ty),
            FunctorBody::Sealed(inner, ty, seal, sealed) => self.inside_seal(sealed, |cx| {
                cx.functors.sealed_result = true;
                let module = cx.apply_functor(Module::Functor(inner.clone()), given, shown, span);
                cx.functors.sealed_result = false;
                if *seal == Seal::Transparent {
                    // The types are those that the functor itself made under this key.
                    cx.functors.key = None;
                }
                let signature = cx.signature_for(env, ty, &module);
                cx.match_module(&module, &signature, *seal, span)
            }),
            FunctorBody::Packed(packed) => {
                self.apply_packed(functor, packed, (env, given.as_ref()), span)
            }
        }
    }

    /// Checks a functor against a functor type: it must take what the type promises to give it,
    /// and give what the type promises.
    pub(super) fn check_functor_type(
        &mut self,
        found: &Rc<Functor>,
        wanted: &Rc<Functor>,
        span: Span,
    ) {
        let FunctorBody::Abstract(result) = &wanted.body else { return };
        let (key, decls) = (self.functors.key.take(), self.functors.decls);
        self.discarding_items(|cx| {
            let param = wanted.param.ty.as_ref().map(|it| cx.frozen_module_type(&wanted.env, it));
            cx.functors.sealed_result = true;
            let made = cx.apply_functor(Module::Functor(found.clone()), param.clone(), "…", span);
            cx.functors.sealed_result = false;
            let mut env = wanted.env.clone();
            if let (Some(name), Some(param)) = (wanted.param.name, param) {
                env.add_module(name.text, param);
            }
            let signature = cx.signature_for(&env, result, &made);
            cx.match_module(&made, &signature, Seal::Transparent, span);
        });
        (self.functors.key, self.functors.decls) = (key, decls);
    }

    /// The identity of a structure: a functor's parameter is the module given for it.
    fn address(&self, structure: &Rc<Structure>) -> usize {
        let mut address = Rc::as_ptr(structure) as usize;
        while let Some(&next) = self.functors.same_module.get(&address) {
            address = next;
        }
        address
    }

    /// The identity of a functor. One that is passed as an argument is the functor itself.
    fn functor_address(&self, functor: &Rc<Functor>) -> usize {
        let address = match &functor.body {
            FunctorBody::Sealed(inner, _, Seal::Transparent, _) => self.functor_address(inner),
            FunctorBody::Sealed(..)
            | FunctorBody::Expr(_)
            | FunctorBody::Abstract(_)
            | FunctorBody::Packed(_) => Rc::as_ptr(functor) as usize,
        };
        self.functors.same_functor.get(&address).copied().unwrap_or(address)
    }

    /// Notes that `view` is `of` seen through a signature that hides nothing.
    pub(super) fn same_identity(&mut self, view: &Rc<Structure>, of: &Rc<Structure>) {
        let (view_address, address) = (Rc::as_ptr(view) as usize, self.address(of));
        if view_address != address {
            self.functors.same_module.insert(view_address, address);
            self.functors.kept_structures.push(view.clone());
        }
    }

    /// `F(X)` in a type path: the types of the application, nothing is executed. The same path is the same module.
    pub(super) fn apply_functor_for_types(
        &mut self,
        functor: Module,
        argument: Module,
        (shown, span): (&ModulePath, Span),
    ) -> Module {
        let errors = self.diagnostics.error_count();
        let shown = show_module_path(shown);
        let module =
            self.discarding_items(|cx| cx.apply_functor(functor, Some(argument), &shown, span));
        if let Some(key) = self.functors.applied.take()
            && errors == self.diagnostics.error_count()
        {
            if let Some(known) = self.functors.in_paths.get(&key) {
                return known.clone();
            }
            self.identify(&module, key.clone());
            self.functors.in_paths.insert(key, module.clone());
        }
        module
    }
}

/// Is it the application of a functor to modules that have names?
fn is_application(kind: &ModuleExprKind) -> bool {
    match kind {
        ModuleExprKind::Apply(func, Some(argument)) => [func, argument]
            .into_iter()
            .all(|it| matches!(it.kind, ModuleExprKind::Path(_)) || is_application(&it.kind)),
        _ => false,
    }
}
