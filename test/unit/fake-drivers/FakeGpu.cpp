// See FakeGpu.h.
#include "FakeGpu.h"
#include "cilk2gpu/abi/BlockImage.h"
#include "cilk2gpu/abi/GraphLanes.h"
#include "cilk2gpu/abi/Image.h"

#include <atomic>
#include <dlfcn.h>
#include <elf.h>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cilk2gpu::test::fake {
namespace {

struct Range {
  size_t bytes;
  bool writable;
};

using Ranges = std::map<uintptr_t, Range>;

/// A kernel to run, or memory to copy.
struct Launch {
  const FakeSymbol *kernel;
  const FakeImage *image;
  void *parameter;
  Grid grid;
  void *to;
  const void *from;
  size_t bytes;
};

// Never destroyed: a task may end the process while wavefronts run or start.
Ranges &managed = *new Ranges, &device = *new Ranges, &registered = *new Ranges, &variables = *new Ranges;
/// Guards these while lanes run: the host may allocate memory meanwhile.
std::shared_mutex &rangesLock = *new std::shared_mutex;
Ranges &ofHost = *new Ranges; ///< memory of the host that the driver allocated
auto &calls = *new std::map<std::string, int>;
auto &modules = *new std::vector<const FakeImage *>;
auto &imageOf = *new std::map<const FakeSymbol *, const FakeImage *>;
auto &codeObject = *new std::string; ///< a real code object that was loaded, if any
auto &queue = *new std::vector<Launch>;
size_t used = 0;
std::atomic<bool> faulted = false; // wavefronts run beside one another

void log(const char *format, const char *what, unsigned long long number = 0) {
  const char *path = getenv("FAKE_GPU_LOG");
  FILE *file = path ? fopen(path, "a") : nullptr;
  if (!file)
    return;
  fprintf(file, format, what, number);
  fclose(file);
}

bool isIn(const Ranges &ranges, uintptr_t start, size_t bytes, bool writes) {
  auto next = ranges.upper_bound(start);
  if (next == ranges.begin())
    return false;
  --next;
  return start + bytes <= next->first + next->second.bytes && (next->second.writable || !writes);
}

bool overlaps(const Ranges &ranges, uintptr_t start, size_t bytes) {
  auto next = ranges.lower_bound(start + bytes);
  return next != ranges.begin() && (--next)->first + next->second.bytes > start;
}

/// Checks memory that a lane accesses.
void access(const void *memory, uint64_t bytes, bool writes) {
  auto start = reinterpret_cast<uintptr_t>(memory);
  if (flag("FAKE_GPU_PAGEABLE", 0))
    return;
  std::shared_lock reading(rangesLock);
  if (isIn(managed, start, bytes, writes) || isIn(device, start, bytes, writes) ||
      isIn(registered, start, bytes, writes) || isIn(variables, start, bytes, writes) ||
      isIn(ofHost, start, bytes, writes))
    return;
  faulted = true;
}

/// Lets the process use the device's own memory while the object lives.
class Unlocked {
public:
  Unlocked() { protect(PROT_READ | PROT_WRITE); }
  ~Unlocked() { protect(PROT_NONE); }

private:
  void protect(int access) {
    for (auto &[start, range] : device)
      mprotect(reinterpret_cast<void *>(start), range.bytes, access);
  }
};

size_t total() {
  const char *text = getenv("FAKE_GPU_MEMORY");
  return text ? strtoull(text, nullptr, 10) : size_t(1) << 30;
}

/// Returns item `index` of a list separated by ';'.
std::string item(const char *list, int index) {
  std::string rest = list;
  for (; index && !rest.empty(); --index) {
    size_t end = rest.find(';');
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return rest.substr(0, rest.find(';'));
}

const char *deviceList(const char *otherwise) {
  const char *list = getenv("FAKE_GPUS");
  return list ? list : otherwise;
}

} // namespace

int flag(const char *variable, int otherwise) {
  const char *text = getenv(variable);
  return text ? atoi(text) : otherwise;
}

void forkIfAsked() {
  if (!flag("FAKE_GPU_FORKS", 0))
    return;
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, nullptr, 0);
}

