// Estimates of the gain and cost of vectors.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECOST_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECOST_H

#include "cilk2gpu/Support/VectorIsa.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

class VectorCloneChoice;

/// Gain of vectors, and their additional cost, in units of a simple operation of each lane.
struct LaneBalance {
  double gain = 0, loss = 0;
  std::string mostly; ///< if the loss is greater: the main reason, in words
};

/// Compares vectors with one lane after the other, for a simplified lane form, or for a function that a lane form
/// calls.
LaneBalance weighVectors(llvm::Function &function, const VectorIsaInfo &isa, VectorCloneChoice &clones);

/// Returns the cost for a vector if its lanes call `function` one after the other.
double lossOfCalls(llvm::Function &function, const VectorIsaInfo &isa);

/// Returns the reason why vectors are not expected to be faster than one lane after the other, for example because most
/// of the work of the simplified lane form `kernel` has no vector form. Returns an empty text if they are expected to
/// be faster.
std::string whyNotWorthVectors(llvm::Function &kernel, const VectorIsaInfo &isa, VectorCloneChoice &clones);

/// Returns the number of lanes of a vector that suits the kernel's data. If loops work on local arrays of bytes, a
/// vector holds one byte of each lane; otherwise, the lanes are enough for two vectors of 32-bit values.
unsigned preferredLength(llvm::Function &kernel, const VectorIsaInfo &isa);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LANECOST_H
