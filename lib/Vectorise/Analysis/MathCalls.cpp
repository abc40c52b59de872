// See MathCalls.h. LLVM's own tables list the functions of vector libraries.
#include "MathCalls.h"

#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;

bool cilk2gpu::isPureMath(const IntrinsicInst &call) {
  bool isFloat =
      call.getType()->isFloatingPointTy() || (call.arg_size() && call.getArgOperand(0)->getType()->isFloatingPointTy());
  return isFloat && call.doesNotAccessMemory() && !call.isConvergent();
}

//===-- Square roots ----------------------------------------------------------------------------------------------===//

static bool isSquareRoot(const CallInst &call, const TargetLibraryInfo &library) {
  LibFunc function;
  const Function *callee = call.getCalledFunction();
  return callee && library.getLibFunc(call, function) && library.has(function) &&
         (function == LibFunc_sqrt || function == LibFunc_sqrtf) && !call.isStrictFP();
}

static void splitSquareRoot(CallInst &call) {
  constexpr uint32_t kLikely = 2000;
  IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  Value *number = call.getArgOperand(0);
  Value *root = builder.CreateUnaryIntrinsic(Intrinsic::sqrt, number);
  Value *isOutside = builder.CreateFCmpULT(number, ConstantFP::getZero(number->getType()));
  MDNode *weights = MDBuilder(call.getContext()).createBranchWeights(1, kLikely);
  BasicBlock *before = call.getParent();
  Instruction *then = SplitBlockAndInsertIfThen(isOutside, call.getIterator(), /*Unreachable=*/false, weights);
  // The call is now at the start of the second block.
  builder.SetInsertPoint(call.getParent(), call.getParent()->begin());
  PHINode *result = builder.CreatePHI(call.getType(), 2);
  call.replaceAllUsesWith(result);
  call.moveBefore(then->getIterator());
  result->addIncoming(root, before);
  result->addIncoming(&call, then->getParent());
}

void cilk2gpu::splitSquareRoots(Function &form) {
  TargetLibraryInfoImpl implementation(form.getParent()->getTargetTriple());
  TargetLibraryInfo library(implementation, &form);
  SmallVector<CallInst *> roots;
  for (Instruction &inst : instructions(form))
    if (auto *call = dyn_cast<CallInst>(&inst); call && isSquareRoot(*call, library))
      roots.push_back(call);
  for (CallInst *call : roots)
    splitSquareRoot(*call);
}

//===-- Vector libraries ------------------------------------------------------------------------------------------===//

/// Returns the library for -ffast-math if the command line names none. glibc has one for x86-64, which -lm links.
static VectorLibrary standardLibrary(const Triple &triple) {
  bool isGlibc = triple.isOSLinux() && triple.isGNUEnvironment() && triple.getArch() == Triple::x86_64;
  return isGlibc ? VectorLibrary::LIBMVEC : VectorLibrary::NoLibrary;
}

/// Returns the library that -fveclib= names. A library for another target has no functions.
static VectorLibrary namedLibrary(StringRef name) {
  return StringSwitch<VectorLibrary>(name)
      .Case("libmvec", VectorLibrary::LIBMVEC)
      .Case("SVML", VectorLibrary::SVML)
      .Case("AMDLIBM", VectorLibrary::AMDLIBM)
      .Default(VectorLibrary::NoLibrary);
}

VectorMath::VectorMath(const Module &module, const LoweringOptions &options)
    : library(std::make_unique<TargetLibraryInfoImpl>(module.getTargetTriple())) {
  const Triple &triple = module.getTargetTriple();
  library->addVectorizableFunctionsFromVecLib(
      options.vectorLibrary ? namedLibrary(*options.vectorLibrary) : standardLibrary(triple), triple);
}

VectorMath::~VectorMath() = default;

std::string VectorMath::nameFor(const CallInst &call, const VectorIsaInfo &isa) const {
  Function *callee = call.getCalledFunction();
  Type *type = call.getType();
  if (!callee || !callee->isDeclaration() || (!type->isFloatTy() && !type->isDoubleTy()) ||
      !call.doesNotAccessMemory() || !call.hasApproxFunc())
    return "";
  if (any_of(call.args(), [&](const Use &argument) { return argument->getType() != type; }))
    return "";
  // The tables have no functions for AVX-512, so vectors are halved until there is a function.
  for (unsigned bits = isa.bits; bits >= std::max(128u, isa.bits / 2); bits /= 2) {
    unsigned lanes = bits / type->getScalarSizeInBits();
    const VecDesc *known =
        library->getVectorMappingInfo(callee->getName(), ElementCount::getFixed(lanes), /*Masked=*/false);
    if (known && known->getCallingConv().value_or(CallingConv::C) == CallingConv::C)
      return (lane::kMathPrefix + Twine(lanes) + "." + known->getVectorFnName()).str();
  }
  return "";
}

void VectorMath::replaceCalls(Function &form, const VectorIsaInfo &isa) const {
  for (Instruction &inst : make_early_inc_range(instructions(form))) {
    auto *call = dyn_cast<CallInst>(&inst);
    std::string name = call ? nameFor(*call, isa) : "";
    if (name.empty())
      continue;
    IRBuilder<> builder(call);
    SmallVector<Value *> arguments(call->args());
    FunctionCallee vector = form.getParent()->getOrInsertFunction(name, call->getFunctionType());
    call->replaceAllUsesWith(builder.CreateCall(vector, arguments));
    call->eraseFromParent();
  }
}
