#include "blocks/dats/DatsGraphFile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

[[noreturn]] static void failOfFile(const char *path) {
  fatal("CILK2GPU_BLOCK_GRAPHS: the file %s cannot be written: %s; name another file", path, strerror(errno));
}

static void writeNodes(FILE *file, const DatsGraph &graph, const DatsArray<uint64_t> &instructions) {
  fprintf(file, "launch %llu nodes %llu edges\n", (unsigned long long)graph.nodes(), (unsigned long long)graph.edges());
  for (uint64_t node = 0; node < graph.nodes(); ++node) {
    uint64_t block = graph.blocks[node];
    fprintf(file, "%llu %llu", (unsigned long long)block, (unsigned long long)instructions[block]);
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
      fprintf(file, " %u", graph.children[edge]);
    fputc('\n', file);
  }
}

void appendGraph(const char *path, const DatsGraph &graph, const DatsArray<uint64_t> &instructions) {
  static bool isFirst = true;
  if (!strcmp(path, "-"))
    return writeNodes(stderr, graph, instructions);
  FILE *file = fopen(path, isFirst ? "w" : "a");
  if (!file)
    failOfFile(path);
  isFirst = false;
  writeNodes(file, graph, instructions);
  bool isWritten = !ferror(file);
  if (fclose(file) != 0 || !isWritten)
    failOfFile(path);
}

} // namespace cilk2gpu::rt
