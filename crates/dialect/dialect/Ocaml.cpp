// Registration, custom syntax and verifiers of the `ocaml` dialect. Everything else is
// generated from the op records or written in Rust.

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "OcamlDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "OcamlTypes.h.inc"
#define GET_OP_CLASSES
#include "OcamlOps.h.inc"

/// `private` or `nested` before a symbol; public ones say nothing.
static mlir::ParseResult parseVisibility(mlir::OpAsmParser &parser, mlir::StringAttr &visibility) {
  llvm::StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word, {"private", "nested", "public"})))
    visibility = parser.getBuilder().getStringAttr(word);
  return mlir::success();
}

static void printVisibility(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::StringAttr visibility) {
  if (visibility)
    printer << ' ' << visibility.getValue();
}

#include "OcamlDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "OcamlTypes.cpp.inc"
#define GET_OP_CLASSES
#include "OcamlOps.cpp.inc"

using namespace mlir;
using namespace oxbow::ocaml;

namespace {

/// What upstream's inliner may do. A callee with captures needs its closure, an exported one has
/// another calling convention, and `inline_hint` says what the program wants. Upstream has no
/// measure of cost, so a callee that keeps its other calls is taken only if it is small. Any other call
/// may be replaced by the callee's body, also of one that raises.
struct Inliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  static constexpr unsigned mostOpsOfClone = 12;

  bool isLegalToInline(Operation *, Operation *callable, bool wouldBeCloned) const final {
    auto callee = dyn_cast<FuncOp>(callable);
    if (!callee || callee.getCaptures() || callee.getExported() || callee.getInlineHint() == "never" ||
        callee.getInlineHint() == "cold")
      return false;
    unsigned ops = 0;
    callee.walk([&](Operation *) { ++ops; });
    if (wouldBeCloned && ops > mostOpsOfClone && callee.getInlineHint() != "always")
      return false;
    // Upstream's own terminators do not know how to end in a single block of ours.
    Region &body = callee.getBody();
    return !llvm::hasSingleElement(body) || isa<OcamlDialect>(body.front().getTerminator()->getDialect());
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, Block *next) const final {
    OpBuilder builder(op);
    SmallVector<Value> values = results(builder, op, next->getArgumentTypes());
    if (values.empty())
      return;
    cf::BranchOp::create(builder, op->getLoc(), next, values);
    op->erase();
  }

  void handleTerminator(Operation *op, ValueRange replaced) const final {
    OpBuilder builder(op);
    for (auto [old, value] : llvm::zip(replaced, results(builder, op, replaced.getTypes())))
      old.replaceAllUsesWith(value);
  }

private:
  /// The results of a function that ends with `op`; none if it does not end there.
  static SmallVector<Value> results(OpBuilder &builder, Operation *op, TypeRange types) {
    Location loc = op->getLoc();
    return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
        .Case<ReturnOp>([&](ReturnOp it) {
          SmallVector<Value> values{it.getValue()};
          if (types.size() == 2)
            values.push_back(ExnNoneOp::create(builder, loc, types[1]));
          return values;
        })
        .Case<RaiseOp>([&](RaiseOp it) {
          return SmallVector<Value>{NoValueOp::create(builder, loc, types[0]), it.getExn()};
        })
        .Case<TailCallOp>([&](TailCallOp it) {
          auto call = CallOp::create(builder, loc, types, it.getCalleeAttr(), it.getArgs(), UnitAttr(),
                                     it.getFailsAttr(), ArrayAttr(), ArrayAttr());
          return SmallVector<Value>(call.getResults());
        })
        .Case<TailInvokeOp>([&](TailInvokeOp it) {
          auto call = InvokeOp::create(builder, loc, types, it.getCallee(), it.getArgs());
          return SmallVector<Value>(call->getResults());
        })
        .Default([](Operation *) { return SmallVector<Value>(); });
  }
};

} // namespace

