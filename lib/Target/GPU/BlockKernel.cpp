// See BlockKernel.h.
#include "BlockKernel.h"
#include "GraphKernel.h"
#include "PersistentKernel.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/SharedBytes.h"
#include "cilk2gpu/Target/GPU/DeviceImage.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/abi/BlockImage.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace cilk2gpu;

/// Name of the kernel's body, in the device runtime.
static constexpr char kBlocksBody[] = "__cilk2gpu_device_blocks";

/// The array of a workgroup's memory.
static constexpr char kSharedArray[] = "__cilk2gpu_block_shared";

/// Address space of a workgroup's memory, on both vendors' GPUs.
static constexpr unsigned kGroupSpace = 3;

//===-- Uses of variables -----------------------------------------------------------------------------------------===//

/// Calls replace(instruction) for each instruction that uses the address of a thread-local variable, and puts the
/// pointer that it returns there.
static void replaceAddresses(GlobalVariable &variable, function_ref<Value *(Instruction &)> replace) {
  convertUsersOfConstantsToInstructions({&variable});
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    Value *address = replace(*user);
    auto *call = dyn_cast<IntrinsicInst>(user);
    if (!call || call->getIntrinsicID() != Intrinsic::threadlocal_address) {
      use.set(address);
      continue;
    }
    call->replaceAllUsesWith(address);
    call->eraseFromParent();
  }
}

//===-- Index variables -------------------------------------------------------------------------------------------===//

/// Returns the runtime's function with the value of an index variable along one dimension.
static StringRef getterOf(StringRef variable) {
  return StringSwitch<StringRef>(variable)
      .Case("blockIdx", "__cilk2gpu_block_index")
      .Case("threadIdx", "__cilk2gpu_thread_index")
      .Case("blockDim", "__cilk2gpu_block_extent")
      .Case("gridDim", "__cilk2gpu_grid_extent")
      .Default("");
}

/// Makes a function's copy of an index variable at its beginning.
static Value *createCopy(GlobalVariable &variable, Function &function) {
  Module &program = *function.getParent();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type *number = builder.getInt32Ty(), *numbers = ArrayType::get(number, 3);
  AllocaInst *copy = builder.CreateAlloca(numbers, program.getDataLayout().getAllocaAddrSpace());
  FunctionCallee get = program.getOrInsertFunction(getterOf(variable.getName()), number, number);
  for (unsigned d = 0; d < 3; ++d)
    builder.CreateStore(builder.CreateCall(get, {builder.getInt32(d)}),
                        builder.CreateConstGEP2_32(numbers, copy, 0, d));
  return builder.CreateAddrSpaceCast(copy, builder.getPtrTy());
}

static void placeIndices(Module &program) {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : program.globals())
    if (variable.hasAttribute(kBlockIndexAttr) && !getterOf(variable.getName()).empty())
      variables.push_back(&variable);
  for (GlobalVariable *variable : variables) {
    DenseMap<Function *, Value *> copies;
    replaceAddresses(*variable, [&](Instruction &user) {
      Value *&copy = copies[user.getFunction()];
      return copy ? copy : copy = createCopy(*variable, *user.getFunction());
    });
  }
}

//===-- Shared variables ------------------------------------------------------------------------------------------===//

namespace {

/// Finds places for shared variables. Variables that the same function reaches lie side by side.
class SharedLayout {
public:
  explicit SharedLayout(Module &program) : program(program) {}

  /// Finds places. Returns a function that needs more memory than there is; null: there is enough.
  const Function *find();
  void apply();
  uint64_t bytesOf(const Function &root) const { return ends.lookup(&root); }

private:
  using Variables = SmallSetVector<GlobalVariable *, 8>;

  Variables reachedFrom(Function &root) const;
  uint64_t sizeOf(const GlobalVariable &variable) const;
  void place(GlobalVariable &variable, ArrayRef<const Variables *> groups);

  Module &program;
  MapVector<Function *, Variables> roots;
  MapVector<GlobalVariable *, uint64_t> offsets;
  DenseMap<const Function *, uint64_t> ends;
  uint64_t total = 0;
  Align align = Align(16);
};

} // namespace

uint64_t SharedLayout::sizeOf(const GlobalVariable &variable) const {
  return program.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
}

/// Returns the functions that a call through a pointer may reach.
static void addCandidates(Module &program, const CallBase &call, SmallSetVector<Function *, 16> &functions) {
  for (Function &function : program)
    if (function.hasFnAttribute(kPointedAtAttr) && function.getFunctionType() == call.getFunctionType())
      functions.insert(&function);
}

SharedLayout::Variables SharedLayout::reachedFrom(Function &root) const {
  Variables found;
  SmallSetVector<Function *, 16> functions;
  functions.insert(&root);
  for (unsigned i = 0; i < functions.size(); ++i)
    for (Instruction &inst : instructions(*functions[i])) {
      if (auto *call = dyn_cast<CallBase>(&inst); call && !call->isInlineAsm() && !calleeOf(*call))
        addCandidates(program, *call, functions);
      for (Value *operand : inst.operands()) {
        auto *variable = dyn_cast<GlobalVariable>(operand);
        if (auto *function = dyn_cast<Function>(operand->stripPointerCasts()))
          functions.insert(function);
        else if (variable && variable->hasAttribute(kBlockSharedAttr))
          found.insert(variable);
      }
    }
  return found;
}

