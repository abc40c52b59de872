// The paper's Figure 6: Fibonacci as a channel-flow graph of one channel and one kernel. Each element is a call. A call
// in the base case adds to the result; any other call spawns two calls.
//
//   fibonacci [N]
#include <cilk2gpu/Graph.h>

#include <stdio.h>
#include <stdlib.h>

using namespace cilk2gpu;

#define LEN 32768

typedef struct {
  int val;
} FibObj;

void FibKernel(int srcID, int srcOff, int destID, int *result) {
  FibObj *src = (FibObj *)deq(srcID, srcOff);
  if (src->val <= 2) {
    atomic_add(result, 1);
  } else {
    FibObj *ob = (FibObj *)talloc(destID, 2);
    ob[0].val = src->val - 1;
    ob[1].val = src->val - 2;
    enq(destID, ob);
  }
  tfree(srcID, srcOff);
}

static int serial(int n) { return n <= 2 ? 1 : serial(n - 1) + serial(n - 2); }

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  int res = 0;

  Graph g;
  ChannelNode *ch = g.ChannelNode(sizeof(FibObj), LEN);
  KernelNode *kern = g.KernelNode(FibKernel);
  kern->setConstArg(2, sizeof(int), ch->chID);
  kern->setConstArg(3, sizeof(int *), &res);
  ch->connectToKernelNode(kern);

  FibObj *ob = (FibObj *)ch->talloc(1);
  ob->val = n;
  ch->enq(ob);

  g.execute();
  g.waitForDone();
  printf("fib(%d) = %d\n", n, res);
  return res == serial(n) ? 0 : 1;
}
