// Model-checks runtime/core/SharedChannel.h with Relacy. Usage: see Runner.h.
#include "ChannelScenarios.h"
#include "Runner.h"

using namespace model;

constexpr Entry entries[] = {
    {"lifecycle", run<Lifecycle>, random(20000), full()},
    {"wrap-1", run<Wrap<1, 1, 5>>, random(20000), bound(3)},
    {"wrap-2", run<Wrap<2, 1, 5>>, random(20000), bound(3)},
    {"wrap-group", run<Wrap<3, 2, 4>>, random(20000), bound(3)},
    {"full", run<Full>, full(), full()},
    {"empty", run<Empty>, random(20000), bound(5)},
    {"give-backs", run<GiveBacks>, random(20000), bound(5)},
    {"slow-consumer", run<SlowConsumer>, full(), full()},
    {"two-producers", run<TwoProducers>, random(20000), bound(3)},
    {"four-parties", run<FourParties<1, 1>>, random(20000), random(10000000)},
    {"four-parties-2", run<FourParties<2, 2>>, random(20000), random(10000000)},
    {"four-looks-1", run<FourLooks<1>>, random(20000), bound(3)},
    {"four-looks-2", run<FourLooks<2>>, random(20000), bound(3)},
    {"partial-grants", run<PartialGrants>, random(20000), full()},
    {"publish-counts", run<PublishCounts>, full(), full()},
    {"close-group-2", run<CloseGroup<2, 2>>, random(20000), bound(3)},
    {"close-group-3", run<CloseGroup<3, 2>>, random(20000), bound(3)},
    {"shared-done-count", run<SharedDoneCount>, random(20000), full()},
    {"late-publisher", run<LatePublisher>, random(20000), bound(3)},
    {"mixed", run<Mixed>, random(20000), random(10000000)},
};

int main(int argc, char **argv) { return runScenarios(entries, argc, argv); }
