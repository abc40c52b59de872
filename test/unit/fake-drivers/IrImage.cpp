// An image for the fake drivers from a device module's own LLVM IR (--emit=llvm). test/e2e/device_ir.py makes the IR
// fit for the CPU and links it to this file. So a GPU's lowering, requests and addresses are executed, one lane after
// the other. Each lane is the only active lane of its wavefront. Functions named after the intrinsics replace the
// hardware.
//
// Each access of a lane to memory is checked: its address space, its alignment, and whether the driver knows the
// memory.
//
// The lanes of a hand-written graph's kernel run in turns: a lane that waits lets the next one run. So do the lanes
// of a workgroup that runs thread blocks, which wait at barriers. Such workgroups run one after the other.
//
// Lanes run on a stack of their own, in which each finds a pattern. The stack is closed while the host serves them. A
// thunk that touches a lane's local ends the program with a message, because a GPU's host would read something else
// there.
//
// Thread-safety: none; only the runtime's current turn may call.
#include "FakeImage.h"
#include "cilk2gpu/abi/BlockImage.h"
#include "cilk2gpu/abi/GraphLanes.h"
#include "cilk2gpu/abi/Requests.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

using namespace cilk2gpu;
using namespace cilk2gpu::test;

extern "C" {
/// The module's queue, if its tasks ask for anything.
extern abi::RequestQueue *__cilk2gpu_requests __attribute__((weak));
/// The mailboxes of a hand-written graph's lanes, if the module has kernels of graphs.
extern abi::GraphLanes *__cilk2gpu_graph_lanes __attribute__((weak));
}

namespace {

//===-- Lanes -----------------------------------------------------------------------------------------------------===//

/// The running lane.
struct {
  Grid grid;
  unsigned block, thread;

