// See LaneCost.h. Weights are rough: a loop counts as eight iterations, and a branch has the probability that LLVM
// guesses from its condition and its targets.
#include "LaneCost.h"

#include "LaneCalls.h"
#include "LaneLegality.h"
#include "LoopVectors.h"
#include "VectorCloneChoice.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr unsigned kIterations = 8, kDeepest = 4;

namespace {

/// Computes how often the blocks of a function run.
class BlockWeights {
public:
  explicit BlockWeights(Function &function)
      : entry(function.getEntryBlock()), dominators(function), loops(dominators), probabilities(function, loops),
        frequencies(function, probabilities, loops) {}

  /// Returns how often the block runs in one run of the function.
  double of(const BasicBlock &block) const;
  unsigned loopDepth(const BasicBlock &block) const { return loops.getLoopDepth(&block); }
  Loop *loopOf(const BasicBlock &block) const { return loops.getLoopFor(&block); }
  DominatorTree &getDominators() { return dominators; }
  LoopInfo &getLoops() { return loops; }

private:
  double share(const BasicBlock &block, const BasicBlock &of) const {
    double whole = frequencies.getBlockFreq(&of).getFrequency();
    return whole > 0 ? frequencies.getBlockFreq(&block).getFrequency() / whole : 1;
  }

  const BasicBlock &entry;
  DominatorTree dominators;
  LoopInfo loops;
  BranchProbabilityInfo probabilities;
  BlockFrequencyInfo frequencies;
};

/// Compares gain and cost of vectors for one kernel.
class LaneCost {
public:
  LaneCost(Function &kernel, const VectorIsaInfo &set, VectorCloneChoice *clones = nullptr)
      : kernel(kernel), set(set), clones(clones), weights(kernel),
        loopVectors(kernel, weights.getDominators(), weights.getLoops()) {}

  std::string whyNotWorth();
  LaneBalance weigh();
  double lossOfCalls(Function &function);
  bool worksOnBytes();

private:
  double drawback(const Instruction &inst, bool inLoop);
  bool hasVectorMath(const Instruction &inst) const;
  double gainOf(const Instruction &inst) const;
  double workOf(Function &function);
  double laneOpDrawback(const CallInst &call);
  double streamDrawback(const Instruction &inst);
  double accessDrawback(const Instruction &inst, bool inLoop);
  bool isInRun(const Instruction &access);
  bool isPrivateRow(const Instruction &inst);
  std::optional<int64_t> growthOf(const Value *value);
  bool isThreadRow(const Instruction &inst);
  bool hasFrameColumns() const { return set.hasMasks && kernel.hasFnAttribute(lane::kFrameColumnsAttr); }
  bool isFrameColumn(const Instruction &inst) const;
  SmallPtrSet<const BasicBlock *, 8> findRefusals();
  bool isPrivate(const AllocaInst &local);
  bool runsIterations();
  bool runsOneIteration() const {
    return kernel.getFnAttribute(lane::kLoopTaskAttr).getValueAsString() == lane::kOneIteration;
  }
  bool isHandedOn(const CallInst &field);
  bool isSame(const Value *value, SmallPtrSetImpl<const Value *> &seen);
  bool isForLoopVectors(const BasicBlock &block);
  bool isProbablyUniform(const Value *value, const BasicBlock &at, SmallPtrSetImpl<const Value *> &seen);
  bool leavesApart(const Loop &loop);

  Function &kernel;
  const VectorIsaInfo &set;
  VectorCloneChoice *clones;
  BlockWeights weights;
  LoopVectors loopVectors;
  DenseMap<const Loop *, bool> forLoopVectors, loopsLeftApart;
  DenseMap<const Function *, double> works;
  DenseMap<const AllocaInst *, bool> isPrivateArray;
  DenseMap<const Value *, std::optional<int64_t>> growths;
  /// Number of accesses in each block at constant distances from one address.
  DenseMap<std::pair<const BasicBlock *, const Value *>, unsigned> runs;
};

} // namespace

