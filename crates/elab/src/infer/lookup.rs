//! Names to entities, along module paths.

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::{Diagnostic, Reported, limits};

use crate::ast::{ModulePath, Path};
use crate::types::TyConId;

use super::Infer;
use super::env::{Ctor, Env, Module, ModuleTypeDef, Sort, Structure, Value};
use super::members;
use super::notes::Kind;
use super::suggest::nearest;

/// A failed look-up: `Err(Some)` was reported now, `Err(None)` belongs to an earlier error.
pub type Found<T> = Result<T, Option<Reported>>;

impl Infer<'_> {
    pub(super) fn lookup_module(&mut self, env: &Env, path: &ModulePath) -> Found<Module> {
        let module = self.named_module(env, path)?;
        self.there(module, path)
    }

    /// `module A = Path`: a module that comes later needs not be there yet.
    pub(super) fn module_alias(&mut self, env: &Env, path: &ModulePath) -> Found<Module> {
        let mut head = path;
        while let ModulePath::Dot(prefix, _) = head {
            head = prefix;
        }
        if let ModulePath::Name(name) = head
            && self.later.contains(&name.text)
        {
            return Ok(Module::Later(std::rc::Rc::new(path.clone())));
        }
        self.named_module(env, path)
    }

    /// The module that a name for a later one stands for.
    fn there(&mut self, module: Module, path: &ModulePath) -> Found<Module> {
        let Module::Later(target) = &module else { return Ok(module) };
        if let Some(module) = self.later_module(target) {
            return Ok(module);
        }
        let target = target.clone();
        Err(self.not_there(&target, path.span()))
    }

    /// A module of a later file is used too early. If the driver has reported that files depend on each other, this
    /// follows from it.
    pub(super) fn not_there(&mut self, path: &ModulePath, span: Span) -> Option<Reported> {
        if self.diagnostics.has_errors() {
            return None;
        }
        Some(self.unbound("module", last_name(path), span, Near::default()))
    }

    /// The module itself, if it is a name for a later one that is there by now.
    pub(super) fn known(&self, module: &Module) -> Module {
        match module {
            Module::Later(path) => self.later_module(path).unwrap_or_else(|| module.clone()),
            Module::Structure(_) | Module::Functor(_) | Module::Error => module.clone(),
        }
    }

    /// A module of a later file, if that file has been read by now.
    pub(super) fn later_module(&self, path: &ModulePath) -> Option<Module> {
        self.follow_names(path, limits::NESTING.most)
    }

    /// Names for names end somewhere, or else the files depend on each other.
    fn follow_names(&self, path: &ModulePath, steps: usize) -> Option<Module> {
        let steps = steps.checked_sub(1)?;
        let module = match path {
            ModulePath::Name(name) => self.public.root.module(name.text)?.clone(),
            ModulePath::Dot(prefix, name) => match self.follow_names(prefix, steps)? {
                Module::Structure(structure) => structure.modules.get(&name.text)?.clone(),
                Module::Functor(_) | Module::Later(_) | Module::Error => return None,
            },
            ModulePath::Apply(..) => return None,
        };
        match &module {
            Module::Later(next) => self.follow_names(next, steps),
            Module::Structure(_) | Module::Functor(_) | Module::Error => Some(module),
        }
    }

    fn named_module(&mut self, env: &Env, path: &ModulePath) -> Found<Module> {
        match path {
            ModulePath::Name(name) => match env.module(name.text) {
                Some(module) => {
                    self.use_name(env, Sort::Module, name.text);
                    self.note_module(*name, module);
                    Ok(module.clone())
                }
                None => {
                    if self.is_hole(name.text) {
                        self.fill_hole(env, Kind::Module);
                    }
                    let own = env.module_names();
                    let near = match self.is_clef() {
                        true => nearest(name.text, own),
                        false => nearest(name.text, own.chain(members::modules())),
                    };
                    Err(Some(self.unbound("module", name.text, name.span, near.into())))
                }
            },
            ModulePath::Dot(prefix, name) => {
                let outer = self.lookup_module(env, prefix)?;
                let structure = self.as_structure(&outer, prefix.span())?;
                if let Some(module) = structure.modules.get(&name.text) {
                    self.note_module(*name, module);
                    return Ok(module.clone());
                }
                if self.is_hole(name.text) {
                    self.fill_hole_in(&structure, Kind::Module);
                }
                // `Stdlib.List` is the library's `List`.
                if let ModulePath::Name(first) = prefix.as_ref()
                    && first.text.as_str() == "Stdlib"
                    && let Some(module) = self.library_units().get(&name.text).cloned()
                {
                    self.note_module(*name, &module);
                    return Ok(module);
                }
                let near = nearest(name.text, structure.modules.keys().copied());
                Err(Some(self.unbound_in(env, "module", name.text, path.span(), prefix, near)))
            }
            ModulePath::Apply(func, arg) => {
                let functor = self.lookup_module(env, func)?;
                let argument = self.lookup_module(env, arg)?;
                Ok(self.apply_functor_for_types(functor, argument, (arg, path.span())))
            }
        }
    }

    pub(super) fn as_structure(
        &mut self,
        module: &Module,
        span: Span,
    ) -> Found<std::rc::Rc<Structure>> {
        match module {
            Module::Structure(structure) => Ok(structure.clone()),
            Module::Functor(_) => Err(Some(
                self.diagnostics.error(
                    Diagnostic::error("E0203", "this is a functor, not a structure")
                        .at(span, "has no components")
                        .help("apply it to a module first"),
                ),
            )),
            Module::Later(path) => match self.later_module(path) {
                Some(module) => self.as_structure(&module, span),
                None => Err(None),
            },
            Module::Error => Err(None),
        }
    }

    pub(super) fn prefix_structure(
        &mut self,
        env: &Env,
        prefix: &ModulePath,
    ) -> Found<std::rc::Rc<Structure>> {
        let module = self.lookup_module(env, prefix)?;
        self.as_structure(&module, prefix.span())
    }

    pub(super) fn lookup_value(&mut self, env: &Env, path: &Path) -> Found<Value> {
        let name = path.name.text;
        match &path.prefix {
            None => match env.value(name) {
                Some(value) => {
                    self.use_name(env, Sort::Value, name);
                    self.note_value(path.name, value);
                    Ok(value.clone())
                }
                None => {
                    if self.is_hole(name) {
                        self.fill_hole(env, Kind::Value);
                    }
                    let near = Near {
                        name: nearest(name, env.value_names()),
                        modules: self.modules_with(env, "value", name),
                    };
                    Err(Some(self.unbound("value", name, path.name.span, near)))
                }
            },
            Some(prefix) => {
                let structure = self.prefix_structure(env, prefix)?;
                if self.is_hole(name) {
                    self.fill_hole_in(&structure, Kind::Value);
                }
                match structure.values.get(&name) {
                    Some(value) => {
                        self.note_value(path.name, value);
                        Ok(value.clone())
                    }
                    None if structure.private.contains_key(&name) => {
                        let defined = structure.private[&name];
                        let at = path.name.span;
                        let mut report = Diagnostic::error(
                            "E0158",
                            format!("`{name}` is private to `{}`", show_module_path(prefix)),
                        )
                        .at(at, "cannot be used here");
                        if defined.file == at.file {
                            report = report.label(defined, "defined here");
                        }
                        Err(Some(self.diagnostics.error(report)))
                    }
                    None if structure.undefined.contains_key(&name) => {
                        let module = show_module_path(prefix);
                        let report = Diagnostic::error(
                            "E0215",
                            format!("`{module}.{name}` is declared, but nothing defines it"),
                        )
                        .at(path.name.span, format!("`{module}` has an interface only"))
                        .label(structure.undefined[&name], "declared here")
                        .help("write the `.ml` file that belongs to this `.mli`");
                        Err(Some(self.diagnostics.error(report)))
                    }
                    None => {
                        let near = nearest(name, structure.values.keys().copied());
                        Err(Some(self.unbound_in(env, "value", name, path.name.span, prefix, near)))
                    }
                }
            }
        }
    }

    pub(super) fn lookup_type(&mut self, env: &Env, path: &Path) -> Found<TyConId> {
        let name = path.name.text;
        match &path.prefix {
            None => match env.ty(name) {
                Some(tycon) => {
                    self.use_name(env, Sort::Type, name);
                    self.use_type(tycon);
                    self.note_tycon(path.name, tycon);
                    Ok(tycon)
                }
                None => {
                    if let Some(Made::Anonymous(fields)) = name.origin() {
                        return Ok(self.anonymous_tycon(fields, path.name.span));
                    }
                    if self.is_hole(name) {
                        self.fill_hole(env, Kind::Type);
                    }
                    let near = Near {
                        name: nearest(name, env.type_names()),
                        modules: self.modules_with(env, "type", name),
                    };
                    Err(Some(self.unbound("type", name, path.name.span, near)))
                }
            },
            Some(prefix) => {
                let structure = self.prefix_structure(env, prefix)?;
                match structure.types.get(&name) {
                    Some(&tycon) => {
                        self.use_type(tycon);
                        self.note_tycon(path.name, tycon);
                        Ok(tycon)
                    }
                    None => {
                        if self.is_hole(name) {
                            self.fill_hole_in(&structure, Kind::Type);
                        }
                        let near = nearest(name, structure.types.keys().copied());
                        Err(Some(self.unbound_in(env, "type", name, path.name.span, prefix, near)))
                    }
                }
            }
        }
    }

    pub(super) fn lookup_ctor(&mut self, env: &Env, path: &Path) -> Found<Ctor> {
        let name = path.name.text;
        match &path.prefix {
            None => match env.ctor(name) {
                Some(ctor) => {
                    self.use_name(env, Sort::Ctor, name);
                    self.note_ctor(path.name, ctor);
                    Ok(ctor)
                }
                None => {
                    if self.is_hole(name) {
                        self.fill_hole(env, Kind::Constructor);
                    }
                    let near = Near {
                        name: nearest(name, env.ctor_names()),
                        modules: self.modules_with(env, "constructor", name),
                    };
                    Err(Some(self.unbound("constructor", name, path.name.span, near)))
                }
            },
            Some(prefix) => {
                let structure = self.prefix_structure(env, prefix)?;
                match structure.ctors.get(&name) {
                    Some(&ctor) => {
                        self.note_ctor(path.name, ctor);
                        Ok(ctor)
                    }
                    None => {
                        if self.is_hole(name) {
                            self.fill_hole_in(&structure, Kind::Constructor);
                        }
                        let near = nearest(name, structure.ctors.keys().copied());
                        Err(Some(self.unbound_in(
                            env,
                            "constructor",
                            name,
                            path.name.span,
                            prefix,
                            near,
                        )))
                    }
                }
            }
        }
    }

    /// Records that have the field, the latest declaration last; never empty.
    pub(super) fn lookup_field(&mut self, env: &Env, path: &Path) -> Found<Vec<TyConId>> {
        let name = path.name.text;
        match &path.prefix {
            None => match env.field(name) {
                // A record that the parser made, of a type that was reported to be wrong.
                [] if name.is_hidden() && self.diagnostics.has_errors() => Err(None),
                [] => {
                    if self.is_hole(name) {
                        self.fill_hole(env, Kind::Field);
                    }
                    let near = nearest(name, env.field_names());
                    Err(Some(self.unbound("record field", name, path.name.span, near.into())))
                }
                records => {
                    let records = self.records_behind(records);
                    self.use_name(env, Sort::Field, name);
                    Ok(records)
                }
            },
            Some(prefix) => {
                if let Some(tycon) = self.record_called(env, prefix, name) {
                    return Ok(vec![tycon]);
                }
                let structure = self.prefix_structure(env, prefix)?;
                match structure.fields.get(&name) {
                    Some(records) => Ok(self.records_behind(records)),
                    None => {
                        if self.is_hole(name) {
                            self.fill_hole_in(&structure, Kind::Field);
                        }
                        let near = nearest(name, structure.fields.keys().copied());
                        Err(Some(self.unbound_in(
                            env,
                            "record field",
                            name,
                            path.name.span,
                            prefix,
                            near,
                        )))
                    }
                }
            }
        }
    }

    pub(super) fn lookup_module_type(&mut self, env: &Env, path: &Path) -> Found<ModuleTypeDef> {
        let name = path.name.text;
        let found = match &path.prefix {
            None => {
                self.use_name(env, Sort::ModuleType, name);
                env.module_type(name).cloned()
            }
            Some(prefix) => self.prefix_structure(env, prefix)?.module_types.get(&name).cloned(),
        };
        found.ok_or_else(|| Some(self.unbound("module type", name, path.span(), Near::default())))
    }

    fn unbound(&mut self, what: &str, name: Symbol, span: Span, near: Near) -> Reported {
        let is_missing = self.unknown_opened && what != "module" || self.broken_items;
        if self.broken.contains(&name) || is_missing {
            return self.diagnostics.reported();
        }
        if let Some(reported) = self.unsupported(what, name, span) {
            return reported;
        }
        let mut diagnostic =
            Diagnostic::error(unbound_code(what), format!("unbound {what} `{name}`"))
                .at(span, "not found in this scope");
        let defining = self.defining.iter().rev().find(|it| it.0 == name);
        if let Some((_, start)) = defining.filter(|_| what == "value") {
            diagnostic = diagnostic
                .help(format!("to let the definition use itself, write `let rec {name}`"))
                .edit(*start, "rec ");
        } else if let Some(instead) = operator_of_clef(name.as_str()).filter(|_| self.is_clef()) {
            diagnostic = diagnostic.help(instead);
        } else if let [module] = near.modules[..] {
            let path = format!("{module}.{name}");
            diagnostic = diagnostic.help(format!("write `{path}`")).edit(span, path);
        } else if let [first @ .., last] = &near.modules[..] {
            let first: Vec<String> = first.iter().map(|it| format!("`{it}`")).collect();
            let modules = format!("{} and `{last}`", first.join(", "));
            diagnostic = diagnostic.help(format!("{modules} have a {what} of this name"));
            for module in &near.modules {
                diagnostic = diagnostic.choice(span, format!("{module}.{name}"));
            }
        } else if let Some(near) = near.name {
            diagnostic =
                diagnostic.help(format!("did you mean `{near}`?")).edit(span, near.as_str());
        } else if !self.is_clef()
            && let Some(hint) = foreign_name(name.as_str())
        {
            diagnostic = diagnostic.help(hint);
        }
        self.diagnostics.error(diagnostic)
    }

    /// The modules in scope that have a value, type or constructor of a name. Of the library only those that OCaml has,
    /// too.
    fn modules_with(&self, env: &Env, what: &str, name: Symbol) -> Vec<Symbol> {
        let has = |it: &Structure| match what {
            "value" => it.values.contains_key(&name),
            "type" => it.types.contains_key(&name),
            "constructor" => it.ctors.contains_key(&name),
            _ => false,
        };
        let is_known = |it: Symbol| {
            !it.is_hidden()
                && (!self.public.units.contains_key(&it) || members::modules().any(|own| own == it))
        };
        let is_wanted = |it: &Symbol| match env.module(*it) {
            Some(Module::Structure(structure)) => has(structure) && is_known(*it),
            Some(Module::Functor(_) | Module::Later(_) | Module::Error) | None => false,
        };
        let mut found: Vec<Symbol> = env.module_names().filter(is_wanted).collect();
        found.sort_by_key(|it| it.as_str());
        found.dedup();
        match found.len() > MOST_MODULES {
            true => Vec::new(),
            false => found,
        }
    }

    /// A name of F#'s or OCaml's that is left out on purpose.
    fn unsupported(&mut self, what: &str, name: Symbol, span: Span) -> Option<Reported> {
        let known = if self.is_clef() {
            super::clef::unsupported_name(name.as_str())
        } else {
            let is_missing = !self.library && members::has("Stdlib", what, name.as_str());
            let is_function = name.as_str() == "__FUNCTION__";
            let construct = match what {
                "module" => format!("the library module `{name}`"),
                _ => format!("`{name}`"),
            };
            (is_missing || is_function).then_some((construct, None))
        };
        let (construct, instead) = known?;
        let report = Diagnostic::not_supported(span, &construct);
        Some(self.diagnostics.error(match instead {
            Some(instead) => report.help(instead),
            None => report,
        }))
    }

    /// OCaml's path of a module of the library that this path means here.
    pub(super) fn library_module(&self, env: &Env, path: &ModulePath) -> Option<String> {
        let mut first = path;
        while let ModulePath::Dot(prefix, _) = first {
            first = prefix;
        }
        let ModulePath::Name(first) = first else { return None };
        let shown = show_module_path(path);
        if first.text.as_str() == "Stdlib" {
            return Some(shown.strip_prefix("Stdlib.").map_or(shown.clone(), str::to_string));
        }
        match (env.module(first.text)?, self.library_units().get(&first.text)?) {
            (Module::Structure(found), Module::Structure(library)) => {
                std::rc::Rc::ptr_eq(found, library).then_some(shown)
            }
            _ => None,
        }
    }

    fn unbound_in(
        &mut self,
        env: &Env,
        what: &str,
        name: Symbol,
        span: Span,
        prefix: &ModulePath,
        near: Option<Symbol>,
    ) -> Reported {
        let is_missing = self.broken_items && self.library_module(env, prefix).is_none();
        if self.broken.contains(&name) || is_missing {
            return self.diagnostics.reported();
        }
        if self.is_clef() {
            if let Some(reported) = self.unsupported(what, name, span) {
                return reported;
            }
        } else if let Some(module) = self.library_module(env, prefix)
            && members::has(&module, what, name.as_str())
        {
            return self.not_supported(span, &format!("`{module}.{name}`"));
        }
        let module = show_module_path(prefix);
        let mut diagnostic =
            Diagnostic::error(unbound_code(what), format!("unbound {what} `{module}.{name}`"))
                .at(span, format!("`{module}` has no {what} of this name"));
        if let Some(near) = near {
            // The span of a module is its whole path.
            let text = if what == "module" { format!("{module}.{near}") } else { near.to_string() };
            diagnostic =
                diagnostic.help(format!("did you mean `{module}.{near}`?")).edit(span, text);
        }
        self.diagnostics.error(diagnostic)
    }
}

