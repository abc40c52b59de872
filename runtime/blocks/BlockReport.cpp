// See BlockReport.h.
#include "blocks/BlockReport.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"
#include "process/Message.h"

#include <algorithm>
#include <new>
#include <stdlib.h>

namespace cilk2gpu::rt {

BlockReport *blockReports = nullptr;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; ///< guards the list, and the table of channels

const char *policyName(WF::Policy policy) { return policy == WF::LVL ? "LVL" : "LRR"; }

static bool areEqual(const BlockReportKey &a, const BlockReportKey &b) {
  return a.kernel == b.kernel && a.device == b.device && a.policy.kind == b.policy.kind &&
         a.policy.bound == b.policy.bound && a.nodes == b.nodes && a.edges == b.edges && a.threads == b.threads;
}

/// Enters the channel of a graph. Its element is a block's ID, and there is room for each block.
static const TaskInfo *enterChannel(uint64_t nodes) {
  static const Environment environment = hostEnvironment();
  static TaskTable channels(environment);
  abi::FieldRecord field = {sizeof(uint32_t), alignof(uint32_t)};
  abi::TaskRecord record = {
      .name = "blocks", .fields = &field, .numFields = 1, .kind = abi::NodeKind::Task, .capacity = nodes};
  abi::EdgeRecord edge = {.from = &record, .to = &record, .readiness = abi::ReadinessKind::ParentCount};
  record.edges = &edge;
  record.numEdges = 1;
  return channels.addChannel(&record);
}

static BlockReport &reportOf(const BlockReportKey &key) {
  BlockReport **last = &blockReports;
  for (; *last; last = &(*last)->next)
    if (areEqual((*last)->key, key))
      return **last;
  void *memory = malloc(sizeof(BlockReport));
  if (!memory)
    fatal("out of memory: %zu bytes for the statistics of a launch of blocks could not be allocated",
          sizeof(BlockReport));
  auto *report = new (memory)
      BlockReport{.next = nullptr, .key = key, .counters = {}, .dats = {}, .channel = enterChannel(key.nodes)};
  __atomic_store_n(last, report, __ATOMIC_RELEASE); // for writers of statistics in other threads
  return *report;
}

namespace {
enum class Combine { Sum, Most };
} // namespace

static void combine(uint64_t &old, uint64_t value, Combine how) {
  old = how == Combine::Sum ? old + value : std::max(old, value);
}

void reportBlocks(const BlockReportKey &key, const BlockReportCounters &counters, const DatsCounters &dats) {
  Lock lock(mutex);
  BlockReport &report = reportOf(key);
#define CILK2GPU_BLOCK_COUNTER(name, how, unit, description) combine(report.counters.name, counters.name, Combine::how);
#include "blocks/BlockCounters.def"
#define CILK2GPU_DATS_COUNTER(name, how, unit, description) combine(report.dats.name, dats.name, Combine::how);
#include "blocks/DatsCounters.def"
}

} // namespace cilk2gpu::rt
