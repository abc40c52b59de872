// See Machine.h.
#include "Machine.h"
#include "Faults.h"
#include "Instructions.h"
#include "core/Generator.h"

#include <algorithm>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cilk2gpu::test::ptx {
namespace {

constexpr uint64_t kWindowBytes = uint64_t(1) << 30;
constexpr int kPattern = 0xa5; ///< pattern of memory that nobody has written

using rt::Generator;

bool oneIn(Generator &random, uint64_t n) { return !random.below(n); }

} // namespace

/// Returns addresses at which nobody can read memory.
static uint64_t makeWindow() {
  return uint64_t(reinterpret_cast<uintptr_t>(
      mmap(nullptr, kWindowBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)));
}
uint64_t windowStart() {
  static const uint64_t start = makeWindow();
  return start;
}
uint64_t sharedWindowStart() {
  static const uint64_t start = makeWindow();
  return start;
}
bool isInWindow(uint64_t address) { return address - windowStart() < kWindowBytes; }
bool isInSharedWindow(uint64_t address) { return address - sharedWindowStart() < kWindowBytes; }

//===-- Threads ---------------------------------------------------------------------------------------------------===//

void Thread::fail(const char *what) const {
  const Instruction *at = next - 1;
  fprintf(stderr, "fake GPU: %s (PTX line %u, in %s, thread %u of block %u)\n", what, at->line, function->name.c_str(),
          number, block);
  fflush(stderr);
  _exit(1);
}

unsigned char *Thread::localMemory(uint64_t address, uint64_t bytes) const {
  if (address > shape->localBytes || bytes > shape->localBytes - address)
    fail("an access of local memory is beyond it");
  if (address < stack)
    fail("an access of local memory is below the stack");
  return local + address;
}

unsigned char *Thread::sharedMemory(uint64_t address, uint64_t bytes) const {
  uint64_t size = group->shared.size();
  if (address > size || bytes > size - address)
    fail("an access of shared memory is beyond it");
  return group->shared.data() + address;
}

unsigned char *Thread::globalMemory(uint64_t address, uint64_t bytes, bool writes) const {
  if (isInWindow(address))
    fail("an access of global memory is to local memory");
  if (isInSharedWindow(address))
    fail("an access of global memory is to shared memory");
  auto *memory = reinterpret_cast<unsigned char *>(address);
  if (shape->access)
    shape->access(memory, bytes, writes);
  return memory;
}

unsigned char *Thread::anyMemory(uint64_t address, uint64_t bytes, bool writes) const {
  if (isInSharedWindow(address))
    return sharedMemory(address - sharedWindowStart(), bytes);
  return isInWindow(address) ? localMemory(address - windowStart(), bytes) : globalMemory(address, bytes, writes);
}

//===-- What others see -------------------------------------------------------------------------------------------===//

static bool overlap(const unsigned char *a, uint64_t aBytes, const unsigned char *b, uint64_t bBytes) {
  return a < b + bBytes && b < a + aBytes;
}

static void makeVisible(const Thread::Written &written) {
  switch (written.bytes) {
  case 1:
    return __atomic_store_n(written.memory, uint8_t(written.value), __ATOMIC_SEQ_CST);
  case 2:
    return __atomic_store_n(reinterpret_cast<uint16_t *>(written.memory), uint16_t(written.value), __ATOMIC_SEQ_CST);
  case 4:
    return __atomic_store_n(reinterpret_cast<uint32_t *>(written.memory), uint32_t(written.value), __ATOMIC_SEQ_CST);
  default:
    return __atomic_store_n(reinterpret_cast<uint64_t *>(written.memory), written.value, __ATOMIC_SEQ_CST);
  }
}

void Thread::write(unsigned char *memory, uint64_t value, uint32_t bytes) {
  constexpr size_t kMost = 16;
  if (pending.size() == kMost)
    release();
  pending.push_back({memory, bytes, value});
}

void Thread::release() {
  for (const Written &each : pending)
    makeVisible(each);
  pending.clear();
}

void Thread::releaseIfPending(const unsigned char *memory, uint64_t bytes) {
  for (const Written &each : pending)
    if (overlap(each.memory, each.bytes, memory, bytes))
      return release();
}

