// See LaneCost.h. Weights are rough: a loop is taken for eight iterations.
#include "LaneCost.h"

#include "cilk2gpu/Vectorise/LaneOps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Weighs one kernel.
class LaneCost {
public:
  explicit LaneCost(Function &kernel) : kernel(kernel), dominators(kernel), loops(dominators) {}

  bool isWorthVectors();
  bool worksOnBytes();

private:
  uint64_t drawback(const Instruction &inst, bool inLoop);
  bool isPrivateRow(const Instruction &inst);
  bool isPrivate(const AllocaInst &local);
  uint64_t weight(const BasicBlock &block) const {
    return uint64_t(1) << (3 * std::min(loops.getLoopDepth(&block), 4u));
  }

  Function &kernel;
  DominatorTree dominators;
  LoopInfo loops;
  DenseMap<const AllocaInst *, bool> isPrivateArray;
};

} // namespace

static bool isLaneOp(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with(lane::kPrefix);
}

/// Whether all lanes surely access the same address.
static bool isUniformAddress(const Value *address) { return isa<Constant>(address->stripInBoundsConstantOffsets()); }

/// Whether lanes probably have the same value: constants, counters of loops, fields of elements (those of a level have
/// much in common), and what is computed from them.
static bool isProbablyUniform(const Value *value, SmallPtrSetImpl<const Value *> &seen) {
  if (isa<Constant>(value) || !seen.insert(value).second)
    return true;
  if (auto *call = dyn_cast<CallInst>(value))
    return isLaneOp(*call) && call->getType()->isIntegerTy();
  auto *inst = dyn_cast<Instruction>(value);
  return inst && isa<PHINode, BinaryOperator, CastInst>(inst) &&
         all_of(inst->operands(), [&](const Use &operand) { return isProbablyUniform(operand, seen); });
}

/// Whether the vectoriser can lay out a local by lane: nobody else gets its address (lib/Vectorise/PrivateArrays.h).
bool LaneCost::isPrivate(const AllocaInst &local) {
  auto [it, isNew] = isPrivateArray.insert({&local, true});
  if (!isNew)
    return it->second;
  SmallVector<const Value *> work{&local};
  while (!work.empty()) {
    const Value *address = work.pop_back_val();
    for (const User *user : address->users()) {
      if (isa<GetElementPtrInst>(user)) {
        work.push_back(user);
        continue;
      }
      auto *store = dyn_cast<StoreInst>(user);
      bool isAccess = isa<LoadInst, MemIntrinsic>(user) || (store && store->getValueOperand() != address);
      auto *mark = dyn_cast<IntrinsicInst>(user);
      if (!isAccess && !(mark && mark->isLifetimeStartOrEnd()))
        return isPrivateArray[&local] = false;
    }
  }
  return true;
}

/// Whether an access is probably one of a row of a local array: the same index in all lanes.
bool LaneCost::isPrivateRow(const Instruction &inst) {
  const Value *address = getLoadStorePointerOperand(&inst);
  auto *local = address ? dyn_cast<AllocaInst>(getUnderlyingObject(address)) : nullptr;
  if (!local || !isPrivate(*local))
    return false;
  SmallPtrSet<const Value *, 16> seen;
  for (; address != local; address = cast<GetElementPtrInst>(address)->getPointerOperand()) {
    auto *gep = dyn_cast<GetElementPtrInst>(address);
    if (!gep || !all_of(gep->indices(), [&](const Use &index) { return isProbablyUniform(index, seen); }))
      return false;
  }
  return true;
}

/// What an instruction costs a vector beyond what it saves, in units of a simple operation.
uint64_t LaneCost::drawback(const Instruction &inst, bool inLoop) {
  auto *call = dyn_cast<CallInst>(&inst);
  if (call && (isLaneOp(*call) || call->doesNotReturn()))
    return 0;
  // Lane after lane, what it works on through memory.
  if (call && (!isa<IntrinsicInst>(call) || isa<MemIntrinsic>(call)))
    return 16;
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    return update->use_empty() ? 8 : 16;
  if (inst.isAtomic())
    return 16;
  if (!isa<LoadInst, StoreInst>(inst) || isUniformAddress(getLoadStorePointerOperand(&inst)) || isPrivateRow(inst))
    return 0;
  // A gather is no faster than as many loads; in a loop over memory it stands for what one lane could do with vectors.
  Type *type = getLoadStoreType(const_cast<Instruction *>(&inst));
  bool isNarrow = type->isIntegerTy() && type->getIntegerBitWidth() < 32;
  return (inLoop ? 6 : 1) * (isNarrow ? 3 : 1);
}

bool LaneCost::isWorthVectors() {
  uint64_t gain = 0, loss = 0;
  for (BasicBlock &block : kernel)
    for (Instruction &inst : block) {
      uint64_t cost = drawback(inst, loops.getLoopDepth(&block) != 0);
      loss += weight(block) * cost;
      if (!cost && !isa<PHINode>(inst) && !inst.isTerminator())
        gain += weight(block);
    }
  return gain >= loss;
}

/// Whether rows of bytes are a good part of what loops do.
bool LaneCost::worksOnBytes() {
  constexpr uint64_t kPart = 32; // each stands for some operations on what it loads
  uint64_t all = 0, bytes = 0;
  for (BasicBlock &block : kernel)
    for (Instruction &inst : block) {
      all += weight(block);
      if (loops.getLoopDepth(&block) && isa<LoadInst, StoreInst>(inst) && isPrivateRow(inst) &&
          getLoadStoreType(&inst)->isIntegerTy(8))
        bytes += weight(block);
    }
  return bytes * kPart >= all;
}

bool cilk2gpu::isWorthVectors(Function &kernel) { return LaneCost(kernel).isWorthVectors(); }

unsigned cilk2gpu::preferredLength(Function &kernel) { return LaneCost(kernel).worksOnBytes() ? 64 : 32; }
