//! Objects and declarations that exist from the start: strings, constants, exception
//! descriptors, runtime functions.

use oxbow_abi::{AbiType, Effects, HEADER_SIZE, Shape, string_payload};
use oxbow_diag::ice;
use oxbow_dialect::melior::dialect::llvm;
use oxbow_dialect::melior::ir::attribute::DenseElementsAttribute;
use oxbow_dialect::melior::ir::r#type::RankedTensorType;
use oxbow_dialect::melior::ir::{Attribute, Type};
use oxbow_dialect::{Kind, OcamlType, Val, region_of};

use super::Converter;
use super::llvm_ops::{Convention, TailKind, Target};

/// A value known at compile time.
#[derive(Clone, Debug)]
pub enum Constant<'c> {
    /// A number, as the `value` of a constant op.
    Scalar(Attribute<'c>),
    /// A constructor without arguments.
    Immediate(u32),
    /// A constructor held in its word.
    Word(i64),
    /// The object behind the header of this global.
    Object(String),
    Pair(Box<[Constant<'c>; 2]>),
}

/// The parts of a constant object. Its count may change, so it is no constant of LLVM's.
pub struct StaticObject<'a, 'c> {
    pub symbol: &'a str,
    pub header: u64,
    /// Symbol of a large object's descriptor.
    pub descriptor: Option<String>,
    pub fields: &'a [(Type<'c>, Constant<'c>)],
}

impl<'c> Converter<'c> {
    pub fn fresh_static(&mut self, what: &str) -> String {
        self.static_count += 1;
        format!("oxbow.{what}.{}", self.static_count - 1)
    }

    /// Makes a constant object unless it exists.
    pub fn static_object(&mut self, object: &StaticObject<'_, 'c>) {
        if !self.made.insert(object.symbol.into()) {
            return;
        }
        let block = self.build.block();
        let fields: Vec<_> = object.fields.iter().map(|it| it.0).collect();
        self.note_static(HEADER_SIZE + self.layout.fields(&fields).size);
        let mut types = vec![self.layout.types.i64];
        types.extend(object.fields.iter().map(|it| self.layout.memory(it.0)));
        // The object's address is behind one word; a large one has its descriptor in another.
        let whole = self.layout.record(&types);
        let ty = match object.descriptor {
            Some(_) => self.layout.record(&[self.layout.ptr, whole]),
            None => whole,
        };
        if object.descriptor.is_some() {
            self.large_statics.insert(object.symbol.into());
        }
        self.global_with(object.symbol, ty, false, 8, |this| {
            let header = this.i64(object.header as i64);
            let start = this.poison(whole);
            let mut value = this.insert(header, start, 0);
            for (at, (ty, constant)) in object.fields.iter().enumerate() {
                let field = this.constant_in_memory(*ty, constant);
                value = this.insert(field, value, at as i64 + 1);
            }
            match &object.descriptor {
                Some(descriptor) => {
                    let descriptor = this.address_of(descriptor);
                    let start = this.poison(ty);
                    let start = this.insert(descriptor, start, 0);
                    this.insert(value, start, 1)
                }
                None => value,
            }
        });
        self.build.set_block(block);
    }

    pub fn global_with(
        &mut self,
        symbol: &str,
        ty: Type<'c>,
        constant: bool,
        align: u64,
        init: impl FnOnce(&mut Self) -> Val<'c>,
    ) {
        let mut attributes = vec![
            ("global_type", self.build.type_attr(ty)),
            ("sym_name", self.build.string(symbol)),
            ("linkage", self.build.parsed("#llvm.linkage<internal>")),
            ("alignment", self.build.integer(self.layout.types.i64, align as i64)),
        ];
        if constant {
            attributes.push(("constant", self.build.unit()));
        }
        let global = self.append("llvm.mlir.global", &attributes, 1);
        let block = self.build.new_block(&[]);
        self.build.place(block, region_of(global));
        self.build.set_block(block);
        let value = init(self);
        self.ret(Some(value));
    }

    /// A constant table of numbers.
    pub fn constant_numbers(&mut self, symbol: &str, ty: Type<'c>, numbers: &[Attribute<'c>]) {
        let length = numbers.len() as u64;
        let shape = RankedTensorType::new(&[length], ty, None);
        let Ok(values) = DenseElementsAttribute::new(shape.into(), numbers) else {
            ice!("a table of {ty}")
        };
        let block = self.build.block();
        let attributes = [
            ("global_type", self.build.type_attr(llvm::r#type::array(ty, length as u32))),
            ("sym_name", self.build.string(symbol)),
            ("linkage", self.build.parsed("#llvm.linkage<internal>")),
            ("alignment", self.build.integer(self.layout.types.i64, 8)),
            ("constant", self.build.unit()),
            ("value", values.into()),
        ];
        self.append("llvm.mlir.global", &attributes, 1);
        self.build.set_block(block);
    }

    /// A constant as a field of a constant object.
    fn constant_in_memory(&mut self, ty: Type<'c>, constant: &Constant<'c>) -> Val<'c> {
        match constant {
            Constant::Scalar(value) if ty == self.layout.types.i1 => {
                let value =
                    oxbow_dialect::melior::ir::attribute::IntegerAttribute::try_from(*value);
                let bit = value
                    .map(|it| it.value())
                    .unwrap_or_else(|_| ice!("a truth value is an integer"));
                self.int(self.layout.types.i8, bit & 1)
            }
            Constant::Scalar(value) => {
                self.build.value("llvm.mlir.constant", &[], ty, &[("value", *value)])
            }
            Constant::Immediate(number) => self.immediate(*number),
            Constant::Word(word) => {
                let word = self.i64(*word);
                self.cast("inttoptr", word, self.layout.ptr)
            }
            Constant::Object(symbol) => self.object_address(symbol),
            Constant::Pair(parts) => {
                let Some(types) = ty.pair_parts() else { ice!("a pair of type {ty}") };
                let [first, second] =
                    [0, 1].map(|at| self.constant_in_memory(types[at], &parts[at]));
                self.pack(&[first, second])
            }
        }
    }

    /// The value of a constructor without arguments.
    pub fn immediate(&self, number: u32) -> Val<'c> {
        let word = self.i64(oxbow_abi::variant_constant(number) as i64);
        self.cast("inttoptr", word, self.layout.ptr)
    }

    /// The object in a global that starts with the header.
    pub fn object_address(&self, symbol: &str) -> Val<'c> {
        let global = self.address_of(symbol);
        let before = if self.large_statics.contains(symbol) { 8 } else { 0 };
        self.offset(global, before + HEADER_SIZE as i64)
    }

    /// A constant string; equal ones are one.
    pub fn static_string(&mut self, bytes: &[u8]) -> String {
        if let Some(symbol) = self.strings.get(bytes) {
            return symbol.clone();
        }
        let symbol = self.fresh_static("string");
        self.strings.insert(bytes.into(), symbol.clone());
        let payload = string_payload(bytes.len() as u64);
        let mut text = bytes.to_vec();
        text.resize(payload as usize - 8, 0);
        let i64 = self.layout.types.i64;
        let array = llvm::r#type::array(self.layout.types.i8, text.len() as u32);
        let ty = self.layout.record(&[i64, i64, array]);
        let block = self.build.block();
        self.note_static(HEADER_SIZE + payload);
        self.global_with(&symbol, ty, false, 8, |this| {
            let text = this.build.value(
                "llvm.mlir.constant",
                &[],
                array,
                &[("value", this.build.bytes(&text))],
            );
            let start = this.poison(ty);
            let header = this.i64(this.static_word(Shape::string()) as i64);
            let length = this.i64(bytes.len() as i64);
            let value = this.insert(header, start, 0);
            let value = this.insert(length, value, 1);
            this.insert(text, value, 2)
        });
        self.build.set_block(block);
        symbol
    }

    pub fn descriptor_symbol(exception: &str) -> String {
        super::descriptor_symbol(exception)
    }

    /// What an exception's values point to: its address is the identity, its only field the name.
    pub fn exception_descriptor(&mut self, exception: &str, name: &str) {
        let name = self.static_string(name.as_bytes());
        let ptr = self.layout.ptr;
        let block = self.build.block();
        self.global_with(&Self::descriptor_symbol(exception), ptr, true, 8, |this| {
            this.object_address(&name)
        });
        self.build.set_block(block);
    }

    /// The only value of an exception without arguments.
    pub fn static_exception(&mut self, symbol: &str, word: u64, descriptor: &str) {
        if !self.made.insert(symbol.into()) {
            return;
        }
        let block = self.build.block();
        let ty = self.layout.record(&[self.layout.types.i64, self.layout.ptr]);
        self.note_static(2 * HEADER_SIZE);
        self.global_with(symbol, ty, false, 8, |this| {
            let word = this.i64(word as i64);
            let id = this.address_of(descriptor);
            this.pack(&[word, id])
        });
        self.build.set_block(block);
    }

    /// Calls a function of the runtime, which is declared on first use.
    pub fn runtime_call(&mut self, name: &str, args: &[Val<'c>]) -> Option<Val<'c>> {
        let Some(function) = oxbow_abi::function(name) else { ice!("the runtime has no {name}") };
        if let Some(intrinsic) = intrinsic(name) {
            return Some(self.build.value(intrinsic, args, self.layout.types.f64, &[]));
        }
        let result = (function.result != AbiType::Void).then(|| self.abi_type(function.result));
        if self.made.insert(name.into()) {
            self.declare_runtime(function);
        }
        if function.effects.asks_for_site() {
            self.note_site();
        }
        self.call(Target::Symbol(name), args, result, Convention::C, TailKind::None)
    }

    /// Calls a function of C through its address, so that the program may declare one function with
    /// several types.
    pub fn foreign_call(
        &mut self,
        name: &str,
        args: &[Val<'c>],
        types: &[Type<'c>],
        result: Option<Type<'c>>,
    ) -> Option<Val<'c>> {
        let args: Vec<_> = args
            .iter()
            .zip(types)
            .map(|(&value, ty)| match ty.kind() {
                Kind::String => self.offset(value, oxbow_abi::DATA_OFFSET as i64),
                _ => value,
            })
            .collect();
        if self.made.insert(name.into()) {
            match oxbow_abi::function(name) {
                Some(function) => self.declare_runtime(function),
                None => {
                    let ty = self.layout.function(&[], self.layout.void);
                    let attributes = [
                        ("sym_name", self.build.string(name)),
                        ("function_type", self.build.type_attr(ty)),
                        ("linkage", self.build.parsed("#llvm.linkage<external>")),
                    ];
                    self.append("llvm.func", &attributes, 1);
                }
            }
        }
        let address = self.address_of(name);
        self.call(Target::Pointer(address), &args, result, Convention::C, TailKind::None)
    }

    fn declare_runtime(&mut self, function: &oxbow_abi::RuntimeFunction) {
        let params: Vec<_> = function.params.iter().map(|&it| self.abi_type(it)).collect();
        let ty = self.layout.function(&params, self.abi_type(function.result));
        let mut attributes = vec![
            ("sym_name", self.build.string(function.name)),
            ("function_type", self.build.type_attr(ty)),
            ("no_unwind", self.build.unit()),
            ("linkage", self.build.parsed("#llvm.linkage<external>")),
        ];
        let memory = |other: &str| {
            self.build.parsed(&format!(
                "#llvm.memory_effects<other = {other}, argMem = {other}, inaccessibleMem = {other}, \
                 errnoMem = {other}, targetMem0 = {other}, targetMem1 = {other}>"
            ))
        };
        match function.effects {
            Effects::Pure => attributes.push(("memory_effects", memory("none"))),
            Effects::Reads => attributes.push(("memory_effects", memory("read"))),
            Effects::Allocates
            | Effects::Makes
            | Effects::Cell
            | Effects::Writes
            | Effects::Counts
            | Effects::Fills
            | Effects::Switches => (),
            Effects::NoReturn => {
                attributes.push(("passthrough", self.build.parsed("[\"noreturn\", \"cold\"]")))
            }
        }
        if function.effects.will_return() {
            attributes.push(("will_return", self.build.unit()));
        }
        if function.effects.is_fresh() {
            attributes.push(("res_attrs", self.build.parsed("[{llvm.noalias, llvm.nonnull}]")));
        }
        self.append("llvm.func", &attributes, 1);
    }

    fn abi_type(&self, ty: AbiType) -> Type<'c> {
        match ty {
            AbiType::Void => self.layout.void,
            AbiType::I8 => self.layout.types.i8,
            AbiType::I32 => self.layout.types.i32,
            AbiType::I64 => self.layout.types.i64,
            AbiType::F64 => self.layout.types.f64,
            AbiType::Ptr => self.layout.ptr,
        }
    }
}

/// Functions of C that LLVM knows better.
fn intrinsic(name: &str) -> Option<&'static str> {
    Some(match name {
        "sqrt" => "llvm.intr.sqrt",
        "fabs" => "llvm.intr.fabs",
        "floor" => "llvm.intr.floor",
        "ceil" => "llvm.intr.ceil",
        "trunc" => "llvm.intr.trunc",
        "round" => "llvm.intr.round",
        "copysign" => "llvm.intr.copysign",
        "fma" => "llvm.intr.fma",
        _ => return None,
    })
}
