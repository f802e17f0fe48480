//! Types, constructors, exceptions and opened modules that nothing uses, with OCaml's numbers.
//!
//! ```text
//! W0033    a module that is opened, and no name is found in it
//! W0034    a type that its module's signature leaves out
//! W0036    the name of an ancestor: `inherit c as super`
//! W0037    a constructor that the signature hides, and that makes no values
//! W0038    an exception, or an extension constructor, that the signature leaves out
//! ```
//!
//! All are given only if they are asked for. What is used is noted by the place of its declaration: the body of a
//! functor is inferred for each of its applications, and one that uses it is enough. A type that only its own group
//! mentions is not used.

use std::rc::Rc;

use oxbow_base::{Span, Symbol};
use oxbow_psg::ExnId;

use crate::ast::{ModuleExpr, ModuleExprKind, Name};
use crate::types::{TyConId, TyConKind};

use super::Infer;
use super::env::{Ctor, Env, Module, Sort, Structure, ValueKind};
use super::unused::{Built, Unused};

/// What a signature hides, and whether it is used is known at the end of the file.
#[derive(Clone, Copy)]
pub(super) enum Hidden {
    Type(Name),
    Ctor { name: Name, is_private: bool },
    Extension { name: Name, is_exception: bool },
}

impl Infer<'_> {
    /// `open M`, whose names are noted when they are used.
    pub(super) fn open_noted(&mut self, env: &mut Env, path: &ModuleExpr, module: &Module) {
        self.open(env, path, module);
        match path.kind {
            ModuleExprKind::Path(_) => self.note_open(env, path.span, module),
            ModuleExprKind::Structure(_) => {
                self.note_left_out(module, &Module::Structure(Rc::default()), path.span);
            }
            _ => (),
        }
    }

    pub(super) fn note_open(&mut self, env: &mut Env, span: Span, module: &Module) {
        if self.usage.warns && !self.library {
            self.usage.opens.entry(span).or_insert(false);
            env.mark_opened(module, span);
        }
    }

    /// A name without a path has been looked up.
    pub(super) fn use_name(&mut self, env: &Env, sort: Sort, name: Symbol) {
        if let Some(span) = env.opened_by(sort, name) {
            self.usage.opens.insert(span, true);
        }
    }

    pub(super) fn use_type(&mut self, tycon: TyConId) {
        if self.usage.warns
            && let Some(span) = self.types.tycons[tycon].span
        {
            self.usage.types.insert(span);
        }
    }

    /// A constructor makes a value, or is matched.
    pub(super) fn use_ctor(&mut self, ctor: Ctor, is_built: bool) {
        if !self.usage.warns {
            return;
        }
        let span = match ctor {
            Ctor::Exn(exn) => Some(self.types.exns[exn].span),
            Ctor::Variant(tycon, index) => {
                self.use_type(tycon);
                match &self.types.tycons[tycon].kind {
                    TyConKind::Variant(ctors) => ctors.get(index as usize).map(|it| it.span),
                    _ => None,
                }
            }
        };
        self.usage.matched.extend(span);
        if is_built {
            self.usage.built.extend(span);
        }
    }

    /// Runs the declaration of a group of types, inside of which its own names do not count.
    pub(super) fn declaring(&mut self, group: &[TyConId], f: impl FnOnce(&mut Self)) {
        let spans = group.iter().filter_map(|&it| self.types.tycons[it].span);
        let new: Vec<Span> = spans.filter(|it| !self.usage.types.contains(it)).collect();
        f(self);
        for span in new {
            self.usage.types.remove(&span);
        }
    }

    /// All that a structure takes over from another is used.
    pub(super) fn use_included(&mut self, included: &Structure) {
        if !self.usage.warns {
            return;
        }
        for value in included.values.values() {
            if let ValueKind::Var(var) = value.kind {
                self.usage.used.insert(var);
            }
        }
        for &tycon in included.types.values() {
            self.use_type(tycon);
        }
        for &ctor in included.ctors.values() {
            self.use_ctor(ctor, true);
        }
    }

    /// The types, constructors and exceptions of a structure that its signature does not show, and that are written
    /// within `within`.
    pub(super) fn note_hidden(
        &mut self,
        structure: &Structure,
        signature: &Structure,
        within: Span,
    ) {
        for (text, &tycon) in &structure.types {
            let it = &self.types.tycons[tycon];
            let is_class = self.classes.tycons.contains(tycon);
            let Some(span) = it.span.filter(|&it| !is_class && within.contains(it)) else {
                continue;
            };
            let is_private = match signature.types.get(text) {
                None => {
                    self.usage.hidden.push(Hidden::Type(Name { text: *text, span }));
                    false
                }
                Some(&shown) => match self.types.tycons[shown].kind {
                    TyConKind::Abstract { implementation: None } => false,
                    TyConKind::Variant(_) if self.types.tycons[shown].private => true,
                    _ => continue,
                },
            };
            if let TyConKind::Variant(ctors) = &it.kind {
                let names = ctors.iter().map(|it| Name { text: it.name, span: it.span });
                let hidden = names.map(|name| Hidden::Ctor { name, is_private });
                self.usage.hidden.extend(hidden);
            }
        }
        for (text, ctor) in &structure.ctors {
            if let Ctor::Exn(exn) = *ctor
                && !signature.ctors.contains_key(text)
                && within.contains(self.types.exns[exn].span)
            {
                self.note_hidden_extension(exn, *text);
            }
        }
    }

    pub(super) fn note_hidden_extension(&mut self, exn: ExnId, text: Symbol) {
        if self.usage.warns && !self.library {
            let it = &self.types.exns[exn];
            let (name, is_exception) = (Name { text, span: it.span }, it.of.is_none());
            self.usage.hidden.push(Hidden::Extension { name, is_exception });
        }
    }

    /// What was hidden and not used, when the file ends.
    pub(super) fn find_hidden(&mut self) -> Vec<(Unused, Name)> {
        let usage = &mut self.usage;
        let mut found = Vec::new();
        for (span, is_used) in std::mem::take(&mut usage.opens) {
            if !is_used {
                found.push((Unused::Open, Name { text: Symbol::new(""), span }));
            }
        }
        let built = |span: Span| match usage.matched.contains(&span) {
            _ if usage.built.contains(&span) => None,
            true => Some(Built::OnlyMatched),
            false => Some(Built::Never),
        };
        for hidden in std::mem::take(&mut usage.hidden) {
            match hidden {
                Hidden::Type(name) => {
                    let is_meant = name.text.as_str().starts_with('_');
                    if !is_meant && !usage.types.contains(&name.span) {
                        found.push((Unused::Type, name));
                    }
                }
                Hidden::Ctor { name, is_private } => {
                    if let Some(how) = built(name.span) {
                        let how = if is_private { Built::Private } else { how };
                        found.push((Unused::Ctor(how), name));
                    }
                }
                Hidden::Extension { name, is_exception } => {
                    if let Some(how) = built(name.span) {
                        found.push((Unused::Extension(how, is_exception), name));
                    }
                }
            }
        }
        found
    }
}
