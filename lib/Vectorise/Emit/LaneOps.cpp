// See LaneOps.h.
#include "LaneOps.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cilk2gpu;

LaneOp cilk2gpu::classify(LLVM::CallOp call, unsigned &number) {
  std::optional<StringRef> callee = call.getCallee();
  std::optional<lane::OpName> name = callee ? lane::parseOpName(*callee) : std::nullopt;
  if (!name)
    return LaneOp::None;
  number = name->number.value_or(0);
  return llvm::StringSwitch<LaneOp>(name->kind)
      .Case(lane::kDeq, LaneOp::Deq)
      .Case(lane::kAddress, LaneOp::Address)
      .Case(lane::kSpawn, LaneOp::Spawn)
      .Case(lane::kFrame, LaneOp::Frame)
      .Case(lane::kPlace, LaneOp::Place)
      .Case(lane::kFree, LaneOp::Free)
      .Case(lane::kPublish, LaneOp::Publish)
      .Case(lane::kYield, LaneOp::Yield)
      .Case(lane::kResult, LaneOp::Result)
      .Case(lane::kDestination, LaneOp::Destination)
      .Case(lane::kAccumulate, LaneOp::Accumulate)
      .Default(LaneOp::None);
}

Type cilk2gpu::byAddressType(LLVM::CallOp spawn, unsigned index) {
  ArrayAttr attributes = spawn.getArgAttrsAttr();
  if (!attributes)
    return {};
  auto byval = cast<DictionaryAttr>(attributes[index]).getAs<TypeAttr>(LLVM::LLVMDialect::getByValAttrName());
  return byval ? byval.getValue() : Type();
}

bool cilk2gpu::isUniformCall(LLVM::CallOp call) {
  if (!call.getCallee() || classify(call) != LaneOp::None)
    return false;
  auto memory = call.getMemoryEffectsAttr();
  auto isNone = [](LLVM::ModRefInfo info) { return info == LLVM::ModRefInfo::NoModRef; };
  return memory && isNone(memory.getOther()) && isNone(memory.getArgMem()) && isNone(memory.getInaccessibleMem()) &&
         call.getWillReturn() && call.getNoUnwind();
}
