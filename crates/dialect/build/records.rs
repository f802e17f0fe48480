//! The dialect's ops as `llvm-tblgen --dump-json` describes them.
//!
//! ```text
//! def BlockGetOp : Ocaml_Op<"block.get", [ReadsImmutable, …]> {      Record { class: "BlockGet", name: "block.get",
//!   let arguments = (ins Ocaml_Block:$block, I32Attr:$ctor, …);   →    arguments: [block, ctor: U32, …],
//!   let results = (outs AnyType:$value);                               results: [value], effects: none }
//! }
//! ```
//!
//! What a record says in a way that this file does not know ends the build: nothing is skipped.

use serde_json::Value as Json;

/// An op.
pub struct Record {
    /// `BlockGet`.
    pub class: String,
    /// `block.get`, without the name of the dialect.
    pub name: String,
    pub summary: String,
    /// Operands and attributes, in the order of the record.
    pub arguments: Vec<Argument>,
    pub results: Vec<Slot>,
    pub regions: usize,
    pub is_terminator: bool,
    pub effects: Effects,
}

pub enum Argument {
    Operand(Slot),
    Attribute(Attribute),
}

/// An operand or a result.
pub struct Slot {
    pub name: String,
    pub count: Count,
    /// The field of `Types` that holds its type, where the record leaves no choice.
    pub fixed: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Count {
    One,
    Optional,
    Any,
}

pub struct Attribute {
    pub name: String,
    pub kind: Kind,
    pub presence: Presence,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Required,
    Optional,
    /// A unit attribute: it is there, or it is not.
    Flag,
}

/// What an attribute holds, as Rust sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Unit,
    U32,
    Text,
    Bytes,
    Symbol,
    Type,
    Types,
    Texts,
    Numbers,
    Ctors,
    Storage,
    InlineHint,
    OwnClosure,
    /// Attributes of arguments and results, which only upstream's interfaces look at.
    Dictionaries,
}

/// What an op does to memory.
#[derive(Clone, Copy, Default)]
pub struct Effects {
    pub reads: bool,
    pub writes: bool,
    pub allocates: bool,
    pub frees: bool,
    /// The record states nothing: the op may do anything.
    pub anything: bool,
}

/// The ops of the dialect, by name.
pub fn read(json: &Json) -> Vec<Record> {
    let all = json["!instanceof"]["Op"].as_array().expect("a list of ops");
    let ours = |it: &&str| json[*it]["opDialect"]["def"] == "Ocaml_Dialect";
    let mut names: Vec<&str> = all.iter().filter_map(Json::as_str).filter(ours).collect();
    names.sort_unstable();
    names.into_iter().map(|it| record(json, it)).collect()
}

fn record(json: &Json, name: &str) -> Record {
    let it = &json[name];
    let described = |(constraint, name)| {
        let constraint = undecorated(json, constraint);
        match is_a(constraint, "Attr") {
            true => Argument::Attribute(attribute(json, constraint, name)),
            false => Argument::Operand(slot(constraint, name)),
        }
    };
    let result = |(constraint, name)| slot(undecorated(json, constraint), name);
    let record = Record {
        class: name.strip_suffix("Op").expect("records of ops end in `Op`").into(),
        name: text(&it["opName"]).into(),
        summary: text(&it["summary"]).into(),
        effects: effects(json, it),
        is_terminator: traits(json, it).any(|it| it["!name"] == "Terminator"),
        regions: arguments(&it["regions"]).count(),
        arguments: arguments(&it["arguments"]).map(described).collect(),
        results: arguments(&it["results"]).map(result).collect(),
    };
    let operands: Vec<&Slot> = record.operands().collect();
    for slots in [operands, record.results.iter().collect()] {
        let single = slots.iter().take_while(|it| it.count == Count::One).count();
        assert!(single + 1 >= slots.len(), "{name}: only the last may be a list");
    }
    record
}

impl Record {
    pub fn operands(&self) -> impl Iterator<Item = &Slot> {
        self.arguments.iter().filter_map(|it| match it {
            Argument::Operand(slot) => Some(slot),
            Argument::Attribute(_) => None,
        })
    }

    pub fn attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.arguments.iter().filter_map(|it| match it {
            Argument::Operand(_) => None,
            Argument::Attribute(attribute) => Some(attribute),
        })
    }
}

