// Makes the job of a launch of thread blocks for a GPU's workgroups (device/BlockJob.h), and takes its results.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_GPU_BLOCKJOBS_H
#define CILK2GPU_RUNTIME_BLOCKS_GPU_BLOCKJOBS_H

#include "blocks/BlockRunner.h"
#include "device/BlockJob.h"

namespace cilk2gpu::rt {

/// A job in the device's memory, with lines of its own.
struct BlockJobCopy {
  device::BlockJob job;
  char rest[64 - sizeof(device::BlockJob) % 64];
};

/// A job in the host's memory, and the levels that a launch for each level needs.
class BlockJobs {
public:
  /// `groups`: workgroups of a launch, at most.
  BlockJobs(BlockRun &run, uint32_t groups);
  BlockJobs(const BlockJobs &) = delete;

  /// Returns how many launches the job takes: one, or one for each level.
  uint64_t numLaunches() const { return order.nodes ? run.levels.count : 1; }
  /// Sets the job up for a launch. Returns the number of its workgroups.
  uint32_t prepare(uint64_t launch);
  /// Adds the results of a copy of the job that has run another launch.
  void addResults(const device::BlockJob &other);
  /// Calls visit(pointer, count) for each array of the job.
  template <class Visit> void eachArray(Visit visit);
  /// All launches have ended: passes the counters on. Ends the process if a block has not run.
  void finish();

  device::BlockJob job = {};
  BlockRun &run;

private:
  void chooseFunction();
  void chooseOrder();
  void addLevels();

  const uint32_t groups;
  BlockOrder order; ///< of launches for each level; else null
};

template <class Visit> void BlockJobs::eachArray(Visit visit) {
  using Order = device::BlockOrder;
  const BlockGraph &graph = run.launch.graph;
  bool isReady = job.order == Order::Ready, isByLevel = job.order == Order::Levels;
  if (isReady || isByLevel) {
    visit(job.rows.starts, graph.nodes + 1);
    visit(job.rows.children, graph.edges);
    visit(job.rows.parents, graph.nodes);
  }
  if (isReady)
    visit(job.ready.slots, graph.nodes);
  if (isByLevel) {
    auto &setup = job.levels.setup;
    visit(setup.levelOf, graph.nodes);
    visit(setup.firstSlot, run.levels.count + 1);
    visit(setup.slots, graph.nodes);
    visit(setup.levels, run.levels.count);
  }
  if (job.byLevel)
    visit(job.byLevel, graph.nodes);
  if (job.levelOf) {
    visit(job.levelOf, graph.nodes);
    visit(job.runningLevels, uint64_t(job.numGroups));
  }
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_GPU_BLOCKJOBS_H
