// The invokes of a Cilk function at which its children may be outstanding.
#ifndef CILK2GPU_LIB_IMPORT_OUTSTANDINGINVOKES_H
#define CILK2GPU_LIB_IMPORT_OUTSTANDINGINVOKES_H

#include "DeferExceptions.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include <map>
#include <set>
#include <vector>

namespace cilk2gpu {

/// Finds the invokes at which children may be outstanding, or exceptions of children may be in the slot.
class OutstandingInvokes {
public:
  explicit OutstandingInvokes(llvm::Function &function) {
    for (bool changed = true; changed;) {
      std::map<uint64_t, bool> before = outside;
      seen.clear();
      work.assign({{&function.getEntryBlock(), false}});
      for (unsigned i = 0; i < work.size(); ++i)
        if (seen.insert({work[i].first, work[i].second}).second)
          scan(*work[i].first, work[i].second);
      changed = before != outside;
    }
  }
  llvm::SmallSetVector<llvm::InvokeInst *, 8> found;

private:
  void scan(llvm::BasicBlock &block, bool outstanding) {
    for (llvm::Instruction &inst : block) {
      if (isCallOf(inst, kForBeginMarker) || isCallOf(inst, kSpawnedBlockBeginMarker)) {
        outside[idOf(llvm::cast<llvm::CallBase>(inst))] |= outstanding;
        outstanding = false;
      } else if (isCallOf(inst, kForEndMarker)) {
        outstanding = outside[idOf(llvm::cast<llvm::CallBase>(inst))];
      } else if (isCallOf(inst, kSpawnEndMarker) || isCallOf(inst, kSpawnedBlockEndMarker) ||
                 isCallOf(inst, kDependAdd)) {
        outstanding = true;
      } else if (isCallOf(inst, kSyncMarker) || isCallOf(inst, kReturnSyncMarker)) {
        outstanding = false;
      }
    }
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator()); invoke && outstanding)
      found.insert(invoke);
    for (llvm::BasicBlock *next : llvm::successors(&block))
      work.emplace_back(next, outstanding && !next->isLandingPad());
  }

  std::map<uint64_t, bool> outside;
  std::set<std::pair<llvm::BasicBlock *, bool>> seen;
  std::vector<std::pair<llvm::BasicBlock *, bool>> work;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_OUTSTANDINGINVOKES_H
