//! Which values the cases of a match leave out, when types decide.
//!
//! ```text
//! let head : type a n. (a, n succ) vec -> a = function Cons (x, _) -> x      `Nil` is a `(a, zero) vec`
//! ```
//!
//! A search for a value that matches a pattern (any, to begin with) and none of the cases above. It tries the
//! constructors of the first column, each with the equations that it brings, as a pattern does (`branches`), and takes
//! back what it has unified. As in OCaml, a part that no case looks at is `_`, unless there is one case only or the
//! case is refuted (`… -> .`); then the constructors of one such type are tried.
//!
//! Only matches that such types take part in are looked at here. The others are known from their decision trees, as
//! are the cases that earlier ones cover (`build/matching`).

use oxbow_base::Symbol;
use oxbow_diag::{Diagnostic, limits};
use oxbow_psg::Prim;

use crate::tast::{self, Pattern, PatternKind};
use crate::types::{Label, Tag, TyConId, TyConKind, Type, TypeId, labelled_tuple};

use super::Infer;
use super::coverage_rows::{
    Cell, Found, Head, Row, Step, array_parts, ctor_of, ctor_parts, first_cells, heads_of,
    lazy_parts, looked_into, prepend, record_parts, tag_of, tag_parts, tuple_parts,
};
use super::env::Ctor;

/// How far a part is looked into that no case looks at.
const FUEL: u32 = 5;

struct Search {
    steps: usize,
}

impl Search {
    fn is_given_up(&self) -> bool {
        self.steps > limits::COVERAGE.most
    }
}

