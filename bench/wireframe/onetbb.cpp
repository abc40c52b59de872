// The wavefront of Wavefront.h as a flow graph of oneTBB. The graph is built for each run; with BENCH_ONCE, before the
// first run.
#include "Wavefront.h"
#include <deque>
#include <memory>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

namespace flow = oneapi::tbb::flow;

class FlowGraph {
public:
  explicit FlowGraph(const Wavefront &wavefront) {
    unsigned side = wavefront.side;
    for (unsigned y = 0; y < side; ++y)
      for (unsigned x = 0; x < side; ++x) {
        nodes.emplace_back(graph, [wavefront, x, y](const flow::continue_msg &) { runNode(wavefront, x, y); });
        if (x > 0)
          flow::make_edge(nodes[nodes.size() - 2], nodes.back());
        if (y > 0)
          flow::make_edge(nodes[nodes.size() - 1 - side], nodes.back());
      }
  }

  void run() {
    nodes.front().try_put(flow::continue_msg());
    graph.wait_for_all();
  }

private:
  flow::graph graph;
  std::deque<flow::continue_node<flow::continue_msg>> nodes; // a deque never moves its elements
};

int main(int argc, char **argv) {
  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, threadsAskedFor());
  return measure(argc, argv, [](const Wavefront &wavefront) {
#ifdef BENCH_ONCE
    return [graph = std::make_shared<FlowGraph>(wavefront)] { graph->run(); };
#else
    return [wavefront] { FlowGraph(wavefront).run(); };
#endif
  });
}
