// Interface of an aggregator's firmware and the machine that it runs on. The image is a position-independent riscv64
// ELF file for one program. It holds the scheduler core, for devices and for the modelled machine, and the program's
// graph descriptors (Records.h). Machine and firmware share one memory, in which everything has one address.
//
//   machine                                        firmware
//   checks the note, loads, starts at the entry -> relocates itself, enters the descriptors in a table of tasks
//   fills in the kernels' entries               <- Ready
//   hands over work                             -> Aggregate, Retire or Run, until the next
//   Allocate, Release, Fail, Start, Dispatch    <- in the middle of it
//   the next work, when there is some           <- Wait
//
// Calls are ecall instructions: the number is in a7, arguments are in a0 to a2, the result is in a0.
//
// Thread-safety: one processor, one thread; the machine stands still while the firmware runs.
#ifndef CILK2GPU_ABI_FIRMWARE_H
#define CILK2GPU_ABI_FIRMWARE_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::abi {

/// Version of the calls below and of the note.
inline constexpr uint32_t kFirmwareVersion = 2;

/// Address at which an image runs without relocation: the start of memory on many riscv64 machines.
inline constexpr uint64_t kFirmwareBase = 0x80000000;

enum class FirmwareCall : uint64_t {
  Ready = 0,    ///< (FirmwareReady *): the first Wait
  Wait = 1,     ///< (the work's result): FirmwareWork in a0, its arguments in a1 and a2
  Allocate = 2, ///< (bytes, alignment): address of the memory; 0 if none is left
  Release = 3,  ///< (address, bytes, alignment)
  Fail = 4,     ///< (Failure *): does not return
  Start = 5,    ///< (wavefront, context, time): a wavefront may start
  Dispatch = 6, ///< (task, restarts?, wave): the wave's lanes run to their ends
};

enum class FirmwareWork : uint64_t {
  Aggregate = 0, ///< (model): one action of the aggregator; returns whether it did anything
  Retire = 1,    ///< (model, wavefront): the wavefront is over
  Run = 2,       ///< (scheduler): runs its graph on a device until it is empty
};

/// Data that the firmware passes to the machine before its first work.
struct FirmwareReady {
  void *tasks;       ///< first TaskInfo of its table
  void *environment; ///< an Environment with the firmware's functions, also for a device
};

/// An ELF note: versions and layout that the image was made for.
struct FirmwareNote {
  uint32_t nameBytes, descriptionBytes, type;
  char name[12];
  uint32_t abiVersion;      ///< kAbiVersion
  uint32_t firmwareVersion; ///< kFirmwareVersion
  uint64_t layout;          ///< sum over the data that both sides use (firmware/Shared.h)
};
inline constexpr char kFirmwareNote[] = "cilk2gpu";
inline constexpr uint32_t kFirmwareNoteType = 1;

static_assert(sizeof(FirmwareReady) == 16 && sizeof(FirmwareNote) == 40 && offsetof(FirmwareNote, abiVersion) == 24);

} // namespace cilk2gpu::abi

#endif // CILK2GPU_ABI_FIRMWARE_H
