//! Warns about closures that live as long as the program.
//!
//! ```text
//! let handlers = ref []
//! let add k = handlers.Value <- (fun x -> x + k) :: handlers.Value     no scope bounds the closure
//! ```
//!
//! Clef's specification knows the stack and regions. A closure that is put into something of a module can be
//! needed until the end, so its region is the program's; its memory is free again only if it is taken
//! out. From each such assignment the check looks for the closures in what is assigned: function literals
//! with captures, results of calls, and functions that the caller gave.
//!
//! Phase: Mono, right after `monomorphize`.

use oxbow_base::{FxHashMap, FxHashSet, Span};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::{Mono, NodeId, NodeKind, Prim, Program, Ty, VarId, walk};

/// Reports closures in the files for which `is_checked` holds.
pub fn run(
    program: &Program<Mono>,
    is_checked: &dyn Fn(Span) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let mut nodes = Vec::new();
    walk::for_each_reachable(program, |node| nodes.push(node));
    nodes.sort_unstable();
    let mut values = FxHashMap::default();
    for &node in &nodes {
        if let NodeKind::Let { var, value, .. } = program.nodes[node].kind {
            values.insert(var, value);
        }
    }
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    for node in nodes {
        let place = program.span(node);
        let Some((owner, value)) = store(program, node).filter(|_| is_checked(place)) else {
            continue;
        };
        let mut found = Found { program, values: &values, closures: Vec::new(), owner };
        found.look(value);
        for (span, what) in found.closures {
            if seen.insert(span) {
                diagnostics.warning(report(program, owner, place, span, &what));
            }
        }
    }
}

fn report(
    program: &Program<Mono>,
    owner: VarId,
    place: Span,
    closure: Span,
    what: &str,
) -> Diagnostic {
    let name = program.vars[owner].name;
    let reason = format!("put into `{name}`, which lives as long as the program");
    let mut report = Diagnostic::warning(
        "W0902",
        "nothing bounds the life of this closure but the program's end",
    );
    if place == closure {
        report = report.at(place, format!("{what} is {reason}"));
    } else {
        report = report.at(closure, what.to_string()).label(place, reason);
    }
    report
        .note(format!("its memory is free again when it is taken out of `{name}`, and not before"))
}

/// The module-level variable that an assignment changes, and what it puts there.
fn store(program: &Program<Mono>, node: NodeId) -> Option<(VarId, NodeId)> {
    match &program.nodes[node].kind {
        NodeKind::Assign { var, value } if program.vars[*var].global => Some((*var, *value)),
        NodeKind::SetField { object, value, .. } => Some((root(program, *object)?, *value)),
        NodeKind::Prim { prim: Prim::ArraySet, args } => Some((root(program, args[0])?, args[2])),
        NodeKind::Apply { func, args, .. } => {
            let NodeKind::Var { var, .. } = program.nodes[*func].kind else { return None };
            let name = program.vars[var].name;
            let stores = name.as_str() == ":=" || name.as_str().contains("set_");
            let (&object, &value) = (args.first()?, args.last()?);
            (stores && args.len() > 1).then(|| Some((root(program, object)?, value)))?
        }
        _ => None,
    }
}

/// The module-level variable that an object is, or is part of.
fn root(program: &Program<Mono>, node: NodeId) -> Option<VarId> {
    match program.nodes[node].kind {
        NodeKind::Var { var, .. } if program.vars[var].global => Some(var),
        NodeKind::Field { object, .. } => root(program, object),
        _ => None,
    }
}

struct Found<'a> {
    program: &'a Program<Mono>,
    values: &'a FxHashMap<VarId, NodeId>,
    closures: Vec<(Span, String)>,
    owner: VarId,
}

impl Found<'_> {
    fn look(&mut self, node: NodeId) {
        let program = self.program;
        let span = program.span(node);
        let is_function = matches!(program.types.get(program.ty(node)), Ty::Fn(..));
        match &program.nodes[node].kind {
            NodeKind::Lambda(lambda) => {
                let captures = &program.lambdas[*lambda].captures;
                if !captures.is_empty() {
                    let names: Vec<_> = captures
                        .iter()
                        .map(|it| format!("`{}`", program.vars[it.var].name))
                        .collect();
                    self.closures.push((span, format!("captures {}", names.join(", "))));
                }
            }
            NodeKind::Var { var, .. } if is_function && !program.vars[*var].global => {
                match self.values.get(var) {
                    Some(&value) => self.look(value),
                    None => {
                        let what = format!("the function `{}`", program.vars[*var].name);
                        self.closures.push((span, what));
                    }
                }
            }
            NodeKind::Apply { .. } if is_function => {
                self.closures.push((span, "the function that this call makes".into()));
            }
            NodeKind::Var { var, .. } if *var != self.owner && !program.vars[*var].global => {
                if let Some(&value) = self.values.get(var) {
                    self.look(value);
                }
            }
            NodeKind::Construct { args, .. } => args.iter().for_each(|&it| self.look(it)),
            NodeKind::Tuple(items) | NodeKind::Record(items) | NodeKind::Array(items) => {
                items.iter().for_each(|&it| self.look(it));
            }
            NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => self.look(*body),
            NodeKind::Seq(parts) => parts.last().into_iter().for_each(|&it| self.look(it)),
            NodeKind::If { then, otherwise, .. } => {
                self.look(*then);
                self.look(*otherwise);
            }
            NodeKind::Switch { cases, default, .. } => {
                cases.iter().map(|it| it.1).chain(*default).for_each(|it| self.look(it));
            }
            // Arguments of a call are looked at where they are function literals: `Map.add k f m`.
            NodeKind::Apply { args, .. } => {
                for &arg in args {
                    let ty = program.types.get(program.ty(arg));
                    let literal = matches!(program.nodes[arg].kind, NodeKind::Construct { .. });
                    if matches!(ty, Ty::Fn(..)) || literal {
                        self.look(arg);
                    }
                }
            }
            _ => (),
        }
    }
}
