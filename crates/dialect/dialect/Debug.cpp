// Variables for debuggers, in a module of the llvm dialect whose functions have scopes.
//
//   %0 = llvm.alloca … {ocaml.variable = {name, type, size, encoding, scope, parent, line, column, argument}}
//   loc("7"(loc("a.ml":3:5)))                      the code in which the variable of scope 7 can be seen
//
// becomes `llvm.intr.dbg.declare`, and lexical blocks of DWARF. Names of scopes are numbers within a function; 0 is the
// function itself. Globals have the same attribute.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"

#include <optional>

namespace {

using namespace mlir;

constexpr llvm::StringLiteral kVariable = "ocaml.variable";

/// What is known of a variable.
struct Variable {
  StringAttr name, type;
  unsigned size, encoding, scope, parent, line, column, argument;

  static unsigned number(DictionaryAttr from, StringRef name) {
    auto value = from.getAs<IntegerAttr>(name);
    return value ? value.getInt() : 0;
  }

  static std::optional<Variable> of(Operation *op) {
    auto from = op->getAttrOfType<DictionaryAttr>(kVariable);
    if (!from)
      return std::nullopt;
    return Variable{from.getAs<StringAttr>("name"), from.getAs<StringAttr>("type"), number(from, "size"),
                    number(from, "encoding"),       number(from, "scope"),          number(from, "parent"),
                    number(from, "line"),           number(from, "column"),         number(from, "argument")};
  }

  LLVM::DITypeAttr typeAttr() const {
    return LLVM::DIBasicTypeAttr::get(name.getContext(), llvm::dwarf::DW_TAG_base_type, type, size * 8, encoding);
  }
};

/// Where an op stands: the number of its scope, the file if that is not the function's, and the place in it.
struct Place {
  unsigned scope = 0;
  LLVM::DIFileAttr file;
  Location location;

  static Place of(Location location) {
    Place place{0, {}, location};
    // The pass that makes scopes says so where an op of a function stands in another file.
    if (auto fused = dyn_cast<FusedLocWith<LLVM::DILexicalBlockFileAttr>>(location))
      if (fused.getLocations().size() == 1) {
        place.file = fused.getMetadata().getFile();
        place.location = fused.getLocations().front();
      }
    auto named = dyn_cast<NameLoc>(place.location);
    if (!named || named.getName().strref().getAsInteger(10, place.scope))
      return {0, {}, location};
    place.location = named.getChildLoc();
    // What was copied from the library has been called here.
    while (auto call = dyn_cast<CallSiteLoc>(place.location))
      place.location = call.getCaller();
    return place;
  }
};

struct Scopes {
  LLVM::DISubprogramAttr function;
  llvm::DenseMap<unsigned, Variable> variables;
  llvm::DenseMap<unsigned, LLVM::DIFileAttr> files;
  llvm::DenseMap<unsigned, LLVM::DILocalScopeAttr> known;

  LLVM::DIFileAttr file(unsigned number) {
    auto file = files.lookup(number);
    return file ? file : function.getFile();
  }

