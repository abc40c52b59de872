// The graph of Irregular.h as a flow graph of oneTBB. The graph is built for each run.
#include "Irregular.h"
#include <deque>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

namespace flow = oneapi::tbb::flow;

int main(int argc, char **argv) {
  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, threadsAskedFor());
  return measureIrregular(argc, argv, [](const Irregular &graph) {
    return [&graph](const IrregularRun &run) {
      flow::graph flow;
      std::deque<flow::continue_node<flow::continue_msg>> nodes; // a deque never moves its elements
      for (uint32_t node = 0; node < graph.nodes; ++node) {
        nodes.emplace_back(flow, [run, node](const flow::continue_msg &) { runNode(run, node); });
        for (uint32_t i = graph.firstParent[node]; i < graph.firstParent[node + 1]; ++i)
          flow::make_edge(nodes[graph.parents[i]], nodes.back());
      }
      nodes.front().try_put(flow::continue_msg());
      flow.wait_for_all();
    };
  });
}
