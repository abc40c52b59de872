// Block graphs that were launched, for the statistics that are written when the program ends. Launches of one kernel on
// graphs of one size share a report. To the core, a block graph is a channel: its elements are blocks, and an edge from
// the channel to itself says that they are released by counts of parents.
//
// Thread-safety: any thread may add. Reports are never removed, so any thread may read the list.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKREPORT_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKREPORT_H

#include "blocks/BlockRunner.h"
#include "core/TaskTable.h"
#include "process/Devices.h"

namespace cilk2gpu::rt {

/// Launches with equal keys share a report.
struct BlockReportKey {
  const void *kernel; ///< address
  Device device;
  BlockPolicy policy;
  uint64_t nodes, edges;
  uint32_t threads;
};

struct BlockReportCounters {
#define CILK2GPU_BLOCK_COUNTER(name, combine, unit, description) uint64_t name = 0;
#include "blocks/BlockCounters.def"
};

struct BlockReport {
  BlockReport *next;
  BlockReportKey key;
  BlockReportCounters counters;
  DatsCounters dats;
  const TaskInfo *channel;
};

/// Reports in the order of the first launches; null if there are none.
extern BlockReport *blockReports;

/// Adds the counters of a launch.
void reportBlocks(const BlockReportKey &key, const BlockReportCounters &counters, const DatsCounters &dats);

const char *policyName(WF::Policy policy);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKREPORT_H
