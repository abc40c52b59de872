// See Elementwise.h.
#include "Elementwise.h"

using namespace mlir;
using namespace cilk2gpu;

bool cilk2gpu::isUniformCall(LLVM::CallOp call) {
  if (!call.getCallee())
    return false;
  auto memory = call.getMemoryEffectsAttr();
  auto isNone = [](LLVM::ModRefInfo info) { return info == LLVM::ModRefInfo::NoModRef; };
  return memory && isNone(memory.getOther()) && isNone(memory.getArgMem()) && isNone(memory.getInaccessibleMem()) &&
         call.getWillReturn() && call.getNoUnwind();
}

bool cilk2gpu::isElementwise(Operation *op) {
  return isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::UDivOp, LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp, LLVM::AndOp,
             LLVM::OrOp, LLVM::XOrOp, LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp, LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp,
             LLVM::FDivOp, LLVM::FRemOp, LLVM::FNegOp, LLVM::ICmpOp, LLVM::FCmpOp, LLVM::SelectOp, LLVM::TruncOp,
             LLVM::ZExtOp, LLVM::SExtOp, LLVM::FPTruncOp, LLVM::FPExtOp, LLVM::FPToSIOp, LLVM::FPToUIOp, LLVM::SIToFPOp,
             LLVM::UIToFPOp, LLVM::BitcastOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp, LLVM::FreezeOp, LLVM::GEPOp,
             LLVM::ConstantOp, LLVM::ZeroOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::AddressOfOp>(op) ||
         isElementwiseIntrinsic(op);
}

/// Returns true for elementwise intrinsics that have no operation in the LLVM dialect. Types at the end of an
/// intrinsic's name are ignored.
static bool isNamedElementwise(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && (call.getIntrin().starts_with("llvm.scmp.") || call.getIntrin().starts_with("llvm.ucmp."));
}

bool cilk2gpu::isElementwiseIntrinsic(Operation *op) {
  if (isNamedElementwise(op))
    return true;
  return isa<LLVM::CtPopOp, LLVM::CountLeadingZerosOp, LLVM::CountTrailingZerosOp, LLVM::ByteSwapOp, LLVM::BitReverseOp,
             LLVM::FshlOp, LLVM::FshrOp, LLVM::AbsOp, LLVM::SMaxOp, LLVM::SMinOp, LLVM::UMaxOp, LLVM::UMinOp,
             LLVM::SAddSat, LLVM::UAddSat, LLVM::SSubSat, LLVM::USubSat, LLVM::FAbsOp, LLVM::SqrtOp, LLVM::FMAOp,
             LLVM::FMulAddOp, LLVM::MinNumOp, LLVM::MaxNumOp, LLVM::MinimumOp, LLVM::MaximumOp, LLVM::CopySignOp,
             LLVM::FFloorOp, LLVM::FCeilOp, LLVM::FTruncOp, LLVM::RintOp, LLVM::NearbyintOp, LLVM::RoundOp,
             LLVM::RoundEvenOp>(op);
}

bool cilk2gpu::isDivision(Operation *op) { return isa<LLVM::UDivOp, LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp>(op); }

bool cilk2gpu::isSpeculatable(Region &region) {
  constexpr unsigned kLargest = 24;
  unsigned size = 0;
  for (Operation &op : region.front().without_terminator())
    if (++size > kLargest || !isElementwise(&op) || isDivision(&op))
      return false;
  return true;
}
