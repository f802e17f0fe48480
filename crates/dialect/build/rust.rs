//! Rust for the dialect's ops: `Opcode`, `View`, and for each op a type with its operands, attributes and results.
//!
//! ```text
//! ocaml.block.get      Opcode::BlockGet, View::BlockGet(it)
//!                      it.block(), it.ctor(), it.index(), it.value(), it.set_ctor(1), …
//!                      BlockGet::BLOCK, the number of the operand
//!                      BlockGet::draft(block, ctor, index, value): a new one, for a builder to place
//! ```
//!
//! The hand-written part that this text stands on is `src/op`.

use std::fmt::Write as _;

use crate::records::{Argument, Attribute, Count, Kind, Presence, Record, Slot};

pub fn text(records: &[Record]) -> String {
    let mut out = String::new();
    opcode(records, &mut out);
    view(records, &mut out);
    for it in records {
        op(it, &mut out);
    }
    out
}

macro_rules! line {
    ($out:expr, $($text:tt)*) => {
        writeln!($out, $($text)*).expect("a string takes all text")
    };
}

fn opcode(records: &[Record], out: &mut String) {
    line!(out, "/// Which op it is.");
    line!(out, "#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]");
    line!(out, "pub enum Opcode {{");
    for it in records {
        line!(out, "/// `ocaml.{}`: {}.", it.name, it.summary);
        line!(out, "{},", it.class);
    }
    line!(out, "/// An op of another dialect.\nUpstream(Upstream),\n}}");
    line!(out, "impl Opcode {{");
    line!(out, "pub(crate) fn of_name(name: &str) -> Self {{\nmatch name {{");
    for it in records {
        line!(out, "\"ocaml.{}\" => Self::{},", it.name, it.class);
    }
    line!(out, "_ => Self::Upstream(Upstream::of_name(name)),\n}}\n}}");
    line!(out, "/// What it does to memory, as its record states.");
    line!(out, "pub const fn effects(self) -> Effects {{\nmatch self {{");
    for it in records {
        let effects = it.effects;
        line!(
            out,
            "Self::{} => Effects {{ reads: {}, writes: {}, allocates: {}, frees: {}, anything: {} }},",
            it.class,
            effects.reads,
            effects.writes,
            effects.allocates,
            effects.frees,
            effects.anything
        );
    }
    line!(out, "Self::Upstream(it) => it.effects(),\n}}\n}}");
    line!(out, "/// Does it end a block?");
    line!(out, "pub const fn is_terminator(self) -> bool {{\nmatch self {{");
    for it in records {
        line!(out, "Self::{} => {},", it.class, it.is_terminator);
    }
    line!(out, "Self::Upstream(it) => it.is_terminator(),\n}}\n}}\n}}");
}

fn view(records: &[Record], out: &mut String) {
    line!(out, "/// An op as what it is.");
    line!(out, "#[derive(Clone, Copy)]");
    line!(out, "pub enum View<'c> {{");
    for it in records {
        line!(out, "{0}({0}<'c>),", it.class);
    }
    line!(out, "Upstream(Upstream, Op<'c>),\n}}");
    line!(out, "/// Tells what an op is.");
    line!(out, "pub fn view(op: Op<'_>) -> View<'_> {{\nmatch opcode(op) {{");
    for it in records {
        line!(out, "Opcode::{0} => View::{0}({0}(op)),", it.class);
    }
    line!(out, "Opcode::Upstream(it) => View::Upstream(it, op),\n}}\n}}");
}

