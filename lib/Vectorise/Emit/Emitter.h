// Emits a wavefront function from a structured lane function: vector code under
// masks.
//
// The wavefront's lanes are taken in blocks of `length` lanes. For each block
// the lane function's body is emitted once: uniform values as scalars, varying
// ones as vectors; a branch on a uniform condition stays a branch, one on a
// varying condition runs both sides, each under its mask and skipped when the
// mask is empty; a loop runs until no lane is left.
//
// Masks are never combined with `and`: a lane that is not active may hold
// poison, which only `select` keeps out.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_EMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_EMITTER_H

#include "LaneOps.h"
#include "VectorClones.h"
#include "Vectorise/Analysis/Divergence.h"
#include "Vectorise/Analysis/PrivateArrays.h"

#include "cilk2gpu/Support/VectorIsa.h"
#include "cilk2gpu/abi/Records.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2gpu {

class Emitter {
public:
  /// `length`: lanes of a vector, a power of two from 4 to 64. `frameColumns`: the size of the field in each column of
  /// the task's frames; none if they are not in columns. `clones`: of functions that lanes may call together.
  Emitter(mlir::LLVM::LLVMFuncOp lane, const Divergence &divergence, unsigned length, const VectorIsaInfo &isa,
          llvm::ArrayRef<uint64_t> frameColumns, VectorClones &clones);

  /// Emits the body a second time, for blocks of lanes that agree in the results of `fields`: `agreed` is the
  /// divergence there.
  void addAgreement(llvm::ArrayRef<mlir::LLVM::CallOp> fields, const Divergence &agreed);

  /// Creates the wavefront function `name` after the lane function.
  mlir::LLVM::LLVMFuncOp emit(llvm::StringRef name);

  /// Gives a clone of the lane function, which is declared, its body.
  void emitClone(mlir::LLVM::LLVMFuncOp clone);

private:
  using Value = mlir::Value;
  using VectorType = mlir::VectorType;
  using Type = mlir::Type;
  using Location = mlir::Location;
  using Operation = mlir::Operation;
  using Block = mlir::Block;
  /// Emits code for one lane, given as a scalar i64.
  using LaneBody = llvm::function_ref<void(Value lane)>;

  /// Pointers that hold for the whole wavefront, loaded once.
  struct WaveState {
    Value window; ///< of frames, if it is used
    Value wave, first, frames;
    llvm::MapVector<unsigned, Value> fields, targets, syncs;
    Value restarts;
  };

  //===-- Control (EmitControl.cpp)
  //-----------------------------------------------------------------------------===//
  void emitPrologue(mlir::LLVM::LLVMFuncOp func);
  Value emitBlockMask(Location loc);
  void emitBodies();
  Value emitAgreement(Location loc);
  void emitBlock(Block &block);
  void emitOp(Operation *op);
  void emitIf(Operation *op);
  void emitSwitch(Operation *op);
  void emitUniformSwitch(Operation *op);
  void emitVaryingSides(Operation *op, llvm::ArrayRef<std::pair<Value, mlir::Region *>> sides);
  Value uniformResult(Operation *op, Value yielded, Value joined);
  llvm::SmallVector<Value> emitSide(Operation *op, mlir::Region &region, Value mask);
  void emitLoop(Operation *op);
  llvm::SmallVector<Value> operandsAs(mlir::ValueRange operands, mlir::ValueRange shape);
  void forEachLane(Location loc, Value mask, LaneBody body);

