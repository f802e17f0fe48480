//! Phrases of a prompt: each is inferred in the scope that those before it have made.
//!
//! ```text
//! let x = 1;;        val x : int          a value, with the variable that holds it
//! 1 + 2;;            - : int              the same, without a name
//! type t = A | B;;   type t = A | B       a declaration, as text
//! ```

use oxbow_base::doc::{Doc, SPACE};
use oxbow_base::{Language, Made, SparseSet, Symbol};
use oxbow_psg::{ExnId, VarId};

use crate::ast::{self, ItemKind, Pattern, PatternKind};
use crate::tast;
use crate::types::{GENERIC, Type, TypeId};

use crate::outline::names_of;

use super::env::{Ctor, Env, Module, Structure, Value, ValueKind};
use super::print::Printer;
use super::view::{ViewId, Views};
use super::{Infer, Inference, Unit};

/// What the phrases so far have defined.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    env: Option<Env>,
    /// Variables that a later phrase decides.
    weak: Vec<TypeId>,
    /// How many there have been.
    numbered: u32,
}

/// What a phrase defines, as it is told.
#[derive(Debug)]
pub enum Shown {
    Value(ShownValue),
    /// All there is to say.
    Declaration(Doc),
}

#[derive(Debug)]
pub struct ShownValue {
    /// None of an expression.
    pub name: Option<Symbol>,
    pub ty: Doc,
    pub var: VarId,
    pub mutable: bool,
    pub view: ViewId,
}

/// A phrase that was inferred.
#[derive(Debug)]
pub struct Told {
    pub shown: Vec<Shown>,
    pub views: Views,
}

/// The name that the value of an expression is bound to: in Clef phrases can use it.
fn result_name(language: Language) -> Symbol {
    match language {
        Language::Clef => Symbol::new("it"),
        _ => Symbol::made(Made::Local(Symbol::new("it"))),
    }
}

