// The `cilk` dialect: registration, verifiers and the callee-type assembly directive.
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/UpdateMarks.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2gpu::cilk;

#include "cilk2gpu/Dialect/Cilk/IR/CilkDialect.cpp.inc"

void CilkDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "cilk2gpu/Dialect/Cilk/IR/CilkOps.cpp.inc"
      >();
}

bool cilk2gpu::cilk::isTask(Operation *func) { return func && func->hasAttr(kTaskAttr); }

LogicalResult CilkDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (attr.getName() == kAccumulateAttr || attr.getName() == kUpdateAttr) {
    if (isa<LLVM::AtomicRMWOp>(op) && op->use_empty())
      return success();
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' belongs on an llvm.atomicrmw whose result is not used, found on '" << op->getName()
                           << "'; remove it";
  }
  // This attribute may also stand on the channel stack that a task becomes.
  if (attr.getName() == kStartsAccumulationAttr && isa<SymbolOpInterface>(op) && isa<UnitAttr>(attr.getValue()))
    return success();
  if (!isa<LLVM::LLVMFuncOp>(op))
    return op->emitError() << "'" << attr.getName().getValue() << "' belongs on an llvm.func, found on '"
                           << op->getName() << "'; remove it";
  if (attr.getName() == kTaskAttr && !isa<UnitAttr>(attr.getValue()))
    return op->emitError() << "'" << kTaskAttr << "' is a unit attribute, found " << attr.getValue()
                           << "; remove the value";
  bool isSymbol = llvm::is_contained({kWrapsAttr, kElisionAttr, kAccumulatedElisionAttr, kStrandsAttr, kStrandFormAttr},
                                     attr.getName().getValue());
  if (isSymbol && !isa<FlatSymbolRefAttr>(attr.getValue()))
    return op->emitError() << "'" << attr.getName().getValue() << "' names a function, found " << attr.getValue()
                           << "; write a symbol";
  if (attr.getName() == kAccumulationKindAttr) {
    auto kind = dyn_cast<IntegerAttr>(attr.getValue());
    if (!kind || !kind.getType().isInteger(64) || !LLVM::symbolizeAtomicBinOp(kind.getInt()))
      return op->emitError() << "'" << kAccumulationKindAttr << "' is the i64 number of an atomic operation, found "
                             << attr.getValue() << "; write such a number";
  }
  return success();
}

/// Verifies argument and result types of a spawn or call against the function that it names.
static LogicalResult verifyCallee(Operation *op, FlatSymbolRefAttr callee, TypeRange args, Type result,
                                  SymbolTableCollection &symbols) {
  auto func = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, callee);
  if (!func)
    return op->emitOpError() << "callee must be an llvm.func, but " << callee << " names none; declare it";
  LLVM::LLVMFunctionType type = func.getFunctionType();
  auto fail = [&](const Twine &what) {
    InFlightDiagnostic diag = op->emitOpError() << what << " of " << callee;
    diag.attachNote(func.getLoc()) << "the callee is declared here with type " << type;
    return diag;
  };
  if (type.isVarArg())
    return fail("a task has a fixed number of arguments, but the callee is variadic; wrap the call") << "";
  if (args.size() != type.getNumParams())
    return fail("argument count must match the type") << ": " << args.size() << " given";
  for (auto [index, given, wanted] : llvm::enumerate(args, type.getParams()))
    if (given != wanted)
      return fail("argument types must match the type") << ": #" << index << " is " << given;
  Type returned = type.getReturnType();
  if (!result ? !isa<LLVM::LLVMVoidType>(returned) : returned != result)
    return fail("result type must match the type");
  return success();
}

LogicalResult SpawnOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type result = getResultType().value_or(Type());
  if (getDest() && !result)
    return emitOpError("a destination needs a result; drop 'into' or give the callee's result type");
  return verifyCallee(*this, getCalleeAttr(), getArgs().getTypes(), result, symbols);
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type result = getResult() ? getResult().getType() : Type();
  return verifyCallee(*this, getCalleeAttr(), getArgs().getTypes(), result, symbols);
}

/// callee-type ::= `(` type-list `)` `->` (type | `(` `)`)
static ParseResult parseCalleeType(OpAsmParser &parser, SmallVectorImpl<Type> &args, TypeAttr &result) {
  llvm::SMLoc location = parser.getCurrentLocation();
  FunctionType type;
  if (parser.parseType(type))
    return failure();
  if (type.getNumResults() > 1)
    return parser.emitError(location, "a task has at most one result, found ")
           << type.getNumResults() << "; return a struct";
  llvm::append_range(args, type.getInputs());
  if (type.getNumResults() == 1)
    result = TypeAttr::get(type.getResult(0));
  return success();
}

static void printCalleeType(OpAsmPrinter &printer, Operation *op, TypeRange args, TypeAttr result) {
  SmallVector<Type, 1> results;
  if (result)
    results.push_back(result.getValue());
  printer.printFunctionalType(args, results);
}

#define GET_OP_CLASSES
#include "cilk2gpu/Dialect/Cilk/IR/CilkOps.cpp.inc"
