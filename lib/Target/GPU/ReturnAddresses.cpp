// See ReturnAddresses.h.
#include "ReturnAddresses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Instructions of the shortest function that may exceed the reach of a branch: an instruction may take 128 bytes on
/// average, with copies of registers to memory. Longer code of an instruction is a call, such as that of memcpy.
static constexpr unsigned kLong = 1000;

void cilk2gpu::keepReturnAddresses(Module &program) {
  FunctionType *type = FunctionType::get(Type::getVoidTy(program.getContext()), /*isVarArg=*/false);
  InlineAsm *overwrite = InlineAsm::get(type, "", "~{s30},~{s31}", /*hasSideEffects=*/true);
  for (Function &function : program) {
    // Kernels do not return.
    if (function.isDeclaration() || function.getCallingConv() == CallingConv::AMDGPU_KERNEL ||
        function.getInstructionCount() < kLong)
      continue;
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<>(&entry, entry.getFirstNonPHIOrDbgOrAlloca()).CreateCall(overwrite);
  }
}
