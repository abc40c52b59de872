// An implementation of MLIR's CFG-to-SCF interface for branches of the LLVM dialect. See Lift.h.
#include "Lift.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

class LLVMToStructured : public CFGToSCFInterface {
public:
  /// Flags that distinguish the exits of a loop are bytes if there are few blocks, because lanes hold the flags in
  /// vectors.
  explicit LLVMToStructured(LLVM::LLVMFuncOp func) : flagWidth(llvm::hasNItemsOrMore(func.getBody(), 100) ? 32 : 8) {}

  FailureOr<Operation *> createStructuredBranchRegionOp(OpBuilder &builder, Operation *branch, TypeRange resultTypes,
                                                        MutableArrayRef<Region> regions) override {
    Location loc = branch->getLoc();
    if (auto conditional = dyn_cast<LLVM::CondBrOp>(branch)) {
      auto ifOp = scf::IfOp::create(builder, loc, resultTypes, conditional.getCondition());
      ifOp.getThenRegion().takeBody(regions[0]);
      ifOp.getElseRegion().takeBody(regions[1]);
      return ifOp.getOperation();
    }
    auto branches = dyn_cast<LLVM::SwitchOp>(branch);
    if (!branches || branches.getValue().getType().getIntOrFloatBitWidth() > 64)
      return failure();
    SmallVector<int64_t> cases;
    if (auto values = branches.getCaseValues())
      for (const APInt &value : values->getValues<APInt>())
        cases.push_back(static_cast<int64_t>(value.getZExtValue()));
    Value flag = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), branches.getValue());
    auto switchOp = scf::IndexSwitchOp::create(builder, loc, resultTypes, flag, cases, cases.size());
    // Successor 0 of a switch is its default.
    switchOp.getDefaultRegion().takeBody(regions[0]);
    for (auto [region, body] : llvm::zip_equal(switchOp.getCaseRegions(), regions.drop_front()))
      region.takeBody(body);
    return switchOp.getOperation();
  }

  LogicalResult createStructuredBranchRegionTerminatorOp(Location loc, OpBuilder &builder, Operation *, Operation *,
                                                         ValueRange results) override {
    scf::YieldOp::create(builder, loc, results);
    return success();
  }

  FailureOr<Operation *> createStructuredDoWhileLoopOp(OpBuilder &builder, Operation *replaced, ValueRange init,
                                                       Value condition, ValueRange next, Region &&body) override {
    Location loc = replaced->getLoc();
    auto loop = scf::WhileOp::create(builder, loc, init.getTypes(), init);
    loop.getBefore().takeBody(body);
    builder.setInsertionPointToEnd(&loop.getBefore().back());
    // Flags have the type that getCFGSwitchValue makes.
    Value again = LLVM::TruncOp::create(builder, loc, builder.getI1Type(), condition);
    scf::ConditionOp::create(builder, loc, again, next);
    Block *after = builder.createBlock(&loop.getAfter());
    after->addArguments(init.getTypes(), SmallVector<Location>(init.size(), loc));
    scf::YieldOp::create(builder, loc, after->getArguments());
    return loop.getOperation();
  }

  Value getCFGSwitchValue(Location loc, OpBuilder &builder, unsigned value) override {
    Type type = builder.getIntegerType(flagWidth);
    return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
  }

  void createCFGSwitchOp(Location loc, OpBuilder &builder, Value flag, ArrayRef<unsigned> cases, BlockRange targets,
                         ArrayRef<ValueRange> arguments, Block *otherwise, ValueRange otherwiseArguments) override {
    if (cases.empty()) {
      LLVM::BrOp::create(builder, loc, otherwiseArguments, otherwise);
      return;
    }
    SmallVector<APInt> values = llvm::map_to_vector(cases, [&](unsigned value) { return APInt(flagWidth, value); });
    LLVM::SwitchOp::create(builder, loc, flag, otherwise, otherwiseArguments, values, SmallVector<Block *>(targets),
                           arguments);
  }

  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    return LLVM::PoisonOp::create(builder, loc, type);
  }

  FailureOr<Operation *> createUnreachableTerminator(Location, OpBuilder &, Region &) override { return failure(); }

private:
  unsigned flagWidth;
};

} // namespace

LogicalResult cilk2gpu::liftToStructured(LLVM::LLVMFuncOp func) {
  for (Block &block : func.getBody())
    if (auto end = dyn_cast<LLVM::UnreachableOp>(block.getTerminator())) {
      OpBuilder builder(end);
      Type result = func.getFunctionType().getReturnType();
      bool isVoid = isa<LLVM::LLVMVoidType>(result);
      Value none = isVoid ? Value() : LLVM::PoisonOp::create(builder, end.getLoc(), result).getResult();
      LLVM::ReturnOp::create(builder, end.getLoc(), isVoid ? ValueRange() : ValueRange(none));
      end.erase();
    }
  LLVMToStructured interface(func);
  DominanceInfo dominance(func);
  if (failed(transformCFGToSCF(func.getBody(), interface, dominance)))
    return failure();
  return success(func.getBody().hasOneBlock());
}