void Thread::releaseOne(size_t from) {
  for (size_t n = from; n < pending.size(); ++n) {
    const Written &chosen = pending[n];
    bool isFirst = std::none_of(pending.begin(), pending.begin() + ptrdiff_t(n), [&](const Written &earlier) {
      return overlap(earlier.memory, earlier.bytes, chosen.memory, chosen.bytes);
    });
    if (isFirst) {
      makeVisible(chosen);
      pending.erase(pending.begin() + ptrdiff_t(n));
      return;
    }
  }
}

//===-- Frames ----------------------------------------------------------------------------------------------------===//

static size_t slotsOf(const Function &function) { return function.numRegisters + function.constants.size(); }

/// Enters a function: its frame is behind the running frame, which belongs to the thread.
void Thread::enter(const Function &entered) {
  size_t slots = slotsOf(entered), words = slots + (entered.parameterBytes + 7) / 8;
  if (frames.size() < frame + words)
    frames.resize(2 * (frame + words));
  function = &entered;
  registers = frames.data() + frame;
  parameters = reinterpret_cast<unsigned char *>(registers + slots);
  memset(registers, kPattern, words * sizeof *registers);
  std::copy(entered.constants.begin(), entered.constants.end(), registers + entered.numRegisters);
  if (entered.localBytes > stack)
    fail("local memory is full");
  stack -= entered.localBytes;
  memset(local + stack, kPattern, entered.localBytes);
  for (const Function::Local &each : entered.locals)
    registers[each.slot] = stack + entered.localBytes - each.below;
  next = entered.body.data();
}

/// Copies the parameters whose address is taken.
void Thread::copyParameters() {
  for (const Function::Local &each : function->locals)
    if (each.parameter >= 0)
      memcpy(local + registers[each.slot], parameters + each.parameter, each.bytes);
}

void Thread::start(const Function &kernel, const void *parameter) {
  state = State::Runs;
  yields = carry = false;
  pending.clear();
  frame = 0;
  callers.clear();
  stack = shape->localBytes & ~uint64_t(15);
  enter(kernel);
  if (!kernel.parameters.empty())
    memcpy(parameters + kernel.parameters[0].offset, &parameter, sizeof parameter);
  copyParameters();
}

void Thread::call(const Function &callee, const Details &details) {
  if (!callee.isDefined)
    fail("a function that is not defined is called");
  auto agree = [](const std::vector<Parameter> &a, const std::vector<Parameter> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto &x, auto &y) { return x.bytes == y.bytes; });
  };
  if (!agree(details.arguments, callee.parameters) || !agree(details.results, callee.results))
    fail("a call and the function that it reaches have parameters of other sizes");
  constexpr size_t kDeepest = 1 << 20;
  if (callers.size() == kDeepest)
    fail("calls are a million deep");
  callers.push_back({function, next, frame, stack});
  size_t ofCaller = size_t(parameters - reinterpret_cast<unsigned char *>(frames.data()));
  frame += slotsOf(*function) + (function->parameterBytes + 7) / 8;
  enter(callee);
  auto *arguments = reinterpret_cast<unsigned char *>(frames.data()) + ofCaller;
  for (size_t i = 0; i < callee.parameters.size(); ++i)
    memcpy(parameters + callee.parameters[i].offset, arguments + details.arguments[i].offset,
           callee.parameters[i].bytes);
  copyParameters();
}

void Thread::end() {
  state = State::Exited;
  ++group->exited;
  if (group->waiting)
    fail("a thread ends while others of its block wait at a barrier");
}

void Thread::awaitBlock() {
  release();
  state = State::MeetsBlock;
  ++group->waiting;
  if (group->exited)
    fail("a thread waits at a barrier of its block, of which threads have ended");
}

/// Leaves a function. The results are in the caller's parameters, as its call says.
void Thread::leave() {
  if (callers.empty())
    return end();
  Caller caller = callers.back();
  callers.pop_back();
  const Function *left = function;
  unsigned char *results = parameters;
  frame = caller.frame;
  stack = caller.stack;
  function = caller.function;
  next = caller.next;
  registers = frames.data() + frame;
  parameters = reinterpret_cast<unsigned char *>(registers + slotsOf(*function));
  const std::vector<Parameter> &places = next[-1].details->results;
  for (size_t i = 0; i < places.size(); ++i)
    memcpy(parameters + places[i].offset, results + left->results[i].offset, places[i].bytes);
}

