// libunicorn, an emulator of riscv64 processors, which is loaded at run time. This file builds without its header, and
// programs that run no firmware do not need the library.
//
// Thread-safety: none; a single thread uses it.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_UNICORN_H
#define CILK2GPU_RUNTIME_FIRMWARE_UNICORN_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::rt::unicorn {

struct Engine;
using Hook = size_t;

// Constants of <unicorn/unicorn.h> 2.0. If the header is installed, a unit test compares them.
inline constexpr int kArchRiscv = 8, kModeRiscv64 = 8, kHookInterrupt = 1, kHookBlock = 8;
inline constexpr int kA0 = 11, kA1 = 12, kA2 = 13, kA7 = 18, kProgramCounter = 190;
/// Permissions of memory.
inline constexpr uint32_t kRead = 1, kReadWrite = 3, kReadExecute = 5;
/// Returns whether an exception is an ecall in user, supervisor or machine mode.
inline constexpr bool isEcall(uint32_t exception) { return exception == 8 || exception == 9 || exception == 11; }

/// The functions that are used from the library: name, result, parameters.
#define CILK2GPU_UNICORN_CALLS(CALL)                                                                                   \
  CALL(uc_version, unsigned, (unsigned *major, unsigned *minor))                                                       \
  CALL(uc_open, int, (int arch, int mode, Engine **engine))                                                            \
  CALL(uc_mem_map_ptr, int, (Engine * engine, uint64_t address, size_t bytes, uint32_t protection, void *memory))      \
  CALL(uc_mem_protect, int, (Engine * engine, uint64_t address, size_t bytes, uint32_t protection))                    \
  CALL(uc_hook_add, int,                                                                                               \
       (Engine * engine, Hook * hook, int type, void *callback, void *context, uint64_t first, uint64_t last, ...))    \
  CALL(uc_reg_read, int, (Engine * engine, int number, void *value))                                                   \
  CALL(uc_reg_write, int, (Engine * engine, int number, const void *value))                                            \
  CALL(uc_emu_start, int, (Engine * engine, uint64_t start, uint64_t until, uint64_t timeout, size_t count))           \
  CALL(uc_emu_stop, int, (Engine * engine))                                                                            \
  CALL(uc_strerror, const char *, (int error))

/// The library's functions. Ends the process with a message if they cannot be loaded. `path` names a library other than
/// the usual.
struct Library {
  explicit Library(const char *path);
#define CILK2GPU_UNICORN_FIELD(name, result, parameters) result(*name) parameters;
  CILK2GPU_UNICORN_CALLS(CILK2GPU_UNICORN_FIELD)
#undef CILK2GPU_UNICORN_FIELD
};

} // namespace cilk2gpu::rt::unicorn

#endif // CILK2GPU_RUNTIME_FIRMWARE_UNICORN_H
