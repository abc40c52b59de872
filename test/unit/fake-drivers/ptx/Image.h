// An image for the fake drivers from a program's PTX.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_IMAGE_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_IMAGE_H

#include "FakeImage.h"

#include <stddef.h>

namespace cilk2gpu::test::ptx {

/// Returns the image that runs `text`; it stays as long as the process. Returns null, with a message on the standard
/// error, if the text cannot be read.
const FakeImage *loadImage(const char *text);

/// Sets the bytes of each lane's stack from now on. The default is 1 KB, as for CUDA's threads.
void setLocalBytes(size_t bytes);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_IMAGE_H
