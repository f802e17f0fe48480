//! Values of recursive modules that are used before they are defined.
//!
//! ```text
//! module rec A : sig val f : int -> int end = struct let f x = … B.g … end and B : … = struct let g x = … A.f … end
//!
//! let rec f = fun x -> … g' …  and  g' = fun x -> g x  and  g = fun x -> … f' …  and  f' = fun x -> f x
//! ```
//!
//! If all that depends on such a value are functions, they become one recursive group. Otherwise a safe module is a
//! cell that is filled when the module has been evaluated, and its values look there; until then they raise
//! `Undefined_recursive_module`.
//!
//! ```text
//! let cell = ref None
//! let there () = match !cell with Some it -> it | None -> raise (Undefined_recursive_module …)
//! let g' x = (there ()).g x
//! …                                  the bodies
//! cell := Some { g; … }
//! ```

use oxbow_base::indexmap::IndexSet;
use oxbow_base::{Span, SparseMap, SparseSet, Symbol, components};
use oxbow_psg::VarId;

use crate::build::walk::for_each_mention;
use crate::tast::{self, ExprKind, ItemKind};
use crate::types::{FieldInfo, GENERIC, TyCon, TyConId, TyConKind, Type, TypeId, VarInfo};

use super::Infer;
use super::env::{Module, Value, ValueKind};
use super::pack::value_at;
use super::recursive::Member;

/// A value of a recursive module as the others know it.
pub(super) struct Ahead {
    pub path: Vec<Symbol>,
    pub var: VarId,
    pub value: Value,
}

/// The cell of a safe module.
struct Cell {
    record: TyConId,
    /// The function that gives the module, if it is there.
    there: VarId,
    cell: VarId,
}

/// What the values of modules are that have been evaluated, where they are those of others: `let f = B.f`.
#[derive(Default)]
struct Held {
    /// Variables that are others.
    same: SparseMap<VarId, VarId>,
    /// By the variable that is bound ahead: that of the value which the module holds.
    values: SparseMap<VarId, VarId>,
}

impl Held {
    /// A module that is evaluated after those before. What it takes from one of them is what that holds; what it takes
    /// from a later one looks there when it is called.
    fn evaluate(&mut self, member: &Member) {
        for item in &member.items {
            let ItemKind::Let(bindings) = &item.kind else { continue };
            for binding in bindings {
                if let tast::PatternKind::Var(var) = binding.pattern.kind
                    && let ExprKind::Var { var: other, .. } = binding.value.kind
                {
                    self.same.insert(var, self.resolve(other));
                }
            }
        }
        let holds =
            |ahead: &Ahead| Some((ahead.var, self.resolve(value_var(&member.module, ahead)?)));
        let holds: Vec<_> = member.ahead.iter().filter_map(holds).collect();
        self.values.extend(holds);
    }

    fn resolve(&self, var: VarId) -> VarId {
        let var = self.same.get(var).copied().unwrap_or(var);
        self.values.get(var).copied().unwrap_or(var)
    }

    /// Does the value look for itself?
    fn is_itself(&self, ahead: &Ahead) -> bool {
        self.values.get(ahead.var) == Some(&ahead.var)
    }
}

/// The variable of the value that a module defines, if it has one.
fn value_var(module: &Module, ahead: &Ahead) -> Option<VarId> {
    let Module::Structure(structure) = module else { return None };
    match value_at(structure, &ahead.path)?.kind {
        ValueKind::Var(var) => Some(var),
        _ => None,
    }
}