double BlockWeights::of(const BasicBlock &block) const {
  double weight = 1;
  const BasicBlock *at = &block;
  unsigned depth = loops.getLoopDepth(at);
  // From the innermost loop outwards: the block's share of an iteration, times the iterations, and so on for the loop's
  // start.
  for (const Loop *loop = loops.getLoopFor(at); loop; loop = loop->getParentLoop(), --depth) {
    weight *= share(*at, *loop->getHeader()) * (depth <= kDeepest ? kIterations : 1);
    at = loop->getLoopPredecessor();
    if (!at)
      return weight;
  }
  return weight * share(*at, entry);
}

/// Returns true if all lanes certainly access the same address.
static bool isUniformAddress(const Value *address) { return isa<Constant>(address->stripInBoundsConstantOffsets()); }

/// Returns true if lanes probably have the same value in block `at`: constants, counters of loops around `at`, fields
/// of elements (elements of a level have much in common), and values computed from these.
bool LaneCost::isProbablyUniform(const Value *value, const BasicBlock &at, SmallPtrSetImpl<const Value *> &seen) {
  if (isa<Constant>(value) || !seen.insert(value).second)
    return true;
  if (auto *call = dyn_cast<CallInst>(value))
    return isLaneOp(call) && call->getType()->isIntegerTy();
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !isa<PHINode, BinaryOperator, CastInst>(inst))
    return false;
  for (Loop *loop = weights.loopOf(*inst->getParent()); isa<PHINode>(inst) && loop; loop = loop->getParentLoop())
    if (!loop->contains(&at) && leavesApart(*loop))
      return false;
  return all_of(inst->operands(), [&](const Use &operand) { return isProbablyUniform(operand, at, seen); });
}

/// Returns true if lanes probably leave a loop in different iterations. Behind the loop, its counters then differ.
bool LaneCost::leavesApart(const Loop &loop) {
  auto [it, isNew] = loopsLeftApart.insert({&loop, false});
  if (!isNew)
    return it->second;
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  bool apart = any_of(exiting, [&](BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    auto *compare = branch && branch->isConditional() ? dyn_cast<CmpInst>(branch->getCondition()) : nullptr;
    SmallPtrSet<const Value *, 16> seen;
    return !compare || !isProbablyUniform(compare->getOperand(0), *block, seen) ||
           !isProbablyUniform(compare->getOperand(1), *block, seen);
  });
  return loopsLeftApart[&loop] = apart;
}

/// Returns true if the vectoriser can lay out a local by lane, because its address does not escape
/// (lib/Vectorise/Analysis/PrivateArrays.h).
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

/// Returns true if an access is probably to one row of a local array, because all lanes have the same index.
bool LaneCost::isPrivateRow(const Instruction &inst) {
  const Value *address = getLoadStorePointerOperand(&inst);
  auto *local = address ? dyn_cast<AllocaInst>(getUnderlyingObject(address)) : nullptr;
  if (!local || !isPrivate(*local))
    return false;
  SmallPtrSet<const Value *, 16> seen;
  for (; address != local; address = cast<GetElementPtrInst>(address)->getPointerOperand()) {
    auto *gep = dyn_cast<GetElementPtrInst>(address);
    if (!gep ||
        !all_of(gep->indices(), [&](const Use &index) { return isProbablyUniform(index, *inst.getParent(), seen); }))
      return false;
  }
  return true;
}

