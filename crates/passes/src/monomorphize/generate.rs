//! The table of functions generated for types, and how their code is put together.
//!
//! A function is asked for by its key and filled in later, so recursive types need no
//! care. In the end each group of mutually recursive functions becomes one item, just
//! before the first item that reaches it.

use oxbow_base::{Span, Symbol};
use oxbow_psg::{
    Callee, Const, InlineHint, IntOp, IntWidth, Item, ItemKind, Join, JoinId, Lambda, LambdaId,
    NodeId, NodeKind, OrderOp, Prim, TyId, Var, VarId,
};

use super::{Context, Owner};

/// What a generated function does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Task {
    /// `t -> t -> bool`: `=`, false when a `nan` is met.
    Equal,
    /// `t -> t -> int`: `compare`.
    Compare,
    /// `t -> t -> int`: as `compare`, but 2 when a `nan` is met.
    ComparePartial,
    /// `t -> int`: the constructor's place in the order of constructors.
    Rank,
    /// `t -> int`: the tag of the value's block in OCaml, or -1.
    Tag,
    /// `t -> int`: the number of a constant in OCaml, 0 of a block.
    Number,
    /// `t -> int`: the words of the value's block in OCaml.
    Size,
    /// `t -> int -> uniform`: a field of the value's block.
    Field,
    /// `t -> t -> bool`: `==` on suspensions.
    Same,
    /// `state -> t -> unit`: mixes one value into a hash.
    Hash,
    /// `state -> t -> unit`: queues a value that is to be mixed. It is a function of its own, so that there is one
    /// closure for a type and not one for each field that has the type.
    HashLater,
    /// `exn -> string`
    ExnToString,
    /// `string -> int -> string`: a float's text from this position on, with a final
    /// point if the whole text looks like an integer.
    FloatText,
    /// `t -> layout`: as F#'s `%A`.
    Show,
    /// `t -> int -> layout list`: the items from this number on.
    ShowItems,
    Text,
    TextItems,
    /// `(float -> float) -> t -> t`: the value with all its numbers changed.
    MapNumbers,
    /// `t -> item list -> item list`: the elements of a tree in order, before others.
    Elements,
    /// `t -> uniform`, of a tuple within a tuple: the text of its type may be of any length.
    Box,
    /// `uniform -> t`
    Unbox,
    /// `object -> … -> t`: calls this method. The key's type is that of the function.
    Send(Symbol),
    /// `object -> int`
    ObjectNumber,
    /// `object -> int -> object`
    CopyObject,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct GeneratedKey {
    pub task: Task,
    pub ty: TyId,
}

pub(super) struct Generated {
    pub key: GeneratedKey,
    pub var: VarId,
    pub lambda: LambdaId,
    pub span: Span,
    /// The depth of the type that it was first made for.
    wanted: usize,
    /// How many exceptions, tags, or constructors of uniform values, were known when the body was made, if it depends
    /// on them.
    cases_seen: Option<usize>,
    mentions: Vec<usize>,
    /// The first item that mentions it.
    first_item: usize,
}

