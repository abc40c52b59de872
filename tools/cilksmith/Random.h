// The generator's source of randomness: splitmix64. A seed gives the same program on every platform and with every
// standard library.
#ifndef CILK2GPU_TOOLS_CILKSMITH_RANDOM_H
#define CILK2GPU_TOOLS_CILKSMITH_RANDOM_H

#include <cstdint>
#include <vector>

namespace cilksmith {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Returns a number in [0, limit); limit is at least 1.
  unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }

  /// Returns a number in [low, high].
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }

  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

private:
  uint64_t state;
};

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_RANDOM_H
