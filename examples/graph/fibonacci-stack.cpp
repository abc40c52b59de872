// The paper's Figure 11: Cilk's Fibonacci as a channel-flow graph of two kernels. Calls wait in a channel. A call that
// spawns two calls puts a continuation on the channel stack, at the level of its recursion depth. The continuation adds
// the two results. The aggregator drains the deepest level first, and only when all calls are done. So the results are
// complete when a continuation runs.
//
//   fibonacci-stack [N]
#include <cilk2gpu/Graph.h>

#include <stdio.h>
#include <stdlib.h>

using namespace cilk2gpu;

struct Call {
  int val, depth;
  int *result;
};

struct Continuation {
  int x, y; // the children's results
  int *result;
};

static void fib(int srcID, int srcOff, int calls, int continuations) {
  Call *call = (Call *)deq(srcID, srcOff);
  if (call->val <= 2) {
    *call->result = 1;
  } else {
    // The continuation is allocated first, because children write into it.
    Continuation *then = (Continuation *)talloc(continuations, call->depth, 1);
    then->result = call->result;
    Call *children = (Call *)talloc(calls, 2);
    children[0] = {call->val - 1, call->depth + 1, &then->x};
    children[1] = {call->val - 2, call->depth + 1, &then->y};
    enq(calls, children);
    enq(continuations, then);
  }
  tfree(srcID, srcOff);
}

static void add(int srcID, int srcOff) {
  Continuation *then = (Continuation *)deq(srcID, srcOff);
  *then->result = then->x + then->y;
  tfree(srcID, srcOff);
}

static int serial(int n) { return n <= 2 ? 1 : serial(n - 1) + serial(n - 2); }

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  int result = 0;

  Graph graph;
  ChannelNode *calls = graph.ChannelNode(sizeof(Call), 32768);
  ChannelStackNode *continuations = graph.ChannelStackNode(sizeof(Continuation), 32768);
  KernelNode *pre = graph.KernelNode(fib);
  pre->setConstArg(2, sizeof(int), calls->chID);
  pre->setConstArg(3, sizeof(int), continuations->chID);
  calls->connectToKernelNode(pre);
  continuations->connectToKernelNode(graph.KernelNode(add));

  Call *root = (Call *)calls->talloc(1);
  *root = {n, 0, &result};
  calls->enq(root);

  graph.execute();
  graph.waitForDone();
  GraphStatistics ran = graph.statistics();
  printf("fib(%d) = %d\n", n, result);
  fprintf(stderr, "%llu wavefronts, %llu lanes\n", (unsigned long long)ran.wavefronts, (unsigned long long)ran.lanes);
  return result == serial(n) ? 0 : 1;
}