void OcamlDialect::initialize() {
  addInterfaces<Inliner>();
  addOperations<
#define GET_OP_LIST
#include "OcamlOps.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "OcamlTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Function types
//===----------------------------------------------------------------------===//

LogicalResult ClosureType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                  FunctionType type) {
  if (type.getNumInputs() == 0)
    return emitError() << "a closure type has at least one argument";
  if (type.getNumResults() != 1)
    return emitError() << "a closure type has one result";
  if (isa<ClosureType>(type.getResult(0)))
    return emitError() << "a closure type lists all arguments at once; its result is no closure";
  return success();
}

/// The type of a closure that takes `inputs`, then what `result` takes.
static ClosureType closureOver(ArrayRef<Type> inputs, Type result) {
  SmallVector<Type> all(inputs);
  if (auto rest = dyn_cast<ClosureType>(result)) {
    all.append(rest.getType().getInputs().begin(), rest.getType().getInputs().end());
    result = rest.getType().getResult(0);
  }
  return ClosureType::get(result.getContext(), FunctionType::get(result.getContext(), all, result));
}

/// What is left of `type` after `count` arguments; null if there are too many.
static Type applied(ClosureType type, size_t count) {
  auto inputs = type.getType().getInputs();
  if (count > inputs.size())
    return nullptr;
  if (count == inputs.size())
    return type.getType().getResult(0);
  return ClosureType::get(type.getContext(), FunctionType::get(type.getContext(), inputs.drop_front(count),
                                                               type.getType().getResults()));
}

static LogicalResult checkTypes(Operation *op, StringRef what, TypeRange given, TypeRange declared) {
  if (given.size() != declared.size())
    return op->emitOpError() << "has " << given.size() << " " << what << "s, but " << declared.size()
                             << " are declared";
  for (auto [index, pair] : llvm::enumerate(llvm::zip(given, declared)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return op->emitOpError() << what << " " << index << " has type " << std::get<0>(pair) << ", but "
                               << std::get<1>(pair) << " is declared";
  return success();
}

template <typename Decl>
static Decl find(Operation *op, FlatSymbolRefAttr name, SymbolTableCollection &symbols, StringRef what) {
  auto decl = symbols.lookupNearestSymbolFrom<Decl>(op, name);
  if (!decl)
    op->emitOpError() << "refers to " << name << ", which is no " << what << " of the module";
  return decl;
}

static SmallVector<Type> typesOf(ArrayAttr attr) {
  SmallVector<Type> types;
  if (attr)
    for (Attribute it : attr)
      types.push_back(cast<TypeAttr>(it).getValue());
  return types;
}

//===----------------------------------------------------------------------===//
// ocaml.func
//===----------------------------------------------------------------------===//

BlockArgument FuncOp::getEnv() {
  return getCaptures() ? getBody().front().getArgument(0) : BlockArgument();
}

bool FuncOp::raises() { return getFunctionType().getNumResults() == 2; }

ClosureType FuncOp::getClosureType() {
  return closureOver(getFunctionType().getInputs(), getFunctionType().getResult(0));
}

void FuncOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn name) {
  if (getCaptures() && !region.empty() && region.front().getNumArguments() > 0)
    name(region.front().getArgument(0), "env");
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  (void)mlir::impl::parseOptionalVisibilityKeyword(parser, result.attributes);
  StringAttr name;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<DictionaryAttr> resultAttrs;
  SmallVector<Type> inputs, results;
  bool isVariadic = false;
  if (function_interface_impl::parseFunctionSignatureWithArguments(parser, false, arguments, isVariadic,
                                                                   results, resultAttrs))
    return failure();
  for (auto &it : arguments)
    inputs.push_back(it.type);
  Builder &builder = parser.getBuilder();
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(inputs, results)));
  if (succeeded(parser.parseOptionalKeyword("captures"))) {
    SmallVector<Attribute> captures, names;
    auto one = [&]() -> ParseResult {
      Type type;
      std::string captured;
      if (succeeded(parser.parseOptionalString(&captured))) {
        names.push_back(builder.getStringAttr(captured));
        if (parser.parseColon())
          return failure();
      }
      if (parser.parseType(type))
        return failure();
      captures.push_back(TypeAttr::get(type));
      return success();
    };
    auto location = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, one))
      return failure();
    if (!names.empty() && names.size() != captures.size())
      return parser.emitError(location) << "either all captures have names or none";
    result.addAttribute(getCapturesAttrName(result.name), builder.getArrayAttr(captures));
    if (!names.empty())
      result.addAttribute(getCaptureNamesAttrName(result.name), builder.getArrayAttr(names));
    OpAsmParser::Argument env;
    env.ssaName = {location, "%env", 0};
    env.type = EnvType::get(builder.getContext());
    arguments.insert(arguments.begin(), env);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

