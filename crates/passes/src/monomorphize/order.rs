//! Polymorphic order at structured types: OCaml's `compare_val`, one function per type.
//!
//! ```text
//! before   x = y                          (x, y : int list)
//! after    equal x y                      with
//!          equal a b = switch a { :: -> switch b { :: -> if a.0 = b.0 then equal a.1 b.1 else false
//!                                                  _ -> false }
//!                                 _ -> a == b }
//! ```
//!
//! Constant constructors come before the others, each kind in order of declaration;
//! fields are compared from left to right, arrays by length first. The last field is
//! compared by a tail call, so long lists need no stack. `compare` finds a `nan` equal
//! to itself; the other operators are false (`<>` true) as soon as they meet one.

use oxbow_base::Span;
use oxbow_diag::{Diagnostic, ice};
use oxbow_psg::{
    Compared, Ctor, IntOp, IntWidth, Key, KnownFunction, NodeId, NodeKind, OrderOp, Prim, Ty, TyId,
    TypeTable, VarId, print,
};

use super::Context;
use super::generate::{Code, Task};

/// What is asked of values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Equality,
    Order,
    Hash,
}

/// What kind of comparison is generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Equal,
    Total,
    Partial,
}

impl Context<'_> {
    /// Code for `op` on two operands of one type.
    pub(super) fn order(&mut self, op: OrderOp, args: Vec<NodeId>, span: Span) -> NodeId {
        let ty = self.out.ty(args[0]);
        let mut code = Code { context: self, span };
        code.order(op, ty, args[0], args[1])
    }

    /// Reports a comparison of values that hold what cannot be compared, where the language refuses it.
    pub(super) fn refuse(&mut self, value: NodeId, need: Need, span: Span) {
        let ty = self.out.ty(value);
        if self.is_primitive(ty) {
            return;
        }
        let functions = self.holds_functions(ty);
        let unordered = need == Need::Order && self.holds_unordered(ty);
        let references = need != Need::Equality && self.holds_references(ty, need);
        let forbidden = self.forbidden(ty, need);
        if !functions && !references && !unordered && forbidden.is_none() {
            return;
        }
        let (place, inside) = (self.wanted_at(span), self.asked_at(span));
        // A library function may compare at several places.
        if !self.refused.insert((place, ty)) {
            return;
        }
        let text = print::type_text_as(&self.out.types, ty, called_in_clef).replace('`', "");
        let what = match need {
            Need::Equality => "compared for equality",
            Need::Order => "ordered",
            // Without references among them, what can be compared can be hashed.
            Need::Hash if functions || forbidden.is_some() => "compared for equality",
            Need::Hash => "hashed",
        };
        let mut report =
            Diagnostic::error("E0155", format!("values of the type `{text}` cannot be {what}"))
                .at(place, format!("needs values that can be {what}"));
        if inside != place {
            report = report.label(inside, "because of this");
        }
        if let Some(data) = forbidden {
            let (name, own) = (self.out.types.datas[data].name, self.out.types.datas[data].own);
            let said = if own.no_equality { "NoEquality" } else { "NoComparison" };
            self.diagnostics.error(report.note(format!("`{name}` is declared with `[<{said}>]`")));
            return;
        }
        if unordered {
            let help = "add `interface IComparable with member this.CompareTo(other) = …`";
            report = report.note("they hold values with an `Equals` of their own, and no order");
            self.diagnostics.error(report.help(help));
            return;
        }
        if !functions {
            report =
                report.note("a value of a type with `ReferenceEquality` is equal to itself alone");
            self.diagnostics.error(report);
            return;
        }
        if !matches!(self.out.types.get(ty), Ty::Fn(..)) {
            report = report.note("they hold functions, and functions cannot be compared");
        }
        self.diagnostics.error(report.help("compare the parts that are not functions"));
    }
}

