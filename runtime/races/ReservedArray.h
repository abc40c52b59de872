// An array in address space that is reserved at once. Pages get memory when they are written first, so elements never
// move. Not for several threads.
#ifndef CILK2GPU_RUNTIME_RACES_RESERVEDARRAY_H
#define CILK2GPU_RUNTIME_RACES_RESERVEDARRAY_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::races {

/// Reserves address space. Ends the program if there is none.
void *reserve(size_t bytes);

/// `Element` has no constructor: new elements are zero.
template <typename Element> class ReservedArray {
public:
  /// Reserves space for `most` elements.
  void open(size_t most) {
    elements = static_cast<Element *>(reserve(most * sizeof(Element)));
    capacity = most;
  }
  /// Adds an element, and returns its index.
  uint32_t add(const Element &element) {
    if (count == capacity)
      full();
    elements[count] = element;
    return uint32_t(count++);
  }
  void pop() { --count; }
  void shrink(size_t newCount) { count = newCount; }
  Element &operator[](size_t index) { return elements[index]; }
  const Element &operator[](size_t index) const { return elements[index]; }
  Element &back() { return elements[count - 1]; }
  size_t size() const { return count; }
  Element *begin() { return elements; }
  Element *end() { return elements + count; }

private:
  [[noreturn]] void full();

  Element *elements = nullptr;
  size_t count = 0, capacity = 0;
};

/// Ends the program with a message.
[[noreturn]] void stop(const char *message, ...) __attribute__((format(printf, 1, 2)));
/// Writes a warning.
void warn(const char *message);
/// Writes a text to standard error without allocating memory.
void writeError(const char *format, ...) __attribute__((format(printf, 1, 2)));

template <typename Element> void ReservedArray<Element>::full() {
  stop("the race detector has more than %zu records; use a smaller input", capacity);
}

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_RESERVEDARRAY_H
