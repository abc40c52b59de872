// Model-checks the device runtime's templates with Relacy: runtime/device/ChannelEnds.h, Board.h, WaveFolds.h,
// RequestClient.h and GraphMailbox.h, and runtime/process/ServeRequests.h. Usage: see Runner.h.
#include "DeviceScenarios.h"
#include "Runner.h"

using namespace model;

using Sum = Folding<uint64_t, 1, 1, abi::Fold::Add>;
using Narrow = Folding<uint16_t, 1, 1, abi::Fold::UnsignedMax>;
using Siblings = Folding<uint64_t, 2, 2, abi::Fold::Add>;
using Alternate = Folding<uint32_t, 2, 1, abi::Fold::Add>;
using Mixed = Folding<uint32_t, 1, 1, abi::Fold::Add, abi::Fold::Or, abi::Fold::Or>;

constexpr Entry entries[] = {
    {"reserve-1", run<Reserve<2, 1, 1>>, full(), full()},
    {"reserve-2", run<Reserve<1, 2, 1>>, full(), full()},
    {"reserve-2x2", run<Reserve<2, 2, 3>>, random(5000), bound(2)},
    {"reserve-1x3", run<Reserve<1, 3, 2>>, random(5000), bound(3)},
    {"reserve-targets", run<Reserve<1, 4, 1, 2>>, random(5000), bound(2)},
    {"frames-3x1", run<Frames<3, 1>>, random(5000), bound(3)},
    {"frames-2x2", run<Frames<2, 2>>, random(5000), bound(2)},
    {"dispatches-1", run<Dispatches<1, 1, 1, 1>>, random(5000), bound(2)},
    {"dispatches-2", run<Dispatches<2, 1, 2, 2>>, random(5000), random(10000000)},
    {"dispatches-fewer", run<Dispatches<2, 1, 1, 2, 1>>, random(5000), random(10000000)},
    {"dispatches-lanes", run<Dispatches<1, 2, 1, 1>>, random(5000), bound(2)},
    {"dispatches-2x2", run<Dispatches<2, 2, 1, 2>>, random(5000), random(10000000)},
    {"kernel-2x1", run<Kernel<2, 1>>, random(5000), bound(2)},
    {"kernel-3x1", run<Kernel<3, 1>>, random(5000), bound(2)},
    {"kernel-2x2", run<Kernel<2, 2>>, random(5000), bound(2)},
    {"produce-consume-1", run<ProduceAndConsume<1>>, random(5000), bound(2)},
    {"produce-consume-2", run<ProduceAndConsume<2>>, random(5000), random(10000000)},
    {"folds-1x2", run<Folded<1, 2, Sum>>, full(), full()},
    {"folds-2x2", run<Folded<2, 2, Sum>>, random(5000), bound(3)},
    {"folds-3x1", run<Folded<3, 1, Sum>>, random(5000), full()},
    {"folds-1x4", run<Folded<1, 4, Sum>>, random(5000), bound(2)},
    {"folds-narrow", run<Folded<2, 2, Narrow>>, random(5000), bound(3)},
    {"folds-siblings", run<Folded<1, 4, Siblings>>, random(5000), bound(2)},
    {"folds-across", run<Folded<2, 3, Siblings>>, random(5000), bound(2)},
    {"folds-alternate", run<Folded<1, 4, Alternate>>, random(5000), bound(2)},
    {"folds-mixed", run<Folded<1, 3, Mixed>>, random(5000), bound(3)},
    {"folds-dispatch", run<FoldInDispatch<2, 2>>, random(5000), random(10000000)},
    {"requests-1", run<Requests<1, 1, 1, 2>>, random(5000), bound(2)},
    {"requests-2x1", run<Requests<2, 1, 1, 1>>, random(5000), bound(2)},
    {"requests-slots", run<Requests<2, 1, 2, 2>>, random(5000), random(10000000)},
    {"requests-1x2", run<Requests<1, 2, 1, 2>>, random(5000), random(10000000)},
    {"requests-2x2", run<Requests<2, 2, 1, 1>>, random(5000), random(10000000)},
    {"mailboxes-1", run<Mailboxes<1, 2, false>>, random(5000), bound(2)},
    {"mailboxes-2", run<Mailboxes<2, 1, false>>, random(5000), bound(2)},
    {"mailboxes-late", run<Mailboxes<2, 2, true>>, random(5000), random(10000000)},
};

int main(int argc, char **argv) { return runScenarios(entries, argc, argv); }