impl Code<'_, '_> {
    fn order(&mut self, op: OrderOp, ty: TyId, left: NodeId, right: NodeId) -> NodeId {
        let bool = self.context.out.types.bool;
        if self.context.is_primitive(ty) {
            return self.order_prim(op, left, right);
        }
        if self.context.own(ty).has_order()
            && let Some(result) = self.own_order(op, ty, left, right)
        {
            return result;
        }
        if self.context.compared(ty) == Compared::Reference && op == OrderOp::Eq {
            return self.prim(Prim::PhysEq, vec![left, right], bool);
        }
        if self.context.compared(ty) == Compared::Reference && op == OrderOp::Ne {
            return self.prim(Prim::PhysNe, vec![left, right], bool);
        }
        if self.context.is_constant_type(ty) {
            return match op {
                OrderOp::Eq => self.prim(Prim::PhysEq, vec![left, right], bool),
                OrderOp::Ne => self.prim(Prim::PhysNe, vec![left, right], bool),
                _ => {
                    let left = self.call(Task::Rank, ty, vec![left]);
                    let right = self.call(Task::Rank, ty, vec![right]);
                    self.order_prim(op, left, right)
                }
            };
        }
        match op {
            OrderOp::Eq => self.call(Task::Equal, ty, vec![left, right]),
            OrderOp::Ne => {
                let equal = self.call(Task::Equal, ty, vec![left, right]);
                self.prim(Prim::BoolNot, vec![equal], bool)
            }
            OrderOp::Compare => self.call(Task::Compare, ty, vec![left, right]),
            OrderOp::Lt | OrderOp::Le | OrderOp::Gt | OrderOp::Ge => {
                if !self.context.is_partial(ty) {
                    let result = self.call(Task::Compare, ty, vec![left, right]);
                    let zero = self.int(0);
                    return self.order_prim(op, result, zero);
                }
                // -1, 0, 1, or 2 when a nan was met: false in every case.
                let result = self.call(Task::ComparePartial, ty, vec![left, right]);
                match op {
                    OrderOp::Gt => {
                        let one = self.int(1);
                        self.order_prim(OrderOp::Eq, result, one)
                    }
                    OrderOp::Ge => {
                        let two = self.int(2);
                        self.int_op(IntOp::Ult, result, two)
                    }
                    _ => {
                        let zero = self.int(0);
                        self.order_prim(op, result, zero)
                    }
                }
            }
        }
    }

    /// Compares two parts of the operands.
    pub(super) fn part(&mut self, mode: Mode, ty: TyId, left: NodeId, right: NodeId) -> NodeId {
        match mode {
            Mode::Equal => self.order(OrderOp::Eq, ty, left, right),
            Mode::Total => self.order(OrderOp::Compare, ty, left, right),
            Mode::Partial if self.context.own(ty).compare.is_some() => {
                // 2 would mean that there is no order.
                let result = self.order(OrderOp::Compare, ty, left, right);
                let zero = self.int(0);
                self.order_prim(OrderOp::Compare, result, zero)
            }
            Mode::Partial if !self.context.is_partial(ty) => {
                self.order(OrderOp::Compare, ty, left, right)
            }
            Mode::Partial => match self.context.out.types.get(ty) {
                Ty::Float | Ty::Float32 => self.partial_float(left, right),
                Ty::Uniform => self.order(OrderOp::Compare, ty, left, right),
                _ => self.call(Task::ComparePartial, ty, vec![left, right]),
            },
        }
    }

    fn partial_float(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let (left, right) = (self.bind("x", left), self.bind("y", right));
        let mut result = self.int(2);
        for (op, value) in [(OrderOp::Eq, 0), (OrderOp::Gt, 1), (OrderOp::Lt, -1)] {
            let (x, y) = (self.read(left.0), self.read(right.0));
            let (cond, value) = (self.order_prim(op, x, y), self.int(value));
            result = self.choose(cond, value, result);
        }
        let result = self.let_in(right, result);
        self.let_in(left, result)
    }

    /// The result for equal operands.
    pub(super) fn same(&mut self, mode: Mode) -> NodeId {
        if mode == Mode::Equal { self.bool(true) } else { self.int(0) }
    }

    /// `first`, and `rest` if it found no difference.
    fn and_then(&mut self, mode: Mode, first: NodeId, rest: NodeId) -> NodeId {
        if mode == Mode::Equal {
            let no = self.bool(false);
            return self.choose(first, rest, no);
        }
        let first = self.bind("c", first);
        let (c, zero) = (self.read(first.0), self.int(0));
        let (cond, c) = (self.order_prim(OrderOp::Eq, c, zero), self.read(first.0));
        let result = self.choose(cond, rest, c);
        self.let_in(first, result)
    }

    pub(super) fn equal_body(&mut self, ty: TyId, a: VarId, b: VarId) -> NodeId {
        self.body(Mode::Equal, ty, a, b)
    }

    pub(super) fn compare_body(&mut self, ty: TyId, a: VarId, b: VarId, partial: bool) -> NodeId {
        if partial {
            return self.body(Mode::Partial, ty, a, b);
        }
        let body = self.body(Mode::Total, ty, a, b);
        if matches!(self.context.out.types.get(ty), Ty::Tuple(_)) {
            return body;
        }
        // Sharing ends a total comparison, also of functions and cyclic values.
        let same = self.phys_eq(a, b);
        let zero = self.int(0);
        self.choose(same, zero, body)
    }

