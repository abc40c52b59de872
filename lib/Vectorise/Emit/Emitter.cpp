// See Emitter.h.
#include "Emitter.h"

#include "Vectorise/Analysis/Elementwise.h"
#include "cilk2gpu/abi/BlockRecords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cilk2gpu;

Emitter::Emitter(EmitState &state, ArrayRef<uint64_t> frameColumns, VectorClones &clones)
    : BranchEmitter(state), unmasked(state), laneMemory(state, unmasked), privates(state, unmasked, laneMemory),
      frames(state, laneMemory, frameColumns), rows(state, laneMemory),
      memory(state, laneMemory, privates, frames, rows), calls(state, clones), elementwise(state), accumulators(state),
      refusals(state, privates, frames), laneOps(state, unmasked, laneMemory, frames, refusals, accumulators) {}

//===-- The wavefront function ------------------------------------------------------------------------------------===//

// for (base = 0; base < wave->lanes; base += length) body of lanes base .. base + length
LLVM::LLVMFuncOp Emitter::emit(StringRef name) {
  Location loc = lane.getLoc();
  builder.setInsertionPointAfter(lane);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  func = LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(none, {pointer}));
  Block *entry = func.addEntryBlock(builder);
  Block *head = builder.createBlock(&func.getBody(), func.getBody().end(), {builder.getI64Type()}, {loc});
  Block *exit = builder.createBlock(&func.getBody(), func.getBody().end());
  builder.setInsertionPointToEnd(entry);
  emitPrologue(func);
  Value lanes = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(),
                                     loadAt(loc, builder.getI32Type(), wave.wave, offsetof(abi::Wave, lanes)));
  prologueEnd = LLVM::BrOp::create(builder, loc, ValueRange(constant(loc, builder.getI64Type(), 0)), head);

  builder.setInsertionPointToEnd(head);
  base = head->getArgument(0);
  remaining = LLVM::SubOp::create(builder, loc, lanes, base);
  mask = blockMask = emitBlockMask(loc);
  emitBodies();
  Value next = LLVM::AddOp::create(builder, loc, base, constant(loc, builder.getI64Type(), length));
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, lanes);
  LLVM::CondBrOp::create(builder, loc, more, head, ValueRange(next), exit, ValueRange());
  builder.setInsertionPointToEnd(exit);
  accumulators.flushAll(loc);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return func;
}

// for (first = 0; first < threads; first += length) body of threads first .. first + length
// or, with barriers: body of threads place->thread[0] .. place->thread[0] + length
LLVM::LLVMFuncOp Emitter::emitRow(StringRef name) {
  Location loc = lane.getLoc();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  bool waits = lane.walk([](lane::BarrierOp) { return WalkResult::interrupt(); }).wasInterrupted();
  builder.setInsertionPointAfter(lane);
  func = LLVM::LLVMFuncOp::create(builder, loc, name, lane.getFunctionType());
  Block *entry = func.addEntryBlock(builder);
  Block *head = builder.createBlock(&func.getBody(), func.getBody().end(), {i64}, {loc});
  Block *exit = builder.createBlock(&func.getBody(), func.getBody().end());
  builder.setInsertionPointToEnd(entry);
  for (auto [argument, given] : llvm::zip_equal(lane.getArguments(), entry->getArguments()))
    define(argument, given);
  row.place = entry->getArgument(0);
  row.y = entry->getArgument(3);
  row.z = entry->getArgument(4);
  Value threads = entry->getArgument(1), rows = entry->getArgument(2);
  Value isOneRow = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, rows, constant(loc, i32, 1));
  Value fits = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule, threads, constant(loc, i32, length));
  row.isAlone = LLVM::AndOp::create(builder, loc, isOneRow, fits);
  Value first = waits ? loadAt(loc, i32, row.place, offsetof(abi::BlockPlace, thread)) : constant(loc, i32, 0);
  first = LLVM::ZExtOp::create(builder, loc, i64, first);
  threads = LLVM::ZExtOp::create(builder, loc, i64, threads);
  prologueEnd = LLVM::BrOp::create(builder, loc, ValueRange(first), head);

  builder.setInsertionPointToEnd(head);
  emitVectorOfRow(head->getArgument(0), threads);
  if (waits) {
    LLVM::BrOp::create(builder, loc, exit);
  } else {
    Value next = LLVM::AddOp::create(builder, loc, base, constant(loc, i64, length));
    Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, threads);
    LLVM::CondBrOp::create(builder, loc, more, head, ValueRange(next), exit, ValueRange());
  }
  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return func;
}

