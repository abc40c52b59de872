// Families are those of LLVM's AMDGPU target (User Guide, "Generic processor").
#include "executors/gpu/Architectures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {
namespace {

struct Family {
  const char *generic;
  const char *members; ///< each between two blanks
};

const Family families[] = {
    {"gfx9-generic", " gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
    {"gfx9-4-generic", " gfx940 gfx941 gfx942 gfx950 "},
    {"gfx10-1-generic", " gfx1010 gfx1011 gfx1012 gfx1013 "},
    {"gfx10-3-generic", " gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
    {"gfx11-generic", " gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
    {"gfx12-generic", " gfx1200 gfx1201 "},
};

/// Processors of no family. LLVM's code for gfx802 and gfx805 has more registers than these have.
const char *const alone = " gfx801 gfx803 gfx810 gfx908 gfx90a gfx1250 gfx1251 ";
const char *const dropped = " gfx940 gfx941 "; ///< never sold; this LLVM has no code for them

/// NVIDIA's capabilities, in order; before the first, threads of a warp could not go on by themselves.
const uint32_t capabilities[] = {70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
constexpr uint32_t kFirstOfOneChip = 90, kFirstOfFamily = 100; ///< from which on there are sm_Na, sm_Nf

constexpr uint32_t kGeneric = 1, kOwnProcessor = 2;

/// A name such as gfx90a:sramecc+:xnack-: the processor's part.
size_t processorLength(const char *target) { return strcspn(target, ":"); }

bool contains(const char *list, const char *name, size_t length) {
  if (length == 0 || memchr(name, ' ', length))
    return false;
  for (const char *at = list; (at = strchr(at, ' ')) && at[1]; ++at)
    if (!strncmp(at + 1, name, length) && at[1 + length] == ' ')
      return true;
  return false;
}

uint32_t suitsAmd(const char *image, const char *device) {
  size_t imageLength = strlen(image), deviceLength = processorLength(device);
  if (imageLength == deviceLength && !strncmp(image, device, deviceLength))
    return kOwnProcessor;
  for (const Family &family : families)
    if (!strcmp(image, family.generic))
      return contains(family.members, device, deviceLength) ? kGeneric : 0;
  return 0;
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

bool isKnownAmd(const char *arch) {
  size_t length = strlen(arch);
  for (const Family &family : families)
    if (!strcmp(arch, family.generic) || contains(family.members, arch, length))
      return !contains(dropped, arch, length);
  return contains(alone, arch, length);
}

/// gfx6.., gfx7.. and gfx8..: a digit of the family and two more.
bool isOldAmd(const char *arch) {
  return strlen(arch) == 6 && strchr("678", arch[3]) && strspn(arch + 3, "0123456789abcdef") == 3;
}

Support supportOfNvidia(const char *arch) {
  uint32_t number;
  char letter;
  if (!parseCapability(arch, number, letter))
    return Support::Unknown;
  bool isLetterKnown =
      !letter || (letter == 'a' && number >= kFirstOfOneChip) || (letter == 'f' && number >= kFirstOfFamily);
  for (uint32_t known : capabilities)
    if (number == known)
      return isLetterKnown ? Support::Yes : Support::Unknown;
  return !letter && number >= 10 && number < capabilities[0] ? Support::TooOld : Support::Unknown;
}

} // namespace

Support supportOf(const char *arch) {
  if (strncmp(arch, "gfx", 3))
    return supportOfNvidia(arch);
  return isKnownAmd(arch) ? Support::Yes : isOldAmd(arch) ? Support::TooOld : Support::Unknown;
}

Advice adviceFor(abi::ImageKind kind, const char *device) {
  Advice result = {""};
  if (kind == abi::ImageKind::Amdgcn) {
    Advice own = {""};
    snprintf(own.arch, sizeof own.arch, "%.*s", int(processorLength(device)), device);
    return supportOf(own.arch) == Support::Yes ? own : result;
  }
  for (uint32_t capability : capabilities) {
    Advice known;
    snprintf(known.arch, sizeof known.arch, "sm_%u", capability);
    if (suitsNvidia(known.arch, device))
      result = known;
  }
  return result;
}

uint32_t suitability(abi::ImageKind kind, const char *image, const char *device) {
  return kind == abi::ImageKind::Amdgcn ? suitsAmd(image, device) : suitsNvidia(image, device);
}

} // namespace cilk2gpu::device