    pub(super) fn phys_eq(&mut self, a: VarId, b: VarId) -> NodeId {
        let bool = self.context.out.types.bool;
        let args = vec![self.read(a), self.read(b)];
        self.prim(Prim::PhysEq, args, bool)
    }

    fn body(&mut self, mode: Mode, ty: TyId, a: VarId, b: VarId) -> NodeId {
        if let (Some((left, list)), Some((right, _))) = (self.elements(ty, a), self.elements(ty, b))
        {
            return self.part(mode, list, left, right);
        }
        if self.context.is_objects(ty) {
            let int = self.context.out.types.int;
            let [left, right] = [a, b].map(|it| {
                let object = self.read(it);
                self.call(Task::ObjectNumber, ty, vec![object])
            });
            return self.part(mode, int, left, right);
        }
        if let Some(number) = self.context.identity_type(ty) {
            let [left, right] = [a, b].map(|it| self.ctor_field(it, 0, 0, number));
            return self.part(mode, number, left, right);
        }
        if self.context.is_suspension(ty) {
            return self.suspension_order(mode, ty, a, b);
        }
        if self.context.compared(ty) == Compared::Numbers {
            return self.numbers_order(mode, ty, a, b);
        }
        if self.context.compared(ty) == Compared::Integers {
            let function = match mode {
                Mode::Equal => KnownFunction::IntegersEqual,
                Mode::Total | Mode::Partial => KnownFunction::IntegersCompare,
            };
            let args = [a, b].map(|it| self.read(it)).to_vec();
            return self.library(function, args);
        }
        match self.context.out.types.get(ty).clone() {
            Ty::Tuple(_) => self.fields(mode, ty, None, a, b),
            Ty::Data(..) => match self.context.ctors(ty) {
                None => self.fields(mode, ty, Some(0), a, b),
                Some((_, ctors)) => self.variant(mode, ty, &ctors, a, b),
            },
            Ty::Array(item) => self.array(mode, item, a, b),
            Ty::Exn => self.exn(mode, a, b),
            Ty::Fn(..) => self.functional_value(mode),
            _ => ice!("order at type {ty} needs no function"),
        }
    }

    /// Compares field by field; `ctor` is `None` for a tuple.
    fn fields(&mut self, mode: Mode, ty: TyId, ctor: Option<u32>, a: VarId, b: VarId) -> NodeId {
        let types = self.context.field_types(ty, ctor.unwrap_or(0) as usize);
        let mut result = None;
        for (index, &field) in types.iter().enumerate().rev() {
            let [left, right] = [a, b].map(|object| {
                let (object, index) = (self.read(object), index as u32);
                let kind = match ctor {
                    Some(ctor) => NodeKind::Field { object, ctor, index },
                    None => NodeKind::TupleGet { tuple: object, index },
                };
                self.add(kind, field)
            });
            let part = self.part(mode, field, left, right);
            result = Some(match result {
                Some(rest) => self.and_then(mode, part, rest),
                None => part,
            });
        }
        match result {
            Some(result) => result,
            None => self.same(mode),
        }
    }

