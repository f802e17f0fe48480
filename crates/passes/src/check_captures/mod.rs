//! A variable that a closure captures by reference must outlive the closure.
//!
//! ```text
//! let mutable n = 0
//! List.iter (fun x -> n <- n + x) xs      accepted: `iter` only calls its argument
//! fun () -> n <- n + 1                    refused: the closure leaves the scope of `n`
//! ```
//!
//! From each closure over such a variable the check follows the value: through names, data, branches,
//! calls of known functions (whose parameters are followed in turn) and other closures that capture it. The value
//! escapes if it becomes the result of the variable's scope, or is stored in, assigned to or raised as
//! something that lives longer, or is given to code that is not known. Values of types without functions
//! hold no closure and are not followed.
//!
//! Phase: Mono, before anything is moved. The library keeps no function that it is given; it may
//! return it, and pass it to the other functions that it is given.

mod report;

use oxbow_base::{FxHashMap, FxHashSet, IdMap, SourceMap, Span};
use oxbow_diag::Diagnostics;
use oxbow_psg::{
    CaptureMode, DataKind, LambdaId, Mono, NodeId, NodeKind, Prim, Program, Ty, TyId, VarId,
};

/// Reports the closures of the user's files that outlive what they capture.
pub fn run(program: &Program<Mono>, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let is_library = |span: Span| sources.file(span.file).is_library;
    let by_reference = |lambda: LambdaId| {
        program.lambdas[lambda]
            .captures
            .iter()
            .any(|it| it.mode == CaptureMode::ByRef && !is_library(program.vars[it.var].span))
    };
    if !program.lambdas.ids().any(by_reference) {
        return;
    }
    let mut check = Check {
        program,
        sources,
        is_library: &is_library,
        parents: IdMap::new(),
        uses: IdMap::new(),
        binders: IdMap::new(),
        lambda_nodes: IdMap::new(),
        capturing: IdMap::new(),
        holds: FxHashMap::default(),
        fates: FxHashMap::default(),
        open: Vec::new(),
        reached: usize::MAX,
    };
    check.index();
    let mut reported: FxHashSet<VarId> = FxHashSet::default();
    let lambdas: Vec<(LambdaId, NodeId)> =
        check.lambda_nodes.iter().map(|(id, &node)| (id, node)).collect();
    for (lambda, node) in lambdas {
        for capture in &program.lambdas[lambda].captures {
            let var = capture.var;
            if capture.mode != CaptureMode::ByRef || is_library(program.vars[var].span) {
                continue;
            }
            let Some(&Binder::Node(scope)) = check.binders.get(var) else { continue };
            let mut walk = Walk {
                inside: Boundary::Scope(scope),
                seen: FxHashSet::default(),
                returned: false,
                stored_in: Vec::new(),
            };
            if let Err(path) = check.follow(node, &mut walk)
                && reported.insert(var)
            {
                diagnostics.error(check.report(var, lambda, node, &path));
            }
        }
    }
}

/// A step of the way out: where, and what happens there.
type Step = (Span, String);
/// `Err` is the way on which the value escapes.
type Followed = Result<(), Vec<Step>>;

/// What binds a variable.
#[derive(Clone, Copy)]
enum Binder {
    Node(NodeId),
    Param(LambdaId),
    Global,
}

/// Where the value may live.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Boundary {
    /// Inside the body of this `Let`.
    Scope(NodeId),
    /// Inside a call of this function; being its result is noted.
    Call(LambdaId),
}

struct Walk {
    inside: Boundary,
    seen: FxHashSet<NodeId>,
    /// The value may be the result of the call.
    returned: bool,
    /// It is stored in what these parameters of the call are.
    stored_in: Vec<usize>,
}

/// What a function does with a parameter.
#[derive(Clone)]
enum Fate {
    Kept { returned: bool, stored_in: Vec<usize> },
    Escapes(Vec<Step>),
}

struct Check<'a> {
    program: &'a Program<Mono>,
    sources: &'a SourceMap,
    is_library: &'a dyn Fn(Span) -> bool,
    parents: IdMap<NodeId, Parent>,
    uses: IdMap<VarId, Vec<NodeId>>,
    binders: IdMap<VarId, Binder>,
    lambda_nodes: IdMap<LambdaId, NodeId>,
    /// Lambdas that capture a variable.
    capturing: IdMap<VarId, Vec<LambdaId>>,
    holds: FxHashMap<TyId, bool>,
    fates: FxHashMap<(LambdaId, usize), Fate>,
    /// Parameters whose fate is being found out, and the first of them that was asked for again.
    open: Vec<(LambdaId, usize)>,
    reached: usize,
}

