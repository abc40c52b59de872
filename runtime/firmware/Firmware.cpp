// The firmware of the aggregator: start-up, the loop that does the machine's work, and support functions for the core.
// Freestanding, riscv64. The core itself is in ../core and ../executors/model, and is compiled for this processor. The
// compiler makes the descriptors of the program's graph (lib/Target/Firmware).
#include "cilk2gpu/abi/Firmware.h"
#include "firmware/Shared.h"

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

extern "C" {
// Defined by the compiler: the graphs of all units.
extern abi::GraphRecord *const __cilk2gpu_firmware_graphs[];
extern const uint64_t __cilk2gpu_firmware_num_graphs;

[[gnu::used, gnu::section(".note.cilk2gpu")]] extern const abi::FirmwareNote __cilk2gpu_firmware_note = {
    9, 16, abi::kFirmwareNoteType, "cilk2gpu", abi::kAbiVersion, abi::kFirmwareVersion, sharedLayout()};
}

namespace {

alignas(16) [[gnu::used]] char stack[64 * 1024];

struct Work {
  uint64_t kind, first, second;
};

Work call(abi::FirmwareCall number, uint64_t first, uint64_t second = 0, uint64_t third = 0) {
  register uint64_t a7 asm("a7") = uint64_t(number);
  register uint64_t a0 asm("a0") = first;
  register uint64_t a1 asm("a1") = second;
  register uint64_t a2 asm("a2") = third;
  asm volatile("ecall" : "+r"(a0), "+r"(a1), "+r"(a2) : "r"(a7) : "memory");
  return {a0, a1, a2};
}

template <typename T> uint64_t word(T *pointer) { return reinterpret_cast<uint64_t>(pointer); }
template <typename T> T &at(uint64_t address) { return *reinterpret_cast<T *>(address); }

void *allocate(void *, uint64_t bytes, uint64_t align) {
  return reinterpret_cast<void *>(call(abi::FirmwareCall::Allocate, bytes, align).kind);
}

void release(void *, void *memory, uint64_t bytes, uint64_t align) {
  call(abi::FirmwareCall::Release, word(memory), bytes, align);
}

void fail(void *, const Failure &failure) { call(abi::FirmwareCall::Fail, word(&failure)); }

void dispatch(void *, const TaskInfo &task, bool restarts, abi::Wave *wave) {
  call(abi::FirmwareCall::Dispatch, word(&task), restarts, word(wave));
}

/// Functions that do a piece of work and return its result, indexed by abi::FirmwareWork.
uint64_t (*const works[])(uint64_t first, uint64_t second) = {
    [](uint64_t model, uint64_t) -> uint64_t { return ControlAccess::aggregate(at<Model>(model)); },
    [](uint64_t model, uint64_t wavefront) -> uint64_t {
      ControlAccess::retire(at<Model>(model), at<Wavefront>(wavefront));
      return true;
    },
    [](uint64_t scheduler, uint64_t) -> uint64_t { return at<Scheduler>(scheduler).run(0); },
};

[[noreturn]] void run() {
  const DeviceHooks device = {nullptr, dispatch, nullptr, nullptr, nullptr, nullptr, nullptr, true};
  Environment environment = {};
  environment.allocate = allocate;
  environment.release = release;
  environment.fail = fail;
  environment.device = &device;
  environment.isas = 1u << uint32_t(abi::Isa::Any);
  TaskTable tasks(environment);
  for (uint64_t g = 0; g < __cilk2gpu_firmware_num_graphs; ++g)
    for (uint64_t t = 0; t < __cilk2gpu_firmware_graphs[g]->numTasks; ++t)
      tasks.add(__cilk2gpu_firmware_graphs[g]->tasks[t]);
  abi::FirmwareReady ready = {tasks.first(), &environment};
  for (Work work = call(abi::FirmwareCall::Ready, word(&ready));;)
    work = call(abi::FirmwareCall::Wait, works[work.kind](work.first, work.second));
}

struct Dynamic {
  uint64_t tag, value;
};
struct Relocation {
  uint64_t offset, info;
  int64_t addend;
};

} // namespace

/// Relocates the image: adds its distance from the linked address to every address in the data. No code before it may
/// use an address in the data.
extern "C" [[gnu::used, noreturn]] void __cilk2gpu_firmware_main(const Dynamic *dynamic, uint64_t moved) {
  constexpr uint64_t kRela = 7, kRelaSize = 8, kRelative = 3;
  uint64_t relocations = 0, bytes = 0;
  for (; dynamic->tag; ++dynamic) {
    relocations = dynamic->tag == kRela ? dynamic->value + moved : relocations;
    bytes = dynamic->tag == kRelaSize ? dynamic->value : bytes;
  }
  auto *relocation = reinterpret_cast<const Relocation *>(relocations);
  for (uint64_t i = 0; i < bytes / sizeof(Relocation); ++i)
    if (relocation[i].info == kRelative)
      *reinterpret_cast<uint64_t *>(relocation[i].offset + moved) = uint64_t(relocation[i].addend) + moved;
  run();
}

extern "C" [[gnu::naked, gnu::used, noreturn]] void _start() {
  asm volatile("lla sp, %0\n\t"
               "li t0, %1\n\t"
               "add sp, sp, t0\n\t"
               "lla a0, _DYNAMIC\n\t"
               "lla a1, __ehdr_start\n\t"
               "li t0, %2\n\t"
               "sub a1, a1, t0\n\t"
               "tail __cilk2gpu_firmware_main" ::"i"(stack),
               "i"(sizeof stack), "i"(abi::kFirmwareBase));
}

namespace cilk2gpu::rt {

void ModelState::start(Wavefront &wavefront, Context &context, uint64_t time) {
  call(abi::FirmwareCall::Start, word(&wavefront), word(&context), time);
}

/// Does nothing, because the aggregator's operations are not modelled points (executors/model/ModelledAtomics.h).
void modelledAtomic() {}

} // namespace cilk2gpu::rt

// Functions that compilers require.
extern "C" {

void *memcpy(void *to, const void *from, size_t bytes) {
  auto *target = static_cast<unsigned char *>(to);
  auto *source = static_cast<const unsigned char *>(from);
  if (((word(target) | word(source)) & 7) == 0)
    for (; bytes >= 8; bytes -= 8, target += 8, source += 8)
      *reinterpret_cast<uint64_t *>(target) = *reinterpret_cast<const uint64_t *>(source);
  for (; bytes; --bytes)
    *target++ = *source++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  auto *target = static_cast<unsigned char *>(to);
  auto *source = static_cast<const unsigned char *>(from);
  if (word(target) - word(source) >= bytes)
    return memcpy(to, from, bytes);
  while (bytes--)
    target[bytes] = source[bytes];
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  auto *target = static_cast<unsigned char *>(to);
  uint64_t pattern = uint64_t(value & 0xff) * 0x0101010101010101;
  if ((word(target) & 7) == 0)
    for (; bytes >= 8; bytes -= 8, target += 8)
      *reinterpret_cast<uint64_t *>(target) = pattern;
  for (; bytes; --bytes)
    *target++ = static_cast<unsigned char>(value);
  return to;
}
}
