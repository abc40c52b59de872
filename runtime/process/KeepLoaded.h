// Keeps shared libraries loaded, for two reasons. A library contains a part of the runtime, whose code workers and
// handlers of exit and fork run. And the graphs of a library are part of the process's graph.
//
// Thread-safety: any thread may call this function. It takes the dynamic linker's lock, which a thread that loads a
// library holds while constructors run. So the caller must not hold a lock that a constructor takes.
#ifndef CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H
#define CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H

namespace cilk2gpu::rt {

/// Keeps the shared library that contains `address` loaded until the process ends. Does nothing for the program itself.
void keepLoaded(const void *address);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_KEEPLOADED_H
