// See Image.h.
//
//   FAKE_GPU_SEED      seed of the order in which threads run; default: 1
//   FAKE_GPU_RESIDENT  blocks that run beside one another; default: 2 of an ordinary kernel, all of a persistent one
//   FAKE_GPU_COUNTS    file to which each launch appends its kernel's name and the number of executed instructions
#include "Image.h"
#include "Machine.h"
#include "cilk2gpu/abi/BlockImage.h"
#include "cilk2gpu/abi/GraphLanes.h"
#include "cilk2gpu/abi/Image.h"

#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::test::ptx {
namespace {

struct Kernel {
  const Function *function;
  uint64_t sharedBytes;
};

struct Loaded {
  std::unique_ptr<Module> module;
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<FakeSymbol> symbols;
  FakeImage image;
};

size_t localBytes = 1024;
void (*accessHook)(const void *memory, uint64_t bytes, bool writes) = nullptr;

uint64_t numberOf(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text ? strtoull(text, nullptr, 10) : otherwise;
}

void runKernel(const FakeSymbol &self, abi::Wave *wave, const Grid &grid) {
  static uint64_t launches = 0;
  bool isPersistent = !strcmp(self.name, abi::kPersistentKernel) || !strcmp(self.name, abi::kGraphKernel) ||
                      !strcmp(self.name, abi::kBlocksKernel);
  const Kernel &kernel = *static_cast<const Kernel *>(self.variable);
  uint64_t resident = numberOf("FAKE_GPU_RESIDENT", 0);
  LaunchShape shape = {grid.blocks,
                       grid.threads,
                       uint32_t(resident       ? resident
                                : isPersistent ? grid.blocks
                                               : 2),
                       localBytes,
                       kernel.sharedBytes,
                       numberOf("FAKE_GPU_SEED", 1) + (launches++ << 32),
                       numberOf("FAKE_GPU_PAGEABLE", 0) ? nullptr : accessHook};
  uint64_t executed = run(*kernel.function, shape, wave);
  const char *path = getenv("FAKE_GPU_COUNTS");
  if (FILE *file = path ? fopen(path, "a") : nullptr) {
    fprintf(file, "%s %llu\n", self.name, static_cast<unsigned long long>(executed));
    fclose(file);
  }
}

} // namespace

void setLocalBytes(size_t bytes) { localBytes = (bytes + 15) & ~size_t(15); }

const FakeImage *loadImage(const char *text) {
  auto &loaded = *new Loaded; // a lane may end the process
  try {
    loaded.module = readModule(text);
  } catch (const Unreadable &error) {
    fprintf(stderr, "fake GPU: %s\n", error.what());
    return nullptr;
  } catch (const std::bad_alloc &) {
    fprintf(stderr, "fake GPU: the variables of the PTX need too much memory\n");
    return nullptr;
  }
  for (auto &[name, function] : loaded.module->functions)
    if (function->isKernel && function->isDefined) {
      loaded.kernels.emplace_back(new Kernel{function.get(), loaded.module->sharedBytes});
      loaded.symbols.push_back({name.c_str(), runKernel, loaded.kernels.back().get(), 0, nullptr, false});
    }
  for (auto &[name, variable] : loaded.module->variables)
    loaded.symbols.push_back({name.c_str(), nullptr, variable.memory, variable.bytes, nullptr, false});
  loaded.image = {"// fake", loaded.symbols.data(), loaded.symbols.size(), nullptr, &accessHook};
  return &loaded.image;
}

} // namespace cilk2gpu::test::ptx
