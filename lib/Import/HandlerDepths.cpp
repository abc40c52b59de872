// See HandlerDepths.h. Clang's code is structured: the depth at a block is the same on all ways to it.
#include "HandlerDepths.h"

#include "DeferExceptions.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cilk2gpu;

HandlerDepths::HandlerDepths(Function &function) {
  work.emplace_back(&function.getEntryBlock(), 0);
  for (unsigned i = 0; i < work.size(); ++i)
    if (auto [block, depth] = work[i]; seen.insert(block).second)
      scan(*block, depth);
  findUnwinding(function);
}

void HandlerDepths::scan(BasicBlock &block, unsigned depth) {
  for (Instruction &inst : block) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call)
      continue;
    if (isCallOf(inst, kForEndMarker) || isCallOf(inst, kSpawnedBlockEndMarker))
      depth = outside.lookup(idOf(*call));
    depths[call] = depth;
    if (isCallOf(inst, kForBeginMarker) || isCallOf(inst, kSpawnedBlockBeginMarker)) {
      outside[idOf(*call)] = depth;
      depth = 0;
    } else if (isCallOf(inst, "__cxa_begin_catch")) {
      ++depth;
    } else if (isCallOf(inst, "__cxa_end_catch") && depth) {
      --depth;
    }
  }
  for (BasicBlock *next : successors(&block))
    work.emplace_back(next, depth);
}

void HandlerDepths::findUnwinding(Function &function) {
  SmallSetVector<BasicBlock *, 16> blocks;
  for (BasicBlock &block : function)
    if (block.isLandingPad())
      blocks.insert(&block);
  for (unsigned i = 0; i < blocks.size(); ++i)
    if (none_of(*blocks[i], [](Instruction &inst) { return isCallOf(inst, "__cxa_begin_catch"); }))
      blocks.insert_range(successors(blocks[i]));
  unwinding.insert_range(blocks);
}

bool HandlerDepths::isUnwinding(const Instruction &inst) const {
  if (!unwinding.contains(inst.getParent()))
    return false;
  for (const Instruction &each : *inst.getParent()) {
    if (&each == &inst)
      return true;
    if (isCallOf(each, "__cxa_begin_catch"))
      return false;
  }
  return true;
}

bool cilk2gpu::hasKeywordsInHandlers(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions) {
  if (!function.hasPersonalityFn())
    return false;
  HandlerDepths depths(function);
  return any_of(instructions(function), [&](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call || depths.depthAt(*call) == 0 || depths.isUnwinding(*call))
      return false;
    return cilkFunctions.contains(call->getCalledFunction()) ||
           any_of(ArrayRef<const char *>{kSpawnBeginMarker, kSyncMarker, kForBeginMarker, kSpawnedBlockBeginMarker},
                  [&](const char *marker) { return isCallOf(inst, marker); });
  });
}
