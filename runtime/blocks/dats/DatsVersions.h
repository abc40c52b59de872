// The five versions of a program that the Wireframe paper (MICRO 2017) compares in section 5: two with a launch for
// each level, one with barriers in the graph, and two that run ahead.
//
// Thread-safety: any.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSVERSIONS_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSVERSIONS_H

#include "blocks/dats/DatsMachine.h"

namespace cilk2gpu::rt {

/// The part of a setup that all versions share. Sizes of 0 are the policy's own (section 5.1).
struct DatsOptions {
  uint32_t nodes = 0, edges = 0, pending = 0;
  bool spill = true;
  uint32_t units = 15, slots = 8;
  uint64_t bound = 3;
  DatsTiming timing;
  BlockDurations durations;

  /// Scales the mean duration. Afterwards the version Global computes `ratio` / 1000 times as long as it launches.
  void scaleDurations(const DatsGraph &graph, uint64_t ratio);

  DgbSizes sizesFor(bool isLevelBound) const;
  DatsSetup setupFor(bool isLevelBound) const;
};

struct DatsVersion {
  const char *name;
  const char *description;
  bool hasBuffer;    ///< a dependency graph buffer decides what runs next
  bool isLevelBound; ///< it has the sizes and the policy of LVL
  bool hasJoinNodes; ///< the graph gets a join node between levels
  /// Runs a graph, which is not yet transformed.
  DatsReport (*run)(const DatsGraph &graph, const DatsOptions &options, const DatsWork &work);
};

inline constexpr unsigned kNumDatsVersions = 5, kLooseRoundRobinVersion = 3, kLevelBoundVersion = 4;
/// Global, CDP, DepLinks, LRR, LVL: in the paper's order, from the slowest to the fastest.
extern const DatsVersion datsVersions[kNumDatsVersions];

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSVERSIONS_H
