// An image for the fake drivers from the code of --offload-arch=gpu-host. Linked to a program with
// -Wl,--wrap=__cilk2gpu_register, it lets any program run through the host's side of GPUs.
//
// FAKE_HIP_PROGRAM is defined for programs that --emit=hip wrote, with the lanes' side of a CPU. They bring a code
// object, and the fake driver checks the names of its kernels. kFakeImageSymbol names the image that runs in its place.
//
// It needs nothing of the C++ library, because it is also linked to C programs. Thread-safety: none; only the runtime's
// current turn may call.
#include "FakeImage.h"
#include "FakePersistent.h"
#include "cilk2gpu/abi/Image.h"
#include "device/HostHeap.h"
#include "executors/gpu-host/HostLanes.h"

#include <new>
#include <stdlib.h>
#include <string.h>

using namespace cilk2gpu;
using namespace cilk2gpu::test;

namespace {

struct Graph {
  const abi::GraphRecord *record;
  Graph *next;
};

/// A symbol that was looked for; the driver keeps its address.
struct Found {
  FakeSymbol symbol;
  Found *next;
};

Graph *graphs = nullptr;
Found *found = nullptr;
void (*access)(const void *memory, uint64_t bytes, bool writes) = nullptr; // compiled lanes do not call it

#ifdef FAKE_HIP_PROGRAM
constexpr uint32_t kWave = 64;
#else
constexpr uint32_t kWave = 32;
#endif

void run(const FakeSymbol &self, abi::Wave *wave, const Grid &) {
  const char *seed = getenv("FAKE_GPU_SEED");
  // Never destroyed: a lane that calls exit() is on one of the stacks.
  alignas(device::HostLanes) static unsigned char storage[sizeof(device::HostLanes)];
  static auto &lanes = *new (storage) device::HostLanes(kWave, seed ? strtoull(seed, nullptr, 10) : 1, 1 << 20);
  lanes.run(self.lane, wave, self.restarts);
}

const FakeSymbol *remember(const char *name, abi::LaneFn lane, bool restarts) {
  auto *entry = static_cast<Found *>(malloc(sizeof(Found)));
  *entry = {{strdup(name), run, nullptr, 0, lane, restarts}, found};
  found = entry;
  return &entry->symbol;
}

/// Returns a kernel's symbol, as it is or with the suffix for restarts.
const FakeSymbol *match(const abi::KernelRecord &kernel, const char *name) {
  size_t length = kernel.symbol ? strlen(kernel.symbol) : 0;
  if (!kernel.symbol || strncmp(kernel.symbol, name, length))
    return nullptr;
  bool restarts = !strcmp(name + length, abi::kRestartSuffix);
  return restarts || !name[length] ? remember(name, kernel.lane, restarts) : nullptr;
}

template <typename Use> void eachKernel(Use use) {
  for (Graph *graph = graphs; graph; graph = graph->next)
    for (uint64_t t = 0; t < graph->record->numTasks; ++t)
      for (uint32_t k = 0; k < graph->record->tasks[t]->numKernels + graph->record->tasks[t]->hasElision; ++k)
        if (graph->record->tasks[t]->kernels[k].symbol)
          use(graph->record->tasks[t]->kernels[k]);
}

/// Returns the persistent kernel or one of its tables, which is made when it is first looked for.
const FakeSymbol *findPersistent(const char *name) {
  static const FakeSymbol kernel = {abi::kPersistentKernel, nullptr, nullptr, 0, nullptr, false, fakeWavefront};
  static FakeSymbol lanes = {abi::kLaneTable, nullptr, nullptr, 0, nullptr, false},
                    names = {abi::kLaneNames, nullptr, nullptr, 0, nullptr, false};
  if (!strcmp(name, kernel.name))
    return &kernel;
  bool wantsLanes = !strcmp(name, lanes.name);
  if (!wantsLanes && strcmp(name, names.name))
    return nullptr;
  FakeSymbol &table = wantsLanes ? lanes : names;
  table.bytes = 0;
  eachKernel([&](const abi::KernelRecord &kernel) {
    const void *entry = wantsLanes ? static_cast<const void *>(&kernel.lane) : kernel.symbol;
    uint64_t bytes = wantsLanes ? sizeof kernel.lane : strlen(kernel.symbol) + 1;
    table.variable = realloc(table.variable, table.bytes + bytes);
    memcpy(static_cast<char *>(table.variable) + table.bytes, entry, bytes);
    table.bytes += bytes;
  });
  return table.bytes ? &table : nullptr;
}

const FakeSymbol *find(const char *name) {
  if (const FakeSymbol *symbol = findPersistent(name))
    return symbol;
  for (Graph *graph = graphs; graph; graph = graph->next)
    for (uint64_t t = 0; t < graph->record->numTasks; ++t) {
      const abi::TaskRecord &task = *graph->record->tasks[t];
      for (uint32_t k = 0; k < task.numKernels + task.hasElision; ++k)
        if (const FakeSymbol *symbol = match(task.kernels[k], name))
          return symbol;
    }
  return nullptr;
}

} // namespace

#ifdef FAKE_HIP_PROGRAM
extern "C" const FakeImage cilk2gpu_fake_image = {"// fake", nullptr, 0, find, &access};

// Lanes on a GPU ask the host for these functions.
void *device::allocateOrEnd(uint64_t bytes, uint64_t align) {
  void *memory = nullptr;
  if (posix_memalign(&memory, align, bytes))
    abort();
  return memory;
}
#else
namespace {

const FakeImage image = {"// fake", nullptr, 0, find, &access};
const abi::ImageRecord record = {
    abi::kMagic, abi::kAbiVersion, abi::ImageKind::Nvptx, kWave, "sm_80", &image, sizeof image, nullptr, 0};

__attribute__((constructor)) void registerImage() { __cilk2gpu_register_image(&record); }

} // namespace
#endif

extern "C" void __real___cilk2gpu_register(const abi::GraphRecord *graph);

extern "C" void __wrap___cilk2gpu_register(const abi::GraphRecord *graph) {
  auto *entry = static_cast<Graph *>(malloc(sizeof(Graph)));
  *entry = {graph, graphs};
  graphs = entry;
  __real___cilk2gpu_register(graph);
}