impl Infer<'_> {
    /// The items of the members, in the order `done`.
    pub(super) fn emit_members(&mut self, members: Vec<Member>, done: Vec<usize>, span: Span) {
        let (safe, first): (Vec<usize>, Vec<usize>) =
            done.into_iter().partition(|&it| members[it].is_safe);
        let mut members: Vec<Option<Member>> = members.into_iter().map(Some).collect();
        let safe: Vec<Member> = safe.into_iter().filter_map(|it| members[it].take()).collect();
        let first: Vec<Member> = first.into_iter().filter_map(|it| members[it].take()).collect();
        let uses_safe = {
            let ahead: SparseSet<VarId> =
                safe.iter().flat_map(|it| it.ahead.iter().map(|it| it.var)).collect();
            let mut uses = false;
            for item in first.iter().flat_map(|it| &it.items) {
                mentioned(item, |var| uses |= ahead.contains(var));
            }
            uses
        };
        let group = if uses_safe { None } else { self.as_group(&safe, span) };
        let cells: Vec<Option<Cell>> = match &group {
            Some(_) => Vec::new(),
            None => safe.iter().map(|it| self.cell(it)).collect(),
        };
        for member in first {
            self.items.extend(member.items);
            for ahead in &member.ahead {
                if let Some(value) = self.defined(&member.module, ahead) {
                    self.bind_item(ahead.var, value, member.place);
                }
            }
        }
        if let Some(items) = group {
            self.items.extend(items);
            return;
        }
        let mut held = Held::default();
        for (member, cell) in safe.into_iter().zip(cells) {
            held.evaluate(&member);
            self.items.extend(member.items);
            if let Some(cell) = cell {
                self.fill(&member.module, (&member.ahead, &held), &cell, member.place);
            }
        }
    }

    /// The value that a variable stands for, at the type that the signature declares.
    fn defined(&mut self, module: &Module, ahead: &Ahead) -> Option<tast::Expr> {
        let Module::Structure(structure) = module else { return None };
        let value = value_at(structure, &ahead.path)?;
        let instance = value.instance.clone().unwrap_or_else(|| value.vars.clone().into());
        let value = Value { vars: Vec::new(), instance: Some(instance), ..value };
        Some(self.value_expr(&value, ahead.value.span))
    }

    fn bind_item(&mut self, var: VarId, value: tast::Expr, span: Span) {
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty: value.ty, span };
        let kind = ItemKind::Let(vec![tast::Binding { pattern, value }]);
        self.items.push(tast::Item { kind, span, library: self.library });
    }

    // -------------------------------------------------- one recursive group

    /// The items, if functions alone depend on values that are used ahead: those are one group, after the rest.
    fn as_group(&mut self, members: &[Member], span: Span) -> Option<Vec<tast::Item>> {
        let mut bindings: Vec<tast::RecBinding> = Vec::new();
        for member in members {
            for ahead in &member.ahead {
                let value = self.defined(&member.module, ahead)?;
                let value = self.eta(value, self.arity(members, ahead, member))?;
                bindings.push(tast::RecBinding { var: ahead.var, value });
            }
        }
        let mut late: SparseSet<VarId> = bindings.iter().map(|it| it.var).collect();
        // A value that is one of another module may be nothing but itself.
        let mut ahead =
            members.iter().flat_map(|member| member.ahead.iter().map(move |it| (member, it)));
        if ahead
            .any(|(member, it)| value_var(&member.module, it).is_some_and(|it| late.contains(it)))
        {
            return None;
        }
        let mut first = Vec::new();
        for item in members.iter().flat_map(|it| &it.items) {
            let mut depends = false;
            mentioned(item, |var| depends |= late.contains(var));
            if !depends {
                first.push(item.clone());
                continue;
            }
            for (var, value) in functions_of(item)? {
                late.insert(var);
                bindings.push(tast::RecBinding { var, value: value.clone() });
            }
        }
        if !self.shares_parameters(&bindings) {
            return None;
        }
        let kind = ItemKind::LetRec(bindings);
        first.push(tast::Item { kind, span, library: self.library });
        Some(first)
    }

    /// How many parameters the definition of a value takes at once.
    fn arity(&self, members: &[Member], ahead: &Ahead, member: &Member) -> usize {
        let Some(var) = value_var(&member.module, ahead) else { return 1 };
        let items = members.iter().flat_map(|it| &it.items);
        let functions = items.filter_map(functions_of).flatten();
        let found = functions.into_iter().find(|it| it.0 == var).map(|it| it.1);
        match found.map(|it| &it.kind) {
            Some(ExprKind::Lambda { params, .. }) => params.len(),
            _ => 1,
        }
    }

    /// Functions that call each other have the same type parameters.
    fn shares_parameters(&self, bindings: &[tast::RecBinding]) -> bool {
        let place: SparseMap<VarId, usize> =
            bindings.iter().enumerate().map(|(at, it)| (it.var, at)).collect();
        let edges: Vec<Vec<usize>> = bindings
            .iter()
            .map(|it| {
                let mut uses = IndexSet::new();
                for_each_mention(&it.value, |var, _, _| uses.extend(place.get(var).copied()));
                uses.into_iter().collect()
            })
            .collect();
        let params = |at: usize| &self.types.vars[bindings[at].var].tyvars;
        components(&edges).iter().all(|it| it.iter().all(|&at| params(at) == params(it[0])))
    }

    /// `fun x y -> f x y`
    fn eta(&mut self, func: tast::Expr, arity: usize) -> Option<tast::Expr> {
        let (span, whole) = (func.span, func.ty);
        let mut ty = whole;
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for _ in 0..arity.max(1) {
            let expanded = self.types.expand(ty);
            let Type::Arrow(_, param, result) = self.types.nodes[expanded] else { break };
            let var = self.local_var("x", param, span);
            let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty: param, span };
            params.push(pattern.into());
            args.push(read(var, param, span));
            ty = result;
        }
        if params.is_empty() {
            return None;
        }
        let body = tast::Expr { kind: ExprKind::Apply { func: func.into(), args }, ty, span };
        let inline = tast::InlineAttribute::None;
        Some(tast::Expr {
            kind: ExprKind::Lambda { params, body: Box::new(body), inline },
            ty: whole,
            span,
        })
    }

    fn local_var(&mut self, name: &str, ty: TypeId, span: Span) -> VarId {
        let name = Symbol::new(name);
        let tyvars = Vec::new();
        self.types.vars.push(VarInfo { name, ty, tyvars, mutable: false, global: false, span })
    }

    // ---------------------------------------------------------------- cells

    /// The cell of a safe module, and its values that look there.
    fn cell(&mut self, member: &Member) -> Option<Cell> {
        if member.ahead.is_empty() {
            return None;
        }
        let span = member.place;
        let record = self.cell_record(member);
        let record_ty = self.types.add(Type::Con(record, Vec::new()));
        let option = self.option_of(record_ty);
        let reference = self.stdlib_type("ref")?;
        let cell_ty = self.types.add(Type::Con(reference, vec![option]));
        let cell = self.new_var(member.name.text, cell_ty, span);
        let none = self.construct_option(0, Vec::new(), option, span);
        let kind = ExprKind::Record { tycon: reference, fields: vec![none] };
        self.bind_item(cell, tast::Expr { kind, ty: cell_ty, span }, span);
        let unit = self.builtins.unit;
        let there_ty = self.arrow(crate::types::Label::None, unit, record_ty);
        let there = self.new_var(member.name.text, there_ty, span);
        let body = self.look(cell, cell_ty, (reference, option, record_ty), span)?;
        let pattern = tast::Pattern { kind: tast::PatternKind::Unit, ty: unit, span };
        let params = vec![pattern.into()];
        let inline = tast::InlineAttribute::None;
        let kind = ExprKind::Lambda { params, body: Box::new(body), inline };
        self.bind_item(there, tast::Expr { kind, ty: there_ty, span }, span);
        for (index, ahead) in member.ahead.iter().enumerate() {
            let unit = tast::Expr { kind: ExprKind::Unit, ty: unit, span };
            let func = Box::new(read(there, there_ty, span));
            let kind = ExprKind::Apply { func, args: vec![unit] };
            let object = Box::new(tast::Expr { kind, ty: record_ty, span });
            let field = tast::RecordRef::Record(record);
            let kind = ExprKind::Field { object, record: field, index: index as u32 };
            let field = tast::Expr { kind, ty: ahead.value.ty, span };
            let value = match self.eta(field.clone(), 1) {
                Some(value) => value,
                None => self.suspended(field)?,
            };
            self.bind_item(ahead.var, value, span);
        }
        Some(Cell { record, there, cell })
    }

    /// `lazy (force e)`
    fn suspended(&mut self, value: tast::Expr) -> Option<tast::Expr> {
        let (span, ty) = (value.span, value.ty);
        let expanded = self.types.expand(ty);
        let item = match &self.types.nodes[expanded] {
            Type::Con(_, args) => *args.first()?,
            _ => return None,
        };
        let force = self.lazy_force(item, span)?;
        let kind = ExprKind::Apply { func: Box::new(force), args: vec![value] };
        let value = Box::new(tast::Expr { kind, ty: item, span });
        Some(tast::Expr { kind: ExprKind::Lazy { value, at_once: false }, ty, span })
    }

    /// The record of a module's values; polymorphic ones are polymorphic fields.
    fn cell_record(&mut self, member: &Member) -> TyConId {
        let mut fields = Vec::new();
        for ahead in &member.ahead {
            let value = &ahead.value;
            let vars: Vec<TypeId> = value
                .vars
                .iter()
                .map(|_| self.types.add(Type::Var { level: GENERIC, name: None }))
                .collect();
            let ty = self.types.substitute(value.ty, &value.vars, &vars);
            self.types.has_equations |= !vars.is_empty();
            self.types.uniform.extend(&vars);
            let name = ahead.path.last().copied().unwrap_or(Symbol::new("value"));
            let (role, span) = (crate::ast::FieldRole::Plain, value.span);
            fields.push(FieldInfo { name, mutable: false, acyclic: false, role, ty, vars, span });
        }
        let name = member.name.text;
        let kind = TyConKind::Record(fields);
        let span = Some(member.name.span);
        self.types.tycons.push(TyCon::new(name, name.to_string(), Vec::new(), kind, span))
    }

    fn construct_option(
        &mut self,
        ctor: u32,
        args: Vec<tast::Expr>,
        ty: TypeId,
        span: Span,
    ) -> tast::Expr {
        let kind = ExprKind::Construct { tycon: self.builtins.option, ctor, args };
        tast::Expr { kind, ty, span }
    }

    /// `match !cell with None -> raise (Undefined_recursive_module …) | Some it -> it`
    fn look(
        &mut self,
        cell: VarId,
        cell_ty: TypeId,
        (reference, option, record): (TyConId, TypeId, TypeId),
        span: Span,
    ) -> Option<tast::Expr> {
        let object = Box::new(read(cell, cell_ty, span));
        let kind = ExprKind::Field { object, record: tast::RecordRef::Record(reference), index: 0 };
        let scrutinee = Box::new(tast::Expr { kind, ty: option, span });
        let it = self.local_var("it", record, span);
        let tycon = self.builtins.option;
        let var = tast::Pattern { kind: tast::PatternKind::Var(it), ty: record, span };
        let case = |ctor, args, body| tast::Case {
            pattern: tast::Pattern {
                kind: tast::PatternKind::Construct { tycon, ctor, args },
                ty: option,
                span,
            },
            guard: None,
            body,
        };
        let raise = self.raise_undefined(record, span)?;
        let cases = vec![case(0, Vec::new(), raise), case(1, vec![var], read(it, record, span))];
        let kind = ExprKind::Match { scrutinee, cases, exceptions: Vec::new() };
        Some(tast::Expr { kind, ty: record, span })
    }

    /// `let (file, line, column, _) = __POS__ in raise (Undefined_recursive_module (file, line, column))`
    fn raise_undefined(&mut self, ty: TypeId, span: Span) -> Option<tast::Expr> {
        let exn = self.stdlib.as_ref()?.find_exn(Symbol::new("Undefined_recursive_module"))?;
        let (string, int) = (self.builtins.string, self.builtins.int);
        let types = [string, int, int];
        let vars: Vec<VarId> = types.iter().map(|&ty| self.local_var("place", ty, span)).collect();
        let place = self.types.add(Type::Tuple(vec![string, int, int, int]));
        let mut parts: Vec<tast::Pattern> = vars
            .iter()
            .zip(types)
            .map(|(&var, ty)| tast::Pattern { kind: tast::PatternKind::Var(var), ty, span })
            .collect();
        parts.push(tast::Pattern { kind: tast::PatternKind::Any, ty: int, span });
        let args = vars.iter().zip(types).map(|(&var, ty)| read(var, ty, span)).collect();
        let ty_of_args = self.types.add(Type::Tuple(types.to_vec()));
        let args = vec![tast::Expr { kind: ExprKind::Tuple(args), ty: ty_of_args, span }];
        let exn_ty = self.builtins.exn;
        let exn = tast::Expr { kind: ExprKind::MakeExn { exn, args }, ty: exn_ty, span };
        let raise_ty = self.arrow(crate::types::Label::None, exn_ty, ty);
        let raise = ExprKind::Builtin(tast::Builtin::Raise);
        let func = Box::new(tast::Expr { kind: raise, ty: raise_ty, span });
        let body = tast::Expr { kind: ExprKind::Apply { func, args: vec![exn] }, ty, span };
        let here = tast::Expr { kind: ExprKind::Here(tast::Here::Pos), ty: place, span };
        let kind = tast::PatternKind::Tuple(parts);
        let pattern = tast::Pattern { kind, ty: place, span };
        let cases = vec![tast::Case { pattern, guard: None, body }];
        let scrutinee = Box::new(here);
        let kind = ExprKind::Match { scrutinee, cases, exceptions: Vec::new() };
        Some(tast::Expr { kind, ty, span })
    }

    /// A function or suspension that raises `Undefined_recursive_module`.
    fn raising(&mut self, ty: TypeId, span: Span) -> Option<tast::Expr> {
        let expanded = self.types.expand(ty);
        let kind = match self.types.nodes[expanded].clone() {
            Type::Arrow(_, param, result) => {
                let body = Box::new(self.raise_undefined(result, span)?);
                let kind = tast::PatternKind::Any;
                let pattern = tast::Pattern { kind, ty: param, span };
                let inline = tast::InlineAttribute::None;
                ExprKind::Lambda { params: vec![pattern.into()], body, inline }
            }
            Type::Con(_, args) => {
                let value = Box::new(self.raise_undefined(*args.first()?, span)?);
                ExprKind::Lazy { value, at_once: false }
            }
            _ => return None,
        };
        Some(tast::Expr { kind, ty, span })
    }

    /// `cell := Some { … }`
    fn fill(&mut self, module: &Module, (ahead, held): (&[Ahead], &Held), cell: &Cell, span: Span) {
        let infos = self.fields_of(cell.record).to_vec();
        let mut fields = Vec::new();
        for (ahead, info) in ahead.iter().zip(&infos) {
            let Module::Structure(structure) = module else { return };
            let Some(value) = value_at(structure, &ahead.path) else { return };
            let instance = value.instance.clone().unwrap_or_else(|| value.vars.clone().into());
            let vars = value.vars.clone();
            let instance: Vec<TypeId> =
                instance.iter().map(|&it| self.types.substitute(it, &vars, &info.vars)).collect();
            let ty = self.types.substitute(value.ty, &vars, &info.vars);
            if held.is_itself(ahead)
                && let Some(raising) = self.raising(ty, span)
            {
                fields.push(raising);
                continue;
            }
            let value = Value { vars: Vec::new(), ty, instance: Some(instance.into()), ..value };
            fields.push(self.value_expr(&value, span));
        }
        let cell_ty = self.types.vars[cell.cell].ty;
        let Type::Arrow(_, _, record_ty) = *self.types.get(self.types.vars[cell.there].ty) else {
            return;
        };
        let kind = ExprKind::Record { tycon: cell.record, fields };
        let record = tast::Expr { kind, ty: record_ty, span };
        let option = self.option_of(record_ty);
        let value = Box::new(self.construct_option(1, vec![record], option, span));
        let Some(reference) = self.stdlib_type("ref") else { return };
        let object = Box::new(read(cell.cell, cell_ty, span));
        let field = tast::RecordRef::Record(reference);
        let kind = ExprKind::SetField { object, record: field, index: 0, value };
        let unit = self.builtins.unit;
        let kind = ItemKind::Eval(tast::Expr { kind, ty: unit, span });
        self.items.push(tast::Item { kind, span, library: self.library });
    }
}

