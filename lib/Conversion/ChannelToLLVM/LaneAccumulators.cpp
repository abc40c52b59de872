// Lowers accumulations in scalar kernels. Most lanes share one accumulator. They fold into a variable of the loop over
// the lanes. The variable updates memory when the accumulator changes, and at the end of the loop. A lane function gets
// the variables' addresses as further parameters. When it is inlined, the variables become registers.
#include "LaneVariables.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/Folds.h"
#include <map>

using namespace mlir;
using namespace cilk2gpu;

// if (*current == accumulator) *sum = *sum o value
// else { if (*current) update(*current, *sum); *current = accumulator; *sum = value }
void LaneAccumulators::lower(LLVM::AtomicRMWOp update, Value current, Value sum) {
  Location loc = update.getLoc();
  OpBuilder builder(update);
  Value value = update.getVal(), accumulator = update.getPtr();
  Block *before = update->getBlock(), *after = before->splitBlock(update);
  Block *same = builder.createBlock(after), *change = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  Value held = LLVM::LoadOp::create(builder, loc, pointerType(builder), current);
  Value isSame = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, held, accumulator);
  LLVM::CondBrOp::create(builder, loc, isSame, same, change);
  builder.setInsertionPointToEnd(same);
  Value old = LLVM::LoadOp::create(builder, loc, value.getType(), sum);
  LLVM::StoreOp::create(builder, loc, createFold(builder, loc, update.getBinOp(), old, value), sum);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(change);
  flush(builder, loc, {update.getBinOp(), value.getType()}, current, sum);
  LLVM::StoreOp::create(builder, loc, accumulator, current);
  LLVM::StoreOp::create(builder, loc, value, sum);
  LLVM::BrOp::create(builder, loc, after);
  update.erase();
}

/// if (*current) update(*current, *sum). Leaves the insertion point behind this code.
void LaneAccumulators::flush(OpBuilder &builder, Location loc, const Entry &entry, Value current, Value sum) {
  Value held = LLVM::LoadOp::create(builder, loc, pointerType(builder), current);
  Value null = LLVM::ZeroOp::create(builder, loc, pointerType(builder));
  Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, held, null);
  Block *before = builder.getInsertionBlock();
  Block *after = builder.createBlock(before->getParent(), std::next(before->getIterator()));
  Block *update = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isNull, after, update);
  builder.setInsertionPointToEnd(update);
  Value value = LLVM::LoadOp::create(builder, loc, entry.type, sum);
  LLVM::AtomicRMWOp::create(builder, loc, entry.kind, held, value, LLVM::AtomicOrdering::monotonic);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(after);
}

LaneAccumulators::LaneAccumulators(LLVM::LLVMFuncOp lane) {
  SmallVector<LLVM::AtomicRMWOp> updates;
  lane.walk([&](LLVM::AtomicRMWOp update) {
    if (update->hasAttr(cilk::kAccumulateAttr))
      updates.push_back(update);
  });
  SmallVector<Type> params(lane.getFunctionType().getParams());
  Block &entry = lane.getBody().front();
  Type pointer = LLVM::LLVMPointerType::get(lane.getContext());
  // A task that accumulates in many places usually does so in one accumulator. Each variable adds code to every path,
  // so in such a task all places with the same operation share one variable.
  constexpr size_t kMostVariables = 8;
  bool share = updates.size() > kMostVariables;
  std::map<std::tuple<LLVM::AtomicBinOp, const void *, size_t>, std::pair<Value, Value>> variables;
  for (auto [index, update] : llvm::enumerate(updates)) {
    auto &[current, sum] =
        variables[{update.getBinOp(), update.getVal().getType().getAsOpaquePointer(), share ? 0 : index}];
    if (!current) {
      entries.push_back({update.getBinOp(), update.getVal().getType()});
      params.append(2, pointer);
      current = entry.addArgument(pointer, update.getLoc());
      sum = entry.addArgument(pointer, update.getLoc());
    }
    lower(update, current, sum);
  }
  lane.setFunctionType(LLVM::LLVMFunctionType::get(lane.getFunctionType().getReturnType(), params));
}

SmallVector<Value> LaneAccumulators::createVariables(OpBuilder &builder, Location loc) const {
  SmallVector<Value> variables;
  for (const Entry &entry : entries) {
    Block &block = builder.getInsertionBlock()->getParent()->front();
    Value current = createLocal(block, pointerType(builder), loc), sum = createLocal(block, entry.type, loc);
    LLVM::StoreOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, pointerType(builder)), current);
    variables.append({current, sum});
  }
  return variables;
}

void LaneAccumulators::flush(OpBuilder &builder, Location loc, ValueRange variables) const {
  for (auto [index, entry] : llvm::enumerate(entries))
    flush(builder, loc, entry, variables[2 * index], variables[2 * index + 1]);
}
