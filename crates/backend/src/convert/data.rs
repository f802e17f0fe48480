//! Ops on objects: pairs, blocks, exceptions.

use oxbow_abi::{EXCEPTION_FIELDS_OFFSET, EXCEPTION_ID_OFFSET, ObjectKind, TAG_OFFSET};
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Type, TypeLike, ValueLike};
use oxbow_dialect::op::{BlockNew, DialectOp, ExnNew, Storage, View, opcode, view};
use oxbow_dialect::{Kind, OcamlType, Op, Predicate, Val};

use super::Converter;
use super::alloc::{Form, Place};
use super::body::{Body, place, types_of};
use super::llvm_ops::Access;
use super::shared::StoredTo;
use super::statics::Constant;
use oxbow_dialect::inspect::key;

impl<'c> Converter<'c> {
    /// Converts an op on pairs, blocks and single values.
    pub fn data_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        let types = self.layout.types;
        let value = match view(op) {
            View::PairNew(it) => {
                let parts = [it.first(), it.second()];
                if let [Some(first), Some(second)] =
                    parts.map(|it| body.constants.get(&key(it)).cloned())
                {
                    let pair = Constant::Pair(Box::new([first, second]));
                    body.constants.insert(key(it.pair()), pair);
                }
                self.pack(&parts.map(|it| body.get(it)))
            }
            View::PairGet(it) => {
                let ty = self.layout.value(it.value().r#type());
                self.extract(body.get(it.pair()), it.index().into(), ty)
            }
            View::BlockNew(it) => return self.block_new(body, it),
            View::BlockGet(it) => {
                let (ty, offset) = self.field_place(it.block(), it.ctor(), it.index());
                self.load(ty, body.get(it.block()), offset, Access::Immutable)
            }
            View::BlockLoad(it) => {
                let (ty, offset) = self.field_place(it.block(), it.ctor(), it.index());
                self.load(ty, body.get(it.block()), offset, Access::Mutable)
            }
            View::BlockStore(it) => {
                let (ty, offset) = self.field_place(it.block(), it.ctor(), it.index());
                let (value, block) = (body.get(it.value()), body.get(it.block()));
                if it.replaces() {
                    let access = Access::Mutable;
                    let place = StoredTo { object: Some(block), base: block, offset, access };
                    return self.replace(body, ty, value, place, |this, body| {
                        if it.suspect() {
                            this.note_store(body, it.value(), it.block());
                        }
                    });
                }
                self.store(ty, value, block, offset, Access::Mutable);
                if it.suspect() {
                    self.note_store(body, it.value(), it.block());
                }
                return;
            }
            View::BlockTag(it) => {
                let address = self.offset(body.get(it.value()), TAG_OFFSET);
                let tag = self.load_raw(types.i8, address, 4, Access::Header);
                self.cast("zext", tag, types.i32)
            }
            View::Ctor(it) => {
                let number = it.value();
                body.constants.insert(key(it.result()), Constant::Immediate(number));
                self.immediate(number)
            }
            View::IsImmediate(it) => {
                let word = self.word_of(body, it.value());
                self.cast("trunc", word, types.i1)
            }
            View::Immediate(it) => {
                let word = self.word_of(body, it.value());
                let number = self.binary("lshr", word, self.i64(1));
                self.cast("trunc", number, types.i32)
            }
            View::PhysEq(it) => {
                self.same(it.lhs().r#type(), body.get(it.lhs()), body.get(it.rhs()))
            }
            View::Opaque(it) => self.opaque(it.value().r#type(), body.get(it.value())),
            View::NativeLoad(it) => {
                let address = self.cast("inttoptr", body.get(it.address()), self.layout.ptr);
                self.load_raw(it.value().r#type(), address, 1, Access::Any)
            }
            View::NativeStore(it) => {
                let address = self.cast("inttoptr", body.get(it.address()), self.layout.ptr);
                return self.store_raw(body.get(it.value()), address, 1, Access::Any);
            }
            _ => ice!("{:?} is no op on data", opcode(op)),
        };
        body.set(op, 0, value);
    }

    /// The word of a value of a variant type.
    pub fn word_of(&self, body: &Body<'c>, value: Val<'c>) -> Val<'c> {
        self.cast("ptrtoint", body.get(value), self.layout.types.i64)
    }

    /// Converts an op on exceptions.
    pub fn exn_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        let ptr = self.layout.ptr;
        let value = match view(op) {
            View::ExnNew(it) => return self.exn_new(body, it),
            View::ExnIs(it) => {
                let id = self.load_raw(ptr, body.get(it.exn()), 8, Access::Immutable);
                let descriptor = self.address_of(&Self::descriptor_symbol(it.exception()));
                self.icmp(Predicate::Eq, id, descriptor)
            }
            View::ExnGet(it) => {
                let fields = self.exceptions[it.exception()].clone();
                let index = it.index() as usize;
                let offset =
                    self.layout.fields_from(EXCEPTION_FIELDS_OFFSET, &fields).offsets[index];
                self.load(fields[index], body.get(it.exn()), offset, Access::Immutable)
            }
            View::ExnName(it) => {
                let id = self.load_raw(ptr, body.get(it.exn()), 8, Access::Immutable);
                self.load_raw(ptr, id, 8, Access::Immutable)
            }
            View::ExnRaised(it) => self.icmp(Predicate::Ne, body.get(it.exn()), self.null()),
            View::ExnNone(_) => self.null(),
            _ => ice!("{:?} is no op on exceptions", opcode(op)),
        };
        body.set(op, 0, value);
    }

    // Blocks.

    pub fn fields_of(&self, block: Type<'c>, ctor: usize) -> Vec<Type<'c>> {
        match block.kind() {
            Kind::Tuple => block.elements(),
            Kind::Data => self.datas[block.data_name()][ctor].clone(),
            other => ice!("{other:?} has no fields"),
        }
    }

    fn field_place(&self, block: Val<'c>, ctor: u32, index: u32) -> (Type<'c>, u64) {
        let types = self.fields_of(block.r#type(), ctor as usize);
        let index = index as usize;
        (types[index], self.layout.fields(&types).offsets[index])
    }

    fn block_new(&mut self, body: &mut Body<'c>, new: BlockNew<'c>) {
        let (op, old) = (new.op(), &new.fields()[..]);
        let types = types_of(old);
        let form = self.block_form(new.block().r#type(), new.ctor(), &types);
        if new.storage() == Storage::Static
            && let Some(constants) = constants_of(body, old)
        {
            let descriptor = form.is_large().then(|| self.descriptor(&form));
            let word = self.static_word(form.shape);
            return self.shared_block(body, op, word, descriptor, &constants);
        }
        let place = match new.borrows() {
            true => Place::Borrowing,
            false => place(new.storage()),
        };
        self.use_token(body, op);
        let object = self.object(body, &form, place);
        for ((&ty, &value), &offset) in types.iter().zip(old).zip(&form.offsets) {
            self.store(ty, body.get(value), object, offset, Access::Field);
        }
        body.set(op, 0, object);
    }

    /// The form of a block of this type and constructor.
    pub fn block_form(&self, ty: Type<'c>, ctor: u32, fields: &[Type<'c>]) -> Form {
        let kind = match ty.kind() {
            Kind::Data if self.datas[ty.data_name()].len() > 1 => ObjectKind::Variant,
            _ => ObjectKind::Tuple,
        };
        self.form(kind, ctor, 0, fields)
    }

    // Exceptions.

    fn exn_new(&mut self, body: &mut Body<'c>, new: ExnNew<'c>) {
        let (op, old) = (new.op(), &new.fields()[..]);
        let descriptor = Self::descriptor_symbol(new.exception());
        let types = types_of(old);
        let form = self.form(ObjectKind::Exception, 0, EXCEPTION_FIELDS_OFFSET, &types);
        if old.is_empty() {
            let symbol = format!("{descriptor}.value");
            let word = self.static_word(form.shape);
            self.static_exception(&symbol, word, &descriptor);
            let value = self.object_address(&symbol);
            body.constants.insert(key(new.exn()), Constant::Object(symbol));
            return body.set(op, 0, value);
        }
        let object = self.object(body, &form, place(new.storage()));
        let id = self.address_of(&descriptor);
        let id_address = self.offset(object, EXCEPTION_ID_OFFSET as i64);
        self.store_raw(id, id_address, 8, Access::Field);
        for ((&ty, &value), &offset) in types.iter().zip(old).zip(&form.offsets) {
            self.store(ty, body.get(value), object, offset, Access::Field);
        }
        body.set(op, 0, object);
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
pub fn constants_of<'c>(
    body: &Body<'c>,
    values: &[Val<'c>],
) -> Option<Vec<(Type<'c>, Constant<'c>)>> {
    values
        .iter()
        .map(|it| body.constants.get(&key(*it)).map(|constant| (it.r#type(), constant.clone())))
        .collect()
}
