// The entry points of CUDA's driver that the runtime uses, over FakeGpu.
#include "FakeGpu.h"
#include "ptx/Image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

namespace fake = cilk2gpu::test::fake;

#define ENTER()                                                                                                        \
  if (int code = fake::enter(__func__))                                                                                \
  return code

static const char devices[] = "Fake H200=9.0";
static bool initialised = false;
static int dummyContext;
static thread_local void *current = nullptr;

/// Returns an error if the calling thread has no context.
#define ENTER_CONTEXT()                                                                                                \
  ENTER();                                                                                                             \
  if (current != &dummyContext)                                                                                        \
  return fake::InvalidContext

static bool arch(int device, int &major, int &minor) {
  char name[256], text[64];
  return fake::readDevice(devices, device, name, sizeof name, text, sizeof text) &&
         sscanf(text, "%d.%d", &major, &minor) == 2;
}

extern "C" {

int cuInit(unsigned) {
  ENTER();
  fake::forkIfAsked();
  initialised = true;
  return 0;
}

int cuDriverGetVersion(int *version) {
  ENTER();
  *version = 13000;
  return 0;
}

int cuDeviceGetCount(int *count) {
  ENTER();
  if (!initialised)
    return fake::NotInitialised;
  *count = fake::countDevices(devices);
  return 0;
}

int cuDeviceGet(int *device, int ordinal) {
  ENTER();
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char *name, int bytes, int device) {
  ENTER();
  char text[64];
  return fake::readDevice(devices, device, name, size_t(bytes), text, sizeof text) ? 0 : fake::InvalidValue;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER();
  int major = 0, minor = 0;
  if (!arch(device, major, minor))
    return fake::InvalidValue;
  switch (attribute) {
  case 10:
    *value = 32;
    return 0;
  case 16:
    *value = 1; // multiprocessors
    return 0;
  case 95:
    *value = fake::flag("FAKE_GPU_TOGETHER", 1);
    return 0;
  case 75:
    *value = major;
    return 0;
  case 76:
    *value = minor;
    return 0;
  case 83:
    *value = fake::flag("FAKE_GPU_MANAGED", 1);
    return 0;
  case 88:
    *value = fake::flag("FAKE_GPU_PAGEABLE", 0);
    return 0;
  case 89:
    *value = fake::flag("FAKE_GPU_CONCURRENT", 1);
    return 0;
  case 91:
    *value = fake::flag("FAKE_GPU_SAME_ADDRESS", 1);
    return 0;
  case 113:
    *value = fake::flag("FAKE_GPU_READ_ONLY", 1);
    return 0;
  }
  return fake::InvalidValue;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  ENTER();
  *context = &dummyContext;
  return 0;
}

int cuCtxSetCurrent(void *context) {
  ENTER();
  current = context;
  return 0;
}

int cuCtxSetLimit(int limit, size_t value) {
  ENTER_CONTEXT();
  if (limit)
    return fake::InvalidValue;
  cilk2gpu::test::ptx::setLocalBytes(value);
  return 0;
}

int cuCtxSynchronize() {
  ENTER_CONTEXT();
  return fake::synchronise();
}

/// A link of one text in PTX, which is its product, too.
struct FakeLink {
  char *log;
  void *ptx;
  size_t bytes;
};

int cuLinkCreate_v2(unsigned count, int *options, void **values, void **link) {
  ENTER_CONTEXT();
  auto *created = new FakeLink{};
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      created->log = static_cast<char *>(values[i]);
  *link = created;
  return 0;
}

int cuLinkAddData_v2(void *link, int kind, void *data, size_t bytes, const char *, unsigned, int *, void **) {
  auto &into = *static_cast<FakeLink *>(link);
  if (int code = fake::enter(__func__)) {
    strcpy(into.log, "ptxas: line 7 is wrong\nmore");
    return code;
  }
  into.ptx = data;
  into.bytes = bytes;
  return kind == 1 && !into.log[0] ? 0 : int(fake::InvalidValue);
}

int cuLinkComplete(void *link, void **code, size_t *bytes) {
  ENTER_CONTEXT();
  *code = static_cast<FakeLink *>(link)->ptx;
  *bytes = static_cast<FakeLink *>(link)->bytes;
  return 0;
}

int cuLinkDestroy(void *link) {
  ENTER_CONTEXT();
  delete static_cast<FakeLink *>(link);
  return 0;
}

int cuModuleLoadData(void **module, const void *data) {
  ENTER_CONTEXT();
  return fake::loadModule(module, data, cilk2gpu::test::ptx::loadImage);
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  ENTER_CONTEXT();
  return fake::findFunction(function, module, name);
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name) {
  ENTER_CONTEXT();
  return fake::findGlobal(reinterpret_cast<void **>(address), bytes, module, name);
}

//===-- Graphs ----------------------------------------------------------------------------------------------------===//

/// CUDA_KERNEL_NODE_PARAMS_v2, and a graph whose nodes follow one another.
struct KernelNode {
  void *function;
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
  void **parameters, **extra;
  void *kernel, *context;
};
struct FakeGraph {
  std::vector<KernelNode> nodes;
  std::vector<void *> parameters;
};

int cuGraphCreate(void **graph, unsigned flags) {
  ENTER_CONTEXT();
  *graph = new FakeGraph;
  return flags ? int(fake::InvalidValue) : 0;
}

int cuGraphAddKernelNode_v2(void **node, void *graph, void *const *parents, size_t numParents,
                            const KernelNode *kernel) {
  ENTER_CONTEXT();
  auto &nodes = static_cast<FakeGraph *>(graph)->nodes;
  // A node is named by its number, from 1 on. Each one waits for the last one.
  if (numParents != !nodes.empty() || (numParents && parents[0] != reinterpret_cast<void *>(nodes.size())) ||
      kernel->gridY * kernel->gridZ * kernel->blockY * kernel->blockZ != 1 || kernel->kernel || kernel->context)
    return fake::InvalidValue;
  nodes.push_back(*kernel);
  static_cast<FakeGraph *>(graph)->parameters.push_back(*static_cast<void **>(kernel->parameters[0]));
  *node = reinterpret_cast<void *>(nodes.size());
  return 0;
}

int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
  ENTER_CONTEXT();
  *executable = new FakeGraph(*static_cast<FakeGraph *>(graph));
  return flags ? int(fake::InvalidValue) : 0;
}

