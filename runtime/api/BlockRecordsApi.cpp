// Block graphs of compiled programs (cilk2gpu/abi/BlockRecords.h). Their launches are those of <cilk2gpu/Wireframe.h>.
#include "api/OffsetsLaunch.h"
#include "api/RecordLaunch.h"
#include "blocks/BlockThreads.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"
#include "process/Settings.h"

using namespace cilk2gpu;
using abi::BlockBatch;
using abi::BlockPlace;
using abi::BlocksRecord;
using rt::RecordLaunch;

namespace {

void setNumbers(uint32_t (&numbers)[3], const dim3 &values) {
  numbers[0] = values.x;
  numbers[1] = values.y;
  numbers[2] = values.z;
}

/// Fills in the place of a block. A copy of a place would wait until its parts have been written.
void setPlace(BlockPlace &place, const dim3 &grid, const dim3 &threads, const dim3 &block) {
  setNumbers(place.block, block);
  setNumbers(place.grid, grid);
  setNumbers(place.threads, threads);
}

BlockPlace placeOf(const dim3 &grid, const dim3 &threads, uint64_t node) {
  BlockPlace place = {};
  dim3 block;
  wf::detail::setIndex(block, uint32_t(node), grid);
  setPlace(place, grid, threads, block);
  return place;
}

/// Calls a function with a row of blocks.
void callWithRow(abi::BlockFn function, const RecordLaunch &launch, const dim3 &first, uint32_t count) {
  BlockBatch batch = {};
  setPlace(batch.place, launch.grid, launch.block, first);
  batch.count = count;
  function(&batch.place, launch.arguments);
}

/// The body runs all threads of the block itself.
void runBlock(void *context, uint64_t node) {
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(context);
  dim3 block;
  wf::detail::setIndex(block, uint32_t(node), launch.grid);
  callWithRow(launch.form.run, launch, block, 1);
}

/// BlockForms::row
void runRow(void *context, dim3 first, uint32_t count) {
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(context);
  callWithRow(launch.form.run, launch, first, count);
}

/// BlockForms::rowLanes
void runRowLanes(void *context, dim3 first, uint32_t count) {
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(context);
  callWithRow(launch.rowLanes, launch, first, count);
}

/// BlockForms::lanes
void runLanes(void *context, const uint32_t *const *at, uint32_t count) {
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(context);
  const BlockBatch batch = {
      .place = placeOf(launch.grid, launch.block, 0), .count = count, .at = {at[0], at[1], at[2]}};
  launch.lanes(&batch.place, launch.arguments);
}

/// A block whose body runs some threads: one, or neighbours along x.
struct GroupsOfBlock {
  const RecordLaunch &launch;
  rt::ThreadGroups groups;
  BlockPlace place;

