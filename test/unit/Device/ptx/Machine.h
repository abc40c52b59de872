// Runs PTX kernels: warps of 32 threads with independent thread scheduling (as since sm_70). Each thread goes its own
// way; those that wait at the same activemask are a group, or a part of them is, as a generator of random numbers has
// it, and whatever names a mask waits for all threads in it. What the hardware leaves undefined ends the process with a
// message: threads of one mask at different instructions, accesses that are not aligned, of another address space than
// the instruction says, or beyond a thread's local memory. Registers and local memory begin with a pattern.
//
// Memory is weak: what a thread writes becomes visible to others later, in any order, but for what it writes to one
// place, and at the latest before what it releases, at its fences, at barriers of its warp and before its kernel ends.
// What it reads is read in its order.
//
// Local memory is each thread's own behind addresses that are the same for all, which nobody else can read.
//
// Thread-safety: one kernel at a time; the host may touch what threads do, as a real one may.
#ifndef CILK2GPU_TEST_UNIT_DEVICE_PTX_MACHINE_H
#define CILK2GPU_TEST_UNIT_DEVICE_PTX_MACHINE_H

#include "Program.h"

namespace cilk2gpu::test::ptx {

inline constexpr uint32_t kWarp = 32;

struct LaunchShape {
  uint32_t blocks, threads;
  uint32_t resident;   ///< blocks that run beside one another
  uint64_t localBytes; ///< of each thread's local memory
  uint64_t seed;
  /// Null, or told of each access of global memory.
  void (*access)(const void *memory, uint64_t bytes, bool writes);
};

enum class State { Runs, AsksForActive, Meets, Exited };

struct Thread {
  // The frame that runs.
  uint64_t *registers;
  unsigned char *parameters;
  const Instruction *next;
  const Function *function;

  State state;
  const Instruction *waitsAt; ///< while it asks for the active threads, or meets others
  uint32_t mask;              ///< the threads that it meets
  bool yields;                ///< lets others run
  bool carry;
  uint64_t stack; ///< address in local memory
  uint32_t block, number, lane;
  const LaunchShape *shape;
  unsigned char *local;

  /// What it has written and others do not see yet.
  struct Written {
    unsigned char *memory;
    uint32_t bytes; ///< a power of two, at most 8
    uint64_t value;
  };
  std::vector<Written> pending;

  struct Caller {
    const Function *function;
    const Instruction *next;
    size_t frame;
    uint64_t stack;
  };
  std::vector<Caller> callers;
  std::vector<uint64_t> frames;
  size_t frame; ///< where the one that runs begins in `frames`

  template <typename T> T get(int32_t slot) const {
    T value;
    __builtin_memcpy(&value, registers + slot, sizeof value);
    return value;
  }
  template <typename T> void set(int32_t slot, T value) {
    registers[slot] = 0;
    __builtin_memcpy(registers + slot, &value, sizeof value);
  }

  void start(const Function &kernel, const void *parameter);
  void call(const Function &callee, const Details &details);
  void leave();
  /// Where the bytes are that an instruction accesses.
  unsigned char *localMemory(uint64_t address, uint64_t bytes) const;
  unsigned char *globalMemory(uint64_t address, uint64_t bytes, bool writes) const;
  unsigned char *anyMemory(uint64_t address, uint64_t bytes, bool writes) const;

  /// Writes to memory that others may see.
  void write(unsigned char *memory, uint64_t value, uint32_t bytes);
  /// Makes all that it has written visible; or if that is among it, before it is read or updated.
  void release();
  void releaseIfPending(const unsigned char *memory, uint64_t bytes);
  /// Makes one thing visible that may be: the first one from number `from` on that overlaps no earlier one.
  void releaseOne(size_t from);
  bool isOwn(const unsigned char *memory) const {
    return memory - local >= 0 && uint64_t(memory - local) < shape->localBytes;
  }

  [[noreturn]] void fail(const char *what) const;

private:
  void enter(const Function &entered);
  void copyParameters();
};

/// An instruction's operand, as the type that it says.
template <typename T> T in(const Thread &t, const Instruction &i, int operand) { return t.get<T>(i.operands[operand]); }

/// Generic addresses of local memory begin here.
uint64_t windowStart();
bool isInWindow(uint64_t address);

/// Runs a kernel, whose only parameter is a pointer, to its end. Returns how many instructions were executed.
uint64_t run(const Function &kernel, const LaunchShape &shape, const void *parameter);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_DEVICE_PTX_MACHINE_H
