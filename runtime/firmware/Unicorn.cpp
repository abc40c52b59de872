// See Unicorn.h.
#include "firmware/Unicorn.h"
#include "executors/gpu/Driver.h"
#include "process/Message.h"

namespace cilk2gpu::rt::unicorn {

static constexpr char kRemedy[] =
    "install libunicorn2, version 2.0 or newer, or name the library in CILK2GPU_UNICORN_LIBRARY";

Library::Library(const char *path) {
  static const char *const usual[] = {"libunicorn.so.2", "libunicorn.so", nullptr};
  const char *const given[] = {path, nullptr};
  device::Reason why;
  void *library = device::loadLibrary(path ? given : usual, why);
  if (!library)
    fatal("CILK2GPU_FIRMWARE needs libunicorn: %s; %s", why.text, kRemedy);
#define CILK2GPU_UNICORN_BIND(name, result, parameters)                                                                \
  if (!(name = reinterpret_cast<decltype(name)>(device::findSymbol(library, #name))))                                  \
    fatal("CILK2GPU_FIRMWARE needs libunicorn, but %s has no function %s; %s", path ? path : usual[0], #name, kRemedy);
  CILK2GPU_UNICORN_CALLS(CILK2GPU_UNICORN_BIND)
#undef CILK2GPU_UNICORN_BIND
  unsigned major = 0, minor = 0;
  uc_version(&major, &minor);
  if (major < 2)
    fatal("CILK2GPU_FIRMWARE needs libunicorn 2.0 or newer, but %s has version %u.%u; %s", path ? path : usual[0],
          major, minor, kRemedy);
}

} // namespace cilk2gpu::rt::unicorn