/// Emits the body for the vector that begins with thread `first` of the row.
void Emitter::emitVectorOfRow(Value first, Value threads) {
  Location loc = lane.getLoc();
  base = first;
  row.firstThread = LLVM::TruncOp::create(builder, loc, builder.getI32Type(), base);
  remaining = LLVM::SubOp::create(builder, loc, threads, base);
  mask = blockMask = emitBlockMask(loc);
  emitBlock(lane.getBody().front());
}

void Emitter::emitClone(LLVM::LLVMFuncOp clone) {
  Location loc = lane.getLoc();
  func = clone;
  func->setLoc(loc);
  Block *entry = func.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  mask = LLVM::BitcastOp::create(builder, loc, vectorOf(builder.getI1Type()), entry->getArgument(0));
  for (auto [argument, given] : llvm::zip_equal(lane.getArguments(), entry->getArguments().drop_front()))
    define(argument, narrowed(loc, given, typeOf(argument)));
  Block &body = lane.getBody().front();
  emitBlock(body);
  SmallVector<Value> results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(widened(loc, vector(result)));
  LLVM::ReturnOp::create(builder, loc, results);
}

/// Emits the mask of the lanes that exist in the block. Without mask registers, the comparison is in lanes that fill
/// one register.
Value Emitter::emitBlockMask(Location loc) {
  Value count = LLVM::UMinOp::create(builder, loc, remaining, constant(loc, builder.getI64Type(), length));
  if (hasMasks())
    return firstLanes(loc, count, length);
  Type number = builder.getIntegerType(std::clamp(vectorIsa.bits / length, 8u, 64u));
  count = narrowed(loc, count, number);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, laneNumbers(loc, number), splat(loc, count));
}

void Emitter::addAgreement(ArrayRef<lane::DeqOp> fields, const Divergence &agreed) {
  agreedFields.assign(fields.begin(), fields.end());
  agreedDivergence = &agreed;
}

/// Emits a test that the block's lanes have the same value in each field of the agreement.
Value Emitter::emitAgreement(Location loc) {
  Value differ = splatConstant(loc, builder.getI1Type(), 0);
  llvm::SmallDenseSet<unsigned> seen;
  for (lane::DeqOp field : agreedFields) {
    if (!seen.insert(field.getField()).second)
      continue;
    Value values = laneOps.loadField(loc, field.getType(), field.getField());
    Value first = LLVM::ExtractElementOp::create(builder, loc, values, constant(loc, builder.getI32Type(), 0));
    Value other = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, values, splat(loc, first));
    differ = select(loc, differ, differ, maskAnd(loc, mask, other));
  }
  return any(loc, differ);
}

/// Emits the body for a block of lanes. With an agreement, emits it twice: for blocks that keep the agreement, and for
/// others.
void Emitter::emitBodies() {
  Block &body = lane.getBody().front();
  if (!agreedDivergence)
    return emitBlock(body);
  Location loc = lane.getLoc();
  Value differ = emitAgreement(loc);
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  Block *together = builder.createBlock(join);
  const Divergence *general = std::exchange(divergence, agreedDivergence);
  emitBlock(body);
  LLVM::BrOp::create(builder, loc, join);
  divergence = general;
  mask = blockMask;
  Block *apart = builder.createBlock(join);
  emitBlock(body);
  LLVM::BrOp::create(builder, loc, join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, differ, apart, ValueRange(), together, ValueRange(), std::make_pair(1, 30));
  builder.setInsertionPointToEnd(join);
}

