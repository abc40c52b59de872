// Reports are in the host's memory, not in the memory of the graph's device, so the graph's statistics do not count
// them.
#include "graph/GraphReport.h"

namespace cilk2gpu::rt {

GraphReport *graphReports = nullptr;

void keepReport(GraphReport &report) {
  GraphReport **last = &graphReports;
  while (*last)
    last = &(*last)->next;
  __atomic_store_n(last, &report, __ATOMIC_RELEASE); // for writers of statistics in other threads
}

ChannelReport &GraphReport::addChannel(const Environment &environment) {
  void *memory = environment.allocate(environment.context, sizeof(ChannelReport), alignof(ChannelReport));
  if (!memory) {
    environment.fail(environment.context,
                     {FailureKind::OutOfMemory, "a channel's report", nullptr, sizeof(ChannelReport)});
    __builtin_unreachable();
  }
  auto *channel = static_cast<ChannelReport *>(memory);
  *channel = {};
  __atomic_store_n(last ? &last->next : &channels, channel, __ATOMIC_RELEASE); // as above
  return *(last = channel);
}

void GraphReport::destroy(const Environment &environment) {
  trace.destroy();
  while (ChannelReport *channel = channels) {
    channels = channel->next;
    environment.release(environment.context, channel, sizeof(ChannelReport), alignof(ChannelReport));
  }
}

} // namespace cilk2gpu::rt
