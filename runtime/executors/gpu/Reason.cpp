// The text of a driver's errors: for drivers that the runtime loads, and for programs that are linked with HIP.
#include "executors/gpu/Driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

namespace cilk2gpu::device {

void Reason::set(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
}

bool Driver::failed(Status status, Reason &why) const {
  if (!status.code)
    return false;
  const char *name = "unknown error", *meaning = "";
  describe(status.code, name, meaning);
  if (!strcmp(name, meaning))
    meaning = ""; // older versions of HIP repeat the name
  why.set("%s: error %d, %s%s%s%s", status.call, status.code, name, *meaning ? " (" : "", meaning, *meaning ? ")" : "");
  return true;
}

} // namespace cilk2gpu::device