  //===-- Values and elementwise operations (EmitValues.cpp)
  //----------------------------------------------------===//
  bool varies(Value value) const { return divergence->varies(value); }
  Type vectorOf(Type type) const;
  Type typeOf(Value value) const; ///< of what stands for `value`
  Value scalar(Value value) const { return values.lookup(value); }
  Value vector(Value value);
  Value splat(Location loc, Value scalar, unsigned count);
  Value splat(Location loc, Value scalar) { return splat(loc, scalar, length); }
  void define(Value original, Value emitted) { values[original] = emitted; }
  void emitElementwise(Operation *op);
  bool emitNarrowCompare(mlir::LLVM::ICmpOp op);
  Value select(Location loc, Value condition, Value yes, Value no);
  Value maskAnd(Location loc, Value outer, Value condition);
  Value maskAndNot(Location loc, Value outer, Value condition);
  Value any(Location loc, Value mask);
  Value bitsOf(Location loc, Value mask);
  Value countOf(Location loc, Value bits);
  Value constant(Location loc, Type type, int64_t value);
  Value splatConstant(Location loc, Type element, int64_t value);
  Value poison(Location loc, Type type);
  Value laneNumbers(Location loc, Type element, unsigned count);
  Value laneNumbers(Location loc, Type element) { return laneNumbers(loc, element, length); }
  Value offset(Location loc, Value base, Value index, uint64_t size);
  Value loadAt(Location loc, Type type, Value base, uint64_t offset);
  void storeAt(Location loc, Value value, Value base, uint64_t offset);

  //===-- Memory and calls (EmitMemory.cpp)
  //---------------------------------------------------------------------===//
  void emitAlloca(mlir::LLVM::AllocaOp op);
  void emitLoad(mlir::LLVM::LoadOp op);
  void emitStore(mlir::LLVM::StoreOp op);
  Value gather(Location loc, Type element, Value pointers, Value mask, unsigned align);
  Value gatherNarrow(Location loc, mlir::IntegerType element, Value pointers, Value mask);
  void scatter(Location loc, Value vector, Value pointers, Value mask, unsigned align);
  void scatterWords(Location loc, llvm::ArrayRef<Value> words, Value pointers, Value mask);
  mlir::LLVM::StoreOp nextWord(mlir::LLVM::StoreOp op) const;
  bool storeJoined(mlir::LLVM::StoreOp op);
  llvm::SmallVector<mlir::LLVM::StoreOp> joined; ///< stores that wait for the one of the word behind theirs
  Value spill(Location loc, Value vector);
  Value laneOf(Location loc, Value spilled, Type element, Value lane);
  void emitPerLane(Operation *op);
  bool emitVectorMath(mlir::LLVM::CallOp call);
  bool emitCloneCall(mlir::LLVM::CallOp call);
  Value lanesOf(Location loc, Value vector, int64_t first, int64_t count);
  Type storedType(Type type);
  Value widened(Location loc, Value value);
  Value narrowed(Location loc, Value value, Type type);
  Value createAlloca(Location loc, Type type, uint64_t count, unsigned align);

  //===-- Local arrays laid out by lane (EmitPrivate.cpp) -------------------------------------------------------===//
  /// Byte `offset` of a local array of each lane: one i64, or a vector of them. Null array: no such place.
  struct Place {
    Value rows;
    uint64_t granule = 0, size = 0;
    Value offset;
    explicit operator bool() const { return bool(rows); }
    bool varies() const { return isa<mlir::VectorType>(offset.getType()); }
  };
  using Yields = llvm::SmallVector<Value>;
  bool emitPrivateAddress(mlir::LLVM::GEPOp op);
  bool emitPrivateCopy(mlir::LLVM::MemcpyOp op);
  bool emitPrivateFill(mlir::LLVM::MemsetOp op);
  Place placeOf(Value pointer) const { return places.lookup(pointer); }
  Place advanced(Location loc, const Place &place, int64_t bytes);
  Place advancedBy(Location loc, const Place &place, Value bytes);
  Value rowAddress(Location loc, const Place &place, Value at);
  Value elementAddress(Location loc, const Place &place, Value at, Value number);
  Value elementAddresses(Location loc, const Place &place);
  Value integers(Location loc, Value value);
  Value ofType(Location loc, Value value, Type type);
  Value combine(Location loc, Type type, llvm::ArrayRef<Value> pieces, uint64_t granule);
  llvm::SmallVector<Value> pieces(Location loc, Value value, uint64_t granule);
  Value loadPrivate(Location loc, Type type, const Place &place);
  void assumeInside(Location loc, const Place &place, uint64_t size);
  Value loadRows(Location loc, Type type, const Place &place);
  Value loadElements(Location loc, Type type, const Place &place);
  void storePrivate(Location loc, Value value, const Place &place);
  void storeRows(Location loc, Value value, const Place &place);
  void storeElements(Location loc, Value value, const Place &place);
  Yields whereShared(Location loc, const Place &place, mlir::TypeRange results,
                     llvm::function_ref<Yields(const Place &)> shared, llvm::function_ref<Yields()> apart);
  void repeat(Location loc, uint64_t bytes, uint64_t step, llvm::function_ref<void(Value)> body);
  void copyPerLane(Location loc, const Place &place, Value memory, uint64_t bytes, bool toMemory);
  llvm::DenseMap<Value, Place> places;

