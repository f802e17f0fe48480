//! `Printexc.to_string` without registered printers, for the exceptions that the
//! program makes.
//!
//! ```text
//! Not_found                              Not_found
//! Failure "no"                           Failure("no")
//! Error (1, "a", [x])                    Main.Error(1, "a", _)
//! Match_failure ("a.ml", 3, 4)           File "a.ml", line 3, characters 4-9: Pattern matching failed
//! ```
//!
//! Values that OCaml represents by a small integer (also constant constructors) are
//! printed as one, strings with quotes, floats as `string_of_float`, others as `_`.

use oxbow_base::{IdSet, Span};
use oxbow_psg::{
    ExnId, ExnText, IntOp, IntWidth, Key, KnownFunction, NodeId, NodeKind, OrderOp, Prim, Ty, TyId,
    VarId, tag_hash,
};

use super::Context;
use super::generate::{Code, Task};
use crate::check_stack;

/// Exceptions, each once, in the order in which they were met.
#[derive(Default)]
pub(super) struct Exns {
    all: Vec<ExnId>,
    seen: IdSet<ExnId>,
}

impl Exns {
    pub fn insert(&mut self, exn: ExnId) {
        if self.seen.insert(exn) {
            self.all.push(exn);
        }
    }

    pub fn all(&self) -> &[ExnId] {
        &self.all
    }
}

impl Context<'_> {
    /// If the program handles `Stack_overflow`, code that `check_stack` adds will raise it.
    fn expect_overflow(&mut self) {
        if let Some(overflow) = self.source.well_known.exns.stack_overflow
            && check_stack::is_handled(self.source, overflow)
        {
            self.exns.insert(overflow);
        }
    }

    pub(super) fn exn_to_string(&mut self, exn: NodeId, span: Span) -> NodeId {
        self.expect_overflow();
        let ty = self.out.types.exn;
        let mut code = Code { context: self, span };
        code.call(Task::ExnToString, ty, vec![exn])
    }
}

impl Code<'_, '_> {
    pub(super) fn exn_text_body(&mut self, a: VarId) -> NodeId {
        let exns: Vec<ExnId> = self.context.exns.all().to_vec();
        let mut cases = Vec::new();
        for exn in exns {
            let text = self.exn_text(exn, a);
            cases.push((Key::Exn(exn), text));
        }
        let default = self.string("_");
        let (value, ty) = (self.read(a), self.context.out.types.string);
        self.add(NodeKind::Switch { value, cases, default: Some(default) }, ty)
    }

    fn exn_text(&mut self, exn: ExnId, a: VarId) -> NodeId {
        let decl = &self.context.out.types.exns[exn];
        let (name, types) =
            (decl.name.as_str(), decl.declared().iter().map(|it| it.ty).collect::<Vec<TyId>>());
        match self.context.source.well_known.exns.text(exn) {
            Some(ExnText::Message(text)) => return self.string(text),
            Some(ExnText::At { width, message }) => {
                let place = self.exn_field(exn, a, 0, types[0]);
                return self.located(place, width, message);
            }
            None if types.is_empty() => return self.string(name),
            None => (),
        }
        let mut result = self.string(")");
        for (index, &ty) in types.iter().enumerate().rev() {
            let field = self.exn_field(exn, a, index, ty);
            let (ty, value) = self.held_in_cell(exn, index, (ty, field));
            let text = self.field_text(ty, value);
            result = self.concat(text, result);
            if index > 0 {
                let comma = self.string(", ");
                result = self.concat(comma, result);
            }
        }
        let head = self.string(&format!("{name}("));
        self.concat(head, result)
    }

    fn exn_field(&mut self, exn: ExnId, a: VarId, index: usize, ty: TyId) -> NodeId {
        let object = self.read(a);
        self.add(NodeKind::ExnField { object, exn, index: index as u32 }, ty)
    }

    /// What the program knows as the field: a mutable one holds a cell.
    fn held_in_cell(
        &mut self,
        exn: ExnId,
        index: usize,
        (ty, object): (TyId, NodeId),
    ) -> (TyId, NodeId) {
        let types = &self.context.out.types;
        match types.get(ty) {
            Ty::Data(_, args) if types.exns[exn].fields[index].mutable => {
                let held = args[0];
                (held, self.add(NodeKind::Field { object, ctor: 0, index: 0 }, held))
            }
            _ => (ty, object),
        }
    }

    /// `File "f", line l, characters c-(c+width): message`
    fn located(&mut self, place: NodeId, width: i64, message: &str) -> NodeId {
        let (string, int) = (self.context.out.types.string, self.context.out.types.int);
        let place = self.bind("place", place);
        let [file, line, from, start] =
            [(0, string), (1, int), (2, int), (2, int)].map(|(index, ty)| {
                let tuple = self.read(place.0);
                self.add(NodeKind::TupleGet { tuple, index }, ty)
            });
        let width = self.int(width);
        let to = self.int_op(IntOp::Add, start, width);
        let parts = [
            self.string("File \""),
            file,
            self.string("\", line "),
            self.decimal(line),
            self.string(", characters "),
            self.decimal(from),
            self.string("-"),
            self.decimal(to),
            self.string(&format!(": {message}")),
        ];
        let [init @ .., last] = parts;
        let text = init.into_iter().rev().fold(last, |rest, part| self.concat(part, rest));
        self.let_in(place, text)
    }

