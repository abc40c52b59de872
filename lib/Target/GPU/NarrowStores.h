// Stores of PTX that are narrower than the register that they take.
//
// PTX says that such a store writes the low bits of the register. NVIDIA's assembler does something else if a
// floating-point instruction has written the register: it converts the number to an integer, and stores that. (Seen
// with ptxas 13.0 and with the driver 580.159. "add.rn.f32 %r3, ..." and "st.global.b8 [%rd1], %r3" make F2IP.U8.F32.)
// LLVM has registers without types, and stores a number at an address that is not aligned in this way, byte by byte.
// So each narrow store gets an instruction in front of it that computes the low bits as an integer. The assembler
// drops this instruction again where the register holds an integer.
#ifndef CILK2GPU_LIB_TARGET_GPU_NARROWSTORES_H
#define CILK2GPU_LIB_TARGET_GPU_NARROWSTORES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cilk2gpu {

/// Returns the text of a module in PTX, as LLVM writes it, with narrow stores that store bits.
std::string mendNarrowStores(llvm::StringRef ptx);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_NARROWSTORES_H
