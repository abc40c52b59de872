// See KernelLowering.h.
#include "KernelLowering.h"

#include "BlockGraphs.h"
#include "DeviceForm.h"
#include "LaneForm.h"
#include "OfferPoints.h"
#include "Patterns.h"
#include "RestartForm.h"

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

#include <cctype>

using namespace mlir;
using namespace cilk2gpu;

/// Adds LLVM function attributes to a function.
static void addAttributes(LLVM::LLVMFuncOp func, ArrayRef<Attribute> added) {
  SmallVector<Attribute> attributes;
  if (ArrayAttr given = func.getPassthroughAttr())
    llvm::append_range(attributes, given);
  llvm::append_range(attributes, added);
  func.setPassthroughAttr(ArrayAttr::get(func.getContext(), attributes));
}

//===-- Preconditions ---------------------------------------------------------------------------------------------===//

static SymbolRefAttr reservedChannel(Operation *op) {
  if (auto talloc = dyn_cast<channel::TallocOp>(op))
    return talloc.getChannel();
  if (auto attempt = dyn_cast<channel::TryTallocOp>(op))
    return attempt.getChannel();
  return {};
}

/// Checks that no other talloc on the same channel stands between an element's talloc and its enq, along single
/// predecessors. Space is counted when an element is filled, so a second talloc before the enq would return the same
/// element.
static LogicalResult verifyReservation(channel::EnqOp enq) {
  Operation *talloc = enq.getElement().getDefiningOp();
  Block *block = enq->getBlock();
  for (Operation *op = enq->getPrevNode();; op = op->getPrevNode()) {
    while (!op) {
      block = block->getSinglePredecessor();
      if (!block)
        return enq.emitOpError("must follow the talloc of its element on every path; move it up to its talloc");
      op = block->getTerminator();
    }
    if (op == talloc)
      return success();
    if (reservedChannel(op) == enq.getChannel())
      return enq.emitOpError("must fill its element before the lane reserves another one; move it up to its talloc");
  }
}

static LogicalResult verifyKernel(LLVM::LLVMFuncOp kernel, const KernelScope &scope) {
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto enq = dyn_cast<channel::EnqOp>(op))
      return verifyReservation(enq);
    auto talloc = dyn_cast<channel::TallocOp>(op);
    channel::ChannelNodeOpInterface stack =
        talloc ? scope.stackOf(talloc.getChannel()) : channel::ChannelNodeOpInterface();
    if (stack && !scope.segmentOf(stack))
      return talloc.emitOpError("may wait for space; run channel-make-resumable before this conversion");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===-- Ordinary functions ----------------------------------------------------------------------------------------===//

LogicalResult KernelLowering::lowerHost(LLVM::LLVMFuncOp func) {
  task = nullptr;
  LoweredBody body(scope());
  MLIRContext *context = func.getContext();
  ElementTypeConverter types(LLVM::LLVMPointerType::get(context));
  RewritePatternSet patterns(context);
  populateChannelToEntryPatterns(types, body, patterns);
  return convert(func, FormTarget(*context), std::move(patterns));
}

//===-- Block graphs ----------------------------------------------------------------------------------------------===//

LogicalResult KernelLowering::lowerBlocks(channel::BlocksOp blocks) {
  task = nullptr;
  SmallVector<StringRef> isas;
  StringRef(forms.vectorIsas).split(isas, '+', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return lowerBlockFunctions(blocks, scope(), isas, /*forDevices=*/!forms.deviceSymbols.empty());
}

//===-- Bodies of kernels -----------------------------------------------------------------------------------------===//

/// Puts a call before each channel operation of the paper's Table 1, so that the operation is counted.
static void markChannelOps(LLVM::LLVMFuncOp kernel, RuntimeFunctions &runtime) {
  Type none = LLVM::LLVMVoidType::get(kernel.getContext());
  kernel.walk([&](Operation *op) {
    if (!isa<channel::DeqOp, channel::TallocOp, channel::TryTallocOp, channel::EnqOp, channel::TfreeOp>(op))
      return;
    OpBuilder builder(op);
    LLVM::CallOp::create(builder, op->getLoc(), runtime.get(kCountChannelMarker, none, {}), ValueRange());
  });
}

/// Makes a function of (wave, lane, site) from a kernel body.
FailureOr<LoweredBody> KernelLowering::lowerBody(LLVM::LLVMFuncOp kernel, StringRef name, bool onDevice) {
  MLIRContext *context = kernel.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> params{pointer, builder.getI64Type(), builder.getI32Type()};
  kernel.setName(name);
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), params));
  kernel->removeAttr(channel::kKernelAttr);
  if (failed(verifyKernel(kernel, scope())))
    return failure();
  if (forms.counts && !onDevice)
    markChannelOps(kernel, runtime);
  Block &entry = kernel.getBody().front();
  LoweredBody body(scope());
  body.onDevice = onDevice;
  body.fetchesAhead = !onDevice && !forms.counts;
  body.wave = entry.addArgument(params[0], kernel.getLoc());
  body.lane = entry.addArgument(params[1], kernel.getLoc());
  body.site = entry.addArgument(params[2], kernel.getLoc());
  ElementTypeConverter types(onDevice ? builder.getI64Type() : pointer);
  FormTarget target(*context);
  RewritePatternSet patterns(context);
  if (onDevice) {
    target.addDynamicallyLegalOp<LLVM::AtomicRMWOp>([](LLVM::AtomicRMWOp op) { return !isFoldedOnDevice(op); });
    populateChannelToDevicePatterns(types, body, patterns);
  } else {
    populateChannelToHostPatterns(types, body, patterns);
  }
  if (failed(convert(kernel, target, std::move(patterns))))
    return failure();
  return body;
}