int enter(const char *call) {
  int number = ++calls[call];
  log("call %s %llu\n", call, unsigned(number));
  const char *fail = getenv("FAKE_GPU_FAIL");
  for (const std::string &each : {std::to_string(number), std::string("*")}) {
    std::string wanted = call + (":" + each + ":");
    if (fail && !strncmp(fail, wanted.c_str(), wanted.size()))
      return atoi(fail + wanted.size());
  }
  return Success;
}

int countDevices(const char *defaultDevices) {
  int count = 0;
  while (!item(deviceList(defaultDevices), count).empty())
    ++count;
  return count;
}

bool readDevice(const char *defaultDevices, int ordinal, char *name, size_t nameBytes, char *arch, size_t archBytes) {
  std::string text = item(deviceList(defaultDevices), ordinal);
  size_t equals = text.find('=');
  if (equals == std::string::npos)
    return false;
  snprintf(name, nameBytes, "%s", text.substr(0, equals).c_str());
  snprintf(arch, archBytes, "%s", text.substr(equals + 1).c_str());
  return true;
}

/// Returns whether `data` is a code object for AMD, and keeps it. The section headers are at its end.
static bool readCodeObject(const void *data) {
  auto *header = static_cast<const Elf64_Ehdr *>(data);
  constexpr int kAmdGpu = 224;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_machine != kAmdGpu)
    return false;
  codeObject.assign(static_cast<const char *>(data), header->e_shoff + size_t(header->e_shnum) * header->e_shentsize);
  return true;
}

/// Returns the image that runs instead of the program's own; null if there is none.
static const void *otherImage() {
  const char *path = getenv("FAKE_GPU_IMAGE");
  if (!path)
    return dlsym(RTLD_DEFAULT, kFakeImageSymbol);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fprintf(stderr, "fake GPU: %s\n", dlerror());
  return library ? dlsym(library, kFakeImageSymbol) : nullptr;
}

int loadModule(void **module, const void *data, const FakeImage *(*read)(const char *data)) {
  bool isCodeObject = readCodeObject(data);
  if ((isCodeObject && !read) || getenv("FAKE_GPU_IMAGE"))
    data = otherImage();
  constexpr char kMagic[] = "// fake";
  if (data && read && memcmp(data, kMagic, sizeof kMagic))
    data = read(static_cast<const char *>(data));
  if (!data)
    return InvalidImage;
  auto *image = static_cast<const FakeImage *>(data);
  if (memcmp(image->magic, kMagic, sizeof kMagic))
    return InvalidImage;
  for (uint64_t i = 0; i < image->numSymbols; ++i) {
    const FakeSymbol &symbol = image->symbols[i];
    imageOf[&symbol] = image;
    if (!symbol.kernel && !symbol.wavefront)
      variables[reinterpret_cast<uintptr_t>(symbol.variable)] = {symbol.bytes, true};
  }
  modules.push_back(image);
  *module = const_cast<FakeImage *>(image);
  return Success;
}

static bool isKernel(const FakeSymbol &symbol) { return symbol.kernel || symbol.wavefront; }

static const FakeSymbol *find(void *module, const char *name, bool wantsKernel) {
  auto *image = static_cast<const FakeImage *>(module);
  for (uint64_t i = 0; i < image->numSymbols; ++i)
    if (!strcmp(image->symbols[i].name, name) && isKernel(image->symbols[i]) == wantsKernel)
      return &image->symbols[i];
  const FakeSymbol *found = image->find ? image->find(name) : nullptr;
  if (!found || isKernel(*found) != wantsKernel)
    return nullptr;
  imageOf[found] = image;
  if (!wantsKernel)
    variables[reinterpret_cast<uintptr_t>(found->variable)] = {found->bytes, true};
  return found;
}