#[derive(Clone, Copy)]
enum Parent {
    Node(NodeId),
    Body(LambdaId),
    /// A module-level definition or statement.
    Item(Option<VarId>),
}

impl Check<'_> {
    fn index(&mut self) {
        let program = self.program;
        for item in &program.items {
            for &var in item.kind.vars() {
                self.binders.insert(var, Binder::Global);
            }
            for (index, root) in item.kind.roots().enumerate() {
                let var = item.kind.vars().get(index).copied();
                self.parents.insert(root, Parent::Item(var));
                self.index_from(root);
            }
        }
    }

    fn index_from(&mut self, root: NodeId) {
        let program = self.program;
        let mut todo = vec![root];
        while let Some(node) = todo.pop() {
            let kind = &program.nodes[node].kind;
            match kind {
                NodeKind::Var { var, .. } => {
                    self.uses.entry_or_insert_with(*var, Vec::new).push(node)
                }
                NodeKind::Lambda(lambda) => {
                    let it = &program.lambdas[*lambda];
                    self.lambda_nodes.insert(*lambda, node);
                    for &param in &it.params {
                        self.binders.insert(param, Binder::Param(*lambda));
                    }
                    for capture in &it.captures {
                        self.capturing.entry_or_insert_with(capture.var, Vec::new).push(*lambda);
                    }
                    self.parents.insert(it.body, Parent::Body(*lambda));
                    todo.push(it.body);
                }
                NodeKind::Let { var, .. }
                | NodeKind::For { var, .. }
                | NodeKind::Try { var, .. } => {
                    self.binders.insert(*var, Binder::Node(node));
                }
                NodeKind::LetRec { vars, .. } => {
                    for &var in vars {
                        self.binders.insert(var, Binder::Node(node));
                    }
                }
                NodeKind::Join { join, .. } => {
                    for &var in &program.joins[*join].params {
                        self.binders.insert(var, Binder::Node(node));
                    }
                }
                _ => (),
            }
            kind.for_each_child(|child| {
                self.parents.insert(child, Parent::Node(node));
                todo.push(child);
            });
        }
    }

    /// Can a value of this type hold a function?
    fn may_hold(&mut self, ty: TyId) -> bool {
        if let Some(&known) = self.holds.get(&ty) {
            return known;
        }
        self.holds.insert(ty, false);
        let types = &self.program.types;
        let parts: Vec<TyId> = match types.get(ty).clone() {
            Ty::Fn(..) | Ty::Uniform | Ty::Var(_) => {
                self.holds.insert(ty, true);
                return true;
            }
            Ty::Tuple(items) => items,
            Ty::Array(item) => vec![item],
            Ty::Data(data, args) => {
                let decl = &types.datas[data];
                let fields: Vec<TyId> = match &decl.kind {
                    DataKind::Record(fields) => fields.iter().map(|it| it.ty).collect(),
                    DataKind::Variant(ctors) => {
                        ctors.iter().flat_map(|it| it.fields.iter().map(|it| it.ty)).collect()
                    }
                };
                // A field of a generic type holds what the arguments hold.
                let generic = fields.iter().any(|&it| mentions_function(types, it));
                if generic {
                    self.holds.insert(ty, true);
                    return true;
                }
                args
            }
            Ty::Exn => return true,
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes => Vec::new(),
        };
        let found = parts.into_iter().any(|it| self.may_hold(it));
        self.holds.insert(ty, found);
        found
    }

    fn binder_node(&self, var: VarId) -> Option<NodeId> {
        match self.binders.get(var)? {
            Binder::Node(node) => Some(*node),
            Binder::Param(lambda) => self.lambda_nodes.get(*lambda).copied(),
            Binder::Global => None,
        }
    }

    /// Does the variable live inside the boundary?
    fn is_inside(&self, var: VarId, inside: Boundary) -> bool {
        if let (Some(Binder::Param(lambda)), Boundary::Call(call)) = (self.binders.get(var), inside)
            && *lambda == call
        {
            return true;
        }
        let Some(mut node) = self.binder_node(var) else { return false };
        loop {
            match self.parents.get(node) {
                Some(Parent::Node(parent)) => {
                    if inside == Boundary::Scope(*parent) {
                        return matches!(&self.program.nodes[*parent].kind, NodeKind::Let { body, .. } if *body == node);
                    }
                    node = *parent;
                }
                Some(Parent::Body(lambda)) => {
                    if inside == Boundary::Call(*lambda) {
                        return true;
                    }
                    match self.lambda_nodes.get(*lambda) {
                        Some(&next) => node = next,
                        None => return false,
                    }
                }
                Some(Parent::Item(_)) | None => return false,
            }
        }
    }

    /// Follows the value that `node` makes or reads.
    fn follow(&mut self, node: NodeId, walk: &mut Walk) -> Followed {
        if !walk.seen.insert(node) {
            return Ok(());
        }
        let program = self.program;
        let span = program.span(node);
        let parent = match self.parents.get(node) {
            Some(Parent::Node(parent)) => *parent,
            Some(&Parent::Body(lambda)) => return self.returned(node, lambda, walk),
            Some(Parent::Item(var)) => {
                let what = match var {
                    Some(var) => {
                        format!("becomes the module-level value `{}`", program.vars[*var].name)
                    }
                    None => return Ok(()),
                };
                return Err(vec![(span, what)]);
            }
            None => return Ok(()),
        };
        let passes_on = |this: &mut Self, walk: &mut Walk| {
            if this.may_hold(program.ty(parent)) { this.follow(parent, walk) } else { Ok(()) }
        };
        match &program.nodes[parent].kind {
            NodeKind::Let { var, value, body } => {
                if *value == node {
                    return self.follow_var(*var, walk);
                }
                if *body == node && walk.inside == Boundary::Scope(parent) {
                    let span = self.result_span(node);
                    return Err(vec![(span, "becomes the result of the block".into())]);
                }
                passes_on(self, walk)
            }
            NodeKind::LetRec { vars, values, .. } => match values.iter().position(|&it| it == node)
            {
                Some(index) => self.follow_var(vars[index], walk),
                None => passes_on(self, walk),
            },
            NodeKind::Seq(parts) => {
                if parts.last() == Some(&node) {
                    passes_on(self, walk)
                } else {
                    Ok(())
                }
            }
            NodeKind::If { cond, .. } => {
                if *cond == node {
                    Ok(())
                } else {
                    passes_on(self, walk)
                }
            }
            NodeKind::Switch { value, .. } => {
                if *value == node {
                    Ok(())
                } else {
                    passes_on(self, walk)
                }
            }
            NodeKind::Try { .. } | NodeKind::Join { .. } => passes_on(self, walk),
            NodeKind::While { .. } | NodeKind::For { .. } => Ok(()),
            NodeKind::Tuple(_)
            | NodeKind::Record(_)
            | NodeKind::Construct { .. }
            | NodeKind::Array(_) => self.follow(parent, walk).map_err(|mut path| {
                path.insert(0, (program.span(parent), "is stored in this value".into()));
                path
            }),
            NodeKind::MakeExn { .. } | NodeKind::Raise(_) => {
                Err(vec![(span, "is raised with an exception".into())])
            }
            NodeKind::TupleGet { .. } | NodeKind::Field { .. } | NodeKind::ExnField { .. } => {
                passes_on(self, walk)
            }
            NodeKind::SetField { object, value, .. } => {
                if *value == node {
                    self.stored(*object, span, walk)
                } else {
                    Ok(())
                }
            }
            NodeKind::Assign { var, .. } => self.assigned(*var, span, walk),
            NodeKind::Jump { join, args } => {
                let params = program.joins[*join].params.clone();
                match args.iter().position(|&it| it == node).and_then(|it| params.get(it)) {
                    Some(&param) => self.follow_var(param, walk),
                    None => Ok(()),
                }
            }
            NodeKind::Prim { prim, args } => match prim {
                Prim::ArraySet if args.get(2) == Some(&node) => self.stored(args[0], span, walk),
                _ => passes_on(self, walk),
            },
            NodeKind::Apply { func, args, .. } => {
                if *func == node {
                    // Called; a result that holds a function is followed where it is made.
                    return if args.len() < self.arity(node) {
                        passes_on(self, walk)
                    } else {
                        Ok(())
                    };
                }
                self.argument(parent, *func, args, node, walk)
            }
            NodeKind::Const(_) | NodeKind::Var { .. } | NodeKind::Lambda(_) => Ok(()),
        }
    }

    /// How many arguments the function that a node stands for takes, if it is known.
    fn arity(&self, func: NodeId) -> usize {
        self.callee(func).map_or(1, |it| self.program.lambdas[it].params.len())
    }

    /// The value is the result of a function.
    fn returned(&mut self, node: NodeId, lambda: LambdaId, walk: &mut Walk) -> Followed {
        let program = self.program;
        if walk.inside == Boundary::Call(lambda) {
            walk.returned = true;
            return Ok(());
        }
        // A function inside the scope: what it returns is what its calls give.
        let Some(&function) = self.lambda_nodes.get(lambda) else { return Ok(()) };
        let mut calls = Vec::new();
        let known = self.calls_of(function, &mut calls, 0);
        let span = program.span(node);
        let name =
            program.lambdas[lambda].name.map_or("a function".to_string(), |it| format!("`{it}`"));
        let step = (span, format!("is returned by {name}"));
        for call in calls {
            self.follow(call, walk).map_err(|mut path| {
                path.insert(0, step.clone());
                path
            })?;
        }
        if known { Ok(()) } else { Err(vec![step]) }
    }

    /// The calls of a function, as far as it is only named and called.
    fn calls_of(&self, function: NodeId, into: &mut Vec<NodeId>, depth: usize) -> bool {
        let program = self.program;
        if depth > 8 {
            return false;
        }
        match self.parents.get(function) {
            Some(Parent::Node(parent)) => match &program.nodes[*parent].kind {
                NodeKind::Apply { func, .. } if *func == function => {
                    into.push(*parent);
                    true
                }
                NodeKind::Let { var, value, .. } if *value == function => {
                    self.calls_of_var(*var, into, depth)
                }
                NodeKind::LetRec { vars, values, .. } => {
                    match values.iter().position(|&it| it == function) {
                        Some(index) => self.calls_of_var(vars[index], into, depth),
                        None => false,
                    }
                }
                // An argument: whoever calls it gets the value, and the call's result may hold it.
                NodeKind::Apply { .. } => {
                    into.push(*parent);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn calls_of_var(&self, var: VarId, into: &mut Vec<NodeId>, depth: usize) -> bool {
        self.uses
            .get(var)
            .is_none_or(|uses| uses.iter().all(|&it| self.calls_of(it, into, depth + 1)))
    }

    /// Everything that reads the variable, and the closures that capture it.
    fn follow_var(&mut self, var: VarId, walk: &mut Walk) -> Followed {
        let program = self.program;
        let name = program.vars[var].name;
        let shown = !name.as_str().starts_with('%');
        let uses = self.uses.get(var).cloned().unwrap_or_default();
        let note = |mut path: Vec<Step>, step: Step| {
            if shown {
                path.insert(0, step);
            }
            path
        };
        for user in self.capturing.get(var).cloned().unwrap_or_default() {
            let Some(&node) = self.lambda_nodes.get(user) else { continue };
            let step =
                (program.lambdas[user].span, format!("`{name}` is captured by this function"));
            self.follow(node, walk).map_err(|path| note(path, step))?;
        }
        for node in uses {
            let step = (program.vars[var].span, format!("is bound to `{name}`"));
            self.follow(node, walk).map_err(|path| note(path, step))?;
        }
        Ok(())
    }

    /// Stored in an object: as long as that lives inside, the object holds it.
    fn stored(&mut self, object: NodeId, span: Span, walk: &mut Walk) -> Followed {
        let program = self.program;
        let Some(var) = self.owner(object) else {
            return Err(vec![(span, "is stored in an object that may live longer".into())]);
        };
        let name = program.vars[var].name;
        if let (Some(Binder::Param(of)), Boundary::Call(call)) =
            (self.binders.get(var), walk.inside)
            && *of == call
        {
            let params = &program.lambdas[call].params;
            walk.stored_in.extend(params.iter().position(|&it| it == var));
            return Ok(());
        }
        let made_here = matches!(self.binders.get(var), Some(Binder::Node(_)));
        if !made_here || !self.is_inside(var, walk.inside) {
            return Err(vec![(span, format!("is stored in `{name}`, which lives longer"))]);
        }
        self.follow_var(var, walk).map_err(|mut path| {
            path.insert(0, (span, format!("is stored in `{name}`")));
            path
        })
    }

    /// The variable that an object was made for: through other names, and out of what it is a part
    /// of. `None` if it may be anybody's.
    fn owner(&self, object: NodeId) -> Option<VarId> {
        let program = self.program;
        let mut node = object;
        let mut owner = None;
        loop {
            match &program.nodes[node].kind {
                NodeKind::Field { object, .. } | NodeKind::TupleGet { tuple: object, .. } => {
                    owner = None;
                    node = *object;
                }
                NodeKind::Var { var, .. } => {
                    owner = Some(*var);
                    let Some(&Binder::Node(binder)) = self.binders.get(*var) else { return owner };
                    let NodeKind::Let { value, .. } = &program.nodes[binder].kind else {
                        return None;
                    };
                    if program.vars[*var].mutable {
                        return None;
                    }
                    node = *value;
                }
                // Made here, or by the library, which keeps nothing.
                NodeKind::Record(_)
                | NodeKind::Tuple(_)
                | NodeKind::Construct { .. }
                | NodeKind::Array(_)
                | NodeKind::Prim { .. } => return owner,
                NodeKind::Apply { func, .. } => {
                    let library = self
                        .callee(*func)
                        .is_some_and(|it| (self.is_library)(program.lambdas[it].span));
                    return if library { owner } else { None };
                }
                _ => return None,
            }
        }
    }

    /// Where the value of a block is written.
    fn result_span(&self, node: NodeId) -> Span {
        let mut node = node;
        loop {
            match &self.program.nodes[node].kind {
                NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => node = *body,
                NodeKind::Seq(parts) => match parts.last() {
                    Some(&last) => node = last,
                    None => return self.program.span(node),
                },
                _ => return self.program.span(node),
            }
        }
    }

    fn assigned(&mut self, var: VarId, span: Span, walk: &mut Walk) -> Followed {
        let name = self.program.vars[var].name;
        if !self.is_inside(var, walk.inside) {
            return Err(vec![(span, format!("is assigned to `{name}`, which lives longer"))]);
        }
        self.follow_var(var, walk).map_err(|mut path| {
            path.insert(0, (span, format!("is assigned to `{name}`")));
            path
        })
    }

    /// The function that a node stands for.
    fn callee(&self, func: NodeId) -> Option<LambdaId> {
        let program = self.program;
        let value = match &program.nodes[func].kind {
            NodeKind::Lambda(lambda) => return Some(*lambda),
            NodeKind::Var { var, .. } if !program.vars[*var].mutable => {
                match self.binders.get(*var)? {
                    Binder::Node(node) => match &program.nodes[*node].kind {
                        NodeKind::Let { value, .. } => *value,
                        NodeKind::LetRec { vars, values, .. } => {
                            *values.get(vars.iter().position(|it| it == var)?)?
                        }
                        _ => return None,
                    },
                    Binder::Global => {
                        let item = program.items.iter().find(|it| it.kind.vars().contains(var))?;
                        let index = item.kind.vars().iter().position(|it| it == var)?;
                        item.kind.roots().nth(index)?
                    }
                    Binder::Param(_) => return None,
                }
            }
            _ => return None,
        };
        match &program.nodes[value].kind {
            NodeKind::Lambda(lambda) => Some(*lambda),
            NodeKind::Var { .. } if value != func => self.callee(value),
            _ => None,
        }
    }

    fn argument(
        &mut self,
        call: NodeId,
        func: NodeId,
        args: &[NodeId],
        node: NodeId,
        walk: &mut Walk,
    ) -> Followed {
        let program = self.program;
        let span = program.span(node);
        let index = args.iter().position(|&it| it == node).unwrap_or(0);
        let Some(lambda) = self.callee(func) else {
            // Unknown code. What the library calls is what its caller gave it, which is followed there;
            // the result may hold the value.
            if (self.is_library)(program.span(call)) {
                return if self.may_hold(program.ty(call)) {
                    self.follow(call, walk)
                } else {
                    Ok(())
                };
            }
            return Err(vec![(span, "is given to a function that is not known here".into())]);
        };
        // Overloaded members have numbers behind their names.
        let shown =
            |it: oxbow_base::Symbol| it.as_str().split('#').next().map(|it| format!("`{it}`"));
        let name = program.lambdas[lambda].name.and_then(shown).unwrap_or("the function".into());
        let params = program.lambdas[lambda].params.len();
        if args.len() < params && self.may_hold(program.ty(call)) {
            // A partial application holds what it was given.
            return self.follow(call, walk).map_err(|mut path| {
                path.insert(0, (span, format!("is kept by the partial application of {name}")));
                path
            });
        }
        if index >= params {
            return Ok(());
        }
        if (self.is_library)(program.lambdas[lambda].span) && !(self.is_library)(program.span(call))
        {
            self.given_on(args, node, walk).map_err(|mut path| {
                path.insert(0, (span, format!("is given to {name}, which passes it on")));
                path
            })?;
        }
        match self.fate(lambda, index) {
            Fate::Escapes(mut path) => {
                path.insert(0, (span, format!("is given to {name}")));
                Err(path)
            }
            Fate::Kept { returned, stored_in } => {
                for other in stored_in {
                    let Some(&object) = args.get(other) else { continue };
                    self.stored(object, span, walk)?;
                }
                if !returned || !self.may_hold(program.ty(call)) {
                    return Ok(());
                }
                self.follow(call, walk).map_err(|mut path| {
                    path.insert(0, (span, format!("is given to {name}, whose result holds it")));
                    path
                })
            }
        }
    }

    /// A function of the library may give the value, or a part of it, to the other functions that it is
    /// called with: `List.iter (fun f -> kept <- f) fs`.
    fn given_on(&mut self, args: &[NodeId], node: NodeId, walk: &mut Walk) -> Followed {
        let program = self.program;
        for &arg in args.iter().filter(|&&it| it != node) {
            let mut ty = program.ty(arg);
            let mut index = 0;
            while let Ty::Fn(param, result) = *program.types.get(ty) {
                if self.may_hold(param) {
                    self.given_to(arg, index, walk)?;
                }
                (ty, index) = (result, index + 1);
            }
        }
        Ok(())
    }

    /// The value becomes the argument of a function whose calls are not seen.
    fn given_to(&mut self, function: NodeId, index: usize, walk: &mut Walk) -> Followed {
        let program = self.program;
        let span = program.span(function);
        let unknown = || Err(vec![(span, "is given to a function that is not known here".into())]);
        let Some(lambda) = self.callee(function) else {
            // A value that holds functions of the library only, such as `List.map f`.
            return if (self.is_library)(span) { Ok(()) } else { unknown() };
        };
        let Some(&param) = program.lambdas[lambda].params.get(index) else { return unknown() };
        let is_local = self
            .lambda_nodes
            .get(lambda)
            .is_some_and(|&it| !matches!(self.parents.get(it), Some(Parent::Item(_))));
        if is_local {
            return self.follow_var(param, walk);
        }
        match self.fate(lambda, index) {
            Fate::Escapes(path) => Err(path),
            Fate::Kept { stored_in, .. } if !stored_in.is_empty() => unknown(),
            Fate::Kept { .. } => Ok(()),
        }
    }

    /// What a function does with a parameter.
    fn fate(&mut self, lambda: LambdaId, index: usize) -> Fate {
        let key = (lambda, index);
        if let Some(known) = self.fates.get(&key) {
            return known.clone();
        }
        // Being found out: its result may hold the value, the rest is found where the search began.
        if let Some(place) = self.open.iter().position(|&it| it == key) {
            self.reached = self.reached.min(place);
            return Fate::Kept { returned: true, stored_in: Vec::new() };
        }
        let depth = self.open.len();
        self.open.push(key);
        let param = self.program.lambdas[lambda].params[index];
        let mut walk = Walk {
            inside: Boundary::Call(lambda),
            seen: FxHashSet::default(),
            returned: false,
            stored_in: Vec::new(),
        };
        let fate = match self.follow_var(param, &mut walk) {
            Ok(()) => Fate::Kept { returned: walk.returned, stored_in: walk.stored_in },
            Err(path) => Fate::Escapes(path),
        };
        self.open.pop();
        // What rests on an answer that is still being looked for is not kept.
        if self.reached >= depth {
            self.fates.insert(key, fate.clone());
            self.reached = usize::MAX;
        }
        fate
    }
}

/// Does the declaration of a type itself mention functions?
fn mentions_function(types: &oxbow_psg::TypeTable, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Fn(..) => true,
        Ty::Tuple(items) => items.iter().any(|&it| mentions_function(types, it)),
        Ty::Array(item) => mentions_function(types, *item),
        _ => false,
    }
}
