// The mark of loops that are the elisions of cilk_for's tasks.
#ifndef CILK2GPU_SUPPORT_SERIALLOOPS_H
#define CILK2GPU_SUPPORT_SERIALLOOPS_H

namespace cilk2gpu {

/// Function attribute of the loop that is the elision of a cilk_for's task, with the name of the task as its value. A
/// call of the task in this loop runs one iteration.
inline constexpr const char kSerialLoopAttr[] = "cilk2gpu-serial-loop";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_SERIALLOOPS_H
