// See HostLanes.h.
#include "executors/gpu-host/HostLanes.h"

#include "core/Tunables.h"
#include "device/ChannelEnds.h"
#include "device/DeviceMachine.h"
#include "device/WaveFolds.h"
#include "process/Message.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cilk2gpu::device {

/// The object whose lanes the calling thread runs.
static thread_local HostLanes *current = nullptr;

/// References to the functions that kernels call, so that each object with kernels contains all of them. A program and
/// its shared libraries each contain these functions, and a call goes to the first object that has the function. If an
/// object lacked some, they would be called in another object and look for lanes there.
[[gnu::used]] static void (*const laneCalls[])() = {
    reinterpret_cast<void (*)()>(__cilk2gpu_device_talloc), // all functions of Channels.cpp
    reinterpret_cast<void (*)()>(__cilk2gpu_device_fold),   // all functions of WaveFolds.cpp
};

uint64_t activeLanes(Purpose purpose) { return current->join(purpose); }
uint32_t ownLane() { return current->ownLane(); }
uint64_t broadcast(uint64_t lanes, uint64_t value, uint32_t from) { return current->exchange(lanes, value, from); }
uint64_t shuffle(uint64_t lanes, uint64_t value, uint32_t from) { return current->exchange(lanes, value, from); }
uint64_t ballot(uint64_t lanes, bool flag) { return current->vote(lanes, flag); }
void pause() { sched_yield(); }

//===--------------------------------------------------------------------------------------------------------------===//
// Full stacks. Lanes on a GPU check their stacks (lib/Target/GPU/StackChecks.h); here the system reports a fault.
//===--------------------------------------------------------------------------------------------------------------===//

using rt::tunables::kSignalStack;

static void onFault(int, siginfo_t *info, void *) {
  if (current && current->isStackFull(info->si_addr))
    rt::fatal("out of memory: the stack of a lane is full: functions that tasks call recurse too deeply, or tasks that "
              "run as their serial elisions because memory for channels and frames is short; raise the stack's limit "
              "(ulimit -s), or CILK2GPU_MEM_CAP if it is set");
  signal(SIGSEGV, SIG_DFL); // the stack is not full: the fault happens again, and ends the process
}

/// Handles SIGSEGV, unless the program or a sanitizer has a handler.
static void watchStacks() {
  struct sigaction old;
  if (sigaction(SIGSEGV, nullptr, &old) != 0 || (old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL)
    return;
  struct sigaction ours = {};
  ours.sa_sigaction = onFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, nullptr);
}

namespace {

/// Gives the thread a stack for signals, if it has none.
class SignalStack {
public:
  explicit SignalStack(char *memory) {
    isOurs = memory && sigaltstack(nullptr, &old) == 0 && (old.ss_flags & SS_DISABLE);
    stack_t stack = {memory, 0, kSignalStack};
    if (isOurs)
      isOurs = sigaltstack(&stack, nullptr) == 0;
  }
  ~SignalStack() {
    if (isOurs)
      sigaltstack(&old, nullptr);
  }
  SignalStack(const SignalStack &) = delete;

private:
  stack_t old = {};
  bool isOurs;
};

} // namespace

//===--------------------------------------------------------------------------------------------------------------===//
// Lanes
//===--------------------------------------------------------------------------------------------------------------===//

HostLanes::HostLanes(uint32_t wave, uint64_t seed, uint64_t stackBytes)
    : size(wave), random(seed), stackBytes(stackBytes), signalStack(static_cast<char *>(malloc(kSignalStack))) {
  watchStacks();
}

HostLanes::~HostLanes() {
  for (Lane &lane : lanes)
    if (lane.fiber)
      lane.fiber->destroy();
  free(signalStack);
}

void HostLanes::laneMain(void *argument) {
  Lane &lane = *static_cast<Lane *>(argument);
  HostLanes &self = *lane.owner;
  uint32_t site = 0;
  if (self.restarts)
    site = static_cast<const uint32_t *>(self.wave->columns[1])[self.wave->first + lane.number];
  self.body(self.wave, lane.number, site);
}

/// Runs a lane until it ends or waits.
void HostLanes::enter(uint32_t number) {
  Lane &lane = lanes[number];
  running = number;
  bool isNew = lane.state == State::Done;
  lane.state = State::Ready;
  if (isNew ? lane.fiber->run(laneMain, &lane) : lane.fiber->resume())
    lane.state = State::Done;
}

/// Makes the running lane wait until other lanes have made it Ready.
void HostLanes::waitAs(State state) {
  lanes[running].state = state;
  lanes[running].fiber->suspend();
}

uint64_t HostLanes::join(Purpose purpose) {
  uint32_t self = running;
  lanes[self].purpose = purpose;
  waitAs(State::Joining);
  return lanes[self].group;
}

