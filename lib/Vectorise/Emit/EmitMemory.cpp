// Loads and stores of varying addresses, private variables, and what runs lane
// after lane.
#include "Emitter.h"

#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2gpu;

static unsigned alignmentOf(std::optional<uint64_t> stated, const DataLayout &dataLayout, Type type) {
  return stated ? unsigned(*stated) : unsigned(dataLayout.getTypeABIAlignment(type));
}

/// An alloca in the function's entry block.
Value Emitter::createAlloca(Location loc, Type type, uint64_t count, unsigned align) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&func.getBody().front());
  Value number = constant(loc, builder.getI64Type(), int64_t(count));
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, number, align);
}

/// A lane's local variable: one for each lane of a vector, side by side, or element by element.
void Emitter::emitAlloca(LLVM::AllocaOp op) {
  Location loc = op.getLoc();
  if (const PrivateArrays::Array *array = arrays.find(op)) {
    Value rows = createAlloca(loc, LLVM::LLVMArrayType::get(builder.getI8Type(), array->size), length, 64);
    places[op] = {rows, array->granule, array->size, constant(loc, builder.getI64Type(), 0)};
    return;
  }
  APInt count;
  matchPattern(op.getArraySize(), m_ConstantInt(&count));
  auto type = LLVM::LLVMArrayType::get(op.getElemType(), count.getZExtValue());
  unsigned align = std::max<unsigned>(op.getAlignment().value_or(1), dataLayout.getTypeABIAlignment(type));
  uint64_t size = llvm::alignTo(storeSize(dataLayout, type), align);
  Value variables = createAlloca(loc, LLVM::LLVMArrayType::get(builder.getI8Type(), size), length, align);
  define(op, offset(loc, variables, laneNumbers(loc, builder.getI64Type()), size));
}

void Emitter::emitLoad(LLVM::LoadOp op) {
  Location loc = op.getLoc();
  if (Place place = placeOf(op.getAddr()))
    return define(op, loadPrivate(loc, op.getType(), place));
  if (!varies(op.getAddr())) {
    IRMapping mapping;
    mapping.map(op.getAddr(), scalar(op.getAddr()));
    return define(op, builder.clone(*op, mapping)->getResult(0));
  }
  if (Value loaded = loadFromFrames(op))
    return define(op, loaded);
  define(op, gather(loc, op.getType(), scalar(op.getAddr()), mask,
                    alignmentOf(op.getAlignment(), dataLayout, op.getType())));
}

void Emitter::emitStore(LLVM::StoreOp op) {
  Location loc = op.getLoc();
  if (Place place = placeOf(op.getAddr()))
    return storePrivate(loc, vector(op.getValue()), place);
  if (!varies(op.getAddr()) && !varies(op.getValue())) {
    IRMapping mapping;
    mapping.map(op.getAddr(), scalar(op.getAddr()));
    mapping.map(op.getValue(), scalar(op.getValue()));
    builder.clone(*op, mapping);
    return;
  }
  if (storeToFrames(op) || storeJoined(op))
    return;
  unsigned align = alignmentOf(op.getAlignment(), dataLayout, op.getValue().getType());
  scatter(loc, vector(op.getValue()), vector(op.getAddr()), mask, align);
}

Value Emitter::gather(Location loc, Type element, Value pointers, Value lanes, unsigned align) {
  if (!hasMasks())
    return loadEach(loc, element, pointers, lanes, align);
  if (auto integer = dyn_cast<IntegerType>(element); integer && integer.getWidth() < 32)
    return gatherNarrow(loc, integer, pointers, lanes);
  return LLVM::masked_gather::create(builder, loc, vectorOf(element), pointers, lanes, ValueRange(),
                                     builder.getI32IntegerAttr(align));
}

