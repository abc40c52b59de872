// Launches on GPUs behind a driver. HostGroup.cpp has those on gpu-host.
#include "blocks/gpu/GpuBlocks.h"
#include "blocks/BlockWorkers.h"
#include "blocks/gpu/BlockJobs.h"
#include "executors/gpu/DeviceMemory.h"
#include "process/Message.h"
#include "process/Settings.h"

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/BlockImage.h"
#pragma GCC visibility pop

#include <dlfcn.h>

namespace cilk2gpu::rt {

using device::BlockJob;
using device::DeviceMemory;
using device::Gpu;

namespace {

class GpuLaunch {
public:
  GpuLaunch(BlockRun &run, Gpu &gpu)
      : gpu(gpu), kernel(findKernel(gpu)), threads(run.launch.groupThreads()),
        jobs(run, residentGroups(gpu, kernel, threads)) {}

  void run();

private:
  static void *findKernel(Gpu &gpu);
  static uint32_t residentGroups(Gpu &gpu, void *kernel, uint32_t threads);
  void copyJob(uint64_t copies);
  void wait(const device::Launch &launch);
  void launch(uint32_t groups);
  void launchGraph();
  [[noreturn]] void failUnknown() const;

  Gpu &gpu;
  void *const kernel;
  const uint32_t threads;
  BlockJobs jobs;
  char *memory = nullptr; ///< of the device: one copy of the job or several, and its arrays behind them
};

constexpr uint64_t aligned(uint64_t bytes) { return (bytes + 63) & ~uint64_t(63); }

} // namespace

void *GpuLaunch::findKernel(Gpu &gpu) {
  if (void *kernel = gpu.findKernel(abi::kBlocksKernel))
    return kernel;
  fatal(
      "CILK2GPU_DEVICE=%s: this program launches thread blocks, but the image for %s has no kernels of thread blocks; "
      "compile the files that call wf::launch with cilk2gpu++ --offload-arch=%s, or use CILK2GPU_DEVICE=native",
      gpu.api().name, gpu.imageArch(), gpu.imageArch());
}

/// Returns how many workgroups are worth starting: those that run at the same time.
uint32_t GpuLaunch::residentGroups(Gpu &gpu, void *kernel, uint32_t threads) {
  uint32_t groups = gpu.residentBlocks(kernel, threads);
  if (!groups)
    fatal("thread blocks of %u threads cannot run on %s: no workgroup of that size fits; launch blocks of fewer "
          "threads, or use CILK2GPU_DEVICE=native",
          threads, gpu.facts().name);
  return groups;
}

/// Copies the arrays of the job to the device, and makes the job refer to the copies.
void GpuLaunch::copyJob(uint64_t copies) {
  static DeviceMemory kept; // for all launches, which take turns
  uint64_t bytes = copies * sizeof(BlockJobCopy);
  jobs.eachArray([&](auto *pointer, uint64_t count) { bytes += aligned(count * sizeof *pointer); });
  memory = kept.reserve(gpu, bytes, "a graph of thread blocks");
  char *next = memory + copies * sizeof(BlockJobCopy);
  jobs.eachArray([&](auto *&pointer, uint64_t count) {
    uint64_t size = count * sizeof *pointer;
    if (size)
      DeviceMemory::copyIn(gpu, next, pointer, size);
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(next);
    next += aligned(size);
  });
}

void GpuLaunch::wait(const device::Launch &launch) {
  gpu.start(abi::kBlocksKernel, launch);
  while (gpu.attend(abi::kBlocksKernel)) {
  }
}

void GpuLaunch::launch(uint32_t groups) {
  DeviceMemory::copyIn(gpu, memory, &jobs.job, sizeof jobs.job);
  wait({gpu.api().launch, kernel, groups, threads, memory});
  DeviceMemory::copyOut(gpu, &jobs.job, memory, sizeof jobs.job);
  if (jobs.job.unknown)
    failUnknown();
}

/// Launches all levels as one graph of the driver. Each level has a job of its own, because the host changes nothing
/// while the graph runs.
void GpuLaunch::launchGraph() {
  const uint64_t count = jobs.numLaunches();
  BlockMemory &host = jobs.run.memory;
  auto *copies = host.array<BlockJobCopy>(count, "jobs of a graph of launches");
  auto *steps = host.array<device::KernelSequence::Step>(count, "a graph of launches");
  for (uint64_t level = 0; level < count; ++level) {
    steps[level] = {.blocks = jobs.prepare(level), .parameter = memory + level * sizeof(BlockJobCopy)};
    copies[level].job = jobs.job;
  }
  DeviceMemory::copyIn(gpu, memory, copies, count * sizeof *copies);
  device::KernelSequence sequence = {.steps = steps, .count = count};
  wait({gpu.api().launchGraph, kernel, 0, threads, &sequence});
  DeviceMemory::copyOut(gpu, copies, memory, count * sizeof *copies);
  for (uint64_t level = 0; level < count; ++level)
    jobs.addResults(copies[level].job);
  if (jobs.job.unknown)
    failUnknown();
}

void GpuLaunch::failUnknown() const {
  Dl_info info = {};
  const char *name = dladdr(jobs.job.unknown, &info) ? info.dli_sname : nullptr;
  fatal("a kernel of thread blocks%s%s%s cannot run on %s: no image has a version of it; compile its file with "
        "cilk2gpu++ --offload-arch=%s, without what a GPU cannot do (docs/gpu.md), or use CILK2GPU_DEVICE=native",
        name ? " (" : "", name ? name : "", name ? ")" : "", gpu.facts().name, gpu.imageArch());
}

void GpuLaunch::run() {
  bool isGraph = settings().blocks == BlockLaunches::Graph;
  if (isGraph && !gpu.api().launchGraph)
    fatal("CILK2GPU_BLOCKS=graph launches a graph of CUDA, and CILK2GPU_DEVICE=%s has none; use CILK2GPU_BLOCKS=levels",
          gpu.api().name);
  copyJob(isGraph ? jobs.numLaunches() : 1);
  gpu.beginRun();
  if (isGraph)
    launchGraph();
  for (uint64_t launch = 0; !isGraph && launch < jobs.numLaunches(); ++launch)
    this->launch(jobs.prepare(launch));
  gpu.endRun();
  jobs.finish();
}

void runBlocksOnGpu(BlockRun &run, Gpu &gpu) {
  GpuLaunch launch(run, gpu);
  // In the scope of a task: functions that the host runs for the kernel may call Cilk functions.
  blockWorkers().run([](void *launch, uint32_t) { static_cast<GpuLaunch *>(launch)->run(); }, &launch, 1);
}

} // namespace cilk2gpu::rt
