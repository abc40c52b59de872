// An image for the fake drivers from a program's code object for AMD's GPUs.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_IMAGE_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_IMAGE_H

#include "FakeImage.h"

#include <stddef.h>

namespace cilk2gpu::test::amd {

/// Returns the image that runs a code object; it stays as long as the process. Returns null, with a message on the
/// standard error, if the code object cannot be read.
const FakeImage *loadImage(const char *data);

/// Sets the bytes of each lane's private memory from now on, for kernels whose stack has no bound. The default is 1 KB,
/// as with HIP.
void setPrivateBytes(size_t bytes);

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_IMAGE_H
