// Tests that short calls from ordinary code run as elisions after a while, unless the user asks for the graph. A long call makes
// the next calls run in the graph again. A deep recursion does not need the thread's own stack. Threads may call at a time.
// RUN: %cilk2gpu -O2 %s -o %t -pthread
// RUN: env CILK2GPU_WORKERS=1 %t | FileCheck %s
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_ELIDE=never %t | FileCheck %s --check-prefix=GRAPH
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_WIDTH=64 %t | FileCheck %s --check-prefix=GRAPH
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_STATS=%t.stats %t | FileCheck %s --check-prefix=GRAPH
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s --check-prefix=SERIAL
// CHECK: small calls: most as elisions
// CHECK: deep call: 300000
// CHECK: after long calls: some in the graph
// CHECK: threads: right
// GRAPH: small calls: all in the graph
// GRAPH: deep call: 300000
// GRAPH: threads: right
// SERIAL: small calls: most as elisions
// SERIAL: threads: right
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int spin;

static int work(int rounds) {
  for (int i = 0; i < rounds; ++i)
    spin = i;
  return rounds;
}

/// Returns whether the call runs in the graph.
static int inGraph(int rounds) {
  int x = cilk_spawn work(rounds);
  int y = __cilkrts_running_on_workers();
  cilk_sync;
  return x == rounds && y;
}

static int depth(int n) {
  volatile char frame[200];
  frame[n % 200] = 1;
  if (n == 0)
    return 0;
  int below = cilk_spawn depth(n - 1);
  cilk_sync;
  return below + frame[n % 200];
}

static void add(int *values, int n) {
  cilk_for (int i = 0; i < n; ++i)
    values[i] += i;
}

static void *addOften(void *values) {
  for (int i = 0; i < 20000; ++i)
    add(values, 10 + i % 3);
  return NULL;
}

static int countInGraph(int calls, int rounds) {
  int found = 0;
  for (int i = 0; i < calls; ++i)
    found += inGraph(rounds);
  return found;
}

int main(void) {
  int graph = countInGraph(10000, 1);
  printf("small calls: %s\n", graph == 10000 ? "all in the graph" : graph < 2000 ? "most as elisions" : "mixed");
  for (int i = 0; i < 10000; ++i)
    if (depth(3) != 3)
      return 1;
  if (!getenv("CILK2GPU_DEVICE"))
    printf("deep call: %d\n", depth(300000));
  countInGraph(120, 2000000);
  graph = countInGraph(10, 1);
  printf("after long calls: %s\n", graph ? "some in the graph" : "none in the graph");
  static int values[2][16];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, addOften, values[i]);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  int sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += values[0][i] == values[1][i] ? values[0][i] : -1;
  printf("threads: %s\n", sum == 20000 * 45 + 13333 * 10 + 6666 * 11 ? "right" : "wrong");
  return 0;
}