  unsigned number() const { return thread % grid.wave; }
  uint64_t mask() const { return uint64_t(1) << number(); }
} lane;

struct {
  void (*kernel)(abi::Wave *);
  abi::Wave *wave;
  ucontext_t host, lanes;
} launched;

/// Lanes that run in turns, each on its part of the stack. They do not move.
struct Turns {
  struct Lane {
    ucontext_t context;
    unsigned block, thread;
    bool isDone, waits;
  } *lanes;
  unsigned count, current, left, waiting; ///< `waiting`: lanes at a barrier of their workgroup
} turns;

bool isOfGraph = false; ///< the kernel is that of a hand-written graph

constexpr size_t kStackBytes = size_t(64) << 20, kFilledBytes = size_t(8) << 10, kPage = 4096;
char *stack = nullptr;
void (*accessHook)(const void *memory, uint64_t bytes, bool writes) = nullptr;
bool reachesAll = false; ///< also memory that has not been registered
bool isClosed = false;
thread_local bool runsLanes = false;

/// Bounds of this library's file, which has constants and the device runtime's own variables.
extern "C" const char __ehdr_start[], _end[];
bool isOfImage(const void *memory) { return memory >= __ehdr_start && memory < _end; }

bool isOnStack(const void *memory) { return stack && memory >= stack && memory < stack + kStackBytes; }

[[noreturn]] void fail(const char *message) {
  (void)!write(2, message, strlen(message));
  _exit(1);
}

struct sigaction before;

/// Waits, as a lane, until its memory is open again.
void onFault(int number, siginfo_t *info, void *context) {
  bool isLocal = isOnStack(info->si_addr);
  if (isLocal && !runsLanes)
    fail("fake GPU: the host touches memory that is a lane's own\n");
  if (isLocal && info->si_addr < stack + kPage)
    fail("fake GPU: a lane's stack is full\n");
  while (isLocal && __atomic_load_n(&isClosed, __ATOMIC_ACQUIRE))
    sched_yield();
  if (!isLocal && before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else if (!isLocal)
    sigaction(SIGSEGV, &before, nullptr); // the fault then comes again, unhandled
}

/// Gives the thread that runs lanes another stack for signals: they cannot be handled on a closed stack.
void useOtherStackForSignals() {
  static char memory[1 << 16];
  runsLanes = true;
  stack_t other = {};
  other.ss_size = sizeof memory;
  other.ss_sp = memory;
  sigaltstack(&other, nullptr);
}

void makeStack() {
  if (stack)
    return;
  stack = static_cast<char *>(
      mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  mprotect(stack, kPage, PROT_NONE);
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &before);
}

/// Fills the stack, so that a lane finds no data of a lane before.
__attribute__((noinline)) void fillStack() {
  char memory[kFilledBytes];
  memset(memory, 0xa5, sizeof memory);
  asm volatile("" ::"r"(memory) : "memory");
}

void runLanes() {
  for (lane.block = 0; lane.block < lane.grid.blocks; ++lane.block)
    for (lane.thread = 0; lane.thread < lane.grid.threads; ++lane.thread) {
      fillStack();
      launched.kernel(launched.wave);
    }
}

//===-- Lanes in turns --------------------------------------------------------------------------------------------===//

size_t bytesOfTurn() { return (kStackBytes - kPage) / turns.count & ~size_t(15); }

/// Returns the end of the stack of lane number `number`. A lane's stack is below those of the lanes that begin before
/// it: the limit that the last lane notes (StackChecks.cpp) holds for all.
char *endOfTurn(unsigned number) { return stack + kStackBytes - number * bytesOfTurn(); }

/// Returns the end of the running lane's stack.
char *stackEnd() { return turns.lanes ? endOfTurn(turns.current) : stack + kStackBytes; }

/// Continues with the next lane that has not ended. Returns when the calling lane has its turn again.
void passTurn() {
  if (!turns.lanes)
    return;
  unsigned from = turns.current;
  do
    turns.current = (turns.current + 1) % turns.count;
  while (turns.lanes[turns.current].isDone || turns.lanes[turns.current].waits);
  if (turns.current == from)
    return;
  lane.block = turns.lanes[turns.current].block;
  lane.thread = turns.lanes[turns.current].thread;
  swapcontext(&turns.lanes[from].context, &turns.lanes[turns.current].context);
}

/// Runs the lanes that are not the first of their wavefront. They end at once.
void runOthers() {
  for (lane.block = 0; lane.block < lane.grid.blocks; ++lane.block)
    for (lane.thread = 0; lane.thread < lane.grid.threads; ++lane.thread)
      if (lane.number())
        launched.kernel(launched.wave);
  lane.block = lane.thread = 0;
}

void runInTurns() {
  if (!turns.current && isOfGraph)
    runOthers();
  launched.kernel(launched.wave);
  turns.lanes[turns.current].isDone = true;
  if (turns.waiting)
    fail("fake GPU: a lane ends while others of its workgroup wait at a barrier\n");
  if (--turns.left)
    passTurn();
  setcontext(&launched.host);
}

/// Waits, as a lane of a workgroup, for all others.
void meetLanes() {
  if (turns.left < turns.count)
    fail("fake GPU: a lane waits at a barrier of its workgroup, of which lanes have ended\n");
  if (++turns.waiting < turns.count) {
    turns.lanes[turns.current].waits = true;
    passTurn();
    return;
  }
  turns.waiting = 0;
  for (unsigned i = 0; i < turns.count; ++i)
    turns.lanes[i].waits = false;
}

/// Runs `count` lanes in turns: lanes first, first + step, ... of the grid.
void runAllInTurns(unsigned count, unsigned first, unsigned step) {
  turns.count = turns.left = count;
  turns.lanes = static_cast<Turns::Lane *>(calloc(turns.count, sizeof(Turns::Lane)));
  for (unsigned i = 0; i < turns.count; ++i) {
    Turns::Lane &each = turns.lanes[i];
    each.block = (first + i * step) / lane.grid.threads;
    each.thread = (first + i * step) % lane.grid.threads;
    getcontext(&each.context);
    each.context.uc_stack.ss_sp = endOfTurn(i) - bytesOfTurn();
    each.context.uc_stack.ss_size = bytesOfTurn();
    makecontext(&each.context, runInTurns, 0);
  }
  turns.current = 0;
  lane.block = turns.lanes[0].block;
  lane.thread = turns.lanes[0].thread;
  swapcontext(&launched.host, &turns.lanes[0].context);
  free(turns.lanes);
  turns = {};
}

void run(const FakeSymbol &self, abi::Wave *wave, const Grid &grid) {
  makeStack();
  useOtherStackForSignals();
  const char *reach = getenv("FAKE_GPU_PAGEABLE");
  reachesAll = reach && atoi(reach);
  lane.grid = grid;
  launched.kernel = reinterpret_cast<void (*)(abi::Wave *)>(self.variable);
  launched.wave = wave;
  isOfGraph = !strcmp(self.name, abi::kGraphKernel);
  if (isOfGraph)
    return runAllInTurns(grid.blocks * grid.threads / grid.wave, 0, grid.wave);
  for (unsigned block = 0; !strcmp(self.name, abi::kBlocksKernel) && block < grid.blocks; ++block)
    runAllInTurns(grid.threads, block * grid.threads, 1);
  if (!strcmp(self.name, abi::kBlocksKernel))
    return;
  getcontext(&launched.lanes);
  launched.lanes.uc_stack.ss_sp = stack + kPage;
  launched.lanes.uc_stack.ss_size = kStackBytes - kPage;
  launched.lanes.uc_link = &launched.host;
  makecontext(&launched.lanes, runLanes, 0);
  swapcontext(&launched.host, &launched.lanes);
}

/// Lets the host, or the next lane, go on.
void pauseLane() {
  if (!turns.current)
    sched_yield();
  passTurn();
}

//===-- The host's side -------------------------------------------------------------------------------------------===//

/// Returns whether all lanes of a graph's kernel wait for the host.
bool doLanesAwaitHost() {
  const abi::GraphLanes *graph = &__cilk2gpu_graph_lanes ? __cilk2gpu_graph_lanes : nullptr;
  for (uint64_t i = 0; graph && i < graph->count; ++i)
    if (__atomic_load_n(&graph->lanes[i].asked, __ATOMIC_ACQUIRE) == graph->lanes[i].answered)
      return false;
  return graph;
}

bool isHostAwaited() {
  abi::RequestQueue *queue = &__cilk2gpu_requests ? __cilk2gpu_requests : nullptr;
  for (uint32_t i = 0; queue && i < abi::kRequestSlots; ++i)
    if (__atomic_load_n(&queue->slots[i].posted, __ATOMIC_ACQUIRE) != queue->slots[i].served)
      return true;
  return doLanesAwaitHost();
}

void setClosed(bool closed) {
  if (!stack || closed == isClosed)
    return;
  if (closed)
    __atomic_store_n(&isClosed, true, __ATOMIC_RELEASE); // before a lane can find it closed
  mprotect(stack + kPage, kStackBytes - kPage, closed ? PROT_NONE : PROT_READ | PROT_WRITE);
  __atomic_store_n(&isClosed, closed, __ATOMIC_RELEASE);
}

//===-- The image -------------------------------------------------------------------------------------------------===//

void *self() {
  static void *handle = [] {
    Dl_info info;
    return dladdr(&lane, &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  }();
  return handle;
}

/// Finds a symbol. The driver keeps its address.
const FakeSymbol *find(const char *name) {
  void *address = dlsym(self(), name);
  Dl_info info;
  ElfW(Sym) *symbol = nullptr;
  if (!address || !dladdr1(address, &info, reinterpret_cast<void **>(&symbol), RTLD_DL_SYMENT) || !symbol)
    return nullptr;
  bool isKernel = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
  auto *found = static_cast<FakeSymbol *>(malloc(sizeof(FakeSymbol)));
  *found = {strdup(name), isKernel ? run : nullptr, address, symbol->st_size, nullptr, false};
  return found;
}

const PrivateMemory ownMemory = {isHostAwaited, setClosed};

} // namespace

extern "C" {

extern const FakeImage cilk2gpu_fake_image;
const FakeImage cilk2gpu_fake_image = {"// fake", nullptr, 0, find, &accessHook, &ownMemory};

//===-- Accesses --------------------------------------------------------------------------------------------------===//

/// Checks an instruction's access: its address space (5: private; 0: any) and its alignment.
void lane_access(const void *memory, uint32_t space, uint32_t align, bool writes) {
  constexpr uint32_t kPrivate = 5;
  if (space && isOnStack(memory) != (space == kPrivate))
    fail(space == kPrivate ? "fake GPU: an access of a lane's own memory is to other memory\n"
                           : "fake GPU: an access of global memory is to a lane's own\n");
  if (reinterpret_cast<uintptr_t>(memory) & (align - 1))
    fail("fake GPU: an access is less aligned than its instruction says\n");
  if (!reachesAll && !isOnStack(memory) && !isOfImage(memory))
    accessHook(memory, 1, writes);
}

//===-- Hardware --------------------------------------------------------------------------------------------------===//

// Intrinsics of NVIDIA's.
uint32_t lane_nvvm_activemask() { return uint32_t(lane.mask()); }
uint32_t lane_nvvm_shfl_sync_idx_i32(uint32_t, uint32_t value, uint32_t, uint32_t) { return value; }
uint32_t lane_nvvm_vote_ballot_sync(uint32_t, bool flag) { return flag ? uint32_t(lane.mask()) : 0; }
uint32_t lane_nvvm_read_ptx_sreg_laneid() { return lane.number(); }
uint32_t lane_nvvm_read_ptx_sreg_tid_x() { return lane.thread; }
uint32_t lane_nvvm_read_ptx_sreg_ntid_x() { return lane.grid.threads; }
uint32_t lane_nvvm_read_ptx_sreg_ctaid_x() { return lane.block; }
uint32_t lane_nvvm_read_ptx_sreg_nctaid_x() { return lane.grid.blocks; }
void lane_nvvm_bar_warp_sync(uint32_t) {}
void lane_nvvm_barrier_cta_sync_all(uint32_t) { meetLanes(); }
void lane_nvvm_nanosleep(uint32_t) { pauseLane(); }
bool lane_nvvm_isspacep_local(const void *memory) { return isOnStack(memory); }
[[noreturn]] void lane_nvvm_exit() { abort(); }

// Intrinsics of AMD's. AMD's stacks grow up from address 0.
uint32_t lane_amdgcn_ballot_i32(bool flag) { return flag ? uint32_t(lane.mask()) : 0; }
uint64_t lane_amdgcn_ballot_i64(bool flag) { return flag ? lane.mask() : 0; }
uint32_t lane_amdgcn_mbcnt_lo(uint32_t mask, uint32_t count) {
  return count + uint32_t(__builtin_popcount(uint32_t(lane.mask() - 1) & mask));
}
uint32_t lane_amdgcn_mbcnt_hi(uint32_t mask, uint32_t count) {
  return count + uint32_t(__builtin_popcount(uint32_t((lane.mask() - 1) >> 32) & mask));
}
uint32_t lane_amdgcn_ds_bpermute(uint32_t, uint32_t value) { return value; }
uint32_t lane_amdgcn_readlane_i32(uint32_t value, uint32_t) { return value; }
uint64_t lane_amdgcn_readlane_i64(uint64_t value, uint32_t) { return value; }
uint32_t lane_amdgcn_workitem_id_x() { return lane.thread; }
uint32_t lane_amdgcn_workgroup_id_x() { return lane.block; }
const void *lane_amdgcn_implicitarg_ptr() {
  alignas(8) static unsigned char arguments[256];
  auto threads = uint16_t(lane.grid.threads);
  memcpy(arguments, &lane.grid.blocks, sizeof(uint32_t));
  memcpy(arguments + 12, &threads, sizeof threads);
  return arguments;
}
void lane_amdgcn_wave_barrier() {}
void lane_amdgcn_s_barrier() { meetLanes(); }
void lane_amdgcn_s_waitcnt(uint32_t) {}
void lane_amdgcn_s_sleep(uint32_t) { pauseLane(); }
uint32_t lane_private_address(const void *memory) { return uint32_t(stackEnd() - static_cast<const char *>(memory)); }
}