void FuncOp::print(OpAsmPrinter &printer) {
  StringRef visibility = SymbolTable::getVisibilityAttrName();
  printer << ' ';
  if (auto attr = getOperation()->getAttrOfType<StringAttr>(visibility))
    printer << attr.getValue() << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  auto params = getBody().front().getArguments().drop_front(getCaptures() ? 1 : 0);
  llvm::interleaveComma(params, printer, [&](BlockArgument it) { printer.printRegionArgument(it); });
  printer << ')';
  printer.printOptionalArrowTypeList(getFunctionType().getResults());
  if (getCaptures()) {
    printer << " captures(";
    auto types = typesOf(getCapturesAttr());
    llvm::interleaveComma(llvm::seq<size_t>(0, types.size()), printer, [&](size_t at) {
      if (auto names = getCaptureNames(); names && at < names->size()) {
        printer.printAttribute((*names)[at]);
        printer << ": ";
      }
      printer << types[at];
    });
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {SymbolTable::getSymbolAttrName(), visibility,
                                            getFunctionTypeAttrName(), getCapturesAttrName(),
                                            getCaptureNamesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

LogicalResult FuncOp::verifyBody() {
  SmallVector<Type> expected;
  if (getCaptures())
    expected.push_back(EnvType::get(getContext()));
  llvm::append_range(expected, getFunctionType().getInputs());
  return checkTypes(*this, "entry block argument", getBody().front().getArgumentTypes(), expected);
}

LogicalResult FuncOp::verify() {
  auto results = getFunctionType().getResults();
  if (results.empty() || results.size() > 2)
    return emitOpError() << "has one result, or a value and an exception";
  if (results.size() == 2 && !isa<ExnType>(results[1]))
    return emitOpError() << "second result is the exception, not " << results[1];
  if (auto names = getCaptureNames())
    if (names->size() != (getCaptures() ? getCaptures()->size() : 0))
      return emitOpError() << "names " << names->size() << " captures, but has "
                           << (getCaptures() ? getCaptures()->size() : 0);
  if (getExported() && getCaptures())
    return emitOpError() << "is exported, so it cannot capture";
  return success();
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

template <typename Op>
static LogicalResult checkGlobal(Op op, SymbolTableCollection &symbols) {
  auto global = find<GlobalOp>(op, op.getGlobalAttr(), symbols, "`ocaml.global`");
  if (!global)
    return failure();
  if (global.getType() != op.getValue().getType())
    return op.emitOpError() << "has type " << op.getValue().getType() << ", but @" << global.getSymName()
                            << " is declared with " << global.getType();
  return success();
}

LogicalResult GlobalLoadOp::verifySymbolUses(SymbolTableCollection &symbols) { return checkGlobal(*this, symbols); }
LogicalResult GlobalStoreOp::verifySymbolUses(SymbolTableCollection &symbols) { return checkGlobal(*this, symbols); }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  Type declared = cast<FuncOp>((*this)->getParentOp()).getFunctionType().getResult(0);
  if (getValue().getType() != declared)
    return emitOpError() << "returns " << getValue().getType() << ", but the function's result is " << declared;
  return success();
}

LogicalResult RaiseOp::verify() {
  if (!cast<FuncOp>((*this)->getParentOp()).raises())
    return emitOpError() << "stands in a function that does not raise";
  return success();
}

static LogicalResult checkCallee(Operation *op, FuncOp callee, TypeRange args) {
  SmallVector<Type> params;
  if (callee.getCaptures())
    params.push_back(callee.getClosureType());
  llvm::append_range(params, callee.getFunctionType().getInputs());
  return checkTypes(op, "argument", args, params);
}

/// Upstream's `cf.switch` does not read back a numbered result such as `%3#1`.
static void nameException(Operation *op, OpAsmSetValueNameFn name) {
  if (op->getNumResults() == 2)
    name(op->getResult(1), "exn");
}

void CallOp::getAsmResultNames(OpAsmSetValueNameFn name) { nameException(*this, name); }
void InvokeOp::getAsmResultNames(OpAsmSetValueNameFn name) { nameException(*this, name); }

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = find<FuncOp>(*this, getCalleeAttr(), symbols, "`ocaml.func`");
  if (!callee || failed(checkCallee(*this, callee, getArgs().getTypes())))
    return failure();
  return checkTypes(*this, "result", getResultTypes(), callee.getFunctionType().getResults());
}

LogicalResult TailCallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = find<FuncOp>(*this, getCalleeAttr(), symbols, "`ocaml.func`");
  if (!callee || failed(checkCallee(*this, callee, getArgs().getTypes())))
    return failure();
  auto caller = cast<FuncOp>((*this)->getParentOp());
  if (callee.getFunctionType().getResults() != caller.getFunctionType().getResults())
    return emitOpError() << "results of @" << callee.getSymName() << " are not those of the caller";
  return success();
}

/// Checks arguments against the closure's type; the type that is left, or null.
static Type checkInvoke(Operation *op, ClosureType type, TypeRange args) {
  Type rest = applied(type, args.size());
  if (args.empty() || !rest) {
    op->emitOpError() << "passes " << args.size() << " arguments to " << type;
    return nullptr;
  }
  if (failed(checkTypes(op, "argument", args, type.getType().getInputs().take_front(args.size()))))
    return nullptr;
  return rest;
}

LogicalResult InvokeOp::verify() {
  Type rest = checkInvoke(*this, getCallee().getType(), getArgs().getTypes());
  if (!rest)
    return failure();
  if (rest != getValue().getType())
    return emitOpError() << "has result " << getValue().getType() << ", but the call gives " << rest;
  return success();
}

LogicalResult TailInvokeOp::verify() {
  Type rest = checkInvoke(*this, getCallee().getType(), getArgs().getTypes());
  if (!rest)
    return failure();
  auto caller = cast<FuncOp>((*this)->getParentOp());
  if (!caller.raises() || caller.getFunctionType().getResult(0) != rest)
    return emitOpError() << "gives " << rest << " or an exception, which are not the results of the caller";
  return success();
}

//===----------------------------------------------------------------------===//
// Closures and environments
//===----------------------------------------------------------------------===//

static FuncOp checkClosure(Operation *op, FlatSymbolRefAttr name, Type closure, SymbolTableCollection &symbols) {
  auto func = find<FuncOp>(op, name, symbols, "`ocaml.func`");
  if (func && func.getClosureType() != closure) {
    op->emitOpError() << "makes " << closure << ", but @" << func.getSymName() << " is "
                      << func.getClosureType();
    return nullptr;
  }
  return func;
}

LogicalResult MakeClosureOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = checkClosure(*this, getFuncAttr(), getClosure().getType(), symbols);
  if (!func)
    return failure();
  return checkTypes(*this, "capture", getCaptures().getTypes(), typesOf(func.getCapturesAttr()));
}

