// The wavefront of Wavefront.h as OpenMP tasks with `depend`. OpenMP builds the graph anew in each run.
#include "Wavefront.h"

static void runTasks(const Wavefront &wavefront) {
#pragma omp parallel
#pragma omp single
  for (unsigned y = 0; y < wavefront.side; ++y)
    for (unsigned x = 0; x < wavefront.side; ++x) {
      uint32_t *own = wavefront.at(x, y), *above = own - wavefront.side - 1, *left = own - 1;
      (void)above, (void)left;
#pragma omp task depend(in : *above, *left) depend(out : *own) firstprivate(wavefront, x, y)
      runNode(wavefront, x, y);
    }
}

int main(int argc, char **argv) {
  return measure(argc, argv, [](const Wavefront &wavefront) { return [wavefront] { runTasks(wavefront); }; });
}
