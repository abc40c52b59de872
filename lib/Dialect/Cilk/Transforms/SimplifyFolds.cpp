// See SimplifyFolds.h.
#include "SimplifyFolds.h"

#include "Paths.h"
#include "ResultFold.h"
#include "Updates.h"
#include "cilk2gpu/Support/Folds.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

using Kind = ResultFold::Kind;

/// Operations whose second use of a value a selection can take in.
static constexpr Kind kKinds[] = {Kind::add, Kind::_xor, Kind::_or, Kind::_and};

/// Returns the operand of the fold `value` beside `base`, or null if `value` does not fold `base`.
static Value otherOperand(Value value, Value base, Kind kind) {
  SmallVector<OpOperand *> operands = foldedOperands(value, kind);
  if (operands.size() != 2 || !value.hasOneUse())
    return {};
  if (operands[0]->get() == base)
    return operands[1]->get();
  return operands[1]->get() == base ? operands[0]->get() : Value();
}

static void simplify(LLVM::SelectOp select) {
  if (!isa<IntegerType>(select.getType()))
    return;
  Value yes = select.getTrueValue(), no = select.getFalseValue();
  for (Kind kind : kKinds) {
    Value ifNo = otherOperand(no, yes, kind), ifYes = otherOperand(yes, no, kind);
    if (!ifNo && !ifYes)
      continue;
    OpBuilder builder(select);
    Location loc = select.getLoc();
    Value identity = LLVM::ConstantOp::create(builder, loc, foldIdentity(kind, select.getType()));
    Value term =
        LLVM::SelectOp::create(builder, loc, select.getCondition(), ifYes ? ifYes : identity, ifNo ? ifNo : identity);
    select.replaceAllUsesWith(createFold(builder, loc, kind, ifNo ? yes : no, term));
    Operation *folded = (ifNo ? no : yes).getDefiningOp();
    select.erase();
    folded->erase();
    return;
  }
}

/// Erases stores to the local that neither a load nor a child can see.
static void eraseUnseenStores(LLVM::AllocaOp local, SymbolTable &symbols) {
  SmallVector<LLVM::StoreOp> stores;
  Points readers;
  for (OpOperand &use : local->getUses()) {
    if (!keepsAddress(use, symbols))
      return;
    if (auto store = dyn_cast<LLVM::StoreOp>(use.getOwner()))
      stores.push_back(store);
    else
      readers.add(use.getOwner());
  }
  for (LLVM::StoreOp store : stores)
    if (!store.getVolatile_() && !reaches(store.getOperation(), readers, Points()))
      store.erase();
}

void cilk2gpu::cilk::simplifyFolds(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
  SmallVector<LLVM::AllocaOp> locals;
  SmallVector<LLVM::SelectOp> selects;
  task.walk([&](Operation *op) {
    if (auto local = dyn_cast<LLVM::AllocaOp>(op))
      locals.push_back(local);
    else if (auto select = dyn_cast<LLVM::SelectOp>(op))
      selects.push_back(select);
  });
  for (LLVM::AllocaOp local : locals)
    eraseUnseenStores(local, symbols);
  for (LLVM::SelectOp select : selects)
    simplify(select);
}
