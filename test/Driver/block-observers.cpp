// Tests that the trace and the watchdog see thread blocks: which ones ran on which thread and when, and which ones run
// when nothing happens any more.
// RUN: %cilk2gpuxx -std=c++17 -O2 %s -o %t

// RUN: env CILK2GPU_TRACE=%t.json CILK2GPU_WORKERS=2 %t
// RUN: %python %S/Inputs/block-trace.py %t.json 2 native
// RUN: env CILK2GPU_TRACE=%t.json CILK2GPU_STATS=- CILK2GPU_WORKERS=2 CILK2GPU_SCHEDULE=random %t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %python %S/Inputs/block-trace.py %t.json 2 native
// BOTH: block_graph 0
// RUN: env CILK2GPU_TRACE=%t.json CILK2GPU_DEVICE=serial %t
// RUN: %python %S/Inputs/block-trace.py %t.json 1 serial
// RUN: env CILK2GPU_TRACE=%t.json CILK2GPU_DEVICE=model %t
// RUN: %python %S/Inputs/block-trace.py %t.json 1 model

// A watchdog does not disturb a launch that makes progress.
// RUN: env CILK2GPU_WATCHDOG=2 CILK2GPU_WORKERS=2 %t
// RUN: env CILK2GPU_WATCHDOG=2 %t slow

// Block (2, 1, 0) waits for ever. With two workers, all that do not depend on it have ended.
// RUN: not env CILK2GPU_WATCHDOG=1 CILK2GPU_WORKERS=2 CILK2GPU_SCHEDULE=random %t hang 2>&1 | FileCheck %s --check-prefix=HANG
// HANG: cilk2gpu: error: no block has begun or ended for 1 s (CILK2GPU_WATCHDOG); blocks that run:
// HANG: block (2, 1, 0) has run for {{[0-9]+}} s; of launch 0, {{[0-9]+}} of 64 blocks have ended
// RUN: not env CILK2GPU_WATCHDOG=1 CILK2GPU_DEVICE=serial %t hang 2>&1 | FileCheck %s --check-prefix=SERIAL
// SERIAL: block (2, 1, 0) has run for {{[0-9]+}} s; of launch 0, {{[0-9]+}} of 64 blocks have ended
#include <cilk2gpu/Wireframe.h>

#include <cstring>
#include <unistd.h>

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

__WF__ static void work(bool isSlow, bool hangs) {
  if (isSlow && blockIdx.x == 0)
    usleep(400000);
  while (hangs && blockIdx.x == 2 && blockIdx.y == 1)
    pause();
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  for (int i = 0; i < 3; ++i)
    wf::launch(dim3(8, 8), dim3(1), links, work, !strcmp(mode, "slow") && i == 0, !strcmp(mode, "hang"));
}
