// Tests kernels of hand-written graphs on a GPU, and the messages about their errors. The program runs a GPU's own code on this
// CPU: each lane of the graph is a lane of the GPU, and the host makes its calls. Its arguments choose the kernel, and the width of
// the channels.
// REQUIRES: fake-gpu
// DEFINE: %{run} = %python %source_dir/test/e2e/device_ir.py --build %build_dir
// DEFINE: %{flags} = -std=c++17 -O2 -rdynamic %s
// DEFINE: %{sm_90} = %{run} --arch sm_90 --work %t/sm_90 --compiled
// DEFINE: %{gfx90a} = %{run} --arch gfx90a --work %t/gfx90a --compiled
// RUN: %{run} --arch sm_90 --work %t/sm_90 %{flags} | FileCheck %s --check-prefix=SUM
// RUN: %{run} --arch gfx90a --work %t/gfx90a %{flags} | FileCheck %s --check-prefix=SUM
// RUN: %{run} --arch gfx1100 --work %t/gfx1100 %{flags} --registered-memory | FileCheck %s --check-prefix=SUM
// SUM: element 0
// SUM: sum 6
//
// A launch that returns when the kernel has ended, and blocks that are resident only when others have ended.
// RUN: env CUDA_LAUNCH_BLOCKING=1 %{sm_90} | FileCheck %s --check-prefix=SUM
// RUN: env FAKE_GPU_TOGETHER=0 %{sm_90} | FileCheck %s --check-prefix=SUM
//
// RUN: not %{sm_90} unfit 2>&1 | FileCheck %s --check-prefix=UNFIT
// UNFIT: error: the kernel of channel 0 (unfit) cannot run on Fake: no image has a version of it; compile its file with cilk2gpu++
// UNFIT-SAME: --offload-arch=sm_90, without what a GPU cannot do (docs/gpu.md), or use CILK2GPU_DEVICE=native
// RUN: not %{sm_90} twice 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: the element at offset {{[0-3]}} of channel 0 is freed twice; call tfree once
// RUN: not %{gfx90a} never 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: error: the kernel of channel 0 returned without tfree of its element; call tfree before
// RUN: not %{sm_90} another 2>&1 | FileCheck %s --check-prefix=ANOTHER
// ANOTHER: error: a kernel consumes the element at offset {{[0-3]}} of channel 0, but asked for offset 9 of channel 0
// RUN: not %{gfx90a} nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: there is no channel 77 in this graph
// RUN: not %{sm_90} keeps 2>&1 | FileCheck %s --check-prefix=KEEPS
// KEEPS: error: the kernel of channel 0 returned without enq of elements that it had talloc'ed in channel 1; enq them before
//
// Kernels that hold their elements wait for room that only they could free.
// RUN: not %{sm_90} more 40 2>&1 | FileCheck %s --check-prefixes=MORE,LANES
// RUN: env FAKE_GPU_BLOCKS=16 not %{sm_90} more 40 2>&1 | FileCheck %s --check-prefixes=MORE,WIDER
// MORE: error: the graph cannot go on; who waits for what:
// MORE: channel 0, level 0: 40 of 40 elements, {{[0-9]+}} ready; {{[0-9]+}} wavefronts wait for room
// LANES: error: all lanes that the GPU has for kernels wait for room: make channels wider, free elements earlier, or use CILK2GPU_DEVICE=native
// WIDER: error: a channel is too narrow: make it wider, or use channel stacks, which are drained deepest level first
//
// A device whose managed memory the host cannot touch while a kernel runs; and a task that calls talloc.
// RUN: env FAKE_GPU_CONCURRENT=0 not %{sm_90} sum 40 2>&1 | FileCheck %s --check-prefix=CONCURRENT
// CONCURRENT: error: graphs written by hand cannot run on Fake: the host cannot touch the device's managed memory while a kernel runs;
// CONCURRENT-SAME: use CILK2GPU_DEVICE=native
// RUN: not %{run} --arch sm_90 --work %t/tasks %{flags} -DTASKS 2>&1 | FileCheck %s --check-prefix=TASK
// TASK: error: talloc, enq, deq, tfree and levelOf are for kernels of a graph that runs, but a task on the GPU calls one
//
// Kernels that were not compiled for GPUs, in a program with tasks that were.
// RUN: %cilk2gpuxx -std=c++17 -O2 -c %s -o %t.o
// RUN: %cilk2gpuxx -O2 --offload-arch=sm_90 -DELSEWHERE -c %s -o %t.tasks.o
// RUN: %cilk2gpuxx --offload-arch=sm_90 %t.o %t.tasks.o -o %t.program
// DEFINE: %{cuda} = env CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=%build_dir/test/unit/fake-drivers/libfakecuda.so FAKE_GPUS=Fake=9.0
// RUN: not %{cuda} %t.program 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: CILK2GPU_DEVICE=cuda: this program executes a graph written by hand, but the image for sm_90 has no kernels of such
// HOST-SAME: graphs; compile the files that call Graph::KernelNode with cilk2gpu++ --offload-arch=sm_90, or use CILK2GPU_DEVICE=native
//
// A kernel whose function is in a file without code for GPUs: the host would call it for the lane.
// RUN: %cilk2gpuxx -std=c++17 -O2 --offload-arch=sm_90 -DKERNEL=hosts -c %s -o %t.o
// RUN: %cilk2gpuxx -std=c++17 -O2 -DHOSTS -c %s -o %t.hosts.o
// RUN: %cilk2gpuxx --offload-arch=sm_90 %t.o %t.hosts.o -o %t.program
// RUN: not %{cuda} %t.program 2>&1 | FileCheck %s --check-prefix=HOSTS
// HOSTS: error: talloc, enq, deq, tfree or levelOf is called by a function that the host runs for a kernel on the GPU, because no image
// HOSTS-SAME: has a version of it; compile its file with cilk2gpu++ --offload-arch, or use CILK2GPU_DEVICE=native
#include <cilk2gpu/Graph.h>
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace cilk2gpu;

