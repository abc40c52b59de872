// A run of a graph of thread blocks on a GPU, and the code of its workgroups. A workgroup has a thread for each thread
// of a block, and runs one block after another:
//
//   leader    takes a ready block | meet | its thread of the block    | meet | counts the children down
//   others                        | meet | their threads of the block | meet |
//
// Workgroups stay as long as there are blocks to take (BlockOrder::Ready and Levels). Or the host makes a launch for
// each level (BlockOrder::Launches). No workgroup waits for one that has not started: a launch with a single resident
// workgroup ends, too.
//
// GPUs (Blocks.cpp) and gpu-host (blocks/gpu/HostGroup.h) use this code. Each has a type Group:
//
//   bool isLeader();             the calling thread is the first one of its workgroup
//   uint64_t number();           of the workgroup
//   void post(uint64_t block);   the leader tells the others which block comes next
//   uint64_t posted();
//   void meet();                 waits for all threads of the workgroup: what one has written, all see behind it
//   bool knows(const BlockJob &) whether the kernel can run here
//   void run(const BlockJob &)   runs the calling thread of the posted block
//
// Thread-safety: the host writes a job before the launch and reads it behind; in between, workgroups do.
#ifndef CILK2GPU_RUNTIME_DEVICE_BLOCKJOB_H
#define CILK2GPU_RUNTIME_DEVICE_BLOCKJOB_H

#include "device/BlockQueue.h"

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/BlockRecords.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

enum class BlockOrder : uint32_t {
  Ready,    ///< the block that has been ready for longest (LRR)
  Levels,   ///< blocks of the lowest level, within a bound (LVL)
  Launches, ///< a launch for each level
};

/// Kinds of functions that run a block.
enum class BlockForm : uint32_t {
  Threads, ///< void(void *context, uint32_t block, uint32_t thread): one thread
  Node,    ///< void(uint64_t block, void *context): the whole block, on one thread
  Placed,  ///< void(const abi::BlockPlace *place, void *context): one thread
  Whole,   ///< void(void *context, uint64_t block): likewise; on the host only
};

struct BlockJob {
  // The kernel. Pointers to functions are the host's.
  BlockForm form;
  const void *function; ///< as `form` says
  const void *kernel;   ///< the kernel itself, which `function` calls
  void *context;
  uint32_t grid[3], block[3]; ///< extents
  uint32_t threads;           ///< of a workgroup

  // The graph.
  uint32_t numGroups;
  BlockOrder order;
  BlockRows<Machine> rows;
  ReadyQueue<Machine> ready;
  LevelQueue<Machine> levels;
  const uint32_t *byLevel;    ///< of Launches: blocks, ordered by level
  uint64_t next = 0, end = 0; ///< of Launches: the rest of the level in `byLevel`

  // What the run leaves.
  uint64_t numRun = 0;
  const void *unknown = nullptr; ///< a function that has no version for the device; then no block has run

  // For statistics, if they are wanted; else null.
  const uint32_t *levelOf = nullptr; ///< [nodes]
  uint32_t *runningLevels = nullptr; ///< [numGroups]: level plus 1; 0: no block runs
  uint64_t mostReady = 0, levelRange = 0;
};

namespace blocks {

using Words = Machine::OnDevice;

/// Raises a maximum that several workgroups raise. Relaxed: the host reads it when all have ended.
inline void raise(uint64_t &maximum, uint64_t value) {
  auto word = toGlobal(&maximum);
  for (uint64_t old; (old = Words::load<__ATOMIC_RELAXED>(word)) < value;)
    if (Words::exchange<__ATOMIC_RELAXED>(word, old, value))
      return;
}

/// Notes that a block begins, and compares its level with those of other workgroups. Relaxed: a workgroup that ends a
/// block meanwhile may be counted with it.
inline void noteBegin(BlockJob &job, uint64_t group, uint64_t node) {
  if (job.order == BlockOrder::Ready)
    raise(job.mostReady, job.ready.count());
  uint32_t own = toGlobal(job.levelOf)[node] + 1, lowest = own, highest = own;
  Words::store<__ATOMIC_RELAXED>(toGlobal(job.runningLevels + group), own);
  for (uint32_t other = 0; other < job.numGroups; ++other)
    if (uint32_t level = Words::load<__ATOMIC_RELAXED>(toGlobal(job.runningLevels + other))) {
      lowest = level < lowest ? level : lowest;
      highest = level > highest ? level : highest;
    }
  raise(job.levelRange, highest - lowest);
}

inline void noteEnd(BlockJob &job, uint64_t group) {
  if (job.runningLevels)
    Words::store<__ATOMIC_RELAXED>(toGlobal(job.runningLevels + group), uint32_t(0)); // as in noteBegin()
}

/// Takes a block of a level. Relaxed: launches order what blocks of different levels do.
inline uint64_t takeOfLevel(BlockJob &job) {
  uint64_t place = Words::add<__ATOMIC_RELAXED>(toGlobal(&job.next), uint64_t(1));
  return place < job.end ? toGlobal(job.byLevel)[place] : kNoBlock;
}

inline uint64_t take(BlockJob &job, uint64_t group) {
  uint64_t node = job.order == BlockOrder::Ready    ? job.ready.take()
                  : job.order == BlockOrder::Levels ? job.levels.take()
                                                    : takeOfLevel(job);
  if (node != kNoBlock && job.runningLevels)
    noteBegin(job, group, node);
  return node;
}

inline void complete(BlockJob &job, uint64_t group, uint64_t node) {
  noteEnd(job, group); // before children can run
  if (job.order == BlockOrder::Ready)
    job.ready.complete(node, job.rows);
  else if (job.order == BlockOrder::Levels)
    job.levels.complete(node, job.rows);
}

} // namespace blocks

/// Runs a workgroup until there are no blocks left. Each of its threads calls this.
template <class Group> void runGroup(BlockJob &job, Group &group) {
  for (uint64_t turn = 0;; ++turn) {
    if (group.isLeader())
      group.post(turn || group.knows(job) ? blocks::take(job, group.number()) : kNoBlock);
    group.meet();
    uint64_t node = group.posted();
    if (node == kNoBlock) {
      if (group.isLeader() && turn) // relaxed: the host reads it when all workgroups have ended
        blocks::Words::add<__ATOMIC_RELAXED>(toGlobal(&job.numRun), turn);
      return;
    }
    group.run(job);
    group.meet();
    if (group.isLeader())
      blocks::complete(job, group.number(), node);
  }
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_BLOCKJOB_H
