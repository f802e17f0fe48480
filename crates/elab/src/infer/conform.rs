//! Matching modules against signatures.
//!
//! Matching a structure first *realises* its types (each becomes an abbreviation of the
//! structure's type), checks everything under that view, and then, if the signature seals,
//! makes them types of their own again with the structure's type hidden behind them: abstract
//! types with an implementation, records and variants with a view.

use std::cell::OnceCell;
use std::rc::Rc;

use oxbow_base::{Span, SparseMap, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::ExnId;

use crate::types::{ExnInfo, FieldInfo, TyConId, TyConKind, Type, TypeId};

use super::Infer;
use super::env::{Ctor, Env, Functor, FunctorBody, Module, ModuleTypeDef, Structure, Value};
use super::signature::Seal;

/// A signature's type while it is an abbreviation of a structure's.
pub(super) struct Realised {
    pub(super) tycon: TyConId,
    /// The structure's type, over the declared parameters.
    pub(super) body: TypeId,
    pub(super) declared: TyConKind,
}

impl Infer<'_> {
    pub(super) fn match_module(
        &mut self,
        module: &Module,
        signature: &Module,
        seal: Seal,
        span: Span,
    ) -> Module {
        match (module, signature) {
            (Module::Error, _) | (_, Module::Error) => Module::Error,
            // Both name the same file.
            (Module::Later(found), Module::Later(wanted)) if found == wanted => module.clone(),
            (Module::Later(path), _) | (_, Module::Later(path)) => {
                if self.later_module(path).is_none() {
                    self.not_there(path, span);
                    return Module::Error;
                }
                let (module, signature) = (self.known(module), self.known(signature));
                self.match_module(&module, &signature, seal, span)
            }
            (Module::Structure(found), Module::Structure(wanted)) => {
                let mut realised = Vec::new();
                let ok = self.realise(found, wanted, span, &mut realised);
                self.realise_packages(found, wanted, &mut realised);
                let result = self.match_structure(found, wanted, seal, &realised, span);
                for it in realised {
                    self.signatures.flexible.remove(it.tycon);
                    if seal == Seal::Transparent {
                        continue;
                    }
                    let tycon = &mut self.types.tycons[it.tycon];
                    match it.declared {
                        TyConKind::Abstract { .. } => {
                            tycon.kind = TyConKind::Abstract { implementation: Some(it.body) };
                        }
                        kind => {
                            tycon.kind = kind;
                            tycon.view = Some(it.body);
                        }
                    }
                }
                if ok { result } else { Module::Error }
            }
            (Module::Functor(found), Module::Functor(wanted)) => {
                self.match_functor(found, wanted, seal, &[], span)
            }
            (Module::Functor(_), Module::Structure(_)) => {
                self.diagnostics.error(
                    Diagnostic::error("E0207", "a functor does not match this signature")
                        .at(span, "expected a structure"),
                );
                Module::Error
            }
            (Module::Structure(_), Module::Functor(_)) => {
                self.diagnostics.error(
                    Diagnostic::error("E0207", "a structure does not match this signature")
                        .at(span, "expected a functor"),
                );
                Module::Error
            }
        }
    }

    fn match_functor(
        &mut self,
        found: &Rc<Functor>,
        wanted: &Rc<Functor>,
        seal: Seal,
        realised: &[Realised],
        span: Span,
    ) -> Module {
        self.check_functor_type(found, wanted, span);
        let FunctorBody::Abstract(result) = &wanted.body else {
            return Module::Functor(found.clone());
        };
        let own = realised.iter().map(|it| it.tycon);
        let sealed = own.chain(self.signatures.sealed_around.iter().copied()).collect();
        Module::Functor(Rc::new(Functor {
            param: wanted.param.clone(),
            body: FunctorBody::Sealed(found.clone(), result.clone(), seal, sealed),
            env: wanted.env.clone(),
            path: found.path.clone(),
            exn_path: found.exn_path.clone(),
            library: found.library,
            local: found.local || wanted.local,
            checked: OnceCell::new(),
        }))
    }

    /// Runs `f` with sealed types as what they stand for: the view of the module that defines them.
    pub(super) fn inside_seal<T>(
        &mut self,
        sealed: &[TyConId],
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut outside = Vec::new();
        for &tycon in sealed {
            let it = &mut self.types.tycons[tycon];
            let body = match it.kind {
                TyConKind::Abstract { implementation } => implementation,
                _ => it.view,
            };
            if let Some(body) = body {
                outside.push((tycon, std::mem::replace(&mut it.kind, TyConKind::Alias(body))));
            }
        }
        let around = self.signatures.sealed_around.len();
        self.signatures.sealed_around.extend(sealed);
        let result = f(self);
        self.signatures.sealed_around.truncate(around);
        for (tycon, kind) in outside {
            self.types.tycons[tycon].kind = kind;
        }
        result
    }

    /// Makes every abstract or repeated type of the signature an abbreviation of the structure's.
    fn realise(
        &mut self,
        found: &Structure,
        wanted: &Structure,
        span: Span,
        realised: &mut Vec<Realised>,
    ) -> bool {
        let mut ok = true;
        for (&name, &declared) in &wanted.types {
            let Some(&actual) = found.types.get(&name) else {
                if !found.incomplete {
                    self.missing("type", name, self.types.tycons[declared].span, span);
                }
                ok = false;
                continue;
            };
            if actual == declared {
                continue;
            }
            let params = self.types.tycons[declared].params.clone();
            if params.len() != self.types.tycons[actual].params.len() {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0208",
                        format!("type `{name}` has another number of parameters than declared"),
                    )
                    .at(span, ""),
                );
                ok = false;
                continue;
            }
            let kind = self.types.tycons[declared].kind.clone();
            let open = match kind {
                TyConKind::Abstract { .. }
                | TyConKind::Record(_)
                | TyConKind::Variant(_)
                | TyConKind::Open => true,
                TyConKind::Alias(_) => self.private_row(declared).is_some(),
                _ => false,
            };
            if open && self.signatures.flexible.contains(declared) {
                let body = self.types.add(Type::Con(actual, params));
                self.types.tycons[declared].kind = TyConKind::Alias(body);
                realised.push(Realised { tycon: declared, body, declared: kind });
            }
        }
        for (name, declared) in &wanted.modules {
            if let (Some(Module::Structure(actual)), Module::Structure(declared)) =
                (found.modules.get(name), declared)
            {
                ok &= self.realise(actual, declared, span, realised);
            }
        }
        ok
    }

    /// The row of `type t = private [> …]`.
    fn private_row(&self, tycon: TyConId) -> Option<TypeId> {
        let it = &self.types.tycons[tycon];
        let TyConKind::Alias(body) = it.kind else { return None };
        let is_open = |ty: TypeId| matches!(self.types.get(ty), Type::Row(row) if !row.is_fixed());
        (it.private && is_open(body)).then(|| self.types.repr(body))
    }

    /// The same for packed modules whose module types the signature repeats.
    fn realise_packages(
        &mut self,
        found: &Structure,
        wanted: &Structure,
        realised: &mut Vec<Realised>,
    ) {
        for (name, declared) in &wanted.module_types {
            let (ModuleTypeDef::Closure(declared), Some(ModuleTypeDef::Closure(actual))) =
                (declared, found.module_types.get(name))
            else {
                continue;
            };
            for (tycon, body) in self.repeated_packages(declared, actual) {
                let kind = TyConKind::Alias(body);
                let declared = std::mem::replace(&mut self.types.tycons[tycon].kind, kind);
                realised.push(Realised { tycon, body, declared });
            }
        }
        for (name, declared) in &wanted.modules {
            if let (Module::Structure(declared), Some(Module::Structure(actual))) =
                (declared, found.modules.get(name))
            {
                self.realise_packages(actual, declared, realised);
            }
        }
    }

    fn match_structure(
        &mut self,
        found: &Rc<Structure>,
        wanted: &Structure,
        seal: Seal,
        realised: &[Realised],
        span: Span,
    ) -> Module {
        let mut result = Structure {
            module_types: wanted.module_types.clone(),
            local: found.local || wanted.local,
            incomplete: found.incomplete,
            ..Structure::default()
        };
        let errors = self.diagnostics.error_count();
        let mut members = Structure::default();
        for (&name, &declared) in &wanted.types {
            let Some(&actual) = found.types.get(&name) else { continue };
            let visible = self.match_type(name, declared, actual, seal, realised, span);
            result.types.insert(name, visible);
            if seal == Seal::Transparent {
                self.add_members(&mut Env::default(), &mut members, visible);
            }
        }
        // A sealed type has the constructors and fields that the signature declares.
        let members = if seal == Seal::Opaque { wanted } else { &members };
        for (&name, &ctor) in &members.ctors {
            if let Ctor::Variant(..) = ctor {
                result.ctors.insert(name, ctor);
            }
        }
        for (&name, records) in &members.fields {
            for &record in records {
                result.add_field(name, record);
            }
        }
        for (&name, ctor) in &wanted.ctors {
            if let Ctor::Exn(declared) = *ctor {
                match found.ctors.get(&name) {
                    Some(&Ctor::Exn(actual)) => {
                        self.match_exception(name, declared, actual, span);
                        let visible = if seal == Seal::Opaque { declared } else { actual };
                        result.ctors.insert(name, Ctor::Exn(visible));
                    }
                    _ if found.incomplete => (),
                    _ => {
                        self.missing("exception", name, Some(self.types.exns[declared].span), span)
                    }
                }
            }
        }
        for (&name, declared) in &wanted.modules {
            match found.modules.get(&name) {
                Some(Module::Structure(actual)) => {
                    let module = match declared {
                        Module::Structure(declared) => {
                            self.match_structure(actual, declared, seal, realised, span)
                        }
                        _ => self.match_module(
                            &Module::Structure(actual.clone()),
                            declared,
                            seal,
                            span,
                        ),
                    };
                    result.modules.insert(name, module);
                }
                Some(actual) => {
                    let module = match (actual, declared) {
                        (Module::Functor(found), Module::Functor(wanted)) => {
                            self.match_functor(found, wanted, seal, realised, span)
                        }
                        _ => self.match_module(actual, declared, seal, span),
                    };
                    result.modules.insert(name, module);
                }
                None if found.incomplete => (),
                None => self.missing("module", name, None, span),
            }
        }
        let types_differ = self.diagnostics.error_count() > errors;
        for (&name, declared) in &wanted.values {
            match found.values.get(&name) {
                Some(actual) => {
                    // Types that differ make values differ: that is one mistake.
                    let value = if types_differ {
                        declared.clone()
                    } else {
                        self.match_value(name, declared, actual, span)
                    };
                    result.values.insert(name, value);
                }
                None if found.incomplete => (),
                None => self.missing("value", name, Some(declared.span), span),
            }
        }
        for &name in wanted.module_types.keys() {
            match found.module_types.get(&name) {
                Some(def) => {
                    if !types_differ {
                        self.match_module_type(name, &wanted.module_types[&name], def, span);
                    }
                    // A sealed one speaks of the types that the signature declares.
                    let declared = &wanted.module_types[&name];
                    if seal != Seal::Opaque || matches!(declared, ModuleTypeDef::Abstract) {
                        result.module_types.insert(name, def.clone());
                    }
                }
                None if found.incomplete => (),
                None => self.missing("module type", name, None, span),
            }
        }
        let result = Rc::new(result);
        if seal == Seal::Transparent {
            self.same_identity(&result, found);
        }
        Module::Structure(result)
    }

    /// A module type that a signature defines is the structure's: each describes what the other does.
    fn match_module_type(
        &mut self,
        name: Symbol,
        wanted: &ModuleTypeDef,
        found: &ModuleTypeDef,
        span: Span,
    ) {
        let (wanted, found) = match (wanted, found) {
            (ModuleTypeDef::Abstract, _) => return,
            (ModuleTypeDef::Closure(wanted), ModuleTypeDef::Closure(found)) => (wanted, found),
            (ModuleTypeDef::Closure(_), ModuleTypeDef::Abstract) => {
                self.module_type_differs(name, span, None);
                return;
            }
        };
        if Rc::ptr_eq(wanted, found) {
            return;
        }
        let before = self.diagnostics.mark();
        let (key, decls) = (self.functors.key.take(), self.functors.decls);
        let mut reason = None;
        for (a, b) in [(found, wanted), (wanted, found)] {
            let module = self.frozen_module_type(&a.1, &a.0);
            let signature = self.signature_for(&b.1, &b.0, &module);
            if reason.is_none() && value_names(&module) != value_names(&signature) {
                let both = (value_names(&module), value_names(&signature));
                let (mut all, mut other) = both.clone();
                all.sort();
                other.sort();
                if all == other {
                    reason = Some("the values are declared in another order".to_string());
                }
            }
            let errors = self.diagnostics.mark();
            self.discarding_items(|cx| {
                cx.match_module(&module, &signature, Seal::Transparent, span)
            });
            let first = self.diagnostics.iter().nth(errors).map(|it| it.message.clone());
            reason = reason.or(first);
        }
        (self.functors.key, self.functors.decls) = (key, decls);
        self.diagnostics.rollback(before);
        if reason.is_some() {
            self.module_type_differs(name, span, reason);
        }
    }

    fn module_type_differs(&mut self, name: Symbol, span: Span, reason: Option<String>) {
        let text = format!("module type `{name}` is not the one that the signature declares");
        let mut report = Diagnostic::error("E0222", text).at(span, "");
        if let Some(reason) = reason {
            report = report.note(reason);
        }
        self.diagnostics.error(report);
    }

    /// The declared exception becomes a view of the structure's.
    fn match_exception(&mut self, name: Symbol, declared: ExnId, actual: ExnId, span: Span) {
        if declared == actual {
            return;
        }
        let (wanted, found) = (self.types.exns[declared].clone(), self.types.exns[actual].clone());
        let same_fields = match (wanted.inline_record, found.inline_record) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let names = |it: &FieldInfo| (it.name, it.mutable);
                self.fields_of(a).iter().map(names).eq(self.fields_of(b).iter().map(names))
            }
            _ => false,
        };
        let same = same_fields
            && self.same_owner(&wanted, &found)
            && wanted.args.len() == found.args.len()
            && self.same_exception_args(&wanted, &found);
        if !same {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0209",
                    format!("exception `{name}` has other arguments than declared"),
                )
                .at(span, ""),
            );
        }
        if self.types.exn_behind(actual) != declared {
            self.types.exns[declared].view_of = Some(actual);
        }
    }

    fn same_exception_args(&mut self, wanted: &ExnInfo, found: &ExnInfo) -> bool {
        match (&wanted.own, &found.own) {
            (Some(a), Some(b)) => self.same_own_result((&wanted.args, a), (&found.args, b)),
            (None, None) => {
                let params = |it: &ExnInfo| it.of.as_ref().map(|it| it.1.clone());
                let [ours, theirs] = [wanted, found].map(|it| params(it).unwrap_or_default());
                wanted.args.iter().zip(&found.args).all(|(&a, &b)| {
                    let b = self.types.substitute(b, &theirs, &ours);
                    self.unify(a, b).is_ok()
                })
            }
            _ => false,
        }
    }

    /// Are both constructors of one type?
    fn same_owner(&mut self, a: &ExnInfo, b: &ExnInfo) -> bool {
        match (&a.of, &b.of) {
            (None, None) => true,
            (Some((a, params)), Some((b, _))) => {
                let a = self.types.add(Type::Con(*a, params.clone()));
                let b = self.types.add(Type::Con(*b, params.clone()));
                self.unify(a, b).is_ok()
            }
            _ => false,
        }
    }

    fn match_value(&mut self, name: Symbol, declared: &Value, actual: &Value, span: Span) -> Value {
        self.note_same(declared.span, actual.span);
        self.enter_level();
        let (ty, tyargs) = self.instantiate(actual);
        self.leave_level();
        // What the definition leaves open becomes a type that is known there, not the signature's name for it.
        let wanted = match self.is_weak_in(actual.ty) {
            true => self.replace_types(declared.ty, &SparseMap::new(), &mut SparseMap::new()),
            false => declared.ty,
        };
        if self.unify(wanted, ty).is_err() {
            let (ty, _) = (actual.ty, ());
            let mut printer = super::print::Printer::new(&self.types);
            let (wanted, found) = (printer.show(declared.ty), printer.show(ty));
            let mut diagnostic = Diagnostic::error(
                "E0210",
                format!("value `{name}` has type `{found}`, but the signature declares `{wanted}`"),
            );
            diagnostic = if actual.span.file == declared.span.file {
                diagnostic.at(actual.span, "defined here").label(declared.span, "declared here")
            } else {
                diagnostic.at(span, "")
            };
            self.diagnostics.error(diagnostic);
        }
        Value {
            kind: actual.kind,
            vars: declared.vars.clone(),
            ty: declared.ty,
            instance: Some(tyargs.into()),
            span: actual.span,
        }
    }

    fn missing(&mut self, what: &str, name: Symbol, declared: Option<Span>, span: Span) {
        let mut diagnostic = Diagnostic::error("E0211", format!("the {what} `{name}` is missing"))
            .at(span, format!("this signature requires a {what} `{name}`"));
        if let Some(declared) = declared
            && declared.file == span.file
        {
            diagnostic = diagnostic.label(declared, "declared here");
        }
        self.diagnostics.error(diagnostic);
    }
}

fn value_names(module: &Module) -> Vec<Vec<Symbol>> {
    match module {
        Module::Structure(structure) => {
            super::package::values_in(structure).all.into_iter().map(|it| it.0).collect()
        }
        Module::Functor(_) | Module::Later(_) | Module::Error => Vec::new(),
    }
}
