// See PersistentKernel.h.
#include "PersistentKernel.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/abi/Image.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cilk2gpu;

// Functions of the device runtime.
static constexpr char kRunLanes[] = "__cilk2gpu_device_run", kPersist[] = "__cilk2gpu_device_persist";

static constexpr char kOwnAttr[] = "cilk2gpu-own", kRuntimeAttr[] = "cilk2gpu-runtime";

/// Returns the device form that a kernel's entry for fresh lanes runs, or null for other functions.
static Function *laneOf(Function &entry) {
  if (!entry.hasFnAttribute(kDeviceKernelAttr) || entry.isDeclaration())
    return nullptr;
  for (Instruction &inst : instructions(entry))
    if (auto *call = dyn_cast<CallBase>(&inst); call && calleeOf(*call) && calleeOf(*call)->getName() == kRunLanes &&
                                                cast<ConstantInt>(call->getArgOperand(2))->isZero())
      return cast<Function>(call->getArgOperand(1));
  return nullptr;
}

Function *cilk2gpu::addRuntimeFunction(Module &program, FunctionType *type, StringRef name) {
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, program);
  function->addFnAttr(kRuntimeAttr);
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  BasicBlock::Create(program.getContext(), "", function);
  return function;
}

void cilk2gpu::addRuntimeKernel(Module &program, StringRef name, StringRef body) {
  LLVMContext &context = program.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)}, false);
  FunctionCallee callee = program.getOrInsertFunction(body, type);
  Function *entry = addRuntimeFunction(program, type, name);
  entry->addFnAttr(kDeviceKernelAttr, entry->getName());
  IRBuilder<> builder(&entry->getEntryBlock());
  builder.CreateCall(callee, {entry->getArg(0)});
  builder.CreateRetVoid();
}

void cilk2gpu::addPersistentKernel(Module &program) {
  SmallVector<std::pair<StringRef, Function *>> kernels;
  for (Function &function : program)
    if (Function *lane = laneOf(function))
      kernels.emplace_back(function.getName(), lane);
  llvm::sort(kernels, [](auto &a, auto &b) { return a.first.compare_numeric(b.first) < 0; });
  SmallVector<Constant *> lanes;
  std::string names;
  for (auto &[name, lane] : kernels) {
    lanes.push_back(lane);
    names += name.str() + '\0';
  }
  addRuntimeKernel(program, abi::kPersistentKernel, kPersist);
  auto *type = ArrayType::get(PointerType::get(program.getContext(), 0), lanes.size());
  addConstant(program, ConstantArray::get(type, lanes), abi::kLaneTable);
  addConstant(program, ConstantDataArray::getString(program.getContext(), names, /*AddNull=*/false), abi::kLaneNames);
}

/// Number of blocks of 256 threads that a compute unit should hold. Without a limit, the scheduler's single lane would
/// take so many registers that only one or two blocks fit. The runtime has NVIDIA's driver limit the registers, because
/// a limit in PTX would hold for a kernel only, and not for the functions that it calls through pointers.
static constexpr char kBlocksAtOnce[] = "4";

void cilk2gpu::limitRegisters(Module &program, const DeviceTarget &target) {
  if (!target.isAMD())
    return;
  for (Function &function : program) {
    bool isPersistent = function.getName() == abi::kPersistentKernel;
    bool isOther = function.getCallingConv() != CallingConv::C; // a kernel with registers of its own
    if (function.isDeclaration() || (isOther && !isPersistent))
      continue;
    function.addFnAttr("amdgpu-flat-work-group-size", "1,256"); // a block's four wavefronts are on a SIMD unit each
    function.addFnAttr("amdgpu-waves-per-eu", kBlocksAtOnce);
  }
}

void cilk2gpu::markOwn(Module &runtime) {
  for (Function &function : runtime) {
    function.addFnAttr(kRuntimeAttr);
    if (function.hasLocalLinkage() || function.hasLinkOnceLinkage())
      function.addFnAttr(kOwnAttr);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && call->isIndirectCall())
        call->addFnAttr(Attribute::get(runtime.getContext(), kOwnAttr));
  }
  for (GlobalVariable &variable : runtime.globals())
    if (variable.hasLocalLinkage() || variable.hasLinkOnceLinkage())
      variable.addAttribute(kOwnAttr);
}

bool cilk2gpu::isOfRuntime(const Function &function) { return function.hasFnAttribute(kRuntimeAttr); }

bool cilk2gpu::isOwn(const GlobalValue &value) {
  if (auto *variable = dyn_cast<GlobalVariable>(&value))
    return variable->hasAttribute(kOwnAttr);
  auto *function = dyn_cast<Function>(&value);
  return function && function->hasFnAttribute(kOwnAttr);
}

bool cilk2gpu::isOwnCall(const CallBase &call) { return call.hasFnAttr(kOwnAttr); }
