// See HostGroup.h.
#include "blocks/gpu/HostGroup.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockWorkers.h"
#include "blocks/gpu/BlockJobs.h"
#include "blocks/gpu/GpuBlocks.h"
#include "process/Message.h"
#include "process/Settings.h"

#include <stdlib.h>
#include <string.h>
#include <utility>

namespace cilk2gpu::rt {

using device::BlockForm;
using device::BlockJob;

/// Sets the coordinates of a number, x fastest.
static void setIndex(uint32_t (&index)[3], uint32_t number, const uint32_t (&extents)[3]) {
  index[0] = number % extents[0];
  index[1] = number / extents[0] % extents[1];
  index[2] = number / extents[0] / extents[1];
}

abi::BlockPlace HostGroup::Lane::ownPlace(const BlockJob &job) const {
  abi::BlockPlace place = {};
  setIndex(place.block, uint32_t(group->block), job.grid);
  setIndex(place.thread, thread, job.block);
  memcpy(place.grid, job.grid, sizeof place.grid);
  memcpy(place.threads, job.block, sizeof place.threads);
  return place;
}

void HostGroup::Lane::run(const BlockJob &job) const {
  void *function = const_cast<void *>(job.function);
  switch (job.form) {
  case BlockForm::Threads:
    return reinterpret_cast<void (*)(void *, uint32_t, uint32_t)>(function)(job.context, uint32_t(group->block),
                                                                            thread);
  case BlockForm::Placed: {
    const abi::BlockPlace place = ownPlace(job);
    return reinterpret_cast<abi::BlockFn>(function)(&place, job.context);
  }
  case BlockForm::Node:
    return reinterpret_cast<void (*)(uint64_t, void *)>(function)(group->block, job.context);
  case BlockForm::Whole:
    return reinterpret_cast<void (*)(void *, uint64_t)>(function)(job.context, group->block);
  }
}

void HostGroup::laneMain(void *argument) {
  Lane &lane = *static_cast<Lane *>(argument);
  device::runGroup(lane.group->job, lane);
  lane.stage = Stage::Ended;
}

void HostGroup::wait(Stage stage) {
  lane->stage = stage;
  lane->fiber->suspend();
}

/// Threads meet twice for each block: before it begins, and when it has ended.
void HostGroup::Lane::meet() {
  group->wait(Stage::Meets);
  if (isLeader() && group->observer)
    group->observe();
}

/// A whole block of BlockForm::Whole tells the observer itself.
void HostGroup::observe() {
  if (running)
    running.reset();
  else if (block != device::kNoBlock && job.form != BlockForm::Whole)
    running.emplace(*observer, block);
}

void HostGroup::createFibers() {
  lanes = static_cast<Lane *>(calloc(job.threads, sizeof(Lane)));
  if (!lanes)
    fatal("out of memory: a list of %u threads of a block could not be allocated", job.threads);
  for (uint32_t thread = 0; thread < job.threads; ++thread) {
    Fiber *fiber = Fiber::create(tunables::kBlockThreadStack);
    if (!fiber)
      fatal("out of memory: the stack of thread %u of a block could not be mapped; launch blocks of fewer threads, or "
            "use fewer workers (see CILK2GPU_WORKERS)",
            thread);
    lanes[thread] = {.group = this, .fiber = fiber, .thread = thread, .stage = Stage::Runs};
  }
}

/// Lets a lane run up to its next barrier, or its end.
void HostGroup::enter(Lane &entered) {
  lane = &entered;
  if (std::exchange(entered.stage, Stage::Runs) == Stage::Runs)
    entered.fiber->run(laneMain, &entered);
  else
    entered.fiber->resume();
}

/// All lanes wait, or have ended: checks that they are at barriers of one kind.
void HostGroup::checkTogether() const {
  for (uint32_t thread = 1; thread < job.threads; ++thread)
    if (lanes[thread].stage != lanes[0].stage) {
      bool isFirst = lanes[0].stage == Stage::Syncs;
      fatal("all threads of a block call SyncThreads, or none; in %s, thread %u waits and thread %u has ended without "
            "that call; let a condition around the call have the same value in all %u threads of the block",
            names.of(block).text, isFirst ? 0 : lanes[thread].thread, isFirst ? lanes[thread].thread : 0, job.threads);
    }
}

void HostGroup::work() {
  createFibers();
  BarrierScope barrier([](void *group) { static_cast<HostGroup *>(group)->wait(Stage::Syncs); }, this);
  while (lanes[0].stage != Stage::Ended) {
    // Which lane is first, and in which direction the others follow: any order that barriers allow is right.
    uint32_t first = uint32_t(random.below(job.threads)), step = random.below(2) ? 1 : job.threads - 1;
    for (uint32_t i = 0; i < job.threads; ++i)
      enter(lanes[(first + uint64_t(i) * step) % job.threads]);
    checkTogether();
  }
  for (uint32_t thread = 0; thread < job.threads; ++thread)
    lanes[thread].fiber->destroy();
  free(lanes);
}

void runBlocksOnGpuHost(BlockRun &run) {
  BlockJobs jobs(run, run.workers);
  auto work = [](void *context, uint32_t number) {
    BlockJobs &jobs = *static_cast<BlockJobs *>(context);
    HostGroup(jobs.job, jobs.run.launch, number, settings().seed).work();
  };
  for (uint64_t launch = 0; launch < jobs.numLaunches(); ++launch)
    blockWorkers().run(work, &jobs, jobs.prepare(launch));
  jobs.finish();
}

} // namespace cilk2gpu::rt
