// A message is formatted first and written with one call, so that messages of several threads do not mix.
#include "process/Message.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

namespace cilk2gpu::rt {

static void write(const char *kind, const char *format, va_list arguments) {
  char text[1024];
  int prefix = snprintf(text, sizeof text, "cilk2gpu: %s%s", kind, *kind ? ": " : "");
  int length = prefix + vsnprintf(text + prefix, sizeof text - prefix - 1, format, arguments);
  if (length > int(sizeof text) - 2)
    length = int(sizeof text) - 2;
  text[length++] = '\n';
  for (int done = 0; done < length;) {
    ssize_t written = ::write(STDERR_FILENO, text + done, size_t(length - done));
    if (written <= 0)
      return;
    done += int(written);
  }
}

void warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write("warning", format, arguments);
  va_end(arguments);
}

void error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write("error", format, arguments);
  va_end(arguments);
}

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write("", format, arguments);
  va_end(arguments);
}

/// Returns only in the first thread that fails, which then writes its message and ends the process. Other threads wait
/// here until the process ends.
static void claimFailure() {
  static int claimed = 0;
  // Relaxed: no other memory is handed over by the exchange.
  if (__atomic_exchange_n(&claimed, 1, __ATOMIC_RELAXED))
    for (;;)
      pause();
}

void fatal(const char *format, ...) {
  claimFailure();
  va_list arguments;
  va_start(arguments, format);
  write("error", format, arguments);
  va_end(arguments);
  _exit(1);
}

void internalError(const char *format, ...) {
  claimFailure();
  va_list arguments;
  va_start(arguments, format);
  write("internal error", format, arguments);
  va_end(arguments);
  _exit(1);
}

void failOnHost(void *, const Failure &failure) {
  const char *subject = failure.subject;
  unsigned long long value = failure.value;
  switch (failure.kind) {
  case FailureKind::OutOfMemory:
    if (!subject)
      fatal("out of memory: %llu bytes for %s could not be allocated; a smaller CILK2GPU_WIDTH needs less", value,
            failure.what);
    fatal("out of memory: %llu bytes for %s of '%s' could not be allocated; does its recursion end? Tasks have three "
          "quarters of the machine's memory, or CILK2GPU_MEM_CAP; a smaller CILK2GPU_WIDTH needs less",
          value, failure.what, subject);
  case FailureKind::OverBudget:
    if (!subject)
      fatal("%s is too small to go on: the scheduler's own state needs %llu bytes more; raise it, or lower "
            "CILK2GPU_WORKERS or CILK2GPU_CUS",
            failure.what, value);
    fatal("%s is too small to go on: the channel or the frames of '%s' need %llu bytes more; raise it, or lower "
          "CILK2GPU_WIDTH or CILK2GPU_WORKERS",
          failure.what, subject, value);
  case FailureKind::BadRecord:
    if (!subject)
      fatal("the descriptor of a task is not valid: %s, but %llu was found; compile its source again", failure.what,
            value);
    fatal("the descriptor of task '%s' is not valid: %s, but %llu was found; compile its source again", subject,
          failure.what, value);
  case FailureKind::NoDeviceForm:
    fatal("the kernels of '%s' were compiled for no device, which CILK2GPU_DEVICE=gpu-host plays; compile its source "
          "with --offload-arch=gpu-host, or for a GPU, or unset CILK2GPU_DEVICE",
          subject);
  case FailureKind::BadVersion:
    fatal(
        "%s '%s' was compiled for version %llu of the descriptor format, but this runtime has version %u; compile its "
        "source again",
        failure.what, subject, value, abi::kAbiVersion);
  case FailureKind::InternalError:
    if (!subject)
      internalError("%s (level %llu)", failure.what, value);
    internalError("%s (task '%s', level %llu)", failure.what, subject, value);
  }
  internalError("unknown failure");
}

} // namespace cilk2gpu::rt