impl Infer<'_> {
    /// Looks at the cases of a match; `refuted` are those without a body, with the number of cases before them.
    pub(super) fn cover_cases(
        &mut self,
        cases: &[tast::Case],
        refuted: &[(usize, Pattern)],
        scrutinee: TypeId,
    ) {
        let patterns = || cases.iter().map(|it| &it.pattern).chain(refuted.iter().map(|it| &it.1));
        let takes_part = patterns().any(|it| self.is_about_own(it))
            || self.types.has_own_results && self.mentions_own(scrutinee, 0);
        if refuted.is_empty() && (!takes_part || self.is_clef()) {
            return;
        }
        let unguarded = |before: usize| -> Vec<Vec<Cell<'_>>> {
            let plain = cases[..before].iter().filter(|it| it.guard.is_none());
            plain.map(|it| vec![Some(&it.pattern)]).collect()
        };
        for (before, pattern) in refuted {
            let query = vec![(Some(pattern), scrutinee)];
            let mut search = Search { steps: 0 };
            if let Some(found) = self.search(unguarded(*before), query, FUEL, &mut search) {
                let example = self.example(&found);
                self.diagnostics.error(
                    Diagnostic::error("E0175", "this case cannot be refuted")
                        .at(pattern.span, format!("`{example}` would reach it"))
                        .help("give the case a body"),
                );
            }
        }
        for (before, case) in cases.iter().enumerate() {
            let query = vec![(Some(&case.pattern), scrutinee)];
            let mut search = Search { steps: 0 };
            let found = self.search(unguarded(before), query, FUEL, &mut search);
            if found.is_none() && !search.is_given_up() {
                self.types.unreachable.insert(case.pattern.span);
            }
        }
        let mut rows = unguarded(cases.len());
        rows.extend(refuted.iter().map(|it| vec![Some(&it.1)]));
        let fuel = if cases.len() + refuted.len() == 1 { FUEL } else { 0 };
        if let Some(first) = cases.first() {
            self.note_coverage(first.pattern.span, rows, scrutinee, fuel);
        }
    }

    /// The same for the pattern of a parameter.
    pub(super) fn cover_pattern(&mut self, pattern: &Pattern, ty: TypeId) {
        if self.is_about_own(pattern) {
            self.note_coverage(pattern.span, vec![vec![Some(pattern)]], ty, FUEL);
        }
    }

    fn note_coverage(
        &mut self,
        at: oxbow_base::Span,
        rows: Vec<Vec<Cell<'_>>>,
        ty: TypeId,
        fuel: u32,
    ) {
        let mut search = Search { steps: 0 };
        let found = self.search(rows, vec![(None, ty)], fuel, &mut search);
        if search.is_given_up() {
            return;
        }
        let example = found.map(|it| self.example(&it));
        // The body of a functor is looked at for each use of it.
        let known = self.types.coverage.entry(at).or_insert(None);
        if known.is_none() {
            *known = example;
        }
    }

    /// The case of a match that nothing reaches.
    pub(super) fn unreachable_case(&mut self, pattern: Pattern, result: TypeId) -> tast::Case {
        let (unit, span) = (self.builtins.unit, pattern.span.at_end());
        let ty = self.arrow(Label::None, unit, result);
        let kind = tast::ExprKind::Builtin(tast::Builtin::Prim(Prim::Unreachable));
        let func = Box::new(tast::Expr { kind, ty, span });
        let args = vec![tast::Expr { kind: tast::ExprKind::Unit, ty: unit, span }];
        let kind = tast::ExprKind::Apply { func, args };
        let body = tast::Expr { kind, ty: result, span };
        let pattern = Pattern { kind: PatternKind::Any, ty: pattern.ty, span };
        tast::Case { pattern, guard: None, body }
    }

    fn is_about_own(&self, pattern: &Pattern) -> bool {
        pattern.contains(|it| {
            matches!(it.kind, PatternKind::Construct { tycon, .. } if self.has_own_results(tycon))
        })
    }

    fn mentions_own(&mut self, ty: TypeId, depth: u32) -> bool {
        let ty = self.types.expand(ty);
        if depth > 4 {
            return false;
        }
        match self.types.nodes[ty].clone() {
            Type::Con(con, args) => {
                self.has_own_results(con)
                    || matches!(&self.types.tycons[con].kind, TyConKind::Variant(it) if it.is_empty())
                    || args.into_iter().any(|it| self.mentions_own(it, depth + 1))
            }
            Type::Tuple(items) => items.into_iter().any(|it| self.mentions_own(it, depth + 1)),
            Type::Row(row) => row.types().into_iter().any(|it| self.mentions_own(it, depth + 1)),
            Type::Var { .. } | Type::Link(_) | Type::Error | Type::Arrow(..) => false,
        }
    }

    // ------------------------------------------------------------------ search

    /// A value for each column of the query that no row matches.
    fn search(
        &mut self,
        rows: Vec<Vec<Cell<'_>>>,
        mut query: Vec<(Cell<'_>, TypeId)>,
        fuel: u32,
        search: &mut Search,
    ) -> Option<Vec<Found>> {
        search.steps += 1;
        if search.is_given_up() {
            return None;
        }
        if query.is_empty() {
            return rows.is_empty().then(Vec::new);
        }
        let (cell, ty) = query.remove(0);
        let cell = cell.and_then(looked_into);
        if let Some(Pattern { kind: PatternKind::Or(left, right), .. }) = cell {
            return [left, right].into_iter().find_map(|side| {
                let mut query = query.clone();
                query.insert(0, (Some(side), ty));
                self.search(rows.clone(), query, fuel, search)
            });
        }
        let rows: Vec<Row<'_>> = rows.into_iter().flat_map(first_cells).collect();
        let head = cell.or_else(|| rows.iter().find_map(|it| it.0));
        let step = Step { rows, cell, ty, rest: query, fuel };
        match head.map(|it| &it.kind) {
            None if step.rows.is_empty() && fuel > 0 => self.explode(step, search),
            None => self.skip(step, search),
            Some(PatternKind::Construct { tycon, .. }) => self.constructors(*tycon, step, search),
            Some(PatternKind::Variant { .. }) => self.tags(step, search),
            Some(PatternKind::Tuple(items)) => {
                let expanded = self.types.expand(ty);
                let types = match &self.types.nodes[expanded] {
                    Type::Tuple(types) => types.clone(),
                    _ => items.iter().map(|it| it.ty).collect(),
                };
                let (parts, rest) = self.parts(step, types, tuple_parts, search)?;
                Some(prepend(Found::Tuple(parts), rest))
            }
            Some(PatternKind::Record { tycon, .. }) => {
                let tycon = *tycon;
                let types = self.field_types(tycon, ty);
                let (parts, rest) = self.parts(step, types, record_parts, search)?;
                Some(prepend(Found::Record(tycon, parts), rest))
            }
            Some(PatternKind::Lazy { pattern, .. }) => {
                let types = vec![pattern.ty];
                let (mut parts, rest) = self.parts(step, types, lazy_parts, search)?;
                let inner = parts.pop().unwrap_or(Found::Any);
                Some(prepend(Found::Lazy(Box::new(inner)), rest))
            }
            Some(
                PatternKind::Bool(_)
                | PatternKind::Constant(_)
                | PatternKind::CharRange(..)
                | PatternKind::Array(_)
                | PatternKind::Exn { .. },
            ) => self.heads(step, search),
            Some(
                PatternKind::Any
                | PatternKind::Var(_)
                | PatternKind::Unit
                | PatternKind::Alias(..)
                | PatternKind::Or(..)
                | PatternKind::Error(_),
            ) => oxbow_diag::ice!("a pattern that looks at nothing"),
        }
    }

    /// Nobody looks at the column.
    fn skip(&mut self, step: Step<'_>, search: &mut Search) -> Option<Vec<Found>> {
        let rows = step.rows.into_iter().filter(|it| it.0.is_none()).map(|it| it.1).collect();
        let rest = self.search(rows, step.rest, step.fuel, search)?;
        Some(prepend(Found::Any, rest))
    }

    /// A column that no row is left for: is there a value of its type?
    fn explode(&mut self, step: Step<'_>, search: &mut Search) -> Option<Vec<Found>> {
        let expanded = self.types.expand(step.ty);
        let fuel = step.fuel - 1;
        match self.types.nodes[expanded].clone() {
            Type::Tuple(types) => {
                let step = Step { fuel, ..step };
                let (parts, rest) = self.parts(step, types, tuple_parts, search)?;
                Some(prepend(Found::Tuple(parts), rest))
            }
            Type::Con(con, _) => match &self.types.tycons[con].kind {
                TyConKind::Variant(_) if self.has_own_results(con) => {
                    self.constructors(con, Step { fuel: 0, ..step }, search)
                }
                TyConKind::Variant(ctors) if ctors.len() < 2 => {
                    self.constructors(con, Step { fuel, ..step }, search)
                }
                TyConKind::Record(_) => {
                    let types = self.field_types(con, step.ty);
                    let step = Step { fuel, ..step };
                    let (parts, rest) = self.parts(step, types, record_parts, search)?;
                    Some(prepend(Found::Record(con, parts), rest))
                }
                _ => self.skip(step, search),
            },
            Type::Var { .. } | Type::Link(_) | Type::Error | Type::Arrow(..) | Type::Row(_) => {
                self.skip(step, search)
            }
        }
    }

    fn constructors(
        &mut self,
        tycon: TyConId,
        step: Step<'_>,
        search: &mut Search,
    ) -> Option<Vec<Found>> {
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return None };
        let all = 0..ctors.len() as u32;
        let span = ctors.first().map(|it| it.span)?;
        let wanted = step.cell.and_then(ctor_of);
        all.filter(|&it| wanted.is_none_or(|wanted| wanted == it)).find_map(|index| {
            let step = step.clone();
            self.trial(|cx| {
                let ctor = Ctor::Variant(tycon, index);
                let instance = match cx.own_result(ctor) {
                    Some(own) => cx.relate_ctor(ctor, &own, span),
                    None => cx.instantiate_ctor(ctor),
                };
                cx.relate(step.ty, instance.result).ok()?;
                let rows = step
                    .rows
                    .iter()
                    .filter(|it| it.0.and_then(ctor_of).is_none_or(|it| it == index));
                let rows = rows.cloned().collect();
                let step = Step { rows, ..step };
                let (parts, rest) = cx.parts(step, instance.args, ctor_parts, search)?;
                Some(prepend(Found::Ctor(tycon, index, parts), rest))
            })
        })
    }

    /// The tags of a row, and any other if it is open.
    fn tags(&mut self, step: Step<'_>, search: &mut Search) -> Option<Vec<Found>> {
        let expanded = self.types.expand(step.ty);
        let (mut tags, closed): (Vec<(Symbol, Option<TypeId>)>, bool) =
            match &self.types.nodes[expanded] {
                Type::Row(row) if !row.object => {
                    let held = |it: &Tag| it.types().first().copied();
                    (row.tags.iter().map(|(name, it)| (*name, held(it))).collect(), row.closed)
                }
                _ => (Vec::new(), false),
            };
        let shown = step.cell.into_iter().chain(step.rows.iter().filter_map(|it| it.0));
        for (tag, arg) in shown.filter_map(tag_of) {
            if !tags.iter().any(|it| it.0 == tag) {
                tags.push((tag, arg.map(|it| it.ty)));
            }
        }
        let wanted = step.cell.and_then(tag_of).map(|it| it.0);
        let found = tags
            .into_iter()
            .filter(|it| wanted.is_none_or(|wanted| wanted == it.0))
            .find_map(|(tag, held)| {
                let fits =
                    |it: &&Row<'_>| it.0.is_none_or(|it| tag_of(it).is_some_and(|it| it.0 == tag));
                let rows = step.rows.iter().filter(fits).cloned().collect();
                let step = Step { rows, ..step.clone() };
                let types = held.into_iter().collect();
                let (mut parts, rest) = self.parts(step, types, tag_parts, search)?;
                Some(prepend(Found::Tag(tag, parts.pop().map(Box::new)), rest))
            });
        match found {
            None if !closed && step.cell.is_none() => self.skip(step, search),
            found => found,
        }
    }

    /// Replaces the column by its parts, in all rows.
    fn parts(
        &mut self,
        step: Step<'_>,
        types: Vec<TypeId>,
        parts_of: impl Fn(&Pattern) -> Vec<(usize, &Pattern)>,
        search: &mut Search,
    ) -> Option<(Vec<Found>, Vec<Found>)> {
        let count = types.len();
        fn open<'t>(
            cell: Cell<'t>,
            count: usize,
            parts_of: impl Fn(&'t Pattern) -> Vec<(usize, &'t Pattern)>,
        ) -> Vec<Cell<'t>> {
            let mut cells = vec![None; count];
            for (at, part) in cell.map(parts_of).unwrap_or_default() {
                if let Some(slot) = cells.get_mut(at) {
                    *slot = Some(part);
                }
            }
            cells
        }
        let rows = step
            .rows
            .into_iter()
            .map(|(cell, rest)| open(cell, count, &parts_of).into_iter().chain(rest).collect())
            .collect();
        let query = open(step.cell, count, &parts_of).into_iter().zip(types).chain(step.rest);
        let mut found = self.search(rows, query.collect(), step.fuel, search)?;
        let rest = found.split_off(count);
        Some((found, rest))
    }

    /// Heads of types with too many to list them: those that occur, and some other.
    fn heads(&mut self, step: Step<'_>, search: &mut Search) -> Option<Vec<Found>> {
        let mut heads: Vec<Head> = Vec::new();
        let in_rows = step.rows.iter().filter_map(|it| it.0);
        let shown: Vec<&Pattern> = match step.cell {
            Some(cell) => vec![cell],
            None => in_rows.collect(),
        };
        for pattern in shown {
            for head in heads_of(pattern) {
                if !heads.contains(&head) {
                    heads.push(head);
                }
            }
        }
        let is_bool = heads.iter().any(|it| matches!(it, Head::Bool(_)));
        if is_bool && step.cell.is_none() {
            heads = vec![Head::Bool(true), Head::Bool(false)];
        }
        for head in &heads {
            let rows: Vec<Row<'_>> = step
                .rows
                .iter()
                .filter(|it| it.0.is_none_or(|it| head.fits(it)))
                .cloned()
                .collect();
            let sample = step.cell.into_iter().chain(rows.iter().filter_map(|it| it.0)).next();
            let types: Vec<TypeId> = sample
                .map(|it| array_parts(it).into_iter().map(|it| it.1.ty).collect())
                .unwrap_or_default();
            let step = Step { rows, ..step.clone() };
            if let Some((_, rest)) = self.parts(step, types, array_parts, search) {
                return Some(prepend(head.found(), rest));
            }
        }
        let all_chars = heads.len() == 256 && matches!(heads[0], Head::Char(_));
        if step.cell.is_some() || is_bool || all_chars {
            return None;
        }
        self.skip(step, search)
    }

    fn field_types(&mut self, tycon: TyConId, ty: TypeId) -> Vec<TypeId> {
        let params = self.types.tycons[tycon].params.clone();
        let fields: Vec<TypeId> = self.fields_of(tycon).iter().map(|it| it.ty).collect();
        let expanded = self.types.expand(ty);
        let args = match &self.types.nodes[expanded] {
            Type::Con(_, args) => args.clone(),
            _ => Vec::new(),
        };
        fields.into_iter().map(|it| self.types.substitute(it, &params, &args)).collect()
    }

    // ------------------------------------------------------------------ examples

    fn example(&self, found: &[Found]) -> String {
        found.first().map_or("_".into(), |it| self.found_text(it, false))
    }

    fn found_text(&self, found: &Found, inside: bool) -> String {
        let wrapped = |text: String| if inside { format!("({text})") } else { text };
        match found {
            Found::Any => "_".into(),
            Found::Text(text) => text.clone(),
            Found::Lazy(inner) => wrapped(format!("lazy {}", self.found_text(inner, true))),
            Found::Tag(tag, None) => format!("`{tag}"),
            Found::Tag(tag, Some(arg)) => wrapped(format!("`{tag} {}", self.found_text(arg, true))),
            Found::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|it| self.found_text(it, false)).collect();
                format!("({})", parts.join(", "))
            }
            Found::Record(tycon, parts) if let Some(labels) = &self.types.tycons[*tycon].labels => {
                labelled_tuple(labels, parts.iter().map(|it| self.found_text(it, true)))
            }
            Found::Record(tycon, parts) => {
                let fields = self.fields_of(*tycon).iter().zip(parts);
                let shown = fields.filter(|it| !matches!(it.1, Found::Any));
                let shown: Vec<_> = shown
                    .map(|(field, it)| format!("{} = {}", field.name, self.found_text(it, false)))
                    .collect();
                match shown.len() {
                    0 => "_".into(),
                    count if count < parts.len() => format!("{{ {}; _ }}", shown.join("; ")),
                    _ => format!("{{ {} }}", shown.join("; ")),
                }
            }
            Found::Ctor(tycon, index, parts) => {
                let TyConKind::Variant(ctors) = &self.types.tycons[*tycon].kind else {
                    return "_".into();
                };
                let name = ctors[*index as usize].name.as_str();
                let texts = |inside| -> Vec<String> {
                    parts.iter().map(|it| self.found_text(it, inside)).collect()
                };
                match (name, parts.len()) {
                    (_, 0) => name.into(),
                    ("::", 2) => wrapped(texts(true).join(" :: ")),
                    (_, 1) => wrapped(format!("{name} {}", texts(true)[0])),
                    _ if parts.iter().all(|it| matches!(it, Found::Any)) => {
                        wrapped(format!("{name} _"))
                    }
                    _ => wrapped(format!("{name} ({})", texts(false).join(", "))),
                }
            }
        }
    }
}
