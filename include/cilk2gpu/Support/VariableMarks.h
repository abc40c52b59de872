// Numbers of variable markers (kVariableMarker in Markers.h) that stand for no variable of the user. The split adds
// these markers to the user's, so that debuggers find the frame of a task and its parent.
#ifndef CILK2GPU_SUPPORT_VARIABLEMARKS_H
#define CILK2GPU_SUPPORT_VARIABLEMARKS_H

#include <cstdint>

namespace cilk2gpu {

/// The address is the task's frame itself.
inline constexpr uint32_t kFrameMark = ~uint32_t(0);

/// The address leads to the destination of the task's result, which is in the frame of the parent.
inline constexpr uint32_t kDestinationMark = kFrameMark - 1;

/// Names of the artificial variables that debuggers find, and suffix of the type of a task's frame.
inline constexpr const char kFrameVariable[] = "__cilk_frame", kDestinationVariable[] = "__cilk_destination";
inline constexpr const char kFrameTypeSuffix[] = ".frame";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_VARIABLEMARKS_H
