// The `channel` dialect: registration, assembly directives, and the verifiers that tie the operations of kernels and
// hosts to their graph. The graph's nodes are in Nodes.cpp.
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2gpu::channel;

#include "cilk2gpu/Dialect/Channel/IR/ChannelDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2gpu/Dialect/Channel/IR/ChannelTypes.cpp.inc"

void ChannelDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "cilk2gpu/Dialect/Channel/IR/ChannelTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "cilk2gpu/Dialect/Channel/IR/ChannelOps.cpp.inc"
      >();
}

bool cilk2gpu::channel::isByAddress(Type type) { return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type); }

Type cilk2gpu::channel::operandType(Type type) {
  return isByAddress(type) ? LLVM::LLVMPointerType::get(type.getContext()) : type;
}

//===-- Assembly directives ---------------------------------------------------------------------------------------===//

static ParseResult parseFieldTypes(OpAsmParser &parser, ArrayAttr &fields) {
  SmallVector<Attribute> types;
  auto parseField = [&]() -> ParseResult {
    Type type;
    if (parser.parseType(type))
      return failure();
    types.push_back(TypeAttr::get(type));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseField))
    return failure();
  fields = parser.getBuilder().getArrayAttr(types);
  return success();
}

static void printFieldTypes(OpAsmPrinter &printer, Operation *, ArrayAttr fields) {
  printer << '(';
  llvm::interleaveComma(fields.getAsValueRange<TypeAttr>(), printer);
  printer << ')';
}

static ParseResult parseInteger(OpAsmParser &parser, IntegerAttr &attr, unsigned width) {
  int64_t value = 0;
  if (parser.parseInteger(value))
    return failure();
  attr = parser.getBuilder().getIntegerAttr(parser.getBuilder().getIntegerType(width), value);
  return success();
}

static ParseResult parseInteger(OpAsmParser &parser, IntegerAttr &attr) { return parseInteger(parser, attr, 64); }

static void printInteger(OpAsmPrinter &printer, Operation *, IntegerAttr attr) { printer << attr.getInt(); }

static ParseResult parseSite(OpAsmParser &parser, IntegerAttr &attr) { return parseInteger(parser, attr, 32); }

static void printSite(OpAsmPrinter &printer, Operation *op, IntegerAttr attr) { printInteger(printer, op, attr); }

//===-- Kernel and host operations --------------------------------------------------------------------------------===//

/// Returns the fields of the channel that `ref` names, or reports an error.
static FailureOr<ArrayAttr> fieldsOf(Operation *op, SymbolRefAttr ref, SymbolTableCollection &symbols) {
  auto node = symbols.lookupNearestSymbolFrom<ChannelNodeOpInterface>(op, ref);
  if (ArrayAttr fields = node ? node.getElementFields() : ArrayAttr())
    return fields;
  return op->emitOpError("must name a stack or queue, but ") << ref << " names none";
}

static LogicalResult verifyFields(Operation *op, SymbolRefAttr ref, TypeRange given, SymbolTableCollection &symbols) {
  FailureOr<ArrayAttr> fields = fieldsOf(op, ref, symbols);
  if (failed(fields))
    return failure();
  SmallVector<Type> wanted;
  for (Type type : fields->getAsValueRange<TypeAttr>())
    wanted.push_back(operandType(type));
  if (!llvm::equal(given, wanted)) {
    InFlightDiagnostic diag = op->emitOpError("fields must match the elements of ")
                              << ref << ": (" << given << ") given";
    diag.attachNote(symbols.lookupNearestSymbolFrom(op, ref)->getLoc()) << "an element has (" << wanted << ")";
    return diag;
  }
  return success();
}

LogicalResult DeqOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyFields(*this, getChannel(), getFields().getTypes(), symbols);
}
LogicalResult EnqOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyFields(*this, getChannel(), getFields().getTypes(), symbols);
}
LogicalResult RootOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyFields(*this, getChannel(), getFields().getTypes(), symbols);
}
LogicalResult TryTallocOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return failure(failed(fieldsOf(*this, getChannel(), symbols)));
}
LogicalResult TallocOp::verifySymbolUses(SymbolTableCollection &symbols) {
  bool isFrame = isa_and_nonnull<FrameOp>(symbols.lookupNearestSymbolFrom(*this, getChannel()));
  if (!isFrame && failed(fieldsOf(*this, getChannel(), symbols)))
    return failure();
  if (isFrame != isa<LLVM::LLVMPointerType>(getResult().getType()))
    return emitOpError("a frame is allocated as !llvm.ptr, an element as !channel.element; found ")
           << getResult().getType() << " for " << getChannel();
  return success();
}

#include "cilk2gpu/Dialect/Channel/IR/ChannelInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "cilk2gpu/Dialect/Channel/IR/ChannelOps.cpp.inc"
