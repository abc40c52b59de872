// Model-checks runtime/blocks/ReadyBlocks.h with Relacy. Usage: see Runner.h.
#include "BlockScenarios.h"
#include "Runner.h"

using namespace model;

constexpr Entry entries[] = {
    {"sleep", run<Sleep>, full(), full()},
    {"sleep-together", run<SleepTogether>, random(20000), full()},
    {"fan-out-2", run<RunGraph<6, kFanOut, 2>>, random(20000), bound(3)},
    {"fan-out-3", run<RunGraph<6, kFanOut, 3>>, random(20000), random(10000000)},
    {"diamond-2", run<RunGraph<4, kDiamond, 2>>, random(20000), bound(3)},
    {"fan-in-2", run<RunGraph<5, kFanIn, 2>>, random(20000), bound(3)},
    {"fan-in-3", run<RunGraph<5, kFanIn, 3>>, random(20000), random(10000000)},
    {"two-fans-2", run<RunGraph<6, kTwoFans, 2>>, random(20000), bound(3)},
    {"wavefront-2", run<RunGraph<6, kWavefront, 2>>, random(20000), bound(3)},
    {"wavefront-3", run<RunGraph<6, kWavefront, 3>>, random(20000), random(10000000)},
};

int main(int argc, char **argv) { return runScenarios(entries, argc, argv); }
