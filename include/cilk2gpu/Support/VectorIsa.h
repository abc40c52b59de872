// The instruction sets that kernels are vectorised for. An object file may carry a form of a kernel for each; the
// runtime takes the first that the machine has. What is known of a set stands in its line of the table, and nowhere
// else.
#ifndef CILK2GPU_SUPPORT_VECTORISA_H
#define CILK2GPU_SUPPORT_VECTORISA_H

#include "cilk2gpu/abi/Records.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"
#include <optional>

namespace cilk2gpu {

enum class VectorIsa { Avx512, Avx2, Sse, Neon };

struct VectorIsaInfo {
  VectorIsa isa;
  abi::Isa record;                 ///< in descriptors
  llvm::Triple::ArchType arch;     ///< of the processors that may have it
  bool isDefault;                  ///< forms for it are made unless others are asked for
  llvm::StringLiteral name;        ///< in options and symbols
  llvm::StringLiteral title;       ///< in messages
  llvm::StringLiteral cpu;         ///< the least that has it, for LLVM
  llvm::StringLiteral feature;     ///< of LLVM: a target that has it, and `others`, has the whole set
  llvm::StringLiteral others;      ///< with commas between them; empty: none
  llvm::StringLiteral disabled;    ///< where this is among a function's features the set must not be used
  unsigned bits;                   ///< of a register
  unsigned lanes, byteLanes;       ///< of a vector, as measured; the second for work on bytes
  bool hasMasks;                   ///< loads and stores under masks, gathers, scatters, compression are instructions
  llvm::StringLiteral wordShuffle; ///< intrinsic that permutes 8 values of 32 bits; empty: there is none
  llvm::StringLiteral byteShuffle; ///< intrinsic that permutes 16 bytes
};

/// The preferred ones first.
inline constexpr VectorIsaInfo kVectorIsas[] = {
    {VectorIsa::Avx512, abi::Isa::X86_64_V4, llvm::Triple::x86_64, /*isDefault=*/true, "avx512", "AVX-512", "x86-64-v4",
     "+avx512vl", "+bmi2,+fma", "-avx512vl", /*bits=*/512, 32, 64, /*hasMasks=*/true, "", ""},
    {VectorIsa::Avx2, abi::Isa::X86_64_V3, llvm::Triple::x86_64, /*isDefault=*/true, "avx2", "AVX2", "x86-64-v3",
     "+avx2", "+bmi2,+fma", "-avx2", /*bits=*/256, 16, 32, /*hasMasks=*/false, "llvm.x86.avx2.permd",
     "llvm.x86.ssse3.pshuf.b.128"},
    // For machines without AVX2, which are old: a form for each kernel costs every compilation time.
    {VectorIsa::Sse, abi::Isa::X86_64_V2, llvm::Triple::x86_64, /*isDefault=*/false, "sse", "SSE", "x86-64-v2",
     "+sse4.2", "+popcnt", "-sse4.2", /*bits=*/128, 16, 16, /*hasMasks=*/false, "", "llvm.x86.ssse3.pshuf.b.128"},
    {VectorIsa::Neon, abi::Isa::AArch64_Neon, llvm::Triple::aarch64, /*isDefault=*/true, "neon", "NEON", "generic",
     "+neon", "", "-neon", /*bits=*/128, 16, 16, /*hasMasks=*/false, "", "llvm.aarch64.neon.tbl1.v16i8"},
};

inline const VectorIsaInfo &infoOf(VectorIsa isa) {
  return *llvm::find_if(kVectorIsas, [&](const VectorIsaInfo &info) { return info.isa == isa; });
}

inline std::optional<VectorIsa> parseVectorIsa(llvm::StringRef name) {
  for (const VectorIsaInfo &info : kVectorIsas)
    if (name == info.name)
      return info.isa;
  return std::nullopt;
}

/// All names, with `separator` between them.
inline std::string vectorIsaNames(llvm::StringRef separator) {
  std::string names;
  for (const VectorIsaInfo &info : kVectorIsas)
    names += (names.empty() ? "" : separator.str()) + info.name.str();
  return names;
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_VECTORISA_H
