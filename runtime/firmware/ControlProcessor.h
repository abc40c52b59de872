// A control processor: an emulated riscv64 core that runs the aggregator's firmware over the machine's own data, which
// it sees at the same addresses. What the aggregator decides, and when, is what the host would have decided; besides,
// every instruction is counted. What it works on is the modelled machine (ModelFirmware.h) or a device's scheduler
// (SchedulerFirmware.h).
//
//   ControlProcessor processor(file, library, environment);
//   processor.share(&model, sizeof model);       // what of the host's memory the aggregator uses
//   processor.boot(tasks);
//   processor.work(environment, abi::FirmwareWork::Aggregate, &model, nullptr, serve);
//   processor.find(task)                         // the firmware's TaskInfo of a task of the program: for its roots
//
// While the firmware runs, the functions in the environment are its own. What goes wrong ends the process with a
// message.
//
// Thread-safety: none; one host thread at a time.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_CONTROLPROCESSOR_H
#define CILK2GPU_RUNTIME_FIRMWARE_CONTROLPROCESSOR_H

#include "cilk2gpu/abi/Firmware.h"
#include "core/TaskTable.h"
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
  /// What the firmware asks for that stops the processor until the host has done it.
  struct Call {
    abi::FirmwareCall number;
    uint64_t arguments[3];
    uint64_t instructions; ///< since the call before it, or since the work was handed over
  };

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

  /// Has the firmware do its work on what belongs to `environment`. Until it is done, serve(call) does what it asks
  /// for, with the host's functions in the environment; false: that is not for who serves here. Returns the Wait that
  /// ends it.
  template <typename Serve>
  Call work(Environment &environment, abi::FirmwareWork kind, const void *first, const void *second, Serve serve) {
    give(kind, first, second);
    for (;;) {
      Call call = resume(environment);
      if (call.number == abi::FirmwareCall::Wait)
        return call;
      if (!serve(call))
        refuseCall();
    }
  }

  /// All but the first two are counted by who hands over work.
  FirmwareCounters &counters() { return instructions; }
  const FirmwareCounters &counters() const { return instructions; }

private:
  /// Instructions of a block of code that was translated as a whole, by its first address.
  struct Block {
    uint16_t bytes, instructions;
  };

  static void onBlock(unicorn::Engine *, uint64_t address, uint32_t bytes, void *processor);
  static void onInterrupt(unicorn::Engine *, uint32_t exception, void *processor);

  void check(int error, const char *call);
  void map(uint64_t first, uint64_t end, uint32_t protection);
  [[noreturn]] void faulted(const char *what);
  uint64_t get(int number);
  void set(int number, uint64_t value) { check(library.uc_reg_write(engine, number, &value), "uc_reg_write"); }
  void serve();
  [[noreturn]] void refuseCall();
  Call run();
  void give(abi::FirmwareWork kind, const void *first, const void *second);
  Call resume(Environment &environment);
  uint64_t countInstructions(uint64_t address, uint64_t bytes) const;

  TaskInfo *match(const TaskInfo &task) const;
  void bind(const TaskInfo &task);
  void checkTargets(const TaskInfo &task);

  const char *const file;
  unicorn::Library library;
  SharedMemory memory;
  unicorn::Engine *engine = nullptr;
  TaskInfo *tasks = nullptr;        ///< the firmware's; bound ones have the index of the program's
  const Environment *own = nullptr; ///< the firmware's functions
  Call asked = {};                  ///< by the firmware
  bool stopped = false;             ///< for `asked`
  char *image = nullptr;
  uint64_t imageBytes = 0;
  Block *blocks = nullptr;
  FirmwareCounters instructions;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_CONTROLPROCESSOR_H
