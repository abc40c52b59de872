// The kernel lists the process's mappings. The text of that list, and the list of registrations, are in a mapping of
// their own that is not registered. So this code allocates and frees no memory that is registered.
#include "executors/gpu/HostMemory.h"
#include "process/Images.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::device {
namespace {

/// By default Linux allows a process 65,530 mappings. A line of the list has some hundred characters.
constexpr uint64_t kMostRanges = uint64_t(1) << 17, kTextBytes = uint64_t(32) << 20;

constexpr char kTooMuch[] = "more than the machine's memory";

} // namespace

/// The device's own blocks in the order of their addresses, in whole pages.
class HostMemory::OwnBlocks {
public:
  OwnBlocks(const HostRange *blocks, uint64_t count) : blocks(blocks), left(count) {}

  void skipBefore(uint64_t address) {
    for (; left && end() <= address; --left)
      ++blocks;
  }
  uint64_t start() const { return left ? reinterpret_cast<uint64_t>(blocks->address) & ~(kPage - 1) : ~uint64_t(0); }
  uint64_t end() const {
    return (reinterpret_cast<uint64_t>(blocks->address) + blocks->bytes + kPage - 1) & ~(kPage - 1);
  }

private:
  static constexpr uint64_t kPage = 4096;
  const HostRange *blocks;
  uint64_t left;
};

/// Returns whether a mapping belongs to a device or is the kernel's clock, not memory of the program. Memory that
/// processes share appears as /dev/zero, and belongs to the program.
bool HostMemory::isDeviceFile(const Mapping &mapping) {
  if (mapping.startsWith("anon_inode:") || mapping.startsWith("[v"))
    return true;
  char path[4096];
  if (!mapping.startsWith("/") || mapping.startsWith("/dev/zero") || mapping.pathLength >= sizeof path)
    return false;
  memcpy(path, mapping.path, mapping.pathLength);
  path[mapping.pathLength] = 0;
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISCHR(facts.st_mode);
}

static uint64_t physicalBytes() { return uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE)); }

bool HostMemory::reserve(Reason &why) {
  if (text)
    return true;
  uint64_t bytes = kTextBytes + kMostRanges * sizeof(HostRange);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    why.set("the list of the process's memory could not be mapped (%s)", strerror(errno));
    return false;
  }
  text = static_cast<char *>(memory);
  shown = reinterpret_cast<HostRange *>(text + kTextBytes);
  return true;
}

void HostMemory::beginOpening() {
  Reason why;
  canNote = reserve(why) && readMappings(text, kTextBytes / 2, why);
  drivers.beginOpening();
}

void HostMemory::endOpening() {
  Reason why;
  if (canNote && readMappings(text + kTextBytes / 2, kTextBytes / 2, why))
    drivers.endOpening(text, text + kTextBytes / 2);
}

/// Finds the files that the program's kernels come from. Tasks may have pointers to constants in these files.
void HostMemory::findConstants() {
  numObjects = 0;
  Mapping mapping;
  for (const char *at = text; parseMapping(at, mapping);)
    for (uint64_t i = 0; i < rt::imageCount() && numObjects < 8; ++i) {
      uint64_t address = reinterpret_cast<uint64_t>(&rt::image(i));
      if (mapping.start <= address && address < mapping.end && mapping.pathLength && *mapping.path == '/' &&
          !isConstants(mapping.path, mapping.pathLength))
        objects[numObjects++] = mapping.path;
    }
}

bool HostMemory::isConstants(const char *path, uint64_t length) const {
  for (uint32_t i = 0; i < numObjects; ++i)
    if (!strncmp(objects[i], path, length) && objects[i][length] == '\n')
      return true;
  return false;
}

/// Counts a range that is left out. The reason of a failed registration replaces the reason of a range that was not
/// tried.
void HostMemory::leaveOut(const HostRange &range, const char *reason, bool wasTried) {
  if (!failures++ || (wasTried && !failed))
    failure.set("%llu bytes at %p: %s", static_cast<unsigned long long>(range.bytes), range.address, reason);
  failed |= wasTried;
}

