// For each byte of memory that the program has accessed, the accesses that later ones may race with.
//
//   address -> leaf of 4 MiB -> cell of 4 bytes -> up to two entries
//                                                | more entries       (list)
//                                                | a cell for each byte (split)
//
// An entry is a task, the number of an access in the program, and a lock set. The entries of a location are the list of
// the algorithm All-Sets: an access that races with anything before it races with an entry. Entries are left out that
// another entry stands for:
// - an entry that comes before the new access, with all its locks and possibly more;
// - a new access with all locks of a parallel entry, and possibly more.
//
// A list has at most 256 entries, so that the time of an access is bounded.
//
// With no locks and no atomics, these are the reader and the writer of SP-bags.
#ifndef CILK2GPU_RUNTIME_RACES_SHADOW_H
#define CILK2GPU_RUNTIME_RACES_SHADOW_H

#include "LockSets.h"
#include "TaskBags.h"

namespace cilk2gpu::races {

/// An access that the shadow remembers.
struct Entry {
  TaskId task;     ///< 0: none
  uint32_t access; ///< number of the access in the program
  LockSet locks;
};

/// Reports that `entry` and the access that runs now race.
using ReportRace = void (*)(void *context, uintptr_t at, const Entry &entry, const Entry &now);

class Shadow {
public:
  constexpr Shadow(TaskBags &strands, LockSets &locks, ReportRace report, void *context)
      : strands(strands), locks(locks), report(report), context(context) {}
  void open();

  /// Checks an access of `size` bytes, and remembers it.
  void access(uintptr_t at, size_t size, const Entry &now);
  /// Returns true if the aligned location of 4 bytes at `at` has an entry of `task` for the same access, and no entry
  /// that may race with it. The entry stands for a read without locks or, if not `reads`, for a write.
  bool isKnown(uintptr_t at, TaskId task, bool reads) const {
    const Cell *leaf = at >> kAddressBits ? nullptr : leaves[at / kLeafBytes];
    if (!leaf)
      return false;
    const Slot &first = leaf[at % kLeafBytes / kCellBytes].slots[0],
               &second = leaf[at % kLeafBytes / kCellBytes].slots[1];
    if (first.task == task && !second.task)
      return !(first.locks & ~LockSet(reads));
    // A write in the other slot is older than this task's read: a newer one would have removed the read. The task has
    // compared its read with the write.
    return reads && ((second.task == task && second.locks == kRead && !(first.locks & ~kRead) && first.task < kSplit) ||
                     (first.task == task && first.locks == kRead && !(second.locks & ~kRead)));
  }

  /// Forgets all accesses of these bytes.
  void clear(uintptr_t at, size_t size);

private:
  /// An entry in 8 bytes: the access has 30 bits, and the locks are properties only.
  struct Slot {
    TaskId task;
    uint32_t access : 30, locks : 2;
  };
  struct Cell {
    Slot slots[2];
  };
  /// An entry of a list.
  struct Link {
    Entry entry;
    uint32_t next; ///< index of the next link; 0: none
  };
  /// Values of `task` in the first slot. The second slot's task is then the index of the list or of the bytes.
  static constexpr TaskId kList = ~TaskId(0), kSplit = kList - 1;
  static constexpr unsigned kAddressBits = 47;
  static constexpr uintptr_t kLeafBytes = uintptr_t(1) << 22, kCellBytes = 4;

  Cell &cellOf(uintptr_t at);
  Cell *bytesOf(Cell &cell);
  void split(Cell &cell);
  void accessCell(Cell &cell, uintptr_t at, const Entry &now);
  bool accessSlots(Cell &cell, uintptr_t at, const Entry &now);
  void accessList(Cell &cell, uintptr_t at, const Entry &now);
  void accessBytes(uintptr_t at, size_t size, const Entry &now);
  void makeList(Cell &cell);
  void addLink(Cell &cell, const Entry &entry);
  void freeLinks(uint32_t link);
  void clearBytes(uintptr_t at, size_t size);
  void clearCells(Cell *first, size_t count);
  void clearCell(Cell &cell);

  TaskBags &strands;
  LockSets &locks;
  ReportRace report;
  void *context;
  Cell **leaves = nullptr;
  ReservedArray<Cell> bytes; ///< four for each cell that is split
  ReservedArray<Link> links;
  uint32_t freeLink = 0, freeBytes = 0;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_SHADOW_H