/// The entries of `(ins …)` and `(outs …)`: the record that describes it, and its name.
fn arguments(dag: &Json) -> impl Iterator<Item = (&str, &str)> {
    let args = dag["args"].as_array().expect("a list of arguments");
    args.iter().map(|it| (text(&it[0]["def"]), text(&it[1])))
}

/// The constraint inside `Arg<…>` and `Res<…>`.
fn undecorated<'j>(json: &'j Json, name: &str) -> &'j Json {
    let it = &json[name];
    if is_a(it, "OpVariable") { &json[text(&it["constraint"]["def"])] } else { it }
}

fn slot(constraint: &Json, name: &str) -> Slot {
    let count = match (is_a(constraint, "Variadic"), is_a(constraint, "Optional")) {
        (true, _) => Count::Any,
        (_, true) => Count::Optional,
        _ => Count::One,
    };
    let fixed = match text(&constraint["!name"]) {
        "I1" => Some("i1"),
        "I32" => Some("i32"),
        "I64" => Some("i64"),
        "Ocaml_String" => Some("string"),
        "Ocaml_Exn" => Some("exn"),
        "Ocaml_Env" => Some("env"),
        "Ocaml_Region" => Some("region"),
        _ => None,
    };
    Slot { name: name.into(), count, fixed }
}

fn attribute(json: &Json, constraint: &Json, name: &str) -> Attribute {
    let mut base = constraint;
    let mut presence = Presence::Required;
    while let Some(inner) = base["baseAttr"]["def"].as_str() {
        if is_a(base, "OptionalAttr") {
            presence = Presence::Optional;
        }
        base = &json[inner];
    }
    let kind = match text(&base["!name"]) {
        "UnitAttr" => Kind::Unit,
        "I32Attr" => Kind::U32,
        "StrAttr" | "SymbolNameAttr" => Kind::Text,
        "Ocaml_BytesAttr" => Kind::Bytes,
        "FlatSymbolRefAttr" => Kind::Symbol,
        "TypeAttr" => Kind::Type,
        "TypeArrayAttr" => Kind::Types,
        "StrArrayAttr" => Kind::Texts,
        "DenseI32ArrayAttr" => Kind::Numbers,
        "DictArrayAttr" => Kind::Dictionaries,
        "Ocaml_CtorsAttr" => Kind::Ctors,
        "Ocaml_StorageAttr" => Kind::Storage,
        "Ocaml_InlineHintAttr" => Kind::InlineHint,
        "Ocaml_OwnClosureAttr" => Kind::OwnClosure,
        _ if is_a(base, "TypeAttrOf") || is_a(base, "TypeAttrBase") => Kind::Type,
        other => panic!("the attribute {name} is a {other}, which has no type in Rust"),
    };
    let presence = if kind == Kind::Unit { Presence::Flag } else { presence };
    Attribute { name: name.into(), kind, presence }
}

/// From the traits of the op and the decorations of its operands and results.
fn effects(json: &Json, op: &Json) -> Effects {
    let mut found = Effects::default();
    let mut stated = false;
    for it in traits(json, op) {
        if it["!name"] == "Pure" {
            stated = true;
        } else if is_a(it, "MemoryEffects") {
            stated = true;
            note(json, &it["effects"], &mut found);
        }
    }
    for (constraint, _) in arguments(&op["arguments"]).chain(arguments(&op["results"])) {
        if is_a(&json[constraint], "OpVariable") {
            stated = true;
            note(json, &json[constraint]["decorators"], &mut found);
        }
    }
    found.anything = !stated;
    found
}

fn note(json: &Json, effects: &Json, found: &mut Effects) {
    for it in effects.as_array().into_iter().flatten() {
        let it = &json[text(&it["def"])];
        let is = |name: &str| is_a(it, name) || it["!name"] == name;
        found.reads |= is("MemRead");
        found.writes |= is("MemWrite");
        found.allocates |= is("MemAlloc");
        found.frees |= is("MemFree");
    }
}

fn traits<'j>(json: &'j Json, op: &'j Json) -> impl Iterator<Item = &'j Json> {
    op["traits"].as_array().into_iter().flatten().map(|it| &json[text(&it["def"])])
}

fn is_a(record: &Json, class: &str) -> bool {
    record["!superclasses"].as_array().into_iter().flatten().any(|it| it == class)
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_else(|| panic!("a text, not {json}"))
}
