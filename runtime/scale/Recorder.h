// Follows a serial elision through its hooks (cilk2gpu/abi/StrandHooks.h). Finds work and span of the program and of
// its parts, and the elements that a levelized run would dispatch.
//
//   Recorder recorder;
//   recorder.spawn(&site, now); ... recorder.childReturn(now);    `now`: instructions executed so far
//
// Work is the number of instructions. Span is the number of instructions on the longest path. The burdened span also
// counts a cost for each move of work between workers: at the continuation of a spawn, and at the return of a child.
//
//   spawn, sync   beside = max(beside, along + span of child);  sync: along = max(along, beside)
//   plain call    along = along + span of function
//
// Thread-safety: one thread.
#ifndef CILK2GPU_RUNTIME_SCALE_RECORDER_H
#define CILK2GPU_RUNTIME_SCALE_RECORDER_H

#include "scale/Batches.h"
#include "scale/Names.h"

namespace cilk2gpu::rt::scale {

/// A path through strands.
struct Path {
  uint64_t span, burdened;
  uint64_t by[Names::kTracked]; ///< the span's share of each part
};

/// Work and span up to a point of the program.
struct Point {
  uint64_t work, span, burdened;
};

class Recorder {
public:
  explicit Recorder(uint64_t burden);

  uint32_t enter(const Site *site, uint64_t now);
  /// Ends a function. If it has a result, a kernel delivers the result behind the implied sync.
  void leave(uint32_t function, bool hasResult, uint64_t now);
  void leaveInnermost(bool hasResult, uint64_t now);
  void unwind(uint32_t function, uint32_t loops, uint64_t now);
  void spawn(const Site *site, uint64_t now);
  void childReturn(uint64_t now);
  /// The function waits, and a kernel runs behind the wait, also if there was nothing to wait for.
  void sync(const Site *site, uint64_t now);
  /// The function waits before it returns a result. It needs a kernel if there was something to wait for.
  void syncAtReturn(const Site *site, uint64_t now);
  /// The function waits, and then ends. No kernel runs behind the wait.
  void syncAtEnd(uint64_t now);
  void loop(const Site *site, uint64_t trips, uint64_t now);
  void iteration(uint64_t index, uint64_t now);
  void loopEnd(uint64_t now);

  /// Returns work and span up to now.
  Point point(uint64_t now);

  /// Ends all parts, at the end of the program.
  void finish(uint64_t now);

  Names names;
  Batches batches;

private:
  enum class Kind : uint8_t { Outside, Function, Child, Loop, Iteration };

  /// A part that has begun and not ended.
  struct Frame {
    Kind kind;
    bool ownsTask;  ///< the task ends with the frame
    bool isFresh;   ///< Child: no function has begun in it
    uint32_t part;  ///< 0: Outside
    uint32_t owner; ///< the part that strands count for
    uint32_t calls; ///< the part of the plain call that the frame is, else 0
    const Site *site;
    uint64_t work, local;
    Path along, beside;
    uint64_t trips, grain;                     ///< Loop
    uint64_t chunkFirst, chunkEnd, chunkDepth; ///< Loop: iterations of the task that runs
    uint64_t chunkBurdened;                    ///< Loop: burdened span of these iterations so far
  };

  /// A task, or the ordinary code around all tasks (batch kOutside).
  struct Task {
    uint32_t batch, round, part;
    bool isCounted;   ///< its first kernel is counted
    bool hasSpawned;  ///< since the last sync
    uint32_t waitsIn; ///< plain call whose end it waits for, else 0
  };

  void charge(uint64_t now);
  Frame &push(Kind kind, const Site *site, uint32_t part, uint32_t owner);
  void join(Frame &frame);
  void endTask();
  void beginTask(uint32_t part, bool isKnown);
  void name(Task &task, uint32_t part);
  void settle();
  void advance(const Site *after, uint32_t call);
  void endPart(uint32_t part, uint64_t work, const Path &path);
  void endFrame();
  void endFunction(bool hasResult, uint64_t now);
  void endIteration();
  void endChunk(Frame &loop);
  void beginChunk(Frame &loop, uint64_t index);
  void countRange(uint32_t part, uint32_t batch, uint64_t trips, uint64_t grain);
  void add(Path &to, const Path &more) const;
  void raise(Path &to, const Path &other) const;
  uint32_t slots() const { return names.parts.size() < Names::kTracked ? names.parts.size() : Names::kTracked; }

  const uint64_t burden;
  uint64_t last = 0; ///< instructions at the last hook
  Growing<Frame> frames;
  Growing<Task> tasks;
};

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_RECORDER_H
