//! Which values are pairs for certain, and which are lists of pairs: one analysis of the whole program.
//!
//! ```text
//! (define rules '())
//! (set! rules (cons (list name left right) rules))      rules: (), or pairs made by this `cons`
//! (assq 'plus rules)  (caar rules)                      whose heads are pairs made by this `list`
//! ```
//!
//! Parts of such pairs, and searches in such lists, need no test of what they find (`emit/pairs`). Every call of `cons`
//! and `list` is a site. What a variable or a part of a site's pairs can hold is a set of sites, with a mark for `()`,
//! one for what is neither `()` nor a pair, and one for "anything". Sets rise until nothing changes.
//!
//! What leaves the analysis (into a vector, a closure, an unknown call, an error's object) has escaped: whoever has
//! "anything" may have it. A store to "anything" is one to all that has escaped. Constants have two sites that have
//! escaped: equal ones may be one object, so a store to a constant is one to all of them.

use oxbow_base::{FxHashMap, IdMap, IdSet};

use crate::builtin::{self, Builtin, Form};
use crate::core::{Core, CoreKind, Item, Lambda, Program, VarId, known_procedures};
use crate::datum::{Datum, DatumKind};
use crate::procedure::Procedure;

/// Sets with more sites are "anything".
const MOST_SITES: usize = 12;
/// Programs that are not done after so many rounds are left alone.
const MOST_ROUNDS: usize = 60;

/// Where pairs are made.
type Site = usize;
/// The pairs of constants: those of lists of pairs, and all others.
const TABLES: Site = 0;
const CONSTANTS: Site = 1;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Set {
    /// Pairs of these sites, in order.
    sites: Vec<Site>,
    nil: bool,
    /// Neither `()` nor a pair.
    other: bool,
    /// Any value that is not a pair, and every pair that has escaped.
    any: bool,
}

impl Set {
    fn any() -> Self {
        Self { any: true, ..Self::default() }
    }

    fn other() -> Self {
        Self { other: true, ..Self::default() }
    }

    fn nil() -> Self {
        Self { nil: true, ..Self::default() }
    }

    fn site(site: Site) -> Self {
        Self { sites: vec![site], ..Self::default() }
    }

    /// True if something is new.
    fn add(&mut self, more: &Self) -> bool {
        let before = (self.sites.len(), self.nil, self.other, self.any);
        for &site in &more.sites {
            if let Err(at) = self.sites.binary_search(&site) {
                self.sites.insert(at, site);
            }
        }
        self.nil |= more.nil;
        self.other |= more.other;
        self.any |= more.any;
        before != (self.sites.len(), self.nil, self.other, self.any)
    }

    fn with(mut self, more: &Self) -> Self {
        self.add(more);
        self
    }

    fn only_pairs(&self) -> bool {
        !self.sites.is_empty() && !self.nil && !self.other && !self.any
    }
}

/// Of a pair.
#[derive(Clone, Copy)]
pub enum Half {
    Car,
    Cdr,
}

#[derive(Default)]
struct Pairs {
    car: Set,
    cdr: Set,
    escaped: bool,
}

/// What is known about the lists of a program.
#[derive(Default)]
pub struct Lists {
    vars: IdMap<VarId, Set>,
    pairs: Vec<Pairs>,
}

impl Lists {
    /// Whether the value is a proper list of pairs.
    pub fn is_alist(&self, core: &Core) -> bool {
        self.set(core).is_some_and(|it| self.holds_pairs(&it))
    }

    /// Whether the value is a pair.
    pub fn is_pair(&self, core: &Core) -> bool {
        self.set(core).is_some_and(|it| it.only_pairs())
    }

    /// For each step of a path: whether there is a pair, if there was one at all steps before.
    pub fn known_steps(&self, core: &Core, path: &[Half]) -> Vec<bool> {
        let Some(mut set) = self.set(core) else { return vec![false; path.len()] };
        let mut known = Vec::new();
        for &half in path {
            known.push(set.only_pairs());
            set = self.half(&set, half);
        }
        known
    }

    /// What a variable, a constant, or a part of either can be.
    fn set(&self, core: &Core) -> Option<Set> {
        match &core.kind {
            CoreKind::Ref(var) => self.vars.get(*var).cloned(),
            CoreKind::Const(datum) => (!self.pairs.is_empty()).then(|| constant(datum)),
            CoreKind::Call(callee, args) => {
                let CoreKind::Builtin(id) = callee.kind else { return None };
                let ([pair], Some(path)) = (&args[..], path(builtin::table().get(id).name)) else {
                    return None;
                };
                let set = self.set(pair)?;
                Some(path.into_iter().fold(set, |it, half| self.half(&it, half)))
            }
            _ => None,
        }
    }

