//! What the functions of a module refer to.

use crate::llvm::{
    self, LLVMGetCalledFunctionType, LLVMGetCalledValue, LLVMGetFirstBasicBlock,
    LLVMGetFirstFunction, LLVMGetFirstGlobal, LLVMGetFirstInstruction, LLVMGetInitializer,
    LLVMGetInstructionOpcode, LLVMGetLinkage, LLVMGetNextBasicBlock, LLVMGetNextFunction,
    LLVMGetNextGlobal, LLVMGetNextInstruction, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGlobalGetValueType, LLVMIsAConstant, LLVMIsAFunction, LLVMIsAGlobalVariable,
    LLVMIsGlobalConstant, LLVMLinkage, LLVMModuleRef, LLVMOpcode, LLVMTypeRef, LLVMValueRef,
};
use oxbow_base::{FxHashMap, FxHashSet};

/// The functions and variables that a module defines.
pub struct Graph {
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
}

pub struct Function {
    pub value: LLVMValueRef,
    pub ty: LLVMTypeRef,
    /// Instructions.
    pub size: usize,
    /// The functions that it calls or points to.
    pub functions: Vec<usize>,
    /// The variables that it reads, writes or points to.
    pub variables: Vec<usize>,
    /// The types of the function values that it calls.
    pub calls: Vec<LLVMTypeRef>,
    /// Is it used but by calls?
    pub is_pointed_to: bool,
    /// Does the value of a variable point to it?
    pub is_in_data: bool,
    /// A way into the program, or one whose address is computed with.
    pub is_root: bool,
    /// Is not optimised.
    pub is_rare: bool,
    /// Has to be inlined.
    pub is_inlined: bool,
}

pub struct Variable {
    pub value: LLVMValueRef,
    /// Its value never changes and points to no function.
    pub is_plain_constant: bool,
    /// What its value points to.
    pub variables: Vec<usize>,
}

impl Graph {
    /// # Safety
    /// The module is alive, and nobody else uses it.
    pub unsafe fn of(module: LLVMModuleRef) -> Self {
        // SAFETY: the caller says that the module is alive; so are the values in it.
        unsafe {
            let mut reader = Reader::new(module);
            for at in 0..reader.graph.variables.len() {
                reader.variable(at);
            }
            for at in 0..reader.graph.functions.len() {
                reader.function(at);
            }
            reader.graph
        }
    }
}

impl Graph {
    /// The variables that functions mention, also through constants whose value is known to them.
    pub fn variables_of(&self, functions: &[usize]) -> Vec<usize> {
        let mut has = vec![false; self.variables.len()];
        let mut all = Vec::new();
        let mut work: Vec<usize> =
            functions.iter().flat_map(|&it| self.functions[it].variables.iter().copied()).collect();
        while let Some(variable) = work.pop() {
            if std::mem::replace(&mut has[variable], true) {
                continue;
            }
            all.push(variable);
            if self.variables[variable].is_plain_constant {
                work.extend(self.variables[variable].variables.iter().copied());
            }
        }
        all
    }
}

struct Reader {
    graph: Graph,
    functions: FxHashMap<LLVMValueRef, usize>,
    variables: FxHashMap<LLVMValueRef, usize>,
}

/// What an operand mentions.
#[derive(Default)]
struct Mentioned {
    functions: FxHashSet<usize>,
    variables: FxHashSet<usize>,
}

impl Reader {
    unsafe fn new(module: LLVMModuleRef) -> Self {
        let graph = Graph { functions: Vec::new(), variables: Vec::new() };
        let mut reader =
            Self { graph, functions: FxHashMap::default(), variables: FxHashMap::default() };
        // SAFETY: the module is alive, as in `Graph::of`.
        unsafe {
            let mut value = LLVMGetFirstFunction(module);
            while !value.is_null() {
                if !LLVMGetFirstBasicBlock(value).is_null() {
                    reader.functions.insert(value, reader.graph.functions.len());
                    reader.graph.functions.push(Function {
                        value,
                        ty: LLVMGlobalGetValueType(value),
                        size: 0,
                        functions: Vec::new(),
                        variables: Vec::new(),
                        calls: Vec::new(),
                        is_pointed_to: false,
                        is_in_data: false,
                        is_root: LLVMGetLinkage(value) != LLVMLinkage::LLVMInternalLinkage,
                        is_rare: llvm::has_attribute(value, "optnone"),
                        is_inlined: llvm::has_attribute(value, "alwaysinline"),
                    });
                }
                value = LLVMGetNextFunction(value);
            }
            let mut value = LLVMGetFirstGlobal(module);
            while !value.is_null() {
                if !LLVMGetInitializer(value).is_null() {
                    reader.variables.insert(value, reader.graph.variables.len());
                    let is_plain_constant = LLVMIsGlobalConstant(value) != 0;
                    let variables = Vec::new();
                    reader.graph.variables.push(Variable { value, is_plain_constant, variables });
                }
                value = LLVMGetNextGlobal(value);
            }
        }
        reader
    }