/// Where a name that is not found could come from.
#[derive(Default)]
struct Near {
    /// One that is written nearly so.
    name: Option<Symbol>,
    /// The modules that have it.
    modules: Vec<Symbol>,
}

impl From<Option<Symbol>> for Near {
    fn from(name: Option<Symbol>) -> Self {
        Self { name, modules: Vec::new() }
    }
}

/// More modules than these are no help.
const MOST_MODULES: usize = 6;

fn unbound_code(what: &str) -> &'static str {
    match what {
        "value" => "E0101",
        "constructor" => "E0102",
        "type" => "E0103",
        "record field" => "E0104",
        "module" => "E0201",
        _ => "E0202",
    }
}

/// Help for operators and words that people bring from other languages.
fn operator_of_clef(name: &str) -> Option<&'static str> {
    Some(match name {
        "==" | "===" => "equality is written `=`",
        "!=" | "!==" => "inequality is written `<>`",
        "++" => "add one by `x <- x + 1`",
        "+=" | "-=" | "*=" | "/=" => "assign by `x <- x + …`",
        "var" | "const" => "a variable that changes is bound by `let mutable`",
        "print" | "println" | "writeln" | "echo" => "use `printfn \"…\"`",
        "len" => "use `List.length`, `Array.length` or `.Length`",
        "nil" | "Nothing" | "none" => "use `None`",
        _ => return None,
    })
}

/// Help for names that people bring from other languages.
fn foreign_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "null" | "nil" => "OCaml has no null; use an option: `None` or `Some x`",
        "return" => "the value of the last expression is the result; there is no `return`",
        "print" | "println" | "puts" => "use `print_endline` or `Printf.printf`",
        "len" => "use `List.length`, `Array.length` or `String.length`",
        "var" | "const" => "use `let`; for a variable that changes, `let x = ref …`",
        _ => return None,
    })
}

fn last_name(path: &ModulePath) -> Symbol {
    match path {
        ModulePath::Name(name) | ModulePath::Dot(_, name) => name.text,
        ModulePath::Apply(func, _) => last_name(func),
    }
}

pub fn show_path(path: &Path) -> String {
    match &path.prefix {
        Some(prefix) => format!("{}.{}", show_module_path(prefix), path.name.text),
        None => path.name.text.to_string(),
    }
}

pub fn show_module_path(path: &ModulePath) -> String {
    match path {
        ModulePath::Name(name) => name.text.to_string(),
        ModulePath::Dot(prefix, name) => format!("{}.{}", show_module_path(prefix), name.text),
        ModulePath::Apply(func, arg) => {
            format!("{}({})", show_module_path(func), show_module_path(arg))
        }
    }
}
