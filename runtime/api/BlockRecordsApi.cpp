// Block graphs of compiled programs (cilk2gpu/abi/BlockRecords.h). Their launches are those of <cilk2gpu/Wireframe.h>.
#include "api/OffsetsLaunch.h"
#include "cilk2gpu/abi/BlockRecords.h"
#include "process/Message.h"

using namespace cilk2gpu;
using abi::BlockPlace;
using abi::BlocksRecord;

namespace {

/// A launch of a record, which all of its blocks share.
struct RecordLaunch {
  const BlocksRecord &record;
  void *arguments;
  dim3 grid, block;
};

void setNumbers(uint32_t (&numbers)[3], const dim3 &values) {
  numbers[0] = values.x;
  numbers[1] = values.y;
  numbers[2] = values.z;
}

BlockPlace placeOf(const dim3 &grid, uint64_t node) {
  BlockPlace place = {};
  dim3 block;
  wf::detail::setIndex(block, uint32_t(node), grid);
  setNumbers(place.block, block);
  setNumbers(place.grid, grid);
  return place;
}

/// The body runs all threads of the block itself.
void runBlock(void *context, uint64_t node) {
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(context);
  const BlockPlace place = placeOf(launch.grid, node);
  launch.record.run(&place, launch.arguments);
}

/// The body runs one thread. It reads the thread's coordinates when it begins, before another thread runs.
void runThreadsOfBlock(void *context, uint64_t node) {
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(context);
  struct Block {
    const RecordLaunch &launch;
    BlockPlace place;
  } block = {launch, placeOf(launch.grid, node)};
  auto runThread = [](void *context, uint32_t number) {
    Block &block = *static_cast<Block *>(context);
    dim3 thread;
    wf::detail::setIndex(thread, number, block.launch.block);
    setNumbers(block.place.thread, thread);
    block.launch.record.run(&block.place, block.launch.arguments);
  };
  wf::detail::runThreads(runThread, &block, node, launch.block.x * launch.block.y * launch.block.z);
}

/// Runs the links of some blocks.
void runLinks(const void *context, wf::detail::Collector &collector, uint64_t begin, uint64_t end) {
  const BlocksRecord &record = static_cast<const RecordLaunch *>(context)->record;
  wf::detail::Collector *outer = wf::detail::collector;
  wf::detail::collector = &collector;
  if (record.order == abi::OrderKind::Levels)
    wf::detail::setPolicy(&collector, {WF::LVL, record.bound, true});
  for (; begin != end; ++begin) {
    const BlockPlace place = placeOf(collector.grid, begin);
    record.links(&place);
    wf::detail::endOfBlock(collector);
  }
  wf::detail::collector = outer;
}

/// A graph that is known at compile time: the compiler has checked it, but perhaps another one wrote the record.
void launchStatic(RecordLaunch &launch, const wf::detail::PolicyChoice &policy,
                  const wf::detail::BlockFunction &kernel) {
  const BlocksRecord &record = launch.record;
  launch.grid = dim3(unsigned(record.numNodes));
  const wf::detail::Arrays arrays = {.starts = record.starts,
                                     .children = record.children,
                                     .numStarts = wf::detail::Arrays::kUnknown,
                                     .numChildren = wf::detail::Arrays::kUnknown,
                                     .startBytes = sizeof *record.starts,
                                     .childBytes = sizeof *record.children,
                                     .areStartsSigned = false,
                                     .areChildrenSigned = false};
  wf::detail::launchArrays(record.numNodes, arrays, policy, launch.block, kernel);
}

void checkRecord(const BlocksRecord &record) {
  if (record.magic != abi::kMagic || record.version != abi::kAbiVersion)
    rt::fatal("a block graph of this program has version %u of the interface, and this library has version %u; compile "
              "the program again",
              record.version, abi::kAbiVersion);
}

} // namespace

extern "C" void __cilk2gpu_launch_blocks(const BlocksRecord *blocks, const uint32_t *extents, void *arguments) {
  const BlocksRecord &record = *blocks;
  checkRecord(record);
  RecordLaunch launch = {.record = record,
                         .arguments = arguments,
                         .grid = dim3(),
                         .block = dim3(record.threadsX, record.threadsY, record.threadsZ)};
  const wf::detail::BlockFunction kernel = {.run = record.syncs ? runThreadsOfBlock : runBlock,
                                            .context = &launch,
                                            .kernel = reinterpret_cast<const void *>(record.run)};
  wf::detail::PolicyChoice policy;
  if (record.order == abi::OrderKind::Levels)
    policy = {WF::LVL, record.bound, true};
  if (record.starts)
    return launchStatic(launch, policy, kernel);
  launch.grid = dim3(extents[0], extents[1], extents[2]);
  for (uint32_t dimension = 0; dimension < 3; ++dimension)
    if (extents[dimension] > INT32_MAX)
      rt::fatal("block graph '%s': an extent of a grid is at most 2147483647; (%u, %u, %u) were asked for: let each "
                "block do more, or use another dimension",
                record.name, extents[0], extents[1], extents[2]);
  if (record.links)
    return wf::detail::launchGrid(launch.grid, launch.block, {.run = runLinks, .links = &launch}, kernel);
  rt::launchOffsets({.grid = launch.grid,
                     .block = launch.block,
                     .offsets = record.offsets,
                     .numOffsets = record.numOffsets,
                     .policy = policy},
                    kernel);
}

extern "C" void __cilk2gpu_link_block(const BlockPlace *place, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t *grid = place->grid;
  if (x >= grid[0] || y >= grid[1] || z >= grid[2])
    return;
  wf::detail::Collector &collector = *wf::detail::collector;
  if (collector.next == collector.end)
    wf::detail::growCollector(collector);
  *collector.next++ = uint32_t(x + uint64_t(grid[0]) * (y + uint64_t(grid[1]) * z));
}

extern "C" void __cilk2gpu_sync_block(void) { wf::detail::syncThreads(); }
