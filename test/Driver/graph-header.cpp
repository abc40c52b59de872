// Tests that a program with the header for hand-written graphs needs nothing but the driver, and that its kernels run on
// every device but GPUs, which need code that --offload-arch makes. Graphs have no serial elision, so with `serial` they run
// natively.
// RUN: %cilk2gpuxx -std=c++17 -Wall -Wextra -Werror %s -o %t
// RUN: %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=native CILK2GPU_WORKERS=2 %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_CUS=2 %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=gpu-host %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial CILK2GPU_WAVE=1 %t | FileCheck %s
// CHECK: 100 elements, sum 4950
// RUN: not env CILK2GPU_DEVICE=hip %t 2>&1 | FileCheck %s --check-prefix=GPU -DDEVICE=hip
// RUN: not env CILK2GPU_DEVICE=cuda %t 2>&1 | FileCheck %s --check-prefix=GPU -DDEVICE=cuda
// GPU: CILK2GPU_DEVICE=[[DEVICE]]: the program contains no code for it; compile it with --offload-arch=
// GPU-SAME: or use CILK2GPU_DEVICE=native
#include <cilk2gpu/Graph.h>
#include <cstdio>

static void add(int id, int offset, int *sum) {
  *sum += *static_cast<int *>(cilk2gpu::deq(id, offset));
  cilk2gpu::tfree(id, offset);
}

int main() {
  int sum = 0;
  cilk2gpu::Graph graph;
  cilk2gpu::ChannelNode *channel = graph.ChannelNode(sizeof(int), 100);
  cilk2gpu::KernelNode *kernel = graph.KernelNode(add);
  kernel->setConstArg(2, sizeof(int *), &sum);
  channel->connectToKernelNode(kernel);
  int *numbers = static_cast<int *>(channel->talloc(100));
  for (int i = 0; i < 100; ++i)
    numbers[i] = i;
  channel->enq(numbers);
  graph.execute();
  graph.waitForDone();
  std::printf("%d elements, sum %d\n", int(graph.statistics().elements), sum);
}
