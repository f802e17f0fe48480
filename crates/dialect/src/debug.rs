//! What debuggers are told, as attributes: of variables at the ops that are their places, and of the layouts of types
//! at the module. `Debug.cpp` reads the first, the back end the second.

use melior::ir::attribute::StringAttribute;
use melior::ir::operation::OperationLike as _;
use melior::ir::{Attribute, AttributeLike as _, Identifier, Module};
use mlir_sys as sys;

use crate::builder::{Builder, Op};
use crate::inspect;

/// The attribute of an op that is the place of a variable.
const VARIABLE: &str = "ocaml.variable";
/// The attribute of a module whose variables debuggers know.
const LAYOUTS: &str = "ocaml.layouts";

/// What is told of a variable.
pub struct Told<'a> {
    pub name: &'a str,
    /// The name of its type, and what DWARF says of it.
    pub shown: &'a str,
    pub size: u32,
    pub encoding: u32,
    /// See `ocaml.variable`.
    pub scope: u32,
    pub parent: u32,
    pub argument: u32,
    pub line: u32,
    pub column: u32,
}

impl<'c> Builder<'c> {
    /// Says that an op is the place of a variable.
    pub fn tell_variable(&self, op: Op<'c>, told: &Told<'_>) {
        let parts = [
            ("name", self.string(told.name)),
            ("type", self.string(told.shown)),
            ("size", self.i32_attr(told.size)),
            ("encoding", self.i32_attr(told.encoding)),
            ("scope", self.i32_attr(told.scope)),
            ("parent", self.i32_attr(told.parent)),
            ("argument", self.i32_attr(told.argument)),
            ("line", self.i32_attr(told.line)),
            ("column", self.i32_attr(told.column)),
        ];
        let parts: Vec<sys::MlirNamedAttribute> = parts
            .iter()
            .map(|(name, value)| sys::MlirNamedAttribute {
                name: Identifier::new(self.context, name).to_raw(),
                attribute: value.to_raw(),
            })
            .collect();
        // SAFETY: there are as many parts as said, and the context is alive.
        let dictionary = unsafe {
            Attribute::from_raw(sys::mlirDictionaryAttrGet(
                self.context.to_raw(),
                parts.len() as isize,
                parts.as_ptr(),
            ))
        };
        inspect::set_attr(op, VARIABLE, dictionary);
    }

    /// Says the same of an op that takes the place of another.
    pub fn copy_variable(&self, from: Op<'c>, to: Op<'c>) {
        if let Ok(told) = from.attribute(VARIABLE) {
            inspect::set_attr(to, VARIABLE, told);
        }
    }

    /// Keeps the layouts of types in a module.
    pub fn tell_layouts(&self, module: &Module<'c>, text: &str) {
        inspect::set_attr(module_op(module), LAYOUTS, self.string(text));
    }
}

fn module_op<'c>(module: &Module<'c>) -> Op<'c> {
    // SAFETY: the op lives as long as the module, which outlives what is done with it here.
    unsafe { Op::from_raw(module.as_operation().to_raw()) }
}

/// The layouts of a module's types, if debuggers are to know its variables.
pub fn layouts(module: &Module<'_>) -> Option<String> {
    let text = module.as_operation().attribute(LAYOUTS).ok()?;
    Some(StringAttribute::try_from(text).ok()?.value().to_string())
}
