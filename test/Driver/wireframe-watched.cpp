// Tests that the trace, the watchdog and reports on request see the blocks of gpu-host, as they see those of native.
// RUN: %cilk2gpuxx -std=c++17 -O1 %s -o %t
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_WORKERS=2 CILK2GPU_TRACE=%t.json %t
// RUN: %python -c "import json; events = [e for e in json.load(open(r'%t.json'))['traceEvents'] if e.get('ph') == 'X' and 'block' in e['name']]; print(len(events), 'events')" | FileCheck %s
// RUN: not env CILK2GPU_DEVICE=gpu-host CILK2GPU_WORKERS=2 CILK2GPU_WATCHDOG=1 %t wait 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not env CILK2GPU_DEVICE=native CILK2GPU_WORKERS=2 CILK2GPU_WATCHDOG=1 %t wait 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: sh -c "env CILK2GPU_WORKERS=2 CILK2GPU_REPORT_ON=SIGUSR2 timeout -s USR2 -k 2 1 %t wait 2>&1; true" | FileCheck %s --check-prefix=REPORT

// CHECK: {{^}}16 events
// REPORT: cilk2gpu: thread blocks that run:
// REPORT-NEXT: cilk2gpu: block (3, 3, 0) has run for {{[0-9]+}} s; of launch 0, 15 of 16 blocks have ended
// WAIT: no block has begun or ended for 1 s (CILK2GPU_WATCHDOG); blocks that run:
// WAIT-NEXT: block (3, 3, 0) has run for {{[0-9]+}} s; of launch 0, 15 of 16 blocks have ended
#include <cilk2gpu/Wireframe.h>
#include <unistd.h>

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

__WF__ void body(unsigned *sums, bool waits) {
  wf::SyncThreads();
  while (waits && blockIdx.x == 3 && blockIdx.y == 3)
    usleep(10000);
  __atomic_fetch_add(&sums[threadIdx.x], 1, __ATOMIC_RELAXED);
}

int main(int argc, char **) {
  unsigned sums[2] = {};
  wf::launch(dim3(4, 4), dim3(2), links, body, sums, argc > 1);
  return sums[0] != 16 || sums[1] != 16;
}
