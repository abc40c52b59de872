// Latest levels of the ordered tasks that write and read each byte of memory. A level is the number of a set of tasks
// that may run at the same time; level 0 means no task.
//
//   bytes:     0x100 ........ 0x140 ........ 0x180            disjoint segments in the order of their addresses;
//   written:        1              4                          bytes outside of all segments were not accessed
//   read:           3              0                          reads since the latest write
//
// The segments are in groups of up to 32, and an array holds the groups in the order of their addresses. A search takes
// logarithmic time. An insertion moves a part of one group, and the array of groups only if a group must be split.
//
// Thread-safety: one thread at a time.
#ifndef CILK2GPU_RUNTIME_DEPEND_ACCESSMAP_H
#define CILK2GPU_RUNTIME_DEPEND_ACCESSMAP_H

#include "depend/DependMemory.h"

#include <stdint.h>

namespace cilk2gpu::rt {

/// Bytes that a task reads or writes. `end` is the address behind the last byte.
struct Access {
  uintptr_t begin, end;
  bool writes;
};

class AccessMap {
public:
  /// The map counts its memory in `memory`, which must live longer.
  explicit AccessMap(DependMemory *memory = nullptr) : memory(memory) {}
  ~AccessMap();
  AccessMap(const AccessMap &) = delete;

  /// Returns the latest level of the tasks with which the access conflicts.
  uint32_t latest(const Access &access) const;
  /// Records that a task of `level` makes the access. `level` must be larger than latest(access), or equal to it if the
  /// same task made the conflicting accesses.
  void add(const Access &access, uint32_t level);
  /// Forgets all accesses.
  void clear();

  uint64_t size() const;

private:
  static constexpr uint32_t kGroupSegments = 32;

  struct Segment {
    uintptr_t begin, end;
    uint32_t written, read;
  };
  struct Group {
    uint32_t count;
    Segment segments[kGroupSegments];
  };
  /// Position of a segment. The position behind all segments is {numGroups, 0}.
  struct Place {
    uint32_t group, index;
  };

  Place find(uintptr_t address) const;
  bool isEnd(Place place) const { return place.group == numGroups; }
  Segment &at(Place place) const { return groups[place.group]->segments[place.index]; }
  Place next(Place place) const;
  Place insert(Place place, const Segment &segment);
  void insertGroup(uint32_t index);
  void addGroup();
  void splitGroup(uint32_t index);
  void splitAt(uintptr_t address);
  void erase(Place first, uintptr_t end);
  void addRead(const Access &access, uint32_t level);
  void addWrite(const Access &access, uint32_t level);

  Group **groups = nullptr; ///< none of the first numGroups is empty; those behind them are kept for later use
  uint32_t numGroups = 0, numKept = 0, room = 0;
  DependMemory *const memory; ///< null: memory is not counted
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_DEPEND_ACCESSMAP_H
