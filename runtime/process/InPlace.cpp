// See InPlace.h.
#include "process/InPlace.h"

#include "cilk2gpu/abi/PlainCalls.h"
#include "core/ElisionTunables.h"
#include "process/Ticks.h"

using namespace cilk2gpu::rt;

namespace {

struct State {
  uint32_t most; ///< 0 outside of a scope
  uint32_t made;
  uint64_t longTicks; ///< time from which on kTimedCallsInPlace calls are long
  uint64_t before;    ///< when the clock was read last
  bool wasLong;
};

constinit thread_local State state = {0, 0, 0, 0, false};

} // namespace

InPlaceScope::InPlaceScope(uint64_t longTicks) {
  state = {tunables::kCallsInPlace, 0, longTicks * tunables::kTimedCallsInPlace, ticks(), false};
}

InPlaceScope::~InPlaceScope() { state.most = 0; }

InPlaceCalls InPlaceScope::calls() const { return {.made = state.made, .wasLong = state.wasLong}; }

extern "C" uint32_t __cilk2gpu_call_in_place() {
  State &own = state;
  if (own.made >= own.most)
    return 0;
  if ((own.made + 1) % tunables::kTimedCallsInPlace == 0) {
    uint64_t now = ticks();
    own.wasLong = now - own.before >= own.longTicks;
    own.before = now;
    if (own.wasLong) {
      own.most = 0;
      return 0;
    }
  }
  ++own.made;
  return 1;
}
