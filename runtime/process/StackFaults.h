// Reports full stacks. An endless recursion faults at the guard below its stack. The run then ends with a message, as
// when the graph takes too much memory.
//
//   struct MyStack : GuardedStack { ... };    // says where the guard is, and what the message is
//   StackScope scope(stack);                  // the calling thread runs on `stack` until the scope ends
//
// Thread-safety: any thread may call these functions, which refer to the calling thread.
#ifndef CILK2GPU_RUNTIME_PROCESS_STACKFAULTS_H
#define CILK2GPU_RUNTIME_PROCESS_STACKFAULTS_H

namespace cilk2gpu::rt {

/// A stack with a guard below it. The handler of a signal calls both functions.
struct GuardedStack {
  /// Returns whether an address is in the guard, where a full stack would continue.
  bool (*isBelow)(const GuardedStack &stack, const void *address);
  /// Ends the process with a message.
  void (*fail)(const GuardedStack &stack);
};

/// While this object exists, faults at the guard of `stack` are reported.
class StackScope {
public:
  explicit StackScope(const GuardedStack &stack);
  ~StackScope();
  StackScope(const StackScope &) = delete;

private:
  const GuardedStack *outer;
};

/// Reports faults at the guard of the calling thread's own stack, on which serial elisions run with
/// CILK2GPU_DEVICE=serial. Lasts until the thread ends; repeated calls have no effect.
void watchThreadStack();

/// Also watches `stack`, which belongs to the calling thread as long as the thread runs. The thread may change to it
/// and back at any time.
void watchSecondStack(const GuardedStack &stack);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_STACKFAULTS_H
