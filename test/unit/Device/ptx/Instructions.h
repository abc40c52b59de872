// What PTX's instructions do.
#ifndef CILK2GPU_TEST_UNIT_DEVICE_PTX_INSTRUCTIONS_H
#define CILK2GPU_TEST_UNIT_DEVICE_PTX_INSTRUCTIONS_H

#include "Program.h"

namespace cilk2gpu::test::ptx {

struct Operation {
  Execute execute;
  Together together = nullptr;
};

/// The instruction of this name ("add.s32"), with so many operands between { and }, which it reads (`packs`) or writes;
/// one that ends the process with a message, if there is none.
Operation findInstruction(std::string_view name, size_t vectorOperands = 0, bool packs = false);

/// The special register of this name ("%tid.x"): what reads it into the first operand; null if it is not known.
Execute findSpecialRegister(std::string_view name);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_DEVICE_PTX_INSTRUCTIONS_H
