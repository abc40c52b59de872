// Lets plain calls in loops run in their caller. See the pass's description.
#include "ElisionCall.h"

#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/ReducerMarks.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_CALLINPLACEPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu::cilk;

namespace {

/// The most calls of a function that get a second way. Each of them makes the kernels before it longer.
constexpr unsigned kMostCalls = 4;

bool isInLoop(Block *block) {
  SmallVector<Block *> todo(block->getSuccessors());
  llvm::SmallPtrSet<Block *, 16> seen;
  while (!todo.empty()) {
    Block *next = todo.pop_back_val();
    if (next == block)
      return true;
    if (seen.insert(next).second)
      llvm::append_range(todo, next->getSuccessors());
  }
  return false;
}

/// Returns the elision that a call may run instead of its task; null if it must spawn the task.
LLVM::LLVMFuncOp elisionFor(CallOp call, SymbolTable &symbols) {
  auto task = symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee());
  auto name = task ? task->getAttrOfType<FlatSymbolRefAttr>(kElisionAttr) : FlatSymbolRefAttr();
  if (!name || cilk2gpu::hasFunctionAttribute(task, cilk2gpu::kTracksAttr))
    return {};
  return symbols.lookup<LLVM::LLVMFuncOp>(name.getValue());
}

struct CallInPlacePass : cilk2gpu::cilk::impl::CallInPlacePassBase<CallInPlacePass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (isTask(func) && !func.isExternal() && !cilk2gpu::hasFunctionAttribute(func, cilk2gpu::kTracksAttr))
        runOn(func, symbols);
  }

  void runOn(LLVM::LLVMFuncOp func, SymbolTable &symbols) {
    SmallVector<std::pair<CallOp, LLVM::LLVMFuncOp>> calls;
    for (Block &block : func.getBody())
      for (auto call : block.getOps<CallOp>())
        if (LLVM::LLVMFuncOp elision = elisionFor(call, symbols); elision && isInLoop(&block))
          calls.emplace_back(call, elision);
    if (calls.size() > kMostCalls)
      return;
    for (auto [call, elision] : calls)
      split(call, elision, symbols);
    numCalls += calls.size();
  }

  void split(CallOp call, LLVM::LLVMFuncOp elision, SymbolTable &symbols) {
    Location loc = call.getLoc();
    OpBuilder builder(call);
    Block *before = call->getBlock();
    Block *rest = before->splitBlock(call->getNextNode());
    Block *graph = before->splitBlock(call);
    Block *inPlace = builder.createBlock(graph);
    LLVM::CallOp direct = createElisionCall(builder, loc, elision, call.getArgs());
    direct.setNoInline(true);
    LLVM::BrOp::create(builder, loc, direct.getResults(), rest);
    builder.setInsertionPointToEnd(graph);
    LLVM::BrOp::create(builder, loc, call->getResults(), rest);
    if (call.getResult())
      call.getResult().replaceAllUsesExcept(rest->addArgument(call.getResult().getType(), loc), graph->getTerminator());
    builder.setInsertionPointToEnd(before);
    Value answer = LLVM::CallOp::create(builder, loc, question(symbols), ValueRange()).getResult();
    Value zero = LLVM::ConstantOp::create(builder, loc, answer.getType(), builder.getI32IntegerAttr(0));
    Value isInPlace = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, answer, zero);
    LLVM::CondBrOp::create(builder, loc, isInPlace, inPlace, graph);
  }

  /// Returns the runtime's function that kernels ask.
  LLVM::LLVMFuncOp question(SymbolTable &symbols) {
    if (auto declared = symbols.lookup<LLVM::LLVMFuncOp>(cilk2gpu::kCallInPlaceName))
      return declared;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), {});
    auto declared = LLVM::LLVMFuncOp::create(builder, getOperation().getLoc(), cilk2gpu::kCallInPlaceName, type);
    declared.setNoUnwind(true);
    symbols.insert(declared);
    return declared;
  }
};

} // namespace
