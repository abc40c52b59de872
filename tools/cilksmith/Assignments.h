// Statements that change objects.
#ifndef CILK2GPU_TOOLS_CILKSMITH_ASSIGNMENTS_H
#define CILK2GPU_TOOLS_CILKSMITH_ASSIGNMENTS_H

#include "Body.h"

namespace cilksmith {

/// Writes assignments, folds of objects into the hash `h`, and atomic operations.
class Assignments : public Writer {
public:
  using Writer::Writer;

  void assignment();
  void fold();
  void atomic();
  void mutate(const std::vector<Piece> &pieces);
  void keep();
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_ASSIGNMENTS_H
