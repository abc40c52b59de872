// See ModelledAtomics.h. A control processor has a modelledAtomic() of its own (firmware/Firmware.cpp).
#include "executors/model/ModelledAtomics.h"
#include "core/Tunables.h"
#include "executors/model/Machine.h"

namespace cilk2gpu::rt {

/// The machine that runs. One host thread runs one machine at a time.
static Machine *runningMachine = nullptr;

void modelledAtomic() {
  if (runningMachine && runningMachine->running())
    runningMachine->point({.issue = tunables::kModelIssue, .latency = tunables::kModelAtomicLatency});
}

Machine *enterMachine(Machine *machine) {
  Machine *outer = runningMachine;
  runningMachine = machine;
  return outer;
}

} // namespace cilk2gpu::rt
