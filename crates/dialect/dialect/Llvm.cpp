// The parts of MLIR that the backend needs and that its C interface registers only together
// with everything else.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

extern "C" {

void oxbowRegisterUpstream(MlirDialectRegistry registry) {
  unwrap(registry)->insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(*unwrap(registry));
  mlir::registerLLVMDialectTranslation(*unwrap(registry));
}

MlirPass oxbowCreateDebugScopePass(void) {
  return wrap(mlir::LLVM::createDIScopeForLLVMFuncOpPass().release());
}
}
