// Model-checks runtime/device/BlockQueue.h with Relacy. Usage: see Runner.h.
#include "GroupScenarios.h"
#include "Runner.h"

using namespace model;

constexpr Entry entries[] = {
    {"ready-diamond-2", run<ReadyGroups<4, kGroupDiamond, 2>>, random(20000), bound(3)},
    {"ready-fan-in-2", run<ReadyGroups<5, kGroupFanIn, 2>>, random(20000), bound(3)},
    {"ready-fan-in-3", run<ReadyGroups<5, kGroupFanIn, 3>>, random(20000), random(10000000)},
    {"ready-chains-2", run<ReadyGroups<4, kGroupChains, 2>>, random(20000), bound(3)},
    {"levels-diamond-2", run<LevelGroups<4, kGroupDiamond, 2, 0>>, random(20000), bound(3)},
    {"levels-fan-in-3", run<LevelGroups<5, kGroupFanIn, 3, 1>>, random(20000), random(10000000)},
    {"levels-chains-2", run<LevelGroups<4, kGroupChains, 2, 1>>, random(20000), bound(3)},
    {"levels-tail-2", run<LevelGroups<5, kGroupTail, 2, 1>>, random(20000), bound(3)},
    {"levels-tail-3", run<LevelGroups<5, kGroupTail, 3, 2>>, random(20000), random(10000000)},
};

int main(int argc, char **argv) { return runScenarios(entries, argc, argv); }
