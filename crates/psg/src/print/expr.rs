//! Expressions in the text.
//!
//! ```text
//! atom     x   @f[int]   5   "s"   (a, b)   f(x)   t->0   list<int>::`::`(x, xs)
//! value    if … then … else …   int.add x, y   fn @f(x: int) -> int = …   atoms
//! block    let x: int = value; block      values and blocks, separated by `;`
//! ```
//!
//! Operands are atoms, or values in parentheses, or blocks in braces. Each function
//! returns its text without indentation; whoever puts several lines somewhere indents
//! them.

use super::{Printer, names};
use crate::{
    Callee, CaptureMode, Const, DataKind, InlineHint, IntWidth, Key, LambdaId, NodeId, NodeKind,
    Repr, Storage, Ty, TyId, VarId, prim_types,
};

/// A line that is longer is broken where it can be.
const WIDTH: usize = 92;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Atom,
    Value,
    Block,
}

/// What follows a statement.
enum Rest {
    Block(NodeId),
    Value(NodeId),
}

fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}

fn fits(text: &str) -> bool {
    text.len() <= WIDTH && !text.contains('\n')
}

/// `head value`, on one line if there is room, or if the value is a block in braces.
pub(super) fn after(head: &str, value: &str) -> String {
    let line = format!("{head} {value}");
    let first = line.lines().next().unwrap_or_default();
    if fits(&line) || (first.ends_with('{') && first.len() <= WIDTH) {
        return line;
    }
    format!("{head}\n  {}", indent(value))
}

fn braces(text: &str) -> String {
    format!("{{\n  {}\n}}", indent(text))
}