    unsafe fn variable(&mut self, at: usize) {
        let mut mentioned = Mentioned::default();
        // SAFETY: the module is alive, as in `Graph::of`, and the variable has a value.
        unsafe {
            let value = LLVMGetInitializer(self.graph.variables[at].value);
            self.constant(value, &mut mentioned);
        }
        let variable = &mut self.graph.variables[at];
        variable.is_plain_constant &= mentioned.functions.is_empty();
        variable.variables = mentioned.variables.into_iter().collect();
        for function in mentioned.functions {
            self.graph.functions[function].is_pointed_to = true;
            self.graph.functions[function].is_in_data = true;
        }
    }

    /// Notes what a constant mentions.
    unsafe fn constant(&self, value: LLVMValueRef, mentioned: &mut Mentioned) {
        if let Some(&function) = self.functions.get(&value) {
            mentioned.functions.insert(function);
            return;
        }
        if let Some(&variable) = self.variables.get(&value) {
            mentioned.variables.insert(variable);
            return;
        }
        // SAFETY: the value is of a module that is alive, as in `Graph::of`.
        unsafe {
            let is_other =
                LLVMIsAFunction(value).is_null() && LLVMIsAGlobalVariable(value).is_null();
            if !LLVMIsAConstant(value).is_null() && is_other {
                for at in 0..LLVMGetNumOperands(value) {
                    self.constant(LLVMGetOperand(value, at as u32), mentioned);
                }
            }
        }
    }

    unsafe fn function(&mut self, at: usize) {
        let (mut mentioned, mut calls, mut size) = (Mentioned::default(), Vec::new(), 0);
        // SAFETY: the module is alive, as in `Graph::of`.
        unsafe {
            let mut block = LLVMGetFirstBasicBlock(self.graph.functions[at].value);
            while !block.is_null() {
                let mut op = LLVMGetFirstInstruction(block);
                while !op.is_null() {
                    size += 1;
                    self.instruction(op, &mut mentioned, &mut calls);
                    op = LLVMGetNextInstruction(op);
                }
                block = LLVMGetNextBasicBlock(block);
            }
        }
        let function = &mut self.graph.functions[at];
        function.size = size;
        function.calls = calls;
        function.functions = mentioned.functions.into_iter().collect();
        function.variables = mentioned.variables.into_iter().collect();
        // The order of the parts does not depend on addresses.
        function.functions.sort_unstable();
        function.variables.sort_unstable();
    }

    unsafe fn instruction(
        &mut self,
        op: LLVMValueRef,
        mentioned: &mut Mentioned,
        calls: &mut Vec<LLVMTypeRef>,
    ) {
        // SAFETY: the instruction is of a module that is alive, as in `Graph::of`.
        unsafe {
            let is_call = LLVMGetInstructionOpcode(op) == LLVMOpcode::LLVMCall;
            let count = LLVMGetNumOperands(op) as u32;
            // What is called is the last operand.
            let callee = (is_call && count > 0).then(|| count - 1);
            for at in 0..count {
                let value = LLVMGetOperand(op, at);
                if let Some(&function) = self.functions.get(&value) {
                    mentioned.functions.insert(function);
                    self.graph.functions[function].is_pointed_to |= Some(at) != callee;
                } else if !LLVMIsAConstant(value).is_null() {
                    let mut inside = Mentioned::default();
                    self.constant(value, &mut inside);
                    for &function in &inside.functions {
                        self.graph.functions[function].is_root = true;
                    }
                    mentioned.functions.extend(inside.functions);
                    mentioned.variables.extend(inside.variables);
                }
            }
            if is_call && LLVMIsAFunction(LLVMGetCalledValue(op)).is_null() {
                calls.push(LLVMGetCalledFunctionType(op));
            }
        }
    }
}
