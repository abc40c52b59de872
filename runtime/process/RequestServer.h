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

class RequestServer {
public:
  /// `allocates`: the device can reach memory that the host allocates while a kernel runs. `calls`: the host may access
  /// all memory that tasks have pointers to. If a task makes a request that these two rule out, the process ends with a
  /// message.
  RequestServer(abi::RequestQueue &queue, bool allocates, bool calls = true)
      : queue(queue), allocates(allocates), calls(calls) {}

  /// Serves all waiting requests. Returns the number of lanes that were served.
  uint64_t serve();

private:
  uint64_t perform(abi::HostFunction function, const uint64_t *arguments, uint32_t count, uint64_t &second);

  abi::RequestQueue &queue;
  const bool allocates, calls;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_REQUESTSERVER_H
