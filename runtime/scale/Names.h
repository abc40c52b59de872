// The parts of a program that cilk-scale reports on: functions, spawns, loops and plain calls, and the kernels that run
// them. A site is known by its texts and its position, because each unit has records of its own.
//
// Thread-safety: one thread.
#ifndef CILK2GPU_RUNTIME_SCALE_NAMES_H
#define CILK2GPU_RUNTIME_SCALE_NAMES_H

#include "cilk2gpu/abi/StrandHooks.h"
#include "scale/Growing.h"

namespace cilk2gpu::rt::scale {

using Site = Cilk2gpuSite;

enum class PartKind : uint8_t {
  Outside,  ///< ordinary code around the Cilk functions
  Function, ///< a Cilk function
  Spawn,    ///< a spawned call
  Loop,     ///< a cilk_for
  Call      ///< plain calls of one Cilk function in another one
};

/// Sums of one part over the whole run.
struct Part {
  PartKind kind;
  const Site *site;              ///< null: Outside. For a Call, the site of the function that is called.
  uint32_t caller;               ///< of a Call: the part of the calling function
  uint32_t active;               ///< activations that have not ended
  uint64_t count;                ///< activations
  uint64_t work, span, burdened; ///< of activations that are not inside another activation of the part
  uint64_t local;                ///< instructions of the part's own strands
  uint64_t onSpan;               ///< the share of the program's span in its own strands
};

/// A kernel: a part of the code that runs for all lanes of a wavefront.
struct KernelName {
  uint32_t part;     ///< the function or loop; for a wrapper task, the spawn
  const Site *after; ///< the sync before the kernel; null: the kernel begins the task
  uint32_t call;     ///< the part of the plain call before the kernel; 0: none
};

class Names {
public:
  static constexpr uint32_t kOutside = 0;
  static constexpr uint32_t kTracked = 32; ///< parts whose share of the span is kept; the rest share slot 0

  Names() { parts.add(newPart(PartKind::Outside, nullptr, 0)); }

  uint32_t part(PartKind kind, const Site *site, uint32_t caller = 0) {
    uint32_t index = numbers.find(uint32_t(kind) + 1, identity(site), caller, parts.size());
    if (index == parts.size())
      parts.add(newPart(kind, site, caller));
    return index;
  }

  uint32_t kernel(uint32_t part, const Site *after, uint32_t call) {
    uint32_t index = kernelNumbers.find(part, after ? identity(after) + 1 : 0, call, kernels.size());
    if (index == kernels.size())
      kernels.add({part, after, call});
    return index;
  }

  Growing<Part> parts;
  Growing<KernelName> kernels;

private:
  static Part newPart(PartKind kind, const Site *site, uint32_t caller) {
    return {kind, site, caller, 0, 0, 0, 0, 0, 0, 0};
  }

  static bool isSame(const Site &a, const Site &b) {
    return a.line == b.line && a.column == b.column && a.kind == b.kind && !strcmp(a.function, b.function) &&
           !strcmp(a.file, b.file) && !strcmp(a.callee, b.callee);
  }

  /// Returns a number that all records of one site share.
  uint32_t identity(const Site *site) {
    auto address = reinterpret_cast<uintptr_t>(site);
    uint32_t index = addresses.find(uint32_t(address), uint32_t(uint64_t(address) >> 32), 0, identities.size());
    if (index < identities.size())
      return identities[index].number;
    uint32_t number = index;
    for (uint32_t i = 0; i < index && number == index; ++i)
      if (identities[i].number == i && isSame(*identities[i].site, *site))
        number = i;
    identities.add({site, number});
    return number;
  }

  struct Identity {
    const Site *site;
    uint32_t number;
  };

  Growing<Identity> identities;
  IndexTable addresses, numbers, kernelNumbers;
};

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_NAMES_H
