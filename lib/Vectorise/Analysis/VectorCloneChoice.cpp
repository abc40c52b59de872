// See VectorCloneChoice.h. A clone takes its lanes' mask and a vector for each argument that differs from lane to lane
// (lib/Vectorise/Emit/VectorClones.h). Recursive functions have no clones, because each call would take the stack of
// all lanes of a vector.
#include "VectorCloneChoice.h"

#include "LaneCalls.h"
#include "LaneCost.h"
#include "LaneLegality.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SourceTarget.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

VectorCloneChoice::VectorCloneChoice(const Module &workshop, const LoweringOptions &options)
    : options(options), math(workshop, options) {}
VectorCloneChoice::~VectorCloneChoice() = default;

SmallSetVector<Function *, 8> cilk2gpu::calledBodies(const Function &form) {
  SmallSetVector<Function *, 8> called;
  for (const Instruction &inst : instructions(form))
    if (auto *call = dyn_cast<CallBase>(&inst))
      if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
        called.insert(callee);
  return called;
}

static bool isRecursive(const Function &function) {
  SmallSetVector<Function *, 8> reached = calledBodies(function);
  for (unsigned i = 0; i < reached.size(); ++i) // grows
    for (Function *next : calledBodies(*reached[i]))
      reached.insert(next);
  return reached.contains(&function);
}

/// Returns true if a call passes the callee's arguments one by one, and returns its result as one value.
static bool hasPlainSignature(const Function &function) {
  constexpr Attribute::AttrKind special[] = {Attribute::InAlloca,  Attribute::Preallocated, Attribute::Nest,
                                             Attribute::SwiftSelf, Attribute::SwiftError,   Attribute::SwiftAsync};
  return !function.isVarArg() && all_of(function.args(), [&](const Argument &argument) {
    return hasVectorForm(argument.getType()) &&
           none_of(special, [&](Attribute::AttrKind kind) { return argument.hasAttribute(kind); });
  }) && hasVectorForm(function.getReturnType());
}

/// Returns the reason against clones that holds for every instruction set, or an empty text. Simplifies a legal
/// function for vectors, once.
std::string VectorCloneChoice::whyIllegal(Function &function) {
  auto [it, isNew] = illegal.try_emplace(&function);
  if (!isNew)
    return it->second;
  std::string reason;
  if (function.getFnAttribute(kLanesAttr).getValueAsString() == "scalar")
    reason = "its attribute says so";
  else if (isRecursive(function))
    reason = "it is recursive";
  else if (!hasPlainSignature(function))
    reason = "it takes or returns a type that has no vector form";
  else if (any_of(instructions(function), [](Instruction &inst) {
             auto *call = dyn_cast<CallBase>(&inst);
             return call && (call->isMustTailCall() || call->hasOperandBundles());
           }))
    reason = "it ends in a mandatory tail call";
  else
    reason = whyLaneByLane(function);
  if (reason.empty()) {
    splitMulAdds(function);
    splitSquareRoots(function);
  }
  return illegal[&function] = reason;
}

std::string VectorCloneChoice::weigh(Function &function, const VectorIsaInfo &isa, Decision &decision) {
  if (std::string reason = whyIllegal(function); !reason.empty())
    return reason;
  decision.stack = stackOf(function, isa);
  LaneBalance balance = weighVectors(function, isa, *this);
  // A caller saves its live vectors around a call of a clone, which costs about as much as one call for each lane.
  decision.value = balance.gain - balance.loss;
  bool isAsked = options.lanes == Lanes::Simd || function.getFnAttribute(kLanesAttr).getValueAsString() == "simd";
  return isAsked || decision.value >= -lossOfCalls(function, isa) ? "" : balance.mostly;
}

const VectorCloneChoice::Decision &VectorCloneChoice::decide(Function &function, const VectorIsaInfo &isa) {
  std::unique_ptr<Decision> &known = decisions[{&function, &isa}];
  if (known)
    return *known;
  auto decision = std::make_unique<Decision>();
  decision->reason = weigh(function, isa, *decision);
  return *(decisions[{&function, &isa}] = std::move(decision)); // the table may have grown
}

Function *VectorCloneChoice::clonedBy(const CallBase &call, const VectorIsaInfo &isa) {
  Function *callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration() || !haveSameFeatures(*callee, *call.getFunction()) ||
      callee->getFunctionType() != call.getFunctionType())
    return nullptr;
  return decide(*callee, isa).reason.empty() ? callee : nullptr;
}

uint64_t VectorCloneChoice::stackOf(const Function &function, const VectorIsaInfo &isa) {
  uint64_t own = 0, deepest = 0;
  for (const Argument &argument : function.args())
    own += argument.getPassPointeeByValueCopySize(function.getDataLayout());
  for (const Instruction &inst : instructions(function)) {
    if (auto *local = dyn_cast<AllocaInst>(&inst))
      own += local->getAllocationSize(function.getDataLayout()).value_or(TypeSize::getFixed(0)).getFixedValue();
    if (auto *call = dyn_cast<CallBase>(&inst))
      if (Function *clone = clonedBy(*call, isa))
        deepest = std::max(deepest, decide(*clone, isa).stack);
  }
  return own + deepest;
}

/// Makes the function itself copy structs that are passed by value from the memory that its pointers lead to.
static void copyStructs(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  for (Argument &argument : function.args()) {
    if (!argument.hasByValAttr())
      continue;
    const DataLayout &layout = function.getDataLayout();
    Type *type = argument.getParamByValType();
    Align align = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
    AllocaInst *own = builder.CreateAlloca(type);
    own->setAlignment(align);
    argument.replaceAllUsesWith(own);
    builder.CreateMemCpy(own, align, &argument, align, layout.getTypeAllocSize(type).getFixedValue());
    argument.removeAttr(Attribute::ByVal);
  }
}

SmallVector<Function *> VectorCloneChoice::makeCopies(Function &form, const VectorIsaInfo &isa) {
  SmallVector<Function *> copies, work{&form};
  while (!work.empty())
    for (Instruction &inst : instructions(*work.pop_back_val())) {
      auto *call = dyn_cast<CallBase>(&inst);
      Function *function = call ? clonedBy(*call, isa) : nullptr;
      if (!function || !made.insert({function, &isa}).second)
        continue;
      ValueToValueMapTy mapping;
      Function *copy = CloneFunction(function, mapping);
      copy->setName(function->getName() + lane::kCloneInfix + isa.name);
      copy->addFnAttr(lane::kCloneAttr, isa.name);
      copy->addFnAttr(kOriginAttr, function->getName());
      copyStructs(*copy);
      math.replaceCalls(*copy, isa);
      copies.push_back(copy);
      work.push_back(function);
    }
  return copies;
}
