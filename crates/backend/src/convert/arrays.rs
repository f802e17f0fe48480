//! Ops on strings and arrays. Positions have been checked.

use oxbow_abi::{
    DATA_OFFSET, HEADER_SIZE, LARGEST_CELL, LENGTH_OFFSET, ObjectKind, Shape, array_payload,
};
use oxbow_diag::ice;
use oxbow_dialect::inspect::key;
use oxbow_dialect::melior::ir::{Type, TypeLike, ValueLike};
use oxbow_dialect::op::{ArrayBlit, ArrayNew, DialectOp, Storage, View, opcode, view};
use oxbow_dialect::{OcamlType, Op, Val};

use super::Converter;
use super::alloc::{Form, Place};
use super::body::{Body, place};
use super::data::constants_of;
use super::llvm_ops::Access;
use super::shared::StoredTo;
use super::statics::Constant;

/// Array literals up to this many bytes are allocated inline.
const INLINE_ARRAY: u64 = LARGEST_CELL - HEADER_SIZE;
/// Array literals of at least this many known numbers are copied from a table.
const TEMPLATE_LENGTH: usize = 32;

impl<'c> Converter<'c> {
    /// Converts an op on strings and arrays.
    pub fn array_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        let types = self.layout.types;
        let value = match view(op) {
            View::StringConst(it) => {
                let symbol = self.static_string(it.value());
                let value = self.object_address(&symbol);
                body.constants.insert(key(it.result()), Constant::Object(symbol));
                value
            }
            View::StringLength(it) => {
                self.load(types.i64, body.get(it.string()), LENGTH_OFFSET, Access::Length)
            }
            View::ArrayLength(it) => {
                self.load(types.i64, body.get(it.array()), LENGTH_OFFSET, Access::Length)
            }
            View::StringGet(it) => {
                let data = self.offset(body.get(it.string()), DATA_OFFSET as i64);
                let address = self.indexed(data, body.get(it.index()), types.i8);
                self.load_raw(it.value().r#type(), address, 1, Access::Bytes)
            }
            View::StringSet(it) => {
                let data = self.offset(body.get(it.string()), DATA_OFFSET as i64);
                let address = self.indexed(data, body.get(it.index()), types.i8);
                return self.store_raw(body.get(it.value()), address, 1, Access::Bytes);
            }
            View::ArrayNew(it) => return self.array_new(body, it),
            View::ArrayMake(it) => {
                let (length, element) = (body.get(it.length()), body.get(it.element()));
                self.array_make(body, length, it.element().r#type(), element)
            }
            View::ArrayUninit(it) => {
                self.array_uninit(body.get(it.length()), it.array().r#type().element())
            }
            View::ArrayGet(it) => {
                let element = it.array().r#type().element();
                let address = self.element(body.get(it.array()), body.get(it.index()), element);
                self.load(element, address, 0, self.element_access(element))
            }
            View::ArraySet(it) => {
                let element = it.array().r#type().element();
                let address = self.element(body.get(it.array()), body.get(it.index()), element);
                let access = self.element_access(element);
                if it.replaces() {
                    let place = StoredTo {
                        object: Some(body.get(it.array())),
                        base: address,
                        offset: 0,
                        access,
                    };
                    let value = body.get(it.value());
                    return self.replace(body, element, value, place, |this, body| {
                        if it.suspect() {
                            this.note_store(body, it.value(), it.array());
                        }
                    });
                }
                self.store(element, body.get(it.value()), address, 0, access);
                if it.suspect() {
                    self.note_store(body, it.value(), it.array());
                }
                return;
            }
            View::ArrayBlit(it) => return self.array_blit(body, it),
            _ => ice!("{:?} is no op on arrays", opcode(op)),
        };
        body.set(op, 0, value);
    }

    fn array_blit(&mut self, body: &mut Body<'c>, blit: ArrayBlit<'c>) {
        let element = blit.source().r#type().element();
        let all = [blit.source(), blit.from(), blit.target(), blit.to(), blit.length()];
        let [source, from, target, to, length] = all.map(|it| body.get(it));
        if !self.counted_parts(element).is_empty() {
            self.runtime_call("oxbow_array_blit", &[source, from, target, to, length]);
            if blit.suspect() {
                self.note_object(body, target);
            }
            return;
        }
        let source = self.element(source, from, element);
        let target = self.element(target, to, element);
        let size = self.i64(self.layout.size_align(element).0 as i64);
        let bytes = self.binary("mul", length, size);
        let volatile = [("isVolatile", self.build.integer(self.layout.types.i1, 0))];
        self.build.op("llvm.intr.memmove", &[target, source, bytes], &[], &volatile);
    }

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
        match element.width() {
            Some(64) => Access::Word,
            Some(_) => Access::Small,
            None if element.is_float() => Access::Double,
            // Components of pairs are accessed as such only.
            None if element.pair_parts().is_some() => Access::Any,
            None => Access::Pointer,
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

    fn array_new(&mut self, body: &mut Body<'c>, new: ArrayNew<'c>) {
        let (op, old) = (new.op(), &new.elements()[..]);
        let element = new.array().r#type().element();
        let size = self.layout.size_align(element).0;
        let payload = array_payload(old.len() as u64, size);
        let shape = self.array_shape(element);
        let storage = new.storage();
        let length = old.len() as i64;
        if (storage == Storage::Static || old.is_empty())
            && let Some(constants) = constants_of(body, old)
        {
            let i64 = self.layout.types.i64;
            let mut fields = vec![(i64, Constant::Scalar(self.build.integer(i64, length)))];
            fields.extend(constants);
            let word = self.static_word(shape);
            return match old.is_empty() {
                true => self.shared_block(body, op, word, None, &fields),
                false => self.static_block(body, op, word, None, &fields),
            };
        }
        let array = if payload <= INLINE_ARRAY || storage == Storage::Stack {
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
        body.set(op, 0, array);
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
}
