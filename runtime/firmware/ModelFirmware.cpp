// See ModelFirmware.h.
#include "firmware/ModelFirmware.h"
#include "firmware/Shared.h"

namespace cilk2gpu::rt {

ModelFirmware::Done ModelFirmware::work(abi::FirmwareWork kind, Model &model, Wavefront *wavefront) {
  uint64_t instructions = 0;
  auto serve = [&](const ControlProcessor::Call &call) {
    if (call.number != abi::FirmwareCall::Start)
      return false;
    instructions += call.instructions;
    ControlAccess::start(model, *reinterpret_cast<Wavefront *>(call.arguments[0]),
                         *reinterpret_cast<Context *>(call.arguments[1]), call.arguments[2]);
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

bool ModelFirmware::aggregate(void *context, Model &model) {
  auto &self = *static_cast<ModelFirmware *>(context);
  const ModelCounters before = ControlAccess::counters(model), &after = ControlAccess::counters(model);
  Done done = self.work(abi::FirmwareWork::Aggregate, model, nullptr);
  uint64_t FirmwareCounters::*kind = &FirmwareCounters::firmware_idle;
  for (const auto &action : kActions)
    if (after.*action.actions != before.*action.actions)
      kind = action.instructions;
  self.processor.counters().*kind += done.instructions;
  return done.answer;
}

void ModelFirmware::retire(void *context, Model &model, Wavefront &wavefront) {
  auto &self = *static_cast<ModelFirmware *>(context);
  self.processor.counters().firmware_ends += self.work(abi::FirmwareWork::Retire, model, &wavefront).instructions;
}

} // namespace cilk2gpu::rt
