// Whether a kernel's lanes may run in lockstep.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LANELEGALITY_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LANELEGALITY_H

#include "llvm/IR/IntrinsicInst.h"
#include <string>

namespace cilk2gpu {

/// Why the simplified lane form `kernel` must run lane by lane; empty if its lanes may run together. They may not if
/// one could wait for another, which only runs on when both do: in calls that may synchronise, in loops around atomics.
std::string whyLaneByLane(llvm::Function &kernel);

/// Whether lanes can have values of the type, each its own.
bool hasVectorForm(const llvm::Type *type);

/// Whether lib/Vectorise has a form of the intrinsic for all lanes at once (or drops it, or knows it as a block copy).
bool hasElementwiseForm(const llvm::IntrinsicInst &call);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LANELEGALITY_H