LogicalResult RegionClosureOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = checkClosure(*this, getFuncAttr(), getClosure().getType(), symbols);
  if (!func)
    return failure();
  return checkTypes(*this, "capture", getCaptures().getTypes(), typesOf(func.getCapturesAttr()));
}

LogicalResult ClosureDeclareOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(bool(checkClosure(*this, getFuncAttr(), getClosure().getType(), symbols)));
}

LogicalResult ClosureFillOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = checkClosure(*this, getFuncAttr(), getClosure().getType(), symbols);
  if (!func)
    return failure();
  return checkTypes(*this, "capture", getCaptures().getTypes(), typesOf(func.getCapturesAttr()));
}

/// What an environment holds, where that can be seen from its definition.
static std::optional<SmallVector<Type>> heldBy(Value env, SymbolTableCollection *symbols) {
  SmallVector<Type> held;
  while (auto capture = env.getDefiningOp<EnvCaptureOp>()) {
    held.push_back(capture.getValue().getType());
    env = capture.getEnv();
  }
  if (env.getDefiningOp<EnvNewOp>()) {
    std::reverse(held.begin(), held.end());
    return held;
  }
  FuncOp func;
  if (auto argument = dyn_cast<BlockArgument>(env))
    func = dyn_cast_or_null<FuncOp>(argument.getOwner()->getParentOp());
  if (func && func.getEnv() != env)
    func = nullptr;
  if (auto declare = env.getDefiningOp<EnvDeclareOp>(); declare && symbols)
    func = symbols->lookupNearestSymbolFrom<FuncOp>(declare, declare.getFuncAttr());
  if (!func || !held.empty())
    return std::nullopt;
  return typesOf(func.getCapturesAttr());
}