/// Returns how much a value in the body of a block graph probably grows from one thread to the next one, or nothing
/// (lib/Vectorise/Analysis/LaneStrides.h finds this out exactly, after the choice).
std::optional<int64_t> LaneCost::growthOf(const Value *value) {
  if (isLaneOp(value, lane::kThread))
    return 1;
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst)
    return 0;
  auto [known, isNew] = growths.insert({inst, 0}); // a value that depends on itself: a counter of a loop
  if (!isNew)
    return known->second;
  auto of = [&](unsigned operand) { return growthOf(inst->getOperand(operand)); };
  auto *factor = inst->getNumOperands() == 2 ? dyn_cast<ConstantInt>(inst->getOperand(1)) : nullptr;
  std::optional<int64_t> growth;
  if (all_of(inst->operands(), [&](const Use &operand) { return growthOf(operand) == 0; })) {
    growth = 0;
  } else if (inst->getOpcode() == Instruction::Add || inst->getOpcode() == Instruction::Sub ||
             isa<PossiblyDisjointInst>(inst)) {
    if (of(0) && of(1))
      growth = inst->getOpcode() == Instruction::Sub ? *of(0) - *of(1) : *of(0) + *of(1);
  } else if (factor && (inst->getOpcode() == Instruction::Mul || inst->getOpcode() == Instruction::Shl)) {
    uint64_t number = factor->getLimitedValue(1 << 20);
    if (of(0))
      growth = inst->getOpcode() == Instruction::Mul ? *of(0) * int64_t(number) : *of(0) << (number & 31);
  } else if (isa<ZExtInst, SExtInst, TruncInst, FreezeInst>(inst)) {
    growth = of(0);
  } else if (auto *gep = dyn_cast<GEPOperator>(inst)) {
    SmallMapVector<Value *, APInt, 4> terms;
    APInt constant(64, 0);
    growth = of(0);
    if (!gep->collectOffset(kernel.getDataLayout(), 64, terms, constant))
      growth.reset();
    for (auto &[index, size] : terms)
      growth =
          growth && growthOf(index) ? std::optional(*growth + *growthOf(index) * size.getSExtValue()) : std::nullopt;
  }
  return growths[inst] = growth;
}

/// Returns true if neighbouring threads of a block probably access neighbours in memory, or all threads one place.
bool LaneCost::isThreadRow(const Instruction &inst) {
  const Value *address = getLoadStorePointerOperand(&inst);
  std::optional<int64_t> growth =
      address && kernel.hasFnAttribute(lane::kBlockBodyAttr) ? growthOf(address) : std::nullopt;
  if (!growth)
    return false;
  int64_t size = kernel.getDataLayout().getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&inst)));
  return (*growth == 0 && isa<LoadInst>(inst)) || *growth == size || *growth == -size;
}

/// Returns the number of instructions of a function that lanes call one after the other, with its callees. Recursion
/// counts once.
double LaneCost::workOf(Function &function) {
  auto [it, isNew] = works.insert({&function, 0});
  if (!isNew)
    return it->second;
  BlockWeights own(function);
  double work = 0;
  for (BasicBlock &block : function) {
    double here = block.size();
    for (Instruction &inst : block) {
      auto *call = dyn_cast<CallBase>(&inst);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      here += callee && !callee->isDeclaration() ? workOf(*callee) : 0;
    }
    work += own.of(block) * here;
  }
  return works[&function] = work;
}

/// Returns the cost of calling a function for one lane after the other, with operands that go through memory. The
/// function itself takes longer between vectors, too: a sort of 64 numbers took a sixteenth more.
double LaneCost::lossOfCalls(Function &function) {
  constexpr double kSlower = 1.0 / 16;
  return 16 + kSlower * workOf(function);
}

/// Returns the drawback of a lane operation. Frames and results are at a different address for each lane. Without
/// masks, they are taken and stored lane by lane.
double LaneCost::laneOpDrawback(const CallInst &call) {
  StringRef kind = laneOpOf(&call)->operation;
  bool isOfFrames = kind == lane::kFrame || kind == lane::kFree;
  if (isOfFrames && hasFrameColumns())
    return 2;
  return !isOfFrames && kind != lane::kResult ? 0 : set.hasMasks ? 4 : 8;
}

/// Returns true if a value is the lane's frame: it was taken, or is given back or published.
static bool isFrame(const Value *value) {
  return isLaneOp(value, lane::kFrame) || any_of(value->users(), [&](const User *user) {
           return user->getNumOperands() && user->getOperand(0) == value &&
                  (isLaneOp(user, lane::kFree) || isLaneOp(user, lane::kPublish) || isLaneOp(user, lane::kYield));
         });
}

/// Returns the frame if `address` is the base address of a field in it, else `address`.
static const Value *frameOf(const Value *address) {
  return isLaneOp(address, lane::kPlace) ? cast<CallBase>(address)->getArgOperand(0) : address;
}

/// Returns true if lanes usually find a field of their frames side by side (lib/Vectorise/Emit/FrameEmitter.cpp).
bool LaneCost::isFrameColumn(const Instruction &inst) const {
  const Value *address = hasFrameColumns() ? getLoadStorePointerOperand(&inst) : nullptr;
  APInt distance(64, 0);
  return address &&
         isFrame(frameOf(address->stripAndAccumulateConstantOffsets(kernel.getDataLayout(), distance, true)));
}

