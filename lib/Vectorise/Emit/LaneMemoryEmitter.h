// Memory accesses in which each lane has its own address.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_LANEMEMORYEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_LANEMEMORYEMITTER_H

#include "UnmaskedEmitter.h"

namespace cilk2gpu {

class LaneMemoryEmitter : public BranchEmitter {
public:
  LaneMemoryEmitter(EmitState &state, UnmaskedEmitter &unmasked) : BranchEmitter(state), unmasked(unmasked) {}

  Value gather(Location loc, Type element, Value pointers, Value mask, unsigned align);
  void scatter(Location loc, Value vector, Value pointers, Value mask, unsigned align);
  void scatterWords(Location loc, llvm::ArrayRef<Value> words, Value pointers, Value mask);

private:
  Value gatherNarrow(Location loc, mlir::IntegerType element, Value pointers, Value mask);

  UnmaskedEmitter &unmasked;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_LANEMEMORYEMITTER_H
