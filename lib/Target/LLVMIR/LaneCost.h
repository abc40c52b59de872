// What vectors are expected to cost and bring.
#ifndef CILK2GPU_LIB_TARGET_LLVMIR_LANECOST_H
#define CILK2GPU_LIB_TARGET_LLVMIR_LANECOST_H

#include "MathCalls.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// Why vectors are not expected to be faster than one lane after the other, where most of the work of the simplified
/// lane form `kernel` has no vector form, say; empty if they are.
std::string whyNotWorthVectors(llvm::Function &kernel, const VectorIsaInfo &isa, const VectorMath &math);

/// The number of lanes of a vector that suits the kernel's data: as many bytes as a vector has, where loops work on
/// local arrays of bytes, else enough for two vectors of 32-bit values.
unsigned preferredLength(llvm::Function &kernel, const VectorIsaInfo &isa);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_LLVMIR_LANECOST_H
