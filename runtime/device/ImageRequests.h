// The request queue of an image, for the functions of the device runtime. For AMD and NVIDIA only.
#ifndef CILK2GPU_RUNTIME_DEVICE_IMAGEREQUESTS_H
#define CILK2GPU_RUNTIME_DEVICE_IMAGEREQUESTS_H

#include "device/RequestClient.h"

/// Address of the queue. The host sets it when it has loaded the image.
extern "C" __attribute__((visibility("protected"))) cilk2gpu::abi::RequestQueue *__attribute__((
    address_space(1))) __cilk2gpu_requests;

namespace cilk2gpu::device {

RequestClient requests();

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_IMAGEREQUESTS_H
