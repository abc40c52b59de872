// The instruction sets for which kernels are vectorised. An object file may contain a form of a kernel for each set,
// and the runtime takes the first form that the machine can run. All facts about a set stand in its row of the table.
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
  abi::Isa record;                 ///< the set's number in descriptors
  llvm::Triple::ArchType arch;     ///< architecture of the processors that may have the set
  bool isDefault;                  ///< forms are made for this set if the user names no sets
  llvm::StringLiteral name;        ///< name in options and symbols
  llvm::StringLiteral title;       ///< name in messages
  llvm::StringLiteral cpu;         ///< the weakest processor with the set, as LLVM names it
  llvm::StringLiteral feature;     ///< LLVM feature; a target with it and `others` has the whole set
  llvm::StringLiteral others;      ///< further LLVM features, with commas between them
  llvm::StringLiteral disabled;    ///< a function with this feature must not use the set
  unsigned bits;                   ///< bits of a register
  unsigned lanes, byteLanes;       ///< best lanes of a vector, as measured; byteLanes: for work on bytes
  bool hasMasks;                   ///< has masked memory accesses, gathers, scatters, compression
  bool hasMaskedWords;             ///< has masked loads and stores of 32 and 64 bits
  llvm::StringLiteral wordShuffle; ///< intrinsic that permutes 8 values of 32 bits; empty: there is none
  llvm::StringLiteral byteShuffle; ///< intrinsic that permutes 16 bytes
};

/// All instruction sets, the preferred ones first.
inline constexpr VectorIsaInfo kVectorIsas[] = {
    {VectorIsa::Avx512, abi::Isa::X86_64_V4, llvm::Triple::x86_64, /*isDefault=*/true, "avx512", "AVX-512", "x86-64-v4",
     "+avx512vl", "+bmi2,+fma", "-avx512vl", /*bits=*/512, 32, 64, /*hasMasks=*/true, /*hasMaskedWords=*/true, "", ""},
    {VectorIsa::Avx2, abi::Isa::X86_64_V3, llvm::Triple::x86_64, /*isDefault=*/true, "avx2", "AVX2", "x86-64-v3",
     "+avx2", "+bmi2,+fma", "-avx2", /*bits=*/256, 16, 32, /*hasMasks=*/false, /*hasMaskedWords=*/true,
     "llvm.x86.avx2.permd", "llvm.x86.ssse3.pshuf.b.128"},
    // This set is for old machines, without AVX2. It is not a default, because each form of a kernel costs compile
    // time.
    {VectorIsa::Sse, abi::Isa::X86_64_V2, llvm::Triple::x86_64, /*isDefault=*/false, "sse", "SSE", "x86-64-v2",
     "+sse4.2", "+popcnt", "-sse4.2", /*bits=*/128, 16, 16, /*hasMasks=*/false, /*hasMaskedWords=*/false, "",
     "llvm.x86.ssse3.pshuf.b.128"},
    {VectorIsa::Neon, abi::Isa::AArch64_Neon, llvm::Triple::aarch64, /*isDefault=*/true, "neon", "NEON", "generic",
     "+neon", "", "-neon", /*bits=*/128, 16, 16, /*hasMasks=*/false, /*hasMaskedWords=*/false, "",
     "llvm.aarch64.neon.tbl1.v16i8"},
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

/// Returns the names of all sets, with `separator` between them.
inline std::string vectorIsaNames(llvm::StringRef separator) {
  std::string names;
  for (const VectorIsaInfo &info : kVectorIsas)
    names += (names.empty() ? "" : separator.str()) + info.name.str();
  return names;
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_VECTORISA_H
