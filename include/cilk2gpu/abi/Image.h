// A program's code for real GPUs, as the compiler embeds it and a driver loads it. It is constant data with a fixed
// layout, like the records of cilk2gpu/abi/Records.h, and has the same kMagic and kAbiVersion.
//
// A kernel's entry in an image is a symbol: KernelRecord::symbol for fresh lanes, and KernelRecord::symbol with "_r"
// appended for restarted lanes. A kernel whose lanes never yield has no "_r" entry. An entry takes one parameter, a
// pointer to the abi::Wave, which must be in memory that the device can read. It serves any one-dimensional grid:
// threads stride over the wave's lanes.
//
// Thread-safety: records are constant.
#ifndef CILK2GPU_ABI_IMAGE_H
#define CILK2GPU_ABI_IMAGE_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

// Symbols of a persistent kernel, if the image was made with one. Its entry takes one parameter, a pointer to a
// device::PersistentRecord. It serves any one-dimensional grid of blocks of whole wavefronts, at least two in each
// block. For each kernel of the image, the table has the device's address of the code for one lane (as in
// KernelRecord::lane). Its order is the order of the symbols in the list of names. A zero byte ends each name.
inline constexpr char kPersistentKernel[] = "__cilk2gpu_persistent", kLaneTable[] = "__cilk2gpu_lane_table",
                      kLaneNames[] = "__cilk2gpu_lane_names";

/// The kernel that lists frames. All images have it. Its parameter is a FrameList (runtime/core/FrameShape.h).
inline constexpr char kListKernel[] = "__cilk2gpu_list_frames";

/// Lists pairs of names, each ended by a zero byte: a slot that kernels read and that cannot be null, and the object
/// whose address the slot holds. An image without this constant has no such slots.
inline constexpr char kAddressNames[] = "__cilk2gpu_address_names";

/// Variable that an image has if its lanes make calls whose stack has no known bound.
inline constexpr char kDeepStack[] = "__cilk2gpu_deep_stack";

/// A 64-bit variable that an image has if its calls may recurse. It holds the bytes of stack that a lane may use. The
/// host sets it before the first kernel runs; until then there is no bound.
inline constexpr char kStackBytes[] = "__cilk2gpu_stack_bytes";

/// Appended to the symbol of a kernel's entry for restarted lanes.
inline constexpr char kRestartSuffix[] = "_r";

/// An object of the host program that kernels use at its own address. The image has a global pointer variable `symbol`,
/// which holds `address` before the first kernel runs.
struct AddressRecord {
  const char *symbol;
  void *address;
  uint64_t bytes; ///< size of the object
};

enum class ImageKind : uint32_t {
  Amdgcn = 1, ///< a code object (hsaco)
  Nvptx = 2,  ///< PTX text, terminated by a zero byte
};

/// One image for one architecture.
struct ImageRecord {
  uint32_t magic, version;
  ImageKind kind;
  uint32_t waveSize; ///< lanes of a hardware wavefront for which the code was compiled
  const char *arch;  ///< as in --offload-arch: "gfx90a", "gfx11-generic", "sm_90"
  const void *data;
  uint64_t size; ///< bytes, with the final zero of PTX; 0: no task can run on this GPU (-foffload-fallback)
  const AddressRecord *addresses;
  uint64_t numAddresses;
};

static_assert(sizeof(AddressRecord) == 24 && sizeof(ImageRecord) == 56);
static_assert(offsetof(ImageRecord, arch) == 16 && offsetof(ImageRecord, addresses) == 40);

} // namespace cilk2gpu::abi

extern "C" {

/// Adds an image to the images of the process. Constructors call it, before or after __cilk2gpu_register. A wrong magic
/// or version ends the process with a message. Repeated calls with one record have no effect. The record must stay
/// valid until the process ends.
void __cilk2gpu_register_image(const cilk2gpu::abi::ImageRecord *image);
}

#endif // CILK2GPU_ABI_IMAGE_H
