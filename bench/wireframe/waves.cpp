// The wavefront of Wavefront.h as a cilk_for for each anti-diagonal: a barrier between waves, and no graph. With
// BENCH_ARRAYS, the nodes of each wave come from an array that is made once, as in graphs without a regular shape.
#include "Wavefront.h"
#include <algorithm>
#include <cilk/cilk.h>

#ifdef BENCH_ARRAYS

struct Waves {
  std::vector<uint32_t> nodes; ///< in the order of their waves
  std::vector<size_t> starts;  ///< of each wave in `nodes`

  explicit Waves(unsigned side) {
    for (unsigned wave = 0; wave < 2 * side - 1; ++wave) {
      starts.push_back(nodes.size());
      for (unsigned x = wave < side ? 0 : wave - side + 1; x <= std::min(wave, side - 1); ++x)
        nodes.push_back((wave - x) * side + x);
    }
    starts.push_back(nodes.size());
  }
};

static void runWaves(const Wavefront &wavefront, const Waves &waves) {
  for (size_t wave = 0; wave + 1 < waves.starts.size(); ++wave) {
    cilk_for(size_t i = waves.starts[wave]; i < waves.starts[wave + 1]; ++i) {
      runNode(wavefront, waves.nodes[i] % wavefront.side, waves.nodes[i] / wavefront.side);
    }
  }
}

int main(int argc, char **argv) {
  return measure(argc, argv, [](const Wavefront &wavefront) {
    return [wavefront, waves = Waves(wavefront.side)] { runWaves(wavefront, waves); };
  });
}

#else

static void runWaves(const Wavefront &wavefront) {
  unsigned side = wavefront.side;
  for (unsigned wave = 0; wave < 2 * side - 1; ++wave) {
    unsigned first = wave < side ? 0 : wave - side + 1, last = std::min(wave, side - 1);
    cilk_for(unsigned x = first; x <= last; ++x) { runNode(wavefront, x, wave - x); }
  }
}

int main(int argc, char **argv) {
  return measure(argc, argv, [](const Wavefront &wavefront) { return [wavefront] { runWaves(wavefront); }; });
}

#endif
