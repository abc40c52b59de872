// The graph of Irregular.h as a loop: all parents of a node stand before it.
#include "Irregular.h"

int main(int argc, char **argv) {
  return measureIrregular(argc, argv, [](const Irregular &graph) {
    return [&graph](const IrregularRun &run) {
      for (uint32_t node = 0; node < graph.nodes; ++node)
        runNode(run, node);
    };
  });
}