fn op(it: &Record, out: &mut String) {
    let class = &it.class;
    line!(out, "/// {}.", it.summary);
    line!(out, "#[derive(Clone, Copy, PartialEq)]");
    line!(out, "pub struct {class}<'c>(Op<'c>);");
    line!(out, "impl<'c> DialectOp<'c> for {class}<'c> {{");
    line!(out, "const NAME: &'static str = \"ocaml.{}\";", it.name);
    line!(out, "const OPCODE: Opcode = Opcode::{class};");
    line!(out, "fn wrap(op: Op<'c>) -> Self {{ Self(op) }}");
    line!(out, "fn op(self) -> Op<'c> {{ self.0 }}\n}}");
    line!(out, "impl<'c> {class}<'c> {{");
    for (at, slot) in it.operands().enumerate() {
        operand(slot, at, out);
    }
    for attribute in it.attributes() {
        accessors(attribute, out);
    }
    for (at, slot) in it.results.iter().enumerate() {
        result(slot, at, out);
    }
    if it.regions == 0 {
        draft(it, out);
    }
    line!(out, "}}");
}

fn operand(slot: &Slot, at: usize, out: &mut String) {
    let name = &slot.name;
    let number = name.to_uppercase();
    let which = if slot.count == Count::One { "the operand" } else { "the first of the operands" };
    line!(out, "/// The number of {which} `{name}`.");
    line!(out, "pub const {number}: usize = {at};");
    match slot.count {
        Count::One => {
            line!(out, "pub fn {}(self) -> Val<'c> {{ operand(self.0, {at}) }}", escaped(name));
            line!(
                out,
                "pub fn set_{name}(self, value: Val<'c>) {{ set_operand(self.0, {at}, value); }}"
            );
        }
        Count::Optional | Count::Any => {
            line!(
                out,
                "pub fn {}(self) -> Vec<Val<'c>> {{ operands_from(self.0, {at}) }}",
                escaped(name)
            );
            line!(
                out,
                "pub fn set_{name}(self, values: &[Val<'c>]) {{ set_operands_from(self.0, {at}, values); }}"
            );
        }
    }
}

fn result(slot: &Slot, at: usize, out: &mut String) {
    let name = escaped(&slot.name);
    match slot.count {
        Count::One => line!(out, "pub fn {name}(self) -> Val<'c> {{ result_of(self.0, {at}) }}"),
        Count::Optional | Count::Any => {
            line!(out, "pub fn {name}(self) -> Vec<Val<'c>> {{ results_from(self.0, {at}) }}");
        }
    }
}

fn accessors(it: &Attribute, out: &mut String) {
    let Some((read, owned, given)) = types_of(it.kind) else { return };
    let (name, method) = (&it.name, escaped(&it.name));
    let reader = reader_of(it.kind);
    match it.presence {
        Presence::Flag => {
            line!(out, "pub fn {method}(self) -> bool {{ attr(self.0, \"{name}\").is_some() }}");
            line!(
                out,
                "pub fn set_{name}(self, value: bool) {{ set_flag(self.0, \"{name}\", value); }}"
            );
            return;
        }
        Presence::Required => {
            line!(
                out,
                "pub fn {method}(self) -> {read} {{ {reader}(required(self.0, \"{name}\")) }}"
            );
        }
        Presence::Optional => {
            line!(
                out,
                "pub fn {method}(self) -> Option<{read}> {{ attr(self.0, \"{name}\").map({reader}) }}"
            );
            line!(out, "pub fn remove_{name}(self) {{ remove_attr(self.0, \"{name}\"); }}");
        }
    }
    line!(
        out,
        "pub fn set_{name}(self, value: {given}) {{ set(self.0, \"{name}\", &AttrValue::{owned}); }}"
    );
}

