// Keeps counts of elements and frames in scalar kernels in variables of the loop over the lanes. Each count is read
// from its record before the loop and written back after it. With the counts in memory, a lane would load and store
// them several times. Each lane would also wait for the lane before it, because as far as LLVM can see, any store of a
// task might change a record. A lane function gets the addresses of variables and counts as further parameters. When it
// is inlined, the variables become registers.
#include "LaneVariables.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace mlir;
using namespace cilk2gpu;

static void copyWord(OpBuilder &builder, Location loc, Value from, Value to) {
  LLVM::StoreOp::create(builder, loc, LLVM::LoadOp::create(builder, loc, builder.getI64Type(), from), to);
}

/// Makes an access of a record's count use the variable.
static void redirect(Operation *access, Value variable) {
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    load.getAddrMutable().assign(variable);
  else
    cast<LLVM::StoreOp>(access).getAddrMutable().assign(variable);
}

/// Returns the counts with the most accesses, at most as many as there are registers. A kernel may have a channel for
/// each of hundreds of syncs. Each variable adds code to every path.
static SmallVector<CountAddress> busiestCounts(ArrayRef<CountAccess> accesses) {
  constexpr size_t kMostCounts = 16;
  llvm::MapVector<CountAddress, unsigned, std::map<CountAddress, unsigned>> uses;
  for (const CountAccess &access : accesses)
    ++uses[access.count];
  SmallVector<CountAddress> counts(llvm::make_first_range(uses));
  if (counts.size() <= kMostCounts)
    return counts;
  llvm::sort(counts,
             [&](const CountAddress &a, const CountAddress &b) { return std::tie(uses[b], a) < std::tie(uses[a], b); });
  counts.truncate(kMostCounts);
  return counts;
}

LaneCounts::LaneCounts(LLVM::LLVMFuncOp lane, ArrayRef<CountAccess> accesses, ArrayRef<CountExtension> extensions)
    : counts(busiestCounts(accesses)) {
  SmallVector<Type> params(lane.getFunctionType().getParams());
  Type pointer = LLVM::LLVMPointerType::get(lane.getContext());
  Block &entry = lane.getBody().front();
  std::map<CountAddress, std::pair<Value, Value>> variables; // and the addresses of the counts in their records
  for (const CountAddress &count : counts) {
    params.append(2, pointer);
    Value variable = entry.addArgument(pointer, lane.getLoc());
    variables[count] = {variable, entry.addArgument(pointer, lane.getLoc())};
  }
  lane.setFunctionType(LLVM::LLVMFunctionType::get(lane.getFunctionType().getReturnType(), params));
  for (auto [access, count] : accesses)
    if (auto found = variables.find(count); found != variables.end())
      redirect(access, found->second.first);
  // The runtime reads and changes counts in their records.
  for (auto [call, count] : extensions) {
    auto found = variables.find(count);
    if (found == variables.end())
      continue;
    auto [variable, address] = found->second;
    OpBuilder builder(call);
    copyWord(builder, call.getLoc(), variable, address);
    builder.setInsertionPointAfter(call);
    copyWord(builder, call.getLoc(), address, variable);
  }
}

static Value addressAt(OpBuilder &builder, Location loc, Value base, uint64_t offset) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

SmallVector<Value> LaneCounts::createVariables(OpBuilder &builder, Location loc, Value wave) const {
  SmallVector<Value> variables;
  auto pointerAt = [&](Value base, uint64_t offset) {
    return LLVM::LoadOp::create(builder, loc, pointerType(builder), addressAt(builder, loc, base, offset)).getResult();
  };
  for (const CountAddress &count : counts) {
    Value record = pointerAt(wave, count.inWave);
    if (count.isInTable)
      record = pointerAt(record, 8 * count.entry);
    Value address = addressAt(builder, loc, record, count.inRecord);
    Value variable = createLocal(builder.getInsertionBlock()->getParent()->front(), builder.getI64Type(), loc);
    copyWord(builder, loc, address, variable);
    variables.append({variable, address});
  }
  return variables;
}

void LaneCounts::flush(OpBuilder &builder, Location loc, ValueRange variables) const {
  for (unsigned i = 0; i < variables.size(); i += 2)
    copyWord(builder, loc, variables[i], variables[i + 1]);
}
