//! Values as text: `%show` (F#'s `%A`) and `%text` (its `string`), by one function for each type on top
//! of the library's `Oxbow_show`.
//!
//! ```text
//! before   %show (1, [x])
//! after    Oxbow_show.render (show (1, [x]))
//! with     show a = Oxbow_show.tuple (Oxbow_show.leaf (string_of_int a.0) :: show_list a.1 :: [])
//! ```

use oxbow_base::Span;
use oxbow_psg::{
    DataId, DataKind, ExnId, IntOp, IntWidth, Key, KnownFunction, KnownType, NodeId, NodeKind,
    OrderOp, Prim, Tree, Ty, TyId, VarId,
};

use super::Context;
use super::generate::{Code, Task};

/// Elements shown of a list or an array.
const MOST_ITEMS: i64 = 100;

impl Context<'_> {
    pub(super) fn show(&mut self, value: NodeId, span: Span) -> NodeId {
        let ty = self.out.ty(value);
        Code { context: self, span }.shown(ty, value)
    }

    /// The library's type of values laid out, and the type of lists of them.
    pub(super) fn layout_types(&mut self) -> (TyId, TyId) {
        let [layout, layouts] = [KnownFunction::ShowLeaf, KnownFunction::ShowNothing].map(|it| {
            let function = self.well_known(it);
            self.out.types.split_function(self.out.vars[function].ty, 1).1
        });
        (layout, layouts)
    }

    fn tree(&self, ty: TyId) -> Option<Tree> {
        match self.out.types.get(ty) {
            Ty::Data(data, _) => self.out.types.datas[*data].tree(),
            _ => None,
        }
    }

    pub(super) fn text(&mut self, value: NodeId, span: Span) -> NodeId {
        let ty = self.out.ty(value);
        Code { context: self, span }.text(ty, value)
    }

    pub(super) fn is_null(&mut self, value: NodeId, span: Span) -> NodeId {
        let ty = self.out.ty(value);
        Code { context: self, span }.is_null(ty, value)
    }
}

impl Code<'_, '_> {
    fn show_library(&mut self, function: KnownFunction, args: Vec<NodeId>) -> NodeId {
        let func = self.context.well_known(function);
        self.call_var(func, args)
    }

    fn leaf(&mut self, text: NodeId) -> NodeId {
        self.show_library(KnownFunction::ShowLeaf, vec![text])
    }

    /// The function that says what `%A` prints of the values of a type of the library.
    fn library_text(&self, data: DataId) -> Option<KnownFunction> {
        self.context.out.types.datas[data].known.and_then(KnownType::shown_by)
    }

    /// The text that `%A` prints.
    fn shown(&mut self, ty: TyId, value: NodeId) -> NodeId {
        let layout = self.show(ty, value);
        self.show_library(KnownFunction::ShowRender, vec![layout])
    }

    /// The text of a value for people.
    fn text(&mut self, ty: TyId, value: NodeId) -> NodeId {
        if let Some(text) = self.context.own(ty).text {
            return self.own_text(text, ty, value);
        }
        match self.context.out.types.get(ty).clone() {
            Ty::Bool => {
                let (yes, no) = (self.string("True"), self.string("False"));
                self.choose(value, yes, no)
            }
            Ty::Unit => self.string(""),
            Ty::String => value,
            Ty::Char => self.char_text(value),
            Ty::Int(width) => self.number(width, value, ""),
            Ty::Float => self.show_library(KnownFunction::TextFloat, vec![value]),
            Ty::Float32 => {
                let wide = self.widened(value);
                self.show_library(KnownFunction::TextFloat32, vec![wide])
            }
            Ty::Tuple(_) => self.call(Task::Text, ty, vec![value]),
            Ty::Data(data, _) if self.library_text(data) == Some(KnownFunction::ShowDecimal) => {
                self.show_library(KnownFunction::TextDecimal, vec![value])
            }
            Ty::Data(data, _)
                if self.context.out.types.datas[data].known.is_some_and(KnownType::is_ordinary) =>
            {
                self.call(Task::Text, ty, vec![value])
            }
            _ => self.shown(ty, value),
        }
    }

