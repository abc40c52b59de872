// Names that convert-channel-to-llvm gives to functions and attributes, for the passes and tools that follow.
#ifndef CILK2GPU_SUPPORT_LOWEREDNAMES_H
#define CILK2GPU_SUPPORT_LOWEREDNAMES_H

#include "llvm/ADT/Twine.h"
#include <string>

namespace cilk2gpu {

/// Name of a task's descriptor (cilk2gpu/abi/Records.h, TaskRecord). Every unit that spawns the function refers to it
/// by this name.
inline std::string recordName(llvm::StringRef task) { return (llvm::Twine("__cilk2gpu_task_") + task).str(); }

/// Name of a block graph's record (cilk2gpu/abi/BlockRecords.h).
inline std::string blocksRecordName(llvm::StringRef blocks) {
  return (llvm::Twine("__cilk2gpu_blocks_") + blocks).str();
}

/// Name of the function that stores the arguments of a launch of a kernel of thread blocks.
inline std::string packName(llvm::StringRef kernel) { return (kernel + llvm::Twine(".pack")).str(); }

/// Personality routine of kernels (cilk2gpu/abi/Records.h).
inline constexpr const char kPersonality[] = "__cilk2gpu_personality";

/// Names in counted code (cilk2gpu/abi/Counts.h): the function that is called where a lane begins, the function whose
/// call stands for a channel operation, and the attribute of lane functions, which must not be inlined.
inline constexpr const char kCountLane[] = "__cilk2gpu_count_lane";
inline constexpr const char kCountChannelMarker[] = "__cilk2gpu_count_channel";
inline constexpr const char kCountedLaneAttr[] = "cilk2gpu-counted-lane";

/// Function attribute of a kernel for which LLVM's own pipeline would achieve little. It gets a pipeline of the project
/// (lib/Target/Host/KernelPasses.h).
inline constexpr char kOwnPassesAttr[] = "cilk2gpu-own-passes";

/// Value of kOwnPassesAttr for functions of which this is true only if they have no loops and calls of the user's.
inline constexpr char kIfStraight[] = "straight";

/// Function attribute of ordinary functions that start the graph or call their elision, until all code is in one
/// module.
inline constexpr char kEntryAttr[] = "cilk2gpu-entry";

/// The runtime's function that a kernel calls at a spawn if the channel has no space for the element.
inline constexpr char kTallocName[] = "__cilk2gpu_talloc";

/// The runtime's function that a kernel calls before it does something that may take long, if workers wait for work.
inline constexpr char kOfferName[] = "__cilk2gpu_offer";

/// The runtime's function that says whether a kernel makes its next plain call in place (cilk2gpu/abi/PlainCalls.h).
inline constexpr char kCallInPlaceName[] = "__cilk2gpu_call_in_place";

/// Numbers that the runtime keeps for each thread (cilk2gpu/abi/EntrySite.h).
inline constexpr char kDirectCallsName[] = "__cilk2gpu_direct_calls";
inline constexpr char kInsideTasksName[] = "__cilk2gpu_inside_tasks";

/// Function attribute of a kernel's device form. The value is the kernel's symbol in device images.
inline constexpr char kDeviceKernelAttr[] = "cilk2gpu-kernel";

/// Function attribute of a device form whose lanes may be restarted.
inline constexpr char kDeviceResumesAttr[] = "cilk2gpu-resumes";

/// Function attribute of a device form whose lanes run as serial elisions, and of its kernel.
inline constexpr char kDeviceElidesAttr[] = "cilk2gpu-elides";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_LOWEREDNAMES_H