LogicalResult ClosureOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = checkClosure(*this, getFuncAttr(), getClosure().getType(), symbols);
  if (!func)
    return failure();
  if (auto held = heldBy(getEnv(), &symbols))
    return checkTypes(*this, "capture", *held, typesOf(func.getCapturesAttr()));
  return success();
}

LogicalResult EnvDeclareOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(bool(find<FuncOp>(*this, getFuncAttr(), symbols, "`ocaml.func`")));
}

LogicalResult EnvFillOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = find<FuncOp>(*this, getFuncAttr(), symbols, "`ocaml.func`");
  if (!func)
    return failure();
  auto declare = getEnv().getDefiningOp<EnvDeclareOp>();
  if (!declare || declare.getFunc() != getFunc())
    return emitOpError() << "fills an environment that is not declared for @" << getFunc() << " here";
  return checkTypes(*this, "capture", getCaptures().getTypes(), typesOf(func.getCapturesAttr()));
}

LogicalResult EnvGetOp::verify() {
  auto held = heldBy(getEnv(), nullptr);
  if (!held)
    return success();
  auto &captures = *held;
  if (getIndex() >= captures.size())
    return emitOpError() << "reads capture " << getIndex() << ", but the environment has " << captures.size();
  if (captures[getIndex()] != getValue().getType())
    return emitOpError() << "reads " << getValue().getType() << ", but capture " << getIndex() << " is "
                         << captures[getIndex()];
  return success();
}

LogicalResult EnvSelfOp::verify() {
  auto func = (*this)->getParentOfType<FuncOp>();
  if (!func || func.getEnv() != getEnv())
    return emitOpError() << "needs the environment of the function it stands in";
  // A function of its recursive group captures the same, and can be called with it.
  auto isCalled = [](OpOperand &use) {
    return isa<CallOp, TailCallOp>(use.getOwner()) && use.getOperandNumber() == 0;
  };
  if (func.getClosureType() != getClosure().getType() && !llvm::all_of(getClosure().getUses(), isCalled))
    return emitOpError() << "gives " << getClosure().getType() << ", but the function is " << func.getClosureType();
  return success();
}

//===----------------------------------------------------------------------===//
// Tuples, records, variants, arrays
//===----------------------------------------------------------------------===//

