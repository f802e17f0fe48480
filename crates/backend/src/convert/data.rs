//! Ops on objects: blocks, strings, arrays, exceptions.

use oxbow_abi::{
    DATA_OFFSET, EXCEPTION_FIELDS_OFFSET, EXCEPTION_ID_OFFSET, HEADER_SIZE, LARGEST_CELL,
    LENGTH_OFFSET, ObjectKind, Shape, TAG_OFFSET, array_payload,
};
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::attribute::IntegerAttribute;
use oxbow_dialect::melior::ir::r#type::IntegerType;
use oxbow_dialect::melior::ir::{Type, TypeLike, ValueLike};
use oxbow_dialect::{Kind, OcamlType, Op, Predicate, Val, result_of};

use super::Converter;
use super::alloc::{Form, Place};
use super::body::{Body, place};
use super::llvm_ops::Access;
use super::statics::Constant;
use super::{attr, bytes_attr, int_attr, string_attr, symbol_attr};
use oxbow_dialect::inspect::{key, operands};

/// The low byte of a mark in a variant: see `ocaml.word.of_mark`.
const MARK: i64 = 0xf1;
/// Array literals up to this many bytes are allocated inline.
const INLINE_ARRAY: u64 = LARGEST_CELL - HEADER_SIZE;
/// Array literals of at least this many known numbers are copied from a table.
const TEMPLATE_LENGTH: usize = 32;

