// The modelled machine for block graphs, as a simulation of events: compute units that run blocks, a scheduler with a
// dependency graph buffer, and loads from global memory. Wireframe, MICRO 2017, sections 4 and 5.1.
//
//   DatsReport report = DatsMachine(graph, setup, {run, context}).run();
//
// Blocks are really executed, in the order in which the machine completes them. The times are modelled. The same setup
// gives the same numbers, to the bit.
//
// Thread-safety: none. Blocks run on the calling thread.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSMACHINE_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSMACHINE_H

#include "blocks/dats/DatsEvents.h"
#include "blocks/dats/DatsLoader.h"
#include "blocks/dats/DatsReport.h"
#include "blocks/dats/DatsScheduler.h"
#include "blocks/dats/DatsTiming.h"

namespace cilk2gpu::rt {

struct DatsSetup {
  DgbSizes sizes;
  DatsPolicy policy;
  uint32_t units = 15, slots = 8; ///< compute units, and the blocks that each of them holds (section 4.1)
  DatsTiming timing;
  BlockDurations durations;
};

/// The function that executes a block. Without one, the machine counts time only.
struct DatsWork {
  void (*run)(void *context, uint64_t block) = nullptr;
  void *context = nullptr;

  void execute(uint64_t block) const {
    if (run && block != DatsGraph::kNoBlock)
      run(context, block);
  }
};

/// Fills the counters that follow from other counters.
void finishReport(DatsReport &report, const DatsTiming &timing);

class DatsMachine {
public:
  DatsMachine(const DatsGraph &graph, const DatsSetup &setup, const DatsWork &work);

  /// Runs the graph after one launch by the host. Returns when all nodes are done, or when nothing can go on.
  DatsReport run();

private:
  void handle(const DatsEvent &event);
  void advanceTo(uint64_t time);
  void settle();
  bool retryStalled();
  void issueReady();
  void end(uint64_t node);
  void stall(uint64_t node);
  void complete(uint64_t node);
  uint64_t duration(uint64_t node) const;
  DatsReport finished();

  const DatsGraph &graph;
  const DatsSetup setup;
  const DatsWork work;
  Dgb buffer;
  DatsLoader loader;
  DatsScheduler scheduler;
  DatsEvents events;
  DatsArray<uint32_t> unitOf;  ///< the compute unit of each entry of the window
  DatsArray<uint64_t> stalled; ///< nodes that wait for the pending update buffer, by ID
  uint64_t numStalled = 0, now = 0;
  DatsReport report;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSMACHINE_H
