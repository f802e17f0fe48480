//! Appends ops to blocks, with a current place and a current source location.
//!
//! Values and blocks are handed out with the context's lifetime: the module that owns them is
//! kept by whoever builds it until building has ended.

use std::cell::RefCell;

use melior::Context;
use melior::ir::attribute::{
    ArrayAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute,
    FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{
    Attribute, AttributeLike, BlockRef, Identifier, Location, Module, RegionLike, RegionRef, Type,
    TypeLike, Value, ValueLike,
};
use mlir_sys as sys;
use rustc_hash::FxHashMap;

use crate::{Types, inspect};

pub type Val<'c> = Value<'c, 'c>;
pub type Op<'c> = OperationRef<'c, 'c>;
pub type Block<'c> = BlockRef<'c, 'c>;

pub struct Builder<'c> {
    pub context: &'c Context,
    pub types: Types<'c>,
    pub location: Location<'c>,
    block: Option<Block<'c>>,
    parsed: RefCell<FxHashMap<String, Attribute<'c>>>,
}

impl<'c> Builder<'c> {
    pub fn new(context: &'c Context) -> Self {
        Self {
            context,
            types: Types::new(context),
            location: Location::unknown(context),
            block: None,
            parsed: RefCell::default(),
        }
    }

    /// The block that ops are appended to.
    pub fn block(&self) -> Block<'c> {
        self.block.expect("a block is current")
    }

    pub fn set_block(&mut self, block: Block<'c>) {
        self.block = Some(block);
    }

    /// A block outside any region, until [`Builder::place`] puts it there.
    pub fn new_block(&self, arguments: &[Type<'c>]) -> Block<'c> {
        let locations = vec![self.location.to_raw(); arguments.len()];
        let types: Vec<_> = arguments.iter().map(|it| it.to_raw()).collect();
        // SAFETY: there are as many locations as types. The block is nobody's until `place`.
        unsafe {
            BlockRef::from_raw(sys::mlirBlockCreate(
                types.len() as isize,
                types.as_ptr(),
                locations.as_ptr(),
            ))
        }
    }

    pub fn place(&self, block: Block<'c>, region: RegionRef<'c, 'c>) {
        // SAFETY: both are alive, and the block is new: nobody owns it but the region from here on.
        unsafe { sys::mlirRegionAppendOwnedBlock(region.to_raw(), block.to_raw()) }
    }

    /// Frees a block that was never placed and that nothing refers to.
    pub fn discard(&self, block: Block<'c>) {
        // SAFETY: the block has no owner, and the caller drops its only reference.
        unsafe { sys::mlirBlockDestroy(block.to_raw()) }
    }

    pub fn argument(&self, block: Block<'c>, index: usize) -> Val<'c> {
        inspect::argument(block, index)
    }

    /// Appends an op to the current block.
    pub fn op(
        &self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Op<'c> {
        self.op_with_successors(name, operands, results, attributes, &[])
    }

    /// The same; the value of its only result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Val<'c> {
        result_of(self.op(name, operands, &[result], attributes), 0)
    }

    pub fn op_with_successors(
        &self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        successors: &[Block<'c>],
    ) -> Op<'c> {
        let op = self.detached(name, operands, results, attributes, successors, 0);
        self.append_op(op);
        op
    }

    /// Puts a detached op at the end of the current block.
    pub fn append_op(&self, op: Op<'c>) {
        inspect::append(self.block(), op);
    }

    /// An op in no block, with `regions` empty regions.
    pub fn detached(
        &self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        successors: &[Block<'c>],
        regions: usize,
    ) -> Op<'c> {
        let operands: Vec<_> = operands.iter().map(|it| it.to_raw()).collect();
        let results: Vec<_> = results.iter().map(|it| it.to_raw()).collect();
        let successors: Vec<_> = successors.iter().map(|it| it.to_raw()).collect();
        // SAFETY: what the handles name is alive, each length is that of the list before it, and the lists live
        // until the op is made. It owns the new regions.
        unsafe {
            let attributes: Vec<_> = attributes
                .iter()
                .map(|(name, it)| {
                    sys::mlirNamedAttributeGet(
                        Identifier::new(self.context, name).to_raw(),
                        it.to_raw(),
                    )
                })
                .collect();
            let text = sys::MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
            let mut state = sys::mlirOperationStateGet(text, self.location.to_raw());
            sys::mlirOperationStateAddOperands(
                &mut state,
                operands.len() as isize,
                operands.as_ptr(),
            );
            sys::mlirOperationStateAddResults(&mut state, results.len() as isize, results.as_ptr());
            sys::mlirOperationStateAddAttributes(
                &mut state,
                attributes.len() as isize,
                attributes.as_ptr(),
            );
            sys::mlirOperationStateAddSuccessors(
                &mut state,
                successors.len() as isize,
                successors.as_ptr(),
            );
            let regions: Vec<_> = (0..regions).map(|_| sys::mlirRegionCreate()).collect();
            sys::mlirOperationStateAddOwnedRegions(
                &mut state,
                regions.len() as isize,
                regions.as_ptr(),
            );
            let op = sys::mlirOperationCreate(&mut state);
            assert!(!op.ptr.is_null(), "{name} is a valid op");
            OperationRef::from_raw(op)
        }
    }

    /// Puts a detached op before all others of a block.
    pub fn insert_first(&self, block: Block<'c>, op: Op<'c>) {
        // SAFETY: both are alive, and nobody owns the op but the block from here on.
        unsafe { sys::mlirBlockInsertOwnedOperation(block.to_raw(), 0, op.to_raw()) };
    }

    /// The block that holds a module's declarations. Handles into it, like all that a builder
    /// gives out, must not outlive the module.
    pub fn module_body(&self, module: &Module<'c>) -> Block<'c> {
        // SAFETY: a module has a body as long as it lives, and who uses the handle keeps the rule of handles (see
        // `inspect`).
        unsafe { BlockRef::from_raw(sys::mlirModuleGetBody(module.to_raw())) }
    }

    // Attributes.

    pub fn symbol(&self, name: &str) -> Attribute<'c> {
        FlatSymbolRefAttribute::new(self.context, name).into()
    }
    /// Any bytes.
    pub fn bytes(&self, bytes: &[u8]) -> Attribute<'c> {
        let text = sys::MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() };
        // SAFETY: MLIR copies the bytes, and the context owns the attribute.
        unsafe { Attribute::from_raw(sys::mlirStringAttrGet(self.context.to_raw(), text)) }
    }
    pub fn string(&self, text: &str) -> Attribute<'c> {
        StringAttribute::new(self.context, text).into()
    }
    pub fn integer(&self, ty: Type<'c>, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(ty, value).into()
    }
    pub fn i32_attr(&self, value: u32) -> Attribute<'c> {
        self.integer(self.types.i32, value.into())
    }
    pub fn float(&self, ty: Type<'c>, value: f64) -> Attribute<'c> {
        FloatAttribute::new(self.context, ty, value).into()
    }
    pub fn type_attr(&self, ty: Type<'c>) -> Attribute<'c> {
        TypeAttribute::new(ty).into()
    }
    pub fn type_list(&self, types: &[Type<'c>]) -> Attribute<'c> {
        let types: Vec<_> = types.iter().map(|&it| self.type_attr(it)).collect();
        self.list(&types)
    }
    pub fn list(&self, items: &[Attribute<'c>]) -> Attribute<'c> {
        ArrayAttribute::new(self.context, items).into()
    }
    pub fn i32_list(&self, items: &[i32]) -> Attribute<'c> {
        DenseI32ArrayAttribute::new(self.context, items).into()
    }
    pub fn i64_list(&self, items: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.context, items).into()
    }
    pub fn unit(&self) -> Attribute<'c> {
        Attribute::unit(self.context)
    }
    /// An attribute given as text, which is ours and therefore parses. Each is parsed once.
    pub fn parsed(&self, text: &str) -> Attribute<'c> {
        if let Some(&known) = self.parsed.borrow().get(text) {
            return known;
        }
        let parsed =
            Attribute::parse(self.context, text).unwrap_or_else(|| panic!("attribute {text}"));
        self.parsed.borrow_mut().insert(text.into(), parsed);
        parsed
    }
}

/// A result of an op that is known to have it.
pub fn result_of<'c>(op: Op<'c>, index: usize) -> Val<'c> {
    // SAFETY: the result is alive with its op, and who uses it keeps the rule of handles (see `inspect`).
    unsafe { Value::from_raw(op.result(index).expect("the op has this result").to_raw()) }
}

/// The only region, of an op that is known to have one.
pub fn region_of<'c>(op: Op<'c>) -> RegionRef<'c, 'c> {
    op.region(0).expect("the op has a region")
}

/// Whether a block already ends in a terminator.
pub fn is_terminated(block: Block<'_>) -> bool {
    block.terminator().is_some()
}
