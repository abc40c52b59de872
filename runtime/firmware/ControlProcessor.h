// The modelled machine's control processor: an emulated riscv64 core that runs the aggregator's firmware over the
// machine's own data, which it sees at the same addresses. What the aggregator decides, and when, is what the host
// would have decided; besides, every instruction is counted.
//
//   ControlProcessor processor(file, library, environment);
//   processor.share(&model, sizeof model);       // what of the host's memory the aggregator uses
//   processor.boot(tasks);
//   settings.control = &processor.hooks();
//   model.root(processor.find(task)) ...         // the firmware's TaskInfo of a task of the program
//
// While the firmware runs, the functions in `environment` are its own. What goes wrong ends the process with a message.
//
// Thread-safety: none; one host thread.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_CONTROLPROCESSOR_H
#define CILK2GPU_RUNTIME_FIRMWARE_CONTROLPROCESSOR_H

#include "abi/Firmware.h"
#include "emulator/Model.h"
#include "firmware/ImageFile.h"
#include "firmware/SharedMemory.h"
#include "firmware/Unicorn.h"

namespace cilk2gpu::rt {

struct FirmwareCounters {
#define CILK2GPU_FIRMWARE_COUNTER(name, description) uint64_t name = 0;
#include "firmware/FirmwareCounters.def"
#undef CILK2GPU_FIRMWARE_COUNTER
};

class ControlProcessor {
public:
  /// Loads the image in `file`; `library`: libunicorn, or null for the usual one. From now on, `environment` allocates
  /// memory that both sides see.
  ControlProcessor(const char *file, const char *library, Environment &environment);
  ControlProcessor(const ControlProcessor &) = delete;

  /// Shows the pages that hold the object.
  void share(const void *object, uint64_t bytes);
  /// Lets the firmware start and gives the tasks that it knows the program's kernels.
  void boot(const TaskTable &tasks);
  /// What the firmware knows as the program's `task`.
  const TaskInfo *find(const TaskInfo *task);

  const ControlHooks &hooks() const { return ownHooks; }
  const FirmwareCounters &counters() const { return instructions; }

private:
  /// Instructions of a block of code that was translated as a whole, by its first address.
  struct Block {
    uint16_t bytes, instructions;
  };

  static void onBlock(unicorn::Engine *, uint64_t address, uint32_t bytes, void *processor);
  static void onInterrupt(unicorn::Engine *, uint32_t exception, void *processor);
  static bool aggregate(void *processor, Model &model);
  static void retire(void *processor, Model &model, Wavefront &wavefront);

  void check(int error, const char *call);
  void map(uint64_t first, uint64_t end, uint32_t protection);
  [[noreturn]] void faulted(const char *what);
  uint64_t get(int number);
  void set(int number, uint64_t value) { check(library.uc_reg_write(engine, number, &value), "uc_reg_write"); }
  void serve();
  void ready(const abi::FirmwareReady &state);
  void run();
  uint64_t give(abi::FirmwareWork work, Model &model, Wavefront *wavefront);
  uint64_t countInstructions(uint64_t address, uint64_t bytes) const;

  TaskInfo *match(const TaskInfo &task) const;
  void bind(const TaskInfo &task);
  void checkTargets(const TaskInfo &task);

  const char *const file;
  unicorn::Library library;
  Environment &environment;
  SharedMemory memory;
  unicorn::Engine *engine = nullptr;
  ControlHooks ownHooks = {this, aggregate, retire};
  TaskInfo *tasks = nullptr; ///< the firmware's; bound ones have the index of the program's
  Environment own = {};      ///< the firmware's functions
  bool waits = false;
  uint64_t answer = 0; ///< of the last Wait
  char *image = nullptr;
  uint64_t imageBytes = 0;
  Block *blocks = nullptr;
  uint64_t executed = 0;
  FirmwareCounters instructions;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_CONTROLPROCESSOR_H