LogicalResult PairGetOp::verify() {
  auto pair = cast<mlir::TupleType>(getPair().getType());
  if (getIndex() >= pair.size())
    return emitOpError() << "reads component " << getIndex() << " of " << pair;
  if (pair.getType(getIndex()) != getValue().getType())
    return emitOpError() << "reads " << getValue().getType() << " from " << pair;
  return success();
}

/// The fields of a constructor, or nothing after an error.
static std::optional<SmallVector<Type>> fieldsOf(Operation *op, Type block, uint64_t ctor,
                                                 SymbolTableCollection &symbols) {
  if (auto tuple = dyn_cast<oxbow::ocaml::TupleType>(block)) {
    if (ctor == 0)
      return SmallVector<Type>(tuple.getElements());
    op->emitOpError() << "a tuple has no constructor " << ctor;
    return std::nullopt;
  }
  auto name = FlatSymbolRefAttr::get(cast<DataType>(block).getName());
  auto data = find<DataOp>(op, name, symbols, "`ocaml.data`");
  if (!data)
    return std::nullopt;
  if (ctor >= data.getCtors().size()) {
    op->emitOpError() << "names constructor " << ctor << ", but " << name << " has " << data.getCtors().size();
    return std::nullopt;
  }
  return typesOf(cast<ArrayAttr>(data.getCtors()[ctor]));
}

template <typename Op>
static LogicalResult checkField(Op op, SymbolTableCollection &symbols) {
  auto fields = fieldsOf(op, op.getBlock().getType(), op.getCtor(), symbols);
  if (!fields)
    return failure();
  if (op.getIndex() >= fields->size())
    return op.emitOpError() << "names field " << op.getIndex() << ", but constructor " << op.getCtor() << " has "
                            << fields->size();
  if ((*fields)[op.getIndex()] != op.getValue().getType())
    return op.emitOpError() << "has type " << op.getValue().getType() << ", but field " << op.getIndex() << " is "
                            << (*fields)[op.getIndex()];
  return success();
}

LogicalResult BlockNewOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto fields = fieldsOf(*this, getBlock().getType(), getCtor(), symbols);
  if (!fields)
    return failure();
  return checkTypes(*this, "field", getFields().getTypes(), *fields);
}

LogicalResult RegionBlockOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto fields = fieldsOf(*this, getBlock().getType(), getCtor(), symbols);
  return fields ? checkTypes(*this, "field", getFields().getTypes(), *fields) : failure();
}

LogicalResult BlockGetOp::verifySymbolUses(SymbolTableCollection &symbols) { return checkField(*this, symbols); }
LogicalResult BlockLoadOp::verifySymbolUses(SymbolTableCollection &symbols) { return checkField(*this, symbols); }
LogicalResult BlockStoreOp::verifySymbolUses(SymbolTableCollection &symbols) { return checkField(*this, symbols); }

LogicalResult CtorOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto fields = fieldsOf(*this, getResult().getType(), getValue(), symbols);
  if (fields && !fields->empty())
    return emitOpError() << "constructor " << getValue() << " has arguments";
  return success(fields.has_value());
}

LogicalResult ArrayNewOp::verify() {
  Type element = cast<ArrayType>(getArray().getType()).getElement();
  for (Type it : getElements().getTypes())
    if (it != element)
      return emitOpError() << "has an element of type " << it << " in " << getArray().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

LogicalResult ExnNewOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto exception = find<ExceptionOp>(*this, getExceptionAttr(), symbols, "`ocaml.exception`");
  if (!exception)
    return failure();
  return checkTypes(*this, "field", getFields().getTypes(), typesOf(exception.getFieldsAttr()));
}

LogicalResult ExnIsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(find<ExceptionOp>(*this, getExceptionAttr(), symbols, "`ocaml.exception`") != nullptr);
}

