// The graph that `scripts/bench wireframe` gives to every system: a square of nodes, where a node needs the nodes above and
// to the left of it. Each system has a source file that calls runNode for every node, in an order that the edges allow.
//
//   PROGRAM SIDE WORK REPEATS
//
// SIDE is the number of nodes along a side, WORK the number of steps of a node (0: an empty node). The program
// runs the graph once to start its threads, and then REPEATS times. It prints a checksum, which is wrong if an edge was
// ignored. On the standard error, it prints the time of the repeated runs: "seconds S cpu C".
#ifndef CILK2GPU_BENCH_WIREFRAME_WAVEFRONT_H
#define CILK2GPU_BENCH_WIREFRAME_WAVEFRONT_H

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sys/resource.h>

struct Wavefront {
  uint32_t *values; // (side + 1) x (side + 1); row 0 and column 0 are the border
  unsigned side, work;

  uint32_t *at(unsigned x, unsigned y) const { return values + (y + 1) * static_cast<size_t>(side + 1) + x + 1; }
};

/// The work of a node. Its value depends on both parents.
inline void runNode(const Wavefront &wavefront, unsigned x, unsigned y) {
  uint32_t *own = wavefront.at(x, y);
  uint32_t value = 3 * *(own - wavefront.side - 1) + 5 * own[-1] + 1;
  for (unsigned i = 0; i < wavefront.work; ++i)
    value = (value ^ value >> 15) * 0x2c1b3c6d; // a chain that compilers cannot shorten
  *own = value;
}

/// Seconds that all threads of the process have spent on CPUs.
inline double cpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval &time) { return time.tv_sec + time.tv_usec * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Number of threads for systems that have no environment variable of their own.
inline int threadsAskedFor() {
  const char *text = std::getenv("BENCH_THREADS");
  return text ? std::atoi(text) : 1;
}

/// The body of `main` behind the arguments. runOnce(number) runs the graph and returns a checksum.
template <typename Run> int measureRuns(unsigned repeats, Run runOnce) {
  uint32_t checksum = runOnce(1);
  double cpu = cpuSeconds();
  auto start = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < repeats; ++i)
    checksum = checksum * 31 + runOnce(i + 2);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("checksum %08x\n", checksum);
  std::fprintf(stderr, "seconds %.9f cpu %.6f\n", seconds, cpuSeconds() - cpu);
  return 0;
}

/// The body of `main`. `prepare(wavefront)` is not timed; it returns a function that runs the graph once.
template <typename Prepare> int measure(int argc, char **argv, Prepare prepare) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SIDE WORK REPEATS\n", argv[0]);
    return 1;
  }
  unsigned side = std::atoi(argv[1]);
  std::vector<uint32_t> values(static_cast<size_t>(side + 1) * (side + 1), 0);
  Wavefront wavefront{values.data(), side, static_cast<unsigned>(std::atoi(argv[2]))};
  auto runOnce = prepare(wavefront);
  return measureRuns(std::atoi(argv[3]), [&](uint32_t border) { // Another border makes values of earlier runs wrong.
    for (unsigned i = 0; i <= side; ++i)
      values[i] = values[i * static_cast<size_t>(side + 1)] = border;
    runOnce();
    return values.back();
  });
}

#endif
