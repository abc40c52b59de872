// Copies of memory by memcpy.
#ifndef CILK2GPU_TOOLS_CILKSMITH_COPIES_H
#define CILK2GPU_TOOLS_CILKSMITH_COPIES_H

#include "Body.h"

namespace cilksmith {

/// Writes copies of structs and arrays as bytes.
class Copies : public Writer {
public:
  using Writer::Writer;

  /// Returns false if no object can be copied.
  bool copy();

private:
  bool isCopied(const Object &object) const;
  int variableOf(int object) const;
  std::optional<Piece> copyTarget(const Piece &source, unsigned count);
  std::string copyAside(const std::string &from, const std::string &bytes);
  void reinterpret(const Piece &source, unsigned count);
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_COPIES_H