/// There are no gathers of bytes and 16-bit words. The aligned 32-bit word
/// around a byte can always be read; of two bytes that need not be aligned,
/// each is got by itself.
Value Emitter::gatherNarrow(Location loc, IntegerType element, Value pointers, Value lanes) {
  Type i64 = vectorOf(builder.getI64Type()), i32 = vectorOf(builder.getI32Type());
  auto byteAt = [&](uint64_t displacement) -> Value {
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointers);
    if (displacement)
      address = LLVM::AddOp::create(builder, loc, address, splatConstant(loc, builder.getI64Type(), displacement));
    Value word = LLVM::AndOp::create(builder, loc, address, splatConstant(loc, builder.getI64Type(), -4));
    word = LLVM::IntToPtrOp::create(builder, loc, pointers.getType(), word);
    Value loaded =
        LLVM::masked_gather::create(builder, loc, i32, word, lanes, ValueRange(), builder.getI32IntegerAttr(4));
    Value within = LLVM::TruncOp::create(builder, loc, i32, address);
    within = LLVM::AndOp::create(builder, loc, within, splatConstant(loc, builder.getI32Type(), 3));
    within = LLVM::ShlOp::create(builder, loc, within, splatConstant(loc, builder.getI32Type(), 3));
    return LLVM::LShrOp::create(builder, loc, loaded, within);
  };
  Value value = byteAt(0);
  if (element.getWidth() > 8) {
    Value low = LLVM::AndOp::create(builder, loc, value, splatConstant(loc, builder.getI32Type(), 255));
    Value high = LLVM::ShlOp::create(builder, loc, byteAt(1), splatConstant(loc, builder.getI32Type(), 8));
    value = LLVM::OrOp::create(builder, loc, low, high);
  }
  return LLVM::TruncOp::create(builder, loc, vectorOf(element), value);
}

void Emitter::scatter(Location loc, Value values, Value pointers, Value lanes, unsigned align) {
  Type element = cast<VectorType>(values.getType()).getElementType();
  auto integer = dyn_cast<IntegerType>(element);
  if (!hasMasks() || (integer && integer.getWidth() < 32)) {
    // No scatter of narrow values either.
    Value spilledValues = spill(loc, values), spilledPointers = spill(loc, pointers);
    forEachLane(loc, lanes, [&](Value lane) {
      Value pointer = laneOf(loc, spilledPointers, cast<VectorType>(pointers.getType()).getElementType(), lane);
      LLVM::StoreOp::create(builder, loc, laneOf(loc, spilledValues, element, lane), pointer, align);
    });
    return;
  }
  LLVM::masked_scatter::create(builder, loc, values, pointers, lanes, builder.getI32IntegerAttr(align));
}

/// Stores words[i] to the i-th word from each lane's pointer on, two at a time: that takes half the time of two
/// scatters, and no longer than one. Nothing is known about the pointers' alignment.
void Emitter::scatterWords(Location loc, ArrayRef<Value> words, Value pointers, Value lanes) {
  constexpr unsigned kWord = 8, kGroup = 8;
  Type i64 = builder.getI64Type();
  auto pairType = VectorType::get({2}, i64);
  unsigned group = std::min(length, kGroup);
  Value nowhere = createAlloca(loc, pairType, 1, 16);
  for (unsigned word = 0; word < words.size(); word += 2) {
    Value to = word ? offset(loc, pointers, splatConstant(loc, i64, word * kWord), 1) : pointers;
    if (word + 1 == words.size())
      return scatter(loc, words[word], to, lanes, 1);
    Value safe = select(loc, lanes, to, splat(loc, nowhere));
    for (unsigned first = 0; first < length; first += group) {
      Value low = lanesOf(loc, words[word], first, group), high = lanesOf(loc, words[word + 1], first, group);
      // Lanes 0, 2, ... and 1, 3, ..., each with both of its words.
      std::array<SmallVector<int32_t>, 2> indices;
      for (unsigned lane = 0; lane < group; ++lane)
        indices[lane % 2].append({int32_t(lane), int32_t(group + lane)});
      std::array<Value, 2> pairs;
      for (unsigned i : {0u, 1u})
        pairs[i] = LLVM::ShuffleVectorOp::create(builder, loc, low, high, indices[i]);
      for (unsigned lane = 0; lane < group; ++lane) {
        Value pointer =
            LLVM::ExtractElementOp::create(builder, loc, safe, constant(loc, builder.getI32Type(), first + lane));
        int32_t at = lane / 2 * 2;
        Value pair = LLVM::ShuffleVectorOp::create(builder, loc, pairs[lane % 2], pairs[lane % 2],
                                                   ArrayRef<int32_t>{at, at + 1});
        LLVM::StoreOp::create(builder, loc, pair, pointer, /*alignment=*/1);
      }
    }
  }
}

/// From where an address is a constant away, and how far.
static std::pair<Value, int64_t> baseOf(Value address, const DataLayout &dataLayout) {
  int64_t distance = 0;
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    std::optional<SmallVector<AddressTerm>> terms = displacement(gep, dataLayout);
    if (!terms || llvm::any_of(*terms, [](const AddressTerm &term) { return bool(term.index); }))
      break;
    for (const AddressTerm &term : *terms)
      distance += term.stride;
    address = gep.getBase();
  }
  return {address, distance};
}

