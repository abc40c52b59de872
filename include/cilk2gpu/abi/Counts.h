// What counted code says of itself (-fcilk-count-instructions): for each function its blocks, how many instructions of
// each class they have, and the loops that they are in. The modelled machine aligns its lanes with it.
//
//   CountedFunction --> LoopRecord[]   0: the function itself; then its loops, each after the loop around it
//                       BlockRecord[]  those of loop 0 first, then those of loop 1, ...
//
// Thread-safety: constant data. A change here changes kAbiVersion.
#ifndef CILK2GPU_ABI_COUNTS_H
#define CILK2GPU_ABI_COUNTS_H

#include <stdint.h>

namespace cilk2gpu::abi {

struct Wave;

enum class InstructionClass : uint32_t {
  Alu, ///< arithmetic, comparisons, selections, conversions, addresses
  Load,
  Store,
  Atomic,  ///< read-modify-write operations, atomic loads and stores, fences
  Branch,  ///< conditional branches and switches
  Call,    ///< of functions; what they execute counts as well if they are counted code
  Channel, ///< talloc, enq, deq and tfree; the loads and stores that they take count as such
};
inline constexpr uint32_t kInstructionClasses = 7;

struct BlockRecord {
  uint32_t loop;     ///< the innermost one around it
  uint32_t isHeader; ///< 1: each visit begins an iteration of `loop`
  uint32_t counts[kInstructionClasses];
  uint32_t reserved; ///< zero
};

struct LoopRecord {
  uint32_t parent; ///< the loop around it
  uint32_t firstBlock, numBlocks;
  uint32_t reserved; ///< zero
};

struct CountedFunction {
  const LoopRecord *loops;   ///< at least one
  const BlockRecord *blocks; ///< loops' blocks in order
};

static_assert(sizeof(BlockRecord) == 40 && sizeof(LoopRecord) == 16 && sizeof(CountedFunction) == 16);

} // namespace cilk2gpu::abi

extern "C" {

/// In a kernel's loop over its lanes: the next lane begins.
void __cilk2gpu_count_lane(cilk2gpu::abi::Wave *wave);

/// A call of `function` begins. What it returns goes to the other two; null where nothing is counted.
void *__cilk2gpu_count_enter(const cilk2gpu::abi::CountedFunction *function);

/// Block number `block` is executed. `place` is what enter, or the last call of this function, returned.
void *__cilk2gpu_count_block(void *place, const cilk2gpu::abi::CountedFunction *function, uint32_t block);

/// The call ends that enter returned `entered` for.
void __cilk2gpu_count_leave(void *entered);
}

#endif // CILK2GPU_ABI_COUNTS_H
