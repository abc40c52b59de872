// The host's side of requests from a GPU (cilk2gpu/abi/Requests.h).
//
// Thread-safety: one thread serves.
#ifndef CILK2GPU_RUNTIME_PROCESS_REQUESTSERVER_H
#define CILK2GPU_RUNTIME_PROCESS_REQUESTSERVER_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Requests.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

/// Ends the process with a message if the calling thread calls an operator new for a task. The exception that leaves
/// the operator means that there is no memory.
void endIfOutOfMemory();

class RequestServer {
public:
  /// `allocates`: the device sees memory that the host allocates now. `calls`: the host may touch all memory that tasks
  /// have pointers to. A task that makes a request that is not allowed ends the process with a message.
  RequestServer(abi::RequestQueue &queue, bool allocates, bool calls = true)
      : queue(queue), allocates(allocates), calls(calls) {}

  /// Serves all requests that are there. Returns the number of lanes that were served.
  uint64_t serve();

private:
  uint64_t perform(abi::HostFunction function, const uint64_t *arguments, uint32_t count, uint64_t &second);

  abi::RequestQueue &queue;
  const bool allocates, calls;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_REQUESTSERVER_H
