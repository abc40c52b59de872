// Branches and loops of the emitted code that do not come from the lane function's own control flow.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_BRANCHEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_BRANCHEMITTER_H

#include "ValueEmitter.h"

namespace cilk2gpu {

class BranchEmitter : public ValueEmitter {
public:
  using ValueEmitter::ValueEmitter;

protected:
  /// Emits code for one lane, given as a scalar i64.
  using LaneBody = llvm::function_ref<void(Value lane)>;

  void forEachLane(Location loc, Value mask, LaneBody body);
  Value choose(Location loc, Value condition, Type type, bool isLikely, llvm::function_ref<Value()> yes,
               llvm::function_ref<Value()> no);
  void unless(Location loc, Value condition, llvm::function_ref<void()> body);
  void whereElse(Location loc, Value condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_BRANCHEMITTER_H
