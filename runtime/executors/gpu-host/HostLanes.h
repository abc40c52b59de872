// Runs a GPU's wavefront on the host. Each lane is a fiber, so lanes can be in different places of a kernel at one
// time. They meet only at operations that lanes do together (Lanes.h).
//
// When no lane can go on by itself, some of the lanes form a group that acts together. All lanes of a group wait for
// the same purpose. The group has all lanes with this purpose, or a part of them that the seed chooses, because
// independent thread scheduling allows any part. So tests find kernels that depend on the partition of a wavefront's
// lanes.
//
// Thread-safety: none; one thread runs the lanes of one HostLanes at a time.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_HOSTLANES_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_HOSTLANES_H

#include "cilk2gpu/abi/Records.h"
#include "core/Generator.h"
#include "device/Lanes.h"
#include "process/Fiber.h"

namespace cilk2gpu::device {

class HostLanes {
public:
  /// `wave`: lanes of a wavefront, 1 to abi::kMaxWave. The same seed forms the same groups.
  HostLanes(uint32_t wave, uint64_t seed, uint64_t stackBytes);
  ~HostLanes();
  HostLanes(const HostLanes &) = delete;

  /// Runs all lanes of `wave` to their ends, one wavefront after the other. A restarted lane finds its site in the
  /// second column of the elements that it consumes.
  void run(abi::LaneFn body, abi::Wave *wave, bool restarts) { run(body, wave, restarts, 0, wave->lanes); }
  void run(abi::LaneFn body, abi::Wave *wave, bool restarts, uint64_t first, uint64_t count);

  // Functions that the running lane calls (Lanes.h).
  uint64_t join(Purpose purpose);
  uint32_t ownLane() const { return running; }
  uint64_t exchange(uint64_t lanes, uint64_t value, uint32_t from);
  uint64_t vote(uint64_t lanes, bool flag);

  /// Returns whether a fault at `address` means that the running lane's stack is full.
  bool isStackFull(const void *address) const { return lanes[running].fiber->isBelow(address); }

  /// Returns the number of groups that had only a part of the lanes that waited for one purpose.
  uint64_t partialGroups() const { return numPartial; }

private:
  enum class State { Done, Ready, Joining, Exchanging, Voting };

  struct Lane {
    rt::Fiber *fiber;
    HostLanes *owner;
    State state;
    uint64_t number; ///< in the dispatch
    Purpose purpose; ///< of a joining lane
    uint64_t group;  ///< the lanes that act together: join()'s result, exchange()'s argument
    uint64_t value;  ///< argument of an exchanging or voting lane
    uint32_t from;
  };

  void runWavefront(uint64_t first, uint32_t count);
  static void laneMain(void *lane);
  void enter(uint32_t lane);
  void waitAs(State state);
  bool completeGroups();
  bool complete(uint32_t lane);
  uint64_t meet(State state, uint64_t group, uint64_t value, uint32_t from);
  void formGroup();

  const uint32_t size;
  rt::Generator random;
  const uint64_t stackBytes;
  char *signalStack; ///< stack for signal handlers of the thread that runs lanes; null: handlers run on the lanes'
                     ///< stacks
  Lane lanes[abi::kMaxWave] = {};
  uint32_t running = 0; ///< the lane that runs
  uint32_t active = 0;  ///< lanes of this wavefront
  abi::LaneFn body = nullptr;
  abi::Wave *wave = nullptr;
  bool restarts = false;
  uint64_t numPartial = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_HOSTLANES_H
