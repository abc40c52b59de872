// The pass vectorise-lanes: lifts, analyses and emits lane functions.
#include "Emitter.h"
#include "VectorClones.h"
#include "Vectorise/Analysis/Divergence.h"
#include "Vectorise/Analysis/LevelUniform.h"
#include "Vectorise/Analysis/Lift.h"

#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/VectorIsa.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "cilk2gpu/Vectorise/Passes.h"

namespace cilk2gpu {
#define GEN_PASS_DEF_VECTORISELANESPASS
#include "cilk2gpu/Vectorise/Passes.h.inc"
} // namespace cilk2gpu

using namespace mlir;
using namespace cilk2gpu;

static bool isLaneKernel(LLVM::LLVMFuncOp func) {
  return !func.isExternal() && hasFunctionAttribute(func, lane::kKernelAttr);
}

static bool hasVectorForm(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 0;
  return type.isF32() || type.isF64() || type.isIndex();
}

/// Checks that values without a vector form are the same in all lanes.
static LogicalResult verifyTypes(LLVM::LLVMFuncOp func, const Divergence &divergence) {
  auto check = [&](Location loc, Value value) -> LogicalResult {
    if (!divergence.varies(value) || hasVectorForm(value.getType()))
      return success();
    return emitError(loc) << "a value of type " << value.getType()
                          << " has no vector form and differs from lane to lane";
  };
  WalkResult result = func.walk([&](Operation *op) {
    for (Value value : op->getResults())
      if (failed(check(op->getLoc(), value)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Value value : region.getArguments())
        if (failed(check(op->getLoc(), value)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Drops marks for LLVM's passes that have no meaning for lanes under a mask, and prefetches, because vectors have
/// loads of many lanes under way anyway.
static void dropMarks(LLVM::LLVMFuncOp func) {
  func.walk([](Operation *op) {
    if (isa<LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp, LLVM::NoAliasScopeDeclOp,
            LLVM::InvariantStartOp, LLVM::InvariantEndOp, LLVM::Prefetch>(op) &&
        op->use_empty())
      op->erase();
  });
}

/// Returns the value of the LLVM function attribute `name`, or an empty text.
static StringRef valueOf(LLVM::LLVMFuncOp func, StringRef name) {
  ArrayAttr attributes = func.getPassthroughAttr();
  for (Attribute attribute : attributes ? attributes.getValue() : ArrayRef<Attribute>())
    if (auto pair = dyn_cast<ArrayAttr>(attribute))
      if (cast<StringAttr>(pair[0]).getValue() == name)
        return cast<StringAttr>(pair[1]).getValue();
  return "";
}

/// Returns the sizes of the fields in the columns of this kernel's frames, or an empty list if frames are not in
/// columns.
static SmallVector<uint64_t> frameColumnsOf(LLVM::LLVMFuncOp func) {
  SmallVector<uint64_t> sizes;
  for (StringRef text = valueOf(func, lane::kFrameColumnsAttr); !text.empty();) {
    auto [size, rest] = text.split(',');
    if (size.getAsInteger(10, sizes.emplace_back()))
      return {};
    text = rest;
  }
  return sizes;
}

/// Returns the length of this kernel's vectors: the value of its attribute, else `standard`.
static unsigned lengthOf(LLVM::LLVMFuncOp func, unsigned standard) {
  unsigned length;
  return valueOf(func, lane::kLengthAttr).getAsInteger(10, length) ? standard : length;
}

static LogicalResult lift(LLVM::LLVMFuncOp func) {
  dropMarks(func);
  if (succeeded(liftToStructured(func)))
    return success();
  return func.emitError("the control flow has no structure (a computed branch, an endless loop)");
}

/// Emits the body of a clone from a copy of the function for one lane.
static LogicalResult makeClone(VectorClones::Clone clone, VectorClones &clones) {
  LLVM::LLVMFuncOp lane = clone.source.clone();
  SymbolTable::setSymbolName(lane, (clone.vector.getName() + ".lane").str());
  clone.source->getBlock()->push_back(lane);
  makeOwnDebugScope(lane);
  if (failed(lift(lane)))
    return failure();
  Divergence divergence(lane, /*agreed=*/{}, clone.varying);
  if (failed(verifyTypes(lane, divergence)))
    return failure();
  EmitState state(lane, divergence, clone.length, *clone.isa);
  Emitter(state, /*frameColumns=*/{}, clones).emitClone(clone.vector);
  lane.erase();
  return success();
}

static LogicalResult vectorise(LLVM::LLVMFuncOp func, unsigned length, const VectorIsaInfo &isa, VectorClones &clones) {
  if (failed(lift(func)))
    return failure();
  Divergence divergence(func);
  if (failed(verifyTypes(func, divergence)))
    return failure();
  EmitState state(func, divergence, length, isa);
  Emitter emitter(state, frameColumnsOf(func), clones);
  SmallVector<lane::DeqOp> fields = findLevelUniformFields(func);
  Divergence agreed(func, fields);
  DataLayout dataLayout = DataLayout::closest(func);
  if (!fields.empty() && isWorthAgreeing(func, divergence, agreed, PrivateArrays(func, dataLayout)))
    emitter.addAgreement(fields, agreed);
  std::string name = (func.getName() + ".wave").str();
  bool isBlockBody = !valueOf(func, lane::kBlockBodyAttr).empty();
  LLVM::LLVMFuncOp wave = isBlockBody ? emitter.emitRow(name) : emitter.emit(name);
  wave.setLinkage(func.getLinkage());
  SmallVector<Attribute> attributes;
  for (Attribute attribute : func.getPassthroughAttr())
    if (attribute != StringAttr::get(func.getContext(), lane::kKernelAttr))
      attributes.push_back(attribute);
  wave.setPassthroughAttr(ArrayAttr::get(func.getContext(), attributes));
  func.erase();
  return success();
}

namespace {

struct VectoriseLanesPass : cilk2gpu::impl::VectoriseLanesPassBase<VectoriseLanesPass> {
  using VectoriseLanesPassBase::VectoriseLanesPassBase;

  void runOnOperation() override {
    VectorClones clones(getOperation());
    SmallVector<LLVM::LLVMFuncOp> sources; // kernels make further functions with this attribute
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!func.isExternal() && !valueOf(func, lane::kCloneAttr).empty())
        sources.push_back(func);
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>())) {
      if (!isLaneKernel(func))
        continue;
      unsigned own = lengthOf(func, length);
      if (!llvm::isPowerOf2_32(own) || own < 4 || own > 64) {
        func.emitError("the vector length is 4, 8, 16, 32 or 64, not ") << own;
        return signalPassFailure();
      }
      StringRef set = valueOf(func, lane::kIsaAttr);
      std::optional<VectorIsa> ownIsa = parseVectorIsa(set.empty() ? StringRef(isa) : set);
      if (!ownIsa) {
        func.emitError("the instruction set is one of ")
            << vectorIsaNames(", ") << ", not '" << (set.empty() ? StringRef(isa) : set) << "'";
        return signalPassFailure();
      }
      if (failed(vectorise(func, own, infoOf(*ownIsa), clones)))
        return signalPassFailure();
    }
    // Clones may call other clones.
    for (SmallVector<VectorClones::Clone> wanted = clones.takeNew(); !wanted.empty(); wanted = clones.takeNew())
      for (const VectorClones::Clone &clone : wanted)
        if (failed(makeClone(clone, clones)))
          return signalPassFailure();
    for (LLVM::LLVMFuncOp source : sources)
      source.erase();
    // Functions of a vector library are no longer called for one lane.
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (func.getName().starts_with(lane::kMathPrefix))
        func.erase();
  }
};

} // namespace
