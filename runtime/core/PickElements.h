// Changes the order of elements that wait in a channel, so that the elements to run next are the first ones.
//
// Thread-safety: none; the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_PICKELEMENTS_H
#define CILK2GPU_RUNTIME_CORE_PICKELEMENTS_H

#include "core/Generator.h"
#include "core/LevelState.h"

namespace cilk2gpu::rt {

/// Two waiting pre-sync elements change places; both are counted from the first element.
void swapElements(TaskLevel &state, uint64_t a, uint64_t b);

/// Puts `lanes` of the first `among` elements in front, picked at random.
void pickElements(TaskLevel &state, Generator &random, uint64_t lanes, uint64_t among);

/// Puts `lanes` neighbours of the first `among` elements in front, from a place picked at random: neighbours often
/// touch memory that is near.
void pickNeighbours(TaskLevel &state, Generator &random, uint64_t lanes, uint64_t among);

/// Turns the waiting elements round, unless they were turned round before. The caller takes the first element.
void reverseElements(TaskLevel &state);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_PICKELEMENTS_H