/// Registers a range. A range that has another address on the device is left out, because the program's pointers are
/// not valid there. If this holds for all ranges, the program cannot use the device.
bool HostMemory::add(const Driver &driver, HostRange range, Reason &why) {
  void *seenAt = nullptr;
  bool already = false;
  Reason reason;
  if (driver.failed(driver.registerHost(range, seenAt, already), reason)) {
    leaveOut(range, reason.text, /*wasTried=*/true);
  } else if (seenAt == range.address) {
    ++visible;
    if (!already)
      shown[numShown++] = range;
  } else {
    if (!already && driver.failed(driver.unregisterHost(range.address), why))
      return false;
    reason.set("the device sees it at another address (%p)", seenAt);
    leaveOut(range, reason.text, /*wasTried=*/true);
    moved = true;
  }
  return true;
}

/// Returns whether a mapping must be registered, because a task may have a pointer into it. A mapping that is larger
/// than the machine's memory is only reserved, and left out. So is a read-only mapping, if the driver cannot register
/// it.
bool HostMemory::wanted(const Driver &driver, const Mapping &mapping) {
  uint64_t own = reinterpret_cast<uint64_t>(text), bytes = mapping.end - mapping.start;
  if (!mapping.readable || (mapping.executable && !mapping.writable) || (mapping.start <= own && own < mapping.end) ||
      isDeviceFile(mapping) || isOfDriver(mapping.path, mapping.pathLength) || drivers.has(mapping) ||
      driver.isCopyMemory(reinterpret_cast<const void *>(mapping.start)))
    return false;
  bool isLarge = bytes > physicalBytes();
  if (!isLarge && (mapping.writable || isConstants(mapping.path, mapping.pathLength) || driver.registersReadOnly()))
    return true;
  leaveOut({reinterpret_cast<void *>(mapping.start), bytes, !mapping.writable},
           isLarge ? kTooMuch : "the process may only read it, and the driver cannot register that",
           /*wasTried=*/false);
  return false;
}

/// Registers the parts of a mapping between the device's own blocks. (The kernel may have merged these blocks with
/// other memory.)
bool HostMemory::showMapping(const Driver &driver, const Mapping &mapping, OwnBlocks &own, Reason &why) {
  for (uint64_t start = mapping.start; start < mapping.end;) {
    own.skipBefore(start);
    uint64_t end = own.start() < mapping.end ? own.start() : mapping.end;
    if (end > start) {
      HostRange range{reinterpret_cast<void *>(start), end - start, !mapping.writable};
      bool fits = total + range.bytes <= physicalBytes() && numShown < kMostRanges;
      if (!fits && mapping.writable) {
        why.set("the program's memory (%llu bytes and more) cannot be registered all at once",
                static_cast<unsigned long long>(total + range.bytes));
        return false;
      }
      if (!fits)
        leaveOut(range, kTooMuch, /*wasTried=*/false);
      else if (!add(driver, range, why))
        return false;
      total += fits ? range.bytes : 0;
    }
    start = end == mapping.end ? end : own.end();
  }
  return true;
}

bool HostMemory::showMappings(const Driver &driver, bool writable, OwnBlocks own, Reason &why) {
  Mapping mapping;
  for (const char *at = text; parseMapping(at, mapping);)
    if (mapping.writable == writable && wanted(driver, mapping) && !showMapping(driver, mapping, own, why))
      return false;
  return true;
}

bool HostMemory::show(const Driver &driver, const HostRange *ownRanges, uint64_t numOwn, Reason &why) {
  numShown = failures = total = visible = 0;
  moved = failed = false;
  if (!reserve(why) || !readMappings(text, kTextBytes, why))
    return false;
  drivers.update();
  findConstants();
  // Writable memory comes first, because it must be visible. There may be more read-only memory than can be registered.
  if (!showMappings(driver, /*writable=*/true, OwnBlocks(ownRanges, numOwn), why) ||
      !showMappings(driver, /*writable=*/false, OwnBlocks(ownRanges, numOwn), why))
    return false;
  if (moved && !visible)
    why.set("the device sees the host's memory at other addresses (%s)", failure.text);
  return visible || !moved;
}

bool HostMemory::hide(const Driver &driver, Reason &why) {
  for (; numShown; --numShown)
    if (driver.failed(driver.unregisterHost(shown[numShown - 1].address), why))
      return false;
  return true;
}

} // namespace cilk2gpu::device