    fn holds_pairs(&self, set: &Set) -> bool {
        let ends = |it: &Set| !it.other && !it.any;
        ends(set)
            && self.spine(set).into_iter().all(|it| {
                let pairs = &self.pairs[it];
                ends(&pairs.cdr) && pairs.car.only_pairs()
            })
    }

    /// The sites that a list's pairs come from.
    fn spine(&self, set: &Set) -> Vec<Site> {
        let mut found = set.sites.clone();
        let mut at = 0;
        while let Some(&site) = found.get(at) {
            let new = self.pairs[site].cdr.sites.iter().filter(|it| !found.contains(it));
            let new: Vec<Site> = new.copied().collect();
            found.extend(new);
            at += 1;
        }
        found
    }

    fn half(&self, set: &Set, half: Half) -> Set {
        let mut found = Set { any: set.any, ..Set::default() };
        for &site in &set.sites {
            found.add(match half {
                Half::Car => &self.pairs[site].car,
                Half::Cdr => &self.pairs[site].cdr,
            });
        }
        found
    }

    fn elements(&self, list: &Set) -> Set {
        let spine = self.spine(list);
        let any = list.any || spine.iter().any(|&it| self.pairs[it].cdr.any);
        self.half(&Set { sites: spine, any, ..Set::default() }, Half::Car)
    }
}

/// Finds the lists of a program without first-class continuations.
pub fn lists(program: &Program) -> Lists {
    let mut pass = Pass {
        lists: Lists::default(),
        lambdas: known_procedures(&program.items, &program.vars).into_iter().collect(),
        results: IdMap::new(),
        valued: IdSet::new(),
        sites: FxHashMap::default(),
        stores_anywhere: false,
        changed: false,
    };
    let takes_parts = program.items.iter().any(|it| mentions_parts(&it.value));
    if !takes_parts {
        return Lists::default();
    }
    let all = Set { sites: vec![TABLES, CONSTANTS], nil: true, other: true, any: false };
    let rest = Set::site(TABLES).with(&Set::nil());
    pass.lists.pairs = vec![
        Pairs {
            car: Set { sites: vec![TABLES, CONSTANTS], ..Set::default() },
            cdr: rest,
            escaped: true,
        },
        Pairs { car: all.clone(), cdr: all, escaped: true },
    ];
    for _ in 0..MOST_ROUNDS {
        pass.changed = false;
        pass.items(&program.items);
        if let Some(result) = program.main.and_then(|it| pass.results.get(it).cloned()) {
            pass.escape(&result);
        }
        pass.close();
        if !pass.changed {
            return pass.lists;
        }
    }
    Lists::default()
}

/// Whether something asks what is known.
fn mentions_parts(core: &Core) -> bool {
    let asks = |it: &Builtin| {
        matches!(
            it.procedure,
            Procedure::Assq
                | Procedure::Assv
                | Procedure::Assoc
                | Procedure::SetCar
                | Procedure::SetCdr
        ) || path(it.name).is_some()
    };
    let mut todo = vec![core];
    while let Some(core) = todo.pop() {
        if let CoreKind::Builtin(id) = core.kind
            && asks(builtin::table().get(id))
        {
            return true;
        }
        core.for_each_child(|it| todo.push(it));
    }
    false
}

struct Pass<'p> {
    lists: Lists,
    /// The procedures that are bound to variables which nothing changes.
    lambdas: IdMap<VarId, &'p Lambda>,
    results: IdMap<VarId, Set>,
    /// Those of them that are used as values: nothing is known of their arguments, and anybody gets what they give.
    valued: IdSet<VarId>,
    /// By the address of the call.
    sites: FxHashMap<*const Core, Site>,
    /// Some store may be to any pair that has escaped.
    stores_anywhere: bool,
    changed: bool,
}

impl<'p> Pass<'p> {
    fn items(&mut self, items: &'p [Item]) {
        for item in items {
            match item.var {
                Some(var) => self.define(var, &item.value),
                None => {
                    self.eval(&item.value);
                }
            }
        }
    }

    fn define(&mut self, var: VarId, value: &'p Core) {
        if let Some(&lambda) = self.lambdas.get(var) {
            if let Some(rest) = lambda.rest {
                self.flow(rest, &Set::any());
            }
            let result = self.eval(&lambda.body);
            let before = self.results.remove(var).unwrap_or_default();
            let result = self.join(before, &result);
            self.results.insert(var, result.clone());
            if self.valued.contains(var) {
                self.open(lambda, &result);
            }
        } else {
            let value = self.eval(value);
            self.flow(var, &value);
        }
    }