LogicalResult ExnGetOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto exception = find<ExceptionOp>(*this, getExceptionAttr(), symbols, "`ocaml.exception`");
  if (!exception)
    return failure();
  auto fields = typesOf(exception.getFieldsAttr());
  if (getIndex() >= fields.size())
    return emitOpError() << "reads field " << getIndex() << ", but @" << exception.getSymName() << " has "
                         << fields.size();
  if (fields[getIndex()] != getValue().getType())
    return emitOpError() << "reads " << getValue().getType() << ", but field " << getIndex() << " is "
                         << fields[getIndex()];
  return success();
}

//===----------------------------------------------------------------------===//
// For Rust
//===----------------------------------------------------------------------===//

extern "C" {

void oxbowRegisterOcaml(MlirDialectRegistry registry) { unwrap(registry)->insert<OcamlDialect>(); }

MlirType oxbowEnvType(MlirContext context) { return wrap(EnvType::get(unwrap(context))); }
MlirType oxbowStringType(MlirContext context) { return wrap(StringType::get(unwrap(context))); }
MlirType oxbowExnType(MlirContext context) { return wrap(ExnType::get(unwrap(context))); }
MlirType oxbowRegionType(MlirContext context) { return wrap(RegionType::get(unwrap(context))); }
MlirType oxbowBoxType(MlirType element) {
  return wrap(BoxType::get(unwrap(element).getContext(), unwrap(element)));
}
MlirType oxbowArrayType(MlirType element) {
  return wrap(oxbow::ocaml::ArrayType::get(unwrap(element).getContext(), unwrap(element)));
}
MlirType oxbowDataType(MlirContext context, MlirStringRef name) {
  return wrap(DataType::get(unwrap(context), StringAttr::get(unwrap(context), unwrap(name))));
}
/// `!ocaml.closure` of a builtin function type with one result; results are flattened.
MlirType oxbowClosureType(MlirType function) {
  auto type = cast<FunctionType>(unwrap(function));
  return wrap(closureOver(type.getInputs(), type.getResult(0)));
}
/// `!ocaml.tuple` of the components of a builtin tuple type.
MlirType oxbowTupleType(MlirType tuple) {
  auto type = cast<mlir::TupleType>(unwrap(tuple));
  return wrap(oxbow::ocaml::TupleType::get(type.getContext(), llvm::to_vector(type.getTypes())));
}

/// Which type it is; see `dialect::Kind` for the numbers.
int oxbowTypeKind(MlirType type) {
  return llvm::TypeSwitch<Type, int>(unwrap(type))
      .Case<EnvType>([](auto) { return 1; })
      .Case<BoxType>([](auto) { return 2; })
      .Case<ClosureType>([](auto) { return 3; })
      .Case<StringType>([](auto) { return 4; })
      .Case<oxbow::ocaml::ArrayType>([](auto) { return 5; })
      .Case<DataType>([](auto) { return 6; })
      .Case<oxbow::ocaml::TupleType>([](auto) { return 7; })
      .Case<ExnType>([](auto) { return 8; })
      .Case<RegionType>([](auto) { return 9; })
      .Default([](auto) { return 0; });
}
/// Element of a box or array, function type of a closure, builtin tuple of a tuple.
MlirType oxbowTypeParameter(MlirType type) {
  return wrap(llvm::TypeSwitch<Type, Type>(unwrap(type))
                  .Case<BoxType>([](auto it) { return it.getElement(); })
                  .Case<ClosureType>([](auto it) { return it.getType(); })
                  .Case<oxbow::ocaml::ArrayType>([](auto it) { return it.getElement(); })
                  .Case<oxbow::ocaml::TupleType>(
                      [](auto it) { return mlir::TupleType::get(it.getContext(), it.getElements()); })
                  .Default([](auto) { return Type(); }));
}
MlirStringRef oxbowDataTypeName(MlirType type) { return wrap(cast<DataType>(unwrap(type)).getName().getValue()); }
}
