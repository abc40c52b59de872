// A workgroup on the host (CILK2GPU_DEVICE=gpu-host): a thread of the host, on which each thread of a block is a fiber.
// It runs the code of a GPU's workgroups (device/BlockJob.h). The fibers run in any order up to their next barrier; the
// seed decides in which.
//
// Thread-safety: a group belongs to the thread that made it; several groups share a job.
#ifndef CILK2GPU_RUNTIME_BLOCKS_GPU_HOSTGROUP_H
#define CILK2GPU_RUNTIME_BLOCKS_GPU_HOSTGROUP_H

#include "blocks/BlockObserver.h"
#include "core/Generator.h"
#include "device/BlockJob.h"
#include "process/Fiber.h"

#include <optional>

namespace cilk2gpu::rt {

class HostGroup {
public:
  HostGroup(device::BlockJob &job, const BlockLaunch &launch, uint32_t number, uint64_t seed)
      : job(job), names(launch.graph.names), observer(launch.observer), own(number), random(seed + number) {}
  HostGroup(const HostGroup &) = delete;

  /// Runs blocks until there are none left.
  void work();

private:
  enum class Stage : uint8_t {
    Runs,
    Meets, ///< at the begin or the end of its block
    Syncs, ///< in the kernel
    Ended,
  };

  struct Lane {
    HostGroup *group;
    Fiber *fiber;
    uint32_t thread;
    Stage stage;

    // What device/BlockJob.h needs.
    bool isLeader() const { return !thread; }
    uint64_t number() const { return group->own; }
    void post(uint64_t block) { group->block = block; }
    uint64_t posted() const { return group->block; }
    void meet();
    bool knows(const device::BlockJob &) const { return true; }
    void run(const device::BlockJob &job) const;

    abi::BlockPlace ownPlace(const device::BlockJob &job) const;
  };

  static void laneMain(void *lane);
  void wait(Stage stage);
  void observe();
  void createFibers();
  void enter(Lane &lane);
  void checkTogether() const;

  device::BlockJob &job;
  const BlockNames &names;
  BlockObserver *const observer; ///< null: nobody watches
  const uint32_t own;
  Generator random;
  uint64_t block = device::kNoBlock;
  Lane *lanes = nullptr;               ///< [job.threads]
  Lane *lane = nullptr;                ///< that runs
  std::optional<RunningBlock> running; ///< for the observer
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_GPU_HOSTGROUP_H
