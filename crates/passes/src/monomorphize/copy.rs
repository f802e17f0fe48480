//! Copies code under a substitution of its type variables.
//!
//! The body of a local polymorphic binding is copied before its value, since the
//! body says which instances are needed.

use oxbow_base::{FxHashMap, Span};
use oxbow_diag::{ice, limits};
use oxbow_psg::{
    Callee, Const, ExnId, Join, JoinId, Key, Lambda, LambdaId, NodeId, NodeKind, Storage, TyId,
    Var, VarId,
};

use super::{Context, LocalGroup, LocalInstance};

/// A node on the way down a chain of bindings; its body is copied after it.
enum Link {
    Let {
        var: VarId,
        value: NodeId,
    },
    LetRec {
        vars: Vec<VarId>,
        values: Vec<NodeId>,
    },
    /// A polymorphic binding: nothing is copied yet.
    Polymorphic,
    Seq(Vec<NodeId>),
}

impl Context<'_> {
    pub(super) fn fresh_var(&mut self, var: VarId) -> VarId {
        let old = &self.source.vars[var];
        let (name, mutable, global, span) = (old.name, old.mutable, old.global, old.span);
        let ty = self.ty(old.ty);
        self.out.vars.push(Var { name, ty, tyvars: Vec::new(), mutable, global, span })
    }

    fn bind(&mut self, var: VarId) -> VarId {
        let fresh = self.fresh_var(var);
        self.vars.insert(var, fresh);
        fresh
    }

    /// The copy of `node` and of everything below it. After a report nobody looks at it.
    pub(super) fn copy(&mut self, node: NodeId) -> NodeId {
        let source = self.source;
        if self.gave_up {
            let unit = self.out.types.unit;
            return self.out.add(NodeKind::Const(Const::Unit), unit, source.nodes[node].span);
        }
        let mut chain = Vec::new();
        let mut at = node;
        let mut result = loop {
            let (link, next) = match &source.nodes[at].kind {
                NodeKind::Let { var, body, .. } if !source.vars[*var].tyvars.is_empty() => {
                    self.open_polymorphic(&[*var]);
                    (Link::Polymorphic, *body)
                }
                NodeKind::LetRec { vars, body, .. }
                    if vars.iter().any(|&it| !source.vars[it].tyvars.is_empty()) =>
                {
                    self.open_polymorphic(vars);
                    (Link::Polymorphic, *body)
                }
                NodeKind::Let { var, value, body } => {
                    let value = self.copy(*value);
                    (Link::Let { var: self.bind(*var), value }, *body)
                }
                NodeKind::LetRec { vars, values, body } => {
                    let vars = vars.iter().map(|&it| self.bind(it)).collect();
                    (Link::LetRec { vars, values: self.copy_all(values) }, *body)
                }
                NodeKind::Seq(items) => match items.split_last() {
                    Some((&last, init)) => (Link::Seq(self.copy_all(init)), last),
                    None => ice!("empty sequence {at}"),
                },
                _ => break self.copy_one(at),
            };
            chain.push((at, link));
            at = next;
        };
        while let Some((old, link)) = chain.pop() {
            let kind = match link {
                Link::Let { var, value } => NodeKind::Let { var, value, body: result },
                Link::LetRec { vars, values } => NodeKind::LetRec { vars, values, body: result },
                Link::Seq(mut items) => {
                    items.push(result);
                    NodeKind::Seq(items)
                }
                Link::Polymorphic => {
                    result = self.close_polymorphic(old, result);
                    continue;
                }
            };
            result = self.finish_copy(old, kind);
        }
        result
    }

    fn copy_all(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|&it| self.copy(it)).collect()
    }

    fn finish_copy(&mut self, old: NodeId, kind: NodeKind) -> NodeId {
        let node = &self.source.nodes[old];
        let (ty, span) = (self.ty(node.ty), node.span);
        let result = self.out.add(kind, ty, span);
        self.out.nodes[result].storage = Storage::default();
        result
    }

    /// Any node but a chain's.
    fn copy_one(&mut self, old: NodeId) -> NodeId {
        self.placed(old, Self::copy_node)
    }

    /// Copies a node while its place is known to reports.
    fn placed(&mut self, old: NodeId, copy: impl FnOnce(&mut Self, NodeId) -> NodeId) -> NodeId {
        let span = self.source.nodes[old].span;
        let item = self.current.map(|it| self.instances[it].item);
        let own = item.is_some_and(|it| self.source.items[it].span.file == span.file);
        let before = self.place;
        if own {
            self.place = Some(span);
        }
        let copied = copy(self, old);
        self.place = before;
        copied
    }

    fn copy_node(&mut self, old: NodeId) -> NodeId {
        let source = self.source;
        let node = &source.nodes[old];
        let kind = match &node.kind {
            NodeKind::Const(it) => NodeKind::Const(it.clone()),
            NodeKind::Var { .. } => {
                let (var, ty) = (self.copy_var(old), self.ty(node.ty));
                return self.fit(var, ty);
            }
            NodeKind::Lambda(lambda) => NodeKind::Lambda(self.copy_lambda(*lambda)),
            NodeKind::Apply { func, args, callee: _ } => return self.copy_apply(old, *func, args),
            NodeKind::Prim { prim, args } => {
                let args = self.copy_all(args);
                let ty = self.ty(node.ty);
                return self.copy_prim(*prim, args, ty, node.span);
            }
            NodeKind::Assign { var, value } => {
                let value = self.copy(*value);
                NodeKind::Assign { var: self.variable(*var, &[], node.span), value }
            }
            NodeKind::If { cond, then, otherwise } => {
                let (cond, then) = (self.copy(*cond), self.copy(*then));
                NodeKind::If { cond, then, otherwise: self.copy(*otherwise) }
            }
            NodeKind::Switch { value, cases, default } => {
                let tested = self.copy(*value);
                let cases = self.copy_keys(*value, cases);
                let value = tested;
                NodeKind::Switch { value, cases, default: default.map(|it| self.copy(it)) }
            }
            NodeKind::While { cond, body } => {
                let cond = self.copy(*cond);
                NodeKind::While { cond, body: self.copy(*body) }
            }
            NodeKind::For { var, from, to, down, body } => {
                let (from, to) = (self.copy(*from), self.copy(*to));
                let var = self.bind(*var);
                NodeKind::For { var, from, to, down: *down, body: self.copy(*body) }
            }
            NodeKind::Tuple(items) => NodeKind::Tuple(self.copy_all(items)),
            NodeKind::TupleGet { tuple, index } => {
                NodeKind::TupleGet { tuple: self.copy(*tuple), index: *index }
            }
            NodeKind::Record(items) => {
                let (items, ty) = (self.copy_all(items), self.ty(node.ty));
                NodeKind::Record(self.fit_fields(items, ty, 0))
            }
            NodeKind::Construct { ctor, args } => {
                let ctor = self.ctor(node.ty, *ctor);
                let (args, ty) = (self.copy_all(args), self.ty(node.ty));
                NodeKind::Construct { ctor, args: self.fit_fields(args, ty, ctor) }
            }
            NodeKind::Field { object, ctor, index } => {
                let ctor = self.ctor(source.nodes[*object].ty, *ctor);
                let (object, ty) = (self.copy(*object), self.ty(node.ty));
                return self.fit_field((object, ctor, *index), ty, node.span);
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let ctor = self.ctor(source.nodes[*object].ty, *ctor);
                let (object, value) = (self.copy(*object), self.copy(*value));
                let value = self.fit_stored((object, ctor, *index), value);
                NodeKind::SetField { object, ctor, index: *index, value }
            }
            NodeKind::Array(items) => {
                let (items, ty) = (self.copy_all(items), self.ty(node.ty));
                NodeKind::Array(items.into_iter().map(|it| self.fit_item(it, ty)).collect())
            }
            NodeKind::MakeExn { exn, args } => {
                let exn = self.exn(*exn);
                self.exns.insert(exn);
                NodeKind::MakeExn { exn, args: self.copy_all(args) }
            }
            NodeKind::ExnField { object, exn, index } => {
                let object = self.copy(*object);
                NodeKind::ExnField { object, exn: self.exn(*exn), index: *index }
            }
            NodeKind::Raise(value) => NodeKind::Raise(self.copy(*value)),
            NodeKind::Try { body, var, handler } => {
                let body = self.copy(*body);
                let var = self.bind(*var);
                NodeKind::Try { body, var, handler: self.copy(*handler) }
            }
            NodeKind::Join { join, body, rest } => {
                let join = self.copy_join(*join);
                let body = self.copy(*body);
                NodeKind::Join { join, body, rest: self.copy(*rest) }
            }
            NodeKind::Jump { join, args } => {
                let Some(&join) = self.joins.get(*join) else {
                    ice!("jump to {join} outside of it")
                };
                NodeKind::Jump { join, args: self.copy_all(args) }
            }
            NodeKind::Let { .. } | NodeKind::LetRec { .. } | NodeKind::Seq(_) => {
                ice!("{old} belongs to a chain")
            }
        };
        self.finish_copy(old, kind)
    }

    pub(super) fn key(&mut self, key: &Key) -> Key {
        match key {
            Key::Exn(exn) => Key::Exn(self.exn(*exn)),
            other => other.clone(),
        }
    }

    /// The exception of this instance of the function that declares it.
    fn exn(&mut self, exn: ExnId) -> ExnId {
        let decl = &self.out.types.exns[exn];
        if decl.params.is_empty() {
            return exn;
        }
        let unit = self.out.types.unit;
        let types: Vec<TyId> =
            decl.params.iter().map(|&it| self.subst.get(it).copied().unwrap_or(unit)).collect();
        if let Some(&known) = self.exn_instances.get(&(exn, types.clone())) {
            return known;
        }
        let mut decl = decl.clone();
        decl.params.clear();
        for field in &mut decl.fields {
            field.ty = self.ty(field.ty);
        }
        let instance = self.out.types.exns.push(decl);
        self.exn_instances.insert((exn, types), instance);
        instance
    }

    fn copy_lambda(&mut self, old: LambdaId) -> LambdaId {
        let lambda = &self.source.lambdas[old];
        let params = lambda.params.iter().map(|&it| self.bind(it)).collect();
        let body = self.copy(lambda.body);
        self.out.lambdas.push(Lambda {
            inline: lambda.inline,
            ..Lambda::new(lambda.name, params, body, lambda.span)
        })
    }

    fn copy_join(&mut self, old: JoinId) -> JoinId {
        let join = &self.source.joins[old];
        let params = join.params.iter().map(|&it| self.bind(it)).collect();
        let fresh =
            self.out.joins.push(Join { name: join.name, params, recursive: join.recursive });
        self.joins.insert(old, fresh);
        fresh
    }

    /// A variable at the type that its instance has.
    fn copy_var(&mut self, old: NodeId) -> NodeId {
        let node = &self.source.nodes[old];
        let NodeKind::Var { var: source, tyargs } = &node.kind else {
            ice!("{old} is not a variable")
        };
        let var = self.variable(*source, tyargs, node.span);
        let mut ty = self.ty(node.ty);
        if self.uniform.is_some() {
            self.origins.insert(var, *source);
            ty = self.out.vars[var].ty;
        }
        self.out.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, node.span)
    }

    /// A call. An instance at uniform values is given its arguments in that form.
    fn copy_apply(&mut self, old: NodeId, func: NodeId, args: &[NodeId]) -> NodeId {
        let source = self.source;
        let (ty, span) = (self.ty(source.nodes[old].ty), source.nodes[old].span);
        let wanted = self.ty(source.nodes[func].ty);
        let is_var = matches!(source.nodes[func].kind, NodeKind::Var { .. });
        let mut func = if is_var { self.placed(func, Self::copy_var) } else { self.copy(func) };
        let mut args = self.copy_all(args);
        let mut result = ty;
        if self.out.ty(func) != wanted {
            let (params, rest) = self.out.types.split_function(self.out.ty(func), args.len());
            if params.len() == args.len() {
                let fitted = args.into_iter().zip(params).map(|(arg, ty)| self.fit(arg, ty));
                (args, result) = (fitted.collect(), rest);
            } else {
                func = self.fit(func, wanted);
            }
        }
        let kind = NodeKind::Apply { func, args, callee: Callee::Unknown };
        let call = self.out.add(kind, result, span);
        self.fit(call, ty)
    }

    /// The copy of a variable that is mentioned with these type arguments.
    fn variable(&mut self, var: VarId, tyargs: &[TyId], span: Span) -> VarId {
        let source = self.source;
        let tyvars = &source.vars[var].tyvars;
        let mut tyargs: Vec<TyId> = if tyargs.is_empty() {
            // Inside its own recursive binding: the same instance.
            let unit = self.out.types.unit;
            tyvars.iter().map(|&it| self.subst.get(it).copied().unwrap_or(unit)).collect()
        } else {
            tyargs.iter().map(|&it| self.ty(it)).collect()
        };
        if source.vars[var].global {
            if let Some(&(item, _)) = self.item_of.get(var) {
                self.settle(source.items[item].kind.vars()[0], &mut tyargs);
            }
            return self.demand_global(var, tyargs, span);
        }
        if !tyvars.is_empty() {
            let binding = self.local_group.get(var).map_or(var, |it| it.0);
            self.settle(binding, &mut tyargs);
            return self.local_instance(var, tyargs, span);
        }
        match self.vars.get(var) {
            Some(&it) => it,
            None => ice!("{} ({var}) is mentioned outside of its binding", source.vars[var].name),
        }
    }

    fn open_polymorphic(&mut self, vars: &[VarId]) {
        for (place, &var) in vars.iter().enumerate() {
            self.local_group.insert(var, (vars[0], place));
        }
        let group = LocalGroup {
            vars: vars.to_vec(),
            instances: Vec::new(),
            by_types: FxHashMap::default(),
            active: None,
            crossed: false,
        };
        self.locals.insert(vars[0], group);
    }

    fn local_instance(&mut self, var: VarId, tyargs: Vec<TyId>, span: Span) -> VarId {
        let source = self.source;
        let Some(&(first, place)) = self.local_group.get(var) else {
            ice!("{} ({var}) is mentioned outside of its binding", source.vars[var].name);
        };
        let Some(group) = self.locals.get_mut(first) else {
            ice!("{} ({var}) is mentioned outside of its binding", source.vars[var].name);
        };
        if let Some(&found) = group.by_types.get(&tyargs) {
            group.crossed |= group.active.is_some_and(|it| it != found);
            return group.instances[found].vars[place];
        }
        group.crossed |= group.active.is_some();
        let members = group.vars.clone();
        let saved = self.enter(&source.vars[var].tyvars, &tyargs);
        let vars: Vec<VarId> = members.iter().map(|&it| self.fresh_var(it)).collect();
        self.leave(saved);
        let result = vars[place];
        if let Some(group) = self.locals.get_mut(first) {
            group.by_types.insert(tyargs.clone(), group.instances.len());
            group.instances.push(LocalInstance { tyargs, vars });
        }
        self.polymorphic += 1;
        if self.polymorphic > limits::INSTANCES.most {
            let label = format!("here `{}` is used at one more type", source.vars[var].name);
            self.give_up(limits::INSTANCES.report(span, label));
        }
        result
    }

    /// Wraps `body` in the instances that it turned out to need.
    fn close_polymorphic(&mut self, old: NodeId, body: NodeId) -> NodeId {
        let source = self.source;
        let body_ty = self.out.ty(body);
        let span = source.nodes[old].span;
        match &source.nodes[old].kind {
            NodeKind::Let { var, value, .. } => {
                let value = *value;
                if !self.is_value(value) {
                    match self.locals[*var].instances.len() {
                        0 => {
                            let unit = self.out.types.unit;
                            let tyargs = source.vars[*var].tyvars.iter().map(|_| unit).collect();
                            self.local_instance(*var, tyargs, span);
                        }
                        1 => (),
                        _ => {
                            let instances = self.locals[*var].instances.iter();
                            let types = instances.map(|it| it.tyargs.clone()).collect();
                            self.learn_computed(*var, types, span);
                        }
                    }
                }
                let mut result = body;
                for instance in self.locals.remove(*var).map_or(Vec::new(), |it| it.instances) {
                    self.check_local(*var, span);
                    let saved = self.enter(&source.vars[*var].tyvars, &instance.tyargs);
                    let value = self.copy(value);
                    self.leave(saved);
                    let kind = NodeKind::Let { var: instance.vars[0], value, body: result };
                    result = self.out.add(kind, body_ty, span);
                }
                result
            }
            NodeKind::LetRec { vars, values, .. } => {
                let first = vars[0];
                let wanted = self.locals[first].instances.len();
                let mut groups: Vec<(Vec<VarId>, Vec<NodeId>)> = Vec::new();
                // Copying an instance may ask for others (polymorphic recursion).
                while groups.len() < self.locals[first].instances.len() {
                    let at = groups.len();
                    if at > wanted + self.recursive_instances() {
                        let group = &self.locals[first].instances;
                        let (begin, last) = (group[0].tyargs.clone(), group[at].tyargs.clone());
                        self.learn_growth(first, &begin, &last);
                        break;
                    }
                    let instance = &self.locals[first].instances[at];
                    let (tyargs, new_vars) = (instance.tyargs.clone(), instance.vars.clone());
                    if let Some(group) = self.locals.get_mut(first) {
                        group.active = Some(at);
                    }
                    let saved = self.enter(&source.vars[first].tyvars, &tyargs);
                    let values = self.copy_all(values);
                    self.leave(saved);
                    groups.push((new_vars, values));
                }
                if self.locals.remove(first).is_some_and(|it| it.crossed) {
                    let (vars, values): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
                    let (vars, values) = (vars.concat(), values.concat());
                    return self.out.add(NodeKind::LetRec { vars, values, body }, body_ty, span);
                }
                groups.into_iter().fold(body, |body, (vars, values)| {
                    self.out.add(NodeKind::LetRec { vars, values, body }, body_ty, span)
                })
            }
            _ => ice!("{old} is not a binding"),
        }
    }

    /// Gives up if copies of local bindings make too many nodes.
    fn check_local(&mut self, var: VarId, span: Span) {
        if self.out.nodes.len() > limits::NODES.most {
            let name = self.source.vars[var].name;
            self.give_up(limits::NODES.report(span, format!("`{name}` is used at many types")));
        }
    }
}
