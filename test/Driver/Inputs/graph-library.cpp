// A shared library with a hand-written graph, whose kernel asks whether it is in a task.
#include <cilk/cilk_api.h>
#include <cilk2gpu/Graph.h>

static void count(int id, int offset, int *inTasks) {
  *inTasks += __cilkrts_running_on_workers();
  cilk2gpu::tfree(id, offset);
}

extern "C" int countOnWorkers(int n) {
  int inTasks = 0;
  cilk2gpu::Graph graph;
  auto *channel = graph.ChannelNode(sizeof(int), 64);
  auto *kernel = graph.KernelNode(count);
  kernel->setConstArg(2, sizeof(int *), &inTasks);
  channel->connectToKernelNode(kernel);
  for (int i = 0; i < n; ++i) {
    channel->enq(channel->talloc(1));
    graph.execute();
    graph.waitForDone();
  }
  return inTasks;
}
