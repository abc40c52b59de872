// Emits accesses to frames in columns (cilk2gpu/abi/Records.h). If the frames of a vector's lanes follow one another, a
// field is loaded and stored as contiguous vectors instead of being gathered and scattered. Each block of lanes tests
// this once.
//
// Lane i has the frame that follows lane 0's frame at distance `i`. Eight lanes form a group. A block of lanes begins
// with a group's first frame as long as each block before it took as many frames as it has lanes.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_FRAMEEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_FRAMEEMITTER_H

#include "LaneMemoryEmitter.h"

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu {

/// The frames of a vector's lanes. They follow one another if `holds` (i1) is true.
struct FrameRun {
  mlir::Value holds;
  mlir::Value first; ///< frame of lane 0
  /// Distances (i64) from `first` to the first frame of each group; 0 if no lane has a frame of the group.
  llvm::SmallVector<mlir::Value> groups;
};

/// A part of a field that lanes with a run of frames access.
struct FramePart {
  const FrameRun *run = nullptr; ///< null: there is no such part
  uint64_t distance = 0;         ///< offset of the field's first column, in bytes
  unsigned words = 1;            ///< words of the field
  uint64_t offset = 0;           ///< offset in the field, in bytes
  explicit operator bool() const { return run; }
};

class FrameEmitter : public BranchEmitter {
public:
  /// `frameColumns` has the size of the field in each column of the task's frames, and is empty if frames are not in
  /// columns.
  FrameEmitter(EmitState &state, LaneMemoryEmitter &laneMemory, llvm::ArrayRef<uint64_t> frameColumns)
      : BranchEmitter(state), laneMemory(laneMemory), frameColumns(frameColumns) {}

  bool hasColumns() const { return !frameColumns.empty(); }
  bool hasFrameRun(Value value) const;
  void noteFrames(Value got);
  Value takeInOrder(Location loc, Value free, Value count, llvm::function_ref<Value()> expand);
  void emitPlace(lane::PlaceOp op);
  Value placeInColumn(Location loc, Value frame, unsigned words);
  FramePart framePartOf(Value address, uint64_t size, bool isStore) const;
  void storeWords(Location loc, llvm::ArrayRef<Value> words, const FramePart &part);
  Value loadFromFrames(mlir::LLVM::LoadOp op);
  bool storeToFrames(mlir::LLVM::StoreOp op);

private:
  static bool isFrame(Value value);
  unsigned lanesOfGroup() const { return std::min<unsigned>(length, abi::kFrameGroup); }
  Value isPrefix(Location loc, Value lanes);
  void forEachGroup(Location loc, const FrameRun &run, int64_t distance,
                    llvm::function_ref<void(unsigned first, Value address, Value lanes)> body);
  Value loadColumn(Location loc, Type type, const FramePart &part);
  Value loadWords(Location loc, const FramePart &part);
  void storeColumn(Location loc, Value value, const FrameRun &run, int64_t distance);

  LaneMemoryEmitter &laneMemory;
  const llvm::SmallVector<uint64_t> frameColumns;
  llvm::DenseMap<Value, FrameRun> frameRuns;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_FRAMEEMITTER_H
