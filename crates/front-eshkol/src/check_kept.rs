//! Warns of variables and objects outside of a procedure that keep numbers of its derivative: to a later
//! derivative these are constants.
//!
//! ```text
//! (define last 0.0)                               `last` keeps numbers of a derivative
//! (define (f x) (set! last (* x x)) last)
//! (derivative f 2.0)
//! ```
//!
//! It follows the argument of the derivative through known procedures and variables, not through data or
//! procedures that are values. What is stored must depend on it: a counter does not. Which argument a primitive changes
//! is in the table of builtins; for the library's procedures that is found by looking at them.

use oxbow_base::{IdMap, IdSet, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics};

use crate::builtin::{self, Effect, Form};
use crate::core::{Core, CoreKind, Lambda, Program, VarId, known_procedures};
use crate::emit::is_derivative;
use crate::variant::{Calls, Variant};

pub fn check_kept(program: &Program, diagnostics: &mut Diagnostics) {
    let mut check = Check {
        program,
        procedures: known_procedures(&program.items, &program.vars).into_iter().collect(),
        library: program.items[..program.user_start].iter().filter_map(|it| it.var).collect(),
        running: Vec::new(),
        inside: IdSet::new(),
        active: IdSet::new(),
        changed: IdSet::new(),
        kept: Vec::new(),
        changing: IdMap::new(),
        more: false,
    };
    for item in &program.items[program.user_start..] {
        item.value.walk(|core| check.operator(core));
    }
    if check.running.is_empty() {
        return;
    }
    check.find_changing();
    check.run();
    for var in check.kept {
        let var = &program.vars[var];
        diagnostics.warning(
            Diagnostic::warning("W0960", format!("`{}` keeps numbers of a derivative", var.name))
                .at(var.span, "made outside of the derivative, and changed inside of it")
                .note("to a later derivative, what it finds there is constant: its derivative is zero")
                .help("make it inside of the function, or set it anew before it is read"),
        );
    }
}

struct Check<'p> {
    program: &'p Program,
    /// What variables stand for that nothing changes.
    procedures: IdMap<VarId, &'p Lambda>,
    /// What the library defines.
    library: IdSet<VarId>,
    /// Procedures that run inside of derivatives, with numbers that are differentiated.
    running: Vec<&'p Lambda>,
    /// Variables that these bind.
    inside: IdSet<VarId>,
    /// Variables that depend on the argument of a derivative.
    active: IdSet<VarId>,
    /// Variables inside, in whose objects something is stored that depends on it.
    changed: IdSet<VarId>,
    /// In the order in which they were found.
    kept: Vec<VarId>,
    /// The library's procedures that change what they are given, and in which places.
    changing: IdMap<VarId, Vec<usize>>,
    more: bool,
}

impl<'p> Check<'p> {
    /// The name of a procedure of the library, `f` for `%f/at`.
    fn library_name(&self, callee: &Core) -> Option<Symbol> {
        let name = match &callee.kind {
            CoreKind::Builtin(id) => Symbol::new(builtin::table().get(*id).name),
            CoreKind::Ref(var) if self.library.contains(*var) => {
                let var = &self.program.vars[*var];
                match var.variant {
                    Some(Variant { of, at: Calls::Placed }) => of,
                    _ => var.name,
                }
            }
            _ => return None,
        };
        Some(name)
    }

    /// Takes up the procedures that a call gives to an operator.
    fn operator(&mut self, core: &'p Core) {
        let CoreKind::Call(callee, args) = &core.kind else { return };
        if !self.library_name(callee).is_some_and(is_derivative) {
            return;
        }
        for arg in args {
            let lambda = match &arg.kind {
                CoreKind::Lambda(lambda) => Some(&**lambda),
                CoreKind::Ref(var) => self.procedures.get(*var).copied(),
                _ => None,
            };
            if let Some(lambda) = lambda {
                self.start(lambda);
                let params = lambda.params.iter().chain(&lambda.rest);
                params.for_each(|&it| self.activate(it));
            }
        }
    }

