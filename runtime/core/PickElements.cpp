// See PickElements.h.
#include "core/PickElements.h"

namespace cilk2gpu::rt {

void swapElements(TaskLevel &state, uint64_t a, uint64_t b) {
  OwnedChannel &channel = state.pre;
  for (uint32_t f = 0; f < state.task->element.numFields; ++f) {
    uint64_t size = state.task->element.fields[f].size;
    char *column = static_cast<char *>(channel.cursor.columns[f]) + channel.head * size;
    char *x = column + a * size, *y = column + b * size;
    for (uint64_t i = 0; i < size; ++i) {
      char kept = x[i];
      x[i] = y[i];
      y[i] = kept;
    }
  }
}

void moveToFront(TaskLevel &state, uint64_t element) {
  OwnedChannel &channel = state.pre;
  for (uint32_t f = 0; element && f < state.task->element.numFields; ++f) {
    uint64_t size = state.task->element.fields[f].size;
    char *first = static_cast<char *>(channel.cursor.columns[f]) + channel.head * size;
    for (uint64_t done = 0; done < size;) {
      char kept[64];
      uint64_t part = size - done < sizeof kept ? size - done : sizeof kept;
      // Elements that fit into `kept` move at once, larger ones part by part.
      char *taken = first + element * size + done;
      __builtin_memcpy(kept, taken, part);
      if (part == size)
        __builtin_memmove(first + size, first, element * size);
      else
        for (uint64_t i = element; i; --i)
          __builtin_memcpy(first + i * size + done, first + (i - 1) * size + done, part);
      __builtin_memcpy(first + done, kept, part);
      done += part;
    }
  }
}

void pickElements(TaskLevel &state, Generator &random, uint64_t lanes, uint64_t among) {
  for (uint64_t i = 0; i < lanes; ++i)
    swapElements(state, i, i + random.below(among - i));
}

void pickNeighbours(TaskLevel &state, Generator &random, uint64_t lanes, uint64_t among) {
  uint64_t start = random.below(among - lanes + 1);
  for (uint64_t i = 0; start && i < lanes; ++i)
    swapElements(state, i, start + i);
}

void reverseElements(TaskLevel &state) {
  // No element is spawned here before all reversed elements are done.
  uint64_t size = state.pre.size();
  for (uint64_t i = 0; state.turned != size && i < size / 2; ++i)
    swapElements(state, i, size - 1 - i);
  state.turned = uint32_t(size - 1);
}

} // namespace cilk2gpu::rt