//===-- Scalar forms ----------------------------------------------------------------------------------------------===//

/// Returns the calls by which a kernel asks whether it makes its next plain call in place (cilk-call-in-place).
static SmallVector<LLVM::CallOp> questionsIn(LLVM::LLVMFuncOp kernel) {
  SmallVector<LLVM::CallOp> questions;
  kernel.walk([&](LLVM::CallOp call) {
    if (call.getCallee() == StringRef(kCallInPlaceName))
      questions.push_back(call);
  });
  return questions;
}

/// Makes a kernel take the graph for all of its plain calls.
static void dropCallsInPlace(LLVM::LLVMFuncOp kernel) {
  for (LLVM::CallOp question : questionsIn(kernel)) {
    OpBuilder builder(question);
    for (Operation *compare : question.getResult().getUsers())
      for (Operation *user : llvm::make_early_inc_range(compare->getUsers()))
        if (auto branch = dyn_cast<LLVM::CondBrOp>(user)) {
          OpBuilder atBranch(branch);
          LLVM::BrOp::create(atBranch, branch.getLoc(), branch.getFalseDestOperands(), branch.getFalseDest());
          branch.erase();
        }
    Type type = question.getResult().getType();
    question.getResult().replaceAllUsesWith(
        LLVM::ConstantOp::create(builder, question.getLoc(), type, builder.getIntegerAttr(type, 0)));
    question.erase();
  }
  IRRewriter rewriter(kernel.getContext());
  (void)eraseUnreachableBlocks(rewriter, kernel->getRegions());
}

/// Returns variables for the counts that a lowered kernel accesses. There are none if instructions are counted, because
/// lanes are then not inlined, and several waves may run in turns.
static LaneCounts countsOf(LLVM::LLVMFuncOp kernel, const LoweredBody &body, bool keepInMemory) {
  SmallVector<CountAccess> accesses;
  kernel.walk([&](Operation *op) {
    if (auto access = body.countAccesses.find(op); access != body.countAccesses.end() && !keepInMemory)
      accesses.push_back({op, access->second});
  });
  return LaneCounts(kernel, accesses, body.extensions);
}

/// Calls `found` for the calls of the loops that a task shares with its elision: the iterations of a cilk_for
/// (kSerialLoopAttr), and base cases (kBaseCaseAttr).
static void forEachLoopCall(LLVM::LLVMFuncOp kernel, SymbolTable &functions,
                            llvm::function_ref<void(LLVM::CallOp)> found) {
  kernel.walk([&](LLVM::CallOp call) {
    auto callee = call.getCallee() ? functions.lookup<LLVM::LLVMFuncOp>(*call.getCallee()) : LLVM::LLVMFuncOp();
    if (callee &&
        !(functionAttribute(callee, kSerialLoopAttr).empty() && functionAttribute(callee, kBaseCaseAttr).empty()))
      found(call);
  });
}

/// Makes the call of a loop call the elision's code, because the loop need not be compiled again. A lane runs many
/// iterations, so the call costs nothing.
static void callElidedLoop(LLVM::CallOp call, SymbolTable &functions) {
  auto callee = functions.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
  StringRef elision = functionAttribute(callee, kBaseCaseAttr);
  if (functions.lookup(elision))
    call.setCallee(elision);
  call.setNoInline(true);
}

