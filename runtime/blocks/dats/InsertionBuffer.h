// The node insertion buffer of the modelled scheduler: Wireframe, MICRO 2017, section 4.2.2. It holds the chunk that
// was fetched last. Its nodes wait here until the local arrays have space for them, and no other chunk is fetched
// meanwhile.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_INSERTIONBUFFER_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_INSERTIONBUFFER_H

#include <stdint.h>

namespace cilk2gpu::rt {

class InsertionBuffer {
public:
  bool isEmpty() const { return first == end; }
  /// The waiting node with the smallest ID.
  uint64_t front() const { return first; }

  /// Takes the chunk of nodes from `firstNode` to before `endNode`. The buffer is empty.
  void hold(uint64_t firstNode, uint64_t endNode) { first = firstNode, end = endNode; }
  void removeFront() { ++first; }

private:
  uint64_t first = 0, end = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_INSERTIONBUFFER_H
