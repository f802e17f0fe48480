//! `syntax-rules`: patterns and templates with ellipsis of any depth, literals, a custom ellipsis,
//! and `(... template)`.

use std::rc::Rc;

use oxbow_base::{FxHashMap, Span};
use oxbow_diag::{Diagnostic, limits};

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::datum::{Datum, DatumKind, Ident};

/// More expansions inside each other than any program means.
pub const MAX_EXPANSIONS: usize = limits::NESTED_EXPANSIONS.most;

pub struct Macro {
    pub name: String,
    literals: Vec<Ident>,
    ellipsis: Ident,
    rules: Vec<(Datum, Datum)>,
    /// Where it was defined.
    scope: ScopeId,
    pub span: Span,
}

/// What a pattern variable stands for.
#[derive(Clone)]
enum Match {
    One(Rc<Datum>),
    Many(Rc<Vec<FxHashMap<Ident, Match>>>),
}

type Matches = FxHashMap<Ident, Match>;

impl Expander<'_> {
    /// Reads `(syntax-rules …)`, or a name that is a macro already.
    pub(super) fn macro_of(&mut self, form: &Datum, scope: ScopeId, name: &str) -> Option<usize> {
        if let Some(ident) = form.as_ident()
            && let Some(Binding::Macro(index)) = self.scopes.lookup(scope, ident)
        {
            return Some(index);
        }
        let items = form.as_list().unwrap_or_default();
        let head = items.first().and_then(Datum::as_ident);
        let is_rules = head.is_some_and(|it| {
            matches!(
                self.scopes.lookup(scope, it),
                Some(Binding::Special("syntax-rules" | "er-macro-transformer"))
            )
        });
        if !is_rules {
            self.bad(form.span, "a macro is defined by `syntax-rules`");
            return None;
        }
        let mut rest = &items[1..];
        let mut ellipsis = Ident::Plain("...".into());
        if let Some(custom) = rest.first().and_then(Datum::as_ident) {
            ellipsis = custom;
            rest = &rest[1..];
        }
        let Some((literals, rules)) = rest.split_first() else {
            self.bad(form.span, "`syntax-rules` needs a list of literals and rules");
            return None;
        };
        let Some(literals) = literals.as_list() else {
            self.bad(literals.span, "the literals of `syntax-rules` are a list of names");
            return None;
        };
        for literal in literals.iter().filter(|it| it.as_ident().is_none()) {
            self.bad(literal.span, "the literals of `syntax-rules` are a list of names");
        }
        let literals: Vec<_> = literals.iter().filter_map(Datum::as_ident).collect();
        let mut read = Vec::new();
        for rule in rules {
            match rule.as_list() {
                Some([pattern, template]) => read.push((pattern.clone(), template.clone())),
                _ => self.bad(rule.span, "a rule of `syntax-rules` is `(pattern template)`"),
            }
        }
        self.macros.push(Macro {
            name: name.to_string(),
            literals,
            ellipsis,
            rules: read,
            scope,
            span: form.span,
        });
        let index = self.macros.len() - 1;
        for rule in 0..self.macros[index].rules.len() {
            let pattern = self.macros[index].rules[rule].0.clone();
            match &pattern.kind {
                DatumKind::List(items, tail) if !items.is_empty() => {
                    let mut seen = Vec::new();
                    self.check_items(index, &items[1..], tail.as_deref(), &mut seen);
                }
                _ => self.bad(pattern.span, "a pattern of `syntax-rules` is `(_ part …)`"),
            }
        }
        Some(index)
    }

    /// Reports ellipses that follow nothing, two of them in one list, and names that stand twice in a pattern.
    fn check_items(
        &mut self,
        index: usize,
        items: &[Datum],
        tail: Option<&Datum>,
        seen: &mut Vec<Ident>,
    ) {
        let mut ellipses = 0;
        for (at, item) in items.iter().chain(tail).enumerate() {
            if self.is_ellipsis(index, item) {
                ellipses += 1;
                if at == 0 {
                    self.bad(item.span, "an ellipsis at the start of a list follows no pattern");
                } else if ellipses == 2 {
                    self.bad(item.span, "a list in a pattern has one ellipsis at most");
                }
                continue;
            }
            match &item.kind {
                DatumKind::Ident(ident) => {
                    let name = self.scopes.symbol(*ident);
                    if name.as_str() == "_" || self.macros[index].literals.contains(ident) {
                        continue;
                    }
                    if seen.contains(ident) {
                        self.bad(item.span, &format!("`{name}` stands twice in this pattern"));
                    }
                    seen.push(*ident);
                }
                DatumKind::List(items, tail) => {
                    self.check_items(index, items, tail.as_deref(), seen);
                }
                DatumKind::Vector(items) => self.check_items(index, items, None, seen),
                _ => (),
            }
        }
    }

    /// Reports that macros have made too much, once.
    fn check_size(&mut self, index: usize, span: Span) {
        if self.made.is_spent() && !std::mem::replace(&mut self.runaway, true) {
            let label = format!("the macro `{}` is expanded here", self.macros[index].name);
            self.diagnostics.error(self.made.limit.report(span, label));
        }
    }

    /// Expands one use.
    pub(super) fn expand_macro(&mut self, index: usize, form: &Datum, scope: ScopeId) -> Datum {
        self.expansions += 1;
        if self.runaway {
            return Datum::new(DatumKind::Bool(false), form.span);
        }
        if self.expansions > MAX_EXPANSIONS * 50 || self.depth > MAX_EXPANSIONS {
            if !self.runaway {
                self.runaway = true;
                let name = self.macros[index].name.clone();
                self.diagnostics.error(
                    Diagnostic::error("E0423", format!("the expansion of `{name}` does not end"))
                        .at(form.span, ""),
                );
            }
            return Datum::new(DatumKind::Bool(false), form.span);
        }
        for rule in 0..self.macros[index].rules.len() {
            let mut matches = Matches::default();
            let pattern = self.macros[index].rules[rule].0.clone();
            if self.match_rule(index, &pattern, form, scope, &mut matches) {
                let template = self.macros[index].rules[rule].1.clone();
                let mut renamed = FxHashMap::default();
                let made =
                    self.instantiate(index, &template, &matches, &mut renamed, form.span, true);
                self.check_size(index, form.span);
                return made;
            }
        }
        let it = &self.macros[index];
        let report =
            Diagnostic::error("E0421", format!("no rule of the macro `{}` fits this", it.name))
                .at(form.span, "");
        let report = if self.is_library(it.span) {
            report
        } else {
            report.label(it.span, "its rules are here")
        };
        self.diagnostics.error(report);
        Datum::new(DatumKind::Bool(false), form.span)
    }

    /// The keyword's place in the pattern is not looked at.
    fn match_rule(
        &mut self,
        index: usize,
        pattern: &Datum,
        form: &Datum,
        scope: ScopeId,
        matches: &mut Matches,
    ) -> bool {
        let (DatumKind::List(pattern, tail), DatumKind::List(form_items, form_tail)) =
            (&pattern.kind, &form.kind)
        else {
            return false;
        };
        if pattern.is_empty() || form_items.is_empty() {
            return false;
        }
        self.match_items(
            index,
            &pattern[1..],
            tail.as_deref(),
            &form_items[1..],
            form_tail.as_deref(),
            scope,
            matches,
        )
    }

    fn is_ellipsis(&self, index: usize, datum: &Datum) -> bool {
        let it = &self.macros[index];
        datum.as_ident().is_some_and(|ident| {
            (ident == it.ellipsis || self.scopes.symbol(ident) == self.scopes.symbol(it.ellipsis))
                && !it.literals.contains(&ident)
        })
    }

    fn match_pattern(
        &mut self,
        index: usize,
        pattern: &Datum,
        form: &Datum,
        scope: ScopeId,
        matches: &mut Matches,
    ) -> bool {
        match (&pattern.kind, &form.kind) {
            (DatumKind::Ident(ident), _) => {
                let it = &self.macros[index];
                if it.literals.contains(ident) {
                    return form
                        .as_ident()
                        .is_some_and(|other| self.scopes.same(*ident, it.scope, other, scope));
                }
                if self.scopes.symbol(*ident).as_str() != "_" {
                    matches.insert(*ident, Match::One(Rc::new(form.clone())));
                }
                true
            }
            (DatumKind::List(items, tail), DatumKind::List(given, given_tail)) => self.match_items(
                index,
                items,
                tail.as_deref(),
                given,
                given_tail.as_deref(),
                scope,
                matches,
            ),
            (DatumKind::Vector(items), DatumKind::Vector(given)) => {
                self.match_items(index, items, None, given, None, scope, matches)
            }
            _ => equal_constants(pattern, form),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "two lists, each with its tail")]
    fn match_items(
        &mut self,
        index: usize,
        pattern: &[Datum],
        tail: Option<&Datum>,
        form: &[Datum],
        form_tail: Option<&Datum>,
        scope: ScopeId,
        matches: &mut Matches,
    ) -> bool {
        let ellipsis =
            pattern.iter().position(|it| self.is_ellipsis(index, it)).filter(|&it| it > 0);
        let Some(at) = ellipsis else {
            if form.len() < pattern.len() {
                return false;
            }
            let (given, left) = form.split_at(pattern.len());
            for (pattern, form) in pattern.iter().zip(given) {
                if !self.match_pattern(index, pattern, form, scope, matches) {
                    return false;
                }
            }
            return self.match_tail(index, tail, left, form_tail, scope, matches);
        };
        let before = at - 1;
        let after = pattern.len() - at - 1;
        if form.len() < before + after {
            return false;
        }
        for (pattern, form) in pattern[..before].iter().zip(form) {
            if !self.match_pattern(index, pattern, form, scope, matches) {
                return false;
            }
        }
        let end = form.len() - after;
        let mut many = Vec::new();
        for form in &form[before..end] {
            let mut inner = Matches::default();
            if !self.match_pattern(index, &pattern[before], form, scope, &mut inner) {
                return false;
            }
            many.push(inner);
        }
        let mut vars = Vec::new();
        self.pattern_vars(index, &pattern[before], &mut vars);
        for var in vars {
            let column = many
                .iter()
                .map(|it| {
                    it.iter().filter(|it| *it.0 == var).map(|(k, v)| (*k, v.clone())).collect()
                })
                .collect();
            matches.insert(var, Match::Many(Rc::new(column)));
        }
        for (pattern, form) in pattern[at + 1..].iter().zip(&form[end..]) {
            if !self.match_pattern(index, pattern, form, scope, matches) {
                return false;
            }
        }
        self.match_tail(index, tail, &[], form_tail, scope, matches)
    }

    fn match_tail(
        &mut self,
        index: usize,
        tail: Option<&Datum>,
        left: &[Datum],
        form_tail: Option<&Datum>,
        scope: ScopeId,
        matches: &mut Matches,
    ) -> bool {
        match (tail, form_tail) {
            (None, None) => left.is_empty(),
            (None, Some(_)) => false,
            (Some(tail), form_tail) => {
                let rest = match (left.first(), form_tail) {
                    (None, Some(form_tail)) => form_tail.clone(),
                    (first, form_tail) => {
                        let span = first.map_or(tail.span, |it| it.span);
                        let kind = DatumKind::List(
                            left.to_vec(),
                            form_tail.map(|it| Box::new(it.clone())),
                        );
                        Datum::new(kind, span)
                    }
                };
                self.match_pattern(index, tail, &rest, scope, matches)
            }
        }
    }

    fn pattern_vars(&self, index: usize, pattern: &Datum, vars: &mut Vec<Ident>) {
        match &pattern.kind {
            DatumKind::Ident(ident) => {
                let literal = self.macros[index].literals.contains(ident);
                vars.extend((!literal && !self.is_ellipsis(index, pattern)).then_some(*ident));
            }
            DatumKind::List(items, tail) => {
                items.iter().for_each(|it| self.pattern_vars(index, it, vars));
                tail.iter().for_each(|it| self.pattern_vars(index, it, vars));
            }
            DatumKind::Vector(items) => {
                items.iter().for_each(|it| self.pattern_vars(index, it, vars))
            }
            _ => (),
        }
    }

    fn instantiate(
        &mut self,
        index: usize,
        template: &Datum,
        matches: &Matches,
        renamed: &mut FxHashMap<Ident, Ident>,
        span: Span,
        ellipses: bool,
    ) -> Datum {
        if !self.made.take(1) {
            return Datum::new(DatumKind::Bool(false), span);
        }
        match &template.kind {
            DatumKind::Ident(ident) => match matches.get(ident) {
                Some(Match::One(datum)) => match self.made.take(datum.size()) {
                    true => Datum::clone(datum),
                    false => Datum::new(DatumKind::Bool(false), span),
                },
                Some(Match::Many(_)) => {
                    let name = self.scopes.symbol(*ident);
                    self.bad(template.span, &format!("`{name}` needs an ellipsis after it"));
                    Datum::new(DatumKind::Bool(false), span)
                }
                None => {
                    let scope = self.macros[index].scope;
                    let scopes = &mut self.scopes;
                    let alias =
                        *renamed.entry(*ident).or_insert_with(|| scopes.alias(*ident, scope));
                    Datum::new(DatumKind::Ident(alias), span)
                }
            },
            DatumKind::List(items, tail) => {
                if ellipses
                    && tail.is_none()
                    && let [first, rest] = &items[..]
                    && self.is_ellipsis(index, first)
                {
                    return self.instantiate(index, rest, matches, renamed, span, false);
                }
                let made = self.instantiate_items(index, items, matches, renamed, span, ellipses);
                let tail = tail
                    .as_ref()
                    .map(|it| self.instantiate(index, it, matches, renamed, span, ellipses));
                // A part of the template that is the user's text keeps its place in it.
                join_list(made, tail, span)
            }
            DatumKind::Vector(items) => {
                let made = self.instantiate_items(index, items, matches, renamed, span, ellipses);
                Datum::new(DatumKind::Vector(made), span)
            }
            other => Datum::new(other.clone(), span),
        }
    }

    fn instantiate_items(
        &mut self,
        index: usize,
        items: &[Datum],
        matches: &Matches,
        renamed: &mut FxHashMap<Ident, Ident>,
        span: Span,
        ellipses: bool,
    ) -> Vec<Datum> {
        let mut made = Vec::new();
        let mut at = 0;
        while at < items.len() {
            let item = &items[at];
            at += 1;
            let mut depth = 0;
            while ellipses && items.get(at).is_some_and(|it| self.is_ellipsis(index, it)) {
                depth += 1;
                at += 1;
            }
            if depth == 0 {
                made.push(self.instantiate(index, item, matches, renamed, span, ellipses));
            } else {
                self.repeat(index, item, depth, matches, renamed, span, &mut made);
            }
        }
        made
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one expansion")]
    fn repeat(
        &mut self,
        index: usize,
        item: &Datum,
        depth: usize,
        matches: &Matches,
        renamed: &mut FxHashMap<Ident, Ident>,
        span: Span,
        made: &mut Vec<Datum>,
    ) {
        let mut vars = Vec::new();
        self.pattern_vars(index, item, &mut vars);
        let columns: Vec<(Ident, &[Matches])> = vars
            .iter()
            .filter_map(|var| match matches.get(var) {
                Some(Match::Many(column)) => Some((*var, column.as_slice())),
                _ => None,
            })
            .collect();
        let Some(length) = columns.iter().map(|it| it.1.len()).max() else {
            self.bad(item.span, "an ellipsis follows nothing that repeats");
            return;
        };
        for row in 0..length {
            let mut inner = matches.clone();
            for (var, column) in &columns {
                match column.get(row).and_then(|it| it.get(var)) {
                    Some(it) => {
                        inner.insert(*var, it.clone());
                    }
                    None => {
                        inner.remove(var);
                    }
                }
            }
            if depth > 1 {
                self.repeat(index, item, depth - 1, &inner, renamed, span, made);
            } else {
                made.push(self.instantiate(index, item, &inner, renamed, span, true));
            }
        }
    }
}

/// `(a b . (c d))` is `(a b c d)`.
fn join_list(mut items: Vec<Datum>, tail: Option<Datum>, span: Span) -> Datum {
    match tail {
        None => Datum::list(items, span),
        Some(tail) => match tail.kind {
            DatumKind::List(more, end) => {
                items.extend(more);
                Datum::new(DatumKind::List(items, end), span)
            }
            _ if items.is_empty() => tail,
            _ => Datum::new(DatumKind::List(items, Some(Box::new(tail))), span),
        },
    }
}

fn equal_constants(a: &Datum, b: &Datum) -> bool {
    match (&a.kind, &b.kind) {
        (DatumKind::Bool(a), DatumKind::Bool(b)) => a == b,
        (DatumKind::Char(a), DatumKind::Char(b)) => a == b,
        (DatumKind::String(a), DatumKind::String(b)) => a == b,
        (DatumKind::Number(a), DatumKind::Number(b)) => a == b,
        (DatumKind::Bytes(a), DatumKind::Bytes(b)) => a == b,
        _ => false,
    }
}