int findFunction(void **function, void *module, const char *name) {
  bool isThere = codeObject.empty() || codeObject.find(name) != std::string::npos;
  const FakeSymbol *symbol = isThere ? find(module, name, true) : nullptr;
  *function = const_cast<FakeSymbol *>(symbol);
  return symbol ? Success : NotFound;
}

int findGlobal(void **address, size_t *bytes, void *module, const char *name) {
  const FakeSymbol *symbol = find(module, name, false);
  if (!symbol)
    return NotFound;
  *address = symbol->variable;
  *bytes = symbol->bytes;
  return Success;
}

/// Returns whether all blocks of a kernel have to be resident at once.
static bool isPersistent(const FakeSymbol &kernel) {
  return kernel.wavefront || !strcmp(kernel.name, abi::kPersistentKernel) || !strcmp(kernel.name, abi::kGraphKernel);
}

static bool isOfBlocks(const FakeSymbol &kernel) { return !strcmp(kernel.name, abi::kBlocksKernel); }

static int launchBlocks(const FakeSymbol *kernel, const Grid &grid, void *parameter) {
  log("launch %s %llu\n", kernel->name, grid.blocks);
  if (!grid.blocks || !grid.threads || grid.threads > 1024)
    return InvalidValue;
  queue.push_back({kernel, imageOf[kernel], parameter, grid, nullptr, nullptr, 0});
  return Success;
}

static int launchPersistent(const FakeSymbol *kernel, const Grid &grid, void *parameter) {
  log("launch %s %llu\n", kernel->name, grid.blocks);
  if (!grid.blocks || grid.threads < 2 * grid.wave || grid.threads > 1024 || grid.threads % grid.wave)
    return InvalidValue;
  queue.push_back({kernel, imageOf[kernel], parameter, grid, nullptr, nullptr, 0});
  return Success;
}

int occupancy(int *blocks, void *function) {
  auto *kernel = static_cast<const FakeSymbol *>(function);
  if (!isPersistent(*kernel) && !isOfBlocks(*kernel))
    return InvalidValue;
  *blocks = flag("FAKE_GPU_BLOCKS", 2);
  return Success;
}

int launchTogether(void *function, unsigned blocks, unsigned threads, unsigned wave, void **parameters) {
  auto *kernel = static_cast<const FakeSymbol *>(function);
  if (!isPersistent(*kernel))
    return InvalidValue;
  if (blocks > unsigned(flag("FAKE_GPU_BLOCKS", 2)))
    return TooLarge;
  return launchPersistent(kernel, {blocks, threads, wave}, *static_cast<void **>(parameters[0]));
}

int launch(void *function, unsigned blocks, unsigned threads, unsigned waveSize, void **parameters) {
  auto *kernel = static_cast<const FakeSymbol *>(function);
  if (isPersistent(*kernel))
    return launchPersistent(kernel, {blocks, threads, waveSize}, *static_cast<void **>(parameters[0]));
  if (isOfBlocks(*kernel))
    return launchBlocks(kernel, {blocks, threads, waveSize}, *static_cast<void **>(parameters[0]));
  auto *wave = *static_cast<abi::Wave **>(parameters[0]);
  Unlocked unlocked;
  log("launch %s %llu\n", kernel->name, wave->lanes);
  if (!blocks || !threads || threads > 1024 || uint64_t(blocks) * threads < wave->lanes)
    return InvalidValue;
  queue.push_back({kernel, imageOf[kernel], wave, {blocks, threads, waveSize}, nullptr, nullptr, 0});
  return Success;
}

/// Runs the blocks. A block starts when another has ended. The system decides which of the resident wavefronts comes
/// first.
static void runBlocks(const Launch &launch) {
  unsigned places = unsigned(flag("FAKE_GPU_RESIDENT", 0));
  places = places && places < launch.grid.blocks ? places : launch.grid.blocks;
  std::atomic<unsigned> started = 0;
  std::vector<std::thread> blocks;
  for (unsigned place = 0; place < places; ++place)
    blocks.emplace_back([&] {
      while (started++ < launch.grid.blocks) {
        std::vector<std::thread> wavefronts;
        for (unsigned i = 0; i < launch.grid.threads / launch.grid.wave; ++i)
          wavefronts.emplace_back(launch.kernel->wavefront, launch.parameter);
        for (std::thread &each : wavefronts)
          each.join();
      }
    });
  for (std::thread &each : blocks)
    each.join();
}

