// Accesses under masks and compression for instruction sets without masks. Whole vectors are loaded and stored if only
// memory of this wavefront is touched; otherwise data goes through memory on the stack. Permutations from tables
// compress lanes.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_UNMASKEDEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_UNMASKEDEMITTER_H

#include "BranchEmitter.h"

namespace cilk2gpu {

class UnmaskedEmitter : public BranchEmitter {
public:
  using BranchEmitter::BranchEmitter;

  Value loadBlock(Location loc, VectorType type, Value address);
  Value loadEach(Location loc, Type element, Value pointers, Value lanes, unsigned align);
  void storeBlended(Location loc, Value value, Value address, Value lanes, unsigned align);
  Value expandFrames(Location loc, Value address);
  void storeCompressed(Location loc, Value value, Value address, Value fits, Value lanes, bool isUniform);

private:
  void compressTo(Location loc, Value value, Value address, Value lanes);
  Value compressPiece(Location loc, Value piece, Value bits);
  Value compressBytes(Location loc, Value piece, Value bits);
  Value permute(Location loc, llvm::StringRef intrinsic, Value value, Value indices);
  Value firstOf(Location loc, Value value, unsigned count);
  Value compressTable(Location loc, llvm::StringRef name, unsigned lanes, unsigned units, unsigned width,
                      unsigned size);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_UNMASKEDEMITTER_H