    fn start(&mut self, lambda: &'p Lambda) {
        if self.running.iter().any(|it| std::ptr::eq(*it, lambda)) {
            return;
        }
        self.more = true;
        self.running.push(lambda);
        let (inside, params) = (&mut self.inside, lambda.params.iter().chain(&lambda.rest));
        inside.extend(params);
        lambda.body.walk(|core| match &core.kind {
            CoreKind::Let(bindings, _) => inside.extend(bindings.iter().map(|it| it.0)),
            CoreKind::Block(items, _) => inside.extend(items.iter().filter_map(|it| it.var)),
            CoreKind::Lambda(it) => inside.extend(it.params.iter().chain(&it.rest)),
            CoreKind::CaseLambda(all) => {
                inside.extend(all.iter().flat_map(|it| it.params.iter().chain(&it.rest)));
            }
            CoreKind::Guard { var, .. } => {
                inside.insert(*var);
            }
            _ => (),
        });
    }

    fn activate(&mut self, var: VarId) {
        self.more |= self.active.insert(var);
    }

    /// Each round follows one more call or variable.
    fn run(&mut self) {
        while std::mem::take(&mut self.more) {
            for lambda in self.running.clone() {
                lambda.body.walk(|core| self.visit(core));
            }
        }
    }

    fn visit(&mut self, core: &'p Core) {
        match &core.kind {
            CoreKind::Let(bindings, _) => {
                for (var, value) in bindings {
                    self.bind(*var, value);
                }
            }
            CoreKind::Block(items, _) => {
                for item in items {
                    item.var.into_iter().for_each(|var| self.bind(var, &item.value));
                }
            }
            CoreKind::Set(var, value) if self.depends(value) => self.store(*var),
            CoreKind::Call(callee, args) => self.call(callee, args),
            _ => (),
        }
    }

    fn bind(&mut self, var: VarId, value: &Core) {
        if self.depends(value) {
            self.activate(var);
        }
    }

    fn store(&mut self, var: VarId) {
        if self.inside.contains(var) {
            self.activate(var);
            self.more |= self.changed.insert(var);
        } else if !self.library.contains(var)
            && !self.procedures.contains(var)
            && !self.kept.contains(&var)
        {
            self.kept.push(var);
        }
    }

    fn call(&mut self, callee: &'p Core, args: &'p [Core]) {
        if !args.iter().any(|it| self.depends(it)) {
            return;
        }
        let places = self.changed_places(callee);
        if !places.is_empty() {
            let objects = places.iter().filter_map(|&it| args.get(it).and_then(object));
            return objects.collect::<Vec<_>>().into_iter().for_each(|it| self.store(it));
        }
        let lambda = match &callee.kind {
            CoreKind::Lambda(lambda) => &**lambda,
            CoreKind::Ref(var) if !self.library.contains(*var) => match self.procedures.get(*var) {
                Some(lambda) => lambda,
                None => return,
            },
            _ => return,
        };
        self.start(lambda);
        for (&param, arg) in lambda.params.iter().zip(args) {
            self.bind(param, arg);
            if self.changed.contains(param) {
                referred(arg).into_iter().for_each(|it| self.store(it));
            }
        }
    }

