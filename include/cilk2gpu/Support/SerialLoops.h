// Marks of loops whose code the kernels of a task share with its elision, and of the functions that call them.
#ifndef CILK2GPU_SUPPORT_SERIALLOOPS_H
#define CILK2GPU_SUPPORT_SERIALLOOPS_H

namespace cilk2gpu {

/// Function attribute of the loop that is the elision of a cilk_for's task, with the name of the task as its value. A
/// call of the task in this loop runs one iteration.
inline constexpr const char kSerialLoopAttr[] = "cilk2gpu-serial-loop";

/// Function attribute of the base case of a task, with the name of the task's elision as its value. The elision does
/// the same if it has the same arguments.
inline constexpr const char kBaseCaseAttr[] = "cilk2gpu-base-case";

/// Function attribute of the kernels and the elided form of a range task that only ordinary code starts. Each element
/// has the captured values of one start, because the task that halves a range passes them on.
inline constexpr const char kStartedElementsAttr[] = "cilk2gpu-started-elements";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_SERIALLOOPS_H
