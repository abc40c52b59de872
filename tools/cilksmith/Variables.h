// Declarations of local variables, arrays, heap blocks and pointers.
#ifndef CILK2GPU_TOOLS_CILKSMITH_VARIABLES_H
#define CILK2GPU_TOOLS_CILKSMITH_VARIABLES_H

#include "Body.h"

namespace cilksmith {

/// Declares objects, and adds them to the objects that the body can name.
class Variables : public Writer {
public:
  using Writer::Writer;

  void declaration();
  void heapBlock();
  /// Each of these returns the index of an object.
  int newLocal(const Type &type);
  int newArray(unsigned count, const Type &type);
  std::optional<int> elementObject(unsigned count);
  /// Each of these returns an object that the body cannot name yet.
  Object filledArray(const Type &element, unsigned count);
  Object updatedScalar();

private:
  void dynamicArray(const Object &array);
  bool elementPointer();
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_VARIABLES_H