    /// Has .NET `null` for the value?
    fn is_null(&mut self, ty: TyId, value: NodeId) -> NodeId {
        let bool = self.context.out.types.bool;
        match self.context.out.types.get(ty) {
            Ty::Unit => self.bool(true),
            Ty::Data(data, _) => {
                let decl = &self.context.out.types.datas[*data];
                if decl.known == Some(KnownType::Object) {
                    let null = self.context.well_known(KnownFunction::NullObject);
                    return self.call_var(null, vec![value]);
                }
                if decl.known != Some(KnownType::Option) {
                    return self.bool(false);
                }
                let cases = [true, false].map(|it| self.bool(it));
                let cases = cases.into_iter().enumerate();
                let cases = cases.map(|(ctor, it)| (Key::Ctor(ctor as u32), it)).collect();
                self.add(NodeKind::Switch { value, cases, default: None }, bool)
            }
            _ => self.bool(false),
        }
    }

    /// The text of a part of an option or a list, which is read twice.
    fn part_text(&mut self, ty: TyId, [part, again]: [NodeId; 2]) -> NodeId {
        let text = self.text(ty, part);
        let is_null = self.is_null(ty, again);
        let null = self.string("null");
        self.choose(is_null, null, text)
    }

    /// `Some(3)`, `(a, 1)`, `[1; 2; 3; ... ]`: what `ToString` says where it differs from `%A`.
    pub(super) fn text_body(&mut self, ty: TyId, a: VarId) -> NodeId {
        if let Ty::Tuple(items) = self.context.out.types.get(ty).clone() {
            let mut text = self.string(")");
            for (index, &item) in items.iter().enumerate().rev() {
                let tuple = self.read(a);
                let part = self.add(NodeKind::TupleGet { tuple, index: index as u32 }, item);
                let part = self.text(item, part);
                text = self.concat(part, text);
                let before = self.string(if index == 0 { "(" } else { ", " });
                text = self.concat(before, text);
            }
            return text;
        }
        let string = self.context.out.types.string;
        if self.context.is_uniform(ty) {
            return self.text_uniform(a);
        }
        let ctors = self.context.ctors(ty).map_or(Vec::new(), |it| it.1);
        if ctors.iter().any(|it| it.name.as_str() == "::") {
            let (value, zero) = (self.read(a), self.int(0));
            let items = self.call(Task::TextItems, ty, vec![value, zero]);
            let open = self.string("[");
            return self.concat(open, items);
        }
        let mut cases = Vec::new();
        for (index, ctor) in ctors.iter().enumerate() {
            let case = match self.context.field_types(ty, index).as_slice() {
                &[field] => {
                    let parts = [(); 2].map(|()| self.ctor_field(a, index as u32, 0, field));
                    let part = self.part_text(field, parts);
                    let (open, close) = (self.string(&format!("{}(", ctor.name)), self.string(")"));
                    let rest = self.concat(part, close);
                    self.concat(open, rest)
                }
                _ => self.string(""),
            };
            cases.push((Key::Ctor(index as u32), case));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, string)
    }

    /// The items of a list from number `n` on; after three of them no more.
    pub(super) fn text_items_body(&mut self, ty: TyId, a: VarId, n: VarId) -> NodeId {
        let string = self.context.out.types.string;
        let ctors = self.context.ctors(ty).map_or(Vec::new(), |it| it.1);
        let mut cases = Vec::new();
        for index in 0..ctors.len() {
            let at = index as u32;
            let case = match self.context.field_types(ty, index).as_slice() {
                &[item, rest] => {
                    let parts = [(); 2].map(|()| self.ctor_field(a, at, 0, item));
                    let part = self.part_text(item, parts);
                    let next = self.next(n);
                    let tail = self.ctor_field(a, at, 1, rest);
                    let rest = self.call(Task::TextItems, ty, vec![tail, next]);
                    let (position, zero) = (self.read(n), self.int(0));
                    let is_first = self.order_prim(OrderOp::Eq, position, zero);
                    let (nothing, between) = (self.string(""), self.string("; "));
                    let before = self.choose(is_first, nothing, between);
                    let more = self.concat(part, rest);
                    let more = self.concat(before, more);
                    let (position, most) = (self.read(n), self.int(3));
                    let over = self.order_prim(OrderOp::Ge, position, most);
                    let dots = self.string("; ... ]");
                    self.choose(over, dots, more)
                }
                _ => self.string("]"),
            };
            cases.push((Key::Ctor(at), case));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, string)
    }

    fn widened(&mut self, value: NodeId) -> NodeId {
        let float = self.context.out.types.float;
        self.prim(Prim::Float32ToFloat, vec![value], float)
    }

    fn char_text(&mut self, value: NodeId) -> NodeId {
        let (bytes, string, unit) = (
            self.context.out.types.bytes,
            self.context.out.types.string,
            self.context.out.types.unit,
        );
        let one = self.int(1);
        let made = self.prim(Prim::BytesCreate, vec![one], bytes);
        let made = self.bind("bytes", made);
        let args = vec![self.read(made.0), self.int(0), value];
        let set = self.prim(Prim::BytesSet, args, unit);
        let read = self.read(made.0);
        let text = self.prim(Prim::BytesUnsafeToString, vec![read], string);
        let body = self.add(NodeKind::Seq(vec![set, text]), string);
        self.let_in(made, body)
    }

