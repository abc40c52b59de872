// Block graphs (channel.blocks) as compiled programs hand them to the runtime: one constant record for each graph, and
// the functions that launches, bodies and links call. A kernel in C++ that <cilk2gpu/Wireframe.h> launches has a record
// that leads from its address to that of its graph. Plain C data with fixed layout, as in Records.h.
//
//   channel.launch_blocks  ->  __cilk2gpu_launch_blocks(&record, extents, arguments)
//   the body               ->  record.run(&batch.place, arguments)
//   the links              ->  record.links(place), which calls __cilk2gpu_link_block for each parent
//
// A record has links, offsets, or starts with children; without any of them, no block waits. Initialise records by
// name: fields that are not named have the defaults of BlockRecords.def.
//
// Thread-safety: records are constant.
#ifndef CILK2GPU_ABI_BLOCKRECORDS_H
#define CILK2GPU_ABI_BLOCKRECORDS_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

/// Which of the blocks that are ready runs next.
enum class OrderKind : uint32_t {
  SmallestFirst = 0, ///< the smallest block ID (LRR)
  Levels = 1,        ///< so, too, but within a bound on the distance of levels (LVL)
};

/// Where code of a block graph runs. Links are asked for the parents of `block`.
struct BlockPlace {
  uint32_t block[3];   ///< along x, y and z
  uint32_t grid[3];    ///< extents
  uint32_t thread[3];  ///< in bodies, when they begin
  uint32_t threads[3]; ///< extents of the block
};
static_assert(offsetof(BlockPlace, grid) == 12 && offsetof(BlockPlace, thread) == 24 &&
              offsetof(BlockPlace, threads) == 36 && sizeof(BlockPlace) == 48);

/// Blocks that one call runs, in functions of bodies whose threads do not wait for one another. `place` has the first
/// block of a row of the grid, or, for LanesOf::Blocks, only the extents.
struct BlockBatch {
  BlockPlace place;      ///< functions get its address
  uint32_t count;        ///< of blocks, at least 1: neighbours along x, or blocks of `at`
  const uint32_t *at[3]; ///< [count]: coordinates x, y and z of each block; for LanesOf::Blocks
};
static_assert(offsetof(BlockBatch, count) == 48 && offsetof(BlockBatch, at) == 56 && sizeof(BlockBatch) == 80);

/// The lanes of a vector in a form of a body.
enum class LanesOf : uint32_t {
  Threads = 0, ///< neighbours along x of one block
  Row = 1,     ///< the same thread of blocks that are neighbours along x; no block of a batch waits for another one
  Blocks = 2,  ///< the same thread of any blocks; no block of a batch waits for another one
};

using BlockFn = void (*)(const BlockPlace *place, void *arguments);
using LinksFn = void (*)(const BlockPlace *place);

// clang-format off
#define CILK2GPU_RECORD(name) struct name##Record {
#define CILK2GPU_ANY_FIELD(type, name, value) type name = value;
#define CILK2GPU_RECORD_END };
#include "cilk2gpu/abi/BlockRecords.def"
// clang-format on
static_assert(sizeof(RowFormRecord) == 24 && sizeof(BlocksRecord) == 112 && offsetof(BlocksRecord, numNodes) == 56);
// The compiler writes these two field by field.
static_assert(sizeof(BlockLinksRecord) == 40 && offsetof(BlockLinksRecord, bound) == 32 &&
              sizeof(BlockLinksListRecord) == 40 && offsetof(BlockLinksListRecord, next) == 32);

} // namespace cilk2gpu::abi

// The runtime is compiled with hidden visibility. Functions that compiled programs call are not hidden.
#pragma GCC visibility push(default)
extern "C" {

/// Runs all blocks of a graph; returns when all are done. `extents` has the extents of the grid along x, y and z, and
/// behind them the extents of a block. The record decides which of them count: a graph with `starts` has its own grid,
/// and a record with threads has its own blocks. `extents` is null if none of them count. `arguments` are handed to the
/// body. A mistake ends the process with a message.
void __cilk2gpu_launch_blocks(const cilk2gpu::abi::BlocksRecord *blocks, const uint32_t *extents, void *arguments);

/// Makes the kernels of a unit known to launches.
void __cilk2gpu_register_blocks(cilk2gpu::abi::BlockKernelsRecord *kernels);

/// Makes mapping functions of a unit known to launches.
void __cilk2gpu_register_block_links(cilk2gpu::abi::BlockLinksListRecord *links);

/// In BlockKernelRecord::pack: memory for the arguments of the launch that begins on this thread.
void *__cilk2gpu_block_arguments(void);

/// In links: adds a parent of the block. Outside of the grid, there is none.
void __cilk2gpu_link_block(const cilk2gpu::abi::BlockPlace *place, uint32_t x, uint32_t y, uint32_t z);

/// In a body: waits until all threads of the block are here.
void __cilk2gpu_sync_block(void);

/// In a RowFormRecord's function: not all lanes of a vector have come to a barrier. The vector's first thread is (x, y,
/// z). Bit i of `all` is set if there is a thread (x + i, y, z), and bit i of `waiting` if it waits. Ends the process
/// with a message.
[[noreturn]] void __cilk2gpu_part_block(const cilk2gpu::abi::BlockPlace *place, uint32_t x, uint32_t y, uint32_t z,
                                        uint64_t waiting, uint64_t all);
}
#pragma GCC visibility pop

#endif // CILK2GPU_ABI_BLOCKRECORDS_H