impl<P> Printer<'_, P> {
    fn shape(&self, node: NodeId) -> Shape {
        let node = &self.program.nodes[node];
        let shape = match &node.kind {
            NodeKind::Const(_)
            | NodeKind::Var { .. }
            | NodeKind::Apply { .. }
            | NodeKind::Tuple(_)
            | NodeKind::TupleGet { .. }
            | NodeKind::Record(_)
            | NodeKind::Construct { .. }
            | NodeKind::Field { .. }
            | NodeKind::Array(_)
            | NodeKind::MakeExn { .. }
            | NodeKind::ExnField { .. } => Shape::Atom,
            NodeKind::Seq(items) if items.len() < 2 => Shape::Value,
            NodeKind::Lambda(_)
            | NodeKind::Prim { .. }
            | NodeKind::Assign { .. }
            | NodeKind::If { .. }
            | NodeKind::Switch { .. }
            | NodeKind::While { .. }
            | NodeKind::For { .. }
            | NodeKind::SetField { .. }
            | NodeKind::Raise(_)
            | NodeKind::Try { .. }
            | NodeKind::Jump { .. } => Shape::Value,
            NodeKind::Let { .. }
            | NodeKind::LetRec { .. }
            | NodeKind::Seq(_)
            | NodeKind::Join { .. } => Shape::Block,
        };
        // A storage class stands before a value.
        if node.storage == Storage::default() || shape == Shape::Block {
            shape
        } else {
            Shape::Value
        }
    }

    /// As an operand of something else.
    fn operand(&mut self, node: NodeId) -> String {
        match self.shape(node) {
            Shape::Atom => self.text(node),
            Shape::Value => format!("({})", self.text(node)),
            Shape::Block => braces(&self.block(node)),
        }
    }

    /// Where a value may stand bare.
    pub(super) fn value(&mut self, node: NodeId) -> String {
        match self.shape(node) {
            Shape::Atom | Shape::Value => self.text(node),
            Shape::Block => braces(&self.block(node)),
        }
    }

    fn operands(&mut self, nodes: &[NodeId]) -> String {
        let texts: Vec<_> = nodes.iter().map(|&it| self.operand(it)).collect();
        texts.join(", ")
    }

    /// The statements of a chain of blocks, one line each.
    fn block(&mut self, mut node: NodeId) -> String {
        let mut lines = Vec::new();
        loop {
            match self.statement(node, &mut lines) {
                Rest::Block(next) => node = next,
                Rest::Value(last) => {
                    lines.push(self.value(last));
                    return lines.join("\n");
                }
            }
        }
    }

    /// Takes the first statement off a block.
    fn statement(&mut self, node: NodeId, lines: &mut Vec<String>) -> Rest {
        let program = self.program;
        let kind = &program.nodes[node].kind;
        if let NodeKind::Let { var, value, body } = kind {
            let head = format!("let {} =", self.binder(*var));
            let value = self.value(*value);
            lines.push(after(&head, &value) + ";");
            return Rest::Block(*body);
        }
        if let NodeKind::LetRec { vars, values, body } = kind {
            let binders: Vec<_> = vars.iter().map(|&it| self.binder(it)).collect();
            let values: Vec<_> = values.iter().map(|&it| self.value(it)).collect();
            let head = format!("rec {} =", binders.join(", "));
            lines.push(after(&head, &values.join("\nand ")) + ";");
            return Rest::Block(*body);
        }
        if let NodeKind::Join { join, body, rest } = kind {
            let data = &program.joins[*join];
            let name = self.names.join(program, *join);
            let params: Vec<_> = data.params.iter().map(|&it| self.binder(it)).collect();
            let recursive = if data.recursive { "rec " } else { "" };
            let head = format!("join {recursive}{name}({}) =", params.join(", "));
            let body = self.value(*body);
            lines.push(after(&head, &body) + ";");
            return Rest::Block(*rest);
        }
        if let NodeKind::Seq(items) = kind
            && let [first @ .., last] = &items[..]
            && !first.is_empty()
        {
            for &item in first {
                lines.push(self.value(item) + ";");
            }
            // A sequence in a sequence stays one.
            if matches!(program.nodes[*last].kind, NodeKind::Seq(_)) {
                return Rest::Value(*last);
            }
            return Rest::Block(*last);
        }
        Rest::Value(node)
    }

    pub(super) fn binder(&mut self, var: VarId) -> String {
        let data = &self.program.vars[var];
        let mutable = if data.mutable { "mut " } else { "" };
        let name = self.names.var(self.program, var);
        let types = &self.program.types;
        let tyvars: Vec<_> = data.tyvars.iter().map(|&it| self.names.tyvar(types, it)).collect();
        let tyvars = match tyvars.is_empty() {
            true => String::new(),
            false => format!("[{}]", tyvars.join(", ")),
        };
        format!("{mutable}{name}{tyvars}: {}", self.ty(data.ty))
    }

    fn text(&mut self, node: NodeId) -> String {
        let program = self.program;
        let data = &program.nodes[node];
        let text = match &data.kind {
            NodeKind::Const(value) => constant(value),
            NodeKind::Var { var, tyargs } => {
                let name = self.names.var(program, *var);
                let tyargs: Vec<_> = tyargs.iter().map(|&it| self.ty(it)).collect();
                match tyargs.is_empty() {
                    true => name,
                    false => format!("{name}[{}]", tyargs.join(", ")),
                }
            }
            NodeKind::Lambda(lambda) => self.lambda(*lambda),
            NodeKind::Apply { func, args, callee } => {
                let known = self.callee(*func, *callee);
                let func = self.operand(*func);
                format!("{func}{known}({})", self.operands(args))
            }
            NodeKind::Prim { prim, args } => {
                let ty = match prim_types::result_is_open(*prim) {
                    true => format!("[{}]", self.ty(data.ty)),
                    false => String::new(),
                };
                let args = self.operands(args);
                format!("{}{ty} {args}", prim.name().trim_start_matches('%'))
            }
            NodeKind::Assign { var, value } => {
                let head = format!("{} :=", self.names.var(program, *var));
                let value = self.value(*value);
                after(&head, &value)
            }
            NodeKind::Seq(items) => format!("seq({})", self.operands(items)),
            NodeKind::If { cond, then, otherwise } => self.if_text(*cond, *then, *otherwise),
            NodeKind::Switch { value, cases, default } => self.switch(*value, cases, *default),
            NodeKind::While { cond, body } => {
                let head = format!("while {} do", self.value(*cond));
                let body = self.value(*body);
                after(&head, &body)
            }
            NodeKind::For { var, from, to, down, body } => {
                let (from, to) = (self.value(*from), self.value(*to));
                let word = if *down { "downto" } else { "to" };
                let head = format!("for {} = {from} {word} {to} do", self.binder(*var));
                let body = self.value(*body);
                after(&head, &body)
            }
            NodeKind::Tuple(items) => format!("({})", self.operands(items)),
            NodeKind::TupleGet { tuple, index } => format!("{}->{index}", self.operand(*tuple)),
            NodeKind::Record(items) => self.record(data.ty, items),
            NodeKind::Construct { ctor, args } => {
                let head = format!("{}::{}", self.ty(data.ty), self.ctor(data.ty, *ctor));
                match args.is_empty() {
                    true => head,
                    false => format!("{head}({})", self.operands(args)),
                }
            }
            NodeKind::Field { object, ctor, index } => self.field(*object, *ctor, *index),
            NodeKind::SetField { object, ctor, index, value } => {
                let head = format!("{} <-", self.field(*object, *ctor, *index));
                let value = self.value(*value);
                after(&head, &value)
            }
            NodeKind::Array(items) => format!("{}[{}]", self.ty(data.ty), self.operands(items)),
            NodeKind::MakeExn { exn, args } => {
                format!("exn {}({})", self.names.exn(*exn), self.operands(args))
            }
            NodeKind::ExnField { object, exn, index } => {
                format!("{}->exn {}->{index}", self.operand(*object), self.names.exn(*exn))
            }
            NodeKind::Raise(value) => {
                let head = format!("raise[{}]", self.ty(data.ty));
                let value = self.value(*value);
                after(&head, &value)
            }
            NodeKind::Try { body, var, handler } => {
                let body = self.value(*body);
                let name = self.names.var(program, *var);
                let handler = self.value(*handler);
                after(&format!("try {body} with {name} ->"), &handler)
            }
            NodeKind::Jump { join, args } => {
                let (ty, name) = (self.ty(data.ty), self.names.join(program, *join));
                format!("jump[{ty}] {name}({})", self.operands(args))
            }
            // Always printed by `block`.
            NodeKind::Let { .. } | NodeKind::LetRec { .. } | NodeKind::Join { .. } => {
                braces(&self.block(node))
            }
        };
        match data.storage {
            Storage::Counted => text,
            Storage::Stack => format!("stack {text}"),
            Storage::Static => format!("static {text}"),
        }
    }

    fn callee(&mut self, func: NodeId, callee: Callee) -> String {
        match callee {
            Callee::Unknown => String::new(),
            Callee::Known(lambda)
                if self.names.bound_lambda(self.program, func) == Some(lambda) =>
            {
                "!".into()
            }
            Callee::Known(lambda) => {
                self.names.label(lambda).map_or("!".into(), |label| format!("!#{label}"))
            }
        }
    }

    fn lambda(&mut self, id: LambdaId) -> String {
        let lambda = &self.program.lambdas[id];
        let mut head = String::from("fn");
        if let Some(name) = lambda.name {
            head += &format!(" @{}", names::quote(name.as_str()));
        }
        if let Some(label) = self.names.label(id) {
            head += &format!(" #{label}");
        }
        let params: Vec<_> = lambda.params.iter().map(|&it| self.binder(it)).collect();
        head += &format!("({})", params.join(", "));
        if !lambda.captures.is_empty() {
            let mut captures = Vec::new();
            for capture in &lambda.captures {
                let mode = match capture.mode {
                    CaptureMode::ByValue => "",
                    CaptureMode::ByRef => "&",
                };
                let name = self.names.var(self.program, capture.var);
                captures.push(format!("{mode}{name}: {}", self.ty(capture.ty)));
            }
            head += &format!(" captures({})", captures.join(", "));
        }
        head += match lambda.inline {
            InlineHint::Default => "",
            InlineHint::Always => " inline(always)",
            InlineHint::Never => " inline(never)",
            InlineHint::Cold => " inline(cold)",
            InlineHint::Rare => " inline(rare)",
            InlineHint::Once => " inline(once)",
            InlineHint::ZeroAlloc => " inline(zero_alloc)",
        };
        head += match lambda.repr {
            Repr::Undecided => "",
            Repr::Lifted => " repr(lifted)",
            Repr::Flat => " repr(flat)",
        };
        if !lambda.raises {
            head += " noraise";
        }
        head += &format!(" -> {} =", self.ty(self.program.ty(lambda.body)));
        let body = self.value(lambda.body);
        after(&head, &body)
    }

    fn if_text(&mut self, cond: NodeId, then: NodeId, otherwise: NodeId) -> String {
        let cond = self.value(cond);
        let (then_text, else_text) = (self.value(then), self.value(otherwise));
        let line = format!("if {cond} then {then_text} else {else_text}");
        if fits(&line) {
            return line;
        }
        let is_plain_if = matches!(self.program.nodes[otherwise].kind, NodeKind::If { .. });
        let then_text = braces(&self.block(then));
        let else_text = match is_plain_if {
            true => else_text,
            false => braces(&self.block(otherwise)),
        };
        format!("if {cond} then {then_text} else {else_text}")
    }

    fn switch(
        &mut self,
        value: NodeId,
        cases: &[(Key, NodeId)],
        default: Option<NodeId>,
    ) -> String {
        let ty = self.program.ty(value);
        let mut lines = Vec::new();
        for (key, body) in cases {
            let key = match key {
                Key::Ctor(ctor) => self.ctor(ty, *ctor),
                Key::Int(width, value) => constant(&Const::Int(*width, *value)),
                Key::Char(value) => constant(&Const::Char(*value)),
                Key::String(value) => constant(&Const::String(value.clone())),
                Key::Exn(exn) => format!("exn {}", self.names.exn(*exn)),
            };
            let body = self.value(*body);
            lines.push(after(&format!("{key} ->"), &body) + ";");
        }
        if let Some(body) = default {
            let body = self.value(body);
            lines.push(after("_ ->", &body) + ";");
        }
        format!("switch {} of {}", self.value(value), braces(&lines.join("\n")))
    }

    fn record(&mut self, ty: TyId, items: &[NodeId]) -> String {
        let mut fields = Vec::new();
        for (index, &item) in items.iter().enumerate() {
            let name = self.field_name(ty, index as u32);
            fields.push(format!("{name} = {}", self.operand(item)));
        }
        format!("{}{{{}}}", self.ty(ty), fields.join(", "))
    }

    fn data_kind(&self, ty: TyId) -> Option<&DataKind> {
        match self.program.types.get(ty) {
            Ty::Data(data, _) => Some(&self.program.types.datas[*data].kind),
            _ => None,
        }
    }

    fn ctor(&self, ty: TyId, ctor: u32) -> String {
        match self.data_kind(ty) {
            Some(DataKind::Variant(ctors)) if (ctor as usize) < ctors.len() => {
                names::quote(ctors[ctor as usize].name.as_str())
            }
            _ => ctor.to_string(),
        }
    }

    fn field_name(&self, ty: TyId, index: u32) -> String {
        match self.data_kind(ty) {
            Some(DataKind::Record(fields)) if (index as usize) < fields.len() => {
                names::quote(fields[index as usize].name.as_str())
            }
            _ => index.to_string(),
        }
    }

    fn field(&mut self, object: NodeId, ctor: u32, index: u32) -> String {
        let ty = self.program.ty(object);
        let place = match self.data_kind(ty) {
            Some(DataKind::Record(_)) => self.field_name(ty, index),
            _ => format!("{}->{index}", self.ctor(ty, ctor)),
        };
        format!("{}->{place}", self.operand(object))
    }
}

fn constant(value: &Const) -> String {
    match value {
        Const::Unit => "()".into(),
        Const::Bool(value) => value.to_string(),
        Const::Int(IntWidth::I63, value) => value.to_string(),
        Const::Int(IntWidth::I32, value) => format!("{value}l"),
        Const::Int(IntWidth::I64, value) => format!("{value}L"),
        Const::Int(width, value) => format!("{value}:{}", width.name()),
        Const::Float(value) if value.is_finite() => format!("{value:?}"),
        Const::Float(value) => format!("0f{:016x}", value.to_bits()),
        Const::Char(value) => format!("'{}'", escape(&[*value], b'\'')),
        Const::String(bytes) => format!("\"{}\"", escape(bytes, b'"')),
    }
}

fn escape(bytes: &[u8], quote: u8) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'\\' => text += "\\\\",
            b' '..=b'~' if byte == quote => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text += &format!("\\x{byte:02x}"),
        }
    }
    text
}
