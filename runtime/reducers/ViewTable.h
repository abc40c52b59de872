// The views of one or several neighbouring strands: at most one view for each reducer. A table of at most one
// view has no memory of its own.
//
//   ViewTable left, right;
//   left.absorb(right);   // each view of `right` is reduced into the view of `left`, or moves to `left`
//
// Thread-safety: none; a table belongs to one thread at a time (Activation.h).
#ifndef CILK2GPU_RUNTIME_REDUCERS_VIEWTABLE_H
#define CILK2GPU_RUNTIME_REDUCERS_VIEWTABLE_H

#include "cilk2gpu/abi/StrandViews.h"

namespace cilk2gpu::rt::reducers {

/// One view of the reducer at `key`. The first view of a reducer is the reducer itself: then `memory` is `key`.
struct View {
  void *key = nullptr; ///< null: an empty entry of a table
  void *memory = nullptr;
  __cilk2gpu_reduce reduce = nullptr;
  size_t bytes = 0; ///< of `memory`

  bool isReducer() const { return memory == key; }
};

/// Makes a view with the value of `identity`.
View makeView(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce);

/// Reduces `right` to the view at `left`, and frees its memory.
void reduceInto(void *left, const View &right);

class ViewTable {
public:
  ViewTable() = default;
  ~ViewTable();
  ViewTable(const ViewTable &) = delete;

  bool isEmpty() const { return count == 0; }
  uint32_t size() const { return count; }

  /// Returns the view of a reducer, or null.
  View *find(const void *key) { return single.key == key ? &single : findEntry(key); }
  /// Adds a view. The table has no view of the reducer.
  void add(const View &view);
  /// Takes the view of a reducer out of the table. Returns a view without a key if there is none.
  View take(const void *key);
  /// Reduces all views of `right`, whose strands come later in serial order, to the views of this table. `right` is
  /// empty afterwards.
  void absorb(ViewTable &right);
  /// Reduces all views to the reducers themselves. The table is empty afterwards.
  void reduceToReducers();

private:
  uint32_t slotOf(const void *key) const;
  View *findEntry(const void *key);
  void addEntry(const View &view);
  View takeEntry(View *found);
  void grow();
  template <typename Use> void takeAll(Use use);
  void swap(ViewTable &other);
  uint32_t used() const { return count - (single.key != nullptr); }

  View single;             ///< the first view; most tables have no other
  View *entries = nullptr; ///< [capacity], the other views, by open addressing
  uint32_t capacity = 0;   ///< 0 or a power of two, at least twice the used entries
  uint32_t count = 0;      ///< views, with `single`
};

} // namespace cilk2gpu::rt::reducers

#endif // CILK2GPU_RUNTIME_REDUCERS_VIEWTABLE_H
