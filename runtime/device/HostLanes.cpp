// See HostLanes.h.
#include "device/HostLanes.h"

#include "device/Lanes.h"
#include "host/Message.h"

namespace cilk2gpu::device {

/// Whose lanes the calling thread runs.
static thread_local HostLanes *current = nullptr;

uint64_t activeLanes(const void *key) { return current->join(key); }
uint32_t ownLane() { return current->ownLane(); }
uint64_t broadcast(uint64_t lanes, uint64_t value, uint32_t from) { return current->exchange(lanes, value, from); }

HostLanes::~HostLanes() {
  for (Lane &lane : lanes)
    if (lane.fiber)
      lane.fiber->destroy();
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

/// The running lane waits until others have made it Ready.
void HostLanes::waitAs(State state) {
  lanes[running].state = state;
  lanes[running].fiber->suspend();
}

uint64_t HostLanes::join(const void *key) {
  uint32_t self = running;
  lanes[self].key = key;
  waitAs(State::Joining);
  return lanes[self].group;
}

uint64_t HostLanes::exchange(uint64_t group, uint64_t value, uint32_t from) {
  uint32_t self = running;
  lanes[self].group = group;
  lanes[self].value = value;
  lanes[self].from = from;
  if (group != uint64_t(1) << self)
    waitAs(State::Exchanging);
  return lanes[self].value;
}

/// Groups whose lanes have all come to their exchange get their value.
bool HostLanes::completeExchanges() {
  bool any = false;
  for (uint32_t i = 0; i < active; ++i) {
    if (lanes[i].state != State::Exchanging)
      continue;
    uint64_t group = lanes[i].group, arrived = 0;
    for (uint64_t left = group; left; left &= left - 1) {
      uint32_t lane = firstLane(left);
      if (lanes[lane].state == State::Exchanging && lanes[lane].group == group)
        arrived |= uint64_t(1) << lane;
    }
    if (arrived != group)
      continue;
    uint64_t value = lanes[lanes[i].from].value;
    for (uint64_t left = group; left; left &= left - 1) {
      lanes[firstLane(left)].value = value;
      lanes[firstLane(left)].state = State::Ready;
    }
    any = true;
  }
  return any;
}

/// The first joining lane's companions: all that want the same or, one time in four, some of them.
void HostLanes::formGroup() {
  uint64_t group = 0;
  const void *key = nullptr;
  for (uint32_t i = 0; i < active; ++i)
    if (lanes[i].state == State::Joining && (!group || lanes[i].key == key)) {
      key = lanes[i].key;
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
  uint32_t begin = uint32_t(random.next() % count); // no order among lanes is promised
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
    if (!anyReady && !completeExchanges())
      formGroup();
  }
}

void HostLanes::run(abi::LaneFn kernel, abi::Wave *dispatched, bool areRestarts) {
  HostLanes *outer = current;
  current = this;
  body = kernel;
  wave = dispatched;
  restarts = areRestarts;
  for (uint64_t first = 0; first < dispatched->lanes; first += size) {
    uint64_t left = dispatched->lanes - first;
    runWavefront(first, left < size ? uint32_t(left) : size);
  }
  current = outer;
}

} // namespace cilk2gpu::device