LogicalResult KernelLowering::lowerScalarForm(LLVM::LLVMFuncOp kernel, const std::string &name) {
  forEachLoopCall(kernel, functions, [&](LLVM::CallOp call) {
    forms.counts ? call.setAlwaysInline(true) : callElidedLoop(call, functions);
  });
  bool resumes = kernel.walk([](channel::YieldOp) { return WalkResult::interrupt(); }).wasInterrupted();
  // If instructions are counted, there is only one scalar form, so that each lane is counted in the same form.
  LLVM::LLVMFuncOp restarts = resumes && !forms.counts ? splitRestarts(kernel, builder) : nullptr;
  if (restarts)
    dropCallsInPlace(restarts);
  if (!forms.counts)
    markOfferPoints(kernel);
  FailureOr<LoweredBody> body = lowerBody(kernel, name + ".lane", /*onDevice=*/false);
  if (failed(body))
    return failure();
  createOffers(kernel, *body);
  LaneCounts counted = countsOf(kernel, *body, forms.counts);
  if (restarts && failed(lowerRestarts(restarts, name)))
    return failure();
  if (forms.counts)
    addAttributes(kernel, builder.getStringAttr(kCountedLaneAttr));
  else
    kernel.setAlwaysInline(true);
  LaneAccumulators accumulators(kernel);
  loops.createLoop({kernel, counted, accumulators, name, /*resumes=*/false});
  if (resumes && !restarts)
    loops.createLoop({kernel, counted, accumulators, name + ".resume", /*resumes=*/true});
  return success();
}

/// Makes the entry for lanes that restart, with a lane function of its own. It is called rarely, so it is made small
/// rather than fast.
LogicalResult KernelLowering::lowerRestarts(LLVM::LLVMFuncOp restarts, const std::string &name) {
  if (failed(lowerBody(restarts, name + ".restart", /*onDevice=*/false)))
    return failure();
  restarts.setAlwaysInline(true);
  addAttributes(restarts, {builder.getStringAttr("cold"), builder.getStringAttr("optsize"),
                           builder.getStringAttr(kOwnPassesAttr)});
  LaneCounts inMemory(restarts, {}, {});
  LaneAccumulators accumulators(restarts);
  loops.createLoop({restarts, inMemory, accumulators, name + ".resume", /*resumes=*/true});
  return success();
}

LogicalResult KernelLowering::lowerKernel(channel::KernelOp node) {
  auto kernel = functions.lookup<LLVM::LLVMFuncOp>(node.getBodyAttr().getAttr());
  task = &parts.find(node.getTaskAttr().getAttr())->second;
  std::string name = kernel.getName().str();
  bool resumes = kernel.walk([](channel::YieldOp) { return WalkResult::interrupt(); }).wasInterrupted();
  // Only the scalar form makes calls in place.
  LLVM::LLVMFuncOp callsInPlace = questionsIn(kernel).empty() ? LLVM::LLVMFuncOp() : kernel.clone();
  if (callsInPlace)
    dropCallsInPlace(kernel);
  LLVM::LLVMFuncOp laneForm;
  if (!forms.vectorIsas.empty()) {
    FailureOr<LLVM::LLVMFuncOp> created = createLaneForm(kernel);
    if (failed(created))
      return failure();
    laneForm = *created;
  }
  builder.setInsertionPointAfter(kernel);
  LLVM::LLVMFuncOp deviceForm = !forms.deviceSymbols.empty() ? cast<LLVM::LLVMFuncOp>(builder.clone(*kernel)) : nullptr;
  if (deviceForm)
    forEachLoopCall(deviceForm, functions, [](LLVM::CallOp call) { call.setAlwaysInline(true); });
  if (callsInPlace) {
    kernel.getBody().takeBody(callsInPlace.getBody());
    callsInPlace.erase();
  }
  if (failed(lowerScalarForm(kernel, name)))
    return failure();
  if (laneForm)
    for (StringRef isa : llvm::split(forms.vectorIsas, '+'))
      loops.createVectorEntry(laneForm, name, isa, kernel.getPassthroughAttr());
  return deviceForm ? lowerDeviceForm(deviceForm, name, resumes, /*elides=*/false) : success();
}

/// Erases the elided form if instructions are counted, because each lane must execute the instructions of its own task.
LogicalResult KernelLowering::lowerElided(TaskParts &of) {
  if (!of.elided || forms.counts) {
    if (of.elided)
      of.elided.erase();
    of.elided = nullptr;
    return success();
  }
  task = &of;
  LLVM::LLVMFuncOp lane = of.elided;
  std::string name = lane.getName().str();
  lane->removeAttr(channel::kElidedAttr);
  builder.setInsertionPointAfter(lane);
  LLVM::LLVMFuncOp deviceForm = !forms.deviceSymbols.empty() ? cast<LLVM::LLVMFuncOp>(builder.clone(*lane)) : nullptr;
  if (failed(lowerBody(lane, name + ".lane", /*onDevice=*/false)))
    return failure();
  lane.setAlwaysInline(true);
  LaneCounts inMemory(lane, {}, {});
  LaneAccumulators accumulators(lane);
  loops.createLoop({lane, inMemory, accumulators, name, /*resumes=*/false});
  of.elided = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  return deviceForm ? lowerDeviceForm(deviceForm, name, /*resumes=*/false, /*elides=*/true) : success();
}

