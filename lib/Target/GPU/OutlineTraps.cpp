// See OutlineTraps.h.
#include "OutlineTraps.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

void cilk2gpu::outlineTraps(Module &program) {
  Function *trap = program.getFunction(Intrinsic::getName(Intrinsic::trap));
  if (!trap || trap->use_empty())
    return;
  Function *outlined =
      Function::Create(trap->getFunctionType(), GlobalValue::InternalLinkage, "__cilk2gpu_device_trap", program);
  for (Attribute::AttrKind kind : {Attribute::Cold, Attribute::NoInline, Attribute::NoReturn, Attribute::NoUnwind})
    outlined->addFnAttr(kind);
  trap->replaceAllUsesWith(outlined);
  IRBuilder<> builder(BasicBlock::Create(program.getContext(), "", outlined));
  builder.CreateCall(trap);
  builder.CreateUnreachable();
}
