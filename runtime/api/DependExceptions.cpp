// Exceptions of ordered tasks (DependApi.cpp). Only C++ programs link this file, because the exceptions wait in
// HeldException.cpp, which uses the C++ library.
#include "cilk2gpu/abi/Exceptions.h"

extern "C" void __cilk2gpu_depend_caught(void *task) {
  uint64_t number = 0;
  cilk2gpu::abi::ExceptionSlot *slot = __cilk2gpu_depend_thrown(task, &number);
  __cilk2gpu_defer_caught(slot, number);
}
