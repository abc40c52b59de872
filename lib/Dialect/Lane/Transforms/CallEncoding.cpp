// The passes lane-encode-calls and lane-decode-calls. A table has, for each lane operation, the form of its call and
// the function that reads the call.
#include "cilk2gpu/Dialect/Lane/IR/CallNames.h"
#include "cilk2gpu/Dialect/Lane/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::lane {
#define GEN_PASS_DEF_LANEENCODECALLSPASS
#define GEN_PASS_DEF_LANEDECODECALLSPASS
#include "cilk2gpu/Dialect/Lane/Transforms/Passes.h.inc"
} // namespace cilk2gpu::lane

using namespace mlir;
using namespace cilk2gpu;

//===-- The table -------------------------------------------------------------------------------------------------===//

namespace {

using Memory = LLVM::ModRefInfo;
using Attributes = SmallVector<std::string>;

/// A call that is being decoded: the attributes from its name, and its operands.
struct ReadCall {
  mutable LLVM::CallOp call;
  SmallVector<StringRef> attributes;

  Location loc() const { return call.getLoc(); }
  OperandRange operands() const { return call.getArgOperands(); }
  size_t numResults() const { return call->getNumResults(); }

  /// Returns true if there are this many attributes, operands and results, and the attributes from `first` on are
  /// numbers.
  bool has(size_t numAttributes, size_t numOperands, size_t numResults, unsigned first = 0) const {
    auto isNumber = [](StringRef text) { return !text.empty() && llvm::all_of(text, llvm::isDigit); };
    return attributes.size() == numAttributes && operands().size() == numOperands && this->numResults() == numResults &&
           llvm::all_of(ArrayRef(attributes).drop_front(first), isNumber);
  }
  uint64_t number(unsigned index) const {
    uint64_t value = 0;
    attributes[index].getAsInteger(10, value);
    return value;
  }
};

/// The form of the call for one lane operation. The call has the operation's operands and result.
struct Row {
  StringLiteral operation, name;
  Memory throughOperands; ///< effect on memory that the operands point to
  Memory inaccessible;    ///< effect on memory that the program does not see: channels
  bool isNumbered;        ///< the name has a number, because calls in one lane form differ in type
  Attributes (*write)(Operation *op);
  Operation *(*read)(OpBuilder &builder, const ReadCall &call); ///< returns null if the call does not fit
  /// True if lanes meet in the call: it may read and write all memory, and LLVM must not move it to other paths.
  bool isMeeting = false;
};

} // namespace

static Type pointerType(Builder &builder) { return LLVM::LLVMPointerType::get(builder.getContext()); }

static Attributes noAttributes(Operation *) { return {}; }

/// Returns the types of an element's fields from the operands of a spawn, or null if no operand has llvm.byval. An
/// operand with llvm.byval is copied.
static ArrayAttr fieldsOf(OpBuilder &builder, LLVM::CallOp spawn) {
  ArrayAttr attributes = spawn.getArgAttrsAttr();
  if (!attributes)
    return {};
  bool isCopied = false;
  SmallVector<Type> types(spawn.getArgOperands().getTypes());
  for (auto [type, attribute] : llvm::zip_equal(types, attributes.getAsRange<DictionaryAttr>()))
    if (auto byval = attribute.getAs<TypeAttr>(LLVM::LLVMDialect::getByValAttrName())) {
      type = byval.getValue();
      isCopied = true;
    }
  return isCopied ? builder.getTypeArrayAttr(types) : ArrayAttr();
}

static Operation *readSpawn(OpBuilder &builder, const ReadCall &call) {
  if (!call.has(1, call.operands().size(), 1))
    return nullptr;
  return lane::SpawnOp::create(builder, call.loc(), builder.getI1Type(), call.number(0), call.operands(),
                               fieldsOf(builder, call.call));
}

static Operation *readAccumulate(OpBuilder &builder, const ReadCall &call) {
  std::optional<lane::FoldKind> kind;
  if (call.has(2, 2, 0, /*first=*/1))
    kind = lane::symbolizeFoldKind(call.attributes[0]);
  return kind ? lane::AccumulateOp::create(builder, call.loc(), *kind, call.operands()[0], call.operands()[1])
              : nullptr;
}

static Operation *readResult(OpBuilder &builder, const ReadCall &call) {
  if (call.operands().empty() || !call.has(1, call.operands().size(), 0))
    return nullptr;
  return lane::ResultOp::create(builder, call.loc(), call.operands().drop_back(), call.operands().back());
}

