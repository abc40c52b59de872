// PTX instructions that read and write memory.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_ACCESSES_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_ACCESSES_H

#include "Program.h"

namespace cilk2gpu::test::ptx {

/// Returns the function that executes a load or a store, of one register or several. `parts` are parts of the
/// instruction's name ("ld", "global", "b64"). Returns null for an unknown instruction.
Execute findAccess(const std::vector<std::string_view> &parts, bool isVector);

/// Does the same for atomic operations, with a result (atom) or without (red).
Execute findAtomic(const std::vector<std::string_view> &parts);

/// Calls `use` with a value of each of PTX's types of integers, and its name.
template <typename Use> void eachInteger(Use use) {
  use(uint8_t(), ".u8"), use(int8_t(), ".s8"), use(uint16_t(), ".u16"), use(int16_t(), ".s16"), use(uint32_t(), ".u32"),
      use(int32_t(), ".s32"), use(uint64_t(), ".u64"), use(int64_t(), ".s64");
}

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_ACCESSES_H
