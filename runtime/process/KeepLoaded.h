// Shared libraries that must not be unloaded: workers and handlers of exit and fork are in the run-time library's code,
// which each library links what it uses of, and the graphs of a library are part of the process's.
//
// Thread-safety: any thread may ask. It takes the dynamic linker's lock, which who loads a library has while its
// constructors run, so no lock that they take may be held.
#ifndef CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H
#define CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H

namespace cilk2gpu::rt {

/// Keeps the shared library that `address` is in, if it is in one, until the process ends.
void keepLoaded(const void *address);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H