    /// The arguments that a procedure of the library changes.
    fn changed_places(&self, callee: &Core) -> Vec<usize> {
        match &callee.kind {
            CoreKind::Builtin(id) => {
                builtin::table().get(*id).effect.changed_argument().into_iter().collect()
            }
            CoreKind::Ref(var) => self.changing.get(*var).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Fills `changing`: a parameter is changed if it is part of what stands where a call changes its argument.
    fn find_changing(&mut self) {
        let items = &self.program.items[..self.program.user_start];
        let procedures = known_procedures(items, &self.program.vars);
        let mut more = true;
        while std::mem::take(&mut more) {
            for (var, lambda) in &procedures {
                let mut found = self.changing.get(*var).cloned().unwrap_or_default();
                let before = found.len();
                lambda.body.walk(|core| {
                    let CoreKind::Call(callee, args) = &core.kind else { return };
                    for arg in self.changed_places(callee).into_iter().filter_map(|it| args.get(it))
                    {
                        let is_part = |it: &VarId| {
                            let mut found = false;
                            arg.walk(|core| found |= referred(core) == Some(*it));
                            found
                        };
                        let place = lambda.params.iter().position(is_part);
                        found.extend(place.filter(|it| !found.contains(it)));
                    }
                });
                if found.len() > before {
                    more = true;
                    self.changing.insert(*var, found);
                }
            }
        }
    }

    /// Whether the value of an expression can depend on the argument of a derivative. Nesting is
    /// bounded by the reader.
    fn depends(&self, core: &Core) -> bool {
        match &core.kind {
            CoreKind::Ref(var) => self.active.contains(*var),
            CoreKind::If(_, yes, no) => self.depends(yes) || self.depends(no),
            CoreKind::And(items) | CoreKind::Or(items) => items.iter().any(|it| self.depends(it)),
            CoreKind::Seq(items) => items.last().is_some_and(|it| self.depends(it)),
            CoreKind::Let(_, body) | CoreKind::Block(_, body) => self.depends(body),
            CoreKind::Guard { body, handler, .. } => self.depends(body) || self.depends(handler),
            CoreKind::Call(callee, args) => {
                // Tests give no numbers.
                let is_test = matches!(callee.kind, CoreKind::Builtin(id)
                    if builtin::table().get(id).result == Form::Bool);
                !is_test && args.iter().any(|it| self.depends(it))
            }
            CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Builtin(_)
            | CoreKind::Set(..)
            | CoreKind::Lambda(_)
            | CoreKind::CaseLambda(_) => false,
        }
    }
}

fn referred(core: &Core) -> Option<VarId> {
    match core.kind {
        CoreKind::Ref(var) => Some(var),
        _ => None,
    }
}

/// The variable that an object is reached from: `v` of `v`, `(car v)`, `(unbox (cdr v))`.
fn object(core: &Core) -> Option<VarId> {
    match &core.kind {
        CoreKind::Ref(var) => Some(*var),
        CoreKind::Call(callee, args) => match (&callee.kind, &args[..]) {
            (CoreKind::Builtin(id), [from])
                if builtin::table().get(*id).effect == Effect::Reads =>
            {
                object(from)
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::core_of;

    fn kept(text: &str) -> usize {
        let mut diagnostics = Diagnostics::new();
        check_kept(&core_of(text), &mut diagnostics);
        diagnostics.iter().filter(|it| it.code == "W0960").count()
    }

    #[test]
    fn what_outlives_a_derivative_is_found() {
        for text in [
            "(define y 0.0) (define (f x) (set! y (* x x)) y) (derivative f 2.0)",
            "(define v (vector 0 0)) (derivative (lambda (x) (vector-set! v 0 (* x x)) (vector-ref v 0)) 2.0)",
            "(define y 0.0) (define (g z) (set! y z) z)
             (define (f p) (let ((a (vector-ref p 0))) (let loop ((i 0) (s a)) (if (= i 3) (g s) (loop (+ i 1) (* s a))))))
             (gradient f (vector 1.0))",
            "(define-record-type cell (make-cell v) cell? (v cell-v set-cell-v!)) (define c (make-cell 0.0))
             (define (f x) (set-cell-v! c (* x x)) (cell-v c)) (derivative f 2.0)",
            "(define t (make-hash-table)) (define (f x) (hash-table-set! t 1 (sin x)) (hash-table-ref t 1)) (derivative f 2.0)",
            "(define t (make-hash-table)) (define (f x) (hash-table-update!/default t 1 max x) 1) (derivative f 2.0)",
            "(define l (list 1 2)) (define (f x) (list-set! l 0 x) (car l)) (derivative f 2.0)",
            "(define l (list (vector 0))) (define (f x) (vector-set! (car l) 0 x) x) (derivative f 2.0)",
        ] {
            assert_eq!(kept(text), 1, "{text}");
        }
        for text in [
            "(define n 0) (define (f x) (set! n (+ n 1)) (* x x)) (derivative f 2.0)",
            "(define y 0.0) (define (f x) (set! y (* x x)) y) (f 2.0)",
            "(define (f x) (let ((y 0.0)) (set! y (* x x)) y)) (derivative f 2.0)",
            "(define-record-type cell (make-cell v) cell? (v cell-v set-cell-v!))
             (define (f x) (let ((c (make-cell 0.0))) (set-cell-v! c (* x x)) (cell-v c))) (derivative f 2.0)",
            "(define i 0) (define (f x) (let ((v (list (vector x)))) (vector-set! (car v) i x) x)) (derivative f 2.0)",
            "(define l (list 1 2)) (define (f x) (car (append! l (list x)))) (derivative f 2.0)",
            "(define (less a b) (< a b)) (define (f x) (let ((v (vector x 1.0))) (vector-sort! v less) x)) (derivative f 2.0)",
            "(define n 0) (define (f x) (set! n (if (> x 0.0) 1 2)) (* x x)) (derivative f 2.0)",
        ] {
            assert_eq!(kept(text), 0, "{text}");
        }
    }
}