/// Returns true if an access is one of many to neighbouring addresses in straight-line code, for example in an unrolled
/// loop or a small transform.
bool LaneCost::isInRun(const Instruction &access) {
  constexpr unsigned kRun = 8; // more than the fields of most structures
  auto base = [](const Instruction &inst) {
    const Value *address = getLoadStorePointerOperand(&inst);
    return std::pair(inst.getParent(), address ? address->stripInBoundsConstantOffsets() : nullptr);
  };
  if (runs.empty())
    for (const BasicBlock &block : kernel)
      for (const Instruction &inst : block)
        ++runs[base(inst)];
  return runs[base(access)] >= kRun;
}

/// Returns the drawback of an access in a loop of a cilk_for's iteration that goes through memory, or 0 for other
/// accesses. If lanes run one after the other, a processor has many loads of one lane under way, and down a column, the
/// next iteration finds the cache lines that this one has fetched. In vectors, lanes are many iterations apart, and
/// each fetches cache lines of its own.
double LaneCost::streamDrawback(const Instruction &inst) {
  const Loop *loop = weights.loopOf(*inst.getParent());
  if (!loop || loop->getLoopDepth() < (runsOneIteration() ? 1 : 2))
    return 0;
  switch (loopVectors.strideOf(inst, *loop)) {
  case LoopVectors::Stride::Irregular:
    return 0;
  case LoopVectors::Stride::Near:
    return 10;
  case LoopVectors::Stride::Far:
    return 32;
  }
  llvm_unreachable("no such stride");
}

/// Returns the drawback of a memory access. A gather is no faster than the same number of loads. In a loop over memory,
/// or in a run, one lane alone could use vectors. Without masks, a gather becomes loads, of any width, and a scatter a
/// loop over the lanes.
double LaneCost::accessDrawback(const Instruction &inst, bool inLoop) {
  inLoop = inLoop || isInRun(inst);
  if (kernel.hasFnAttribute(lane::kLoopTaskAttr))
    if (double streams = streamDrawback(inst))
      return streams;
  if (!set.hasMasks)
    return (inLoop ? 6 : 2) * (isa<StoreInst>(inst) ? 2 : 1);
  Type *type = getLoadStoreType(const_cast<Instruction *>(&inst));
  bool isNarrow = type->isIntegerTy() && type->getIntegerBitWidth() < 32;
  // Frames are in the cache. Other data of a task may not be, and then all lanes wait for the slowest one.
  double outside = isFrame(frameOf(getUnderlyingObject(getLoadStorePointerOperand(&inst)))) ? 1 : 2;
  return (inLoop ? 6 : outside) * (isNarrow ? 3 : 1);
}

/// Returns true if lanes divide one after the other: shorter integers are divided as floating-point numbers.
static bool isLongDivision(const Instruction &inst) {
  return inst.isIntDivRem() && inst.getType()->getScalarSizeInBits() > 32 && !isa<Constant>(inst.getOperand(1));
}

/// Returns the cost of an instruction for a vector minus its gain, in units of a simple operation.
double LaneCost::drawback(const Instruction &inst, bool inLoop) {
  auto *call = dyn_cast<CallInst>(&inst);
  if (call && isLaneOp(call))
    return laneOpDrawback(*call);
  if (call && call->doesNotReturn())
    return 0;
  if (Function *callee = call ? call->getCalledFunction() : nullptr; callee && !callee->isDeclaration())
    return clones && clones->clonedBy(*call, set) ? std::max(0.0, -clones->valueOf(*callee, set))
                                                  : lossOfCalls(*callee);
  if (hasVectorMath(inst))
    return 0;
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  if (call && (!intrinsic || isa<MemIntrinsic>(call) || !hasElementwiseForm(*intrinsic)))
    return 16;
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    return update->use_empty() ? 8 : 16;
  if (inst.isAtomic() || isLongDivision(inst))
    return 16;
  if (!isa<LoadInst, StoreInst>(inst) || isUniformAddress(getLoadStorePointerOperand(&inst)) || isPrivateRow(inst) ||
      isFrameColumn(inst) || isThreadRow(inst))
    return 0;
  SmallPtrSet<const Value *, 16> seen;
  if (isa<LoadInst>(inst) && kernel.hasFnAttribute(lane::kLoopTaskAttr) &&
      isSame(getLoadStorePointerOperand(&inst), seen))
    return 0;
  return accessDrawback(inst, inLoop);
}

