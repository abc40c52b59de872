# Files of the runtime that several programs are made of, as paths in runtime/: the runtime library, the aggregator's
# firmware, and the host's side of programs that --emit=hip writes.

# The scheduler core.
set(CILK2GPU_CORE_SOURCES
  core/Arena.cpp
  core/DeviceDispatch.cpp
  core/Elision.cpp
  core/ElisionTrials.cpp
  core/LaneEstimates.cpp
  core/MemoryBound.cpp
  core/Pacing.cpp
  core/PickElements.cpp
  core/Scheduler.cpp
  core/SchedulerState.cpp
  core/Stealing.cpp
  core/StepDispatch.cpp
  core/StepOrder.cpp
  core/TaskCounters.cpp
  core/TaskTable.cpp)

# The parts of the modelled GPU that its aggregator uses.
set(CILK2GPU_AGGREGATOR_SOURCES
  executors/model/BlockedWavefronts.cpp
  executors/model/ChildCounts.cpp
  executors/model/LevelChannel.cpp
  executors/model/LevelMoves.cpp
  executors/model/MachineContexts.cpp
  executors/model/ModelAggregator.cpp
  executors/model/ModelDispatch.cpp
  executors/model/ModelLevels.cpp
  executors/model/ModelReclaim.cpp
  executors/model/RestartChannel.cpp
  executors/model/Wavefront.cpp
  executors/model/WavefrontLaunch.cpp)

# Views of reducers.
set(CILK2GPU_REDUCER_SOURCES
  reducers/Activation.cpp
  reducers/SmallBlocks.cpp
  reducers/ViewTable.cpp)
