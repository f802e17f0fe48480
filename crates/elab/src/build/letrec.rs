//! Recursive groups.
//!
//! Functions that call each other become a `LetRec`; those that are in one group of the text without need
//! become several, or a `Let`:
//!
//! ```text
//! let rec even n = … odd …  and  odd n = … even …  and  show n = … odd …
//!
//! let rec even = … and odd = … in let show = … in …
//! ```
//!
//! A value that is no function cannot stand in a `LetRec`: the
//! group sees it through a cell, an array of one element, that is filled as soon as the
//! value is there. Behind the group the variable is the value itself.
//!
//! ```text
//! let rec f x = … r …  and  r = { run = fun y -> f y … r … }
//!
//! let cell = uninit 1 in
//! let rec f = fun x -> … cell.(0) … in
//! let r = (let it = { run = fun y -> f y … cell.(0) … } in cell.(0) <- it; it) in …
//! ```
//!
//! A record or constructor may hold values of the group that are not there yet. Such a field
//! begins as nothing (an element of an array that was never filled) and is set as soon as the
//! value is there; it counts as mutable in this program, and `%opaque` keeps passes from knowing
//! what it was made with.
//!
//! ```text
//! let rec l = 1 :: l
//!
//! let l = (let it = %opaque (1 :: nothing) in it.1 <- it; it) in …
//! ```
//!
//! In Clef a value may also be computed by a call that gets functions of the group, as in
//! `let rec fib = memo (fun n -> … fib …)`, or by a call of one of them. Whether a value is read too early is found out
//! at run time: a second cell tells whether the first is filled.
//!
//! Values whose address is needed in other ways (behind a `let`, in an array or a call of `ref`) exist before
//! their contents (`rec_objects`). What is allowed at all is decided by `rec_check`.
//!
//! Not done: polymorphic groups with a value and anything else: their instances would need one cell
//! each.

use oxbow_base::indexmap::IndexSet;
use oxbow_base::{IdMap, Span, Symbol, components};
use oxbow_diag::Diagnostic;
use oxbow_psg::{DataKind, NodeId, NodeKind, Prim, Ty, TyId, Var, VarId, walk};

use super::Builder;
use super::frames::Frame;
use super::rec_check::{Mode, Size, Uses, is_constant};
use super::rec_objects::Shape;
use super::walk::{Use, for_each_mention};
use crate::tast::{Expr, ExprKind, RecBinding};

/// A field that is set when its value is there.
pub(super) struct Pending {
    /// The variable of the object; it may be one that a nested constructor got.
    pub holder: VarId,
    pub ctor: u32,
    pub index: u32,
    pub value: VarId,
}

