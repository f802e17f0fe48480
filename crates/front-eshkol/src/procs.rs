//! Parameters that always hold procedures of one number of arguments, and are only called.
//!
//! ```text
//! (define (each f l) (if (pair? l) (begin (f (car l)) (each f (cdr l)))))
//! (each (lambda (x) (display x)) '(1 2))         f is a function of one argument
//! ```
//!
//! Such a parameter is held as a function: a call of it needs no test, and a `lambda` that is passed to
//! it needs no object around its closure. Everything that flows into it must be known, and
//! nothing may look at it as a value; parameters that are passed to each other stand or fall together.

use oxbow_base::{IdMap, IdSet};

use crate::builtin::{self, BuiltinId};
use crate::core::{Core, CoreKind, Item, Lambda, Program, VarId};

/// Functions have up to this many parameters.
const MOST: usize = 4;

/// The parameters, with their numbers of arguments.
pub fn procs(program: &Program) -> IdMap<VarId, u8> {
    let mut search = Search::new(program);
    search.collect();
    let escaped = search.escaped();
    for (var, lambda) in search.lambdas.iter() {
        if !escaped.contains(var) {
            let fit = lambda.params.iter().filter(|it| !program.vars[**it].mutated);
            search.groups.extend(fit.map(|&it| (it, it)));
        }
    }
    for item in &program.items {
        search.visit_all(&item.value);
    }
    search.solve()
}

struct Search<'p> {
    program: &'p Program,
    lambdas: IdMap<VarId, &'p Lambda>,
    /// Candidates, with another of their group or themselves.
    groups: IdMap<VarId, VarId>,
    /// How often each is called or given a procedure of so many arguments.
    counts: Vec<(VarId, usize)>,
    builtins: Vec<(VarId, BuiltinId)>,
    bad: Vec<VarId>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            lambdas: IdMap::new(),
            groups: IdMap::new(),
            counts: Vec::new(),
            builtins: Vec::new(),
            bad: Vec::new(),
        }
    }

    fn collect(&mut self) {
        let program = self.program;
        self.bind_items(&program.items);
        for item in &program.items {
            each(&item.value, &mut |core| match &core.kind {
                CoreKind::Let(bindings, _) => {
                    bindings.iter().for_each(|it| self.bind(it.0, &it.1));
                }
                CoreKind::Block(items, _) => self.bind_items(items),
                _ => (),
            });
        }
    }

    fn bind_items(&mut self, items: &'p [Item]) {
        for item in items {
            if let Some(var) = item.var {
                self.bind(var, &item.value);
            }
        }
    }

    fn bind(&mut self, var: VarId, value: &'p Core) {
        if let CoreKind::Lambda(lambda) = &value.kind
            && !self.program.vars[var].mutated
            && !lambda.takes_continuation
        {
            self.lambdas.insert(var, lambda);
        }
    }

    /// The procedures that are used other than by calls with the right number of arguments.
    fn escaped(&self) -> IdSet<VarId> {
        let mut all: IdMap<VarId, i64> = IdMap::new();
        let mut called: IdMap<VarId, i64> = IdMap::new();
        for item in &self.program.items {
            each(&item.value, &mut |core| match &core.kind {
                CoreKind::Ref(var) => *all.entry_or_insert_with(*var, Default::default) += 1,
                CoreKind::Call(callee, args) => {
                    if let CoreKind::Ref(var) = callee.kind
                        && let Some(lambda) = self.lambdas.get(var)
                        && self.accepts(lambda, args.len())
                    {
                        *called.entry_or_insert_with(var, Default::default) += 1;
                    }
                }
                _ => (),
            });
        }
        let is_escaped = |it: &VarId| all.get(*it) != called.get(*it);
        self.lambdas.iter().map(|it| it.0).filter(is_escaped).collect()
    }

    fn accepts(&self, lambda: &Lambda, count: usize) -> bool {
        count == lambda.params.len() || (count > lambda.params.len() && lambda.rest.is_some())
    }

    fn visit_all(&mut self, core: &'p Core) {
        let mut todo = vec![core];
        while let Some(core) = todo.pop() {
            match &core.kind {
                CoreKind::Ref(var) => {
                    if self.groups.contains(*var) {
                        self.bad.push(*var);
                    }
                }
                CoreKind::Call(callee, args) => {
                    let params: &[VarId] = match &callee.kind {
                        CoreKind::Ref(var) if self.groups.contains(*var) => {
                            self.counts.push((*var, args.len()));
                            &[]
                        }
                        CoreKind::Ref(var) => match self.lambdas.get(*var) {
                            Some(lambda) => &lambda.params,
                            None => &[],
                        },
                        _ => {
                            todo.push(callee);
                            &[]
                        }
                    };
                    for (at, arg) in args.iter().enumerate() {
                        match params.get(at) {
                            Some(&param) if self.groups.contains(param) => {
                                self.flow(arg, param, &mut todo);
                            }
                            _ => todo.push(arg),
                        }
                    }
                }
                _ => core.for_each_child(|it| todo.push(it)),
            }
        }
    }

    /// A candidate gets a value.
    fn flow(&mut self, arg: &'p Core, param: VarId, todo: &mut Vec<&'p Core>) {
        let lambda = match &arg.kind {
            CoreKind::Lambda(lambda) => {
                todo.push(&lambda.body);
                Some(&**lambda)
            }
            CoreKind::Ref(var) if self.groups.contains(*var) => {
                let (one, other) = (self.group(*var), self.group(param));
                self.groups.insert(one, other);
                return;
            }
            CoreKind::Ref(var) => self.lambdas.get(*var).copied(),
            CoreKind::Builtin(id) => {
                self.builtins.push((param, *id));
                return;
            }
            _ => {
                todo.push(arg);
                None
            }
        };
        match lambda.filter(|it| it.rest.is_none() && !it.takes_continuation) {
            Some(lambda) => self.counts.push((param, lambda.params.len())),
            None => self.bad.push(param),
        }
    }

    fn group(&self, var: VarId) -> VarId {
        let mut var = var;
        while self.groups[var] != var {
            var = self.groups[var];
        }
        var
    }

    fn solve(&self) -> IdMap<VarId, u8> {
        let mut bad: IdSet<VarId> = self.bad.iter().map(|&it| self.group(it)).collect();
        let mut counts: IdMap<VarId, usize> = IdMap::new();
        for &(var, count) in &self.counts {
            let group = self.group(var);
            if *counts.entry_or_insert_with(group, || count) != count || count > MOST {
                bad.insert(group);
            }
        }
        for &(var, id) in &self.builtins {
            let group = self.group(var);
            let (least, most) = builtin::table().get(id).arity();
            let fits = |it: &usize| *it >= least && most.is_none_or(|most| *it <= most);
            if !counts.get(group).is_some_and(fits) {
                bad.insert(group);
            }
        }
        let known = self.groups.iter().filter_map(|(var, _)| {
            let group = self.group(var);
            let count = counts.get(group).filter(|_| !bad.contains(group))?;
            Some((var, *count as u8))
        });
        known.collect()
    }
}

fn each<'a>(core: &'a Core, visit: &mut dyn FnMut(&'a Core)) {
    let mut todo = vec![core];
    while let Some(core) = todo.pop() {
        visit(core);
        core.for_each_child(|it| todo.push(it));
    }
}
