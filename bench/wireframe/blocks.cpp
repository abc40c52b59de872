// The wavefront of Wavefront.h as a dependency graph of thread blocks. The graph comes from a mapping function at each
// launch; with BENCH_ARRAYS, from arrays that are made once. With BENCH_LVL, the policy is LVL with a bound of 3.
#include "Wavefront.h"
#include <cilk2gpu/Wireframe.h>

#ifdef BENCH_ARRAYS

struct Arrays {
  std::vector<uint64_t> starts{0};
  std::vector<uint32_t> children;

  explicit Arrays(unsigned side) {
    for (uint32_t node = 0; node < side * side; ++node) {
      if (node % side + 1 < side)
        children.push_back(node + 1);
      if (node / side + 1 < side)
        children.push_back(node + side);
      starts.push_back(children.size());
    }
  }
};

__WF__ void node(Wavefront wavefront) { runNode(wavefront, blockIdx.x % wavefront.side, blockIdx.x / wavefront.side); }

int main(int argc, char **argv) {
  return measure(argc, argv, [](const Wavefront &wavefront) {
    return [wavefront, arrays = Arrays(wavefront.side)] {
      wf::launch(wf::Graph(arrays.starts.size() - 1, arrays.starts, arrays.children), dim3(1), node, wavefront);
    };
  });
}

#else

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
#ifdef BENCH_LVL
  WF::SetPolicy(WF::LVL, 3);
#endif
}

__WF__ void node(Wavefront wavefront) { runNode(wavefront, blockIdx.x, blockIdx.y); }

int main(int argc, char **argv) {
  return measure(argc, argv, [](const Wavefront &wavefront) {
    return [wavefront] { wf::launch(dim3(wavefront.side, wavefront.side), dim3(1), links, node, wavefront); };
  });
}

#endif
