// Decides by the table of architectures which image suits which GPU.
#include "executors/gpu/Suitability.h"

#include "cilk2gpu/target-info/Architectures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

using target_info::AmdTraits;
using target_info::kAmdArchitectures;
using target_info::kNvidiaArchitectures;
using target_info::NvidiaTraits;
using target_info::PtxVariants;

namespace {

constexpr uint32_t kGeneric = 1, kOwnProcessor = 2;

/// Returns the length of the processor's name in a name with settings, such as gfx90a:sramecc+:xnack-.
size_t processorLength(const char *target) { return strcspn(target, ":"); }

/// Returns the row of the processor whose name is the first `length` characters of `name`, or null.
const AmdTraits *findProcessor(const char *name, size_t length) {
  for (const AmdTraits &row : kAmdArchitectures)
    if (strlen(row.processor) == length && !strncmp(row.processor, name, length))
      return &row;
  return nullptr;
}

uint32_t suitsAmd(const char *image, const char *device) {
  size_t imageLength = strlen(image), deviceLength = processorLength(device);
  if (imageLength == deviceLength && !strncmp(image, device, deviceLength))
    return kOwnProcessor;
  const AmdTraits *processor = findProcessor(device, deviceLength);
  return processor && !processor->isGeneric() && *image && !strcmp(image, processor->family) ? kGeneric : 0;
}

/// Reads sm_N with a letter at its end, or without.
bool parseCapability(const char *arch, uint32_t &number, char &letter) {
  if (strncmp(arch, "sm_", 3))
    return false;
  char *end;
  number = uint32_t(strtoul(arch + 3, &end, 10));
  letter = *end;
  return end != arch + 3 && (!letter || !end[1]);
}

uint32_t suitsNvidia(const char *image, const char *device) {
  uint32_t wanted, there;
  char letter, none;
  if (!parseCapability(image, wanted, letter) || !parseCapability(device, there, none) || there < wanted)
    return 0;
  if ((letter == 'a' && there != wanted) || (letter == 'f' && there / 10 != wanted / 10))
    return 0;
  return 2 * wanted + (letter != 0);
}

/// Returns whether a name is gfx6.., gfx7.. or gfx8..: a digit of the family and two more digits.
bool isOldAmd(const char *arch) {
  return strlen(arch) == 6 && strchr("678", arch[3]) && strspn(arch + 3, "0123456789abcdef") == 3;
}

/// Returns whether there is a name sm_N with this letter at its end, or without a letter if it is zero.
bool hasVariant(const NvidiaTraits &row, char letter) {
  if (letter == 'a')
    return row.variants != PtxVariants::Plain;
  return !letter || (letter == 'f' && row.variants == PtxVariants::ChipAndFamily);
}

Support supportOfNvidia(const char *arch) {
  uint32_t number;
  char letter;
  if (!parseCapability(arch, number, letter))
    return Support::Unknown;
  if (const NvidiaTraits *row = target_info::findNvidia(number))
    return hasVariant(*row, letter) ? Support::Yes : Support::Unknown;
  bool isOld = !letter && number >= 10 && number < kNvidiaArchitectures[0].capability;
  return isOld ? Support::TooOld : Support::Unknown;
}

} // namespace

Support supportOf(const char *arch) {
  if (strncmp(arch, "gfx", 3))
    return supportOfNvidia(arch);
  return target_info::findAmd(arch) ? Support::Yes : isOldAmd(arch) ? Support::TooOld : Support::Unknown;
}

Advice adviceFor(abi::ImageKind kind, const char *device) {
  Advice result = {""};
  if (kind == abi::ImageKind::Amdgcn) {
    Advice own = {""};
    snprintf(own.arch, sizeof own.arch, "%.*s", int(processorLength(device)), device);
    return supportOf(own.arch) == Support::Yes ? own : result;
  }
  for (const NvidiaTraits &row : kNvidiaArchitectures) {
    Advice known;
    snprintf(known.arch, sizeof known.arch, "sm_%u", row.capability);
    if (suitsNvidia(known.arch, device))
      result = known;
  }
  return result;
}

uint32_t suitability(abi::ImageKind kind, const char *image, const char *device) {
  return kind == abi::ImageKind::Amdgcn ? suitsAmd(image, device) : suitsNvidia(image, device);
}

} // namespace cilk2gpu::device
