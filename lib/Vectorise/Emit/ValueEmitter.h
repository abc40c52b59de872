// The base class of the emitter's parts: scalars, vectors and masks.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_VALUEEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_VALUEEMITTER_H

#include "EmitState.h"

namespace cilk2gpu {

/// Emits values. The parts of the emitter access the shared state through the references here.
class ValueEmitter {
public:
  explicit ValueEmitter(EmitState &state)
      : lane(state.lane), divergence(state.divergence), length(state.length), vectorIsa(state.vectorIsa),
        module(state.module), dataLayout(state.dataLayout), builder(state.builder), func(state.func), wave(state.wave),
        row(state.row), prologueEnd(state.prologueEnd), base(state.base), remaining(state.remaining), mask(state.mask),
        blockMask(state.blockMask), values(state.values) {}

protected:
  using Value = mlir::Value;
  using VectorType = mlir::VectorType;
  using Type = mlir::Type;
  using Location = mlir::Location;
  using Operation = mlir::Operation;
  using Block = mlir::Block;

  /// Returns true if the instruction set has masked memory accesses, gathers, scatters and compression.
  bool hasMasks() const { return vectorIsa.hasMasks; }

  bool varies(Value value) const { return divergence->varies(value); }
  Type vectorOf(Type type) const;
  Type typeOf(Value value) const; ///< type of the emitted value for `value`
  Value scalar(Value value) const { return values.lookup(value); }
  Value vector(Value value);
  void define(Value original, Value emitted) { values[original] = emitted; }

  Value splat(Location loc, Value scalar, unsigned count);
  Value splat(Location loc, Value scalar) { return splat(loc, scalar, length); }
  Value constant(Location loc, Type type, int64_t value);
  Value splatConstant(Location loc, Type element, int64_t value);
  Value poison(Location loc, Type type);
  Value laneNumbers(Location loc, Type element, unsigned count);
  Value laneNumbers(Location loc, Type element) { return laneNumbers(loc, element, length); }
  Value lanesOf(Location loc, Value vector, int64_t first, int64_t count);
  Value firstLanes(Location loc, Value count, unsigned lanes);

  Value select(Location loc, Value condition, Value yes, Value no);
  Value maskAnd(Location loc, Value outer, Value condition);
  Value maskAndNot(Location loc, Value outer, Value condition);
  Value any(Location loc, Value mask);
  Value bitsOf(Location loc, Value mask);
  Value countOf(Location loc, Value bits);

  Type storedType(Type type);
  Value widened(Location loc, Value value);
  Value narrowed(Location loc, Value value, Type type);
  Value integers(Location loc, Value value);
  Value ofType(Location loc, Value value, Type type);

  Value offset(Location loc, Value base, Value index, uint64_t size);
  Value loadAt(Location loc, Type type, Value base, uint64_t offset);
  void storeAt(Location loc, Value value, Value base, uint64_t offset);
  Value createAlloca(Location loc, Type type, uint64_t count, unsigned align);
  Value spill(Location loc, Value vector);
  Value laneOf(Location loc, Value spilled, Type element, Value lane);
  Value framesWindow();
  void callRuntime(Location loc, llvm::StringRef name, mlir::ValueRange operands);

  mlir::LLVM::LLVMFuncOp &lane;
  const Divergence *&divergence;
  const unsigned length;
  const VectorIsaInfo &vectorIsa;
  mlir::ModuleOp &module;
  mlir::DataLayout &dataLayout;
  mlir::OpBuilder &builder;
  mlir::LLVM::LLVMFuncOp &func;
  WaveState &wave;
  RowState &row;
  Operation *&prologueEnd;
  Value &base, &remaining, &mask, &blockMask;

private:
  llvm::DenseMap<Value, Value> &values;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_VALUEEMITTER_H
