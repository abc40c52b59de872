// The meaning of PTX's instructions.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_INSTRUCTIONS_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_INSTRUCTIONS_H

#include "Program.h"

namespace cilk2gpu::test::ptx {

struct Operation {
  Execute execute;
  Together together = nullptr;
};

/// Returns the instruction of this name ("add.s32") with `vectorOperands` operands between { and }, which it reads
/// (`packs`) or writes. An unknown name returns an instruction that ends the process with a message.
Operation findInstruction(std::string_view name, size_t vectorOperands = 0, bool packs = false);

/// Returns the function that reads the special register of this name ("%tid.x") into the first operand; null if it is
/// unknown.
Execute findSpecialRegister(std::string_view name);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_INSTRUCTIONS_H
