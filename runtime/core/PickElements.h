// Changes the order of elements that wait in a channel, so that the elements to run next are the first ones.
//
// Thread-safety: none; the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_PICKELEMENTS_H
#define CILK2GPU_RUNTIME_CORE_PICKELEMENTS_H

#include "core/Generator.h"
#include "core/LevelState.h"

namespace cilk2gpu::rt {

/// Swaps two waiting pre-sync elements; `a` and `b` count from the first element.
void swapElements(TaskLevel &state, uint64_t a, uint64_t b);

/// Moves a waiting element to the front; the elements before it keep their order.
void moveToFront(TaskLevel &state, uint64_t element);

/// Moves `lanes` elements to the front, picked at random from the first `among` elements.
void pickElements(TaskLevel &state, Generator &random, uint64_t lanes, uint64_t among);

/// Moves `lanes` neighbours to the front, from a random place among the first `among` elements. Neighbours often touch
/// memory that is close together.
void pickNeighbours(TaskLevel &state, Generator &random, uint64_t lanes, uint64_t among);

/// Reverses the waiting elements, unless they are reversed already. The caller takes the first element.
void reverseElements(TaskLevel &state);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_PICKELEMENTS_H
