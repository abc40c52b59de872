// See Image.h.
//
//   FAKE_GPU_SEED      seed of the order in which wavefronts run; default: 1
//   FAKE_GPU_RESIDENT  blocks that run beside one another; default: 2 of an ordinary kernel, all of a persistent one
//   FAKE_GPU_COUNTS    file to which each launch appends its kernel's name and the number of executed instructions
#include "Image.h"
#include "CodeObject.h"
#include "cilk2gpu/abi/BlockImage.h"
#include "cilk2gpu/abi/GraphLanes.h"
#include "cilk2gpu/abi/Image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::test::amd {
namespace {

struct Loaded {
  std::unique_ptr<CodeObject> object;
  struct Entry {
    const Kernel *kernel;
    const CodeObject *object;
  };
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<FakeSymbol> symbols;
  FakeImage image;
};

size_t privateBytes = 1024;
void (*accessHook)(const void *memory, uint64_t bytes, bool writes) = nullptr;

uint64_t numberOf(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text ? strtoull(text, nullptr, 10) : otherwise;
}

void runKernel(const FakeSymbol &self, abi::Wave *wave, const Grid &grid) {
  static uint64_t launches = 0;
  bool isPersistent = !strcmp(self.name, abi::kPersistentKernel) || !strcmp(self.name, abi::kGraphKernel) ||
                      !strcmp(self.name, abi::kBlocksKernel);
  auto &entry = *static_cast<const Loaded::Entry *>(self.variable);
  uint64_t resident = numberOf("FAKE_GPU_RESIDENT", isPersistent ? grid.blocks : 2);
  LaunchShape shape = {.blocks = grid.blocks,
                       .threads = grid.threads,
                       .resident = uint32_t(resident ? resident : grid.blocks),
                       .privateBytes = privateBytes,
                       .sharedBytes = 0, // as the kernel says
                       .seed = numberOf("FAKE_GPU_SEED", 1) + (launches++ << 32),
                       .access = numberOf("FAKE_GPU_PAGEABLE", 0) ? nullptr : accessHook,
                       .imageStart = entry.object->start,
                       .imageEnd = entry.object->end};
  uint64_t executed = run(*entry.kernel, shape, wave);
  const char *path = getenv("FAKE_GPU_COUNTS");
  if (FILE *file = path ? fopen(path, "a") : nullptr) {
    fprintf(file, "%s %llu\n", self.name, static_cast<unsigned long long>(executed));
    fclose(file);
  }
}

} // namespace

void setPrivateBytes(size_t bytes) { privateBytes = bytes; }

const FakeImage *loadImage(const char *data) {
  auto &loaded = *new Loaded; // a lane may end the process
  try {
    loaded.object = loadCodeObject(data);
  } catch (const Unreadable &error) {
    fprintf(stderr, "fake GPU: %s\n", error.what());
    return nullptr;
  }
  for (auto &[name, kernel] : loaded.object->kernels) {
    loaded.entries.emplace_back(new Loaded::Entry{&kernel, loaded.object.get()});
    loaded.symbols.push_back({name.c_str(), runKernel, loaded.entries.back().get(), 0, nullptr, false});
  }
  for (auto &[name, variable] : loaded.object->variables)
    loaded.symbols.push_back({name.c_str(), nullptr, variable.memory, variable.bytes, nullptr, false});
  loaded.image = {"// fake", loaded.symbols.data(), loaded.symbols.size(), nullptr, &accessHook};
  return &loaded.image;
}

} // namespace cilk2gpu::test::amd
