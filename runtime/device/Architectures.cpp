// Families are those of LLVM's AMDGPU target (User Guide, "Generic processor").
#include "device/Architectures.h"

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

constexpr uint32_t kGeneric = 1, kOwnProcessor = 2;

/// A name such as gfx90a:sramecc+:xnack-: the processor's part.
size_t processorLength(const char *target) { return strcspn(target, ":"); }

bool contains(const char *list, const char *name, size_t length) {
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

} // namespace

uint32_t suitability(abi::ImageKind kind, const char *image, const char *device) {
  return kind == abi::ImageKind::Amdgcn ? suitsAmd(image, device) : suitsNvidia(image, device);
}

} // namespace cilk2gpu::device
