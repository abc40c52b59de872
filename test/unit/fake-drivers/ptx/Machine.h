// Runs PTX kernels: warps of 32 threads with independent thread scheduling (as since sm_70). Each thread takes its own
// path. Threads that wait at the same activemask are a group; a generator of random numbers may choose a part of them.
// An instruction that names a mask waits for all threads in it. Behaviour that the hardware leaves undefined ends the
// process with a message:
// - threads of one mask at different instructions;
// - accesses that are not aligned;
// - accesses to another address space than the instruction says, or beyond a thread's local memory or a block's shared
//   memory;
// - a thread that ends while others of its block wait at a barrier.
//
// Registers and local memory begin with a pattern.
//
// Memory is weak: a thread's writes become visible to others later. Writes to one address keep their order, others come
// in any order. All are visible before the thread's releases and fences, before barriers of its warp or its block, and
// before its kernel ends. A thread's reads keep their order.
//
// Each thread has local memory of its own, at addresses that are the same for all threads. Nobody else can read it.
// Likewise, each block has shared memory. Its contents are a pattern when the block begins.
//
// Thread-safety: a single kernel at a time. The host may touch the threads' memory, as with a real GPU.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_MACHINE_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_MACHINE_H

#include "Program.h"

namespace cilk2gpu::test::ptx {

inline constexpr uint32_t kWarp = 32;

struct LaunchShape {
  uint32_t blocks, threads;
  uint32_t resident;    ///< blocks that run beside one another
  uint64_t localBytes;  ///< bytes of each thread's local memory
  uint64_t sharedBytes; ///< bytes of each block's shared memory
  uint64_t seed;
  /// Gets each access of global memory; may be null.
  void (*access)(const void *memory, uint64_t bytes, bool writes);
};

enum class State { Runs, AsksForActive, Meets, MeetsBlock, Exited };

/// What the threads of a block have together.
struct Block {
  std::vector<unsigned char> shared;
  uint32_t waiting = 0; ///< threads at a barrier of the block
  uint32_t exited = 0;
};

struct Thread {
  // The running frame.
  uint64_t *registers;
  unsigned char *parameters;
  const Instruction *next;
  const Function *function;

  State state;
  const Instruction *waitsAt; ///< set while the thread asks for the active threads, or meets others
  uint32_t mask;              ///< the threads that it meets
  bool yields;                ///< does it let others run?
  bool carry;
  uint64_t stack; ///< address in local memory
  uint32_t block, number, lane;
  const LaunchShape *shape;
  unsigned char *local;
  Block *group;

  /// Writes of the thread that others do not see yet.
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
  size_t frame; ///< where the running frame begins in `frames`

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
  void end();
  /// Waits for all threads of the block. What they have written before, all of them see behind it.
  void awaitBlock();
  /// Returns the memory that an instruction accesses.
  unsigned char *localMemory(uint64_t address, uint64_t bytes) const;
  unsigned char *sharedMemory(uint64_t address, uint64_t bytes) const;
  unsigned char *globalMemory(uint64_t address, uint64_t bytes, bool writes) const;
  unsigned char *anyMemory(uint64_t address, uint64_t bytes, bool writes) const;

  /// Writes to memory that others may see.
  void write(unsigned char *memory, uint64_t value, uint32_t bytes);
  /// Makes all writes of the thread visible.
  void release();
  /// Makes them visible if memory is among them that is about to be read or updated.
  void releaseIfPending(const unsigned char *memory, uint64_t bytes);
  /// Makes one write visible that may be: from number `from` on, the first that overlaps no earlier write.
  void releaseOne(size_t from);
  bool isOwn(const unsigned char *memory) const {
    return memory - local >= 0 && uint64_t(memory - local) < shape->localBytes;
  }

  [[noreturn]] void fail(const char *what) const;

private:
  void enter(const Function &entered);
  void copyParameters();
};

/// Returns an instruction's operand as a value of the given type.
template <typename T> T in(const Thread &t, const Instruction &i, int operand) { return t.get<T>(i.operands[operand]); }

/// Returns the first generic address of local memory.
uint64_t windowStart();
bool isInWindow(uint64_t address);
/// The same for shared memory.
uint64_t sharedWindowStart();
bool isInSharedWindow(uint64_t address);

/// Runs a kernel, whose only parameter is a pointer, to its end. Returns the number of instructions executed.
uint64_t run(const Function &kernel, const LaunchShape &shape, const void *parameter);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_MACHINE_H