  static void runGroup(void *context, uint32_t number) {
    GroupsOfBlock &block = *static_cast<GroupsOfBlock *>(context);
    dim3 thread;
    wf::detail::setIndex(thread, block.groups.firstThread(number), block.launch.block);
    setNumbers(block.place.thread, thread);
    block.launch.form.run(&block.place, block.launch.arguments);
  }
};

/// The body reads the coordinates of its threads when it begins, before other threads run.
void runThreadsOfBlock(void *context, uint64_t node) {
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(context);
  const dim3 &extents = launch.block;
  GroupsOfBlock block = {launch,
                         {.threads = extents.x * extents.y * extents.z, .lanes = launch.form.lanes, .row = extents.x},
                         placeOf(launch.grid, extents, node)};
  if (block.groups.count() == 1 && launch.form.isa != abi::Isa::Any)
    GroupsOfBlock::runGroup(&block, 0); // it does not wait
  else
    rt::BlockThreads(GroupsOfBlock::runGroup, &block, node, block.groups).run();
}

/// Returns true if vectors are expected to be faster than one thread after the other.
bool isWorthVectors(const BlocksRecord &record, const dim3 &block) {
  // Without vectors, threads that wait for one another are fibers.
  constexpr uint32_t kFewest = 4, kFewestFibers = 2;
  return block.x >= (record.syncs ? kFewestFibers : kFewest);
}

/// Returns the instruction sets whose forms may run.
uint32_t usableIsas() {
  const uint32_t available = rt::hostIsas();
  const rt::Settings &settings = rt::settings();
  const bool isNative = settings.device == rt::Device::Native || settings.device == rt::Device::Auto;
  return isNative ? available & settings.isas : 0;
}

/// Returns the form of the body that runs the threads of a launch. Among forms for the best instruction set of the
/// machine, this is the smallest one that has a lane for each thread of a row, else the largest one.
abi::RowFormRecord chooseForm(const BlocksRecord &record, const dim3 &block) {
  const uint32_t isas = isWorthVectors(record, block) ? usableIsas() : 0;
  abi::RowFormRecord chosen = {.run = record.run, .isa = abi::Isa::Any, .lanes = 1, .of = abi::LanesOf::Threads};
  for (uint32_t f = 0; f < record.numForms; ++f) {
    const abi::RowFormRecord &form = record.forms[f];
    if (!form.run || form.of != abi::LanesOf::Threads || !(isas >> uint32_t(form.isa) & 1))
      continue;
    if (chosen.isa != abi::Isa::Any && (form.isa != chosen.isa || chosen.lanes >= block.x))
      break;
    chosen = form;
  }
  return chosen;
}

/// Returns the function that runs blocks in vectors with the best instruction set; null: there is none.
abi::BlockFn chooseLanes(const BlocksRecord &record, abi::LanesOf of) {
  const uint32_t isas = usableIsas();
  for (uint32_t f = 0; f < record.numForms; ++f) {
    const abi::RowFormRecord &form = record.forms[f];
    if (form.run && form.of == of && isas >> uint32_t(form.isa) & 1)
      return form.run;
  }
  return nullptr;
}

/// Runs the links of some blocks.
void runLinks(const void *context, wf::detail::Collector &collector, uint64_t begin, uint64_t end) {
  const BlocksRecord &record = static_cast<const RecordLaunch *>(context)->record;
  wf::detail::Collector *outer = wf::detail::collector;
  wf::detail::collector = &collector;
  if (record.order == abi::OrderKind::Levels)
    wf::detail::setPolicy(&collector, {WF::LVL, record.bound, true});
  for (; begin != end; ++begin) {
    const BlockPlace place = placeOf(collector.grid, collector.block, begin);
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

/// The extents of a block.
dim3 blockOf(const BlocksRecord &record, const uint32_t *extents) {
  if (record.threadsX)
    return dim3(record.threadsX, record.threadsY, record.threadsZ);
  return dim3(extents[3], extents[4], extents[5]);
}

} // namespace

wf::detail::BlockFunction rt::functionOf(RecordLaunch &launch, const void *kernel) {
  launch.form = chooseForm(launch.record, launch.block);
  constexpr uint32_t kManyThreads = 16; // along x: they fill vectors themselves
  const bool mayBeLanes = launch.block.x < kManyThreads;
  launch.rowLanes = mayBeLanes ? chooseLanes(launch.record, abi::LanesOf::Row) : nullptr;
  launch.lanes = mayBeLanes ? chooseLanes(launch.record, abi::LanesOf::Blocks) : nullptr;
  return {.run = launch.record.syncs ? runThreadsOfBlock : runBlock,
          .context = &launch,
          .kernel = kernel,
          .thread = nullptr,
          .node = nullptr,
          .placed = reinterpret_cast<void (*)(const void *, void *)>(launch.record.one),
          .arguments = launch.arguments};
}

bool rt::isOfRecord(const wf::detail::BlockFunction &function) {
  return function.run == runThreadsOfBlock || function.run == runBlock;
}

rt::BlockForms rt::formsOf(const wf::detail::BlockFunction &function) {
  if (function.run != runBlock)
    return {};
  const RecordLaunch &launch = *static_cast<const RecordLaunch *>(function.context);
  return {
      .row = runRow, .rowLanes = launch.rowLanes ? runRowLanes : nullptr, .lanes = launch.lanes ? runLanes : nullptr};
}

extern "C" void __cilk2gpu_launch_blocks(const BlocksRecord *blocks, const uint32_t *extents, void *arguments) {
  const BlocksRecord &record = *blocks;
  checkRecord(record);
  RecordLaunch launch = {.record = record,
                         .arguments = arguments,
                         .grid = dim3(),
                         .block = blockOf(record, extents),
                         .form = {},
                         .rowLanes = nullptr,
                         .lanes = nullptr};
  const wf::detail::BlockFunction kernel = rt::functionOf(launch, reinterpret_cast<const void *>(record.run));
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

extern "C" void __cilk2gpu_part_block(const BlockPlace *place, uint32_t x, uint32_t y, uint32_t z, uint64_t waiting,
                                      uint64_t all) {
  const uint32_t *threads = place->threads, *grid = place->grid, *block = place->block;
  const uint32_t first = x + threads[0] * (y + threads[1] * z);
  const uint64_t node = block[0] + uint64_t(grid[0]) * (block[1] + uint64_t(grid[1]) * block[2]);
  rt::BlockThreads::failOfDivergence(node, first + __builtin_ctzll(waiting), first + __builtin_ctzll(all & ~waiting),
                                     threads[0] * threads[1] * threads[2]);
}
