// Views of reducers in a program that runs on one thread. Each strand behind the end of a child has views of its own,
// as if another worker had stolen it. So strands that may run in parallel access different views.
//
//   cilk_spawn f();   f uses the views of the strand in front of it
//   g();              uses new views, which start as identities
//   cilk_sync;        the views of both are joined, the left ones first
//
// The leftmost view of a reducer is the reducer itself.
#ifndef CILK2GPU_RUNTIME_RACES_VIEWS_H
#define CILK2GPU_RUNTIME_RACES_VIEWS_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::races {

using Identity = void (*)(void *view);
using Reduce = void (*)(void *left, void *right);

/// The view that some strands have of one reducer.
struct View {
  void *key; ///< the reducer
  void *memory;
  Reduce reduce;
  View *next;
};

/// The views of strands that follow one another.
struct ViewSet {
  View *first = nullptr;
  bool isLeftmost = false; ///< a reducer that is not in the set has its leftmost view here
  bool isUsed = false;     ///< the set stands for strands; else it is empty
};

/// A reducer while its views are taken out of the sets, from the strand that runs to the left.
struct Removal {
  View view = {};      ///< the view of the strands so far; without memory if they have none
  bool isDone = false; ///< all views are reduced to the reducer itself
};

class Views {
public:
  /// Number of functions that run in which accesses are not checked.
  uint32_t pauses = 0;

  void open() { current.isLeftmost = current.isUsed = true; }
  void *lookup(void *key, size_t size, Identity identity, Reduce reduce);
  /// Makes the reducer's own memory the view of the strand that runs.
  void add(void *key, Reduce reduce);
  /// Takes the reducer's view out of the strand that runs, in order to remove the reducer.
  Removal beginRemoval(void *key) { return take(current, key, {}); }
  /// Takes a view out of the set of strands left of the taken ones, and joins them.
  Removal take(ViewSet &set, void *key, Removal removal);

  /// A child has ended: its views join `ended`, the views of the children before it. The next strand has none.
  void endChild(ViewSet &ended);
  /// The strand that runs waits for children: their views are left of its own.
  void wait(ViewSet &ended);

private:
  void join(ViewSet &left, ViewSet &right);

  ViewSet current;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_VIEWS_H