  //===-- Without masks in the instruction set (EmitUnmasked.cpp) -----------------------------------------------===//
  /// Whether loads and stores under masks, gathers, scatters and compression are instructions.
  bool hasMasks() const { return vectorIsa.hasMasks; }
  Value loadBlock(Location loc, VectorType type, Value address);
  Value loadEach(Location loc, Type element, Value pointers, Value lanes, unsigned align);
  void storeBlended(Location loc, Value value, Value address, Value lanes, unsigned align);
  Value expandFrames(Location loc, Value address);
  void storeCompressed(Location loc, Value value, Value address, Value fits, Value lanes, bool isUniform);
  void compressTo(Location loc, Value value, Value address, Value lanes);
  Value compressPiece(Location loc, Value piece, Value bits);
  Value compressBytes(Location loc, Value piece, Value bits);
  Value permute(Location loc, llvm::StringRef intrinsic, Value value, Value indices);
  Value firstOf(Location loc, Value value, unsigned count);
  Value compressTable(Location loc, llvm::StringRef name, unsigned lanes, unsigned units, unsigned width,
                      unsigned size);
  Value choose(Location loc, Value condition, Type type, bool isLikely, llvm::function_ref<Value()> yes,
               llvm::function_ref<Value()> no);
  void unless(Location loc, Value condition, llvm::function_ref<void()> body);
  void whereElse(Location loc, Value condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no);

  //===-- Lane operations (EmitLaneOps.cpp)
  //---------------------------------------------------------------------===//
  void emitLaneOp(mlir::LLVM::CallOp call, LaneOp kind, unsigned number);
  void fetchNext(Location loc, unsigned field, llvm::ArrayRef<int64_t> distances);
  void emitDeq(mlir::LLVM::CallOp call, unsigned field);
  Value fieldAddress(Location loc, Type type, unsigned field);
  Value loadField(Location loc, Type type, unsigned field);
  void emitAddressOf(mlir::LLVM::CallOp call, unsigned field);
  void emitSpawn(mlir::LLVM::CallOp call, unsigned target);
  void emitFrame(mlir::LLVM::CallOp call);
  void emitFree(mlir::LLVM::CallOp call);
  void emitPublish(mlir::LLVM::CallOp call, unsigned segment);
  void emitYield(mlir::LLVM::CallOp call);
  void emitResult(mlir::LLVM::CallOp call);
  void emitDestination(mlir::LLVM::CallOp call);
  Value framesWindow();

  //===-- Frames in columns (EmitFrames.cpp) --------------------------------------------------------------------===//
  /// Frames of a vector's lanes, which follow one another if `holds` (i1).
  struct FrameRun {
    Value holds;
    Value first; ///< lane 0's
    /// From there to each group's first one, or 0 where no lane has a frame of it (i64).
    llvm::SmallVector<Value> groups;
  };
  /// A part of a field that lanes with a run of frames access.
  struct FramePart {
    const FrameRun *run = nullptr; ///< null: it is none
    uint64_t distance = 0;         ///< of the field's first column, in bytes
    unsigned words = 1;            ///< of the field
    uint64_t offset = 0;           ///< in it, in bytes
    explicit operator bool() const { return run; }
  };
  static bool isFrame(mlir::LLVM::CallOp call);
  bool hasFrameRun(mlir::LLVM::CallOp call) const;
  unsigned lanesOfGroup() const { return std::min<unsigned>(length, abi::kFrameGroup); }
  void emitPlace(mlir::LLVM::CallOp call, unsigned words);
  Value placeInColumn(Location loc, Value frame, unsigned words);
  Value isPrefix(Location loc, Value lanes);
  Value takeInOrder(Location loc, Value free, Value count, llvm::function_ref<Value()> expand);
  void noteFrames(mlir::LLVM::CallOp call);
  FramePart framePartOf(Value address, uint64_t size, bool isStore) const;
  void forEachGroup(Location loc, const FrameRun &run, int64_t distance,
                    llvm::function_ref<void(unsigned first, Value address, Value lanes)> body);
  Value loadColumn(Location loc, Type type, const FramePart &part);
  Value loadWords(Location loc, const FramePart &part);
  void storeWords(Location loc, llvm::ArrayRef<Value> words, const FramePart &part);
  void storeColumn(Location loc, Value value, const FrameRun &run, int64_t distance);
  Value loadFromFrames(mlir::LLVM::LoadOp op);
  bool storeToFrames(mlir::LLVM::StoreOp op);
  llvm::DenseMap<Value, FrameRun> frameRuns;

