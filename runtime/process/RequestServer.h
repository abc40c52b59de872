// The host's side of requests from a GPU (cilk2gpu/abi/Requests.h).
//
// Thread-safety: one thread serves.
#ifndef CILK2GPU_RUNTIME_PROCESS_REQUESTSERVER_H
#define CILK2GPU_RUNTIME_PROCESS_REQUESTSERVER_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Requests.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

/// Called when an exception ends the process. If the exception leaves an operator new that the calling thread calls for
/// a task, ends the process with the message that memory is missing.
void endIfOutOfMemory();

/// Returns whether the program is linked with -foffload-managed.
bool hasManagedHeap();

/// Returns whether this thread calls a function for a lane that could not use memory which the function allocates.
bool servesLaneWithoutReach();

/// The memory that the host may allocate for a lane while a kernel runs.
enum class ReachableMemory {
  None,
  Managed, ///< that of programs with -foffload-managed
  Any,     ///< the device reaches all memory
};

class RequestServer {
public:
  /// `calls`: the host may access all memory that tasks have pointers to. If a task makes a request that `calls` or
  /// `memory` rules out, the process ends with a message.
  RequestServer(abi::RequestQueue &queue, ReachableMemory memory, bool calls = true)
      : queue(queue), memory(memory), calls(calls) {}

  /// Serves all waiting requests. Returns the number of lanes that were served.
  uint64_t serve();

private:
  uint64_t perform(abi::HostFunction function, const uint64_t *arguments, uint32_t count, uint64_t &second);

  abi::RequestQueue &queue;
  const ReachableMemory memory;
  const bool calls;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_REQUESTSERVER_H
