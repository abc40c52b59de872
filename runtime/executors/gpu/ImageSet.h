// The images of the program that the opened device can run. This class loads them, sets the host's addresses in them,
// and finds kernels.
//
// An image is loaded when the runtime looks for a kernel in it. Images that suit the device better come first. Images
// of libraries that the program opens later are found, too.
//
// Thread-safety: one thread at a time, which has made the device current.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_IMAGESET_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_IMAGESET_H

#include "core/TaskTable.h"
#include "executors/gpu/Driver.h"

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Requests.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

/// What each lane has.
struct LaneResources {
  uint64_t stackBytes = 0;
  bool isStackLimited = false; ///< the driver has set this size
  uint32_t registers = 0;      ///< at most; 0: the driver's compiler decides
};

class ImageSet {
public:
  /// Both outlive the set; `device` is filled in before open().
  ImageSet(const Driver &driver, const DeviceFacts &device) : driver(driver), device(device) {}
  /// Does not unload images; the driver does so.
  ~ImageSet();
  ImageSet(const ImageSet &) = delete;

  /// Loads the image that suits the device best. At least one image must suit it.
  bool open(const LaneResources &lanes, Reason &why);

  /// Return the architecture of the image that suits best, and the size of its wavefronts.
  const char *bestArch() const;
  uint32_t bestWaveSize() const;

  /// Returns the driver's function for a kernel. Ends the process if no image has it.
  void *entry(const rt::KernelInfo &kernel, bool restarts);

  /// An image's persistent kernel (cilk2gpu/abi/Image.h). Its names and lanes are copies in the host's memory.
  struct PersistentCode {
    void *kernel;
    const char *names;
    uint64_t nameBytes;
    const abi::LaneFn *lanes;
  };
  /// Returns the persistent kernel of the first image that has one; null if none has.
  const PersistentCode *persistentCode();

  /// A kernel of an image, and a variable beside it that the host sets.
  struct KernelCode {
    void *kernel, *variable;
  };
  /// Looks for a kernel and a variable in the images. Returns false if no image has the kernel.
  bool find(const char *kernel, const char *variable, KernelCode &code);

  /// Returns a kernel; null: no image has it.
  void *findKernel(const char *kernel) { return findEntry(kernel); }

  /// Returns the request queue; null: no loaded image has lanes that make requests.
  abi::RequestQueue *requests() const { return queue; }

private:
  struct Module {
    const abi::ImageRecord *image;
    uint32_t suitability;
    void *handle; ///< null: not loaded
    Module *next; ///< the next image, which suits the device less or as well
  };

  void addImages();
  void addModule(const abi::ImageRecord &image, uint32_t suitability);
  bool loadModule(Module &module, Reason &why);
  bool isShallow(const Module &module, Reason &why);
  bool boundStack(const Module &module, Reason &why);
  bool connectRequests(const Module &module, Reason &why);
  bool setAddress(const Module &module, const abi::AddressRecord &record, Reason &why);
  bool hasAddresses(const Module &module, Reason &why);
  bool isFilled(const Module &module, const char *slot, const char *name, Reason &why);
  void *findEntry(const char *symbol, const Module **in = nullptr);
  bool readPersistentCode(const Module &module, Reason &why);
  bool readConstant(const Module &module, const char *symbol, void *&copy, uint64_t &bytes, Reason &why);

  const Driver &driver;
  const DeviceFacts &device;
  LaneResources lanes;
  uint64_t seenImages = 0; ///< number of the process's images that were examined
  Module *modules = nullptr;
  abi::RequestQueue *queue = nullptr;
  PersistentCode persistent = {};
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_IMAGESET_H
