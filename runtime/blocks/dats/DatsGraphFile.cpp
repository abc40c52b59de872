#include "blocks/dats/DatsGraphFile.h"
#include "process/OutputFile.h"

#include <errno.h>
#include <fcntl.h>
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

namespace {

struct Launch {
  const DatsGraph &graph;
  const DatsArray<uint64_t> &instructions;
};

} // namespace

static void writeLaunch(FILE *file, const void *context) {
  const Launch &launch = *static_cast<const Launch *>(context);
  writeNodes(file, launch.graph, launch.instructions);
}

/// Writes behind the end of a file that exists.
static bool append(const char *path, const Launch &launch) {
  int descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
  FILE *file = descriptor < 0 ? nullptr : fdopen(descriptor, "a");
  if (!file)
    return false;
  writeLaunch(file, &launch);
  bool isWritten = !ferror(file);
  return fclose(file) == 0 && isWritten;
}

void appendGraph(const char *path, const DatsGraph &graph, const DatsArray<uint64_t> &instructions) {
  static bool isFirst = true;
  const Launch launch = {graph, instructions};
  bool replaces = isFirst || !strcmp(path, "-");
  if (!(replaces ? writeOutput(path, writeLaunch, &launch) : append(path, launch)))
    failOfFile(path);
  isFirst = false;
}

} // namespace cilk2gpu::rt