/// Puts a variable at the lowest place that no variable of its groups has.
void SharedLayout::place(GlobalVariable &variable, ArrayRef<const Variables *> groups) {
  Align own =
      std::max(variable.getAlign().valueOrOne(), program.getDataLayout().getABITypeAlign(variable.getValueType()));
  uint64_t size = sizeOf(variable), offset = 0;
  for (bool isFree = false; !isFree;) {
    isFree = true;
    for (const Variables *group : groups)
      for (GlobalVariable *other : *group)
        if (auto placed = offsets.find(other);
            placed != offsets.end() && offset < placed->second + sizeOf(*other) && placed->second < offset + size) {
          offset = alignTo(placed->second + sizeOf(*other), own);
          isFree = false;
        }
  }
  offsets[&variable] = offset;
  align = std::max(align, own);
  total = std::max(total, offset + size);
}

const Function *SharedLayout::find() {
  SetVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : program.globals())
    if (variable.hasAttribute(kBlockSharedAttr)) {
      convertUsersOfConstantsToInstructions({&variable});
      variables.insert(&variable);
    }
  if (variables.empty())
    return nullptr;
  for (Function &function : program)
    // A function that only calls the kernel of its block would reach all kernels of one type.
    if (function.hasFnAttribute(kPointedAtAttr) && !function.hasFnAttribute(kBlockCallAttr))
      if (Variables reached = reachedFrom(function); !reached.empty())
        roots[&function] = reached;
  for (GlobalVariable *variable : variables) {
    SmallVector<const Variables *> groups;
    for (auto &[root, reached] : roots)
      if (reached.contains(variable))
        groups.push_back(&reached);
    place(*variable, groups);
  }
  for (auto &[root, reached] : roots) {
    for (GlobalVariable *variable : reached)
      ends[root] = std::max(ends[root], offsets[variable] + sizeOf(*variable));
    if (ends[root] > kMostSharedVariables)
      return root;
  }
  return nullptr;
}

void SharedLayout::apply() {
  if (offsets.empty())
    return;
  LLVMContext &context = program.getContext();
  auto *type = ArrayType::get(Type::getInt8Ty(context), total);
  auto *array = new GlobalVariable(program, type, false, GlobalValue::InternalLinkage, PoisonValue::get(type),
                                   kSharedArray, nullptr, GlobalValue::NotThreadLocal, kGroupSpace);
  array->setAlignment(align);
  for (auto &[variable, offset] : offsets) {
    Constant *place = ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), array,
                                                     ConstantInt::get(Type::getInt64Ty(context), offset));
    Constant *generic = ConstantExpr::getAddrSpaceCast(place, PointerType::get(context, 0));
    replaceAddresses(*variable, [&](Instruction &) { return generic; });
  }
}

Error cilk2gpu::placeBlockVariables(Module &program, const DeviceTarget &target) {
  placeIndices(program);
  SharedLayout layout(program);
  if (const Function *root = layout.find())
    return make_error<UnfitTasks>("error: " + sharedBytesMessage(writtenName(root->getName()), layout.bytesOf(*root)) +
                                  " (--offload-arch=" + target.arch + ")");
  layout.apply();
  return Error::success();
}

//===-- The kernel ------------------------------------------------------------------------------------------------===//

/// Adds `void NAME(function, a, b, c) { function(a, b, c) }`, with as many parameters as there are types.
static void addCall(Module &program, StringRef name, ArrayRef<Type *> parameters) {
  LLVMContext &context = program.getContext();
  Type *none = Type::getVoidTy(context);
  SmallVector<Type *> own{PointerType::get(context, 0)};
  own.append(parameters.begin(), parameters.end());
  Function *call = addRuntimeFunction(program, FunctionType::get(none, own, false), name);
  IRBuilder<> builder(&call->getEntryBlock());
  SmallVector<Value *> arguments(make_pointer_range(drop_begin(call->args())));
  builder.CreateCall(FunctionType::get(none, parameters, false), call->getArg(0), arguments);
  builder.CreateRetVoid();
}

void cilk2gpu::addBlockKernel(Module &program) {
  if (!hasBlocks(program))
    return;
  LLVMContext &context = program.getContext();
  Type *pointer = PointerType::get(context, 0), *number = Type::getInt32Ty(context);
  addCall(program, kBlockCalls[0], {pointer, number, number});
  addCall(program, kBlockCalls[1], {Type::getInt64Ty(context), pointer});
  addCall(program, kBlockCalls[2], {pointer, pointer});
  addQuestion(program);
  addRuntimeKernel(program, abi::kBlocksKernel, kBlocksBody);
}
