// Graphs written by hand, in channels in which kernels wait for room: items that are passed on, trees of calls on
// channel stacks, and a kernel that asks for several elements at a time. The argument is the width of the channels.
//
//   narrow [WIDTH]
#include <cilk2gpu/Graph.h>

#include <stdio.h>
#include <stdlib.h>

using namespace cilk2gpu;

struct Item {
  int value, rest;
};

/// Passes an item on `rest` times, back and forth between two channels, and adds it up in the end.
static void pass(int id, int offset, int other, long *sum) {
  Item item = *(Item *)deq(id, offset);
  tfree(id, offset); // before talloc, so that a narrow channel is enough
  if (!item.rest) {
    atomic_add(sum, item.value);
    return;
  }
  Item *next = (Item *)talloc(other, 1);
  *next = {item.value + 1, item.rest - 1};
  enq(other, next);
}

static void testPassing(int width) {
  long sum = 0;
  Graph graph;
  ChannelNode *here = graph.ChannelNode(sizeof(Item), width), *there = graph.ChannelNode(sizeof(Item), width);
  for (ChannelNode *channel : {here, there}) {
    KernelNode *kernel = graph.KernelNode(pass);
    kernel->setConstArg(2, sizeof(int), channel == here ? there->chID : here->chID);
    kernel->setConstArg(3, sizeof(long *), &sum);
    channel->connectToKernelNode(kernel);
  }
  for (int i = 0; i < width; ++i) {
    Item *item = (Item *)here->talloc(1);
    *item = {i, 9};
    here->enq(item);
  }
  graph.execute();
  graph.waitForDone();
  printf("passing: %ld\n", sum);
}

struct Call {
  int n;
  long *result;
};

struct Sum {
  long x, y, *result;
};

/// Takes elements one by one, on deeper levels than its own. Children of a call wait for room beside those of others.
static void fib(int id, int offset, int sums) {
  Call *call = (Call *)deq(id, offset);
  int level = levelOf(id, offset);
  if (call->n < 2) {
    *call->result = call->n;
  } else {
    Sum *sum = (Sum *)talloc(sums, level, 1);
    sum->result = call->result;
    for (int i = 0; i < 2; ++i) {
      Call *child = (Call *)talloc(id, 1);
      *child = {call->n - 1 - i, i ? &sum->y : &sum->x};
      enq(id, child);
    }
    enq(sums, sum);
  }
  tfree(id, offset);
}

static void add(int id, int offset) {
  Sum *sum = (Sum *)deq(id, offset);
  *sum->result = sum->x + sum->y;
  tfree(id, offset);
}

static void testTree(int width) {
  long result = 0;
  Graph graph;
  ChannelStackNode *calls = graph.ChannelStackNode(sizeof(Call), width);
  ChannelStackNode *sums = graph.ChannelStackNode(sizeof(Sum), width);
  calls->setReadiness(Readiness::Always);
  KernelNode *kernel = graph.KernelNode(fib);
  kernel->setConstArg(2, sizeof(int), sums->chID);
  calls->connectToKernelNode(kernel);
  sums->connectToKernelNode(graph.KernelNode(add));
  Call *root = (Call *)calls->talloc(1);
  *root = {9, &result};
  calls->enq(root);
  graph.execute();
  graph.waitForDone();
  printf("fib(9) = %ld\n", result);
}

/// Runs the same graph twice. Its kernel is a lambda, which asks for as many elements as the channel holds.
static void testRuns(int width) {
  long counts[3] = {};
  Graph graph;
  ChannelStackNode *channel = graph.ChannelStackNode(sizeof(int), width);
  KernelNode *kernel = graph.KernelNode([](int id, int offset, int all, long *each, double half) {
    int level = levelOf(id, offset), value = *(int *)deq(id, offset);
    tfree(id, offset);
    atomic_add(each + level, value * (half == 0.5 ? 1 : 2));
    if (level == 2)
      return;
    int *more = (int *)talloc(id, all);
    for (int i = 0; i < all; ++i)
      more[i] = value + i;
    enq(id, more);
  });
  int most = width < 5 ? width : 5;
  kernel->setConstArg(2, sizeof(int), most);
  kernel->setConstArg(3, sizeof(long *), (long *)counts);
  kernel->setConstArg(4, sizeof(double), 0.5);
  channel->connectToKernelNode(kernel);
  for (int run = 0; run < 2; ++run) {
    int *first = (int *)channel->talloc(0, 1);
    *first = 1 + run;
    channel->enq(first);
    graph.execute();
    graph.waitForDone();
    printf("run %d: %ld %ld %ld\n", run, counts[0], counts[1], counts[2]);
  }
}

int main(int argc, char *argv[]) {
  int width = argc > 1 ? atoi(argv[1]) : 64;
  testPassing(width);
  testTree(width);
  testRuns(width);
}
