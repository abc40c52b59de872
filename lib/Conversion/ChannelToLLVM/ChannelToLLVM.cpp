// The pass convert-channel-to-llvm: collects the graph's parts, lowers kernels and host functions, and emits
// descriptors.
#include "BlockGraphs.h"
#include "DirectEntries.h"
#include "KernelLowering.h"
#include "Lowering.h"
#include "OfferPoints.h"

#include "cilk2gpu/Conversion/Passes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"

namespace cilk2gpu {
#define GEN_PASS_DEF_CONVERTCHANNELTOLLVMPASS
#include "cilk2gpu/Conversion/Passes.h.inc"
} // namespace cilk2gpu

using namespace mlir;
using namespace cilk2gpu;

/// Returns true if no path through a kernel's body spawns twice.
static bool spawnsOne(LLVM::LLVMFuncOp body, channel::KernelOp kernel) {
  llvm::SetVector<Block *> spawning, followed;
  for (Block &block : body)
    for (auto enq : block.getOps<channel::EnqOp>())
      if (llvm::is_contained(kernel.getSpawns(), FlatSymbolRefAttr::get(enq.getChannel().getLeafReference())) &&
          !spawning.insert(&block))
        return false;
  for (Block *block : spawning)
    followed.insert(block->succ_begin(), block->succ_end());
  for (size_t i = 0; i < followed.size(); ++i) {
    Block *block = followed[i];
    if (spawning.contains(block))
      return false;
    followed.insert(block->succ_begin(), block->succ_end());
  }
  return true;
}

/// Returns the parts that a task's description names. Reports an error if its kernels are not numbered without gaps, or
/// if one has no body.
static FailureOr<TaskParts> partsOf(StringAttr name, const channel::RecordDescription &record, channel::GraphOp graph,
                                    const channel::GraphDescription &description, SymbolTable &functions) {
  if (!record.node || record.kernels.empty())
    return graph.emitOpError("task '") << name.getValue() << "' needs a pre-sync stack and a kernel";
  TaskParts task;
  task.node = cast<channel::ChannelNodeOpInterface>(record.node);
  task.frame = cast_or_null<channel::FrameOp>(record.frame);
  task.targets = record.targets;
  task.kind = record.kind;
  task.fields = record.fields;
  task.destination = record.destination;
  task.capacity = record.capacity;
  task.linkage = record.linkage;
  task.edges = record.edges;
  for (StringAttr stack : record.postSync)
    task.postSync.push_back(
        dyn_cast_or_null<channel::ChannelNodeOpInterface>(stack ? description.node(stack) : nullptr));
  for (Operation *kernel : record.kernels)
    task.kernels.push_back(cast<channel::KernelOp>(kernel));
  llvm::sort(task.kernels, [](channel::KernelOp a, channel::KernelOp b) { return a.getSegment() < b.getSegment(); });
  for (auto [index, kernel] : llvm::enumerate(task.kernels)) {
    if (kernel.getSegment() != index)
      return kernel.emitOpError("segments of a task are numbered from 0 without gaps; number ")
             << index << " is missing";
    auto body = functions.lookup<LLVM::LLVMFuncOp>(kernel.getBodyAttr().getAttr());
    if (body.isExternal())
      return kernel.emitOpError("the body of a kernel that is lowered is defined here, but ")
             << kernel.getBodyAttr() << " is only declared";
    task.spawnOne.push_back(spawnsOne(body, kernel));
    task.mayBeLong.push_back(mayTakeLong(body));
    if (index == 0)
      task.isRange = hasFunctionAttribute(body, lane::kLoopTaskAttr) &&
                     functionAttribute(body, lane::kLoopTaskAttr) != lane::kOneIteration;
  }
  return task;
}

FailureOr<GraphParts> cilk2gpu::collectParts(channel::GraphOp graph) {
  GraphParts parts;
  SymbolTable functions(graph->getParentOp());
  channel::GraphDescription description(graph);
  for (auto &[name, record] : description) {
    FailureOr<TaskParts> task = partsOf(name, record, graph, description, functions);
    if (failed(task))
      return failure();
    parts[name] = std::move(*task);
  }
  for (auto func : cast<ModuleOp>(graph->getParentOp()).getOps<LLVM::LLVMFuncOp>())
    if (auto stack = func->getAttrOfType<SymbolRefAttr>(channel::kElidedAttr))
      parts[stack.getLeafReference()].elided = func;
  return parts;
}

LLVM::LLVMFuncOp cilk2gpu::declareRuntime(ModuleOp module, StringRef name, Type result, ArrayRef<Type> params) {
  if (auto func = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return func;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, params));
}

/// Lowers block graphs and emits their records.
static LogicalResult lowerBlocks(ModuleOp module, channel::GraphOp graph, KernelLowering &lowering) {
  for (auto blocks : graph.getOps<channel::BlocksOp>()) {
    bool waits = synchronises(module.lookupSymbol<LLVM::LLVMFuncOp>(blocks.getBodyAttr()));
    if (failed(lowering.lowerBlocks(blocks)))
      return failure();
    emitBlocksRecord(module, blocks, waits); // the body's name is the lowered function's by now
  }
  emitBlockKernels(module, graph);
  return success();
}

/// Marks the functions that read the elements of range tasks that no other task spawns.
static void markStartedElements(ModuleOp module, GraphParts &parts) {
  auto isSpawnedByOthers = [&](StringAttr name) {
    return llvm::any_of(parts, [&](auto &entry) {
      return entry.first != name && entry.second.targets.contains(FlatSymbolRefAttr::get(name));
    });
  };
  for (auto &[name, task] : parts) {
    if (!task.isRange || isSpawnedByOthers(name))
      continue;
    for (channel::KernelOp kernel : task.kernels)
      addFunctionAttribute(module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getBodyAttr()), kStartedElementsAttr);
    if (task.elided)
      addFunctionAttribute(task.elided, kStartedElementsAttr);
  }
}

namespace {

struct ConvertChannelToLLVMPass : cilk2gpu::impl::ConvertChannelToLLVMPassBase<ConvertChannelToLLVMPass> {
  using ConvertChannelToLLVMPassBase::ConvertChannelToLLVMPassBase;

  void runOnOperation() override {
    SmallVector<channel::GraphOp> graphs(getOperation().getOps<channel::GraphOp>());
    if (graphs.empty())
      return;
    if (graphs.size() > 1) {
      graphs[1].emitOpError("a module has one channel.graph when it is lowered; merge them");
      return signalPassFailure();
    }
    FailureOr<GraphParts> parts = collectParts(graphs.front());
    if (failed(parts))
      return signalPassFailure();
    markStartedElements(getOperation(), *parts);
    KernelLowering lowering(getOperation(), graphs.front(), *parts,
                            {.vectorIsas = laneForms, .deviceSymbols = deviceSymbols, .counts = counts});
    for (auto &[name, task] : *parts) {
      for (channel::KernelOp kernel : task.kernels)
        if (failed(lowering.lowerKernel(kernel)))
          return signalPassFailure();
      if (failed(lowering.lowerElided(task)))
        return signalPassFailure();
    }
    if (failed(lowerBlocks(getOperation(), graphs.front(), lowering)))
      return signalPassFailure();
    if (deviceSymbols.empty() && !counts) // devices and counts have all calls in the graph
      makeDirectEntries(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (failed(lowering.lowerHost(func)))
        return signalPassFailure();
    emitDescriptors(getOperation(), graphs.front(), *parts);
    graphs.front().erase();
  }
};

} // namespace
