// Runs the graph of a program on the modelled machine for block graphs, in the five versions of the Wireframe paper (MICRO
// 2017, section 5.1), and prints the counters as CSV. scripts/reproduce wireframe compiles and runs it.
//
//   model GRAPH < SETTINGS
//
// GRAPH is a file of CILK2GPU_BLOCK_GRAPHS (blocks/dats/DatsGraphFile.h) with one launch. A line of SETTINGS is one run:
//
//   VERSION RATIO SPREAD SEED BOUND NODES EDGES PENDING SPILL
//
// VERSION is a name such as LRR, or Barriers: DepLinks with edges from each node to all nodes of the next level. RATIO is
// the time of computing in the version Global, by the time of its launches, in thousandths. SPREAD is the coefficient of
// variation of the blocks' times, in thousandths. BOUND is that of LVL. NODES, EDGES and PENDING are sizes of the buffer;
// 0 stands for the size in the paper. SPILL is 1 or 0.
#include "blocks/dats/DatsVersions.h"
#include "blocks/dats/DgbSafety.h"

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace cilk2gpu::rt;

namespace {

struct Program {
  DatsGraph graph;
  std::vector<uint64_t> instructions; ///< of each block
};

struct Run {
  std::string version;
  DatsOptions options;
  uint64_t ratio;
};

[[noreturn]] void fail(const std::string &text) {
  std::cerr << "model: " << text << '\n';
  exit(1);
}

/// A parent has a smaller virtual ID than its children, so one pass finds the levels.
void addLevels(DatsGraph &graph) {
  for (uint64_t node = 0; node < graph.nodes(); ++node) {
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge) {
      uint32_t child = graph.children[edge];
      ++graph.parents[child];
      if (graph.levels[child] <= graph.levels[node])
        graph.levels[child] = graph.levels[node] + 1;
    }
    if (graph.levels[node] >= graph.numLevels)
      graph.numLevels = graph.levels[node] + 1;
  }
}

Program readProgram(const char *path) {
  std::ifstream file(path);
  std::string word, line;
  uint64_t nodes = 0, edges = 0, edge = 0;
  if (!(file >> word >> nodes >> word >> edges >> word) || !nodes)
    fail(std::string(path) + " is no file of CILK2GPU_BLOCK_GRAPHS; run a program with that variable");
  std::getline(file, line);
  Program program;
  program.instructions.resize(nodes);
  DatsGraph &graph = program.graph;
  graph.starts.reset(nodes + 1);
  graph.children.reset(edges);
  graph.parents.reset(nodes);
  graph.levels.reset(nodes);
  graph.blocks.reset(nodes);
  for (uint64_t node = 0; node < nodes && std::getline(file, line); ++node) {
    std::istringstream row(line);
    row >> graph.blocks[node];
    row >> program.instructions.at(graph.blocks[node]);
    while (edge < edges && row >> graph.children[edge])
      ++edge;
    graph.starts[node + 1] = edge;
  }
  if (edge != edges || std::getline(file, line))
    fail(std::string(path) + " must have one whole launch; choose arguments with which the program launches once");
  addLevels(graph);
  return program;
}

bool readRun(const std::string &line, Run &run) {
  std::istringstream row(line);
  DatsOptions &options = run.options;
  row >> run.version >> run.ratio >> options.durations.spread >> options.durations.seed >> options.bound >>
      options.nodes >> options.edges >> options.pending >> options.spill;
  return bool(row);
}

/// Takes the times of blocks from their instructions, if those were counted.
void useInstructions(const Program &program, Run &run) {
  uint64_t sum = 0;
  for (uint64_t each : program.instructions)
    sum += each;
  if (sum) {
    run.options.durations.instructions = program.instructions.data();
    run.options.durations.meanInstructions = sum / program.instructions.size();
  }
  run.options.scaleDurations(program.graph, run.ratio);
}

void printHeader() {
  std::cout << "version,nodes,edges,levels,instructions,level_range,is_safe,is_deadlocked";
#define CILK2GPU_DATS_COUNTER(name, kind, unit, description) std::cout << "," #name;
#include "blocks/DatsCounters.def"
  std::cout << '\n';
}

void printRow(const Program &program, const Run &run, bool isSafe, const DatsReport &report) {
  uint64_t instructions = 0;
  for (uint64_t each : program.instructions)
    instructions += each;
  const DatsGraph &graph = program.graph;
  std::cout << run.version << ',' << graph.nodes() << ',' << graph.edges() << ',' << graph.numLevels << ','
            << instructions << ',' << report.levelRange << ',' << isSafe << ',' << report.isDeadlocked;
#define CILK2GPU_DATS_COUNTER(name, kind, unit, description) std::cout << ',' << report.name;
#include "blocks/DatsCounters.def"
  std::cout << '\n';
}

void runBarriers(const Program &program, const Run &run) {
  DatsGraph graph = withBarriers(program.graph);
  DatsSetup setup = run.options.setupFor(false);
  printRow(program, run, checkSafety(graph, setup.sizes).isSafe(), DatsMachine(graph, setup, {}).run());
}

void runVersion(const Program &program, const Run &run) {
  if (run.version == "Barriers")
    return runBarriers(program, run);
  for (const DatsVersion &version : datsVersions) {
    if (run.version != version.name)
      continue;
    DgbSizes sizes = run.options.sizesFor(version.isLevelBound);
    DatsGraph joined = withJoinNodes(program.graph);
    DgbSafety safety = checkSafety(version.hasJoinNodes ? joined : program.graph, sizes);
    return printRow(program, run, !version.hasBuffer || safety.isSafe(), version.run(program.graph, run.options, {}));
  }
  fail("there is no version '" + run.version + "'");
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    fail("takes the file of a graph; it reads settings from the standard input");
  Program program = readProgram(argv[1]);
  printHeader();
  for (std::string line; std::getline(std::cin, line);) {
    Run run;
    if (!readRun(line, run))
      fail("'" + line + "' is no line of settings; see the beginning of model.cpp");
    useInstructions(program, run);
    runVersion(program, run);
  }
  return 0;
}
