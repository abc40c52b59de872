/* The C interface of <cilk2gpu/Wireframe.h>, for WireframeTest.cpp: a chain whose nodes are numbered backwards. */
#include "../../../include/cilk2gpu/Wireframe.h"

enum { kNodes = 1000 };

struct Chain {
  uint64_t next, errors;
};

static void visit(uint64_t node, void *args) {
  struct Chain *chain = args;
  if (node != chain->next)
    ++chain->errors;
  chain->next = node - 1;
}

/* Returns how many nodes ran out of order. */
uint64_t runChainInC(void) {
  uint64_t starts[kNodes + 1];
  uint32_t children[kNodes];
  struct Chain chain = {kNodes - 1, 0};
  starts[0] = 0;
  for (uint64_t node = 0; node < kNodes; ++node) {
    starts[node + 1] = node;
    if (node)
      children[node - 1] = (uint32_t)node - 1;
  }
  wf_launch_graph(kNodes, starts, children, visit, &chain);
  return chain.errors + (chain.next != (uint64_t)-1);
}
