// A control processor: an emulated riscv64 core that runs the aggregator's firmware. It works on the machine's own
// data, at the same addresses. The aggregator makes the same decisions at the same times as on the host. In addition,
// every instruction is counted. The data belongs to the modelled machine (ModelFirmware.h) or to a device's scheduler
// (SchedulerFirmware.h).
//
//   ControlProcessor processor(file, library, environment);
//   processor.share(&model, sizeof model);       // the host's memory that the aggregator uses
//   processor.boot(tasks);
//   processor.work(environment, abi::FirmwareWork::Aggregate, &model, nullptr, serve);
//   processor.find(task)                         // the firmware's TaskInfo of a program's task, for its roots
//
// While the firmware runs, the environment has the firmware's functions. An error ends the process with a message.
//
// An image is not trusted. Each address that a call passes is checked before the host uses it (guest()). The firmware's
// descriptors of tasks are checked when it starts, and from then on the firmware cannot write to them. The host keeps a
// table of its own, with the addresses of these descriptors and the program's tasks. docs/model.md says what the checks
// do not cover.
//
// Thread-safety: none; a single host thread at a time.
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
  /// A call of the firmware that stops the processor until the host has done it.
  struct Call {
    abi::FirmwareCall number;
    uint64_t arguments[3];
    uint64_t instructions; ///< instructions since the last call, or since the work was handed over
  };

  /// Loads the image in `file`. `library` is libunicorn, or null for the usual library. From now on, `environment`
  /// allocates memory that both sides can access.
  ControlProcessor(const char *file, const char *library, Environment &environment);
  ControlProcessor(const ControlProcessor &) = delete;

  /// Maps the pages that hold the object.
  void share(const void *object, uint64_t bytes);
  /// Starts the firmware, and gives the tasks that it knows the program's kernels.
  void boot(const TaskTable &tasks);
  /// Returns the firmware's entry for the program's `task`.
  const TaskInfo *find(const TaskInfo *task);
  /// Returns the program's task for the firmware's entry at `address`.
  const TaskInfo &programTask(uint64_t address);

  /// Returns `count` objects at an address that the firmware gave. Ends the process with a message that names the
  /// objects if they are not in the memory of the processor.
  template <typename T> T *guest(uint64_t address, uint64_t count, const char *name) {
    uint64_t bytes;
    if (__builtin_mul_overflow(sizeof(T), count, &bytes) || !isInGuest(address, bytes, alignof(T)))
      badAddress(name);
    return reinterpret_cast<T *>(address);
  }
  template <typename T> T *guest(T *address, uint64_t count, const char *name) {
    return guest<T>(reinterpret_cast<uint64_t>(address), count, name);
  }
  /// Likewise, for an address that may be null.
  template <typename T> void checkOptional(T *address, uint64_t count, const char *name) {
    if (address)
      guest(address, count, name);
  }
  /// Ends the process: the firmware gave a wrong value.
  [[noreturn]] void refuse(const char *rule);

  /// Makes the firmware do its work on the data of `environment`. Until the work is done, serve(call) serves the
  /// firmware's calls, with the host's functions in the environment; it returns false for an unknown call. Returns the
  /// Wait that ends the work.
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

  /// The caller of work() counts all counters but the first two.
  FirmwareCounters &counters() { return instructions; }
  const FirmwareCounters &counters() const { return instructions; }

private:
  /// A task of the firmware.
  struct Task {
    TaskInfo *own;           ///< in the shared memory
    const TaskInfo *program; ///< null until it is bound
  };

  /// Instructions of a block of code that was translated as a whole. The array's index is the block's first address.
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

  bool isInGuest(uint64_t address, uint64_t bytes, uint64_t align) const;
  [[noreturn]] void badAddress(const char *name);
  void checkText(const char *text);
  void checkTask(const TaskInfo &task);
  void readTasks(TaskInfo *first);
  void protectDescriptors();
  const Task *taskAt(const TaskInfo *own) const;

  TaskInfo *match(const TaskInfo &task) const;
  void bind(const TaskInfo &task);
  void checkTargets(const TaskInfo &task);

  const char *const file;
  unicorn::Library library;
  SharedMemory memory;
  unicorn::Engine *engine = nullptr;
  Task *tasks = nullptr; ///< [numTasks], in the order of addresses; bound tasks have the index of the program's tasks
  uint64_t numTasks = 0;
  Environment own = {};                    ///< the firmware's functions
  uint64_t sharedBegin = 0, sharedEnd = 0; ///< pages of the object that the processor shares with the machine
  Call asked = {};                         ///< last call of the firmware
  uint64_t blocksRun = 0;                  ///< blocks of code since the last call
  bool stopped = false;                    ///< true if `asked` has stopped the processor
  char *image = nullptr;
  uint64_t imageBytes = 0;
  Block *blocks = nullptr;
  FirmwareCounters instructions;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_CONTROLPROCESSOR_H
