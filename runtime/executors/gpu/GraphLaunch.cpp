// See GraphLaunch.h.
#include "executors/gpu/GraphLaunch.h"
#include "core/Tunables.h"
#include "device/GraphMailbox.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"

#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

using rt::tunables::kDeviceThreads;

GraphLaunch::GraphLaunch(Gpu &gpu) : gpu(gpu) {
  if (!gpu.facts().concurrent)
    rt::fatal(
        "graphs written by hand cannot run on %s: the host cannot touch the device's managed memory while a kernel "
        "runs; use CILK2GPU_DEVICE=native",
        gpu.facts().name);
  if (!gpu.find(abi::kGraphKernel, CILK2GPU_GRAPH_LANES_SYMBOL, code))
    rt::fatal(
        "CILK2GPU_DEVICE=%s: this program executes a graph written by hand, but the image for %s has no kernels of "
        "such graphs; compile the files that call Graph::KernelNode with cilk2gpu++ --offload-arch=%s, or use "
        "CILK2GPU_DEVICE=native",
        gpu.api().name, gpu.imageArch(), gpu.imageArch());
  chooseGrid();
  allocateMailboxes();
}

/// Chooses no more blocks than are resident at one time: lanes that have come wait for the host until the run ends.
void GraphLaunch::chooseGrid() {
  uint32_t each = kDeviceThreads / gpu.waveSize(), resident = gpu.residentBlocks(code.kernel, kDeviceThreads);
  if (!resident)
    rt::fatal("graphs written by hand cannot run on %s: no block of their kernel fits; use CILK2GPU_DEVICE=native",
              gpu.facts().name);
  uint32_t most = rt::tunables::kMostGraphLanes / each;
  blocks = resident < most ? resident : most;
  count = blocks * each;
}

void GraphLaunch::allocateMailboxes() {
  uint64_t bytes = sizeof(abi::GraphLanes) + count * sizeof(abi::GraphLane);
  lanes = static_cast<abi::GraphLanes *>(gpu.allocateShared(bytes, "lanes of graphs"));
  mailboxes = reinterpret_cast<abi::GraphLane *>(lanes + 1);
  idle = static_cast<uint32_t *>(calloc(count, sizeof *idle));
  hasCome = static_cast<bool *>(calloc(count, sizeof *hasCome));
  if (!idle || !hasCome)
    rt::fatal("out of memory: a list of %u lanes of graphs could not be allocated", count);
}

void GraphLaunch::start() {
  memset(static_cast<void *>(lanes), 0, sizeof *lanes + count * sizeof *mailboxes);
  memset(hasCome, 0, count * sizeof *hasCome);
  numIdle = come = 0;
  *lanes = {count, mailboxes};
  gpu.setVariable(code, lanes);
  gpu.start(abi::kGraphKernel, {gpu.api().launchTogether, code.kernel, blocks, kDeviceThreads, lanes});
  // Lanes that are late are used when they come.
  for (uint64_t since = rt::hostClock();
       come < count && (!come || rt::hostClock() - since < rt::tunables::kGraphArrival);) {
    uint32_t before = come;
    if (!attend())
      rt::internalError("the kernel of graphs ended before its lanes had come");
    meetNew();
    if (come > before)
      since = rt::hostClock();
  }
}

/// Notes lanes that have asked for the first time.
void GraphLaunch::meetNew() {
  for (uint32_t lane = 0; lane < count && come < count; ++lane)
    if (!hasCome[lane] && hasAsked(lane)) {
      hasCome[lane] = true;
      ++come;
      give(lane);
    }
}

uint32_t GraphLaunch::numCome() {
  if (come < count)
    meetNew();
  return come;
}

void GraphLaunch::finish() {
  do
    for (uint32_t lane = 0; lane < count; ++lane)
      if (hasAsked(lane))
        assign(lane, {});
  while (attend());
  gpu.setVariable(code, nullptr);
}

bool GraphLaunch::attend() { return gpu.attend(abi::kGraphKernel); }

void GraphLaunch::assign(uint32_t lane, const abi::GraphWork &work) {
  answerLane<Machine>(&mailboxes[lane], {.result = nullptr, .work = work});
}

bool GraphLaunch::hasAsked(uint32_t lane) const { return device::hasAsked<Machine>(&mailboxes[lane]); }

void GraphLaunch::answer(uint32_t lane, void *result) {
  answerLane<Machine>(&mailboxes[lane], {.result = result, .work = mailboxes[lane].answer.work});
}

} // namespace cilk2gpu::device