static const Row kRows[] = {
    {"lane.deq", lane::kDeq, Memory::NoModRef, Memory::NoModRef, false,
     [](Operation *op) { return Attributes{std::to_string(cast<lane::DeqOp>(op).getField())}; },
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(1, 0, 1)
                  ? lane::DeqOp::create(builder, call.loc(), call.call.getResult().getType(), call.number(0))
                  : nullptr;
     }},
    {"lane.address", lane::kAddress, Memory::NoModRef, Memory::NoModRef, false,
     [](Operation *op) {
       auto address = cast<lane::AddressOp>(op);
       return Attributes{std::to_string(address.getField()), std::to_string(address.getSize())};
     },
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(2, 0, 1)
                  ? lane::AddressOp::create(builder, call.loc(), pointerType(builder), call.number(0), call.number(1))
                  : nullptr;
     }},
    {"lane.spawn", lane::kSpawn, Memory::Ref, Memory::ModRef, false,
     [](Operation *op) { return Attributes{std::to_string(cast<lane::SpawnOp>(op).getTarget())}; }, readSpawn},
    {"lane.frame", lane::kFrame, Memory::NoModRef, Memory::ModRef, false, noAttributes,
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(0, 0, 1) ? lane::FrameOp::create(builder, call.loc(), pointerType(builder)) : nullptr;
     }},
    {"lane.place", lane::kPlace, Memory::NoModRef, Memory::NoModRef, false,
     [](Operation *op) { return Attributes{std::to_string(cast<lane::PlaceOp>(op).getWords())}; },
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(1, 1, 1)
                  ? lane::PlaceOp::create(builder, call.loc(), pointerType(builder), call.operands()[0], call.number(0))
                  : nullptr;
     }},
    {"lane.free", lane::kFree, Memory::NoModRef, Memory::ModRef, false, noAttributes,
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(0, 1, 0) ? lane::FreeOp::create(builder, call.loc(), call.operands()[0]) : nullptr;
     }},
    {"lane.publish", lane::kPublish, Memory::NoModRef, Memory::ModRef, false,
     [](Operation *op) { return Attributes{std::to_string(cast<lane::PublishOp>(op).getSegment())}; },
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(1, 1, 0) ? lane::PublishOp::create(builder, call.loc(), call.number(0), call.operands()[0])
                                : nullptr;
     }},
    {"lane.yield", lane::kYield, Memory::NoModRef, Memory::ModRef, false, noAttributes,
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(0, 2, 0) ? lane::YieldOp::create(builder, call.loc(), call.operands()[0], call.operands()[1])
                                : nullptr;
     }},
    {"lane.result", lane::kResult, Memory::Mod, Memory::NoModRef, true, noAttributes, readResult},
    {"lane.destination", lane::kDestination, Memory::NoModRef, Memory::NoModRef, false, noAttributes,
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(0, 1, 1)
                  ? lane::DestinationOp::create(builder, call.loc(), pointerType(builder), call.operands()[0])
                  : nullptr;
     }},
    {"lane.accumulate", lane::kAccumulate, Memory::ModRef, Memory::NoModRef, true,
     [](Operation *op) { return Attributes{lane::stringifyFoldKind(cast<lane::AccumulateOp>(op).getKind()).str()}; },
     readAccumulate},
    {"lane.thread", lane::kThread, Memory::NoModRef, Memory::NoModRef, false, noAttributes,
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(0, 0, 1) ? lane::ThreadOp::create(builder, call.loc(), builder.getI32Type()) : nullptr;
     }},
    {"lane.barrier", lane::kBarrier, Memory::ModRef, Memory::ModRef, false, noAttributes,
     [](OpBuilder &builder, const ReadCall &call) -> Operation * {
       return call.has(0, 0, 0) ? lane::BarrierOp::create(builder, call.loc()) : nullptr;
     },
     /*isMeeting=*/true},
};

//===-- Writing ---------------------------------------------------------------------------------------------------===//

namespace {

/// Turns the lane operations of one lane form into calls.
class Encoder {
public:
  Encoder(ModuleOp module, LLVM::LLVMFuncOp form) : module(module), form(form), builder(module.getContext()) {}

  LogicalResult run();

private:
  LLVM::LLVMFuncOp declare(const Row &row, Operation *op, ArrayAttr operandAttributes);
  std::string symbolFor(const Row &row, Operation *op);
  ArrayAttr operandAttributes(Operation *op);

  ModuleOp module;
  LLVM::LLVMFuncOp form;
  OpBuilder builder;
  llvm::StringMap<LLVM::LLVMFuncOp> declared;
  llvm::StringMap<unsigned> numbers; ///< number of the next call of each operation
};

} // namespace

std::string Encoder::symbolFor(const Row &row, Operation *op) {
  Attributes parts{row.name.str()};
  llvm::append_range(parts, row.write(op));
  if (row.isNumbered)
    parts.push_back(std::to_string(numbers[row.name]++));
  return (lane::kPrefix + llvm::join(parts, ".") + ".." + form.getName()).str();
}

