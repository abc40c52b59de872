// An image for the fake drivers out of PTX that a program brings.
#ifndef CILK2GPU_TEST_UNIT_DEVICE_PTX_IMAGE_H
#define CILK2GPU_TEST_UNIT_DEVICE_PTX_IMAGE_H

#include "FakeImage.h"

#include <stddef.h>

namespace cilk2gpu::test::ptx {

/// The image that runs `text`; it stays as long as the process. Null, with a message on the standard error, if that
/// cannot be read.
const FakeImage *loadImage(const char *text);

/// What each lane has for its stack from now on; 1 KB before, as CUDA's threads have.
void setLocalBytes(size_t bytes);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_DEVICE_PTX_IMAGE_H
