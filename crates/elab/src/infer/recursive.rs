//! Recursive modules.
//!
//! ```text
//! module rec A : sig type t = Leaf | Node of S.t  val compare : t -> t -> int end = struct … S.compare … end
//! and S : Set.S with type elt = A.t = Set.Make (A)
//! ```
//!
//! The module types are elaborated first, with type constructors that stand for the types of the others until those are
//! there. The bodies know each other by these module types; their values are variables of their own (*ahead*), which
//! `ahead` binds. A module whose values are functions and suspensions is safe: it may be used before it is evaluated,
//! and is evaluated after those that are not. A cycle of modules needs a safe one.

use std::rc::Rc;

use oxbow_base::{FxHashMap, FxHashSet, Span, SparseMap, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::VarId;

use crate::ast::{self, Name};
use crate::tast;
use crate::types::{GENERIC, TyCon, TyConId, TyConKind, Type, VarInfo};

use super::Infer;
use super::ahead::{self, Ahead};
use super::env::{Ctor, Env, Module, Structure, Value, ValueKind};
use super::package::{map_values, types_in, values_in};
use super::signature::Seal;

/// A module of a group while it is elaborated.
pub(super) struct Member {
    pub name: Name,
    /// Where its definition is.
    pub place: Span,
    /// What the others know of it.
    pub declared: Module,
    pub ahead: Vec<Ahead>,
    pub is_safe: bool,
    pub items: Vec<tast::Item>,
    /// The module itself, seen through its type.
    pub module: Module,
}

impl Infer<'_> {
    pub(super) fn recursive_modules(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        modules: &[ast::RecModule],
        span: Span,
    ) {
        let errors = self.diagnostics.error_count();
        let types: Vec<(Name, &ast::ModuleType)> =
            modules.iter().map(|it| (it.name, &it.ty)).collect();
        let declared = self.recursive_signatures(env, &types);
        let mut members = Vec::new();
        let mut inner = env.clone();
        for (module, declared) in modules.iter().zip(declared) {
            let (known, ahead) = self.known_ahead(&declared);
            inner.add_module(module.name.text, known);
            let is_safe = self.is_safe(&declared);
            members.push(Member {
                name: module.name,
                place: module.body.span,
                declared,
                ahead,
                is_safe,
                items: Vec::new(),
                module: Module::Error,
            });
        }
        // Functors are known as they are: nothing of them is evaluated.
        for (module, member) in modules.iter().zip(&mut members) {
            if let Module::Functor(_) = member.declared {
                let found = self.member_body(&inner, module, member);
                let at = module.ty.span;
                member.module = self.match_module(&found, &member.declared, Seal::Opaque, at);
                inner.add_module(module.name.text, member.module.clone());
            }
        }
        let mut found = Vec::new();
        for (module, member) in modules.iter().zip(&mut members) {
            found.push(match member.declared {
                Module::Functor(_) => None,
                _ => Some(self.member_body(&inner, module, member)),
            });
        }
        for ((module, member), found) in modules.iter().zip(&mut members).zip(found) {
            if let Some(found) = found {
                let at = module.ty.span;
                member.module = self.match_module(&found, &member.declared, Seal::Opaque, at);
            }
        }
        if self.diagnostics.error_count() == errors {
            self.check_finite(&members);
        }
        for member in &members {
            let module = member.module.clone();
            env.add_module(member.name.text, module.clone());
            structure.modules.insert(member.name.text, module);
        }
        if self.diagnostics.error_count() == errors {
            self.order_members(members, span);
        }
    }

    /// The body of a member. Data types that it declares are those that its module type has, as far as it goes.
    fn member_body(&mut self, env: &Env, module: &ast::RecModule, member: &mut Member) -> Module {
        let outer = std::mem::take(&mut self.items);
        self.path.push(module.name.text.as_str().into());
        self.exn_path.push(module.name.text.as_str().into());
        self.note_scope(module.body.span, module.name.text.as_str());
        let anchored = self.signatures.anchored.len();
        self.signatures.anchor = match &member.declared {
            Module::Structure(declared) if is_structure(&module.body) => Some(declared.clone()),
            _ => None,
        };
        let found = self.module_expr(env, &module.body);
        self.signatures.anchor = None;
        for (tycon, kind) in self.signatures.anchored.split_off(anchored) {
            self.types.tycons[tycon].kind = kind;
        }
        self.exn_path.pop();
        self.path.pop();
        member.items = std::mem::replace(&mut self.items, outer);
        found
    }

    /// In the body of a recursive module `A` the data type `t` that it declares is `A.t`.
    pub(super) fn anchor_types(
        &mut self,
        anchor: &Rc<Structure>,
        structure: &Structure,
        decls: &[ast::TypeDecl],
    ) {
        for decl in decls {
            let name = decl.name.text;
            let is_data = !matches!(decl.kind, ast::TypeDeclKind::Abstract);
            let (Some(&declared), Some(&own)) =
                (anchor.types.get(&name), structure.types.get(&name))
            else {
                continue;
            };
            let params = self.types.tycons[declared].params.clone();
            let same = params.len() == self.types.tycons[own].params.len();
            let is_alias = matches!(self.types.tycons[declared].kind, TyConKind::Alias(_));
            if is_data && decl.manifest.is_none() && same && !is_alias && own != declared {
                let body = self.types.add(Type::Con(own, params));
                let kind = &mut self.types.tycons[declared].kind;
                self.signatures
                    .anchored
                    .push((declared, std::mem::replace(kind, TyConKind::Alias(body))));
            }
        }
    }

    /// The constructor of the type that a recursive module's type is in its body.
    pub(super) fn anchored_ctor(&self, ctor: Ctor) -> Ctor {
        match ctor {
            Ctor::Variant(tycon, index)
                if let TyConKind::Alias(body) = self.types.tycons[tycon].kind
                    && let Type::Con(own, _) = *self.types.get(body)
                    && self.signatures.anchored.iter().any(|it| it.0 == tycon) =>
            {
                Ctor::Variant(own, index)
            }
            _ => ctor,
        }
    }

    /// Module types that know each other's types.
    pub(super) fn recursive_signatures(
        &mut self,
        env: &Env,
        modules: &[(Name, &ast::ModuleType)],
    ) -> Vec<Module> {
        let mut unknown = env.clone();
        modules.iter().for_each(|it| unknown.add_module(it.0.text, Module::Error));
        let mut inner = env.clone();
        let mut stand_ins: Vec<FxHashMap<Vec<Symbol>, TyConId>> = Vec::new();
        for (name, ty) in modules {
            let mark = self.diagnostics.mark();
            let key = (self.functors.key.take(), self.functors.decls);
            let shape = self.frozen_module_type(&unknown, ty);
            (self.functors.key, self.functors.decls) = key;
            self.diagnostics.rollback(mark);
            let mut made = FxHashMap::default();
            let shape = match shape {
                Module::Structure(shape) => {
                    let known =
                        self.stand_in(&shape, name.text.as_str(), &mut Vec::new(), &mut made);
                    Module::Structure(Rc::new(known))
                }
                other => other,
            };
            inner.add_module(name.text, shape);
            stand_ins.push(made);
        }
        let mut declared = Vec::new();
        for (name, ty) in modules {
            self.path.push(name.text.as_str().into());
            declared.push(self.module_type(&inner, ty));
            self.path.pop();
        }
        for (module, stand_ins) in declared.iter().zip(&stand_ins) {
            let Module::Structure(structure) = module else { continue };
            for (path, real) in types_in(structure).all {
                if let Some(&stand_in) = stand_ins.get(&path) {
                    let params = self.types.tycons[stand_in].params.clone();
                    let body = self.types.add(Type::Con(real, params));
                    self.types.tycons[stand_in].kind = TyConKind::Alias(body);
                }
            }
        }
        for module in &declared {
            let Module::Structure(structure) = module else { continue };
            for (_, tycon) in types_in(structure).all {
                self.check_abbreviation(tycon);
            }
        }
        declared
    }

    /// A structure of types that stand for those of a signature.
    fn stand_in(
        &mut self,
        shape: &Structure,
        name: &str,
        path: &mut Vec<Symbol>,
        made: &mut FxHashMap<Vec<Symbol>, TyConId>,
    ) -> Structure {
        let mut known =
            Structure { module_types: shape.module_types.clone(), ..Structure::default() };
        for (&ty, &tycon) in &shape.types {
            let params = self.types.tycons[tycon].params.clone();
            let params = params
                .iter()
                .map(|_| self.types.add(Type::Var { level: GENERIC, name: None }))
                .collect();
            let kind = TyConKind::Abstract { implementation: None };
            let span = self.types.tycons[tycon].span;
            let stand_in = TyCon::new(ty, format!("{name}.{ty}"), params, kind, span);
            let stand_in = self.types.tycons.push(stand_in);
            known.types.insert(ty, stand_in);
            path.push(ty);
            made.insert(path.clone(), stand_in);
            path.pop();
        }
        for (&inner, module) in &shape.modules {
            if let Module::Structure(shape) = module {
                path.push(inner);
                let name = format!("{name}.{inner}");
                let module = self.stand_in(shape, &name, path, made);
                path.pop();
                known.modules.insert(inner, Module::Structure(Rc::new(module)));
            }
        }
        known
    }

    /// An abbreviation of one module must not lead back to itself through the others.
    fn check_abbreviation(&mut self, tycon: TyConId) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![tycon];
        while let Some(con) = todo.pop() {
            let TyConKind::Alias(body) = self.types.tycons[con].kind else { continue };
            let mut parts = vec![body];
            while let Some(part) = parts.pop() {
                let part = self.types.repr(part);
                if let Type::Con(next, _) = self.types.nodes[part] {
                    if next == tycon {
                        self.cyclic_abbreviation(tycon);
                        return;
                    }
                    if seen.insert(next) {
                        todo.push(next);
                    }
                }
                if !matches!(self.types.nodes[part], Type::Row(_)) {
                    parts.extend(self.types.parts(part));
                }
            }
        }
    }

    fn cyclic_abbreviation(&mut self, tycon: TyConId) {
        let it = &self.types.tycons[tycon];
        let mut report =
            Diagnostic::error("E0111", format!("the abbreviation `{}` is cyclic", it.path));
        if let Some(span) = it.span {
            report = report.at(span, "refers to itself through the other modules");
        }
        self.diagnostics
            .error(report.help("put a constructor or record between the type and itself"));
        self.types.tycons[tycon].kind = TyConKind::Alias(self.builtins.error);
    }

    /// The graph knows types by what stands behind them, which must not be the type itself.
    fn check_finite(&mut self, members: &[Member]) {
        for member in members {
            let Module::Structure(structure) = &member.module else { continue };
            for (_, tycon) in types_in(structure).all {
                let mut seen = FxHashSet::default();
                let mut todo: Vec<_> = self.types.behind(tycon).into_iter().collect();
                while let Some(ty) = todo.pop() {
                    let ty = self.types.repr(ty);
                    if let Type::Con(con, _) = self.types.nodes[ty] {
                        if con == tycon {
                            let what = "types of recursive modules that contain themselves without a data type between";
                            self.not_supported(member.name.span, what);
                            return;
                        }
                        if seen.insert(con) {
                            todo.extend(self.types.behind(con));
                        }
                    }
                    if !matches!(self.types.nodes[ty], Type::Row(_)) {
                        todo.extend(self.types.parts(ty));
                    }
                }
            }
        }
    }

    // ------------------------------------------------------------- values

    /// What the others know of a module, with a variable for each of its values.
    fn known_ahead(&mut self, declared: &Module) -> (Module, Vec<Ahead>) {
        let Module::Structure(structure) = declared else { return (declared.clone(), Vec::new()) };
        let mut ahead = Vec::new();
        let global = self.local_depth == 0;
        let types = &mut self.types;
        let known = map_values(structure, &mut Vec::new(), &mut |path, value: &mut Value| {
            if !matches!(value.kind, ValueKind::Declared) {
                return;
            }
            let name = path.last().copied().unwrap_or(Symbol::new("value"));
            let var = types.vars.push(VarInfo {
                name,
                ty: value.ty,
                tyvars: value.vars.clone(),
                mutable: false,
                global,
                span: value.span,
            });
            ahead.push(Ahead { path: path.to_vec(), var, value: value.clone() });
            value.kind = ValueKind::Var(var);
        });
        (Module::Structure(Rc::new(known)), ahead)
    }

    /// May a module be used before it is evaluated?
    fn is_safe(&mut self, declared: &Module) -> bool {
        let Module::Structure(structure) = declared else {
            return matches!(declared, Module::Error);
        };
        let functions = values_in(structure).all.into_iter().all(|(_, value)| {
            let ty = self.types.expand(value.ty);
            match self.types.nodes[ty] {
                Type::Arrow(..) => true,
                Type::Con(con, _) => self.stdlib_type("lazy_t") == Some(con),
                _ => false,
            }
        });
        functions && has_no_identities(structure)
    }

    /// Puts the items of the members in the order of evaluation: those that are not safe first, after those that they
    /// need, then the others.
    fn order_members(&mut self, members: Vec<Member>, span: Span) {
        let owner: SparseMap<VarId, usize> = members
            .iter()
            .enumerate()
            .flat_map(|(at, it)| it.ahead.iter().map(move |ahead| (ahead.var, at)))
            .collect();
        let needs: Vec<Vec<usize>> = members
            .iter()
            .map(|it| {
                let mut found: Vec<usize> = Vec::new();
                for item in &it.items {
                    ahead::mentioned(item, |var| found.extend(owner.get(var)));
                }
                found.sort_unstable();
                found.dedup();
                found
            })
            .collect();
        let mut order = Order { needs: &needs, state: vec![None; members.len()], done: Vec::new() };
        for at in 0..members.len() {
            if let Err(cycle) = order.emit(at, &members, &mut Vec::new()) {
                self.unsafe_cycle(&members, &cycle);
                return;
            }
        }
        let done = order.done;
        self.emit_members(members, done, span);
    }

    fn unsafe_cycle(&mut self, members: &[Member], cycle: &[usize]) {
        let names: Vec<&str> = cycle.iter().map(|&it| members[it].name.text.as_str()).collect();
        let Some(&first) = cycle.first() else { return };
        let member = &members[first];
        let name = member.name.text;
        let mut report = Diagnostic::error(
            "E0221",
            format!("the recursive module `{name}` cannot be evaluated before itself"),
        )
        .at(member.name.span, format!("no module of this cycle is safe: {}", names.join(" → ")));
        if let Some((path, span, reason)) = self.unsafe_part(&member.declared)
            && span.file == member.name.span.file
        {
            report = report.label(span, format!("`{path}` {reason}"));
        }
        self.diagnostics
            .error(report.help("a module is safe if all its values are functions or lazy"));
    }

    /// What makes a module unsafe.
    fn unsafe_part(&mut self, declared: &Module) -> Option<(String, Span, &'static str)> {
        let Module::Structure(structure) = declared else { return None };
        for (path, value) in values_in(structure).all {
            let ty = self.types.expand(value.ty);
            if !matches!(self.types.nodes[ty], Type::Arrow(..)) {
                let name = path.last().map_or("", |it| it.as_str()).to_string();
                return Some((name, value.span, "is no function"));
            }
        }
        structure.ctors.iter().find_map(|(name, ctor)| match ctor {
            Ctor::Exn(exn) => {
                Some((name.to_string(), self.types.exns[*exn].span, "is an exception"))
            }
            Ctor::Variant(..) => None,
        })
    }
}

