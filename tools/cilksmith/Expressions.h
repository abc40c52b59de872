// Text of expressions. It has type u64 if no other type is given.
#ifndef CILK2GPU_TOOLS_CILKSMITH_EXPRESSIONS_H
#define CILK2GPU_TOOLS_CILKSMITH_EXPRESSIONS_H

#include "Body.h"

namespace cilksmith {

/// Writes expressions, initializers and conversions.
class Expressions : public Writer {
public:
  using Writer::Writer;

  std::string expression(int depth);
  std::string constant();
  std::string condition();
  std::string read(const std::string &lvalue, Scalar scalar) const;
  std::string value(Scalar scalar, int depth, unsigned bits = 0);
  /// Converts an expression of type u64 to the scalar's type.
  std::string converted(Scalar scalar, std::string from, unsigned bits = 0);
  std::string structValue(int structure, Need need = Need::Read);
  std::string initializer(const Type &type);

private:
  std::string term();
  std::string callTerm();
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_EXPRESSIONS_H