fn read(var: VarId, ty: TypeId, span: Span) -> tast::Expr {
    tast::Expr { kind: ExprKind::Var { var, tyargs: Vec::new() }, ty, span }
}

/// Calls `visit` with the variables that an item mentions.
pub(super) fn mentioned(item: &tast::Item, mut visit: impl FnMut(VarId)) {
    let mut each = |value: &tast::Expr| for_each_mention(value, |var, _, _| visit(var));
    match &item.kind {
        ItemKind::Let(bindings) => bindings.iter().for_each(|it| each(&it.value)),
        ItemKind::LetRec(bindings) => bindings.iter().for_each(|it| each(&it.value)),
        ItemKind::Eval(value) => each(value),
    }
}

/// The functions that an item defines, if it defines nothing else.
fn functions_of(item: &tast::Item) -> Option<Vec<(VarId, &tast::Expr)>> {
    let is_function =
        |it: &tast::Expr| matches!(it.kind, ExprKind::Lambda { .. } | ExprKind::Function { .. });
    match &item.kind {
        ItemKind::Let(bindings) => bindings
            .iter()
            .map(|it| match it.pattern.kind {
                tast::PatternKind::Var(var) if is_function(&it.value) => Some((var, &it.value)),
                _ => None,
            })
            .collect(),
        ItemKind::LetRec(bindings) => bindings
            .iter()
            .map(|it| is_function(&it.value).then_some((it.var, &it.value)))
            .collect(),
        ItemKind::Eval(_) => None,
    }
}