void Emitter::emitPrologue(LLVM::LLVMFuncOp func) {
  Location loc = lane.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  wave.wave = func.getBody().front().getArgument(0);
  wave.first = loadAt(loc, builder.getI64Type(), wave.wave, offsetof(abi::Wave, first));
  wave.restarts = loadAt(loc, pointer, wave.wave, offsetof(abi::Wave, restarts));
  wave.frames = loadAt(loc, pointer, wave.wave, offsetof(abi::Wave, frames));
}

void Emitter::emitBlock(Block &block) {
  if (SmallVector<Operation *> refusal = refusals.findRefusal(block); !refusal.empty())
    return refusals.emitRefusal(block, refusal, [&](Operation *op) { emitOp(op); });
  for (Operation &op : block.without_terminator())
    emitOp(&op);
}

void Emitter::emitOp(Operation *op) {
  if (isa<scf::IfOp>(op))
    return emitIf(op);
  if (isa<scf::IndexSwitchOp>(op))
    return emitSwitch(op);
  if (isa<scf::WhileOp>(op))
    return emitLoop(op);
  if (auto alloca = dyn_cast<LLVM::AllocaOp>(op))
    return memory.emitAlloca(alloca);
  if (auto load = dyn_cast<LLVM::LoadOp>(op); load && load.getOrdering() == LLVM::AtomicOrdering::not_atomic)
    return memory.emitLoad(load);
  if (auto store = dyn_cast<LLVM::StoreOp>(op); store && store.getOrdering() == LLVM::AtomicOrdering::not_atomic)
    return memory.emitStore(store);
  if (isa_and_nonnull<lane::LaneDialect>(op->getDialect()))
    return laneOps.emitLaneOp(op);
  if (auto call = dyn_cast<LLVM::CallOp>(op); call && (calls.emitVectorMath(call) || calls.emitCloneCall(call)))
    return;
  if (isa<arith::IndexCastUIOp>(op))
    return; // emitSwitch uses its operand
  if (auto gep = dyn_cast<LLVM::GEPOp>(op); gep && privates.emitPrivateAddress(gep))
    return;
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op); copy && privates.emitPrivateCopy(copy))
    return;
  if (auto fill = dyn_cast<LLVM::MemsetOp>(op); fill && privates.emitPrivateFill(fill))
    return;
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op); compare && rows.emitCompare(compare))
    return;
  if (isElementwise(op))
    return elementwise.emitElementwise(op);
  calls.emitPerLane(op);
}

/// Returns the emitted operands. An operand is a vector if the value of `shape` at the same position varies, else a
/// scalar.
SmallVector<Value> Emitter::operandsAs(ValueRange operands, ValueRange shape) {
  SmallVector<Value> result;
  for (auto [operand, like] : llvm::zip_equal(operands, shape))
    result.push_back(varies(like) ? vector(operand) : scalar(operand));
  return result;
}

//===-- Branches --------------------------------------------------------------------------------------------------===//

void Emitter::emitIf(Operation *op) {
  auto ifOp = cast<scf::IfOp>(op);
  Location loc = op->getLoc();
  if (varies(ifOp.getCondition())) {
    Value condition = vector(ifOp.getCondition());
    std::pair<Value, Region *> sides[] = {{maskAnd(loc, mask, condition), &ifOp.getThenRegion()},
                                          {maskAndNot(loc, mask, condition), &ifOp.getElseRegion()}};
    return emitVaryingSides(op, sides);
  }
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  for (Value result : op->getResults())
    define(result, join->addArgument(typeOf(result), loc));
  Block *starts[2];
  for (auto [index, region] : llvm::enumerate(op->getRegions())) {
    starts[index] = builder.createBlock(join);
    emitBlock(region.front());
    LLVM::BrOp::create(builder, loc, operandsAs(region.front().getTerminator()->getOperands(), op->getResults()), join);
  }
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, scalar(ifOp.getCondition()), starts[0], starts[1]);
  builder.setInsertionPointToEnd(join);
}

