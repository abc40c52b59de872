// Runs kernels of AMD's GPUs: wavefronts of 32 or 64 lanes in lockstep. Wavefronts of all resident workgroups run in
// turns, and a generator of random numbers chooses which goes on, and for how long. Behaviour that the hardware leaves
// undefined ends the process with a message, and so does an instruction that is not known.
//
// Memory is strongly ordered: an access is done before the next instruction, and caches are not modelled. So a wait or
// a fence that is missing goes unnoticed.
//
// Registers, shared memory and private memory begin with a pattern.
//
// Thread-safety: a single kernel at a time. The host may touch global memory, as with a real GPU.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_MACHINE_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_MACHINE_H

#include "Wave.h"

namespace cilk2gpu::test::amd {

/// A kernel, as its descriptor and its metadata say.
struct Kernel {
  std::string name;
  Code *code = nullptr;
  uint64_t entry = 0; ///< address of the first instruction
  uint32_t sharedBytes = 0, privateBytes = 0, argumentBytes = 0;
  bool hasDynamicStack = false;
  uint32_t resources1 = 0, resources2 = 0; ///< COMPUTE_PGM_RSRC1 and 2
  uint16_t properties = 0;                 ///< KERNEL_CODE_PROPERTIES

  struct Hidden {
    std::string kind; ///< such as "hidden_block_count_x"
    uint32_t offset, bytes;
  };
  std::vector<Hidden> hidden;
};

/// Executes one instruction.
void step(Wave &wave);

/// Fills the scalar registers, and the first vector registers, with a pattern.
void fillRegisters(Wave &wave, unsigned vectors);

/// Runs a kernel, whose only parameter is a pointer, to its end. Returns the number of instructions executed.
uint64_t run(const Kernel &kernel, const LaunchShape &shape, const void *parameter);

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_MACHINE_H
