// See HostSteps.h.
#include "process/HostSteps.h"

#include <new>

namespace cilk2gpu::rt {

Steps *currentHostSteps = nullptr;

static StepRecord ownRecord;
static StepRecord *record = &ownRecord;
alignas(Steps) static unsigned char storage[sizeof(Steps)];

void recordHostSteps(StepRecord &given) { record = &given; }

void startHostSteps(const Settings &settings) {
  if (settings.stepsGiven && settings.device == Device::Native)
    currentHostSteps = new (storage) Steps(settings.steps, settings.seed, *record);
}

} // namespace cilk2gpu::rt