/// Returns the integer that an scf.index_switch tests.
static Value switchFlag(scf::IndexSwitchOp op) { return op.getArg().getDefiningOp<arith::IndexCastUIOp>().getIn(); }

void Emitter::emitSwitch(Operation *op) {
  auto switchOp = cast<scf::IndexSwitchOp>(op);
  Value flag = switchFlag(switchOp);
  if (!varies(flag))
    return emitUniformSwitch(op);
  Location loc = op->getLoc();
  SmallVector<std::pair<Value, Region *>> sides;
  Value rest = mask;
  for (auto [number, region] : llvm::zip_equal(switchOp.getCases(), switchOp.getCaseRegions())) {
    Value wanted = splatConstant(loc, flag.getType(), number);
    Value equal = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, vector(flag), wanted);
    sides.emplace_back(maskAnd(loc, mask, equal), &region);
    rest = maskAndNot(loc, rest, equal);
  }
  sides.emplace_back(rest, &switchOp.getDefaultRegion());
  emitVaryingSides(op, sides);
}

void Emitter::emitUniformSwitch(Operation *op) {
  auto switchOp = cast<scf::IndexSwitchOp>(op);
  Location loc = op->getLoc();
  Value flag = switchFlag(switchOp);
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  for (Value result : op->getResults())
    define(result, join->addArgument(typeOf(result), loc));
  auto emitRegion = [&](Region &region) {
    Block *start = builder.createBlock(join);
    emitBlock(region.front());
    LLVM::BrOp::create(builder, loc, operandsAs(region.front().getTerminator()->getOperands(), op->getResults()), join);
    return start;
  };
  Block *otherwise = emitRegion(switchOp.getDefaultRegion());
  SmallVector<Block *> targets;
  SmallVector<APInt> numbers;
  unsigned width = flag.getType().getIntOrFloatBitWidth();
  for (auto [number, region] : llvm::zip_equal(switchOp.getCases(), switchOp.getCaseRegions())) {
    targets.push_back(emitRegion(region));
    numbers.push_back(APInt(width, uint64_t(number)));
  }
  builder.setInsertionPointToEnd(from);
  SmallVector<ValueRange> noArguments(targets.size());
  LLVM::SwitchOp::create(builder, loc, scalar(flag), otherwise, ValueRange(), numbers, targets, noArguments);
  builder.setInsertionPointToEnd(join);
}

/// Emits each side under its mask, and blends the results.
void Emitter::emitVaryingSides(Operation *op, ArrayRef<std::pair<Value, Region *>> sides) {
  SmallVector<Value> blended;
  for (auto [sideMask, region] : sides) {
    SmallVector<Value> results = emitSide(op, *region, sideMask);
    bool isFirst = blended.empty();
    if (isFirst)
      blended = results;
    for (auto [index, result] : llvm::enumerate(op->getResults())) {
      Value yielded = region->front().getTerminator()->getOperand(index);
      if (varies(result))
        blended[index] = isFirst ? results[index] : select(op->getLoc(), sideMask, results[index], blended[index]);
      else if (!divergence->isPoison(yielded))
        blended[index] = uniformResult(op, yielded, results[index]);
    }
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), blended))
    define(result, value);
}

/// Returns the uniform result of several sides. It is the only yielded value that is not poison. If several sides yield
/// it, it is defined outside of them, and must be used directly: the joined value is poison if a side was skipped.
Value Emitter::uniformResult(Operation *op, Value yielded, Value joined) {
  return op->isAncestor(yielded.getParentBlock()->getParentOp()) ? joined : scalar(yielded);
}

