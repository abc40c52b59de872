// The calls of the HIP runtime API that differ from CUDA's (DriverCalls.h). The declarations were checked against the
// headers of HIP 5.2 and 6.2.
#include "executors/gpu/DriverCalls.h"

#include <string.h>

namespace cilk2gpu::device {
namespace {

constexpr int kNotSupported = 801, kInvalidValue = 1; // hipError_t
constexpr int kCooperativeLaunch = 10, kManagedMemory = 24, kMultiprocessors = 63, kPageableMemoryAccess = 65,
              kWarpSize = 87; // hipDeviceAttribute_t
constexpr unsigned kHostCoherent = 0x40000000;

#define CILK2GPU_HIP(X)                                                                                                \
  X(hipSetDevice, (int device))                                                                                        \
  X(hipModuleLoadData, (void **module, const void *data))

DriverCalls api;
struct {
  CILK2GPU_HIP(CILK2GPU_DRIVER_FIELD)
  // Calls that some versions lack, or that return no error.
  DriverEntry<int(void *properties, int device)> getProperties;
  DriverEntry<int(int limit, size_t value)> setLimit;
  const char *(*errorName)(int code);
  const char *(*errorText)(int code);
} own;

/// HIP 6 changed hipDeviceProp_t, and renamed the function that fills it. The runtime reads one field only.
struct PropertiesLayout {
  const char *function;
  uint64_t archOffset; ///< offset of gcnArchName
};
constexpr PropertiesLayout layouts[] = {{"hipGetDevicePropertiesR0600", 1160}, {"hipGetDeviceProperties", 396}};
constexpr uint64_t kPropertiesBytes = 8192; ///< more than the size in any version
PropertiesLayout layout;

int opened = 0; ///< device

template <typename T> void find(void *library, const char *symbol, T &entry) {
  entry = reinterpret_cast<T>(findSymbol(library, symbol));
}

constexpr long kAfterLaunch = 2; // of AMD_SERIALIZE_KERNEL

/// The API of HIP.
struct Hip : CommonDriver<api> {
  /// The runtime uses no graphs of HIP.
  static constexpr decltype(Driver::launchGraph) launchGraph = nullptr;
  static constexpr decltype(Driver::prefetch) prefetch = nullptr;
  static constexpr char kName[] = "hip", kProduct[] = "AMD's ROCm";
  static constexpr abi::ImageKind kImages = abi::ImageKind::Amdgcn;
  static constexpr char kVariable[] = "CILK2GPU_HIP_LIBRARY";
  static constexpr const char *kLibraries[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                               "libamdhip64.so.5", nullptr};
  static constexpr BlockingVariable kBlocking[] = {
      {"HIP_LAUNCH_BLOCKING", ~0l}, {"AMD_SERIALIZE_KERNEL", kAfterLaunch}, {}};

  static const char *bind(void *library) {
    if (const char *missing = api.find(library, /*isCuda=*/false))
      return missing;
    CILK2GPU_HIP(CILK2GPU_DRIVER_FIND)
    own.setLimit.find(library, "hipDeviceSetLimit");
    find(library, "hipGetErrorName", own.errorName);
    find(library, "hipGetErrorString", own.errorText);
    for (const PropertiesLayout &candidate : layouts) {
      layout = candidate;
      if (own.getProperties.find(library, layout.function))
        return nullptr;
    }
    return layout.function;
  }

  static void describe(int code, const char *&name, const char *&meaning) {
    const char *text = own.errorName ? own.errorName(code) : nullptr;
    name = text ? text : name;
    text = own.errorText ? own.errorText(code) : nullptr;
    meaning = text ? text : meaning;
  }

  static Status readArch(int device, DeviceFacts &facts) {
    alignas(16) static char properties[kPropertiesBytes];
    memset(properties, 0, sizeof properties);
    Status status = own.getProperties(properties, device);
    memcpy(facts.arch, properties + layout.archOffset, sizeof facts.arch - 1);
    facts.arch[sizeof facts.arch - 1] = 0;
    return status;
  }

  static Status readFacts(int device, DeviceFacts &facts) {
    int wave = 0, managed = 0, pageable = 0;
    CILK2GPU_TRY(api.name(facts.name, sizeof facts.name, device));
    CILK2GPU_TRY(readArch(device, facts));
    CILK2GPU_TRY(api.attribute(&wave, kWarpSize, device));
    CILK2GPU_TRY(api.attribute(&managed, kManagedMemory, device));
    CILK2GPU_TRY(api.attribute(&pageable, kPageableMemoryAccess, device));
    facts.waveSize = uint32_t(wave);
    facts.managed = managed != 0;
    facts.pageable = pageable != 0;
    facts.concurrent = true;  // managed memory whose pages cannot move is in the host's memory
    facts.sameAddress = true; // only CUDA has this attribute, so each range is checked when it is registered
    return {api.attribute.symbol, 0};
  }

  static Status makeCurrent() { return own.hipSetDevice(opened); }

  static Status open(int ordinal) {
    opened = ordinal;
    CILK2GPU_TRY(readGrid(opened, kMultiprocessors, kCooperativeLaunch));
    return makeCurrent();
  }

  static Status setStack(uint64_t bytes, bool &unsupported) {
    Status status =
        own.setLimit.function ? own.setLimit(kLimitStackSize, bytes) : Status{own.setLimit.symbol, kNotSupported};
    // Versions use different errors for a limit that they do not have.
    unsupported = status.code == kUnsupportedLimit || status.code == kNotSupported || status.code == kInvalidValue;
    return status;
  }

  static Status loadModule(const abi::ImageRecord &image, uint32_t, void *&module, char *log, uint64_t) {
    *log = 0;
    return own.hipModuleLoadData(&module, image.data);
  }

  /// Allocates coherent memory, in which each side sees the other's writes while a kernel runs.
  static Status allocateShared(uint64_t bytes, void *&memory) {
    return api.allocateHost(&memory, bytes, kPortable | kMapped | kHostCoherent);
  }

  static Status registerHost(const HostRange &range, void *&seenAt, bool &already) {
    return registerWith(0, range, seenAt, already);
  }

  static bool registersReadOnly() { return false; }
};

constexpr Driver driver = makeDriver<Hip>();

} // namespace

const Driver &hipDriver() { return driver; }

} // namespace cilk2gpu::device