    fn decimal(&mut self, value: NodeId) -> NodeId {
        let (format, ty) = (self.string("%d"), self.context.out.types.string);
        self.prim(Prim::FormatInt, vec![format, value], ty)
    }

    fn field_text(&mut self, ty: TyId, value: NodeId) -> NodeId {
        let (int, string) = (self.context.out.types.int, self.context.out.types.string);
        match self.context.out.types.get(ty).clone() {
            Ty::Unit => self.string("0"),
            Ty::Bool => {
                let (yes, no) = (self.string("1"), self.string("0"));
                self.choose(value, yes, no)
            }
            Ty::Char => {
                let value = self.prim(Prim::CharCode, vec![value], int);
                self.decimal(value)
            }
            Ty::Int(IntWidth::I63) => self.decimal(value),
            Ty::Float => {
                let format = self.string("%.12g");
                let text = self.prim(Prim::FormatFloat, vec![format, value], string);
                let zero = self.int(0);
                self.call(Task::FloatText, string, vec![text, zero])
            }
            Ty::String => self.quoted(value),
            Ty::Bytes => {
                let value = self.prim(Prim::BytesUnsafeToString, vec![value], string);
                self.quoted(value)
            }
            Ty::Data(..) if self.context.is_uniform(ty) => {
                let value = self.bind("value", value);
                let text = self.each_content(value.0, string, |code, ctor, held| {
                    if matches!(code.context.out.types.get(held), Ty::Tuple(_)) {
                        return code.string("_");
                    }
                    let content = code.ctor_field(value.0, ctor, 0, held);
                    code.field_text(held, content)
                });
                self.let_in(value, text)
            }
            Ty::Data(..) => {
                let ctors = self.context.ctors(ty).map_or(Vec::new(), |it| it.1);
                if ctors.iter().all(|it| !it.fields.is_empty()) {
                    return self.string("_");
                }
                let mut cases = Vec::new();
                let is_tags = self.context.is_tags(ty);
                for (index, ctor) in ctors.iter().enumerate().filter(|it| it.1.fields.is_empty()) {
                    // OCaml shows the number that it has in memory.
                    let number = match is_tags {
                        true => tag_hash(ctor.name.as_str()),
                        false => cases.len() as i64,
                    };
                    let text = self.string(&number.to_string());
                    cases.push((Key::Ctor(index as u32), text));
                }
                let default = (cases.len() < ctors.len()).then(|| self.string("_"));
                self.add(NodeKind::Switch { value, cases, default }, string)
            }
            Ty::Int(_)
            | Ty::Float32
            | Ty::Tuple(_)
            | Ty::Fn(..)
            | Ty::Array(_)
            | Ty::Exn
            | Ty::Uniform
            | Ty::Var(_) => self.string("_"),
        }
    }

    fn quoted(&mut self, value: NodeId) -> NodeId {
        let escaped = KnownFunction::StringEscaped;
        if self.context.source.well_known.functions.get(escaped).is_some() {
            let func = self.context.well_known(escaped);
            let format = self.string("%S");
            return self.call_var(func, vec![format, value]);
        }
        let (open, close) = (self.string("\""), self.string("\""));
        let rest = self.concat(value, close);
        self.concat(open, rest)
    }

    /// The text `a` from position `i` on looks like an integer: a point is added.
    pub(super) fn float_text_body(&mut self, a: VarId, i: VarId) -> NodeId {
        let (int, string, char) = (
            self.context.out.types.int,
            self.context.out.types.string,
            self.context.out.types.char,
        );
        let mut cases = Vec::new();
        for byte in *b"-0123456789" {
            let (text, at, one) = (self.read(a), self.read(i), self.int(1));
            let next = self.int_op(IntOp::Add, at, one);
            let again = self.call(Task::FloatText, string, vec![text, next]);
            cases.push((Key::Char(byte), again));
        }
        let (text, at) = (self.read(a), self.read(i));
        let value = self.prim(Prim::StringGet, vec![text, at], char);
        let whole = self.read(a);
        let found = self.add(NodeKind::Switch { value, cases, default: Some(whole) }, string);
        let (text, at) = (self.read(a), self.read(i));
        let length = self.prim(Prim::StringLength, vec![text], int);
        let more = self.order_prim(OrderOp::Lt, at, length);
        let (text, point) = (self.read(a), self.string("."));
        let pointed = self.concat(text, point);
        self.choose(more, found, pointed)
    }
}