/// Finds blocks after which a refused lane always yields. They rarely run.
SmallPtrSet<const BasicBlock *, 8> LaneCost::findRefusals() {
  SmallPtrSet<const BasicBlock *, 8> found;
  SmallVector<const BasicBlock *> work;
  auto add = [&](const BasicBlock &block) {
    if (found.insert(&block).second)
      work.push_back(&block);
  };
  for (BasicBlock &block : kernel)
    if (any_of(block, [](const Instruction &inst) { return isLaneOp(&inst, lane::kYield); }))
      add(block);
  while (!work.empty())
    for (const BasicBlock *before : predecessors(work.pop_back_val()))
      if (all_of(successors(before), [&](const BasicBlock *next) { return found.contains(next); }))
        add(*before);
  return found;
}

/// Returns true if the kernel runs many iterations of a cilk_for in sequence, and not each as a task. Its other work is
/// negligible.
bool LaneCost::runsIterations() {
  return kernel.hasFnAttribute(lane::kLoopTaskAttr) && !runsOneIteration() &&
         none_of(kernel, [&](const BasicBlock &block) {
           return weights.loopDepth(block) && any_of(block, [](const Instruction &inst) { return isLaneOp(&inst); });
         });
}

/// Returns true if the kernel's own spawns pass a field on unchanged.
bool LaneCost::isHandedOn(const CallInst &field) {
  unsigned own;
  std::optional<lane::CallName> deq = laneOpOf(&field);
  if (!deq || deq->operation != lane::kDeq || !deq->number() ||
      kernel.getFnAttribute(lane::kOwnTargetAttr).getValueAsString().getAsInteger(10, own))
    return false;
  return all_of(instructions(kernel), [&](const Instruction &inst) {
    std::optional<lane::CallName> name = laneOpOf(&inst);
    return !name || name->operation != lane::kSpawn || name->number() != own ||
           cast<CallBase>(inst).getArgOperand(*deq->number()) == &field;
  });
}

/// Returns true if lanes that run iterations of one loop have the same value: fields that each of its tasks passes on,
/// counters of inner loops, and values computed from these.
bool LaneCost::isSame(const Value *value, SmallPtrSetImpl<const Value *> &seen) {
  if (isa<Constant>(value) || !seen.insert(value).second)
    return true;
  if (auto *call = dyn_cast<CallInst>(value))
    return isLaneOp(call) && isHandedOn(*call);
  auto *inst = dyn_cast<Instruction>(value);
  return inst && isa<PHINode, BinaryOperator, CastInst, GetElementPtrInst, LoadInst>(inst) &&
         all_of(inst->operands(), [&](const Use &operand) { return isSame(operand, seen); });
}

/// Returns true if each lane accesses neighbours in memory in the block's loop. Lanes together would gather and scatter
/// there. If lanes run one after the other, LLVM vectorises the loop, which gains as much.
bool LaneCost::isForLoopVectors(const BasicBlock &block) {
  Loop *loop = weights.loopOf(block);
  if (!loop)
    return false;
  auto [it, isNew] = forLoopVectors.insert({loop, false});
  if (isNew)
    it->second = loopVectors.makesVectorsOf(*loop) && any_of(loop->blocks(), [&](const BasicBlock *part) {
                   return any_of(*part, [&](const Instruction &inst) { return drawback(inst, /*inLoop=*/true) > 0; });
                 });
  return it->second;
}

bool LaneCost::hasVectorMath(const Instruction &inst) const {
  auto *call = dyn_cast<CallInst>(&inst);
  return call && clones && clones->getMath().knows(*call, set);
}

/// Returns the gain of a vector for an instruction that has a vector form. It is large for a function of a vector
/// library.
double LaneCost::gainOf(const Instruction &inst) const {
  constexpr double kFunction = 16;
  auto *call = dyn_cast<CallInst>(&inst);
  if (Function *clone = call && clones ? clones->clonedBy(*call, set) : nullptr)
    return clones->valueOf(*clone, set);
  return hasVectorMath(inst) ? kFunction : 1;
}