/// The store of a word behind the one that `op` stores, if nothing between them touches memory; else null.
LLVM::StoreOp Emitter::nextWord(LLVM::StoreOp op) const {
  auto isWord = [&](LLVM::StoreOp store) {
    Type type = store.getValue().getType();
    return (type.isInteger(64) || type.isF64() || isa<LLVM::LLVMPointerType>(type)) && varies(store.getAddr()) &&
           !store.getVolatile_() && store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  };
  if (!isWord(op))
    return {};
  Operation *next = op->getNextNode();
  while (isElementwise(next) || isa<LLVM::GEPOp, LLVM::ConstantOp>(next))
    next = next->getNextNode();
  auto store = dyn_cast<LLVM::StoreOp>(next);
  if (!store || !isWord(store) || framePartOf(store.getAddr(), /*size=*/8, /*isStore=*/true))
    return {};
  auto [base, distance] = baseOf(op.getAddr(), dataLayout);
  auto [nextBase, nextDistance] = baseOf(store.getAddr(), dataLayout);
  return base == nextBase && nextDistance == distance + 8 ? store : LLVM::StoreOp();
}

/// A store of a word with others beside it, or of one of several words of a frame's field; false if it is none.
bool Emitter::storeJoined(LLVM::StoreOp op) {
  if (!hasMasks())
    return false;
  bool isMore = bool(nextWord(op));
  if (isMore || !joined.empty())
    joined.push_back(op);
  if (isMore)
    return true;
  SmallVector<LLVM::StoreOp> stores = std::exchange(joined, {});
  if (stores.empty())
    stores.push_back(op);
  Location loc = op.getLoc();
  FramePart part = framePartOf(stores.front().getAddr(), /*size=*/8, /*isStore=*/false);
  bool inFrames = part && part.words > 1;
  if (!inFrames && stores.size() == 1)
    return false;
  if (storeSize(dataLayout, op.getValue().getType()) != 8)
    return false;
  Value pointers = vector(stores.front().getAddr());
  auto words =
      llvm::map_to_vector(stores, [&](LLVM::StoreOp store) { return integers(loc, vector(store.getValue())); });
  if (inFrames)
    whereElse(
        loc, part.run->holds, [&] { storeWords(loc, words, part); }, [&] { scatterWords(loc, words, pointers, mask); });
  else
    scatterWords(loc, words, pointers, mask);
  return true;
}

/// Memory that holds a vector's elements one after the other, for access with a
/// lane's number.
Value Emitter::spill(Location loc, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Value memory = createAlloca(loc, type, 1, 64);
  LLVM::StoreOp::create(builder, loc, vector, memory);
  return memory;
}

Value Emitter::laneOf(Location loc, Value spilled, Type element, Value lane) {
  uint64_t size = storeSize(dataLayout, element);
  return LLVM::LoadOp::create(builder, loc, element, offset(loc, spilled, lane, size));
}

//===-- Lane after lane
//-----------------------------------------------------------------------------------------===//

/// Runs the operation once for each active lane, in order.
void Emitter::emitPerLane(Operation *op) {
  Location loc = op->getLoc();
  // A function of what all lanes share.
  if (op->getNumResults() && llvm::none_of(op->getResults(), [&](Value result) { return varies(result); })) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, scalar(operand));
    for (auto [result, copied] : llvm::zip_equal(op->getResults(), builder.clone(*op, mapping)->getResults()))
      define(result, copied);
    return;
  }
  llvm::MapVector<Value, Value> spilled;
  for (Value operand : op->getOperands())
    if (varies(operand) && !spilled.count(operand))
      spilled[operand] = spill(loc, widened(loc, scalar(operand)));
  SmallVector<Value> results;
  for (Value result : op->getResults())
    results.push_back(createAlloca(loc, vectorOf(storedType(result.getType())), 1, 64));
  forEachLane(loc, mask, [&](Value lane) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (!varies(operand))
        mapping.map(operand, scalar(operand));
    for (auto [operand, memory] : spilled) {
      Value stored = laneOf(loc, memory, storedType(operand.getType()), lane);
      mapping.map(operand, narrowed(loc, stored, operand.getType()));
    }
    Operation *copy = builder.clone(*op, mapping);
    for (auto [result, memory] : llvm::zip_equal(copy->getResults(), results)) {
      Value stored = widened(loc, result);
      uint64_t size = storeSize(dataLayout, stored.getType());
      LLVM::StoreOp::create(builder, loc, stored, offset(loc, memory, lane, size));
    }
  });
  for (auto [result, memory] : llvm::zip_equal(op->getResults(), results)) {
    Value loaded = LLVM::LoadOp::create(builder, loc, vectorOf(storedType(result.getType())), memory);
    define(result, narrowed(loc, loaded, vectorOf(result.getType())));
  }
}

