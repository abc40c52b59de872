// Facts that counted code (-fcilk-count-instructions) records about itself: the blocks of each function, the loops
// around them, and the number of instructions of each class in each block. The modelled machine uses these facts to
// determine which lanes execute together.
//
//   CountedFunction --> LoopRecord[]   0: the function itself; then its loops, each after the loop around it
//                       BlockRecord[]  blocks of loop 0 first, then of loop 1, ...
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
  Call,    ///< calls; the instructions of a called function count as well if it is counted code
  Channel, ///< talloc, enq, deq and tfree; their loads and stores count as such
};
inline constexpr uint32_t kInstructionClasses = 7;

struct BlockRecord {
  uint32_t loop;     ///< innermost loop around the block
  uint32_t isHeader; ///< 1 if each visit begins an iteration of `loop`
  uint32_t counts[kInstructionClasses];
  uint32_t reserved; ///< zero
};

struct LoopRecord {
  uint32_t parent; ///< loop around this loop
  uint32_t firstBlock, numBlocks;
  uint32_t reserved; ///< zero
};

struct CountedFunction {
  const LoopRecord *loops;   ///< at least one
  const BlockRecord *blocks; ///< blocks in the order of their loops
};

static_assert(sizeof(BlockRecord) == 40 && sizeof(LoopRecord) == 16 && sizeof(CountedFunction) == 16);

} // namespace cilk2gpu::abi

extern "C" {

/// Tells the model that the next lane begins, in a kernel's loop over its lanes.
void __cilk2gpu_count_lane(cilk2gpu::abi::Wave *wave);

/// Begins a call of `function`. The result is an argument of the two functions below. It is null if nothing is counted
/// now.
void *__cilk2gpu_count_enter(const cilk2gpu::abi::CountedFunction *function);

/// Counts block number `block`. `place` is the result of enter, or of the last call of this function.
void *__cilk2gpu_count_block(void *place, const cilk2gpu::abi::CountedFunction *function, uint32_t block);

/// Ends a call. `entered` is the result of __cilk2gpu_count_enter for the call.
void __cilk2gpu_count_leave(void *entered);
}

#endif // CILK2GPU_ABI_COUNTS_H
