// Finds the constant distances of the parents that a mapping function of thread blocks names. The function has been
// copied and simplified (MappingFunctions.cpp): markers stand for coordinates, for parents and for the policy.
// cilk2gpu/Support/GridConditions.h has the reasoning about coordinates.
#ifndef CILK2GPU_LIB_IMPORT_LINKDISTANCES_H
#define CILK2GPU_LIB_IMPORT_LINKDISTANCES_H

#include "cilk2gpu/Support/GridConditions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <string>

namespace cilk2gpu {

/// Most parents of a block. The runtime has the same bound where it finds distances itself.
inline constexpr size_t kMostLinkDistances = 32;

/// The policy that a mapping function asks for.
struct LinkPolicy {
  bool isGiven = false;
  uint32_t kind = 0;
  int64_t bound = 0;
};

/// Reads a mapping function. After run(), there is either a reason why launches call it, or distances without
/// duplicates: each block has exactly these parents, as far as they are inside of the grid.
class LinkDistances {
public:
  explicit LinkDistances(const llvm::Function &function) : function(function) {}

  /// Returns why launches call the function; empty: offsets() and policy() say the same.
  std::string run();

  llvm::ArrayRef<BlockOffset> offsets() const { return found; }
  /// Bit d is set if the offsets hold only for grids of extent 1 along dimension d.
  uint32_t rows() const { return rowMask; }
  const LinkPolicy &policy() const { return chosen; }

private:
  using Inside = const InsideParent *;

  std::string checkInstructions() const;
  std::string addParent(const llvm::CallInst &link);
  std::string addPolicy(const llvm::CallInst &marker);
  /// Returns whether each block that `inside` knows comes to `place`; null: each block.
  bool isReached(const llvm::Instruction &place, Inside inside) const;
  static std::optional<bool> evaluate(const llvm::Value &condition, Inside inside);

  const llvm::Function &function;
  llvm::SmallVector<BlockOffset> found;
  uint32_t rowMask = 0;
  LinkPolicy chosen;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_LINKDISTANCES_H
