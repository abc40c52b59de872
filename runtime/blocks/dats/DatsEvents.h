// The events of the modelled machine for block graphs, in the order of their times. Events of one time keep the order
// in which they were added, so a run is the same everywhere.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSEVENTS_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSEVENTS_H

#include "blocks/dats/DatsArray.h"

namespace cilk2gpu::rt {

enum class DatsEventKind : uint8_t {
  BlockEnds,    ///< a block has run
  SpillArrives, ///< global memory has answered the completion of a block
  LoadArrives   ///< the nodes or edges of a chunk are there
};

struct DatsEvent {
  uint64_t time, order, node;
  DatsEventKind kind;

  bool isBefore(const DatsEvent &other) const { return time != other.time ? time < other.time : order < other.order; }
};

/// A binary heap of at most `capacity` events.
class DatsEvents {
public:
  explicit DatsEvents(uint64_t capacity) : heap(capacity) {}

  bool isEmpty() const { return count == 0; }
  const DatsEvent &first() const { return heap[0]; }

  void add(uint64_t time, DatsEventKind kind, uint64_t node) {
    DatsEvent event = {.time = time, .order = nextOrder++, .node = node, .kind = kind};
    uint64_t place = count++;
    for (; place && event.isBefore(heap[(place - 1) / 2]); place = (place - 1) / 2)
      heap[place] = heap[(place - 1) / 2];
    heap[place] = event;
  }

  DatsEvent takeFirst() {
    DatsEvent first = heap[0], last = heap[--count];
    uint64_t place = 0;
    for (uint64_t child = 1; child < count; child = 2 * place + 1) {
      if (child + 1 < count && heap[child + 1].isBefore(heap[child]))
        ++child;
      if (!heap[child].isBefore(last))
        break;
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = last;
    return first;
  }

private:
  DatsArray<DatsEvent> heap;
  uint64_t count = 0, nextOrder = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSEVENTS_H