//===-- Device forms ----------------------------------------------------------------------------------------------===//

/// Returns the kernel's name in device images. It contains only characters that every target's assembler accepts.
static std::string imageSymbol(StringRef prefix, unsigned number, StringRef name) {
  std::string symbol = (prefix + Twine(number) + "_" + name).str();
  for (char &c : symbol)
    if (!isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return symbol;
}

/// Lowers `copy`, and makes the function that the descriptor points at. A host that emulates a device calls this
/// function. There, an exception that leaves a task ends the program.
LogicalResult KernelLowering::lowerDeviceForm(LLVM::LLVMFuncOp copy, StringRef name, bool resumes, bool elides) {
  if (failed(lowerBody(copy, (name + ".device").str(), /*onDevice=*/true)))
    return failure();
  makeOwnDebugScope(copy);
  ArrayAttr inherited = copy.getPassthroughAttr();
  std::string symbol = imageSymbol(forms.deviceSymbols, numDeviceForms++, name);
  SmallVector<Attribute> attributes{builder.getStrArrayAttr({kDeviceKernelAttr, symbol})};
  if (resumes)
    attributes.push_back(builder.getStringAttr(kDeviceResumesAttr));
  if (elides)
    attributes.push_back(builder.getStringAttr(kDeviceElidesAttr));
  addAttributes(copy, attributes);
  loops.createDeviceEntry(copy, (name + ".device.host").str(), inherited);
  return success();
}

//===-- Lane forms ------------------------------------------------------------------------------------------------===//

/// Returns true if the kernel's task only starts an accumulation (cilk-combine-results), and no kernel of this unit
/// spawns it. All work is then in the accumulating form.
bool KernelLowering::isRootOnly() {
  channel::ChannelNodeOpInterface stack = task->node;
  auto spawns = [&](const TaskParts &other) {
    return other.targets.contains(FlatSymbolRefAttr::get(SymbolTable::getSymbolName(stack)));
  };
  return stack->hasAttr(cilk::kStartsAccumulationAttr) &&
         llvm::none_of(parts, [&](auto &entry) { return spawns(entry.second); });
}

/// Returns the attributes with which a lane form describes its task.
SmallVector<Attribute> KernelLowering::laneFormAttributes() {
  channel::ChannelNodeOpInterface stack = task->node;
  channel::FrameOp frame = task->frame;
  SmallVector<Attribute> attributes{builder.getStringAttr(lane::kKernelAttr)};
  if (isRootOnly())
    attributes.push_back(builder.getStringAttr(lane::kFewTasksAttr));
  auto own = llvm::find(task->targets, FlatSymbolRefAttr::get(SymbolTable::getSymbolName(stack)));
  if (own != task->targets.end())
    attributes.push_back(builder.getStrArrayAttr({lane::kOwnTargetAttr, std::to_string(own - task->targets.begin())}));
  if (frame && frame.getColumns()) {
    std::string sizes;
    llvm::raw_string_ostream out(sizes);
    llvm::interleave(*frame.getColumns(), out, ",");
    attributes.push_back(builder.getStrArrayAttr({lane::kFrameColumnsAttr, sizes}));
  }
  return attributes;
}

/// Makes the lane form of a kernel. If the kernel cannot have one, returns null and makes a function without code whose
/// attribute has the reason. The choice between forms reads it.
FailureOr<LLVM::LLVMFuncOp> KernelLowering::createLaneForm(LLVM::LLVMFuncOp kernel) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(kernel);
  auto copy = cast<LLVM::LLVMFuncOp>(builder.clone(*kernel));
  copy.setName((kernel.getName() + ".lanes").str());
  copy->removeAttr(channel::kKernelAttr);
  copy.setLinkage(LLVM::Linkage::External);
  if (StringRef reason = whyNoLaneForm(kernel, dataLayout); !reason.empty()) {
    copy.eraseBody();
    builder.setInsertionPointToEnd(copy.addEntryBlock(builder));
    LLVM::UnreachableOp::create(builder, copy.getLoc());
    addAttributes(copy, builder.getStrArrayAttr({lane::kKernelAttr, reason}));
    makeOwnDebugScope(copy);
    return LLVM::LLVMFuncOp();
  }
  if (failed(verifyKernel(kernel, scope())) || failed(convertToLaneForm(copy, scope())))
    return failure();
  addAttributes(copy, laneFormAttributes());
  makeOwnDebugScope(copy);
  return copy;
}