impl Context<'_> {
    /// The function for a key, filled in later if it is new.
    pub(super) fn generated(&mut self, task: Task, ty: TyId, span: Span) -> usize {
        let key = GeneratedKey { task, ty };
        let index = match self.generated_by_key.get(&key) {
            Some(&it) => it,
            None => {
                let wanted = match self.owner {
                    Owner::Item(_) => self.depth(ty),
                    Owner::Generated(by) => self.generated[by].wanted,
                };
                self.check_growth(ty, wanted);
                self.declare(key, span, wanted)
            }
        };
        match self.owner {
            Owner::Item(item) => {
                let first = &mut self.generated[index].first_item;
                *first = item.min(*first);
            }
            Owner::Generated(by) => self.generated[by].mentions.push(index),
        }
        index
    }

    fn declare(&mut self, key: GeneratedKey, span: Span, wanted: usize) -> usize {
        let types = &self.out.types;
        let (int, bool, string, unit) = (types.int, types.bool, types.string, types.unit);
        let (name, params, result) = match key.task {
            Task::Equal => ("equal", vec![("a", key.ty), ("b", key.ty)], bool),
            Task::Compare => ("compare", vec![("a", key.ty), ("b", key.ty)], int),
            Task::ComparePartial => ("compare_partial", vec![("a", key.ty), ("b", key.ty)], int),
            Task::Rank => ("rank", vec![("a", key.ty)], int),
            Task::Tag => ("tag", vec![("a", key.ty)], int),
            Task::Number => ("number", vec![("a", key.ty)], int),
            Task::Size => ("size", vec![("a", key.ty)], int),
            Task::Field => ("field", vec![("a", key.ty), ("i", int)], self.uniform_type()),
            Task::Same => ("same", vec![("a", key.ty), ("b", key.ty)], bool),
            Task::Hash => ("hash", vec![("state", self.hash_state()), ("a", key.ty)], unit),
            Task::HashLater => {
                ("hash_later", vec![("state", self.hash_state()), ("part", key.ty)], unit)
            }
            Task::ExnToString => ("exn_to_string", vec![("a", key.ty)], string),
            Task::FloatText => ("float_text", vec![("a", string), ("i", int)], string),
            Task::Show => ("show", vec![("a", key.ty)], self.layout_types().0),
            Task::ShowItems => {
                ("show_items", vec![("a", key.ty), ("n", int)], self.layout_types().1)
            }
            Task::Text => ("text", vec![("a", key.ty)], string),
            Task::TextItems => ("text_items", vec![("a", key.ty), ("n", int)], string),
            Task::MapNumbers => {
                let change = self.number_change();
                ("map_numbers", vec![("f", change), ("a", key.ty)], key.ty)
            }
            Task::Elements => {
                let list = self.elements_type(key.ty).unwrap_or(unit);
                ("elements", vec![("a", key.ty), ("rest", list)], list)
            }
            Task::Box => ("box", vec![("a", key.ty)], self.uniform_type()),
            Task::Send(label) => return self.declare_send(key, label, span, wanted),
            Task::ObjectNumber => ("number", vec![("a", key.ty)], int),
            Task::CopyObject => ("copy", vec![("a", key.ty), ("number", int)], key.ty),
            Task::Unbox => ("unbox", vec![("a", self.uniform_type())], key.ty),
        };
        self.declare_as(key, (name, params, result), span, wanted)
    }

    pub(super) fn declare_as(
        &mut self,
        key: GeneratedKey,
        (name, params, result): (&str, Vec<(&str, TyId)>, TyId),
        span: Span,
        wanted: usize,
    ) -> usize {
        let unit = self.out.types.unit;
        let tys: Vec<TyId> = params.iter().map(|it| it.1).collect();
        let ty = self.out.types.function(&tys, result);
        let name = Symbol::new(name);
        let var = self.new_var(name, ty, span);
        self.out.vars[var].global = true;
        let params = params
            .into_iter()
            .map(|(name, ty)| self.new_var(Symbol::new(name), ty, span))
            .collect();
        let body = self.out.add(NodeKind::Const(Const::Unit), unit, span);
        let mut lambda = Lambda::new(Some(name), params, body, span);
        if key.task == Task::HashLater {
            lambda.inline = InlineHint::Never;
        }
        let lambda = self.out.lambdas.push(lambda);
        let index = self.generated.len();
        self.generated.push(Generated {
            key,
            var,
            lambda,
            span,
            wanted,
            cases_seen: None,
            mentions: Vec::new(),
            first_item: usize::MAX,
        });
        self.generated_by_key.insert(key, index);
        if !self.gave_up {
            self.generated_work.push(index);
        }
        index
    }

    /// Makes the body of a declared function.
    pub(super) fn fill_generated(&mut self, index: usize) {
        let Generated { key, lambda, span, .. } = self.generated[index];
        self.owner = Owner::Generated(index);
        self.generated[index].cases_seen = self.known_cases(key);
        let params = self.out.lambdas[lambda].params.clone();
        let mut code = Code { context: self, span };
        let body = match key.task {
            Task::Equal => code.equal_body(key.ty, params[0], params[1]),
            Task::Compare => code.compare_body(key.ty, params[0], params[1], false),
            Task::ComparePartial => code.compare_body(key.ty, params[0], params[1], true),
            Task::Rank => code.rank_body(key.ty, params[0]),
            Task::Tag => code.tag_body(key.ty, params[0]),
            Task::Number => code.number_body(key.ty, params[0]),
            Task::Size => code.size_body(key.ty, params[0]),
            Task::Field => code.field_body(key.ty, params[0], params[1]),
            Task::Same => code.same_body(key.ty, params[0], params[1]),
            Task::Hash => code.hash_body(key.ty, params[0], params[1]),
            Task::HashLater => code.hash_later_body(key.ty, params[0], params[1]),
            Task::ExnToString => code.exn_text_body(params[0]),
            Task::FloatText => code.float_text_body(params[0], params[1]),
            Task::Show => code.show_body(key.ty, params[0]),
            Task::ShowItems => code.show_items_body(key.ty, params[0], params[1]),
            Task::Text => code.text_body(key.ty, params[0]),
            Task::TextItems => code.text_items_body(key.ty, params[0], params[1]),
            Task::MapNumbers => code.map_numbers_body(key.ty, params[0], params[1]),
            Task::Elements => code.elements_body(key.ty, params[0], params[1]),
            Task::Box => code.boxed_body(key.ty, params[0]),
            Task::Send(label) => code.send_body(label, &params),
            Task::ObjectNumber => code.object_number_body(params[0]),
            Task::CopyObject => code.copy_body(params[0], params[1]),
            Task::Unbox => code.unboxed_body(key.ty, params[0]),
        };
        self.out.lambdas[lambda].body = body;
    }

    /// The type in the key of the function that is being filled.
    pub(super) fn filling_type(&self) -> Option<TyId> {
        match self.owner {
            Owner::Generated(index) => Some(self.generated[index].key.ty),
            Owner::Item(_) => None,
        }
    }

    /// How many cases there are, of a type that may get more.
    fn known_cases(&self, GeneratedKey { task, ty }: GeneratedKey) -> Option<usize> {
        if matches!(task, Task::Send(_) | Task::ObjectNumber | Task::CopyObject) {
            return Some(self.objects.count());
        }
        match &self.uniform {
            _ if ty == self.out.types.exn => Some(self.exns.all().len()),
            Some(uniform) if ty == uniform.ty => Some(uniform.held.len()),
            _ if self.is_tags(ty) => Some(self.tags.count()),
            _ => None,
        }
    }

    /// Fills functions over all exceptions, all tags and all uniform values again if others have turned up.
    pub(super) fn refill_outdated(&mut self) -> bool {
        let outdated: Vec<usize> = (0..self.generated.len())
            .filter(|&it| {
                let Generated { key, cases_seen, .. } = self.generated[it];
                cases_seen.is_some() && cases_seen != self.known_cases(key)
            })
            .collect();
        for &index in &outdated {
            self.fill_generated(index);
        }
        !outdated.is_empty()
    }

    pub(super) fn new_var(&mut self, name: Symbol, ty: TyId, span: Span) -> VarId {
        self.out.vars.push(Var {
            name,
            ty,
            tyvars: Vec::new(),
            mutable: false,
            global: false,
            span,
        })
    }

    pub(super) fn call_generated(&mut self, index: usize, args: Vec<NodeId>, span: Span) -> NodeId {
        let Generated { var, lambda, .. } = self.generated[index];
        let ty = self.out.vars[var].ty;
        let result = self.out.types.split_function(ty, args.len()).1;
        let func = self.out.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span);
        self.out.add(NodeKind::Apply { func, args, callee: Callee::Known(lambda) }, result, span)
    }

    /// The generated functions as items, each with the source item before which it
    /// belongs; in the order in which they must stand.
    pub(super) fn place_generated(&mut self) -> Vec<(usize, Item)> {
        let graph: Vec<&[usize]> = self.generated.iter().map(|it| it.mentions.as_slice()).collect();
        let groups = oxbow_base::components(&graph);
        let mut first: Vec<usize> = self.generated.iter().map(|it| it.first_item).collect();
        // Callers come after the functions they call; from the last group to the first,
        // a position reaches everything below it.
        for group in groups.iter().rev() {
            let least = group.iter().map(|&it| first[it]).min().unwrap_or(usize::MAX);
            for &member in group {
                first[member] = least;
                for &callee in &self.generated[member].mentions {
                    first[callee] = first[callee].min(least);
                }
            }
        }
        let mut items = Vec::new();
        for group in groups {
            let position = first[group[0]];
            let span = self.generated[group[0]].span;
            let recursive =
                group.len() > 1 || self.generated[group[0]].mentions.contains(&group[0]);
            let mut values = Vec::new();
            for &it in &group {
                let (lambda, var) = (self.generated[it].lambda, self.generated[it].var);
                let ty = self.out.vars[var].ty;
                values.push(self.out.add(NodeKind::Lambda(lambda), ty, span));
            }
            let vars: Vec<VarId> = group.iter().map(|&it| self.generated[it].var).collect();
            let kind = if recursive {
                ItemKind::LetRec { vars, values }
            } else {
                ItemKind::Let { var: vars[0], value: values[0] }
            };
            items.push((position, Item { kind, span, library: true }));
        }
        items.sort_by_key(|it| it.0);
        items
    }
}