/// Returns attributes with llvm.byval for the operands that a spawn copies, or null if it copies none.
ArrayAttr Encoder::operandAttributes(Operation *op) {
  auto spawn = dyn_cast<lane::SpawnOp>(op);
  if (!spawn || !spawn.getFields())
    return {};
  SmallVector<Attribute> attributes;
  for (unsigned index = 0; index < spawn.getValues().size(); ++index) {
    Type copied = spawn.copiedType(index);
    attributes.push_back(copied ? builder.getDictionaryAttr(builder.getNamedAttr(LLVM::LLVMDialect::getByValAttrName(),
                                                                                 TypeAttr::get(copied)))
                                : builder.getDictionaryAttr({}));
  }
  return builder.getArrayAttr(attributes);
}

LLVM::LLVMFuncOp Encoder::declare(const Row &row, Operation *op, ArrayAttr operandAttributes) {
  std::string symbol = symbolFor(row, op);
  LLVM::LLVMFuncOp &function = declared[symbol];
  if (function)
    return function;
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  Type result = op->getNumResults() ? op->getResult(0).getType() : LLVM::LLVMVoidType::get(op->getContext());
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(op->getOperandTypes()));
  function = LLVM::LLVMFuncOp::create(top, module.getLoc(), symbol, type);
  function.setNoUnwind(true);
  function.setWillReturn(true);
  constexpr Memory kNone = Memory::NoModRef;
  if (row.isMeeting)
    function.setConvergent(true);
  else
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        op->getContext(), {kNone, row.throughOperands, row.inaccessible, kNone, kNone, kNone}));
  if (operandAttributes)
    function.setArgAttrsAttr(operandAttributes);
  return function;
}

LogicalResult Encoder::run() {
  SmallVector<Operation *> ops;
  form.walk([&](Operation *op) {
    if (isa_and_nonnull<lane::LaneDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    const Row *row =
        llvm::find_if(kRows, [&](const Row &row) { return row.operation == op->getName().getStringRef(); });
    if (row == std::end(kRows))
      return op->emitOpError("has no encoding as a call; add it to the table in CallEncoding.cpp");
    ArrayAttr attributes = operandAttributes(op);
    LLVM::LLVMFuncOp function = declare(*row, op, attributes);
    builder.setInsertionPoint(op);
    auto call = LLVM::CallOp::create(builder, op->getLoc(), function, op->getOperands());
    if (attributes)
      call.setArgAttrsAttr(attributes);
    op->replaceAllUsesWith(call->getResults());
    op->erase();
  }
  return success();
}

//===-- Reading ---------------------------------------------------------------------------------------------------===//

/// Replaces `from` by `to` and keeps the order of the uses, which replaceAllUsesWith reverses. The order matters
/// because the emitter follows only the first loads through a pointer (followedTo).
static void replaceInOrder(Value from, Value to) {
  from.replaceAllUsesWith(to);
  auto count = static_cast<unsigned>(std::distance(to.use_begin(), to.use_end()));
  if (count > 1)
    to.shuffleUseList(llvm::to_vector(llvm::reverse(llvm::seq(count))));
}

static LogicalResult decode(LLVM::CallOp call, const lane::CallName &name) {
  const Row *row = llvm::find_if(kRows, [&](const Row &row) { return row.name == name.operation; });
  if (row == std::end(kRows))
    return call.emitError("the name of a lane operation is one of those that lane-encode-calls writes, but found '")
           << name.operation << "'";
  ReadCall read{call, {}};
  if (!name.attributes.empty())
    name.attributes.split(read.attributes, '.');
  OpBuilder builder(call);
  Operation *op = row->read(builder, read);
  if (!op)
    return call.emitError("the call of a lane operation has its attributes in its name, and its operands; this one "
                          "does not fit ")
           << row->operation;
  for (auto [from, to] : llvm::zip_equal(call->getResults(), op->getResults()))
    replaceInOrder(from, to);
  call->erase();
  return success();
}

//===-- Passes ----------------------------------------------------------------------------------------------------===//

namespace {

struct LaneEncodeCallsPass : lane::impl::LaneEncodeCallsPassBase<LaneEncodeCallsPass> {
  void runOnOperation() override {
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (!func.isExternal() && failed(Encoder(getOperation(), func).run()))
        return signalPassFailure();
  }
};

struct LaneDecodeCallsPass : lane::impl::LaneDecodeCallsPassBase<LaneDecodeCallsPass> {
  void runOnOperation() override {
    SmallVector<std::pair<LLVM::CallOp, lane::CallName>> calls;
    getOperation().walk([&](LLVM::CallOp call) {
      std::optional<StringRef> callee = call.getCallee();
      if (std::optional<lane::CallName> name = callee ? lane::parseCallName(*callee) : std::nullopt)
        calls.emplace_back(call, *name);
    });
    for (auto &[call, name] : calls)
      if (failed(decode(call, name)))
        return signalPassFailure();
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (func.isExternal() && lane::parseCallName(func.getName()))
        func.erase();
  }
};

} // namespace