impl Inference<'_> {
    /// Infers a phrase. The scope is that of the phrases after it, if there are no errors.
    pub fn phrase(&mut self, scope: &mut Scope, unit: &Unit) -> Told {
        self.language = unit.language;
        self.cx.phrase(scope, unit)
    }

    /// What an exception holds: its name, and how the values in it are shown.
    pub fn view_exn(&mut self, exn: ExnId, views: &mut Views) -> (String, Vec<ViewId>) {
        let info = self.cx.types.exns[exn].clone();
        let args = info.args.iter().map(|&it| self.cx.view(it, views)).collect();
        (info.path, args)
    }

    /// The names that a phrase can begin with, for completion.
    pub fn names(&self, scope: &Scope) -> Vec<Symbol> {
        let Some(env) = &scope.env else { return Vec::new() };
        let all = env.value_names().chain(env.ctor_names()).chain(env.module_names());
        all.collect()
    }

    /// The names in a module, for completion.
    pub fn names_in(&self, scope: &Scope, path: &[Symbol]) -> Vec<Symbol> {
        let (Some(env), Some((first, rest))) = (&scope.env, path.split_first()) else {
            return Vec::new();
        };
        let mut module = env.module(*first).cloned();
        for name in rest {
            module = match module {
                Some(Module::Structure(it)) => it.modules.get(name).cloned(),
                _ => None,
            };
        }
        match module {
            Some(Module::Structure(it)) => {
                let all = it.values.keys().chain(it.ctors.keys()).chain(it.modules.keys());
                all.copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// What is known of a name: `#show`.
    pub fn show_name(&mut self, scope: &Scope, path: &[Symbol]) -> Vec<Doc> {
        let (Some(env), Some((&name, before))) = (&scope.env, path.split_last()) else {
            return Vec::new();
        };
        let mut env = env.clone();
        for outer in before {
            let Some(Module::Structure(it)) = env.module(*outer).cloned() else {
                return Vec::new();
            };
            env = Env::default();
            env.open(&Module::Structure(it));
        }
        self.cx.told_of(&env, name)
    }
}

impl Infer<'_> {
    fn phrase(&mut self, scope: &mut Scope, unit: &Unit) -> Told {
        self.library = false;
        self.sees_all = unit.generated;
        self.quotes.unit(unit);
        self.language = unit.language;
        self.usage.warns = false;
        self.types.clef_names = unit.language == Language::Clef;
        self.path = vec![unit.name.as_str().into()];
        self.exn_path = Vec::new();
        let mut env = match &scope.env {
            Some(env) => env.clone(),
            None if unit.language == Language::Clef => self.clef_scope(),
            None => {
                let mut env = self.public.root.clone();
                if let Some(stdlib) = &self.public.stdlib {
                    env.open(stdlib);
                }
                env
            }
        };
        // Modules of the library that this phrase is the first to mention.
        let known: Vec<_> = self.public.units.iter().map(|it| (*it.0, it.1.clone())).collect();
        for (name, module) in known {
            if env.module(name).is_none() {
                env.add_module(name, module);
            }
        }
        let mut structure = Structure::default();
        let mut order = Vec::new();
        let first = self.items.len();
        for item in &unit.structure {
            let named = self.named(item);
            let item = named.as_ref().unwrap_or(item);
            self.phrase_item(&mut env, &mut structure, item);
            order.push(item.clone());
        }
        if unit.language == Language::Clef {
            self.settle_overloads();
        }
        self.report_unused();
        self.decide_the_rest();
        self.types.open_weak = SparseSet::new();
        if unit.language == Language::Ocaml && unit.structure.len() == 1 {
            self.keep_open(scope, first, &mut env, &mut structure);
        }
        let module = Module::Structure(structure.clone().into());
        if !self.diagnostics.has_errors() {
            self.check_determined(&module);
        }
        let mut told = Told { shown: Vec::new(), views: Views::default() };
        if self.diagnostics.has_errors() {
            return told;
        }
        for item in &order {
            self.tell(item, &structure, &mut told);
        }
        scope.env = Some(env);
        told
    }

    /// What a phrase leaves open of the types of its variables is decided by later phrases. In the graph such a value
    /// has parameters (decision 330).
    fn keep_open(
        &mut self,
        scope: &mut Scope,
        first: usize,
        env: &mut Env,
        structure: &mut Structure,
    ) {
        let is_open = |cx: &Self, ty: TypeId| match cx.types.nodes[ty] {
            Type::Var { level, .. } => level != GENERIC,
            _ => false,
        };
        scope.weak.retain(|&it| is_open(self, it));
        let mut bound = Vec::new();
        for item in &self.items[first..] {
            let bindings = match &item.kind {
                tast::ItemKind::Let(bindings) => bindings,
                tast::ItemKind::LetRec(_) | tast::ItemKind::Eval(_) => return,
            };
            for binding in bindings {
                let tast::PatternKind::Var(var) = binding.pattern.kind else { return };
                let is_function = matches!(
                    binding.value.kind,
                    tast::ExprKind::Lambda { .. } | tast::ExprKind::Function { .. }
                );
                bound.push((var, is_function));
            }
        }
        let mut open = Vec::new();
        for &(var, is_function) in &bound {
            let ty = self.types.vars[var].ty;
            for (it, _) in self.variances(ty) {
                if is_open(self, it) && !open.contains(&it) {
                    open.push(it);
                }
            }
            // Its code is made again when it is used, and may mention any of them.
            if is_function {
                open.extend(
                    scope.weak.iter().filter(|it| !open.contains(it)).copied().collect::<Vec<_>>(),
                );
            }
        }
        if open.is_empty() {
            return;
        }
        for &it in &open {
            if self.types.weak.get(it).is_none() {
                scope.numbered += 1;
                self.types.weak.insert(it, scope.numbered);
                scope.weak.push(it);
            }
            self.types.open_weak.insert(it);
        }
        for (var, _) in bound {
            let info = &mut self.types.vars[var];
            let vars = info.tyvars.clone();
            info.tyvars.extend(open.iter().filter(|it| !vars.contains(it)));
            let (name, instance) = (info.name, Some(info.tyvars.clone().into()));
            if let Some(value) = structure.values.get_mut(&name) {
                *value = Value { vars, instance, ..value.clone() };
                env.add_value(name, value.clone());
            }
        }
    }

    /// An expression is the definition of a value without a name.
    fn named(&self, item: &ast::Item) -> Option<ast::Item> {
        let (value, annotation) = match &item.kind {
            ItemKind::Eval(value) => (value.clone(), None),
            // `let _ = e` is told as `e` is.
            ItemKind::Let { recursive: false, bindings } => match &bindings[..] {
                [it] if matches!(it.pattern.kind, PatternKind::Any) => {
                    (it.value.clone(), it.annotation.clone())
                }
                _ => return None,
            },
            _ => return None,
        };
        let span = value.span;
        let name = ast::Name { text: result_name(self.language), span };
        let pattern = Pattern { kind: PatternKind::Var(name), span };
        let binding = ast::Binding {
            pattern,
            value,
            annotation,
            mutable: false,
            attributes: Vec::new(),
            span,
        };
        let kind = ItemKind::Let { recursive: false, bindings: vec![binding] };
        Some(ast::Item { kind, span: item.span })
    }

    fn tell(&mut self, item: &ast::Item, structure: &Structure, told: &mut Told) {
        match &item.kind {
            ItemKind::Let { bindings, .. } => {
                for binding in bindings {
                    for name in pattern_names(&binding.pattern) {
                        self.tell_value(name, structure, told);
                    }
                }
            }
            _ => {
                let docs = self.declarations(item, structure);
                told.shown.extend(docs.into_iter().map(Shown::Declaration));
            }
        }
    }

    fn tell_value(&mut self, name: Symbol, structure: &Structure, told: &mut Told) {
        let Some(value) = structure.values.get(&name).cloned() else { return };
        let ValueKind::Var(var) = value.kind else {
            let ty = type_doc(&Printer::new(&self.types).show(value.ty));
            let val = format!("val {} :", value_name(name));
            let doc = Doc::hov(2, vec![Doc::text(val), SPACE, ty]);
            return told.shown.push(Shown::Declaration(doc));
        };
        let ty = type_doc(&self.show(value.ty));
        let view = self.view(value.ty, &mut told.views);
        let name = (name != result_name(self.language)).then_some(name);
        let mutable = self.types.vars[var].mutable;
        told.shown.push(Shown::Value(ShownValue { name, ty, var, mutable, view }));
    }

    fn told_of(&mut self, env: &Env, name: Symbol) -> Vec<Doc> {
        let mut docs = Vec::new();
        if let Some(value) = env.value(name).cloned() {
            docs.push(self.value_doc(name, &value));
        }
        if let Some(tycon) = env.ty(name) {
            docs.push(self.type_decl(tycon, true));
        }
        match env.ctor(name) {
            Some(Ctor::Variant(tycon, _)) => docs.push(self.type_decl(tycon, true)),
            Some(Ctor::Exn(exn)) => docs.push(self.exn_decl(exn)),
            None => (),
        }
        if let Some(module) = env.module(name).cloned() {
            docs.push(self.module_decl(name, &module));
        }
        docs
    }
}

/// A name as a signature has it: operators stand in parentheses.
pub fn value_name(name: Symbol) -> String {
    let text = name.shown();
    let is_word = text.chars().next().is_some_and(|it| it.is_alphabetic() || it == '_');
    const WORDS: [&str; 8] = ["mod", "land", "lor", "lxor", "lsl", "lsr", "asr", "or"];
    match is_word && !WORDS.contains(&&*text) {
        true => text.to_string(),
        false if text.starts_with('*') || text.ends_with('*') => format!("( {text} )"),
        false => format!("({text})"),
    }
}

/// The text of a type, which may be broken at its arrows and stars.
pub(super) fn type_doc(text: &str) -> Doc {
    let mut parts: Vec<Doc> = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let is_arrow = *byte == b'>' && at > 0 && bytes[at - 1] == b'-';
        match byte {
            b'(' | b'[' | b'<' | b'{' => depth += 1,
            _ if is_arrow && depth > 0 => (),
            _ if is_arrow => {
                parts.push(Doc::text(&text[start..=at]));
                parts.push(SPACE);
                start = at + 2;
            }
            b')' | b']' | b'>' | b'}' => depth -= 1,
            _ => (),
        }
    }
    parts.push(Doc::text(text.get(start..).unwrap_or_default()));
    Doc::hov(0, parts)
}

/// The names that a pattern binds, in their order.
fn pattern_names(pattern: &Pattern) -> Vec<Symbol> {
    names_of(pattern).iter().map(|it| it.text).collect()
}
