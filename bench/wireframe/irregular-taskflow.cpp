// The graph of Irregular.h as a graph of Taskflow. The graph is built for each run.
#include "Irregular.h"
#include <taskflow/taskflow.hpp>

int main(int argc, char **argv) {
  tf::Executor executor(threadsAskedFor());
  return measureIrregular(argc, argv, [&](const Irregular &graph) {
    return [&](const IrregularRun &run) {
      tf::Taskflow flow;
      std::vector<tf::Task> tasks;
      tasks.reserve(graph.nodes);
      for (uint32_t node = 0; node < graph.nodes; ++node) {
        tasks.push_back(flow.emplace([run, node] { runNode(run, node); }));
        for (uint32_t i = graph.firstParent[node]; i < graph.firstParent[node + 1]; ++i)
          tasks[graph.parents[i]].precede(tasks.back());
      }
      executor.run(flow).wait();
    };
  });
}
