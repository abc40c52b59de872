// Tests what a program on thread blocks says where a GPU cannot run it, with the fake drivers, and that gpu-host runs it as a
// workgroup of a GPU.
// REQUIRES: fake-gpu
// DEFINE: %{fake} = env CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=%build_dir/test/unit/fake-drivers/libfakecuda.so FAKE_GPUS=Fake=9.0 FAKE_GPU_PAGEABLE=1
// RUN: %cilk2gpuxx -std=c++17 -O2 -rdynamic --offload-arch=sm_90 %s -o %t
// RUN: %{fake} %t | FileCheck %s --check-prefix=RUNS
// RUN: %{fake} CILK2GPU_BLOCKS=levels %t | FileCheck %s --check-prefix=RUNS
// RUN: %{fake} CILK2GPU_BLOCKS=graph %t | FileCheck %s --check-prefix=RUNS
// RUN: %{fake} CILK2GPU_BLOCKS=graph CUDA_LAUNCH_BLOCKING=1 %t | FileCheck %s --check-prefix=RUNS
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_BLOCKS=graph %t | FileCheck %s --check-prefix=RUNS
// RUN: %{fake} FAKE_GPU_PAGEABLE=0 %t | FileCheck %s --check-prefix=RUNS
// RUN: env CILK2GPU_DEVICE=gpu-host %t | FileCheck %s --check-prefix=RUNS
// RUNS: sum 524800
//
// The policy LVL keeps its bound. Statistics count levels of blocks that run at the same time.
// RUN: %{fake} CILK2GPU_STATS=- %t levels 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_WORKERS=3 CILK2GPU_STATS=- %t levels 2>&1 | FileCheck %s --check-prefix=LEVELS
// LEVELS: block_policy LVL
// LEVELS: blocks_run 1024 blocks
// LEVELS: level_range {{[01]}} levels
//
// A kernel that no image has.
// RUN: not %{fake} %t unfit 2>&1 | FileCheck %s --check-prefix=UNFIT
// UNFIT: error: a kernel of thread blocks ({{.*}}unfit{{.*}}) cannot run on Fake: no image has a version of it; compile its file with
// UNFIT-SAME: cilk2gpu++ --offload-arch=sm_90, without what a GPU cannot do (docs/gpu.md), or use CILK2GPU_DEVICE=native
// RUN: %cilk2gpuxx -std=c++17 -O2 -c %s -o %t.o
// RUN: %cilk2gpu -O2 -c --offload-arch=sm_90 %S/Inputs/tasks-only.c -o %t.tasks.o
// RUN: %cilk2gpuxx --offload-arch=sm_90 %t.o %t.tasks.o -o %t.host
// RUN: not %{fake} %t.host 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: CILK2GPU_DEVICE=cuda: this program launches thread blocks, but the image for sm_90 has no kernels of thread blocks; compile
// NONE-SAME: the files that call wf::launch with cilk2gpu++ --offload-arch=sm_90, or use CILK2GPU_DEVICE=native
//
// A launch of the driver that fails, and a size that it has no room for.
// RUN: not %{fake} FAKE_GPU_FAIL=cuLaunchKernel:1:999 %t 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: launching '__cilk2gpu_blocks_kernel' on Fake failed: cuLaunchKernel: error 999, FAKE_ERROR_INJECTED
// RUN: not %{fake} FAKE_GPU_BLOCKS=0 %t 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: thread blocks of 32 threads cannot run on Fake: no workgroup of that size fits; launch blocks of fewer threads, or use
// RUN: not %{fake} CILK2GPU_BLOCKS=graph FAKE_GPU_FAIL=cuGraphInstantiateWithFlags:1:999 %t 2>&1 | FileCheck %s --check-prefix=GRAPH-FAILS
// GRAPH-FAILS: error: launching '__cilk2gpu_blocks_kernel' on Fake failed: cuGraphInstantiateWithFlags: error 999, FAKE_ERROR_INJECTED
// RUN: not env CILK2GPU_BLOCKS=two %t 2>&1 | FileCheck %s --check-prefix=SETTING
// SETTING: CILK2GPU_BLOCKS=two is not valid{{.*}}persistent, levels, graph
//
// On gpu-host, threads that do not agree on a barrier end the program.
// RUN: not env CILK2GPU_DEVICE=gpu-host %t diverge 2>&1 | FileCheck %s --check-prefix=DIVERGE
// DIVERGE: error: all threads of a block call SyncThreads, or none; in block (0, 0, 0), thread {{[0-9]+}} waits and thread {{[0-9]+}} has
// DIVERGE-SAME: ended without that call; let a condition around the call have the same value in all 32 threads of the block
#include <cilk2gpu/Wireframe.h>

#include <cstdio>
#include <cstring>

static int table[1024];

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

static void levels() {
  links();
  WF::SetPolicy(WF::LVL, 1);
}

// Each thread has a number; the block's place in the table gets their sum.
__WF__ static void sum(int *to) {
  WF_SHARED int parts[32];
  unsigned own = threadIdx.x + threadIdx.y * blockDim.x;
  parts[31 - own] = int(own);
  wf::SyncThreads();
  int total = 0;
  for (unsigned i = 0; own == 0 && i < blockDim.x * blockDim.y; ++i)
    total += parts[i] == int(31 - i);
  unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  if (own == 0)
    to[block] = total == 32 ? int(block + 1) : -1;
}

static thread_local int seen;
__WF__ void unfit(int *to) { to[blockIdx.x] = seen++; }

__WF__ static void diverge(int *to) {
  if (threadIdx.x > 3)
    wf::SyncThreads();
  to[0] = 1;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!std::strcmp(what, "unfit"))
    wf::launch(dim3(2), dim3(1), [] {}, unfit, table);
  else if (!std::strcmp(what, "diverge"))
    wf::launch(dim3(2), dim3(32), [] {}, diverge, table);
  else if (!std::strcmp(what, "levels"))
    wf::launch(dim3(32, 32), dim3(8, 4), levels, sum, table);
  else
    wf::launch(dim3(32, 32), dim3(8, 4), links, sum, table);
  long total = 0;
  for (int each : table)
    total += each;
  std::printf("sum %ld\n", total);
}
