// Keeps shared libraries from being unloaded, for two reasons. A library contains a part of the run-time library, whose
// code workers and handlers of exit and fork run. And the graphs of a library are part of the process's graph.
//
// Thread-safety: any thread may call this. It takes the dynamic linker's lock. A thread that loads a library holds that
// lock while constructors run: the caller holds no lock that a constructor takes.
#ifndef CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H
#define CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H

namespace cilk2gpu::rt {

/// Keeps the shared library that `address` is in loaded until the process ends. Does nothing for the program itself.
void keepLoaded(const void *address);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H