impl<'c> Converter<'c> {
    /// Converts an op on data; false if it is none.
    pub fn data_op(&mut self, body: &mut Body<'c>, op: Op<'c>, name: &str) -> bool {
        let old = operands(op);
        let arg = |at: usize| body.get(old[at]);
        let types = self.layout.types;
        let value = match name {
            "pair.new" => {
                let parts = [0, 1].map(|at| body.constants.get(&key(old[at])).cloned());
                if let [Some(first), Some(second)] = parts {
                    body.constants
                        .insert(key(result_of(op, 0)), Constant::Pair(Box::new([first, second])));
                }
                self.pack(&[body.get(old[0]), body.get(old[1])])
            }
            "pair.get" => {
                let ty = self.layout.value(result_of(op, 0).r#type());
                self.extract(arg(0), int_attr(op, "index"), ty)
            }
            "block.new" => return self.block_new(body, op, &old),
            "block.get" => self.field(body, op, old[0], Access::Immutable),
            "block.load" => self.field(body, op, old[0], Access::Mutable),
            "block.store" => {
                let (ty, offset) = self.field_place(op, old[1].r#type());
                self.store(ty, arg(0), arg(1), offset, Access::Mutable);
                if attr(op, "acyclic").is_none() {
                    self.note_store(body, old[0], old[1], Some(int_attr(op, "ctor")));
                }
                return true;
            }
            "ctor" => {
                let number = int_attr(op, "value") as u32;
                body.constants.insert(key(result_of(op, 0)), Constant::Immediate(number));
                self.immediate(number)
            }
            "is_immediate" => {
                let word = self.cast("ptrtoint", arg(0), types.i64);
                self.cast("trunc", word, types.i1)
            }
            "immediate" => {
                let word = self.cast("ptrtoint", arg(0), types.i64);
                let number = self.binary("lshr", word, self.i64(1));
                self.cast("trunc", number, types.i32)
            }
            // An int in a variant has the lowest two bits 11: see `ocaml.word.of_int`.
            "word.is_int" => {
                let word = self.cast("ptrtoint", arg(0), types.i64);
                let low = self.binary("and", word, self.i64(3));
                self.icmp(Predicate::Eq, low, self.i64(3))
            }
            "word.to_int" => {
                let word = self.cast("ptrtoint", arg(0), types.i64);
                self.binary("ashr", word, self.i64(2))
            }
            "word.of_int" => {
                let shifted = self.binary("shl", arg(0), self.i64(2));
                let word = self.binary("or", shifted, self.i64(3));
                self.cast("inttoptr", word, self.layout.ptr)
            }
            "word.wrap" => {
                if let Some(Constant::Scalar(value)) = body.constants.get(&key(old[0])) {
                    let number = IntegerAttribute::try_from(*value)
                        .unwrap_or_else(|_| ice!("a word is an integer"));
                    let word = Constant::Word(number.value() | 1);
                    body.constants.insert(key(result_of(op, 0)), word);
                }
                let word = self.binary("or", body.get(old[0]), self.i64(1));
                self.cast("inttoptr", word, self.layout.ptr)
            }
            "word.unwrap" => {
                let word = self.cast("ptrtoint", arg(0), types.i64);
                self.binary("and", word, self.i64(-2))
            }
            // The low byte of a mark is one that no constant constructor has.
            "word.is_mark" => {
                let word = self.cast("ptrtoint", arg(0), types.i64);
                let low = self.binary("and", word, self.i64(0xff));
                self.icmp(Predicate::Eq, low, self.i64(MARK))
            }
            "word.to_mark" => {
                let word = self.cast("ptrtoint", arg(0), types.i64);
                self.binary("ashr", word, self.i64(8))
            }
            "word.of_mark" => {
                let shifted = self.binary("shl", arg(0), self.i64(8));
                let word = self.binary("or", shifted, self.i64(MARK));
                self.cast("inttoptr", word, self.layout.ptr)
            }
            "word.add" | "word.add_fits" | "word.sub" | "word.sub_fits" | "word.mul"
            | "word.mul_fits" => {
                let name = name.trim_start_matches("word.");
                self.word_arithmetic(name, arg(0), arg(1))
            }
            "word.less" => {
                let [a, b] = [0, 1].map(|it| self.cast("ptrtoint", arg(it), types.i64));
                self.icmp(Predicate::Slt, a, b)
            }
            "block.tag" => {
                let address = self.offset(arg(0), TAG_OFFSET);
                let tag = self.load_raw(types.i8, address, 4, Access::Header);
                self.cast("zext", tag, types.i32)
            }
            "phys_eq" => self.same(old[0].r#type(), arg(0), arg(1)),
            "string.const" => {
                let symbol = self.static_string(bytes_attr(op, "value"));
                let value = self.object_address(&symbol);
                body.constants.insert(key(result_of(op, 0)), Constant::Object(symbol));
                value
            }
            "string.length" | "array.length" => {
                self.load(types.i64, arg(0), LENGTH_OFFSET, Access::Length)
            }
            "string.get" => {
                let data = self.offset(arg(0), DATA_OFFSET as i64);
                let address = self.indexed(data, arg(1), types.i8);
                self.load_raw(result_of(op, 0).r#type(), address, 1, Access::Bytes)
            }
            "string.set" => {
                let data = self.offset(arg(1), DATA_OFFSET as i64);
                let address = self.indexed(data, arg(2), types.i8);
                self.store_raw(arg(0), address, 1, Access::Bytes);
                return true;
            }
            "native.load" => {
                let address = self.cast("inttoptr", arg(0), self.layout.ptr);
                self.load_raw(result_of(op, 0).r#type(), address, 1, Access::Any)
            }
            "native.store" => {
                let address = self.cast("inttoptr", arg(1), self.layout.ptr);
                self.store_raw(arg(0), address, 1, Access::Any);
                return true;
            }
            "array.new" => return self.array_new(body, op, &old),
            "array.make" => {
                let element = old[1].r#type();
                let (length, value) = (arg(0), arg(1));
                self.array_make(body, length, element, value)
            }
            "array.uninit" => {
                let element = result_of(op, 0).r#type().element();
                let length = arg(0);
                self.array_uninit(length, element)
            }
            "array.get" => {
                let element = old[0].r#type().element();
                let address = self.element(arg(0), arg(1), element);
                self.load(element, address, 0, self.element_access(element))
            }
            "array.set" => {
                let element = old[1].r#type().element();
                let address = self.element(arg(1), arg(2), element);
                self.store(element, arg(0), address, 0, self.element_access(element));
                self.note_store(body, old[0], old[1], None);
                return true;
            }
            "array.blit" => {
                let element = old[0].r#type().element();
                if !self.counted_parts(element).is_empty() {
                    let args = [0, 1, 2, 3, 4].map(arg);
                    self.runtime_call("oxbow_array_blit", &args);
                    self.note_blit(body, old[2]);
                    return true;
                }
                let source = self.element(arg(0), arg(1), element);
                let target = self.element(arg(2), arg(3), element);
                let size = self.i64(self.layout.size_align(element).0 as i64);
                let bytes = self.binary("mul", arg(4), size);
                let volatile = [("isVolatile", self.build.integer(types.i1, 0))];
                self.build.op("llvm.intr.memmove", &[target, source, bytes], &[], &volatile);
                return true;
            }
            "exn.new" => return self.exn_new(body, op, &old),
            "exn.is" => {
                let id = self.load_raw(self.layout.ptr, arg(0), 8, Access::Immutable);
                let descriptor =
                    self.address_of(&Self::descriptor_symbol(symbol_attr(op, "exception")));
                self.icmp(Predicate::Eq, id, descriptor)
            }
            "exn.get" => {
                let fields = self.exceptions[symbol_attr(op, "exception")].clone();
                let index = int_attr(op, "index") as usize;
                let offset =
                    self.layout.fields_from(EXCEPTION_FIELDS_OFFSET, &fields).offsets[index];
                self.load(fields[index], arg(0), offset, Access::Immutable)
            }
            "exn.name" => {
                let id = self.load_raw(self.layout.ptr, arg(0), 8, Access::Immutable);
                self.load_raw(self.layout.ptr, id, 8, Access::Immutable)
            }
            "exn.raised" => self.icmp(Predicate::Ne, arg(0), self.null()),
            "opaque" => {
                let value = arg(0);
                self.opaque(old[0].r#type(), value)
            }
            _ => return false,
        };
        self.set_result(body, op, value);
        true
    }

    /// Integers in place of constructors are `4n + 3`, so the result has 62 bits if the word does not overflow.
    /// The result and the test for it come from the same instruction.
    fn word_arithmetic(&self, name: &str, left: Val<'c>, right: Val<'c>) -> Val<'c> {
        let types = self.layout.types;
        let [left, right] = [left, right].map(|it| self.cast("ptrtoint", it, types.i64));
        let (operation, fits) = match name.strip_suffix("_fits") {
            Some(operation) => (operation, true),
            None => (name, false),
        };
        let three = self.i64(3);
        let [left, right] = if operation == "mul" {
            [self.binary("sub", left, three), self.binary("ashr", right, self.i64(2))]
        } else {
            [left, self.binary("sub", right, three)]
        };
        let both = self.layout.record(&[types.i64, types.i1]);
        let intrinsic = format!("llvm.intr.s{operation}.with.overflow");
        let found = self.build.value(&intrinsic, &[left, right], both, &[]);
        if fits {
            let overflow = self.extract(found, 1, types.i1);
            let yes = self.build.value(
                "llvm.mlir.constant",
                &[],
                types.i1,
                &[("value", self.build.integer(types.i1, 1))],
            );
            return self.binary("xor", overflow, yes);
        }
        let word = self.extract(found, 0, types.i64);
        let word = if operation == "mul" { self.binary("or", word, three) } else { word };
        self.cast("inttoptr", word, self.layout.ptr)
    }

    // Blocks.

    pub fn fields_of(&self, block: Type<'c>, ctor: usize) -> Vec<Type<'c>> {
        match block.kind() {
            Kind::Tuple => block.elements(),
            Kind::Data => self.datas[block.data_name()][ctor].clone(),
            other => ice!("{other:?} has no fields"),
        }
    }

    fn field_place(&self, op: Op<'c>, block: Type<'c>) -> (Type<'c>, u64) {
        let types = self.fields_of(block, int_attr(op, "ctor") as usize);
        let index = int_attr(op, "index") as usize;
        (types[index], self.layout.fields(&types).offsets[index])
    }

    fn field(&mut self, body: &Body<'c>, op: Op<'c>, block: Val<'c>, access: Access) -> Val<'c> {
        let (ty, offset) = self.field_place(op, block.r#type());
        self.load(ty, body.get(block), offset, access)
    }

    fn block_new(&mut self, body: &mut Body<'c>, op: Op<'c>, old: &[Val<'c>]) -> bool {
        let ty = result_of(op, 0).r#type();
        let ctor = int_attr(op, "ctor") as u32;
        let types: Vec<_> = old.iter().map(|it| it.r#type()).collect();
        let form = self.block_form(ty, ctor, &types);
        let storage = string_attr(op, "storage");
        if storage == "static"
            && let Some(constants) = constants_of(body, old)
        {
            let descriptor = form.is_large().then(|| self.descriptor(&form));
            self.shared_block(body, op, form.shape.static_header(), descriptor, &constants);
            return true;
        }
        let place = match attr(op, "borrows") {
            Some(_) => Place::Borrowing,
            None => place(storage),
        };
        self.use_token(body, op);
        let object = self.object(body, &form, place);
        for ((&ty, &value), &offset) in types.iter().zip(old).zip(&form.offsets) {
            self.store(ty, body.get(value), object, offset, Access::Field);
        }
        self.set_result(body, op, object);
        true
    }

    /// The form of a block of this type and constructor.
    pub fn block_form(&self, ty: Type<'c>, ctor: u32, fields: &[Type<'c>]) -> Form {
        let kind = match ty.kind() {
            Kind::Data if self.datas[ty.data_name()].len() > 1 => ObjectKind::Variant,
            _ => ObjectKind::Tuple,
        };
        self.form(kind, ctor, 0, fields)
    }

    // Arrays.

    /// The shape of arrays of these elements.
    fn array_shape(&self, element: Type<'c>) -> Shape {
        let parts = self.counted_parts(element);
        let pointers = parts.iter().fold(0, |bits, it| bits | 1 << (it.1 / 8));
        let kind = match element.pair_parts() {
            _ if parts.is_empty() => ObjectKind::ScalarArray,
            Some(_) => ObjectKind::StructArray,
            None => ObjectKind::PointerArray,
        };
        Shape::array(kind, self.layout.size_align(element).0, pointers)
    }

    fn element_access(&self, element: Type<'c>) -> Access {
        match IntegerType::try_from(element) {
            Ok(int) if int.width() == 64 => Access::Word,
            Ok(_) => Access::Small,
            Err(_) if element.is_float() => Access::Double,
            // Components of pairs are accessed as such only.
            Err(_) if element.pair_parts().is_some() => Access::Any,
            Err(_) => Access::Pointer,
        }
    }

    fn element(&mut self, array: Val<'c>, index: Val<'c>, element: Type<'c>) -> Val<'c> {
        let data = self.offset(array, DATA_OFFSET as i64);
        let memory = self.layout.memory(element);
        if self.layout.size_align(element).0 == 8 {
            // In bytes: what makes a plain index of an `int` and the scale of the address are then one shift, and loops
            // over computed indices are seen to go from item to item.
            let bytes = self.binary("shl", index, self.i64(3));
            return self.indexed(data, bytes, self.layout.types.i8);
        }
        self.indexed(data, index, memory)
    }

    fn array_new(&mut self, body: &mut Body<'c>, op: Op<'c>, old: &[Val<'c>]) -> bool {
        let element = result_of(op, 0).r#type().element();
        let size = self.layout.size_align(element).0;
        let payload = array_payload(old.len() as u64, size);
        let shape = self.array_shape(element);
        let storage = string_attr(op, "storage");
        let length = old.len() as i64;
        if (storage == "static" || old.is_empty())
            && let Some(constants) = constants_of(body, old)
        {
            let i64 = self.layout.types.i64;
            let mut fields = vec![(i64, Constant::Scalar(self.build.integer(i64, length)))];
            fields.extend(constants);
            if old.is_empty() {
                self.shared_block(body, op, shape.static_header(), None, &fields);
            } else {
                self.static_block(body, op, shape.static_header(), None, &fields);
            }
            return true;
        }
        let array = if payload <= INLINE_ARRAY || storage == "stack" {
            let array = self.array_object(body, shape, payload, place(storage));
            let length = self.i64(length);
            self.store_raw(length, array, 8, Access::Length);
            array
        } else {
            let length = self.i64(length);
            self.array_uninit(length, element)
        };
        match self.array_template(body, element, old) {
            Some(template) => {
                let target = self.offset(array, DATA_OFFSET as i64);
                let source = self.address_of(&template);
                let bytes = self.i64(length * size as i64);
                let volatile = [("isVolatile", self.build.integer(self.layout.types.i1, 0))];
                self.build.op("llvm.intr.memcpy", &[target, source, bytes], &[], &volatile);
            }
            None => {
                let access = self.element_access(element);
                for (at, &value) in old.iter().enumerate() {
                    let offset = DATA_OFFSET + at as u64 * size;
                    self.store(element, body.get(value), array, offset, access);
                }
            }
        }
        self.set_result(body, op, array);
        true
    }

    /// For a long literal of numbers that are all known: a constant to copy its elements from.
    /// LLVM would take minutes over a hundred thousand stores.
    fn array_template(
        &mut self,
        body: &Body<'c>,
        element: Type<'c>,
        items: &[Val<'c>],
    ) -> Option<String> {
        let is_number = element.is_float() || element == self.layout.types.i64;
        if items.len() < TEMPLATE_LENGTH || !is_number {
            return None;
        }
        let numbers: Vec<_> = constants_of(body, items)?
            .into_iter()
            .map(|it| if let Constant::Scalar(number) = it.1 { Some(number) } else { None })
            .collect::<Option<_>>()?;
        let symbol = self.fresh_static("elements");
        self.constant_numbers(&symbol, element, &numbers);
        Some(symbol)
    }

    /// An array of so many bytes in a cell or frame, without its length.
    fn array_object(
        &mut self,
        body: &Body<'c>,
        shape: Shape,
        payload: u64,
        place: Place,
    ) -> Val<'c> {
        let form = Form { shape, payload, offsets: Vec::new(), bits: Vec::new() };
        self.object(body, &form, place)
    }

    fn array_uninit(&mut self, length: Val<'c>, element: Type<'c>) -> Val<'c> {
        let header = self.i64(self.array_shape(element).header() as i64);
        self.runtime_call("oxbow_array_uninit", &[length, header]).expect("it has a result")
    }

    fn array_make(
        &mut self,
        body: &Body<'c>,
        length: Val<'c>,
        element: Type<'c>,
        value: Val<'c>,
    ) -> Val<'c> {
        let types = self.layout.types;
        let (name, value) = match element {
            it if it.pair_parts().is_some() => {
                let (size, align) = self.layout.size_align(element);
                let slot = self.frame(body, size, align);
                self.store(element, value, slot, 0, Access::Any);
                let header = self.i64(self.array_shape(element).header() as i64);
                let array = self.runtime_call("oxbow_array_make_struct", &[length, slot, header]);
                return array.expect("it has a result");
            }
            it if it == types.i1 => ("oxbow_array_make_i8", self.cast("zext", value, types.i8)),
            it if it == types.i8 => ("oxbow_array_make_i8", value),
            it if it == types.i32 => ("oxbow_array_make_i32", value),
            it if it == types.f32 => {
                ("oxbow_array_make_i32", self.cast("bitcast", value, types.i32))
            }
            it if it == types.i64 => ("oxbow_array_make_i64", value),
            it if it == types.f64 => ("oxbow_array_make_f64", value),
            _ => ("oxbow_array_make_ptr", value),
        };
        self.runtime_call(name, &[length, value]).expect("it has a result")
    }

    // Exceptions.

    fn exn_new(&mut self, body: &mut Body<'c>, op: Op<'c>, old: &[Val<'c>]) -> bool {
        let exception = symbol_attr(op, "exception");
        let descriptor = Self::descriptor_symbol(exception);
        let types: Vec<_> = old.iter().map(|it| it.r#type()).collect();
        let form = self.form(ObjectKind::Exception, 0, EXCEPTION_FIELDS_OFFSET, &types);
        if old.is_empty() {
            let symbol = format!("{descriptor}.value");
            let word = form.shape.static_header();
            self.static_exception(&symbol, word, &descriptor);
            let value = self.object_address(&symbol);
            body.constants.insert(key(result_of(op, 0)), Constant::Object(symbol));
            self.set_result(body, op, value);
            return true;
        }
        let object = self.object(body, &form, place(string_attr(op, "storage")));
        let id = self.address_of(&descriptor);
        let id_address = self.offset(object, EXCEPTION_ID_OFFSET as i64);
        self.store_raw(id, id_address, 8, Access::Field);
        for ((&ty, &value), &offset) in types.iter().zip(old).zip(&form.offsets) {
            self.store(ty, body.get(value), object, offset, Access::Field);
        }
        self.set_result(body, op, object);
        true
    }

    /// Hides a value from the optimiser.
    fn opaque(&mut self, ty: Type<'c>, value: Val<'c>) -> Val<'c> {
        if let Some(parts) = ty.pair_parts() {
            let parts = [0, 1].map(|at| {
                let part = self.extract(value, at as i64, self.layout.value(parts[at]));
                self.opaque(parts[at], part)
            });
            return self.pack(&parts);
        }
        if ty == self.layout.types.i1 {
            let wide = self.cast("zext", value, self.layout.types.i64);
            let hidden = self.opaque(self.layout.types.i64, wide);
            return self.cast("trunc", hidden, ty);
        }
        let constraints = if ty.is_float() { "=x,0" } else { "=r,0" };
        let attributes = [
            ("asm_string", self.build.string("")),
            ("constraints", self.build.string(constraints)),
            ("has_side_effects", self.build.unit()),
        ];
        self.build.value("llvm.inline_asm", &[value], self.layout.value(ty), &attributes)
    }
}

/// The operands with their types, if all are constants.
fn constants_of<'c>(body: &Body<'c>, values: &[Val<'c>]) -> Option<Vec<(Type<'c>, Constant<'c>)>> {
    values
        .iter()
        .map(|it| body.constants.get(&key(*it)).map(|constant| (it.r#type(), constant.clone())))
        .collect()
}