  LLVM::DILocalScopeAttr get(unsigned number) {
    auto found = variables.find(number);
    if (number == 0 || found == variables.end())
      return function;
    if (auto it = known.lookup(number))
      return it;
    Variable variable = found->second;
    auto parent = get(variable.parent);
    // Equal blocks would be one: the number tells two of one place apart.
    auto block = LLVM::DILexicalBlockAttr::get(parent, file(number), variable.line, number);
    known[number] = block;
    return block;
  }
};

/// Parameters are stored in their places before the function begins for a debugger: those stores belong to no line.
void hidePrologue(LLVM::LLVMFuncOp function, llvm::ArrayRef<Operation *> declared) {
  Operation *last = nullptr;
  for (Operation *op : declared) {
    if (Variable::of(op)->scope != 0)
      continue;
    for (Operation *user : op->getUsers())
      if (user->getBlock() == &function.getBody().front() && (!last || last->isBeforeInBlock(user)))
        last = user;
  }
  if (!last)
    return;
  for (Operation &op : function.getBody().front()) {
    if (!isa<LLVM::CallOp>(op))
      op.setLoc(UnknownLoc::get(function.getContext()));
    if (&op == last)
      break;
  }
}

void declareLocals(LLVM::LLVMFuncOp function) {
  auto fused = dyn_cast<FusedLocWith<LLVM::DISubprogramAttr>>(function.getLoc());
  if (!fused || function.isExternal())
    return;
  Scopes scopes{fused.getMetadata(), {}, {}, {}};
  llvm::SmallVector<Operation *> declared;
  function.walk([&](Operation *op) {
    if (auto variable = Variable::of(op)) {
      declared.push_back(op);
      scopes.variables.try_emplace(variable->scope, *variable);
    }
    auto place = Place::of(op->getLoc());
    if (place.file)
      scopes.files.try_emplace(place.scope, place.file);
  });
  function.walk([&](Operation *op) {
    if (op == function.getOperation())
      return;
    auto place = Place::of(op->getLoc());
    if (place.scope != 0)
      op->setLoc(FusedLoc::get(function.getContext(), {place.location}, scopes.get(place.scope)));
  });
  hidePrologue(function, declared);
  for (Operation *op : declared) {
    auto variable = *Variable::of(op);
    op->removeAttr(kVariable);
    auto scope = scopes.get(variable.scope);
    auto info = LLVM::DILocalVariableAttr::get(function.getContext(), scope, variable.name, scopes.file(variable.scope),
                                               variable.line, variable.argument, 0, variable.typeAttr(),
                                               LLVM::DIFlags::Zero);
    auto place = FileLineColLoc::get(function.getContext(), scopes.file(variable.scope).getName(), variable.line,
                                     variable.column);
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    LLVM::DbgDeclareOp::create(builder, FusedLoc::get(function.getContext(), {place}, scope), op->getResult(0), info);
  }
}

struct VariablesPass : PassWrapper<VariablesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VariablesPass)

  StringRef getName() const override { return "oxbow-debug-variables"; }

  void runOnOperation() override {
    // Debuggers know functions by the names that people gave them, not by those of the linker. Their locations have
    // them.
    llvm::StringMap<StringRef> written;
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      if (auto fused = dyn_cast<FusedLoc>(function.getLoc()))
        for (Location location : fused.getLocations())
          if (auto named = dyn_cast<NameLoc>(location))
            written[function.getName()] = named.getName().strref();
    });
    AttrTypeReplacer names;
    names.addReplacement([&](LLVM::DISubprogramAttr it) -> std::optional<Attribute> {
      StringRef name = it.getName() ? it.getName().strref() : StringRef();
      auto known = written.find(name);
      if (!name.consume_front("ml."))
        return std::nullopt;
      if (known != written.end())
        name = known->second;
      auto *context = it.getContext();
      return LLVM::DISubprogramAttr::get(context, it.getRecId(), it.getIsRecSelf(), it.getId(), it.getCompileUnit(),
                                         it.getScope(), StringAttr::get(context, name), StringAttr(), it.getFile(),
                                         it.getLine(), it.getScopeLine(), it.getSubprogramFlags(), it.getType(),
                                         it.getRetainedNodes(), it.getAnnotations());
    });
    names.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true, /*replaceLocs=*/true,
                                       /*replaceTypes=*/false);
    // What the back end has added is nobody's text, wherever it was first needed.
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      if (function.isExternal() || function.getName().starts_with("ml.") || function.getName().starts_with("oxbow_program"))
        return;
      function.walk([&](Operation *op) { op->setLoc(UnknownLoc::get(function.getContext())); });
    });
    LLVM::DISubprogramAttr any;
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      if (auto fused = dyn_cast<FusedLocWith<LLVM::DISubprogramAttr>>(function.getLoc()))
        if (fused.getMetadata().getCompileUnit())
          any = fused.getMetadata();
      declareLocals(function);
    });
    getOperation().walk([&](LLVM::GlobalOp global) {
      auto variable = Variable::of(global);
      if (!variable)
        return;
      global->removeAttr(kVariable);
      if (!any)
        return;
      auto *context = global.getContext();
      auto info = LLVM::DIGlobalVariableAttr::get(context, any.getCompileUnit(), variable->name,
                                                  StringAttr(), any.getCompileUnit().getFile(),
                                                  variable->line, variable->typeAttr(), true, true, 0);
      auto described = LLVM::DIGlobalVariableExpressionAttr::get(context, info, LLVM::DIExpressionAttr::get(context));
      global->setAttr("dbg_exprs", ArrayAttr::get(context, {described}));
    });
  }
};

} // namespace

extern "C" {

MlirPass oxbowCreateFullDebugScopePass(void) {
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::Full;
  return wrap(LLVM::createDIScopeForLLVMFuncOpPass(options).release());
}

MlirPass oxbowCreateDebugVariablesPass(void) { return wrap(std::make_unique<VariablesPass>().release()); }
}
