// The modelled machine's aggregator as firmware: the model's hooks hand its work over to a control processor.
//
//   ModelFirmware firmware(processor, environment);
//   settings.control = &firmware.hooks();
//   Model model(environment, settings);
//
// Thread-safety: none; a single host thread.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_MODELFIRMWARE_H
#define CILK2GPU_RUNTIME_FIRMWARE_MODELFIRMWARE_H

#include "executors/model/Model.h"
#include "firmware/ControlProcessor.h"

namespace cilk2gpu::rt {

class ModelFirmware {
public:
  /// `environment`: the environment of the model.
  ModelFirmware(ControlProcessor &processor, Environment &environment)
      : processor(processor), environment(environment) {}
  ModelFirmware(const ModelFirmware &) = delete;

  const ControlHooks &hooks() const { return own; }

private:
  struct Done {
    uint64_t answer, instructions;
  };

  static bool aggregate(void *firmware, Model &model);
  static void retire(void *firmware, Model &model, Wavefront &wavefront);
  Done work(abi::FirmwareWork kind, Model &model, Wavefront *wavefront);
  void remember(Model &model);
  Context &checkedContext(uint64_t address);
  Wavefront &checkedWavefront(uint64_t address);
  void checkArrays(Wavefront &wavefront, const TaskInfo &task);

  ControlProcessor &processor;
  Environment &environment;
  ControlHooks own = {this, aggregate, retire};
  uint64_t actionsWithoutStart = 0; ///< of the aggregator, since it started a wavefront
  // The machine's data as they were before the firmware worked for the first time.
  Context *contexts = nullptr;
  uint32_t numContexts = 0, wave = 0;
  const WavefrontBody *body = nullptr;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_MODELFIRMWARE_H
