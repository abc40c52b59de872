// Ends the process if a driver's call fails after a device was chosen.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_CHECKEDCALL_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_CHECKEDCALL_H

#include "executors/gpu/Driver.h"
#include "process/Message.h"

namespace cilk2gpu::device {

/// Ends the process with one line if `status` is a failure: "DOING 'SUBJECT' on DEVICE failed: ...". If `subject` is
/// empty, the message does not contain it.
inline void check(const Driver &driver, const DeviceFacts &device, Status status, const char *doing,
                  const char *subject) {
  Reason why;
  if (driver.failed(status, why))
    rt::fatal("%s%s%s%s on %s failed: %s", doing, *subject ? " '" : "", subject, *subject ? "'" : "", device.name,
              why.text);
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_CHECKEDCALL_H
