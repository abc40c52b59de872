// Traits of the GPUs that tasks can run on, as data for the compiler and the runtime. Architectures.def has the rows.
//
// Thread-safety: everything here is constant.
//
//   if (const AmdTraits *amd = findAmd("gfx90a"))
//     use(amd->wave);
#ifndef CILK2GPU_TARGET_INFO_ARCHITECTURES_H
#define CILK2GPU_TARGET_INFO_ARCHITECTURES_H

#include <stdint.h>

namespace cilk2gpu::target_info {

/// Unit of the stack pointer of an AMD wavefront.
enum class StackUnit : uint8_t {
  AllLanes, ///< bytes of all lanes together: private memory is reached through a buffer
  OneLane   ///< bytes of one lane: the processor has instructions for private memory (LLVM: architected-flat-scratch)
};

/// How data in an AMD processor's L2 cache reaches the memory of the host.
enum class WriteBack : uint8_t {
  None,       ///< no instruction is needed
  Instruction ///< buffer_wbl2; LLVM 22 does not always wait until it has ended
};

/// Kinds of names that a compute capability has besides sm_N.
enum class PtxVariants : uint8_t {
  Plain,        ///< none
  Chip,         ///< sm_Na: PTX for this capability alone
  ChipAndFamily ///< also sm_Nf: PTX for this capability and later ones of the same major version
};

struct AmdTraits {
  const char *processor; ///< as in --offload-arch
  const char *family;    ///< the generic processor whose code objects run here; "": there is none
  uint32_t wave;         ///< lanes of a hardware wavefront
  StackUnit stack;
  WriteBack writeBack;

  constexpr bool isGeneric() const { return isSame(processor, family); }

  static constexpr bool isSame(const char *a, const char *b) {
    for (; *a && *a == *b; ++a, ++b)
      ;
    return *a == *b;
  }
};

struct NvidiaTraits {
  uint32_t capability; ///< N of sm_N
  PtxVariants variants;
  const char *features; ///< LLVM features beyond LLVM's default for the processor
};

/// Lanes of a warp on every NVIDIA GPU.
inline constexpr uint32_t kNvidiaWave = 32;

inline constexpr AmdTraits kAmdArchitectures[] = {
#define CILK2GPU_AMD(processor, family, wave, stack, writeBack)                                                        \
  {processor, family, wave, StackUnit::stack, WriteBack::writeBack},
#include "cilk2gpu/target-info/Architectures.def"
};

inline constexpr NvidiaTraits kNvidiaArchitectures[] = {
#define CILK2GPU_NVIDIA(capability, variants, features) {capability, PtxVariants::variants, features},
#include "cilk2gpu/target-info/Architectures.def"
};

/// Returns the row of an AMD processor, or null if tasks cannot run there.
constexpr const AmdTraits *findAmd(const char *processor) {
  for (const AmdTraits &row : kAmdArchitectures)
    if (AmdTraits::isSame(row.processor, processor))
      return &row;
  return nullptr;
}

/// Returns the row of sm_<capability>, or null if tasks cannot run there.
constexpr const NvidiaTraits *findNvidia(uint32_t capability) {
  for (const NvidiaTraits &row : kNvidiaArchitectures)
    if (row.capability == capability)
      return &row;
  return nullptr;
}

/// Checks the table: each family has a row of its own, and capabilities ascend.
constexpr bool areRowsConsistent() {
  for (const AmdTraits &row : kAmdArchitectures)
    if (*row.family && !findAmd(row.family))
      return false;
  uint32_t last = 0;
  for (const NvidiaTraits &row : kNvidiaArchitectures) {
    if (row.capability <= last)
      return false;
    last = row.capability;
  }
  return true;
}
static_assert(areRowsConsistent());

} // namespace cilk2gpu::target_info

#endif // CILK2GPU_TARGET_INFO_ARCHITECTURES_H
