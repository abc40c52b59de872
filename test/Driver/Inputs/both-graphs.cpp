// A compiled graph, and two hand-written graphs that are destroyed before the program ends.
#include <cilk/cilk.h>
#include <cilk2gpu/Graph.h>
#include <cstdio>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static void add(int id, int offset, long *sum) {
  cilk2gpu::atomic_add(sum, *static_cast<int *>(cilk2gpu::deq(id, offset)));
  cilk2gpu::tfree(id, offset);
}

static long sumOf(int count) {
  long sum = 0;
  cilk2gpu::Graph graph;
  auto *channel = graph.ChannelNode(sizeof(int), 64);
  auto *kernel = graph.KernelNode(add);
  kernel->setConstArg(2, sizeof(long *), &sum);
  channel->connectToKernelNode(kernel);
  for (int i = 0; i < count; ++i) {
    auto *element = static_cast<int *>(channel->talloc(1));
    *element = i;
    channel->enq(element);
  }
  graph.execute();
  graph.waitForDone();
  return sum;
}

int main() {
  long all = sumOf(4) + sumOf(3) + 1;
  std::printf("%d %ld\n", fib(10), all);
}
