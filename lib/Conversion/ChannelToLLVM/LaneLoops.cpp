// See LaneLoops.h.
#include "LaneLoops.h"
#include "LaneVariables.h"

#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/abi/Records.h"

using namespace mlir;
using namespace cilk2gpu;

void LaneLoops::declarePersonality() {
  mlir::ModuleOp module = scope.module;
  if (module.lookupSymbol(kPersonality))
    return;
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  LLVM::LLVMFuncOp::create(top, module.getLoc(), kPersonality,
                           LLVM::LLVMFunctionType::get(top.getI32Type(), {}, /*isVarArg=*/true));
}

/// Calls the lane function such that an exception that leaves the task ends the program, because the scheduler's state
/// would be lost otherwise. The runtime's personality serves C and C++. In C++ modules, LinkBack.cpp replaces it by
/// C++'s personality, because functions with another personality could not be inlined. If the lane function throws
/// nothing, the handler disappears.
void LaneLoops::callLane(Location loc, LLVM::LLVMFuncOp caller, LLVM::LLVMFuncOp laneFunc, ValueRange args) {
  declarePersonality();
  caller.setPersonality(kPersonality);
  Value anything = LLVM::ZeroOp::create(builder, loc, pointerType(builder));
  Block *after = builder.createBlock(&caller.getBody(), std::next(builder.getInsertionBlock()->getIterator()));
  Block *thrown = builder.createBlock(&caller.getBody(), caller.getBody().end());
  builder.setInsertionPointToEnd(&*std::prev(after->getIterator()));
  LLVM::InvokeOp::create(builder, loc, laneFunc, args, after, ValueRange(), thrown, ValueRange());
  builder.setInsertionPointToEnd(thrown);
  auto exception = LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointerType(builder), builder.getI32Type()});
  LLVM::LandingpadOp::create(builder, loc, exception, /*cleanup=*/false, anything);
  LLVM::LLVMFuncOp end = scope.runtime.get("__cilk2gpu_exception", LLVM::LLVMVoidType::get(builder.getContext()), {});
  LLVM::CallOp::create(builder, loc, end, ValueRange());
  LLVM::UnreachableOp::create(builder, loc);
  builder.setInsertionPointToEnd(after);
}

void LaneLoops::createVectorEntry(LLVM::LLVMFuncOp laneForm, StringRef kernel, StringRef isa, ArrayAttr attributes) {
  Location loc = laneForm.getLoc();
  builder.setInsertionPointAfter(laneForm);
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(none, {pointerType(builder)});
  auto waves = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(),
                                        (laneForm.getName() + "." + isa + ".wave").str(), type);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, (kernel + ".simd." + isa).str(), type, LLVM::Linkage::Internal);
  func.setPassthroughAttr(attributes);
  builder.setInsertionPointToEnd(func.addEntryBlock(builder));
  callLane(loc, func, waves, ValueRange{func.getBody().front().getArgument(0)});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(func);
}

void LaneLoops::createDeviceEntry(LLVM::LLVMFuncOp deviceForm, StringRef name, ArrayAttr attributes) {
  Location loc = deviceForm.getLoc();
  builder.setInsertionPointAfter(deviceForm);
  auto entry = LLVM::LLVMFuncOp::create(builder, loc, name, deviceForm.getFunctionType(), LLVM::Linkage::Internal);
  if (attributes)
    entry.setPassthroughAttr(attributes);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(block);
  callLane(loc, entry, deviceForm, block->getArguments());
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(entry);
}

/// Returns a loop annotation without unrolling. Tasks are so long that copies of the loop's body do not pay.
static LLVM::LoopAnnotationAttr noUnrolling(Builder &builder) {
  auto unroll =
      LLVM::LoopUnrollAttr::get(builder.getContext(), /*disable=*/builder.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                                       {});
}

/// Returns the site at which lane `index` starts: 0, or the site in its element if lanes resume.
Value LaneLoops::startSite(KernelBuilder &code, Location loc, bool resumes, Value columns, Value first, Value index) {
  if (!resumes)
    return code.constant(code.i32(), 0);
  Value element = LLVM::AddOp::create(builder, loc, first, index);
  return LLVM::LoadOp::create(builder, loc, code.i32(), code.fieldAddress(columns, element, 1, code.i32()));
}

void LaneLoops::createLoop(const Loop &loop) {
  LLVM::LLVMFuncOp laneFunc = loop.laneFunc;
  Location loc = laneFunc.getLoc();
  builder.setInsertionPointAfter(laneFunc);
  LoweredBody body(scope);
  KernelBuilder code(builder, loc, body);
  auto func = LLVM::LLVMFuncOp::create(
      builder, loc, loop.name, LLVM::LLVMFunctionType::get(code.none(), {code.pointer()}), LLVM::Linkage::Internal);
  func.setPassthroughAttr(laneFunc.getPassthroughAttr());
  if (!counts && !hasFunctionAttribute(laneFunc, kOwnPassesAttr))
    addFunctionAttribute(func, kOwnPassesAttr, kIfStraight);
  Block *entry = func.addEntryBlock(builder);
  Block *each = builder.createBlock(&func.getBody(), func.getBody().end(), {code.i64()}, {loc});
  Block *exit = builder.createBlock(&func.getBody(), func.getBody().end());
  Value wave = entry->getArgument(0), index = each->getArgument(0);
  builder.setInsertionPointToEnd(entry);
  Value lanes = code.loadAt(code.i32(), wave, offsetof(abi::Wave, lanes));
  lanes = LLVM::ZExtOp::create(builder, loc, code.i64(), lanes);
  Value columns = loop.resumes ? code.loadAt(code.pointer(), wave, offsetof(abi::Wave, columns)) : Value();
  Value first = loop.resumes ? code.loadAt(code.i64(), wave, offsetof(abi::Wave, first)) : Value();
  SmallVector<Value> counted = loop.counted.createVariables(builder, loc, wave);
  SmallVector<Value> sums = loop.accumulators.createVariables(builder, loc);
  LLVM::BrOp::create(builder, loc, ValueRange(code.constant(code.i64(), 0)), each);

  builder.setInsertionPointToEnd(each);
  SmallVector<Value> args{wave, index, startSite(code, loc, loop.resumes, columns, first, index)};
  args.append(counted);
  args.append(sums);
  if (counts)
    code.call(kCountLane, code.none(), wave);
  callLane(loc, func, laneFunc, args);
  Value next = LLVM::AddOp::create(builder, loc, index, code.constant(code.i64(), 1));
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, lanes);
  auto back = LLVM::CondBrOp::create(builder, loc, more, each, ValueRange(next), exit, ValueRange());
  back.setLoopAnnotationAttr(noUnrolling(builder));

  builder.setInsertionPointToEnd(exit);
  loop.counted.flush(builder, loc, counted);
  loop.accumulators.flush(builder, loc, sums);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(func);
}