    /// A procedure that anybody may call.
    fn open(&mut self, lambda: &'p Lambda, result: &Set) {
        for &param in lambda.params.iter().chain(&lambda.rest) {
            self.flow(param, &Set::any());
        }
        self.escape(result);
    }

    fn flow(&mut self, var: VarId, value: &Set) {
        let before = self.lists.vars.remove(var).unwrap_or_default();
        let set = self.join(before, value);
        self.lists.vars.insert(var, set);
    }

    fn store(&mut self, site: Site, half: Half, value: &Set) {
        let before = std::mem::take(self.part(site, half));
        let set = self.join(before, value);
        *self.part(site, half) = set;
    }

    fn part(&mut self, site: Site, half: Half) -> &mut Set {
        let pairs = &mut self.lists.pairs[site];
        match half {
            Half::Car => &mut pairs.car,
            Half::Cdr => &mut pairs.cdr,
        }
    }

    /// What is kept of a set that gets more. "Anything" stands alone, so that sets stay small.
    fn join(&mut self, mut set: Set, more: &Set) -> Set {
        if set.any {
            self.escape(more);
            return set;
        }
        self.changed |= set.add(more);
        if set.any || set.sites.len() > MOST_SITES {
            self.changed = true;
            self.escape(&set);
            return Set::any();
        }
        set
    }

    fn escape(&mut self, set: &Set) {
        for &site in &set.sites {
            let pairs = &mut self.lists.pairs[site];
            self.changed |= !pairs.escaped;
            pairs.escaped = true;
        }
    }

    /// What has escaped can be reached with all its parts, and perhaps be changed.
    fn close(&mut self) {
        for site in 0..self.lists.pairs.len() {
            if !self.lists.pairs[site].escaped {
                continue;
            }
            let parts = self.lists.pairs[site].car.clone().with(&self.lists.pairs[site].cdr);
            self.escape(&parts);
            if self.stores_anywhere {
                self.store(site, Half::Car, &Set::any());
                self.store(site, Half::Cdr, &Set::any());
            }
        }
    }

    fn store_anywhere(&mut self) {
        self.changed |= !self.stores_anywhere;
        self.stores_anywhere = true;
    }

    fn site(&mut self, core: &Core) -> Site {
        let next = self.lists.pairs.len();
        let site = *self.sites.entry(std::ptr::from_ref(core)).or_insert(next);
        if site == next {
            self.lists.pairs.push(Pairs::default());
            self.changed = true;
        }
        site
    }

    /// What an expression gives, after what it does.
    fn eval(&mut self, core: &'p Core) -> Set {
        match &core.kind {
            CoreKind::Const(datum) => constant(datum),
            CoreKind::Unspecified => Set::other(),
            CoreKind::Ref(var) => {
                if self.lambdas.contains(*var) {
                    self.changed |= self.valued.insert(*var);
                    return Set::other();
                }
                self.lists.vars.get(*var).cloned().unwrap_or_default()
            }
            CoreKind::Builtin(id) => {
                if builtin::table().get(*id).effect.stores_to_pairs() {
                    self.store_anywhere();
                }
                Set::other()
            }
            CoreKind::Set(var, value) => {
                let value = self.eval(value);
                self.flow(*var, &value);
                Set::other()
            }
            CoreKind::If(test, yes, no) => {
                self.eval(test);
                let yes = self.eval(yes);
                self.eval(no).with(&yes)
            }
            // All but the last give false or nothing.
            CoreKind::And(items) => {
                let mut last = Set::other();
                for item in items {
                    last = self.eval(item);
                }
                last.with(&Set::other())
            }
            CoreKind::Or(items) => {
                items.iter().fold(Set::other(), |all, it| self.eval(it).with(&all))
            }
            CoreKind::Lambda(lambda) => {
                self.anonymous(lambda);
                Set::other()
            }
            CoreKind::CaseLambda(clauses) => {
                clauses.iter().for_each(|it| self.anonymous(it));
                Set::other()
            }
            CoreKind::Let(bindings, body) => {
                bindings.iter().for_each(|it| self.define(it.0, &it.1));
                self.eval(body)
            }
            CoreKind::Block(items, body) => {
                self.items(items);
                self.eval(body)
            }
            CoreKind::Seq(items) => {
                let mut last = Set::other();
                for item in items {
                    last = self.eval(item);
                }
                last
            }
            CoreKind::Call(callee, args) => self.call(core, callee, args),
            CoreKind::Guard { body, var, handler } => {
                self.flow(*var, &Set::any());
                let body = self.eval(body);
                self.eval(handler).with(&body)
            }
        }
    }

