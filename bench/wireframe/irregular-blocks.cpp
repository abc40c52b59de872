// The graph of Irregular.h as a dependency graph of thread blocks. Each launch builds it from arrays.
#include "Irregular.h"
#include <cilk2gpu/Wireframe.h>

__WF__ void node(IrregularRun run) { runNode(run, blockIdx.x); }

int main(int argc, char **argv) {
  return measureIrregular(argc, argv, [](const Irregular &graph) {
    return [&graph](const IrregularRun &run) {
      wf::Graph nodes(graph.nodes, graph.starts, graph.children);
#ifdef BENCH_LVL
      nodes.policy(WF::LVL, 3);
#endif
      wf::launch(nodes, dim3(1), node, run);
    };
  });
}