fn is_structure(body: &ast::ModuleExpr) -> bool {
    match &body.kind {
        ast::ModuleExprKind::Structure(_) => true,
        ast::ModuleExprKind::Constraint(inner, _) => is_structure(inner),
        _ => false,
    }
}

/// The module type of a structure in the body of a recursive module.
pub(super) fn inner_anchor(
    anchor: Option<&Rc<Structure>>,
    name: Name,
    body: &ast::ModuleExpr,
) -> Option<Rc<Structure>> {
    match anchor?.modules.get(&name.text)? {
        Module::Structure(inner) if is_structure(body) => Some(inner.clone()),
        _ => None,
    }
}

/// Exceptions and functors are there when their module has been evaluated.
fn has_no_identities(structure: &Structure) -> bool {
    structure.ctors.values().all(|it| matches!(it, Ctor::Variant(..)))
        && structure.modules.values().all(|it| match it {
            Module::Structure(inner) => has_no_identities(inner),
            Module::Functor(_) => false,
            Module::Later(_) | Module::Error => true,
        })
}

struct Order<'a> {
    needs: &'a [Vec<usize>],
    /// Whether a member is done, or being looked at.
    state: Vec<Option<bool>>,
    done: Vec<usize>,
}

impl Order<'_> {
    /// Adds a member behind those that it needs; the error is a cycle without a safe module.
    fn emit(
        &mut self,
        at: usize,
        members: &[Member],
        around: &mut Vec<usize>,
    ) -> Result<(), Vec<usize>> {
        match self.state[at] {
            Some(true) => return Ok(()),
            Some(false) => {
                let first = around.iter().position(|&it| it == at).unwrap_or(0);
                let mut cycle = around[first..].to_vec();
                cycle.push(at);
                return Err(cycle);
            }
            None => (),
        }
        if !members[at].is_safe {
            self.state[at] = Some(false);
            around.push(at);
            for &next in &self.needs[at] {
                self.emit(next, members, around)?;
            }
            around.pop();
        }
        self.state[at] = Some(true);
        self.done.push(at);
        Ok(())
    }
}
