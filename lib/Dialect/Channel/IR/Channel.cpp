// The `channel` dialect: registration, assembly directives and the verifiers that tie kernels to their graph.
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

//===-- Assembly directives -------------------------------------------------------------------------------------===//

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

//===-- Nodes ---------------------------------------------------------------------------------------------------===//

LogicalResult GraphOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<QueueOp, StackOp, FrameOp, KernelOp, DependOp>(op))
      return op.emitOpError("a channel.graph holds nodes and dependencies only; move it out of the graph");
  return success();
}

LogicalResult StackOp::verify() {
  if (getNarrow() && (getResumes() || getFields().empty() ||
                      !cast<TypeAttr>(*getFields().getValue().rbegin()).getValue().isInteger(32)))
    return emitOpError("with 'narrow' is a pre-sync one and ends in an offset (i32); found ") << getFields();
  if (!getResumes())
    return success();
  if (getFields().size() != 1 || !isa<LLVM::LLVMPointerType>(cast<TypeAttr>(getFields()[0]).getValue()))
    return emitOpError("a stack that resumes a task has one field, the frame (!llvm.ptr); found ") << getFields();
  auto task = SymbolTable::lookupNearestSymbolFrom<StackOp>(*this, getResumesAttr());
  if (!task || task.getResumes())
    return emitOpError("'resumes' must name a pre-sync stack of this graph, but ")
           << getResumesAttr() << (task ? " is a post-sync one" : " names none");
  return success();
}

LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto stackNamed = [&](Attribute ref) {
    return symbols.lookupNearestSymbolFrom<StackOp>(*this, cast<FlatSymbolRefAttr>(ref));
  };
  if (StackOp task = stackNamed(getTaskAttr()); !task || task.getResumes())
    return emitOpError("'of' must name a task's pre-sync stack, but ") << getTaskAttr() << " is none";
  auto consumed = symbols.lookupNearestSymbolFrom(*this, getConsumesAttr());
  if (!isa_and_nonnull<StackOp, QueueOp>(consumed))
    return emitOpError("'consumes' must name a stack or queue of this graph, but ") << getConsumesAttr() << " is none";
  for (Attribute ref : getSpawns())
    if (StackOp stack = stackNamed(ref); !stack || stack.getResumes())
      return emitOpError("'spawns' names pre-sync stacks, but ") << ref << " is none";
  for (Attribute ref : getPublishes()) {
    StackOp stack = stackNamed(ref);
    if (!stack || stack.getResumesAttr() != getTaskAttr())
      return emitOpError("'publishes' names stacks that resume ") << getTaskAttr() << ", but " << ref << " does not";
  }
  // The body stands beside the graph, one symbol table further out.
  Operation *outer = (*this)->getParentOp()->getParentOp();
  if (outer && !symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(outer, getBodyAttr()))
    return emitOpError("'body' must name an llvm.func beside the graph, but ") << getBodyAttr() << " is none";
  return success();
}

LogicalResult DependOp::verifySymbolUses(SymbolTableCollection &symbols) {
  SmallVector<Attribute> refs(getOn().begin(), getOn().end());
  refs.push_back(getStackAttr());
  for (Attribute ref : refs)
    if (!symbols.lookupNearestSymbolFrom<StackOp>(*this, cast<FlatSymbolRefAttr>(ref)))
      return emitOpError("a dependency is between stacks of this graph, but ") << ref << " is none";
  return success();
}

//===-- Kernel and host operations ------------------------------------------------------------------------------===//

/// The fields of the channel that `ref` names, or a diagnostic.
static FailureOr<ArrayAttr> fieldsOf(Operation *op, SymbolRefAttr ref, SymbolTableCollection &symbols) {
  Operation *node = symbols.lookupNearestSymbolFrom(op, ref);
  if (auto stack = dyn_cast_or_null<StackOp>(node))
    return stack.getFields();
  if (auto queue = dyn_cast_or_null<QueueOp>(node))
    return queue.getFields();
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

#define GET_OP_CLASSES
#include "cilk2gpu/Dialect/Channel/IR/ChannelOps.cpp.inc"
