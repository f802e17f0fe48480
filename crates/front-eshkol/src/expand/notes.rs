//! What the expander finds out about names, for editors: which definition a name means, what is defined, and what could
//! stand in a place. Macros that the program defines are mentioned by their uses; the names that their templates insert
//! stand in the template.

use oxbow_base::{IdMap, Span, Symbol};
use oxbow_elab::ast::Name;
use oxbow_elab::infer::notes::{Candidate, Definition, Kind, Mention};
use oxbow_elab::outline::{Entry, Sort};

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{CoreKind, Item, Lambda, VarId};
use crate::datum::{Datum, DatumKind, Ident};
use crate::variant;

#[derive(Debug, Default)]
pub struct Notes {
    /// The name that stands where something is to be completed.
    pub hole: Option<String>,
    pub mentions: Vec<Mention>,
    pub definitions: Vec<Definition>,
    pub entries: Vec<Entry>,
    pub candidates: Option<Vec<Candidate>>,
}

fn plain(span: Span, kind: Kind, name: Symbol, text: String) -> Definition {
    Definition { span, kind, name, text, links: Vec::new(), result: None }
}

impl Expander<'_> {
    pub(super) fn note_mention(&mut self, var: VarId, span: Span) {
        let is_library = self.is_library(span);
        if let Some(notes) = &mut self.notes
            && !is_library
        {
            let definition = self.vars[var].span;
            notes.mentions.push(Mention { span, kind: Kind::Value, definition });
        }
    }

    /// The use of a macro that the program defines.
    pub(super) fn note_macro(&mut self, index: usize, form: &Datum) {
        let DatumKind::List(items, _) = &form.kind else { return };
        let Some(head) = items.first() else { return };
        if self.is_library(head.span) || !matches!(head.as_ident(), Some(Ident::Plain(_))) {
            return;
        }
        let definition = self.macros[index].span;
        if let Some(notes) = &mut self.notes {
            notes.mentions.push(Mention { span: head.span, kind: Kind::Macro, definition });
        }
    }

    /// If the name is that of the place to be completed: all that could stand there.
    pub(super) fn fill_hole(&mut self, name: Symbol, scope: ScopeId) {
        if self.notes.as_ref().is_none_or(|it| it.hole.as_deref() != Some(name.as_str())) {
            return;
        }
        let visible = self.scopes.visible(scope).into_iter();
        let mut all: Vec<_> = visible
            .filter(|it| !variant::is_own(it.0))
            .map(|(name, binding)| {
                let kind = match binding {
                    Binding::Var(_) | Binding::Builtin(_) => Kind::Value,
                    Binding::Macro(_) | Binding::Special(_) => Kind::Macro,
                };
                Candidate { name, kind, text: String::new() }
            })
            .collect();
        all.sort_by(|a, b| (a.name.as_str(), a.kind).cmp(&(b.name.as_str(), b.kind)));
        all.dedup_by_key(|it| it.name);
        if let Some(notes) = &mut self.notes {
            notes.candidates = Some(all);
        }
    }

    /// Notes what is defined, at the end.
    pub(super) fn describe(&mut self, items: &[Item]) {
        if self.notes.is_none() {
            return;
        }
        let mut lambdas: IdMap<VarId, &Lambda> = IdMap::new();
        for item in items {
            if let (Some(var), CoreKind::Lambda(lambda)) = (item.var, &item.value.kind) {
                lambdas.insert(var, lambda);
            }
        }
        let mut definitions = Vec::new();
        let mut mentions = Vec::new();
        for (var, info) in self.vars.iter() {
            let text = match lambdas.get(var) {
                Some(lambda) => self.call_text(info.name, lambda),
                None => info.name.to_string(),
            };
            let kind = Kind::Value;
            definitions.push(plain(info.span, kind, info.name, text));
            if !self.is_library(info.span) {
                mentions.push(Mention { span: info.span, kind, definition: info.span });
            }
        }
        for it in self.macros.iter().filter(|it| !self.is_library(it.span)) {
            let name = Symbol::new(&it.name);
            let text = format!("(define-syntax {name} …)");
            definitions.push(plain(it.span, Kind::Macro, name, text));
        }
        let entries = items.iter().filter_map(|item| {
            let info = &self.vars[item.var?];
            if self.is_library(info.span) {
                return None;
            }
            let name = Name { text: info.name, span: info.span };
            let sort = match item.value.kind {
                CoreKind::Lambda(_) | CoreKind::CaseLambda(_) => Sort::Function,
                _ => Sort::Value,
            };
            let whole = item.value.span;
            let span = if whole.file == name.span.file { whole.to(name.span) } else { name.span };
            Some(Entry { sort, name, span, inner: Vec::new() })
        });
        let entries: Vec<Entry> = entries.collect();
        if let Some(notes) = &mut self.notes {
            notes.definitions.extend(definitions);
            notes.mentions.extend(mentions);
            notes.entries = entries;
        }
    }

    /// `(f x y . rest)`
    fn call_text(&self, name: Symbol, lambda: &Lambda) -> String {
        let mut text = format!("({name}");
        for &param in &lambda.params {
            text += &format!(" {}", self.vars[param].name);
        }
        if let Some(rest) = lambda.rest {
            text += &format!(" . {}", self.vars[rest].name);
        }
        text.push(')');
        text
    }
}