    fn anonymous(&mut self, lambda: &'p Lambda) {
        let result = self.eval(&lambda.body);
        self.open(lambda, &result);
    }

    fn call(&mut self, core: &'p Core, callee: &'p Core, args: &'p [Core]) -> Set {
        match &callee.kind {
            CoreKind::Builtin(id) => {
                let args: Vec<Set> = args.iter().map(|it| self.eval(it)).collect();
                self.builtin(core, builtin::table().get(*id), &args)
            }
            CoreKind::Ref(var) if self.lambdas.contains(*var) => {
                let lambda = self.lambdas[*var];
                let mut params = lambda.params.iter();
                for arg in args {
                    let value = self.eval(arg);
                    match params.next() {
                        Some(&param) => self.flow(param, &value),
                        None => self.escape(&value),
                    }
                }
                self.results.get(*var).cloned().unwrap_or_default()
            }
            _ => {
                for it in std::iter::once(callee).chain(args) {
                    let value = self.eval(it);
                    self.escape(&value);
                }
                Set::any()
            }
        }
    }

    fn builtin(&mut self, core: &Core, it: &Builtin, args: &[Set]) -> Set {
        if let ([pair], Some(path)) = (args, path(it.name)) {
            // Where the path ends early there is no pair, so none is part of an error.
            return path.into_iter().fold(pair.clone(), |it, half| self.lists.half(&it, half));
        }
        match (it.procedure, args) {
            (Procedure::Cons, [car, cdr]) => {
                let site = self.site(core);
                self.store(site, Half::Car, car);
                self.store(site, Half::Cdr, cdr);
                Set::site(site)
            }
            (Procedure::List, []) => Set::nil(),
            (Procedure::List, items) => {
                let site = self.site(core);
                items.iter().for_each(|it| self.store(site, Half::Car, it));
                self.store(site, Half::Cdr, &Set::site(site).with(&Set::nil()));
                Set::site(site)
            }
            (Procedure::SetCar | Procedure::SetCdr, [pair, value]) => {
                let half = if it.procedure == Procedure::SetCar { Half::Car } else { Half::Cdr };
                for &site in &pair.sites {
                    self.store(site, half, value);
                }
                if pair.sites.iter().any(|it| [TABLES, CONSTANTS].contains(it)) {
                    self.store(TABLES, half, value);
                    self.store(CONSTANTS, half, value);
                }
                if pair.any {
                    self.store_anywhere();
                    self.escape(value);
                }
                Set::other()
            }
            (Procedure::Assq | Procedure::Assv | Procedure::Assoc, [_, list]) => {
                if !self.lists.holds_pairs(list) {
                    // It may be part of an error.
                    self.escape(list);
                }
                self.lists.elements(list).with(&Set::other())
            }
            // It cannot fail, and keeps nothing.
            _ if it.result == Form::Bool && !it.takes_place => Set::other(),
            _ => {
                args.iter().for_each(|it| self.escape(it));
                if it.effect.stores_to_pairs() {
                    self.store_anywhere();
                }
                match it.result {
                    Form::Dyn | Form::Never | Form::Fun(_) => Set::any(),
                    Form::Bool | Form::Int | Form::Float | Form::Unit => Set::other(),
                }
            }
        }
    }
}

/// `cadr`: the cdr, then the car of it.
pub fn path(name: &str) -> Option<Vec<Half>> {
    let path = name.strip_prefix('c')?.strip_suffix('r')?;
    let half = |it: char| match it {
        'a' => Some(Half::Car),
        'd' => Some(Half::Cdr),
        _ => None,
    };
    if path.is_empty() { None } else { path.chars().rev().map(half).collect() }
}

fn is_pair(datum: &Datum) -> bool {
    matches!(&datum.kind, DatumKind::List(items, _) if !items.is_empty())
}

fn constant(datum: &Datum) -> Set {
    match &datum.kind {
        DatumKind::List(items, _) if items.is_empty() => Set::nil(),
        DatumKind::List(items, None) if items.iter().all(is_pair) => Set::site(TABLES),
        DatumKind::List(..) => Set::site(CONSTANTS),
        // It may be what it is a label of.
        DatumKind::Labelled(..) | DatumKind::Reference(_) => Set::any(),
        DatumKind::Bool(_)
        | DatumKind::Char(_)
        | DatumKind::String(_)
        | DatumKind::Ident(_)
        | DatumKind::Number(_)
        | DatumKind::Vector(_)
        | DatumKind::Bytes(_) => Set::other(),
    }
}

#[cfg(test)]
mod tests;
