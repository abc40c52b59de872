// The `lane` dialect: registration, assembly directives and verifiers.
#include "cilk2gpu/Dialect/Lane/IR/Lane.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace cilk2gpu::lane;

#include "cilk2gpu/Dialect/Lane/IR/LaneDialect.cpp.inc"
#include "cilk2gpu/Dialect/Lane/IR/LaneEnums.cpp.inc"

void LaneDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "cilk2gpu/Dialect/Lane/IR/LaneOps.cpp.inc"
      >();
}

//===-- Accumulations ---------------------------------------------------------------------------------------------===//

static_assert(unsigned(FoldKind::Add) == unsigned(LLVM::AtomicBinOp::add));
static_assert(unsigned(FoldKind::And) == unsigned(LLVM::AtomicBinOp::_and));
static_assert(unsigned(FoldKind::Or) == unsigned(LLVM::AtomicBinOp::_or));
static_assert(unsigned(FoldKind::Xor) == unsigned(LLVM::AtomicBinOp::_xor));
static_assert(unsigned(FoldKind::Max) == unsigned(LLVM::AtomicBinOp::max));
static_assert(unsigned(FoldKind::Min) == unsigned(LLVM::AtomicBinOp::min));
static_assert(unsigned(FoldKind::UMax) == unsigned(LLVM::AtomicBinOp::umax));
static_assert(unsigned(FoldKind::UMin) == unsigned(LLVM::AtomicBinOp::umin));
static_assert(unsigned(FoldKind::FAdd) == unsigned(LLVM::AtomicBinOp::fadd));

LLVM::AtomicBinOp cilk2gpu::lane::atomicOf(FoldKind kind) { return LLVM::AtomicBinOp(unsigned(kind)); }

std::optional<FoldKind> cilk2gpu::lane::foldKindOf(LLVM::AtomicBinOp operation) {
  return symbolizeFoldKind(unsigned(operation));
}

//===-- Assembly directives ---------------------------------------------------------------------------------------===//

static ParseResult parseNumber(OpAsmParser &parser, IntegerAttr &attr, unsigned width) {
  int64_t value = 0;
  if (parser.parseInteger(value))
    return failure();
  attr = parser.getBuilder().getIntegerAttr(parser.getBuilder().getIntegerType(width), value);
  return success();
}

static ParseResult parseNumber(OpAsmParser &parser, IntegerAttr &attr) { return parseNumber(parser, attr, 32); }
static ParseResult parseSize(OpAsmParser &parser, IntegerAttr &attr) { return parseNumber(parser, attr, 64); }

static void printNumber(OpAsmPrinter &printer, Operation *, IntegerAttr attr) { printer << attr.getInt(); }
static void printSize(OpAsmPrinter &printer, Operation *, IntegerAttr attr) { printer << attr.getInt(); }

//===-- Verifiers -------------------------------------------------------------------------------------------------===//

static bool isAggregate(Type type) { return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type); }

LogicalResult DeqOp::verify() {
  if (isAggregate(getValue().getType()))
    return emitOpError("yields a scalar or a vector, but field ")
           << getField() << " is " << getValue().getType() << "; get its address with lane.address";
  return success();
}

Type SpawnOp::copiedType(unsigned index) {
  if (!getFields())
    return {};
  Type type = cast<TypeAttr>((*getFields())[index]).getValue();
  return isAggregate(type) ? type : Type();
}

LogicalResult SpawnOp::verify() {
  if (!getFields())
    return success();
  if (getFields()->size() != getValues().size())
    return emitOpError("needs a value for each field, but has ")
           << getValues().size() << " values for " << getFields()->size() << " fields";
  for (auto [index, value] : llvm::enumerate(getValues())) {
    Type field = cast<TypeAttr>((*getFields())[index]).getValue();
    Type wanted = isAggregate(field) ? LLVM::LLVMPointerType::get(getContext()) : field;
    if (value.getType() != wanted)
      return emitOpError("field ") << index << " of type " << field << " is given as " << wanted << ", but found "
                                   << value.getType();
  }
  return success();
}

static bool isWord(Type type) {
  return isa<LLVM::LLVMPointerType>(type) || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() == 64);
}

LogicalResult ResultOp::verify() {
  if (getValues().empty() || getValues().size() > 2)
    return emitOpError("stores one value or two, but found ") << getValues().size();
  if (getValues().size() == 2 && !llvm::all_of(getValues().getTypes(), isWord))
    return emitOpError("stores two values of eight bytes each, but found ") << getValues().getTypes();
  return success();
}

LogicalResult AccumulateOp::verify() {
  bool isFloat = isa<FloatType>(getValue().getType());
  if (isFloat != (getKind() == FoldKind::FAdd))
    return emitOpError("folds floating-point values by fadd and integers by the other kinds, but found ")
           << stringifyFoldKind(getKind()) << " of " << getValue().getType();
  return success();
}

#define GET_OP_CLASSES
#include "cilk2gpu/Dialect/Lane/IR/LaneOps.cpp.inc"
