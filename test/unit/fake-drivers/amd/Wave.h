// A wavefront's registers and memory, and its workgroup.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_WAVE_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_WAVE_H

#include "Program.h"

namespace cilk2gpu::test::amd {

constexpr unsigned kMostLanes = 64;

// Addresses of flat accesses to private and to shared memory, as on gfx9 ("Flat Memory", apertures). They are no
// addresses of the host.
constexpr uint64_t kSharedAperture = 0x0001000000000000, kPrivateAperture = 0x0002000000000000;

/// What the wavefronts of a workgroup have together.
struct Group {
  std::vector<unsigned char> shared;
  uint32_t waves = 0, waiting = 0, ended = 0;
};

enum class State : uint8_t { Runs, AtBarrier, Ended };

struct LaunchShape {
  uint32_t blocks, threads;
  uint32_t resident;     ///< blocks that run beside one another
  uint64_t privateBytes; ///< bytes of each lane's private memory
  uint64_t sharedBytes;  ///< bytes of each block's shared memory
  uint64_t seed;
  /// Gets each access of global memory; may be null.
  void (*access)(const void *memory, uint64_t bytes, bool writes);
  /// Bounds of the code object, whose memory lanes may access.
  uint64_t imageStart, imageEnd;
};

struct Wave {
  Code *code = nullptr;
  const LaunchShape *shape = nullptr;
  Group *group = nullptr;
  unsigned char *privateMemory = nullptr; ///< of all lanes, one after the other
  uint64_t scratchBase = 0;               ///< number by which registers must name the private memory (gfx9)
  uint64_t pc = 0;                        ///< address of the next instruction
  uint64_t at = 0;                        ///< address of the instruction that is executed
  uint32_t block = 0, number = 0, lanes = 0;
  uint32_t mode = 0; ///< register MODE: rounding in bits 0 to 3, denormals in bits 4 to 7
  State state = State::Runs;
  bool yields = false;       ///< does it let others run?
  bool hasSignalled = false; ///< has it signalled a barrier for which it has not waited yet (gfx12)?
  uint8_t indexMode = 0;     ///< operands that m0 moves, a gfx9 mode: bit 0 to 2 are sources, 3 the result
  uint32_t scalars[kScalars];
  uint32_t vectors[kVectors][kMostLanes];

  unsigned size() const { return code->target.wave; }
  bool isWide() const { return size() == 64; }

  uint64_t pair(unsigned first) const { return scalars[first] | uint64_t(scalars[first + 1]) << 32; }
  void setPair(unsigned first, uint64_t value) {
    scalars[first] = uint32_t(value);
    scalars[first + 1] = uint32_t(value >> 32);
  }
  /// Read and write a register that has a bit for each lane.
  uint64_t mask(unsigned first) const { return isWide() ? pair(first) : scalars[first]; }
  void setMask(unsigned first, uint64_t value) {
    if (first == kNull)
      return;
    scalars[first] = uint32_t(value);
    if (isWide())
      scalars[first + 1] = uint32_t(value >> 32);
  }
  uint64_t exec() const { return mask(kExec); }
  bool flushes32() const { return !(mode >> 5 & 1); } ///< are the results of operations on float flushed to zero?

  unsigned char *privateOf(unsigned lane) const { return privateMemory + lane * shape->privateBytes; }

  [[noreturn]] void fail(const std::string &what) const;
};

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_WAVE_H
