// The wavefront of Wavefront.h as a cilk_for for each anti-diagonal: a barrier between waves, and no graph.
#include "Wavefront.h"
#include <algorithm>
#include <cilk/cilk.h>

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