/// Names the part of a kernel's work to which an instruction belongs, for remarks about its cost.
static StringRef kindOf(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  if (call && isLaneOp(call))
    return "frames and results";
  if (call && !isa<MemIntrinsic>(call))
    return "calls";
  if (inst.isIntDivRem())
    return "divisions of 64-bit integers";
  return inst.isAtomic() ? "atomics" : "memory that each lane has at a place of its own";
}

/// Returns the reason why vectors do not pay whatever the kernel computes, or an empty text. Iterations without inner
/// loops are left to LLVM's loop vectoriser, because consecutive iterations are neighbours in memory, and iterations of
/// different lanes are not. An iteration that spawns does too little work before and after the spawn.
std::string LaneCost::whyNotWorth() {
  if (kernel.hasFnAttribute(lane::kLoopTaskAttr) && weights.getLoops().empty())
    return "each of its tasks runs one iteration of a cilk_for, which has no loop";
  if (runsIterations() && all_of(kernel, [&](const BasicBlock &block) { return weights.loopDepth(block) < 2; }))
    return "its iterations have no loops of their own and are left to LLVM's loop vectoriser";
  return weigh().mostly;
}

LaneBalance LaneCost::weigh() {
  LaneBalance balance;
  StringMap<double> losses; ///< losses by kind of work; empty kind: loops that LLVM vectorises
  bool onlyLoops = runsIterations();
  // With AVX-512, refusals cost little, and the balance was measured with them.
  SmallPtrSet<const BasicBlock *, 8> refusals = set.hasMasks ? decltype(findRefusals())() : findRefusals();
  for (BasicBlock &block : kernel)
    for (Instruction &inst : block) {
      if (refusals.contains(&block) || (onlyLoops && !weights.loopDepth(block)))
        break;
      double cost = drawback(inst, weights.loopDepth(block) != 0);
      balance.loss += weights.of(block) * cost;
      if (cost > 0)
        losses[isForLoopVectors(block) ? "" : kindOf(inst)] += weights.of(block) * cost;
      bool isWork = !isa<PHINode>(inst) && !inst.isTerminator() && !isLaneOp(&inst, lane::kPlace);
      if (cost == 0 && isWork && !isForLoopVectors(block))
        balance.gain += weights.of(block) * gainOf(inst);
    }
  if (balance.gain >= balance.loss)
    return balance;
  auto most = llvm::max_element(losses, [](auto &one, auto &other) { return one.second < other.second; });
  balance.mostly = most->first().empty() ? "LLVM's loop vectoriser can take its inner loops"
                                         : ("most of its work has no vector form: " + most->first()).str();
  return balance;
}

/// Returns true if rows of bytes are a large part of the work of loops.
bool LaneCost::worksOnBytes() {
  constexpr unsigned kPart = 32; // each row stands for some operations on the loaded bytes
  double all = 0, bytes = 0;
  for (BasicBlock &block : kernel)
    for (Instruction &inst : block) {
      all += weights.of(block);
      if (weights.loopDepth(block) && isa<LoadInst, StoreInst>(inst) && isPrivateRow(inst) &&
          getLoadStoreType(&inst)->isIntegerTy(8))
        bytes += weights.of(block);
    }
  return bytes * kPart >= all;
}

LaneBalance cilk2gpu::weighVectors(Function &function, const VectorIsaInfo &isa, VectorCloneChoice &clones) {
  return LaneCost(function, isa, &clones).weigh();
}

double cilk2gpu::lossOfCalls(Function &function, const VectorIsaInfo &isa) {
  return LaneCost(function, isa).lossOfCalls(function);
}

std::string cilk2gpu::whyNotWorthVectors(Function &kernel, const VectorIsaInfo &isa, VectorCloneChoice &clones) {
  return LaneCost(kernel, isa, &clones).whyNotWorth();
}

unsigned cilk2gpu::preferredLength(Function &kernel, const VectorIsaInfo &isa) {
  return LaneCost(kernel, isa).worksOnBytes() ? isa.byteLanes : isa.lanes;
}
