// Shared by the programs of this folder: the command line, random numbers, time, edges of run-time graphs, and the line
// that each program prints.
#ifndef CILK2GPU_EXAMPLES_WIREFRAME_BLOCKPROGRAM_H
#define CILK2GPU_EXAMPLES_WIREFRAME_BLOCKPROGRAM_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace program {

/// A whole number on the command line.
struct Argument {
  const char *name;
  const char *meaning;
  unsigned value; // the default, then the given value
  unsigned least, most;
};

[[noreturn]] inline void printHelp(const char *name, const char *purpose, const std::vector<Argument> &arguments) {
  std::printf("usage: %s", name);
  for (const Argument &argument : arguments)
    std::printf(" [%s", argument.name);
  std::printf("%s\n\n%s\n\n", std::string(arguments.size(), ']').c_str(), purpose);
  for (const Argument &argument : arguments)
    std::printf("  %-8s%s, from %u to %u (default: %u)\n", argument.name, argument.meaning, argument.least,
                argument.most, argument.value);
  std::exit(0);
}

/// Reads the command line into `arguments`. `--help` prints `purpose` and the arguments, and ends the program.
inline void parse(int argc, char **argv, const char *name, const char *purpose, std::vector<Argument> &arguments) {
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--help") || !std::strcmp(argv[i], "-h"))
      printHelp(name, purpose, arguments);
    if (static_cast<size_t>(i) > arguments.size()) {
      std::fprintf(stderr, "%s: takes %zu numbers at most; see %s --help\n", name, arguments.size(), name);
      std::exit(1);
    }
    Argument &argument = arguments[i - 1];
    char *end;
    unsigned long value = std::strtoul(argv[i], &end, 10);
    if (argv[i][0] < '0' || argv[i][0] > '9' || *end || value < argument.least || value > argument.most) {
      std::fprintf(stderr, "%s: '%s' must be a whole number from %u to %u, not '%s'; see %s --help\n", name,
                   argument.name, argument.least, argument.most, argv[i], name);
      std::exit(1);
    }
    argument.value = static_cast<unsigned>(value);
  }
}

/// Pseudo-random numbers that are the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}

  /// A number from 0 to `limit` - 1.
  unsigned below(unsigned limit) { return static_cast<unsigned>((next() >> 32) * limit >> 32); }

  /// A number from -1 to 1.
  double unit() { return static_cast<double>(static_cast<int64_t>(next()) >> 11) * 0x1p-52; }

private:
  uint64_t next() {
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  uint64_t state;
};

/// Returns the milliseconds that a call of `work` takes.
template <typename Work> double milliseconds(Work work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The edges of a run-time graph, and the two arrays that `wf::Graph` takes.
class Edges {
public:
  explicit Edges(size_t nodes) : starts(nodes + 1, 0) {}

  void add(uint32_t parent, uint32_t child) {
    pairs.push_back({parent, child});
    ++starts[parent + 1];
  }

  /// Sorts the edges by parent. Call it once, after the last `add`.
  void finish() {
    for (size_t node = 1; node < starts.size(); ++node)
      starts[node] += starts[node - 1];
    children.resize(pairs.size());
    std::vector<uint64_t> next(starts.begin(), starts.end() - 1);
    for (auto [parent, child] : pairs)
      children[next[parent]++] = child;
  }

  std::vector<uint64_t> starts; // children of node n: children[starts[n]] up to, without, children[starts[n + 1]]
  std::vector<uint32_t> children;

private:
  struct Edge {
    uint32_t parent, child;
  };
  std::vector<Edge> pairs;
};

/// What a program prints about its run.
struct Outcome {
  std::string result;
  std::string blocks;
  double parallel, serial; // milliseconds
  bool isRight;            // every cell is that of the serial elision
};

/// Prints the outcome in a line. Returns the exit status of the program.
inline int report(const char *name, const Outcome &outcome) {
  std::printf("%s: %s; %s; %.3f ms, serial elision %.3f ms; %s\n", name, outcome.result.c_str(), outcome.blocks.c_str(),
              outcome.parallel, outcome.serial, outcome.isRight ? "ok" : "WRONG: differs from the serial elision");
  return outcome.isRight ? 0 : 1;
}

/// Describes a square of blocks, such as "1024 blocks of 8 x 8 cells".
inline std::string squareBlocks(size_t blocks, unsigned cells) {
  return std::to_string(blocks) + " blocks of " + std::to_string(cells) + " x " + std::to_string(cells) + " cells";
}

} // namespace program

#endif
