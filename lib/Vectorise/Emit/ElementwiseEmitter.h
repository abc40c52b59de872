// Operations without effects that work on each lane separately.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_ELEMENTWISEEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_ELEMENTWISEEMITTER_H

#include "ValueEmitter.h"

namespace cilk2gpu {

class ElementwiseEmitter : public ValueEmitter {
public:
  using ValueEmitter::ValueEmitter;
  void emitElementwise(Operation *op);

private:
  bool emitNarrowCompare(mlir::LLVM::ICmpOp op);
  bool emitDivision(Operation *op);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_ELEMENTWISEEMITTER_H