/// Puts code together at one place of the source.
pub(super) struct Code<'c, 'a> {
    pub context: &'c mut Context<'a>,
    pub span: Span,
}

impl Code<'_, '_> {
    pub fn add(&mut self, kind: NodeKind, ty: TyId) -> NodeId {
        self.context.out.add(kind, ty, self.span)
    }

    pub fn unit(&mut self) -> NodeId {
        let ty = self.context.out.types.unit;
        self.add(NodeKind::Const(Const::Unit), ty)
    }

    pub fn int(&mut self, value: i64) -> NodeId {
        let ty = self.context.out.types.int;
        self.add(NodeKind::Const(Const::Int(IntWidth::I63, value)), ty)
    }

    pub fn bool(&mut self, value: bool) -> NodeId {
        let ty = self.context.out.types.bool;
        self.add(NodeKind::Const(Const::Bool(value)), ty)
    }

    pub fn string(&mut self, value: &str) -> NodeId {
        let ty = self.context.out.types.string;
        self.add(NodeKind::Const(Const::String(value.as_bytes().into())), ty)
    }

    pub fn read(&mut self, var: VarId) -> NodeId {
        let ty = self.context.out.vars[var].ty;
        self.add(NodeKind::Var { var, tyargs: Vec::new() }, ty)
    }

