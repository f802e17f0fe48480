//! The dialect's ops as Rust types, generated from the TableGen records.
//!
//! ```text
//! match view(op) {
//!     View::BlockGet(it) => (it.block(), it.ctor(), it.index()),
//!     View::Call(it) => …, it.callee(), it.args()
//!     View::Upstream(Upstream::Br, op) => …
//! }
//! Call::cast(op)                                  is it a call?
//! build.append(&Dup::draft(value))                a new op
//! opcode(op).effects().reads_only()               what its record states
//! ```
//!
//! Handles have the context's lifetime, as those of [`crate::Builder`].

mod attributes;
mod draft;
mod upstream;

pub use attributes::{InlineHint, OwnClosure, Storage};
pub use draft::Draft;
pub use upstream::{
    Upstream, comparison, constant_value, integer_constant, set_memory_effects, switch_cases,
};

use std::cell::RefCell;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::FunctionType;
use melior::ir::{Type, ValueLike};
use mlir_sys as sys;
use rustc_hash::FxHashMap;

use crate::builder::{Op, Val, result_of};
use crate::inspect::{attr, definition, name_of, operands, parent, remove_attr, set_operand};
use attributes::{
    AttrValue, owned_texts, read_bytes, read_ctors, read_numbers, read_symbol, read_text,
    read_texts, read_type, read_types, read_u32, required, set, set_flag,
};
use draft::ResultType;

include!(concat!(env!("OUT_DIR"), "/ops.rs"));

/// What an op does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects {
    pub reads: bool,
    pub writes: bool,
    pub allocates: bool,
    pub frees: bool,
    /// Nothing is known of it: a call.
    pub anything: bool,
}

impl Effects {
    pub const NONE: Self =
        Self { reads: false, writes: false, allocates: false, frees: false, anything: false };
    pub const ANYTHING: Self = Self { anything: true, ..Self::NONE };

    /// Does it leave all memory as it is?
    pub const fn reads_only(self) -> bool {
        !self.writes && !self.allocates && !self.frees && !self.anything
    }
}

/// A handle to an op of one kind.
pub trait DialectOp<'c>: Copy {
    const NAME: &'static str;
    const OPCODE: Opcode;

    /// A handle to an op that is known to be of this kind.
    fn wrap(op: Op<'c>) -> Self;
    fn op(self) -> Op<'c>;

    /// A handle to an op that must be of this kind.
    fn of(op: Op<'c>) -> Self {
        assert_eq!(opcode(op), Self::OPCODE, "an op is what the caller takes it for");
        Self::wrap(op)
    }

    /// A handle to an op, if it is of this kind.
    fn cast(op: Op<'c>) -> Option<Self> {
        (opcode(op) == Self::OPCODE).then(|| Self::wrap(op))
    }

    /// The op that makes a value, if it is of this kind.
    fn defining(value: Val<'c>) -> Option<Self> {
        definition(value).and_then(Self::cast)
    }
}

thread_local! {
    /// What each registered kind of op is, by MLIR's number for it, which is the same in all contexts.
    static OPCODES: RefCell<FxHashMap<usize, Opcode>> = RefCell::default();
}

/// Which op it is.
pub fn opcode(op: Op<'_>) -> Opcode {
    // SAFETY: the op is alive; the number is not looked behind, and kinds of ops are never unregistered.
    let kind = unsafe { sys::mlirOperationGetTypeID(op.to_raw()).ptr as usize };
    // Kinds that nobody has registered have no number.
    if kind == 0 {
        return Opcode::of_name(name_of(op));
    }
    OPCODES
        .with_borrow_mut(|known| *known.entry(kind).or_insert_with(|| Opcode::of_name(name_of(op))))
}

