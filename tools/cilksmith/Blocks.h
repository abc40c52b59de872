// Spawned blocks and expressions, and scopes.
#ifndef CILK2GPU_TOOLS_CILKSMITH_BLOCKS_H
#define CILK2GPU_TOOLS_CILKSMITH_BLOCKS_H

#include "Body.h"

namespace cilksmith {

/// Writes spawned blocks (`cilk_spawn { ... }`), spawned assignments, and scopes (`cilk_scope { ... }`).
///
/// A spawned block gets some objects to write and some to read, until the next sync. It also reads variables that its
/// function changes afterwards, such as a copy of `h`: the block has their values from the spawn.
class Blocks : public Writer {
public:
  using Writer::Writer;

  void spawnedBlock();
  void scope();

private:
  void declareRead();
  void change(int from);
  State lend(State &after);
  void spawnedPart();
  void blockBody(const std::string &kept);
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_BLOCKS_H
