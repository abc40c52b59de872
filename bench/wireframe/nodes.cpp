// Measures the cost of a node in a dependency graph of thread blocks. The graph is a square wavefront, and the time to
// build it is measured apart from the time to run it. Blocks are empty or have a given length.
//
// usage: nodes [SIDE [NANOSECONDS]]      a wavefront of SIDE x SIDE blocks (512); blocks of NANOSECONDS each (0)
//
// CILK2GPU_WORKERS says how many threads run blocks. Prints the best and the median of several launches, and the part of
// the build, which is the time until the first block runs.
#include <cilk2gpu/Wireframe.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Clock = std::chrono::steady_clock;

static Clock::time_point firstBlock;

static double nanoseconds(Clock::duration time) { return std::chrono::duration<double, std::nano>(time).count(); }

static void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

__WF__ static void block(double length) {
  if (blockIdx.x == 0 && blockIdx.y == 0)
    firstBlock = Clock::now();
  if (length > 0)
    for (auto start = Clock::now(); nanoseconds(Clock::now() - start) < length;) {
    }
}

int main(int argc, char **argv) {
  unsigned side = argc > 1 ? unsigned(std::atoi(argv[1])) : 512;
  double length = argc > 2 ? std::atof(argv[2]) : 0, nodes = double(side) * side;
  std::vector<std::pair<double, double>> times; // whole, build
  for (int i = 0; i < 11; ++i) {
    auto start = Clock::now();
    wf::launch(dim3(side, side), dim3(1), links, block, length);
    times.push_back({nanoseconds(Clock::now() - start), nanoseconds(firstBlock - start)});
  }
  std::sort(times.begin(), times.end());
  for (auto [name, time] : {std::pair("best", times.front()), {"median", times[times.size() / 2]}})
    std::printf("%-8s %8.3f ms, of each node: run %.1f ns, build %.1f ns\n", name, time.first / 1e6,
                (time.first - time.second) / nodes, time.second / nodes);
}