/// Waits. A device's error stays, as a real device's does.
int synchronise() {
  Unlocked unlocked;
  for (const Launch &next : queue) {
    if (!next.kernel) {
      memcpy(next.to, next.from, next.bytes);
      continue;
    }
    *next.image->access = access;
    access(next.parameter, sizeof(abi::Wave), false);
    if (!faulted && next.kernel->wavefront)
      runBlocks(next);
    else if (!faulted)
      next.kernel->kernel(*next.kernel, static_cast<abi::Wave *>(next.parameter), next.grid);
    *next.image->access = nullptr;
  }
  queue.clear();
  return faulted ? IllegalAddress : Success;
}

int launched(int code, bool blocks) { return code || !blocks ? code : synchronise(); }

/// Starts launched kernels on a thread of their own, while the host looks whether they have ended. If lanes have memory
/// of their own, the host returns when it has something to do. That memory is then closed until the host asks again.
int query() {
  static std::thread &runner = *new std::thread; // a lane may end the process
  static std::atomic<bool> isDone;
  static int outcome;
  static const PrivateMemory *ownMemory;
  if (!runner.joinable()) {
    if (queue.empty())
      return faulted ? IllegalAddress : Success;
    isDone = false;
    ownMemory = nullptr;
    for (const Launch &each : queue)
      if (each.image && each.image->ownMemory)
        ownMemory = each.image->ownMemory;
    runner = std::thread([] {
      outcome = synchronise();
      isDone = true;
    });
  }
  if (ownMemory) {
    ownMemory->close(false);
    while (!isDone && !ownMemory->isHostAwaited())
      std::this_thread::yield();
    if (!isDone)
      ownMemory->close(true);
  }
  if (!isDone)
    return NotReady;
  runner.join();
  return outcome;
}

static int allocateIn(Ranges &ranges, void **memory, size_t bytes, int access) {
  if (!bytes)
    return InvalidValue;
  bool isOfDevice = &ranges != &ofHost;
  if (isOfDevice && used + bytes > total())
    return OutOfMemory;
  void *block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return OutOfMemory;
  memset(block, 0xa5, bytes); // nobody may rely on zeros
  mprotect(block, bytes, access);
  std::unique_lock writing(rangesLock);
  ranges[reinterpret_cast<uintptr_t>(block)] = {bytes, true};
  used += isOfDevice ? bytes : 0;
  *memory = block;
  return Success;
}

int allocate(void **memory, size_t bytes) { return allocateIn(managed, memory, bytes, PROT_READ | PROT_WRITE); }
int allocateHost(void **memory, size_t bytes) { return allocateIn(ofHost, memory, bytes, PROT_READ | PROT_WRITE); }
int allocateDevice(void **memory, size_t bytes) { return allocateIn(device, memory, bytes, PROT_NONE); }

int release(void *memory) {
  for (Ranges *ranges : {&managed, &device}) {
    auto block = ranges->find(reinterpret_cast<uintptr_t>(memory));
    if (block == ranges->end())
      continue;
    std::unique_lock writing(rangesLock);
    munmap(memory, block->second.bytes);
    used -= block->second.bytes;
    ranges->erase(block);
    return Success;
  }
  return InvalidValue;
}

/// Returns whether the device can use memory without registering it.
static bool isOwn(const void *memory, size_t bytes) {
  auto start = reinterpret_cast<uintptr_t>(memory);
  return isIn(variables, start, bytes, true) || isIn(device, start, bytes, true) || isIn(managed, start, bytes, true);
}

/// Does nothing, but refuses memory that is not managed.
int prefetch(void *memory, size_t bytes) {
  return isIn(managed, reinterpret_cast<uintptr_t>(memory), bytes, true) ? Success : InvalidValue;
}