    pub fn prim(&mut self, prim: Prim, args: Vec<NodeId>, ty: TyId) -> NodeId {
        self.add(NodeKind::Prim { prim, args }, ty)
    }

    pub fn int_op(&mut self, op: IntOp, left: NodeId, right: NodeId) -> NodeId {
        let types = &self.context.out.types;
        let ty = if op == IntOp::Ult { types.bool } else { types.int };
        self.prim(Prim::Int(IntWidth::I63, op), vec![left, right], ty)
    }

    pub fn order_prim(&mut self, op: OrderOp, left: NodeId, right: NodeId) -> NodeId {
        let types = &self.context.out.types;
        let ty = if op == OrderOp::Compare { types.int } else { types.bool };
        self.prim(Prim::Order(op), vec![left, right], ty)
    }

    pub fn concat(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let ty = self.context.out.types.string;
        self.prim(Prim::StringConcat, vec![left, right], ty)
    }

    pub fn choose(&mut self, cond: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        let ty = self.context.out.ty(then);
        self.add(NodeKind::If { cond, then, otherwise }, ty)
    }

    pub fn bind(&mut self, name: &str, value: NodeId) -> (VarId, NodeId) {
        let ty = self.context.out.ty(value);
        (self.context.new_var(Symbol::new(name), ty, self.span), value)
    }

    pub fn let_in(&mut self, (var, value): (VarId, NodeId), body: NodeId) -> NodeId {
        let ty = self.context.out.ty(body);
        self.add(NodeKind::Let { var, value, body }, ty)
    }

    pub fn call(&mut self, task: Task, ty: TyId, args: Vec<NodeId>) -> NodeId {
        let index = self.context.generated(task, ty, self.span);
        self.context.call_generated(index, args, self.span)
    }

    pub fn call_var(&mut self, func: VarId, args: Vec<NodeId>) -> NodeId {
        let ty = self.context.out.vars[func].ty;
        let result = self.context.out.types.split_function(ty, args.len()).1;
        let func = self.read(func);
        self.add(NodeKind::Apply { func, args, callee: Callee::Unknown }, result)
    }

    /// A loop over `0 .. count`: `step` makes the code for one round from the index and
    /// the jump to the next round; `end` is the result after the last round.
    pub fn count_up(
        &mut self,
        count: VarId,
        end: NodeId,
        step: impl FnOnce(&mut Self, VarId, NodeId) -> NodeId,
    ) -> NodeId {
        let ty = self.context.out.ty(end);
        let int = self.context.out.types.int;
        let index = self.context.new_var(Symbol::new("i"), int, self.span);
        let join: JoinId = self.context.out.joins.push(Join {
            name: Symbol::new("loop"),
            params: vec![index],
            recursive: true,
        });
        let (at, one) = (self.read(index), self.int(1));
        let next = self.int_op(IntOp::Add, at, one);
        let again = self.add(NodeKind::Jump { join, args: vec![next] }, ty);
        let round = step(self, index, again);
        let (at, limit) = (self.read(index), self.read(count));
        let more = self.order_prim(OrderOp::Lt, at, limit);
        let body = self.add(NodeKind::If { cond: more, then: round, otherwise: end }, ty);
        let zero = self.int(0);
        let rest = self.add(NodeKind::Jump { join, args: vec![zero] }, ty);
        self.add(NodeKind::Join { join, body, rest }, ty)
    }
}