void hosts(int id, int offset, long *, int);
#ifdef HOSTS
void hosts(int id, int offset, long *, int) { tfree(id, offset); }
#else

static int task(int n) {
  if (n < 2) {
#ifdef TASKS
    talloc(0, 1);
#endif
    return n;
  }
  int x = cilk_spawn task(n - 1);
  int y = task(n - 2);
  cilk_sync;
  return x + y;
}

#ifdef ELSEWHERE
int elsewhere(int n) { return task(n); }
#else
extern "C" {
// The message has the name of a kernel that the program exports.
extern thread_local int own;
thread_local int own;
__attribute__((visibility("default"))) void unfit(int id, int offset, long *, int) {
  own = id;
  tfree(id, offset);
}
}

static void sum(int id, int offset, long *total, int) {
  int value = *static_cast<int *>(deq(id, offset));
  if (!value)
    printf("element %d\n", value);
  atomic_add(total, value);
  tfree(id, offset);
}
static void twice(int id, int offset, long *, int) {
  tfree(id, offset);
  tfree(id, offset);
}
static void never(int, int, long *, int) {}
static void another(int id, int, long *, int) { deq(id, 9); }
static void nowhere(int, int, long *, int) { talloc(77, 1); }
static void keeps(int id, int offset, long *, int other) {
  talloc(other, 1);
  tfree(id, offset);
}
static void more(int id, int offset, long *, int) {
  enq(id, talloc(id, 2));
  tfree(id, offset);
}

#ifndef KERNEL
#define KERNEL sum
#endif

static KernelNode *kernelNode(Graph &graph, const std::string &name) {
  if (name == "unfit")
    return graph.KernelNode(unfit);
  if (name == "twice")
    return graph.KernelNode(twice);
  if (name == "never")
    return graph.KernelNode(never);
  if (name == "another")
    return graph.KernelNode(another);
  if (name == "nowhere")
    return graph.KernelNode(nowhere);
  if (name == "keeps")
    return graph.KernelNode(keeps);
  if (name == "more")
    return graph.KernelNode(more);
  return graph.KernelNode(KERNEL);
}

int main(int argc, char **argv) {
#ifdef TASKS
  printf("%d\n", task(4));
#else
  (void)task;
#endif
  int width = argc > 2 ? atoi(argv[2]) : 4;
  long total = 0;
  Graph graph;
  ChannelNode *channel = graph.ChannelNode(sizeof(int), width), *other = graph.ChannelNode(sizeof(int), width);
  KernelNode *kernel = kernelNode(graph, argc > 1 ? argv[1] : "sum");
  kernel->setConstArg(2, sizeof(long *), &total);
  kernel->setConstArg(3, sizeof(int), other->chID);
  for (ChannelNode *each : {channel, other})
    each->connectToKernelNode(kernel);
  int *elements = static_cast<int *>(channel->talloc(width));
  for (int i = 0; i < width; ++i)
    elements[i] = i;
  channel->enq(elements);
  graph.execute();
  graph.waitForDone();
  printf("sum %ld\n", total);
}
#endif
#endif