impl Builder<'_> {
    /// What a group binds, in order of evaluation.
    pub(super) fn rec_group<'t>(
        &mut self,
        bindings: &'t [RecBinding],
        span: Span,
    ) -> Vec<Frame<'t>> {
        let (functions, values): (Vec<_>, Vec<_>) =
            bindings.iter().partition(|it| is_function(&it.value));
        let mut frames = Vec::new();
        // Values that mention nothing of the group are ordinary ones; those of unknown size and constants
        // come first.
        let (first, values): (Vec<_>, Vec<_>) = values.into_iter().partition(|it| {
            let is_first = self.size(&it.value) == Size::Dynamic
                || is_constant(&it.value) && !mentions_any(&it.value, bindings);
            is_first && !self.left_to_right
        });
        let independent = values.iter().take_while(|it| !mentions_any(&it.value, bindings)).count();
        let (ordinary, values) = values.split_at(independent);
        for binding in first.iter().chain(ordinary) {
            self.check_independent(binding, bindings);
            let value = self.named(&binding.value, self.binding_name(binding.var));
            let value = self.fit(value, self.program.vars[binding.var].ty);
            frames.push(Frame::Let { var: binding.var, value, span });
        }
        let checked = !values.is_empty() && self.check_values(&functions, values, bindings);
        let early = self.early_objects(values);
        for &(var, shape) in &early {
            let (ty, span) = (self.program.vars[var].ty, self.program.vars[var].span);
            let value = self.empty_object(shape, ty, span);
            frames.push(Frame::Let { var, value, span });
        }
        let is_early = |var| early.iter().find(|it| it.0 == var).map(|it| it.1);
        for binding in values.iter().filter(|it| is_early(it.var).is_none()) {
            let cell = self.cell(binding.var, binding.value.span);
            let value = self.empty_cell(cell, binding.value.span);
            frames.push(Frame::Let { var: cell, value, span });
            self.cells.insert(binding.var, cell);
            if checked {
                let flag = self.flag(cell, binding.value.span);
                frames.push(Frame::Let { var: flag.0, value: flag.1, span });
            }
        }
        if !functions.is_empty() {
            let nodes: Vec<NodeId> = functions
                .iter()
                .map(|it| {
                    let value = self.named(&it.value, self.binding_name(it.var));
                    self.fit(value, self.program.vars[it.var].ty)
                })
                .collect();
            let vars = functions.iter().map(|it| it.var).collect();
            frames.extend(self.function_frames(vars, nodes, span));
        }
        let mut pending = Vec::new();
        for (index, binding) in values.iter().enumerate() {
            if let Some(shape) = is_early(binding.var) {
                let before = vec![self.fill(binding.var, shape, &binding.value)];
                frames.push(Frame::Seq { before, span });
                continue;
            }
            let unfilled: Vec<VarId> = values[index..]
                .iter()
                .map(|it| it.var)
                .filter(|&it| is_early(it).is_none())
                .collect();
            let polymorphic = !self.program.vars[binding.var].tyvars.is_empty();
            let value = if !self.holds(&binding.value, &unfilled) {
                self.named(&binding.value, self.binding_name(binding.var))
            } else if polymorphic {
                self.polymorphic_object(binding, &unfilled)
            } else {
                let mut inner = Vec::new();
                let value =
                    self.place(&binding.value, binding.var, &unfilled, &mut inner, &mut pending);
                for (var, value) in inner {
                    self.program.vars[var].global = self.program.vars[binding.var].global;
                    frames.push(Frame::Let { var, value, span });
                }
                value
            };
            let value = self.fit(value, self.program.vars[binding.var].ty);
            let value = self.fill_cell(binding.var, value);
            frames.push(Frame::Let { var: binding.var, value, span });
            let (now, later) =
                pending.into_iter().partition(|it: &Pending| it.value == binding.var);
            pending = later;
            let before: Vec<NodeId> =
                now.iter().map(|it| self.set_field(it, it.value, span)).collect();
            if !before.is_empty() {
                frames.push(Frame::Seq { before, span });
            }
        }
        for binding in values {
            if let Some(cell) = self.cells.remove(binding.var) {
                self.flags.remove(cell);
            }
        }
        frames
    }

    /// Functions that call each other together, after those that they call: an instance of one asks for no
    /// others than it needs.
    fn function_frames<'t>(
        &self,
        vars: Vec<VarId>,
        values: Vec<NodeId>,
        span: Span,
    ) -> Vec<Frame<'t>> {
        let mut place = IdMap::new();
        for (index, &var) in vars.iter().enumerate() {
            place.insert(var, index);
        }
        let edges: Vec<Vec<usize>> = values
            .iter()
            .map(|&value| {
                let mut uses = IndexSet::new();
                walk::for_each_node(&self.program, value, |node| {
                    let var = self.program.nodes[node].kind.mentioned();
                    uses.extend(var.and_then(|it| place.get(it).copied()));
                });
                uses.into_iter().collect()
            })
            .collect();
        components(&edges)
            .into_iter()
            .map(|component| match component[..] {
                [only] if !edges[only].contains(&only) => {
                    Frame::Let { var: vars[only], value: values[only], span }
                }
                _ => Frame::LetRec {
                    vars: component.iter().map(|&it| vars[it]).collect(),
                    values: component.iter().map(|&it| values[it]).collect(),
                    span,
                },
            })
            .collect()
    }

    pub(super) fn binding_name(&self, var: VarId) -> Option<Symbol> {
        Some(self.program.vars[var].name)
    }

    /// Reports values that cannot be made; may a cell be read before it is filled?
    fn check_values(
        &mut self,
        functions: &[&RecBinding],
        values: &[&RecBinding],
        group: &[RecBinding],
    ) -> bool {
        let mut checked = false;
        let polymorphic = values.iter().find(|it| !self.program.vars[it.var].tyvars.is_empty());
        if let Some(binding) = polymorphic
            && functions.len() + values.len() > 1
        {
            self.not_supported(binding.value.span, "polymorphic recursive value in a group");
            return false;
        }
        for (index, binding) in values.iter().enumerate() {
            if !self.left_to_right {
                self.check_static(binding, group);
                continue;
            }
            let unfilled: Vec<VarId> = values[index..].iter().map(|it| it.var).collect();
            let (mut stored, mut needed) = (None, None);
            let placed = self.can_be_placed(&binding.value, &unfilled);
            for_each_mention(&binding.value, |var, at, span| {
                let of_group = functions.iter().chain(values).any(|it| it.var == var);
                // In Clef functions of the group can be called: what they read is checked. So can values
                // that are there.
                let is_needed = at == Use::Needed && unfilled.contains(&var);
                if is_needed {
                    needed.get_or_insert(span);
                }
                checked |= of_group && !is_needed && matches!(at, Use::Needed | Use::Perhaps);
                if unfilled.contains(&var) && at == Use::Stored && !placed {
                    stored.get_or_insert(span);
                }
            });
            if let Some(span) = needed {
                self.report_needed(binding, binding.var, span);
            } else if let Some(span) = stored {
                self.not_supported(
                    span,
                    "recursive value definition that refers to itself directly",
                );
            }
        }
        checked
    }

    /// No value of the group may be looked at before it is there.
    fn check_static(&mut self, binding: &RecBinding, group: &[RecBinding]) {
        let uses = self.uses_of(&binding.value, Mode::Return);
        if let Some((var, span)) = first_needed(&uses, group) {
            self.report_needed(binding, var, span);
        }
    }

    /// A value of unknown size may not mention the group.
    fn check_independent(&mut self, binding: &RecBinding, group: &[RecBinding]) {
        if self.left_to_right {
            return;
        }
        let uses = self.uses_of(&binding.value, Mode::Return);
        if let Some((var, span)) = first_needed(&uses, group) {
            self.report_needed(binding, var, span);
        } else if let Some(&(_, span)) = group.iter().find_map(|it| uses.get(&it.var)) {
            let name = self.program.vars[binding.var].name;
            self.diagnostics.error(
                Diagnostic::error(
                    "E0136",
                    format!("what `{name}` is made of is not known before it is computed"),
                )
                .at(binding.value.span, "the result of a call or a branch")
                .label(span, "mentioned here, so it would have to be there already")
                .help("make it a function with a parameter, a constructor, a record or `lazy`"),
            );
        }
    }

    /// `needed` is looked at while `binding` is computed.
    fn report_needed(&mut self, binding: &RecBinding, needed: VarId, span: Span) {
        let name = self.program.vars[binding.var].name;
        let text = if needed == binding.var {
            format!("`{name}` is needed to compute its own definition")
        } else {
            let needed = self.program.vars[needed].name;
            format!("`{needed}` is needed to compute `{name}`, which is defined together with it")
        };
        self.diagnostics.error(
            Diagnostic::error("E0136", text)
                .at(span, "not defined yet when this is evaluated")
                .help("put the use under a function or `lazy`"),
        );
    }

    /// The values that must exist before their contents, since more than the fields of an object depends
    /// on where they are.
    fn early_objects(&mut self, values: &[&RecBinding]) -> Vec<(VarId, Shape)> {
        let mut early: Vec<(VarId, Shape)> = Vec::new();
        if self.left_to_right || self.diagnostics.has_errors() {
            return early;
        }
        loop {
            let mut found: Vec<(VarId, Span)> = Vec::new();
            for (index, binding) in values.iter().enumerate() {
                let unfilled: Vec<VarId> = values[index..]
                    .iter()
                    .map(|it| it.var)
                    .filter(|it| early.iter().all(|early| early.0 != *it))
                    .collect();
                if self.can_be_placed(&binding.value, &unfilled) {
                    continue;
                }
                for (var, (mode, span)) in self.uses_of(&binding.value, Mode::Return) {
                    if mode > Mode::Delay && unfilled.contains(&var) {
                        found.push((var, span));
                    }
                }
            }
            if found.is_empty() {
                return early;
            }
            for (var, span) in found {
                if early.iter().any(|it| it.0 == var) {
                    continue;
                }
                let shape =
                    values.iter().find(|it| it.var == var).and_then(|it| self.shape(&it.value));
                let is_polymorphic = !self.program.vars[var].tyvars.is_empty();
                match shape.filter(|_| !is_polymorphic) {
                    Some(shape) => early.push((var, shape)),
                    None => {
                        self.not_supported(
                            span,
                            "recursive value definition that refers to itself directly",
                        );
                        return Vec::new();
                    }
                }
            }
        }
    }

    /// A polymorphic record or constructor that holds itself: each instance has its own, so it is
    /// finished inside its definition.
    fn polymorphic_object(&mut self, binding: &RecBinding, unfilled: &[VarId]) -> NodeId {
        let span = binding.value.span;
        let (name, ty) = (self.program.vars[binding.var].name, self.program.vars[binding.var].ty);
        let it = self.fresh(name, ty, span);
        let (mut inner, mut sets) = (Vec::new(), Vec::new());
        let value = self.place(&binding.value, it, unfilled, &mut inner, &mut sets);
        let mut parts: Vec<NodeId> = sets.iter().map(|set| self.set_field(set, it, span)).collect();
        parts.push(self.read(it, span));
        let body = self.node(NodeKind::Seq(parts), ty, span);
        let mut node = self.bind(it, value, body, span);
        for (var, value) in inner.into_iter().rev() {
            node = self.bind(var, value, node, span);
        }
        node
    }

    /// The node that makes an object with empty fields; `inner` are objects to be made before.
    fn place(
        &mut self,
        expr: &Expr,
        holder: VarId,
        unfilled: &[VarId],
        inner: &mut Vec<(VarId, NodeId)>,
        sets: &mut Vec<Pending>,
    ) -> NodeId {
        let (ty, span) = (self.ty(expr.ty), expr.span);
        let (ctor, parts) = match &expr.kind {
            ExprKind::Construct { ctor, args, .. } => (*ctor, args),
            ExprKind::Record { fields, .. } => (0, fields),
            other => oxbow_diag::ice!("no object: {other:?}"),
        };
        // An object inside is made before this one, and then so are the other parts, each in its turn.
        let has_inner = parts.iter().any(|it| self.holds(it, unfilled));
        let mut order: Vec<(u32, &Expr)> = (0..).zip(parts).collect();
        if !self.left_to_right {
            order.reverse();
        }
        let mut nodes = Vec::new();
        for (index, part) in order {
            let node = match part.kind {
                ExprKind::Var { var, .. } if unfilled.contains(&var) => {
                    sets.push(Pending { holder, ctor, index, value: var });
                    self.nothing_for(part)
                }
                _ if has_inner => {
                    let part_ty = self.ty(part.ty);
                    let var = self.fresh(Symbol::new("part"), part_ty, part.span);
                    let value = match self.holds(part, unfilled) {
                        true => self.place(part, var, unfilled, inner, sets),
                        false => self.expr(part),
                    };
                    inner.push((var, value));
                    self.read(var, part.span)
                }
                _ => self.expr(part),
            };
            nodes.push(node);
        }
        if !self.left_to_right {
            nodes.reverse();
        }
        let fields = self.field_tys(ty, ctor);
        let nodes = self.fit_all(nodes, &fields);
        let kind = match &expr.kind {
            ExprKind::Record { .. } => NodeKind::Record(nodes),
            _ => NodeKind::Construct { ctor, args: nodes },
        };
        let object = self.node(kind, ty, span);
        self.node(NodeKind::Prim { prim: Prim::Opaque, args: vec![object] }, ty, span)
    }

    fn nothing_for(&mut self, part: &Expr) -> NodeId {
        let ty = self.ty(part.ty);
        self.nothing(ty, part.span)
    }

    /// What a field holds before it is set.
    pub(super) fn nothing(&mut self, ty: TyId, span: Span) -> NodeId {
        let array = self.program.types.intern(Ty::Array(ty));
        let length = self.int(1, span);
        let cell =
            self.node(NodeKind::Prim { prim: Prim::ArrayUninit, args: vec![length] }, array, span);
        let index = self.int(0, span);
        self.node(NodeKind::Prim { prim: Prim::ArrayGet, args: vec![cell, index] }, ty, span)
    }

    /// The field counts as mutable from here on, whatever its declaration says.
    pub(super) fn set_field(&mut self, set: &Pending, value: VarId, span: Span) -> NodeId {
        if let Ty::Data(data, _) = *self.program.types.get(self.program.vars[set.holder].ty) {
            let fields = match &mut self.program.types.datas[data].kind {
                DataKind::Record(fields) => Some(fields),
                DataKind::Variant(ctors) => {
                    ctors.get_mut(set.ctor as usize).map(|it| &mut it.fields)
                }
            };
            if let Some(field) = fields.and_then(|it| it.get_mut(set.index as usize)) {
                field.mutable = true;
            }
        }
        let (object, value) = (self.read(set.holder, span), self.read(value, span));
        let fields = self.field_tys(self.program.ty(object), set.ctor);
        let value = self.fit(value, fields[set.index as usize]);
        let unit = self.program.types.unit;
        self.node(
            NodeKind::SetField { object, ctor: set.ctor, index: set.index, value },
            unit,
            span,
        )
    }

    /// Is this a record or constructor that holds one of the variables?
    fn holds(&self, value: &Expr, unfilled: &[VarId]) -> bool {
        matches!(value.kind, ExprKind::Construct { .. } | ExprKind::Record { .. })
            && self.stores(value, unfilled)
    }

    /// Are the variables held by records and constructors only?
    fn can_be_placed(&self, value: &Expr, unfilled: &[VarId]) -> bool {
        let mut todo = vec![value];
        while let Some(value) = todo.pop() {
            if !self.stores(value, unfilled) {
                continue;
            }
            let parts = match &value.kind {
                ExprKind::Construct { args, .. } => args,
                ExprKind::Record { fields, .. } => fields,
                _ => return false,
            };
            todo.extend(parts.iter().filter(|it| !matches!(it.kind, ExprKind::Var { .. })));
        }
        true
    }

    /// Is one of the variables stored in what this expression makes?
    fn stores(&self, value: &Expr, unfilled: &[VarId]) -> bool {
        if !self.left_to_right {
            let uses = self.uses_of(value, Mode::Guard);
            return unfilled.iter().any(|it| uses.get(it).is_some_and(|it| it.0 > Mode::Delay));
        }
        let mut found = false;
        for_each_mention(value, |var, at, _| found |= at == Use::Stored && unfilled.contains(&var));
        found
    }

    fn cell(&mut self, var: VarId, span: Span) -> VarId {
        let of = self.program.vars[var].clone();
        let ty = self.program.types.intern(Ty::Array(of.ty));
        self.program.vars.push(Var { ty, mutable: false, span, ..of })
    }

    /// A variable that tells whether a cell is filled, and its first value.
    fn flag(&mut self, cell: VarId, span: Span) -> (VarId, NodeId) {
        let of = self.program.vars[cell].clone();
        let ty = self.program.types.intern(Ty::Array(self.program.types.bool));
        let flag =
            self.program.vars.push(Var { ty, tyvars: Vec::new(), mutable: false, span, ..of });
        self.flags.insert(cell, flag);
        let no = self.bool(false, span);
        (flag, self.node(NodeKind::Array(vec![no]), ty, span))
    }

    fn empty_cell(&mut self, cell: VarId, span: Span) -> NodeId {
        let ty = self.program.vars[cell].ty;
        let length = self.int(1, span);
        self.node(NodeKind::Prim { prim: Prim::ArrayUninit, args: vec![length] }, ty, span)
    }

    /// The contents of a cell; the type arguments are those of the variable it stands for.
    pub(super) fn read_cell(
        &mut self,
        cell: VarId,
        tyargs: Vec<oxbow_psg::TyId>,
        span: Span,
    ) -> NodeId {
        let cell_ty = self.program.vars[cell].ty;
        let Ty::Array(ty) = *self.program.types.get(cell_ty) else {
            oxbow_diag::ice!("the cell {cell} is no array")
        };
        let flag = self.flags.get(cell).copied();
        let name = self.program.vars[cell].name;
        let cell = self.node(NodeKind::Var { var: cell, tyargs }, cell_ty, span);
        let index = self.int(0, span);
        let value =
            self.node(NodeKind::Prim { prim: Prim::ArrayGet, args: vec![cell, index] }, ty, span);
        let Some(flag) = flag else { return value };
        let args = vec![self.read(flag, span), self.int(0, span)];
        let bool = self.program.types.bool;
        let cond = self.node(NodeKind::Prim { prim: Prim::ArrayGet, args }, bool, span);
        let text = format!("`{name}` is needed to compute its own definition");
        let otherwise =
            self.raise_text(self.program.well_known.exns.invalid_argument, &text, span, ty);
        self.node(NodeKind::If { cond, then: value, otherwise }, ty, span)
    }

    fn fill_cell(&mut self, var: VarId, value: NodeId) -> NodeId {
        let span = self.program.span(value);
        let cell = self.cells[var];
        let of = self.program.vars[var].clone();
        let tyargs = self.own_tyargs(var);
        let it = self.fresh(of.name, of.ty, span);
        let cell_ty = self.program.vars[cell].ty;
        let array = self.node(NodeKind::Var { var: cell, tyargs }, cell_ty, span);
        let args = vec![array, self.int(0, span), self.read(it, span)];
        let unit = self.program.types.unit;
        let mut parts = vec![self.node(NodeKind::Prim { prim: Prim::ArraySet, args }, unit, span)];
        if let Some(&flag) = self.flags.get(cell) {
            let args = vec![self.read(flag, span), self.int(0, span), self.bool(true, span)];
            parts.push(self.node(NodeKind::Prim { prim: Prim::ArraySet, args }, unit, span));
        }
        parts.push(self.read(it, span));
        let body = self.node(NodeKind::Seq(parts), of.ty, span);
        self.bind(it, value, body, span)
    }
}

/// The first place where a value of the group is looked at.
fn first_needed(uses: &Uses, group: &[RecBinding]) -> Option<(VarId, Span)> {
    let of_group = group.iter().filter_map(|it| Some((it.var, uses.get(&it.var)?)));
    let needed = of_group.filter(|it| it.1.0 > Mode::Guard).map(|it| (it.1.1, it.0));
    needed.min().map(|(span, var)| (var, span))
}

fn is_function(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Lambda { .. } | ExprKind::Function { .. })
}

fn mentions_any(value: &Expr, group: &[RecBinding]) -> bool {
    let mut found = false;
    for_each_mention(value, |var, _, _| found |= group.iter().any(|it| it.var == var));
    found
}
