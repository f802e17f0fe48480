//! What compiled code does about stacks without a call of the runtime.
//!
//! ```text
//! %l = ocaml.runtime.call @oxbow_stack_low()       the stack pointer < the limit of the thread
//! %a = ocaml.runtime.call @oxbow_fiber_suspend()   save what is alive, go on with what resumed this fibre
//! ```
//!
//! A call that changes stacks would put the calls and returns out of order that the processor expects: each return
//! behind it would be mispredicted. As assembly in its place, it also saves only those registers that hold something.
//! `runtime::switch` has the same as functions, and says what the assembly does; on other processors they are called.

use oxbow_abi::fibers::{thread, turn};
use oxbow_dialect::{Predicate, Val};

use super::Converter;
use super::llvm_ops::Access;

/// All registers but the stack pointer and the frame pointer, which the assembly saves itself.
const CLOBBERED: &str = "~{rbx},~{rcx},~{rsi},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15},\
    ~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},~{xmm7},\
    ~{xmm8},~{xmm9},~{xmm10},~{xmm11},~{xmm12},~{xmm13},~{xmm14},~{xmm15},\
    ~{xmm16},~{xmm17},~{xmm18},~{xmm19},~{xmm20},~{xmm21},~{xmm22},~{xmm23},\
    ~{xmm24},~{xmm25},~{xmm26},~{xmm27},~{xmm28},~{xmm29},~{xmm30},~{xmm31},\
    ~{k0},~{k1},~{k2},~{k3},~{k4},~{k5},~{k6},~{k7},\
    ~{memory},~{dirflag},~{fpsr},~{flags}";

/// Saves where to go on, below what the function may keep below its stack pointer; `%rdx`: the thread's variables.
const SAVE: &str = "
    leaq -128(%rsp), %rsp
    pushq %rbp
    leaq 4f(%rip), %rcx
    pushq %rcx";

/// Goes on with `%rdi`, and then behind it.
fn go() -> String {
    format!(
        "
    movq %rdi, {}(%rdx)
    cmpq $$0, {}(%rdi)
    jne 3f
    movq {}(%rdi), %rcx
    movq %rcx, {}(%rdx)
    movq {}(%rdi), %rsp
    xorl %eax, %eax
    popq %rcx
    jmpq *%rcx
3:
    xorl %esi, %esi
    jmpq *{}(%rdx)
2:
    movl $$2, %eax
    jmp 5f
4:
    popq %rbp
    leaq 128(%rsp), %rsp
5:",
        thread::TURN,
        turn::IS_AWAY,
        turn::LIMIT,
        thread::STACK_LIMIT,
        turn::STACK,
        thread::PLACE
    )
}

impl<'c> Converter<'c> {
    /// What a function of the runtime gives, if compiled code can do by itself what it does.
    pub fn call_in_place(&mut self, callee: &str, args: &[Val<'c>]) -> Option<Val<'c>> {
        match callee {
            oxbow_abi::STACK_LOW => Some(self.stack_low()),
            oxbow_abi::FIBER_RESUME if cfg!(target_arch = "x86_64") => {
                let fiber = self.load_raw(self.layout.ptr, args[0], 8, Access::Any);
                let note = format!(
                    "
    movq {}(%rdx), %rax
    movq %rsp, {}(%rax)
    movq %rax, {}(%rdi)",
                    thread::TURN,
                    turn::STACK,
                    turn::PARENT
                );
                let code = format!("{SAVE}{note}{}", go());
                Some(self.change_stacks(&code, fiber))
            }
            oxbow_abi::FIBER_SUSPEND if cfg!(target_arch = "x86_64") => {
                let find = format!(
                    "
    movq {}(%rdx), %rax
    movq {}(%rax), %rdi
    testq %rdi, %rdi
    je 2f",
                    thread::TURN,
                    turn::PARENT
                );
                let code = format!("{find}{SAVE}\n    movq %rsp, {}(%rax){}", turn::STACK, go());
                let nothing = self.null();
                Some(self.change_stacks(&code, nothing))
            }
            _ => None,
        }
    }

    /// Assembly that has the fibre in `%rdi`, and gives `%rax`.
    fn change_stacks(&mut self, code: &str, fiber: Val<'c>) -> Val<'c> {
        self.need_heap();
        let (i64, ptr) = (self.layout.types.i64, self.layout.ptr);
        let variables = self.thread_variables();
        let constraints = format!("={{rax}},={{rdi}},={{rdx}},1,2,{CLOBBERED}");
        let attributes = [
            ("asm_string", self.build.string(code)),
            ("constraints", self.build.string(&constraints)),
            ("has_side_effects", self.build.unit()),
        ];
        let results = self.layout.record(&[i64, ptr, ptr]);
        let all = self.build.value("llvm.inline_asm", &[fiber, variables], results, &attributes);
        self.extract(all, 0, i64)
    }

    /// Whether the stack is nearly used up, which is rare.
    fn stack_low(&mut self) -> Val<'c> {
        self.need_heap();
        let (i8, i64, ptr) = (self.layout.types.i8, self.layout.types.i64, self.layout.ptr);
        let variables = self.thread_variables();
        let limit = self.offset(variables, thread::STACK_LIMIT as i64);
        // It changes with the stack.
        let alignment = [("alignment", self.build.integer(i64, 8))];
        let limit = self.build.value("llvm.load", &[limit], i64, &alignment);
        let here = self.build.value("llvm.intr.stacksave", &[], ptr, &[]);
        let here = self.cast("ptrtoint", here, i64);
        let is_low = self.icmp(Predicate::Ult, here, limit);
        let is_low = self.cast("zext", is_low, i8);
        let rarely = self.int(i8, 0);
        self.build.value("llvm.intr.expect", &[is_low, rarely], i8, &[])
    }
}
