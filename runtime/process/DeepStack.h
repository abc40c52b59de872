// A second stack of a host thread, for recursive elisions that ordinary code calls. A task in the graph may be deeper
// than the thread's own stack allows, and so may its elision.
//
//   if (reserveDeepStack())          // once in each thread
//     ...
//   callOnDeepStack(body, argument); // on the second stack, or on the current one if that is the second stack already
//
// The stack takes memory only as far as it was used. Exceptions pass through the call.
//
// Thread-safety: each function refers to the calling thread.
#ifndef CILK2GPU_RUNTIME_PROCESS_DEEPSTACK_H
#define CILK2GPU_RUNTIME_PROCESS_DEEPSTACK_H

namespace cilk2gpu::rt {

/// Reserves the stack. Returns false if there are too few addresses for it, or if a sanitizer would not know it.
bool reserveDeepStack();
/// Calls body(argument). A thread without the stack stays on the current one.
void callOnDeepStack(void (*body)(void *argument), void *argument);
/// Gives the memory of deep calls back to the system, unless the stack is in use.
void giveBackDeepStack();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_DEEPSTACK_H
