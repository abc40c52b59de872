// The wavefront of Wavefront.h as a graph of Taskflow. The graph is built for each run; with BENCH_ONCE, before the first
// run.
#include "Wavefront.h"
#include <memory>
#include <taskflow/taskflow.hpp>

static tf::Executor &executor() {
  static tf::Executor result(threadsAskedFor());
  return result;
}

class FlowGraph {
public:
  explicit FlowGraph(const Wavefront &wavefront) {
    unsigned side = wavefront.side;
    std::vector<tf::Task> tasks;
    tasks.reserve(static_cast<size_t>(side) * side);
    for (unsigned y = 0; y < side; ++y)
      for (unsigned x = 0; x < side; ++x) {
        tasks.push_back(graph.emplace([wavefront, x, y] { runNode(wavefront, x, y); }));
        if (x > 0)
          tasks[tasks.size() - 2].precede(tasks.back());
        if (y > 0)
          tasks[tasks.size() - 1 - side].precede(tasks.back());
      }
  }

  void run() { executor().run(graph).wait(); }

private:
  tf::Taskflow graph;
};

int main(int argc, char **argv) {
  return measure(argc, argv, [](const Wavefront &wavefront) {
#ifdef BENCH_ONCE
    return [graph = std::make_shared<FlowGraph>(wavefront)] { graph->run(); };
#else
    return [wavefront] { FlowGraph(wavefront).run(); };
#endif
  });
}
