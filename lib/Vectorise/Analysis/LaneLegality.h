// Decides if a kernel's lanes may run in lockstep.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LANELEGALITY_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LANELEGALITY_H

#include "llvm/IR/IntrinsicInst.h"
#include <string>

namespace cilk2gpu {

/// Returns the reason why the simplified lane form `kernel` must run lane by lane, or an empty text. Lanes may not run
/// together if one lane could wait for another lane, which could then never go on: in calls that may synchronise, and
/// in loops around atomics.
std::string whyLaneByLane(llvm::Function &kernel);

/// Returns such a reason that no simplification of the kernel will remove, or an empty text. Exceptions that nothing
/// throws must have been removed before.
llvm::StringRef whyNeverInLanes(const llvm::Function &kernel);

/// Returns true if each lane can have a value of the type in a vector.
bool hasVectorForm(const llvm::Type *type);

/// Returns true if lib/Vectorise can emit the intrinsic for all lanes at once, drops it, or treats it as a block copy.
bool hasElementwiseForm(const llvm::IntrinsicInst &call);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LANELEGALITY_H
