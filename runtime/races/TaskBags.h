// Which parts of the program may run in parallel, by the algorithm SP-bags (Feng and Leiserson, "Efficient detection of
// determinacy races in Cilk programs", SPAA 1997).
//
// A *task* is a spawned child or an iteration of a cilk_for; the program itself is task 1. The elision runs tasks one
// after the other. The tasks that have run or are running form sets, and each set is an S-bag or a P-bag:
//
//   S-bag: all that its tasks have done so far comes before the access that runs now
//   P-bag: its tasks run in parallel with the access that runs now
//
// A frame is a function with keywords, or a loop. It has a P-bag with its children that have ended. Accesses of a frame
// belong to the task that the frame is part of.
#ifndef CILK2GPU_RUNTIME_RACES_TASKBAGS_H
#define CILK2GPU_RUNTIME_RACES_TASKBAGS_H

#include "ReservedArray.h"
#include "Views.h"
#include "cilk2gpu/abi/StrandHooks.h"

namespace cilk2gpu::races {

using TaskId = uint32_t; ///< 0: none

/// A task. Its spawn stack is the chain of its parents.
struct Task {
  uint32_t link;     ///< the parent in the tree of the task's set, or kRoot with the kind of bag
  TaskId parent;     ///< the task that spawned this one
  uint32_t site;     ///< number of the spawn's or loop's site
  uint32_t position; ///< the iteration's number, as far as it has 32 bits
};

class TaskBags {
public:
  void open();

  Views views; ///< of reducers

  TaskId current() const { return running; }
  /// Returns true if the accesses of `task` so far may run in parallel with the access that runs now.
  bool isParallel(TaskId task) {
    while (!(tasks[task].link & kRoot)) {
      uint32_t next = tasks[task].link;
      if (!(tasks[next].link & kRoot))
        tasks[task].link = tasks[next].link; // halves the path
      task = next;
    }
    return tasks[task].link & kParallel;
  }
  const Task &task(TaskId id) const { return tasks[id]; }
  const Cilk2gpuSite &site(uint32_t number) const { return *sites[number]; }

  uint32_t enter();
  void leave(uint32_t frame);
  void unwind(uint32_t frame, uint32_t loops);
  void spawn(const Cilk2gpuSite *site);
  void endChild();
  void sync();
  void beginLoop(const Cilk2gpuSite *site);
  void beginIteration(uint64_t index);
  void endLoop();
  /// Ends the life of a reducer. Children that have ended may have views of it that no sync has joined.
  void removeReducer(void *key);

private:
  /// The link of a root: this bit, twice the root's rank, and the kind of bag.
  static constexpr uint32_t kRoot = 0x80000000, kParallel = 1;

  enum class Kind : uint8_t { Function, Child, Loop };
  /// A part of the program that has begun and has not ended.
  struct Part {
    Kind kind;
    bool inIteration; ///< of a loop: one of its iterations runs
    TaskId outer;     ///< the task that runs outside of the part
    TaskId children;  ///< P-bag of the function or of the iteration that runs: its root, or 0
    TaskId done;      ///< P-bag of the loop's iterations: its root, or 0
    uint32_t site;
    ViewSet childViews; ///< of the children
    ViewSet doneViews;  ///< of the iterations
  };

  uint32_t numberOf(const Cilk2gpuSite *site);
  TaskId rootOf(TaskId task) const;
  /// Unites two bags, of which one may be empty (0), to one of this kind. Returns its root.
  TaskId unite(TaskId left, TaskId right, uint32_t kind);
  void startTask(TaskId parent, uint32_t site, uint32_t position);
  /// Ends the task that runs. Its set joins the P-bag `to`.
  void endTask(TaskId outer, TaskId &to, ViewSet &views);
  void waitFor(TaskId &children, ViewSet &views);
  void endIteration(Part &loop);
  void endPart();
  /// Returns the function or loop whose code runs.
  Part &frame();

  ReservedArray<Task> tasks;
  ReservedArray<const Cilk2gpuSite *> sites;
  ReservedArray<Part> parts;
  TaskId running = 0;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_TASKBAGS_H