/// A function of a vector library, for as many lanes at a time as it takes; false if `call` is none. Lanes that are not
/// active ask for the value at 1, which is computed fast everywhere.
bool Emitter::emitVectorMath(LLVM::CallOp call) {
  StringRef callee = call.getCallee().value_or("");
  if (!callee.consume_front(lane::kMathPrefix))
    return false;
  Location loc = call.getLoc();
  auto [lanes, name] = callee.split('.');
  int64_t count = 0;
  lanes.getAsInteger(10, count);
  Type element = call.getResult().getType();
  auto type = VectorType::get({count}, element);
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    SmallVector<Type> operands(call.getArgOperands().size(), type);
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(top, module.getLoc(), name, LLVM::LLVMFunctionType::get(type, operands));
    function.setNoUnwind(true);
  }
  auto whole = cast<VectorType>(vectorOf(element));
  Value ones = LLVM::ConstantOp::create(
      builder, loc, whole, SplatElementsAttr::get(whole, cast<Attribute>(builder.getFloatAttr(element, 1))));
  SmallVector<Value> operands;
  for (Value operand : call.getArgOperands())
    operands.push_back(select(loc, mask, varies(operand) ? scalar(operand) : splat(loc, scalar(operand)), ones));
  Value result = poison(loc, whole);
  for (int64_t first = 0; first < length; first += count) {
    SmallVector<Value> parts;
    for (Value operand : operands)
      parts.push_back(lanesOf(loc, operand, first, count));
    Value part = LLVM::CallOp::create(builder, loc, function, parts).getResult();
    result = length == count  ? part
             : length < count ? lanesOf(loc, part, 0, length)
                              : LLVM::vector_insert::create(builder, loc, result, part, first).getResult();
  }
  if (!varies(call.getResult()))
    result =
        LLVM::ExtractElementOp::create(builder, loc, result,
                                       LLVM::CountTrailingZerosOp::create(builder, loc, builder.getIntegerType(length),
                                                                          bitsOf(loc, mask), /*is_zero_poison=*/true));
  define(call.getResult(), result);
  return true;
}

/// A function that runs for the active lanes at once; false if `call` is of none, or for all lanes the same.
bool Emitter::emitCloneCall(LLVM::CallOp call) {
  LLVM::LLVMFuncOp source = call.getCallee() ? clones.sourceOf(*call.getCallee(), vectorIsa) : nullptr;
  bool hasResult = call.getNumResults() != 0;
  if (!source || source.getNumArguments() != call.getArgOperands().size() || (hasResult && !varies(call.getResult())))
    return false;
  Location loc = call.getLoc();
  SmallVector<Value> operands{bitsOf(loc, mask)};
  SmallVector<bool> varying;
  for (Value operand : call.getArgOperands()) {
    varying.push_back(varies(operand));
    operands.push_back(widened(loc, scalar(operand)));
  }
  Type result = hasResult ? storedType(vectorOf(call.getResult().getType()))
                          : Type(LLVM::LLVMVoidType::get(builder.getContext()));
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(ValueRange(operands).getTypes()));
  auto made = LLVM::CallOp::create(builder, loc, clones.get(source, varying, length, vectorIsa, type), operands);
  if (hasResult)
    define(call.getResult(), narrowed(loc, made.getResult(), vectorOf(call.getResult().getType())));
  return true;
}

/// `count` lanes of a vector from `first` on; undefined ones where it has no more.
Value Emitter::lanesOf(Location loc, Value vector, int64_t first, int64_t count) {
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  if (size == count)
    return vector;
  SmallVector<int32_t> indices;
  for (int64_t lane = first; lane < first + count; ++lane)
    indices.push_back(lane < size ? int32_t(lane) : -1);
  return LLVM::ShuffleVectorOp::create(builder, loc, vector, vector, indices);
}

/// The type in which a value lies in memory lane by lane, and in columns: integers take a power of two of bytes.
Type Emitter::storedType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(storedType(vector.getElementType()));
  bool isNarrow = type.isInteger() && type.getIntOrFloatBitWidth() <= 64;
  return isNarrow ? builder.getIntegerType(8 * columnSize(dataLayout, type)) : type;
}

Value Emitter::widened(Location loc, Value value) {
  Type stored = storedType(value.getType());
  return stored == value.getType() ? value : LLVM::ZExtOp::create(builder, loc, stored, value).getResult();
}

Value Emitter::narrowed(Location loc, Value value, Type type) {
  return value.getType() == type ? value : LLVM::TruncOp::create(builder, loc, type, value).getResult();
}