static bool blocks();

int cuGraphLaunch(void *executable, void *) {
  ENTER_CONTEXT();
  auto &graph = *static_cast<FakeGraph *>(executable);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    void *parameters[] = {&graph.parameters[i]};
    const KernelNode &node = graph.nodes[i];
    if (int code = fake::launch(node.function, node.gridX, node.blockX, 32, parameters))
      return code;
  }
  return fake::launched(0, blocks());
}

int cuGraphExecDestroy(void *executable) {
  ENTER_CONTEXT();
  delete static_cast<FakeGraph *>(executable);
  return 0;
}

int cuGraphDestroy(void *graph) {
  ENTER_CONTEXT();
  delete static_cast<FakeGraph *>(graph);
  return 0;
}

//===-- Launches --------------------------------------------------------------------------------------------------===//

static bool blocks() { return fake::flag("CUDA_LAUNCH_BLOCKING", 0); }

int cuLaunchKernel(void *function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned, unsigned, unsigned,
                   void *, void **parameters, void **) {
  ENTER_CONTEXT();
  return fake::launched(fake::launch(function, gridX, blockX, 32, parameters), blocks());
}

int cuLaunchCooperativeKernel(void *function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned, unsigned,
                              unsigned, void *, void **parameters) {
  ENTER_CONTEXT();
  return fake::launched(fake::launchTogether(function, gridX, blockX, 32, parameters), blocks());
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int, size_t) {
  ENTER_CONTEXT();
  return fake::occupancy(blocks, function);
}

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER_CONTEXT();
  return fake::memoryInfo(free, total);
}

int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags) {
  ENTER_CONTEXT();
  return flags == 1 ? fake::allocate(reinterpret_cast<void **>(address), bytes) : int(fake::InvalidValue);
}

int cuMemPrefetchAsync_v2(uint64_t address, size_t bytes, unsigned long long location, unsigned flags, void *) {
  ENTER_CONTEXT();
  bool isValid = fake::flag("FAKE_GPU_CONCURRENT", 1) && uint32_t(location) == 1 && !flags;
  return isValid ? fake::prefetch(reinterpret_cast<void *>(address), bytes) : int(fake::InvalidValue);
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER_CONTEXT();
  return fake::allocateDevice(reinterpret_cast<void **>(address), bytes);
}

int cuMemFree_v2(uint64_t address) {
  ENTER_CONTEXT();
  return fake::release(reinterpret_cast<void *>(address));
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  ENTER_CONTEXT();
  return fake::copyToDevice(reinterpret_cast<void *>(to), from, bytes);
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  ENTER_CONTEXT();
  return fake::copyFromDevice(to, reinterpret_cast<const void *>(from), bytes);
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
  ENTER_CONTEXT();
  return fake::copyToDevice(reinterpret_cast<void *>(to), from, bytes);
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  ENTER_CONTEXT();
  return fake::copyFromDeviceLater(to, reinterpret_cast<const void *>(from), bytes);
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes) {
  ENTER_CONTEXT();
  return fake::copyOnDevice(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes);
}

int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) {
  ENTER_CONTEXT();
  return fake::registerHost(memory, bytes, flags & 8);
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned) {
  ENTER_CONTEXT();
  return fake::devicePointer(reinterpret_cast<void **>(address), memory);
}

int cuStreamQuery(void *) {
  ENTER_CONTEXT();
  return fake::query();
}

int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  ENTER_CONTEXT();
  return fake::allocateHost(memory, bytes);
}

int cuMemHostUnregister(void *memory) {
  ENTER_CONTEXT();
  return fake::unregisterHost(memory);
}

int cuGetErrorName(int code, const char **name) {
  *name = fake::errorName(code);
  return *name ? 0 : fake::InvalidValue;
}

int cuGetErrorString(int code, const char **text) {
  *text = code == 999 ? "as the test wanted" : nullptr;
  return *text ? 0 : fake::InvalidValue;
}
}
