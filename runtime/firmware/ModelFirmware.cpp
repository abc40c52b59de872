// See ModelFirmware.h.
#include "firmware/ModelFirmware.h"
#include "firmware/Shared.h"

namespace cilk2gpu::rt {

/// Remembers the machine's data before the firmware can change them.
void ModelFirmware::remember(Model &model) {
  if (contexts)
    return;
  const Machine &machine = ControlAccess::machine(model);
  contexts = const_cast<Context *>(&machine.context(0));
  numContexts = machine.shape().contexts();
  wave = model.setup().limits.wave;
  body = &ControlAccess::body(model);
}

/// Returns the free context at an address that the firmware gave.
Context &ModelFirmware::checkedContext(uint64_t address) {
  uint64_t offset = address - reinterpret_cast<uint64_t>(contexts);
  if (offset % sizeof(Context) || offset / sizeof(Context) >= numContexts)
    processor.refuse("it started a wavefront in a context that does not exist");
  Context &context = contexts[offset / sizeof(Context)];
  if (context.index != offset / sizeof(Context) || context.wavefront)
    processor.refuse("it started a wavefront in a context that is not free");
  return context;
}

/// Checks the parts of a wavefront that the firmware has filled in and that the machine follows.
Wavefront &ModelFirmware::checkedWavefront(uint64_t address) {
  auto &w = *processor.guest<Wavefront>(address, 1, "a wavefront");
  const TaskInfo &task =
      processor.programTask(reinterpret_cast<uint64_t>(processor.guest(w.task, 1, "the state of a task")->task));
  if (w.kind > WaveKind::Restart || !w.wave.lanes || w.wave.lanes > wave || w.wave.kernel >= task.numEntries() ||
      w.body != body || w.numRanges > abi::kMaxWave || w.framesGranted > abi::kMaxWave)
    processor.refuse("it started a wavefront with wrong numbers");
  const KernelInfo &kernel = task.kernels[w.wave.kernel];
  if (!w.entry || (w.entry != kernel.run && w.entry != kernel.resume && w.entry != kernel.each))
    processor.refuse("it started a wavefront that runs no kernel of its task");
  uint64_t lanes = 0;
  for (uint32_t r = 0; r < w.numRanges; ++r) {
    if (w.ranges[r].range.count > wave)
      processor.refuse("it started a wavefront with wrong numbers");
    processor.guest(w.ranges[r].segment, 1, "a channel");
    lanes += w.ranges[r].range.count;
  }
  if (lanes > wave)
    processor.refuse("it started a wavefront with wrong numbers");
  checkArrays(w, task);
  FramePool &frames = processor.guest(w.task->active, 1, "the state of a task")->frames;
  if (task.frame)
    processor.guest(frames.store.free, frames.total, "free frames");
  processor.checkOptional(w.restartOf, 1, "the state of a task");
  processor.checkOptional(w.blockedOn, 1, "the state of a task");
  processor.checkOptional(w.producesInto, 1, "the state of a task");
  processor.checkOptional(w.node, 1, "a count of children");
  return w;
}

/// Checks the arrays of a wavefront, and that its wave and its cursors have the addresses of these arrays.
void ModelFirmware::checkArrays(Wavefront &w, const TaskInfo &task) {
  uint32_t numColumns = task.element.numFields < 2 ? 2 : task.element.numFields;
  void **columns = processor.guest(w.arrays.columns, numColumns, "columns");
  bool hasElements = w.kind == WaveKind::Fresh;
  for (uint32_t f = 0; f < (hasElements ? task.element.numFields : 2); ++f)
    processor.guest(static_cast<char *>(columns[f]),
                    uint64_t(hasElements ? task.element.fields[f].size
                             : f         ? sizeof(uint32_t)
                                         : sizeof(void *)) *
                        wave,
                    "a column");
  processor.guest(w.arrays.producers, task.numTargets, "channels");
  processor.guest(w.arrays.spawns, task.numTargets, "channels");
  processor.guest(w.arrays.syncCursors, task.numKernels, "channels");
  processor.guest(w.arrays.syncs, task.numKernels, "channels");
  processor.guest(w.arrays.syncColumns, task.numKernels, "columns");
  processor.guest(w.arrays.syncFrames, uint64_t(task.numKernels) * wave, "frames");
  bool isWhole = w.wave.columns == columns && w.wave.spawns == w.arrays.spawns && w.wave.syncs == w.arrays.syncs &&
                 w.wave.restarts == &w.restarts && w.restarts.columns == w.restartColumns &&
                 w.restartColumns[0] == w.frames && w.restartColumns[1] == w.sites && w.restarts.next == 0 &&
                 w.restarts.limit <= abi::kMaxWave && (!w.wave.frames || w.wave.frames == &w.store) &&
                 w.store.free == w.freeFrames && w.store.count <= abi::kMaxWave;
  for (uint32_t t = 0; t < task.numTargets; ++t)
    isWhole = isWhole && w.arrays.spawns[t] == &w.arrays.producers[t].cursor && !w.arrays.producers[t].cursor.limit;
  for (uint32_t k = 1; k < task.numKernels; ++k)
    isWhole = isWhole && w.arrays.syncs[k] == &w.arrays.syncCursors[k] && !w.arrays.syncCursors[k].next &&
              w.arrays.syncCursors[k].limit <= wave && w.arrays.syncCursors[k].columns == &w.arrays.syncColumns[k] &&
              w.arrays.syncColumns[k] == w.arrays.syncFrames + uint64_t(k) * wave;
  if (!isWhole)
    processor.refuse("it started a wavefront whose arrays are not its own");
}

ModelFirmware::Done ModelFirmware::work(abi::FirmwareWork kind, Model &model, Wavefront *wavefront) {
  remember(model);
  uint64_t instructions = 0;
  auto serve = [&](const ControlProcessor::Call &call) {
    if (call.number != abi::FirmwareCall::Start)
      return false;
    instructions += call.instructions;
    actionsWithoutStart = 0;
    Context &context = checkedContext(call.arguments[1]);
    ControlAccess::start(model, checkedWavefront(call.arguments[0]), context, call.arguments[2]);
    return true;
  };
  ControlProcessor::Call end = processor.work(environment, kind, &model, wavefront, serve);
  return {end.arguments[0], instructions + end.instructions};
}

/// Pairs of counters. An action of the aggregator increments the first counter of a pair; its instructions are added to
/// the second.
static constexpr struct {
  uint64_t ModelCounters::*actions;
  uint64_t FirmwareCounters::*instructions;
} kActions[] = {
    {&ModelCounters::aggregator_dispatches, &FirmwareCounters::firmware_dispatches},
    {&ModelCounters::aggregator_restarts, &FirmwareCounters::firmware_restarts},
    {&ModelCounters::aggregator_blocks, &FirmwareCounters::firmware_blocks},
    {&ModelCounters::aggregator_reclaims, &FirmwareCounters::firmware_reclaims},
    {&ModelCounters::aggregator_level_moves, &FirmwareCounters::firmware_level_moves},
};

/// Most actions of the aggregator in a row of which none starts a wavefront. It reclaims all channels and moves all
/// levels of a program in fewer. An image that takes more has an endless loop.
static constexpr uint64_t kMostActions = uint64_t(1) << 20;

bool ModelFirmware::aggregate(void *context, Model &model) {
  auto &self = *static_cast<ModelFirmware *>(context);
  const ModelCounters before = ControlAccess::counters(model), &after = ControlAccess::counters(model);
  Done done = self.work(abi::FirmwareWork::Aggregate, model, nullptr);
  uint64_t FirmwareCounters::*kind = &FirmwareCounters::firmware_idle;
  for (const auto &action : kActions)
    if (after.*action.actions != before.*action.actions)
      kind = action.instructions;
  self.processor.counters().*kind += done.instructions;
  if (done.answer && ++self.actionsWithoutStart > kMostActions)
    self.processor.refuse("it works without an end, and starts no wavefront");
  return done.answer;
}

void ModelFirmware::retire(void *context, Model &model, Wavefront &wavefront) {
  auto &self = *static_cast<ModelFirmware *>(context);
  self.processor.counters().firmware_ends += self.work(abi::FirmwareWork::Retire, model, &wavefront).instructions;
}

} // namespace cilk2gpu::rt
