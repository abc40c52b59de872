// The stack of the thread that starts the program. Functions that run on another stack (sigaltstack, makecontext) do
// not count: their frames are anywhere in memory.
#ifndef CILK2GPU_RUNTIME_RACES_MAINSTACK_H
#define CILK2GPU_RUNTIME_RACES_MAINSTACK_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::races {

class MainStack {
public:
  void open();
  bool has(uintptr_t at) const { return at - low < bytes; }
  /// Notes an access, made by a function whose frame is at `frame`.
  void touch(uintptr_t at, uintptr_t frame) {
    if (at < lowestTouched && at > frame && has(frame))
      lowestTouched = at;
  }
  /// Starts again at `live`, an address of the stack. Returns the lowest address that was accessed.
  uintptr_t leaveFrames(uintptr_t live) {
    uintptr_t lowest = lowestTouched;
    lowestTouched = live;
    return lowest;
  }

private:
  uintptr_t low = 0;
  size_t bytes = 0;
  uintptr_t lowestTouched = 0;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_MAINSTACK_H