//===-- Warps -----------------------------------------------------------------------------------------------------===//

namespace {

class Warp {
public:
  void start(const Function &kernel, const LaunchShape &shape, const void *parameter, uint32_t block, uint32_t first,
             Block &group) {
    count = std::min(kWarp, shape.threads - first);
    isPolling = false;
    if (!memory)
      memory = static_cast<unsigned char *>(mmap(nullptr, kWarp * shape.localBytes, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    for (uint32_t lane = 0; lane < count; ++lane) {
      Thread &thread = threads[lane];
      thread.block = block;
      thread.number = first + lane;
      thread.lane = lane;
      thread.shape = &shape;
      thread.local = memory + lane * shape.localBytes;
      thread.group = &group;
      thread.start(kernel, parameter);
    }
    bytes = kWarp * shape.localBytes;
  }

  ~Warp() {
    if (memory)
      munmap(memory, bytes);
  }
  Warp() = default;
  Warp(const Warp &) = delete;

  /// Did the thread that ran last let others run? Threads that wait for memory to change do.
  bool isPolling = false;

  /// Lets one thread run for a while, or lets waiting threads go on. Returns whether any thread is left. Adds the
  /// executed instructions.
  bool step(Generator &random, uint64_t &executed) {
    uint32_t inState[5] = {};
    for (uint32_t lane = 0; lane < count; ++lane)
      ++inState[size_t(threads[lane].state)];
    showSome(random);
    if (inState[size_t(State::Exited)] == count)
      return std::any_of(threads, threads + count, [](const Thread &each) { return !each.pending.empty(); });
    uint32_t running = inState[size_t(State::Runs)], atBarrier = inState[size_t(State::MeetsBlock)];
    if (atBarrier + inState[size_t(State::Exited)] == count) {
      isPolling = true; // for other warps of the block
      return true;
    }
    // As in the hardware, others mostly join the threads that wait.
    constexpr size_t kJoined = 16;
    bool mayGoOn = running + atBarrier < count - inState[size_t(State::Exited)] && (!running || oneIn(random, kJoined));
    if (mayGoOn && (release(random) || !running))
      return true;
    runOne(random, executed);
    return true;
  }

  /// All threads of the block are at a barrier.
  void passBarrier() {
    for (uint32_t lane = 0; lane < count; ++lane)
      threads[lane].state = State::Runs;
    isPolling = false;
  }

private:
  Thread *pick(Generator &random, State state) {
    size_t start = random.below(count);
    for (uint32_t n = 0; n < count; ++n)
      if (Thread &thread = threads[(start + n) % count]; thread.state == state)
        return &thread;
    return nullptr;
  }

  /// Shows others a part of the writes of some thread, which may be a waiting thread.
  void showSome(Generator &random) {
    Thread &thread = threads[random.below(count)];
    for (size_t n = random.below(4); n && !thread.pending.empty(); --n)
      thread.releaseOne(random.below(thread.pending.size()));
  }

  void runOne(Generator &random, uint64_t &executed) {
    Thread &thread = *pick(random, State::Runs);
    thread.yields = false;
    uint64_t most = oneIn(random, 4) ? 1 + random.below(16) : 1 + random.below(1024), left = most;
    while (left && thread.state == State::Runs && !thread.yields) {
      const Instruction &next = *thread.next++;
      --left;
      if (next.guard < 0 || (thread.get<uint8_t>(next.guard) & 1) != next.isInverted)
        next.execute(thread, next);
    }
    executed += most - left;
    isPolling = thread.yields;
  }

  /// Lets threads go on that wait for nobody else. Returns false if there are none and others run.
  bool release(Generator &random) {
    Thread *asking = pick(random, State::AsksForActive);
    bool isFirst = asking && oneIn(random, 2);
    if (!isFirst && meet(random))
      return true;
    if (asking)
      releaseActive(*asking, random);
    else if (!pick(random, State::Runs))
      pick(random, State::Meets)->fail("threads wait for one another at different instructions");
    return asking;
  }

  /// Lets the threads at the same instruction go on; one time in four, only a part of them.
  void releaseActive(Thread &asking, Generator &random) {
    uint64_t chosen = oneIn(random, 4) ? random.next() : ~uint64_t(0);
    const Instruction *at = asking.waitsAt;
    std::vector<Thread *> group;
    for (uint32_t lane = 0; lane < count; ++lane)
      if (Thread &each = threads[lane];
          each.state == State::AsksForActive && each.waitsAt == at && (&each == &asking || (chosen >> lane & 1)))
        group.push_back(&each);
    goOn(*at, group);
  }

  /// Returns whether a mask has a thread. Nobody waits for threads that have ended.
  static bool isIn(uint32_t mask, const Thread &thread) {
    return (mask >> thread.lane & 1) && thread.state != State::Exited;
  }
  static bool isAtTheSame(const Thread &one, const Thread &other) {
    return other.state == State::Meets && other.waitsAt == one.waitsAt && other.mask == one.mask;
  }

  /// Lets threads go on whose mask is complete.
  bool meet(Generator &random) {
    size_t start = random.below(count);
    for (uint32_t n = 0; n < count; ++n) {
      Thread &thread = threads[(start + n) % count];
      if (thread.state != State::Meets)
        continue;
      bool isComplete = true;
      for (uint32_t lane = 0; lane < count && isComplete; ++lane)
        isComplete = !isIn(thread.mask, threads[lane]) || isAtTheSame(thread, threads[lane]);
      if (isComplete) {
        std::vector<Thread *> group;
        for (uint32_t lane = 0; lane < count; ++lane)
          if (isIn(thread.mask, threads[lane]))
            group.push_back(&threads[lane]);
        goOn(*thread.waitsAt, group);
        return true;
      }
    }
    return false;
  }

  static void goOn(const Instruction &instruction, const std::vector<Thread *> &group) {
    instruction.together(instruction, group);
    for (Thread *each : group)
      each->state = State::Runs;
  }

  Thread threads[kWarp];
  uint32_t count = 0;
  unsigned char *memory = nullptr;
  size_t bytes = 0;
};

} // namespace

static void failAtMemory(const void *kernel, const char *what) {
  fprintf(stderr, "fake GPU: %s (in %s)\n", what, static_cast<const char *>(kernel));
  fflush(stderr);
  _exit(1);
}

uint64_t run(const Function &kernel, const LaunchShape &shape, const void *parameter) {
  FaultsOfCode faults(failAtMemory, kernel.name.c_str());
  Generator random(shape.seed);
  uint64_t executed = 0;
  uint32_t perBlock = (shape.threads + kWarp - 1) / kWarp, places = std::min(shape.resident, shape.blocks), started = 0;
  std::vector<Warp> warps(size_t(places) * perBlock);
  std::vector<uint32_t> left(places, 0); // warps of the block at each place
  std::vector<Block> blocks(places);
  std::vector<size_t> active;
  auto startBlock = [&](uint32_t place) {
    blocks[place] = {
        .shared = std::vector<unsigned char>(shape.sharedBytes, uint8_t(kPattern)), .waiting = 0, .exited = 0};
    for (uint32_t w = 0; w < perBlock; ++w) {
      size_t index = size_t(place) * perBlock + w;
      warps[index].start(kernel, shape, parameter, started, w * kWarp, blocks[place]);
      active.push_back(index);
    }
    left[place] = perBlock;
    ++started;
  };
  auto passBarrier = [&](size_t place) {
    if (blocks[place].waiting < shape.threads)
      return;
    blocks[place].waiting = 0;
    for (uint32_t w = 0; w < perBlock; ++w)
      warps[place * perBlock + w].passBarrier();
  };
  for (uint32_t place = 0; place < places; ++place)
    startBlock(place);
  // Threads that poll seldom find something new. If no other threads run, other threads of this process have to act.
  constexpr size_t kPolls = 8;
  for (size_t polled = 0; !active.empty();) {
    size_t n = random.below(active.size()), index = active[n];
    if (warps[index].isPolling && ++polled % kPolls) {
      if (polled > kPolls * kPolls * active.size())
        sched_yield();
      continue;
    }
    bool isLeft = warps[index].step(random, executed);
    passBarrier(index / perBlock);
    if (!warps[index].isPolling)
      polled = 0;
    if (isLeft)
      continue;
    active[n] = active.back();
    active.pop_back();
    auto place = uint32_t(index / perBlock);
    if (!--left[place] && started < shape.blocks)
      startBlock(place);
  }
  return executed;
}

} // namespace cilk2gpu::test::ptx
