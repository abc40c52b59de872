// See GraphKernel.h.
#include "GraphKernel.h"
#include "FunctionTable.h"
#include "PersistentKernel.h"

#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/abi/GraphLanes.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace cilk2gpu;

/// Function of the device runtime.
static constexpr char kGraphBody[] = "__cilk2gpu_device_graph";

/// Name of the function that says whether the image has a version of a function of the host's.
static constexpr char kKnows[] = "__cilk2gpu_knows";

// void __cilk2gpu_graph_call(invoke, kernel, id, offset) { invoke(kernel, id, offset) }
static void addCall(Module &program) {
  LLVMContext &context = program.getContext();
  Type *none = Type::getVoidTy(context), *pointer = PointerType::get(context, 0), *number = Type::getInt32Ty(context);
  Function *call =
      addRuntimeFunction(program, FunctionType::get(none, {pointer, pointer, number, number}, false), kGraphCall);
  IRBuilder<> builder(&call->getEntryBlock());
  builder.CreateCall(FunctionType::get(none, {pointer, number, number}, false), call->getArg(0),
                     {call->getArg(1), call->getArg(2), call->getArg(3)});
  builder.CreateRetVoid();
}

// int32 __cilk2gpu_knows(address) { return __cilk2gpu_device_find(address, null, 0) != null }
// The table takes the place of the null pointer.
void cilk2gpu::addQuestion(Module &program) {
  if (program.getFunction(kKnows))
    return;
  LLVMContext &context = program.getContext();
  Type *pointer = PointerType::get(context, 0), *number = Type::getInt32Ty(context);
  FunctionCallee find = program.getOrInsertFunction(kFindFunction, pointer, pointer, pointer, number);
  Function *knows = addRuntimeFunction(program, FunctionType::get(number, {pointer}, false), kKnows);
  IRBuilder<> builder(&knows->getEntryBlock());
  Value *found = builder.CreateCall(
      find, {knows->getArg(0), ConstantPointerNull::get(cast<PointerType>(pointer)), builder.getInt32(0)});
  builder.CreateRet(builder.CreateZExt(builder.CreateIsNotNull(found), number));
}

void cilk2gpu::addGraphKernel(Module &program) {
  if (!hasGraphs(program))
    return;
  addCall(program);
  addQuestion(program);
  addRuntimeKernel(program, abi::kGraphKernel, kGraphBody);
}