    fn number(&mut self, width: IntWidth, value: NodeId, suffix: &str) -> NodeId {
        let wide = self.context.out.types.intern(Ty::Int(IntWidth::I64));
        let value = if width == IntWidth::I64 {
            value
        } else {
            self.prim(Prim::IntCast { from: width, to: IntWidth::I64 }, vec![value], wide)
        };
        let suffix = self.string(suffix);
        let function = match width {
            IntWidth::U64 => KnownFunction::ShowUnsigned,
            _ => KnownFunction::ShowNumber,
        };
        self.show_library(function, vec![value, suffix])
    }

    /// The layout of a value of this type.
    fn show(&mut self, ty: TyId, value: NodeId) -> NodeId {
        if let Ty::Data(data, _) = *self.context.out.types.get(ty)
            && let Some(function) = self.library_text(data)
        {
            let text = self.show_library(function, vec![value]);
            return self.leaf(text);
        }
        if let Some(shown) = self.context.own(ty).shown {
            let text = self.own_text(shown, ty, value);
            return self.leaf(text);
        }
        let text = match self.context.out.types.get(ty).clone() {
            Ty::Unit => {
                let text = self.string("()");
                let string = self.context.out.types.string;
                self.add(NodeKind::Seq(vec![value, text]), string)
            }
            Ty::Bool => {
                let (yes, no) = (self.string("true"), self.string("false"));
                self.choose(value, yes, no)
            }
            Ty::Char => self.show_library(KnownFunction::ShowCharacter, vec![value]),
            Ty::Int(width) => {
                let suffix = match width {
                    IntWidth::I63 | IntWidth::I32 => "",
                    IntWidth::I64 => "L",
                    IntWidth::I8 => "y",
                    IntWidth::I16 => "s",
                    IntWidth::U8 => "uy",
                    IntWidth::U16 => "us",
                    IntWidth::U32 => "u",
                    IntWidth::U64 => "UL",
                };
                self.number(width, value, suffix)
            }
            Ty::Float => self.show_library(KnownFunction::ShowFloat, vec![value]),
            Ty::Float32 => {
                let wide = self.widened(value);
                self.show_library(KnownFunction::ShowFloat32, vec![wide])
            }
            Ty::String => self.show_library(KnownFunction::ShowQuoted, vec![value]),
            Ty::Bytes => {
                let string = self.context.out.types.string;
                let value = self.prim(Prim::BytesUnsafeToString, vec![value], string);
                self.show_library(KnownFunction::ShowQuoted, vec![value])
            }
            Ty::Fn(..) | Ty::Uniform | Ty::Var(_) => {
                let text = self.string("<fun>");
                let string = self.context.out.types.string;
                self.add(NodeKind::Seq(vec![value, text]), string)
            }
            Ty::Tuple(_) | Ty::Array(_) | Ty::Data(..) | Ty::Exn => {
                return self.call(Task::Show, ty, vec![value]);
            }
        };
        self.leaf(text)
    }

    pub(super) fn show_body(&mut self, ty: TyId, a: VarId) -> NodeId {
        match self.context.out.types.get(ty).clone() {
            Ty::Tuple(items) => {
                let mut parts = self.no_items();
                for (index, &item) in items.iter().enumerate().rev() {
                    let tuple = self.read(a);
                    let part = self.add(NodeKind::TupleGet { tuple, index: index as u32 }, item);
                    let part = self.show(item, part);
                    parts = self.before(part, parts);
                }
                self.show_library(KnownFunction::ShowTuple, vec![parts])
            }
            Ty::Array(_) => {
                let (array, zero) = (self.read(a), self.int(0));
                let items = self.call(Task::ShowItems, ty, vec![array, zero]);
                let (open, close) = (self.string("[|"), self.string("|]"));
                self.show_library(KnownFunction::ShowList, vec![open, close, items])
            }
            Ty::Data(data, _) => match self.context.out.types.datas[data].kind.clone() {
                DataKind::Record(fields) => {
                    let types = self.context.field_types(ty, 0);
                    let mut parts = self.no_items();
                    for (index, (field, &field_ty)) in fields.iter().zip(&types).enumerate().rev() {
                        let object = self.read(a);
                        let kind = NodeKind::Field { object, ctor: 0, index: index as u32 };
                        let part = self.add(kind, field_ty);
                        let part = self.show(field_ty, part);
                        let name = self.string(field.name.as_str());
                        let part = self.show_library(KnownFunction::ShowField, vec![name, part]);
                        parts = self.before(part, parts);
                    }
                    self.show_library(KnownFunction::ShowRecord, vec![parts])
                }
                DataKind::Variant(_) if self.context.is_uniform(ty) => self.show_uniform(a),
                DataKind::Variant(_) => self.show_variant(ty, a),
            },
            Ty::Exn => self.show_exn(a),
            _ => {
                let text = self.string("_");
                self.leaf(text)
            }
        }
    }

