// See BranchEmitter.h.
#include "BranchEmitter.h"

using namespace mlir;
using namespace cilk2gpu;

/// Emits a loop that runs `body` for each active lane, in order.
void BranchEmitter::forEachLane(Location loc, Value lanes, LaneBody body) {
  Type bitsType = builder.getIntegerType(length);
  Value bits = bitsOf(loc, lanes);
  Block *from = builder.getInsertionBlock();
  Block *head = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {bitsType}, {loc});
  Block *exit = builder.createBlock(&func.getBody(), std::next(head->getIterator()));
  Block *start = builder.createBlock(exit);
  builder.setInsertionPointToEnd(from);
  LLVM::BrOp::create(builder, loc, ValueRange(bits), head);
  builder.setInsertionPointToEnd(head);
  Value left = head->getArgument(0);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, left, constant(loc, bitsType, 0));
  LLVM::CondBrOp::create(builder, loc, more, start, exit);
  builder.setInsertionPointToEnd(start);
  Value number = LLVM::CountTrailingZerosOp::create(builder, loc, bitsType, left, /*is_zero_poison=*/true);
  if (length < 64)
    number = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), number);
  body(number);
  Value less = LLVM::SubOp::create(builder, loc, left, constant(loc, bitsType, 1));
  LLVM::BrOp::create(builder, loc, ValueRange(LLVM::AndOp::create(builder, loc, left, less).getResult()), head);
  builder.setInsertionPointToEnd(exit);
}

static constexpr int32_t kLikely = 2000; // against 1

/// Emits condition ? yes() : no() as a branch.
Value BranchEmitter::choose(Location loc, Value condition, Type type, bool isLikely, llvm::function_ref<Value()> yes,
                            llvm::function_ref<Value()> no) {
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {type}, {loc});
  auto emitSide = [&](llvm::function_ref<Value()> side) {
    Block *start = builder.createBlock(join);
    Value result = side();
    LLVM::BrOp::create(builder, loc, ValueRange(result), join);
    return start;
  };
  Block *first = emitSide(yes), *second = emitSide(no);
  builder.setInsertionPointToEnd(from);
  std::pair<int32_t, int32_t> weights(isLikely ? kLikely : 1, 1);
  LLVM::CondBrOp::create(builder, loc, condition, first, ValueRange(), second, ValueRange(), weights);
  builder.setInsertionPointToEnd(join);
  return join->getArgument(0);
}

/// Emits if (!condition) body(). The condition usually holds.
void BranchEmitter::unless(Location loc, Value condition, llvm::function_ref<void()> body) {
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  Block *start = builder.createBlock(join);
  body();
  LLVM::BrOp::create(builder, loc, join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, condition, join, ValueRange(), start, ValueRange(), std::make_pair(kLikely, 1));
  builder.setInsertionPointToEnd(join);
}

/// Emits if (condition) yes(); else no(). The condition usually holds.
void BranchEmitter::whereElse(Location loc, Value condition, llvm::function_ref<void()> yes,
                              llvm::function_ref<void()> no) {
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  auto emitSide = [&](llvm::function_ref<void()> side) {
    Block *start = builder.createBlock(join);
    side();
    LLVM::BrOp::create(builder, loc, join);
    return start;
  };
  Block *first = emitSide(yes), *second = emitSide(no);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, condition, first, ValueRange(), second, ValueRange(),
                         std::make_pair(kLikely, 1));
  builder.setInsertionPointToEnd(join);
}