  //===-- Lanes that are refused space (EmitRefusals.cpp) -------------------------------------------------------===//
  llvm::SmallVector<Operation *> findRefusal(Block &block);
  void emitRefusal(Block &block, llvm::ArrayRef<Operation *> refusal);
  void emitForLane(Operation *op, mlir::IRMapping &mapping);
  Value spillShared(Location loc, Value vector, unsigned number);
  Value takeFrame(Location loc);
  void yieldLane(Location loc, Value frame, Value site);
  llvm::DenseMap<Type, llvm::SmallVector<Value>> refusalSlots;

  //===-- Accumulators (EmitAccumulators.cpp) -------------------------------------------------------------------===//
  /// What lanes have contributed to `*pointer` so far, lane by lane; both are variables of the wavefront function.
  struct Accumulator {
    mlir::LLVM::AtomicBinOp kind;
    Value pointer, sums;
    mlir::VectorType type;
  };
  void emitAccumulate(mlir::LLVM::CallOp call, mlir::LLVM::AtomicBinOp kind);
  void changePointer(Location loc, const Accumulator &accumulator, Value value, Value pointers);
  void flush(Location loc, const Accumulator &accumulator);
  void updateMemory(Location loc, mlir::LLVM::AtomicBinOp kind, Value pointer, Value values, Value lanes);
  Value identity(Location loc, mlir::LLVM::AtomicBinOp kind, Type element);
  Value reduce(Location loc, mlir::LLVM::AtomicBinOp kind, Value vector);
  llvm::SmallVector<Accumulator> accumulators;
  Value grantedLanes(Location loc, Value cursor, unsigned target);
  void append(Location loc, Value vector, Value column, Value next, Value lanes, Value roomy, bool isUniform = false);
  Value hasRoom(Location loc, Value cursor, Value next);
  void appendCopies(Location loc, Value pointers, Type type, Value column, Value next, Value lanes);
  void advance(Location loc, Value cursor, uint64_t offset, Value count);
  Value compress(Location loc, Value piece, Value lanes);
  Value wavePointer(llvm::MapVector<unsigned, Value> &cache, Value table, uint64_t offset, unsigned index);

  mlir::LLVM::LLVMFuncOp lane;
  const Divergence *divergence; ///< in the body that is being emitted
  const Divergence *agreedDivergence = nullptr;
  llvm::SmallVector<mlir::LLVM::CallOp> agreedFields;
  const unsigned length;
  const VectorIsaInfo &vectorIsa;
  const llvm::SmallVector<uint64_t> frameColumns;
  VectorClones &clones;
  mlir::ModuleOp module;
  mlir::DataLayout dataLayout;
  PrivateArrays arrays;
  mlir::OpBuilder builder;
  mlir::LLVM::LLVMFuncOp func;
  llvm::DenseMap<Value, Value> values;
  WaveState wave;
  Operation *prologueEnd = nullptr; ///< the entry block's terminator:
                                    ///< loop-invariant code goes before it
  Value base;                       ///< number of the block's first lane, i64
  Value remaining;                  ///< lanes from there on, i64
  Value mask;                       ///< active lanes
  Value blockMask;                  ///< those that there are in the block
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_EMITTER_H