    /// What is held.
    fn text_uniform(&mut self, a: VarId) -> NodeId {
        let string = self.context.out.types.string;
        self.each_content(a, string, |code, ctor, held| {
            let Ty::Tuple(items) = code.context.out.types.get(held).clone() else {
                let value = code.ctor_field(a, ctor, 0, held);
                return code.text(held, value);
            };
            let parts = items.iter().enumerate();
            let parts: Vec<NodeId> =
                parts.map(|(at, &item)| code.ctor_field(a, ctor, at as u32, item)).collect();
            let tuple = code.add(NodeKind::Tuple(parts), held);
            code.text(held, tuple)
        })
    }

    /// What is held.
    fn show_uniform(&mut self, a: VarId) -> NodeId {
        let layout = self.context.layout_types().0;
        self.each_content(a, layout, |code, ctor, held| {
            let Ty::Tuple(items) = code.context.out.types.get(held).clone() else {
                let value = code.ctor_field(a, ctor, 0, held);
                return code.show(held, value);
            };
            let parts = items.iter().enumerate();
            let parts: Vec<NodeId> =
                parts.map(|(at, &item)| code.ctor_field(a, ctor, at as u32, item)).collect();
            let tuple = code.add(NodeKind::Tuple(parts), held);
            code.show(held, tuple)
        })
    }

    fn no_items(&mut self) -> NodeId {
        let unit = self.unit();
        self.show_library(KnownFunction::ShowNothing, vec![unit])
    }

    fn before(&mut self, part: NodeId, rest: NodeId) -> NodeId {
        self.show_library(KnownFunction::ShowCons, vec![part, rest])
    }

    fn show_variant(&mut self, ty: TyId, a: VarId) -> NodeId {
        let layout = self.context.layout_types().0;
        let ctors = self.context.ctors(ty).map_or(Vec::new(), |it| it.1);
        let tree = self.context.tree(ty);
        if tree.is_some() || ctors.iter().any(|it| it.name.as_str() == "::") {
            let (value, zero) = (self.read(a), self.int(0));
            let items = self.call(Task::ShowItems, ty, vec![value, zero]);
            let name = match tree {
                Some(tree) => self.string(tree.name()),
                None => {
                    let (open, close) = (self.string("["), self.string("]"));
                    return self.show_library(KnownFunction::ShowList, vec![open, close, items]);
                }
            };
            return self.show_library(KnownFunction::ShowCollection, vec![name, items]);
        }
        let mut cases = Vec::new();
        for (index, ctor) in ctors.iter().enumerate() {
            let name = self.string(ctor.name.as_str());
            let types = self.context.field_types(ty, index);
            let mut parts = self.no_items();
            for (field, &field_ty) in types.iter().enumerate().rev() {
                let part = self.ctor_field(a, index as u32, field as u32, field_ty);
                let part = self.show(field_ty, part);
                parts = self.before(part, parts);
            }
            let case = self.show_library(KnownFunction::ShowApplication, vec![name, parts]);
            cases.push((Key::Ctor(index as u32), case));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, layout)
    }

    pub(super) fn ctor_field(&mut self, a: VarId, ctor: u32, index: u32, ty: TyId) -> NodeId {
        let object = self.read(a);
        self.add(NodeKind::Field { object, ctor, index }, ty)
    }

    /// The items of a list, an array or a tree, from number `n` on.
    pub(super) fn show_items_body(&mut self, ty: TyId, a: VarId, n: VarId) -> NodeId {
        match self.context.out.types.get(ty).clone() {
            Ty::Array(item) => self.array_items(ty, item, a, n),
            _ => self.variant_items(ty, a, n),
        }
    }

