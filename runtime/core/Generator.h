// Random numbers whose sequence is the same everywhere (splitmix64). Thread-safety: none. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_GENERATOR_H
#define CILK2GPU_RUNTIME_CORE_GENERATOR_H

#include <stdint.h>

namespace cilk2gpu::rt {

class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t limit) { return uint64_t((unsigned __int128)next() * limit >> 64); }

private:
  uint64_t state;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_GENERATOR_H