/// Emits a region under a mask. The region is skipped if no lane is active. Returns the yielded values.
SmallVector<Value> Emitter::emitSide(Operation *op, Region &region, Value sideMask) {
  Operation *yield = region.front().getTerminator();
  Value outer = mask;
  if (isSpeculatable(region)) {
    mask = sideMask;
    emitBlock(region.front());
    mask = outer;
    return operandsAs(yield->getOperands(), op->getResults());
  }
  Location loc = op->getLoc();
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  SmallVector<Value> results, skipped;
  for (Value result : op->getResults())
    results.push_back(join->addArgument(typeOf(result), loc));
  Block *start = builder.createBlock(join);
  mask = sideMask;
  emitBlock(region.front());
  mask = outer;
  LLVM::BrOp::create(builder, loc, operandsAs(yield->getOperands(), op->getResults()), join);
  builder.setInsertionPointToEnd(from);
  for (Value result : results)
    skipped.push_back(poison(loc, result.getType()));
  LLVM::CondBrOp::create(builder, loc, any(loc, sideMask), start, ValueRange(), join, skipped);
  builder.setInsertionPointToEnd(join);
  return results;
}

//===-- Loops -----------------------------------------------------------------------------------------------------===//

// Emits do { arguments } while (condition), until no lane is active. If lanes leave in different iterations, each
// result keeps its value from the lane's last iteration.
void Emitter::emitLoop(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  Location loc = op->getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  bool diverges = varies(condition.getCondition());
  Value outer = mask;
  SmallVector<Value> init = operandsAs(loop.getInits(), loop.getBeforeArguments());
  Block *from = builder.getInsertionBlock();
  Block *body = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  for (Value argument : loop.getBeforeArguments())
    define(argument, body->addArgument(typeOf(argument), loc));
  SmallVector<Value> even; ///< arguments of which lane 0's value also goes around the loop
  for (auto [argument, value] : llvm::zip_equal(loop.getBeforeArguments(), loop.getInits()))
    if (rows.growsEvenly(argument)) {
      even.push_back(argument);
      builder.setInsertionPointToEnd(from);
      init.push_back(rows.firstOf(loc, value));
      rows.noteFirst(argument, body->addArgument(argument.getType(), loc));
    }
  SmallVector<Value> latches;
  if (diverges) {
    mask = body->addArgument(outer.getType(), loc);
    init.push_back(outer);
    for (Value result : loop.getResults()) {
      latches.push_back(varies(result) ? body->addArgument(typeOf(result), loc) : Value());
      builder.setInsertionPointToEnd(from);
      if (varies(result))
        init.push_back(poison(loc, typeOf(result)));
    }
  }
  builder.setInsertionPointToEnd(from);
  LLVM::BrOp::create(builder, loc, init, body);
  builder.setInsertionPointToEnd(body);
  emitBlock(*loop.getBeforeBody());

  SmallVector<Value> next = operandsAs(condition.getArgs(), loop.getBeforeArguments());
  for (auto [argument, value] : llvm::zip_equal(loop.getBeforeArguments(), condition.getArgs()))
    if (llvm::is_contained(even, argument))
      next.push_back(rows.firstOf(loc, value));
  Value again;
  if (diverges) {
    Value staying = maskAnd(loc, mask, vector(condition.getCondition()));
    next.push_back(staying);
    for (auto [latch, value] : llvm::zip_equal(latches, condition.getArgs()))
      if (latch)
        next.push_back(latch = select(loc, mask, vector(value), latch));
    again = any(loc, staying);
  } else {
    again = scalar(condition.getCondition());
  }
  Block *exit = builder.createBlock(&func.getBody(), std::next(builder.getInsertionBlock()->getIterator()));
  builder.setInsertionPointToEnd(exit->getPrevNode());
  LLVM::CondBrOp::create(builder, loc, again, body, next, exit, ValueRange());
  builder.setInsertionPointToEnd(exit);
  mask = outer;
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    Value last = condition.getArgs()[index];
    define(result, !varies(result) ? scalar(last) : diverges ? latches[index] : vector(last));
  }
}