    fn array_items(&mut self, ty: TyId, item: TyId, a: VarId, n: VarId) -> NodeId {
        let int = self.context.out.types.int;
        let array = self.read(a);
        let length = self.prim(Prim::ArrayLength, vec![array], int);
        let at = self.read(n);
        let done = self.order_prim(OrderOp::Ge, at, length);
        let args = vec![self.read(a), self.read(n)];
        let part = self.prim(Prim::ArrayGet, args, item);
        let part = self.show(item, part);
        let next = self.next(n);
        let array = self.read(a);
        let rest = self.call(Task::ShowItems, ty, vec![array, next]);
        let more = self.before(part, rest);
        let more = self.limited(n, more);
        let none = self.no_items();
        self.choose(done, none, more)
    }

    fn next(&mut self, n: VarId) -> NodeId {
        let (at, one) = (self.read(n), self.int(1));
        self.int_op(IntOp::Add, at, one)
    }

    /// `...` after so many items.
    fn limited(&mut self, n: VarId, more: NodeId) -> NodeId {
        let (at, most) = (self.read(n), self.int(MOST_ITEMS));
        let over = self.order_prim(OrderOp::Ge, at, most);
        let dots = self.string("...");
        let dots = self.leaf(dots);
        let none = self.no_items();
        let dots = self.before(dots, none);
        self.choose(over, dots, more)
    }

    fn variant_items(&mut self, ty: TyId, a: VarId, n: VarId) -> NodeId {
        let layouts = self.context.layout_types().1;
        let ctors = self.context.ctors(ty).map_or(Vec::new(), |it| it.1);
        let tree = self.context.tree(ty);
        let mut cases = Vec::new();
        for index in 0..ctors.len() {
            let types = self.context.field_types(ty, index);
            let at = index as u32;
            let case = match (tree, types.as_slice()) {
                (None, &[item, rest]) => {
                    let part = self.ctor_field(a, at, 0, item);
                    let part = self.show(item, part);
                    let next = self.next(n);
                    let tail = self.ctor_field(a, at, 1, rest);
                    let rest = self.call(Task::ShowItems, ty, vec![tail, next]);
                    let more = self.before(part, rest);
                    self.limited(n, more)
                }
                (Some(Tree::Map), &[left, key, value, right, _]) => {
                    let shown_key = self.ctor_field(a, at, 1, key);
                    let shown_key = self.show(key, shown_key);
                    let shown_value = self.ctor_field(a, at, 2, value);
                    let shown_value = self.show(value, shown_value);
                    let none = self.no_items();
                    let parts = self.before(shown_value, none);
                    let parts = self.before(shown_key, parts);
                    let part = self.show_library(KnownFunction::ShowTuple, vec![parts]);
                    self.tree_items(ty, a, n, at, (left, right, 3), part)
                }
                (Some(Tree::Set), &[left, key, right, _]) => {
                    let part = self.ctor_field(a, at, 1, key);
                    let part = self.show(key, part);
                    self.tree_items(ty, a, n, at, (left, right, 2), part)
                }
                _ => self.no_items(),
            };
            cases.push((Key::Ctor(at), case));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, layouts)
    }

    fn tree_items(
        &mut self,
        ty: TyId,
        a: VarId,
        n: VarId,
        ctor: u32,
        (left, right, right_at): (TyId, TyId, u32),
        part: NodeId,
    ) -> NodeId {
        let left = self.ctor_field(a, ctor, 0, left);
        let at = self.read(n);
        let before = self.call(Task::ShowItems, ty, vec![left, at]);
        let right = self.ctor_field(a, ctor, right_at, right);
        let at = self.read(n);
        let after = self.call(Task::ShowItems, ty, vec![right, at]);
        let rest = self.before(part, after);
        self.show_library(KnownFunction::ShowAppend, vec![before, rest])
    }

    fn show_exn(&mut self, a: VarId) -> NodeId {
        let layout = self.context.layout_types().0;
        let exns: Vec<ExnId> = self.context.exns.all().to_vec();
        let mut cases = Vec::new();
        for exn in exns {
            let decl = &self.context.out.types.exns[exn];
            let name = decl.plain_name().to_string();
            let types: Vec<TyId> = decl.declared().iter().map(|it| it.ty).collect();
            let name = self.string(&name);
            let mut parts = self.no_items();
            for (index, &ty) in types.iter().enumerate().rev() {
                let object = self.read(a);
                let part = self.add(NodeKind::ExnField { object, exn, index: index as u32 }, ty);
                let part = self.show(ty, part);
                parts = self.before(part, parts);
            }
            let case = self.show_library(KnownFunction::ShowApplication, vec![name, parts]);
            cases.push((Key::Exn(exn), case));
        }
        let default = self.string("_");
        let default = self.leaf(default);
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: Some(default) }, layout)
    }
}
