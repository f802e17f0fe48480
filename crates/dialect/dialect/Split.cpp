// Parts of a module of LLVM as modules of their own, which LLVM's C interface cannot make.

#include "llvm-c/Core.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

extern "C" {

// A copy of a module that defines only the given values. The others are declared, and may lie anywhere in memory.
LLVMModuleRef oxbowClonePart(LLVMModuleRef module, const LLVMValueRef *kept, size_t count) {
  DenseSet<const GlobalValue *> definitions;
  for (size_t at = 0; at < count; ++at)
    definitions.insert(unwrap<GlobalValue>(kept[at]));
  ValueToValueMapTy copies;
  auto part = CloneModule(*unwrap(module), copies, [&](const GlobalValue *it) { return definitions.contains(it); });
  for (GlobalValue &it : part->global_values())
    if (it.isDeclaration())
      it.setDSOLocal(false);
  return wrap(part.release());
}

// The value of a constant is known, but it lies elsewhere.
void oxbowDefineElsewhere(LLVMValueRef value) {
  auto *variable = unwrap<GlobalVariable>(value);
  variable->setLinkage(GlobalValue::AvailableExternallyLinkage);
  variable->setDSOLocal(false);
}

// Gives a function another name, under which others find it. What calls it still does; what only points to it points to
// a function of the old name, which is defined elsewhere.
void oxbowDefineUnder(LLVMValueRef value, const char *name) {
  auto *function = unwrap<Function>(value);
  std::string old = function->getName().str();
  function->setName(name);
  function->setLinkage(GlobalValue::ExternalLinkage);
  auto *elsewhere =
      Function::Create(function->getFunctionType(), GlobalValue::ExternalLinkage, old, function->getParent());
  elsewhere->setCallingConv(function->getCallingConv());
  elsewhere->setAttributes(function->getAttributes());
  for (Use &use : make_early_inc_range(function->uses())) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use))
      use.set(elsewhere);
  }
}

// Defines a function that is only declared. It calls the function that `slot` holds; while that is none, it asks for
// one by `find(state, number)`.
void oxbowDefineStub(LLVMValueRef value, uint64_t slot, uint64_t find, uint64_t state, uint64_t number) {
  auto *function = unwrap<Function>(value);
  function->removeFnAttr(Attribute::AlwaysInline);
  function->addFnAttr(Attribute::NoInline);
  function->setDSOLocal(true);
  LLVMContext &context = function->getContext();
  auto *entry = BasicBlock::Create(context, "", function);
  auto *first = BasicBlock::Create(context, "", function);
  auto *go = BasicBlock::Create(context, "", function);
  IRBuilder<> builder(entry);
  auto *pointer = PointerType::getUnqual(context);
  auto *word = builder.getInt64Ty();
  auto at = [&](uint64_t address) { return ConstantExpr::getIntToPtr(builder.getInt64(address), pointer); };
  LoadInst *known = builder.CreateAlignedLoad(pointer, at(slot), Align(8));
  known->setAtomic(AtomicOrdering::Acquire);
  builder.CreateCondBr(builder.CreateIsNull(known), first, go);
  builder.SetInsertPoint(first);
  auto *find_type = FunctionType::get(pointer, {word, word}, false);
  Value *found = builder.CreateCall(find_type, at(find), {builder.getInt64(state), builder.getInt64(number)});
  builder.CreateBr(go);
  builder.SetInsertPoint(go);
  PHINode *target = builder.CreatePHI(pointer, 2);
  target->addIncoming(known, entry);
  target->addIncoming(found, first);
  SmallVector<Value *> passed;
  SmallVector<AttributeSet> attributes;
  for (Argument &it : function->args()) {
    passed.push_back(&it);
    attributes.push_back(function->getAttributes().getParamAttrs(it.getArgNo()));
  }
  CallInst *call = builder.CreateCall(function->getFunctionType(), target, passed);
  call->setCallingConv(function->getCallingConv());
  call->setAttributes(
      AttributeList::get(context, AttributeSet(), function->getAttributes().getRetAttrs(), attributes));
  // The one convention in which calls in tail position have to be proper.
  if (function->getCallingConv() == CallingConv::Tail)
    call->setTailCallKind(CallInst::TCK_MustTail);
  if (function->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}
}
