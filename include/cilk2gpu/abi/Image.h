// What a program brings for real GPUs: code that a driver loads, as the compiler embeds it. Constant data with fixed
// layout, like cilk2gpu/abi/Records.h, whose kMagic and kAbiVersion it carries.
//
// A kernel's entry in an image is a symbol: KernelRecord::symbol for fresh lanes, and the same with "_r" at its end for
// restarted ones. Both take one parameter, a pointer to the abi::Wave, which the device can read, and serve any
// one-dimensional grid: threads stride over the wave's lanes. A kernel whose lanes never yield has no "_r" entry.
//
// Thread-safety: records are constant.
#ifndef CILK2GPU_ABI_IMAGE_H
#define CILK2GPU_ABI_IMAGE_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

// A persistent kernel, if the image was made with one: its entry takes one parameter, a pointer to a
// device::PersistentRecord, and serves any one-dimensional grid of blocks of whole wavefronts, two at least in each.
// The table has the address on the device of what one lane does (as KernelRecord::lane) for each kernel of the image,
// in the order of their symbols in the list of names, each of which ends with a zero byte.
inline constexpr char kPersistentKernel[] = "__cilk2gpu_persistent", kLaneTable[] = "__cilk2gpu_lane_table",
                      kLaneNames[] = "__cilk2gpu_lane_names";

/// The slots of an image that kernels read and that cannot be null, each with the name of what it has the address of;
/// both end with a zero byte. No such constant: there are none.
inline constexpr char kAddressNames[] = "__cilk2gpu_address_names";

/// A variable of images in which what lanes call has no bound on its stack.
inline constexpr char kDeepStack[] = "__cilk2gpu_deep_stack";

/// A variable of images in which calls may recurse, of 64 bits: the bytes of its stack that a lane may use. The host
/// sets it before the first kernel runs; until then there is no bound.
inline constexpr char kStackBytes[] = "__cilk2gpu_stack_bytes";

/// Appended to the symbol of a kernel's entry for restarted lanes.
inline constexpr char kRestartSuffix[] = "_r";

/// An object of the host program that kernels use where it is. The image has a global pointer variable `symbol`, which
/// holds `address` before the first kernel runs.
struct AddressRecord {
  const char *symbol;
  void *address;
  uint64_t bytes; ///< of the object
};

enum class ImageKind : uint32_t {
  Amdgcn = 1, ///< a code object (hsaco)
  Nvptx = 2,  ///< PTX text, terminated by a zero byte
};

/// One image for one architecture.
struct ImageRecord {
  uint32_t magic, version;
  ImageKind kind;
  uint32_t waveSize; ///< lanes of a hardware wavefront, as the code was compiled for
  const char *arch;  ///< as in --offload-arch: "gfx90a", "gfx11-generic", "sm_90"
  const void *data;
  uint64_t size; ///< bytes, the terminating zero of PTX included; 0: tasks cannot run there (-foffload-fallback)
  const AddressRecord *addresses;
  uint64_t numAddresses;
};

static_assert(sizeof(AddressRecord) == 24 && sizeof(ImageRecord) == 56);
static_assert(offsetof(ImageRecord, arch) == 16 && offsetof(ImageRecord, addresses) == 40);

} // namespace cilk2gpu::abi

extern "C" {

/// Adds an image to the process's. Called by constructors, before or after __cilk2gpu_register. A wrong magic or
/// version ends the process with a message. Idempotent per record, which must stay valid as long as the process runs.
void __cilk2gpu_register_image(const cilk2gpu::abi::ImageRecord *image);
}

#endif // CILK2GPU_ABI_IMAGE_H