uint64_t HostLanes::meet(State state, uint64_t group, uint64_t value, uint32_t from) {
  uint32_t self = running;
  Lane &lane = lanes[self];
  lane.group = group;
  lane.value = value;
  lane.from = from;
  waitAs(state);
  return lanes[self].value;
}

uint64_t HostLanes::exchange(uint64_t group, uint64_t value, uint32_t from) {
  return group == uint64_t(1) << running ? value : meet(State::Exchanging, group, value, from);
}

uint64_t HostLanes::vote(uint64_t group, bool flag) {
  return group == uint64_t(1) << running ? uint64_t(flag) << running : meet(State::Voting, group, flag, 0);
}

/// Gives the lanes of a waiting lane's group their values, if all lanes of the group have come.
bool HostLanes::complete(uint32_t number) {
  State state = lanes[number].state;
  uint64_t group = lanes[number].group, votes = 0, values[abi::kMaxWave];
  for (uint64_t left = group; left; left &= left - 1) {
    const Lane &lane = lanes[firstLane(left)];
    if (lane.state != state || lane.group != group)
      return false;
    votes |= uint64_t(lane.value != 0) << firstLane(left);
    values[firstLane(left)] = lane.value;
  }
  for (uint64_t left = group; left; left &= left - 1) {
    Lane &lane = lanes[firstLane(left)];
    lane.value = state == State::Voting ? votes : values[lane.from];
    lane.state = State::Ready;
  }
  return true;
}

bool HostLanes::completeGroups() {
  bool any = false;
  for (uint32_t i = 0; i < active; ++i)
    if (lanes[i].state == State::Exchanging || lanes[i].state == State::Voting)
      any |= complete(i);
  return any;
}

/// Forms a group of the first joining lane and all joining lanes with the same purpose. One time in four, the group has
/// only a part of these lanes.
void HostLanes::formGroup() {
  uint64_t group = 0;
  Purpose purpose = {};
  for (uint32_t i = 0; i < active; ++i)
    if (lanes[i].state == State::Joining && (!group || lanes[i].purpose == purpose)) {
      purpose = lanes[i].purpose;
      group |= uint64_t(1) << i;
    }
  if (!group)
    rt::internalError("a wavefront's lanes wait for one another");
  uint64_t chosen = random.next();
  if (chosen % 4 == 0 && (random.next() & group) != 0) {
    uint64_t part = chosen >> 2 & group;
    numPartial += part != 0 && part != group;
    group = part ? part : group;
  }
  for (uint64_t left = group; left; left &= left - 1) {
    lanes[firstLane(left)].group = group;
    lanes[firstLane(left)].state = State::Ready;
  }
}

void HostLanes::runWavefront(uint64_t first, uint32_t count) {
  active = count;
  uint32_t begin = uint32_t(random.next() % count); // lanes have no order
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t number = (begin + i) % count;
    Lane &lane = lanes[number];
    lane.number = first + number;
    if (!lane.fiber) {
      lane.owner = this;
      lane.fiber = rt::Fiber::create(stackBytes);
      if (!lane.fiber)
        rt::fatal("out of memory: the stack of a lane could not be mapped");
    }
    enter(number);
  }
  for (;;) {
    bool anyReady = false, anyLeft = false;
    for (uint32_t i = 0; i < count; ++i) {
      if (lanes[i].state == State::Ready) {
        enter(i);
        anyReady = true;
      }
      anyLeft |= lanes[i].state != State::Done;
    }
    if (!anyLeft)
      return;
    if (!anyReady && !completeGroups())
      formGroup();
  }
}

void HostLanes::run(abi::LaneFn kernel, abi::Wave *dispatched, bool areRestarts, uint64_t begin, uint64_t count) {
  HostLanes *outer = current;
  SignalStack signals(signalStack);
  current = this;
  body = kernel;
  wave = dispatched;
  restarts = areRestarts;
  for (uint64_t done = 0; done < count; done += size)
    runWavefront(begin + done, count - done < size ? uint32_t(count - done) : size);
  current = outer;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Wavefronts that wait for a word. On a GPU they poll; here their threads sleep, because there may be more threads than
// CPUs.
//===--------------------------------------------------------------------------------------------------------------===//

/// Calls futex on the low 32 bits of a word, which change whenever the word changes. The caller reads the word again.
static long futex(const uint64_t *word, int operation, uint32_t value) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  return syscall(SYS_futex, word, operation, value, nullptr, nullptr, 0);
}

void Machine::wake(const uint64_t *word) { futex(word, FUTEX_WAKE_PRIVATE, INT_MAX); }

void Machine::rest(const uint64_t *word, uint64_t old) {
  for (int i = 0; i < rt::tunables::kWordLooks; ++i)
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != old) // as in Signal::awaitOtherThan()
      return;
  futex(word, FUTEX_WAIT_PRIVATE, uint32_t(old)); // returns at once if it is not `old`
}

} // namespace cilk2gpu::device