    fn variant(&mut self, mode: Mode, ty: TyId, ctors: &[Ctor], a: VarId, b: VarId) -> NodeId {
        let result_ty = if mode == Mode::Equal {
            self.context.out.types.bool
        } else {
            self.context.out.types.int
        };
        let constants = ctors.iter().filter(|it| it.fields.is_empty()).count();
        let ranks = self.context.ranks(ty, ctors);
        let count = ctors.len();
        let mut cases = Vec::new();
        for (index, _) in ctors.iter().enumerate().filter(|it| !it.1.fields.is_empty()) {
            let rank = ranks[index];
            let key = Key::Ctor(index as u32);
            let same = self.fields(mode, ty, Some(index as u32), a, b);
            let case = if count == 1 {
                same
            } else {
                let other = match mode {
                    Mode::Equal => self.bool(false),
                    _ if rank + 1 == count => self.int(1),
                    _ => {
                        let (mine, b) = (self.int(rank as i64), self.read(b));
                        let theirs = self.call(Task::Rank, ty, vec![b]);
                        self.order_prim(OrderOp::Compare, mine, theirs)
                    }
                };
                let value = self.read(b);
                self.add(
                    NodeKind::Switch {
                        value,
                        cases: vec![(key.clone(), same)],
                        default: Some(other),
                    },
                    result_ty,
                )
            };
            cases.push((key, case));
        }
        let default = (constants > 0).then(|| match mode {
            Mode::Equal => self.phys_eq(a, b),
            _ => {
                let (a, b) = (self.read(a), self.read(b));
                let (mine, theirs) =
                    (self.call(Task::Rank, ty, vec![a]), self.call(Task::Rank, ty, vec![b]));
                self.order_prim(OrderOp::Compare, mine, theirs)
            }
        });
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default }, result_ty)
    }

    pub(super) fn rank_body(&mut self, ty: TyId, a: VarId) -> NodeId {
        let Some((_, ctors)) = self.context.ctors(ty) else {
            ice!("type {ty} has no constructors")
        };
        let ranks = self.context.ranks(ty, &ctors);
        let mut cases = Vec::new();
        for (index, &rank) in ranks.iter().enumerate() {
            cases.push((Key::Ctor(index as u32), self.int(rank as i64)));
        }
        let (value, int) = (self.read(a), self.context.out.types.int);
        self.add(NodeKind::Switch { value, cases, default: None }, int)
    }

    fn array(&mut self, mode: Mode, item: TyId, a: VarId, b: VarId) -> NodeId {
        let int = self.context.out.types.int;
        let [left, right] = [a, b].map(|array| {
            let array = self.read(array);
            let length = self.prim(Prim::ArrayLength, vec![array], int);
            self.bind("n", length)
        });
        let same = self.same(mode);
        let elements = self.count_up(left.0, same, |code, index, again| {
            let [x, y] = [a, b].map(|array| {
                let args = vec![code.read(array), code.read(index)];
                code.prim(Prim::ArrayGet, args, item)
            });
            let part = code.part(mode, item, x, y);
            code.and_then(mode, part, again)
        });
        let (n, m) = (self.read(left.0), self.read(right.0));
        let op = if mode == Mode::Equal { OrderOp::Eq } else { OrderOp::Compare };
        let lengths = self.order_prim(op, n, m);
        let result = self.and_then(mode, lengths, elements);
        let result = self.let_in(right, result);
        self.let_in(left, result)
    }

    /// An exception without payload comes after one with; then the number of payload
    /// fields, the identity and the payload count.
    fn exn(&mut self, mode: Mode, a: VarId, b: VarId) -> NodeId {
        let result_ty = if mode == Mode::Equal {
            self.context.out.types.bool
        } else {
            self.context.out.types.int
        };
        let exns: Vec<_> = self.context.exns.all().to_vec();
        let mut ranked = exns.clone();
        let size = |code: &Self, exn| code.context.out.types.exns[exn].fields.len();
        ranked.sort_by_key(|&it| (size(self, it) == 0, size(self, it), it));
        let mut cases = Vec::new();
        for &exn in &exns {
            let types: Vec<TyId> =
                self.context.out.types.exns[exn].fields.iter().map(|it| it.ty).collect();
            let mut same = None;
            for (index, &field) in types.iter().enumerate().rev() {
                let [left, right] = [a, b].map(|object| {
                    let object = self.read(object);
                    self.add(NodeKind::ExnField { object, exn, index: index as u32 }, field)
                });
                let part = self.part(mode, field, left, right);
                same = Some(match same {
                    Some(rest) => self.and_then(mode, part, rest),
                    None => part,
                });
            }
            let same = same.unwrap_or_else(|| self.same(mode));
            let mine = ranked.iter().position(|&it| it == exn).unwrap_or(0);
            let mut others = vec![(Key::Exn(exn), same)];
            let default = if mode == Mode::Equal {
                self.bool(false)
            } else {
                for &below in &ranked[..mine] {
                    others.push((Key::Exn(below), self.int(1)));
                }
                self.int(-1)
            };
            let value = self.read(b);
            let case = NodeKind::Switch { value, cases: others, default: Some(default) };
            cases.push((Key::Exn(exn), self.add(case, result_ty)));
        }
        // Exceptions that the program never makes.
        let default = self.same(mode);
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: Some(default) }, result_ty)
    }

    pub(super) fn functional_value(&mut self, mode: Mode) -> NodeId {
        let Some(exn) = self.context.source.well_known.exns.invalid_argument else {
            ice!("the library has no exception `Invalid_argument`");
        };
        self.context.exns.insert(exn);
        let types = &self.context.out.types;
        let (exn_ty, ty) = (types.exn, if mode == Mode::Equal { types.bool } else { types.int });
        let message = self.string("compare: functional value");
        let value = self.add(NodeKind::MakeExn { exn, args: vec![message] }, exn_ty);
        self.add(NodeKind::Raise(value), ty)
    }
}

/// Clef's `int` has 32 bits, and its suspensions are those of OCaml's library.
fn called_in_clef(types: &TypeTable, ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Int(IntWidth::I32) => Some("int"),
        Ty::Data(data, _) if types.datas[*data].compared == Compared::Suspension => Some("Lazy"),
        _ => None,
    }
}