/// Ops that are alike in one respect.
impl<'c> View<'c> {
    /// The function that a call by name calls.
    pub fn callee(self) -> Option<&'c str> {
        match self {
            View::Call(it) => Some(it.callee()),
            View::TailCall(it) => Some(it.callee()),
            _ => None,
        }
    }

    /// The function value that is called.
    pub fn called_value(self) -> Option<Val<'c>> {
        match self {
            View::Invoke(it) => Some(it.callee()),
            View::TailInvoke(it) => Some(it.callee()),
            _ => None,
        }
    }

    /// The function whose closure or environment an op makes or fills.
    pub fn code(self) -> Option<&'c str> {
        match self {
            View::MakeClosure(it) => Some(it.func()),
            View::ClosureDeclare(it) => Some(it.func()),
            View::ClosureFill(it) => Some(it.func()),
            View::Closure(it) => Some(it.func()),
            View::RegionClosure(it) => Some(it.func()),
            View::EnvDeclare(it) => Some(it.func()),
            View::EnvFill(it) => Some(it.func()),
            _ => None,
        }
    }

    /// The function whose closure an op makes.
    pub fn new_closure_code(self) -> Option<&'c str> {
        match self {
            View::MakeClosure(it) => Some(it.func()),
            View::ClosureDeclare(it) => Some(it.func()),
            View::Closure(it) => Some(it.func()),
            View::RegionClosure(it) => Some(it.func()),
            _ => None,
        }
    }

    /// The module-level variable that an op reads or writes.
    pub fn global(self) -> Option<&'c str> {
        match self {
            View::GlobalLoad(it) => Some(it.global()),
            View::GlobalStore(it) => Some(it.global()),
            _ => None,
        }
    }

    /// Where an op puts the object that it makes.
    pub fn storage(self) -> Option<Storage> {
        match self {
            View::BlockNew(it) => Some(it.storage()),
            View::ArrayNew(it) => Some(it.storage()),
            View::ExnNew(it) => Some(it.storage()),
            View::MakeClosure(it) => Some(it.storage()),
            View::ClosureDeclare(it) => Some(it.storage()),
            View::Closure(it) => Some(it.storage()),
            View::EnvNew(it) => Some(it.storage()),
            View::EnvDeclare(it) => Some(it.storage()),
            _ => None,
        }
    }

    /// Puts the object elsewhere; false if the op makes none.
    pub fn set_storage(self, storage: Storage) -> bool {
        match self {
            View::BlockNew(it) => it.set_storage(storage),
            View::ArrayNew(it) => it.set_storage(storage),
            View::ExnNew(it) => it.set_storage(storage),
            View::MakeClosure(it) => it.set_storage(storage),
            View::ClosureDeclare(it) => it.set_storage(storage),
            View::Closure(it) => it.set_storage(storage),
            View::EnvNew(it) => it.set_storage(storage),
            View::EnvDeclare(it) => it.set_storage(storage),
            _ => return false,
        }
        true
    }

    /// The number of the `ocaml.take` whose cell an op uses for its object.
    pub fn used_token(self) -> Option<u32> {
        match self {
            View::BlockNew(it) => it.token(),
            View::MakeClosure(it) => it.token(),
            _ => None,
        }
    }
}

/// The function that an op calls by name, which it is known to do.
pub fn callee_of<'c>(op: Op<'c>) -> &'c str {
    view(op).callee().unwrap_or_else(|| panic!("{} calls by name", name_of(op)))
}

/// The function whose closure or environment an op is known to make or fill.
pub fn code_of<'c>(op: Op<'c>) -> &'c str {
    view(op).code().unwrap_or_else(|| panic!("{} names a function", name_of(op)))
}

impl<'c> Func<'c> {
    /// The function that an op stands in.
    pub fn around(op: Op<'c>) -> Option<Self> {
        parent(op).and_then(Self::cast)
    }

    /// The types of the parameters, the environment not among them.
    pub fn inputs(self) -> Vec<Type<'c>> {
        let ty = self.signature();
        (0..ty.input_count()).map(|at| ty.input(at).expect("in range")).collect()
    }

    /// The type of the value, and that of the exception if the function may raise.
    pub fn outputs(self) -> Vec<Type<'c>> {
        let ty = self.signature();
        (0..ty.result_count()).map(|at| ty.result(at).expect("in range")).collect()
    }

    /// Is its first argument the closure?
    pub fn has_env(self) -> bool {
        self.captures().is_some()
    }

    fn signature(self) -> FunctionType<'c> {
        FunctionType::try_from(self.function_type()).expect("a function type")
    }
}

/// The function whose closure a call by name passes first, where that can be seen: functions that
/// capture the same may lend each other their closures.
pub fn lender<'c>(call: Op<'c>) -> Option<&'c str> {
    let closure = definition(operands(call).first().copied()?)?;
    match view(closure) {
        View::EnvSelf(it) => Func::around(it.op()).map(Func::sym_name),
        it => it.new_closure_code(),
    }
}

fn operand<'c>(op: Op<'c>, index: usize) -> Val<'c> {
    // SAFETY: the op is alive, and its definition, which the caller was made from or asked, says that it has the
    // operand.
    unsafe { Val::from_raw(sys::mlirOperationGetOperand(op.to_raw(), index as isize)) }
}

fn operands_from<'c>(op: Op<'c>, first: usize) -> Vec<Val<'c>> {
    (first..op.operand_count()).map(|at| operand(op, at)).collect()
}

fn set_operands_from<'c>(op: Op<'c>, first: usize, values: &[Val<'c>]) {
    let all: Vec<_> = (0..first)
        .map(|at| operand(op, at))
        .chain(values.iter().copied())
        .map(|it| it.to_raw())
        .collect();
    // SAFETY: op and values are alive, and the length is that of the list.
    unsafe { sys::mlirOperationSetOperands(op.to_raw(), all.len() as isize, all.as_ptr()) };
}

fn results_from<'c>(op: Op<'c>, first: usize) -> Vec<Val<'c>> {
    (first..op.result_count()).map(|at| result_of(op, at)).collect()
}