fn draft(it: &Record, out: &mut String) {
    let mut parameters = Vec::new();
    let (mut operands, mut attributes, mut results) = (Vec::new(), Vec::new(), Vec::new());
    for argument in &it.arguments {
        match argument {
            Argument::Operand(slot) => {
                let name = escaped(&slot.name);
                match slot.count {
                    Count::One => {
                        parameters.push(format!("{name}: Val<'c>"));
                        operands.push(format!("operands.push({name});"));
                    }
                    Count::Optional | Count::Any => {
                        parameters.push(format!("{name}: &[Val<'c>]"));
                        operands.push(format!("operands.extend({name});"));
                    }
                }
            }
            Argument::Attribute(attribute) if attribute.presence == Presence::Required => {
                let Some((_, owned, given)) = types_of(attribute.kind) else { continue };
                let name = escaped(&attribute.name);
                let owned = owned.replace("value", &name);
                parameters.push(format!("{name}: {given}"));
                attributes.push(format!("(\"{}\", AttrValue::{owned})", attribute.name));
            }
            Argument::Attribute(_) => (),
        }
    }
    for slot in &it.results {
        let name = &slot.name;
        match (slot.count, slot.fixed) {
            (Count::One, Some(fixed)) => {
                results.push(format!("results.push(ResultType::Fixed(|types| types.{fixed}));"));
            }
            (Count::One, None) => {
                parameters.push(format!("{name}_type: Type<'c>"));
                results.push(format!("results.push(ResultType::Given({name}_type));"));
            }
            (Count::Optional | Count::Any, _) => {
                parameters.push(format!("{name}_types: &[Type<'c>]"));
                results.push(format!(
                    "results.extend({name}_types.iter().map(|&it| ResultType::Given(it)));"
                ));
            }
        }
    }
    line!(out, "/// A new one; attributes that may be left out are set once it is made.");
    line!(out, "#[allow(unused_mut, clippy::too_many_arguments, reason = \"generated\")]");
    line!(out, "pub fn draft({}) -> Draft<'c> {{", parameters.join(", "));
    line!(
        out,
        "let (mut operands, mut results): (Vec<Val<'c>>, Vec<ResultType<'c>>) = (Vec::new(), Vec::new());"
    );
    line!(out, "{}{}", operands.concat(), results.concat());
    line!(
        out,
        "Draft {{ name: Self::NAME, operands, results, attributes: vec![{}] }}\n}}",
        attributes.join(", ")
    );
}

/// The type of an attribute when it is read, how a given one is kept, and the type in which it is given.
fn types_of(kind: Kind) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match kind {
        Kind::Unit => ("bool", "Unit", "bool"),
        Kind::U32 => ("u32", "U32(value)", "u32"),
        Kind::Text => ("&'c str", "Text(value.into())", "&str"),
        Kind::Bytes => ("&'c [u8]", "Bytes(value.into())", "&[u8]"),
        Kind::Symbol => ("&'c str", "Symbol(value.into())", "&str"),
        Kind::Type => ("Type<'c>", "Type(value)", "Type<'c>"),
        Kind::Types => ("Vec<Type<'c>>", "Types(value.into())", "&[Type<'c>]"),
        Kind::Texts => ("Vec<&'c str>", "Texts(owned_texts(value))", "&[&str]"),
        Kind::Numbers => ("Vec<u32>", "Numbers(value.into())", "&[u32]"),
        Kind::Ctors => ("Vec<Vec<Type<'c>>>", "Ctors(value.into())", "&[Vec<Type<'c>>]"),
        Kind::Storage => ("Storage", "Text(value.word().into())", "Storage"),
        Kind::InlineHint => ("InlineHint", "Text(value.word().into())", "InlineHint"),
        Kind::OwnClosure => ("OwnClosure", "Text(value.word().into())", "OwnClosure"),
        Kind::Dictionaries => return None,
    })
}

/// The function in `src/op/attributes.rs` that reads it.
fn reader_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Unit | Kind::Dictionaries => "unreachable",
        Kind::U32 => "read_u32",
        Kind::Text => "read_text",
        Kind::Bytes => "read_bytes",
        Kind::Symbol => "read_symbol",
        Kind::Type => "read_type",
        Kind::Types => "read_types",
        Kind::Texts => "read_texts",
        Kind::Numbers => "read_numbers",
        Kind::Ctors => "read_ctors",
        Kind::Storage => "Storage::read",
        Kind::InlineHint => "InlineHint::read",
        Kind::OwnClosure => "OwnClosure::read",
    }
}

/// A name that is no keyword of Rust.
fn escaped(name: &str) -> String {
    match name {
        "type" => format!("r#{name}"),
        _ => name.into(),
    }
}
