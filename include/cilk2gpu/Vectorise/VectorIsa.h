// The instruction sets that kernels are vectorised for. An object file may carry a form of a kernel for each; the
// runtime takes the first that the machine has.
#ifndef CILK2GPU_VECTORISE_VECTORISA_H
#define CILK2GPU_VECTORISE_VECTORISA_H

#include "abi/Records.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cilk2gpu {

enum class VectorIsa { Avx512, Avx2 };

struct VectorIsaInfo {
  VectorIsa isa;
  abi::Isa record;              ///< in descriptors
  llvm::StringLiteral name;     ///< in options and symbols
  llvm::StringLiteral title;    ///< in messages
  llvm::StringLiteral cpu;      ///< the least that has it, for LLVM
  llvm::StringLiteral width;    ///< bits of a register
  llvm::StringLiteral feature;  ///< of LLVM: a target that has it has the whole set
  llvm::StringLiteral disabled; ///< where this is among a function's features the set must not be used
};

/// The preferred ones first.
inline constexpr VectorIsaInfo kVectorIsas[] = {
    {VectorIsa::Avx512, abi::Isa::X86_64_V4, "avx512", "AVX-512", "x86-64-v4", "512", "+avx512vl", "-avx512vl"},
    {VectorIsa::Avx2, abi::Isa::X86_64_V3, "avx2", "AVX2", "x86-64-v3", "256", "+avx2", "-avx2"},
};

inline std::optional<VectorIsa> parseVectorIsa(llvm::StringRef name) {
  for (const VectorIsaInfo &info : kVectorIsas)
    if (name == info.name)
      return info.isa;
  return std::nullopt;
}

} // namespace cilk2gpu

#endif // CILK2GPU_VECTORISE_VECTORISA_H