/// Returns whether a range of the host's memory is registered in part.
static bool isSplit(const void *memory, size_t bytes) {
  auto start = reinterpret_cast<uintptr_t>(memory);
  return overlaps(registered, start, bytes) && !isIn(registered, start, bytes, false);
}

static int copy(void *to, const void *from, size_t bytes) {
  Unlocked unlocked;
  memcpy(to, from, bytes);
  return Success;
}

int copyToDevice(void *to, const void *from, size_t bytes) {
  return isOwn(to, bytes) && !isSplit(from, bytes) ? copy(to, from, bytes) : int(InvalidValue);
}

int copyFromDevice(void *to, const void *from, size_t bytes) {
  return isOwn(from, bytes) && !isSplit(to, bytes) ? copy(to, from, bytes) : int(InvalidValue);
}

/// As copyOnDevice(), to memory of the host that the driver has allocated.
int copyFromDeviceLater(void *to, const void *from, size_t bytes) {
  if (!isOwn(from, bytes) || !isIn(ofHost, reinterpret_cast<uintptr_t>(to), bytes, true))
    return InvalidValue;
  queue.push_back({nullptr, nullptr, nullptr, {}, to, from, bytes});
  return Success;
}

/// Copies memory when the copy is waited for, as launches do. Overlapping ranges are not defined, so they are an error
/// here.
int copyOnDevice(void *to, const void *from, size_t bytes) {
  auto *target = static_cast<char *>(to);
  auto *source = static_cast<const char *>(from);
  bool overlap = target < source + bytes && source < target + bytes;
  if (overlap || !isOwn(to, bytes) || !isOwn(from, bytes))
    return InvalidValue;
  queue.push_back({nullptr, nullptr, nullptr, {}, to, from, bytes});
  return Success;
}

int memoryInfo(size_t *free, size_t *all) {
  *all = total();
  *free = *all - used;
  return Success;
}

int registerHost(void *memory, size_t bytes, bool readOnly) {
  auto start = reinterpret_cast<uintptr_t>(memory);
  if (overlaps(managed, start, bytes))
    return InvalidValue;
  if (overlaps(registered, start, bytes) || overlaps(ofHost, start, bytes))
    return AlreadyRegistered;
  registered[start] = {bytes, !readOnly};
  return Success;
}

/// A page of the driver's between two pages that nobody may touch: it is a mapping of its own, whatever lies beside.
const char *const ownPage = [] {
  constexpr size_t kPage = 4096;
  auto *pages = static_cast<char *>(mmap(nullptr, 3 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + kPage, kPage, PROT_READ | PROT_WRITE);
  return pages + kPage;
}();

int devicePointer(void **address, void *memory) {
  int shifted = flag("FAKE_GPU_SHIFTED", 0);
  auto own = reinterpret_cast<uintptr_t>(ownPage), start = reinterpret_cast<uintptr_t>(memory);
  bool isShifted = shifted == 1 || (shifted == 2 && start <= own && own < start + registered[start].bytes);
  *address = static_cast<char *>(memory) + (isShifted ? 4096 : 0);
  return Success;
}

int unregisterHost(void *memory) {
  return registered.erase(reinterpret_cast<uintptr_t>(memory)) ? Success : NotRegistered;
}

const char *errorName(int code) {
  switch (code) {
  case OutOfMemory:
    return "FAKE_ERROR_OUT_OF_MEMORY";
  case NoDevice:
    return "FAKE_ERROR_NO_DEVICE";
  case TooLarge:
    return "FAKE_ERROR_TOO_LARGE";
  case IllegalAddress:
    return "FAKE_ERROR_ILLEGAL_ADDRESS";
  case InvalidImage:
    return "FAKE_ERROR_INVALID_IMAGE";
  case 999:
    return "FAKE_ERROR_INJECTED";
  }
  return nullptr;
}

} // namespace cilk2gpu::test::fake
