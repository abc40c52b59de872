// Block graphs (channel.blocks) as compiled programs hand them to the runtime: one constant record for each graph, and
// the functions that launches, bodies and links call. Plain C data with fixed layout, as in Records.h.
//
//   channel.launch_blocks  ->  __cilk2gpu_launch_blocks(&record, extents, arguments)
//   the body               ->  record.run(place, arguments)
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
  uint32_t block[3];  ///< along x, y and z
  uint32_t grid[3];   ///< extents
  uint32_t thread[3]; ///< in bodies, when they begin
};
static_assert(offsetof(BlockPlace, grid) == 12 && offsetof(BlockPlace, thread) == 24 && sizeof(BlockPlace) == 36);

using BlockFn = void (*)(const BlockPlace *place, void *arguments);
using LinksFn = void (*)(const BlockPlace *place);

#define CILK2GPU_ANY_FIELD(type, name, value) type name = value;
struct BlocksRecord {
#include "cilk2gpu/abi/BlockRecords.def"
};
static_assert(sizeof(BlocksRecord) == 96 && offsetof(BlocksRecord, numNodes) == 56);

} // namespace cilk2gpu::abi

extern "C" {

/// Runs all blocks of a graph; returns when all are done. `extents` has the extents of the grid along x, y and z, and
/// is null for a graph with `starts`. `arguments` are handed to the body. A mistake ends the process with a message.
void __cilk2gpu_launch_blocks(const cilk2gpu::abi::BlocksRecord *blocks, const uint32_t *extents, void *arguments);

/// In links: adds a parent of the block. Outside of the grid, there is none.
void __cilk2gpu_link_block(const cilk2gpu::abi::BlockPlace *place, uint32_t x, uint32_t y, uint32_t z);

/// In a body: waits until all threads of the block are here.
void __cilk2gpu_sync_block(void);
}

#endif // CILK2GPU_ABI_BLOCKRECORDS_H
