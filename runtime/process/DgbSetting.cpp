#include "process/DgbSetting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::rt {

namespace {

/// A part whose value is a number.
struct SizePart {
  const char *name;
  uint32_t least, most;
  const char *unit;
  uint32_t DgbSetting::*value;
};

// The least sizes are one memory request of 128 bytes, which is 16 nodes or 64 edges. IDs of nodes have 16 bits.
const SizePart sizeParts[] = {{"nodes", 16, 65536, "nodes", &DgbSetting::nodes},
                              {"edges", 64, 1048576, "edges", &DgbSetting::edges},
                              {"pub", 1, 65536, "pending updates", &DgbSetting::pending},
                              {"slots", 1, 1024, "blocks of a compute unit", &DgbSetting::slots},
                              {"launch", 1, 100000000, "cycles", &DgbSetting::launch}};
constexpr unsigned kNumSizeParts = sizeof sizeParts / sizeof *sizeParts;

class Parser {
public:
  Parser(DgbSetting &result, char *message, size_t size) : result(result), message(message), size(size) {}

  bool parse(const char *text) {
    for (;;) {
      size_t length = strcspn(text, ",");
      if (!part(text, length))
        return false;
      if (!text[length])
        return true;
      text += length + 1;
    }
  }

private:
  bool part(const char *text, size_t length) {
    const char *colon = static_cast<const char *>(memchr(text, ':', length));
    size_t nameLength = colon ? size_t(colon - text) : length;
    for (unsigned i = 0; i < kNumSizeParts; ++i)
      if (isName(text, nameLength, sizeParts[i].name))
        return once(i, text, length) && sizePart(sizeParts[i], text, nameLength, length);
    if (isName(text, nameLength, "spill"))
      return once(kNumSizeParts, text, length) && spillPart(text, nameLength, length);
    snprintf(message, size,
             "the parts are nodes:N, edges:N, pub:N, slots:N, launch:N and spill:on|off, with commas between them; "
             "'%.*s' is none of them; correct it or leave it out",
             int(length), text);
    return false;
  }

  static bool isName(const char *text, size_t length, const char *name) {
    return strlen(name) == length && !strncmp(text, name, length);
  }

  bool once(unsigned index, const char *text, size_t length) {
    if (!(seen >> index & 1)) {
      seen |= 1u << index;
      return true;
    }
    snprintf(message, size, "each part may be given once; '%.*s' is given again; leave one of the two out", int(length),
             text);
    return false;
  }

  bool sizePart(const SizePart &part, const char *text, size_t nameLength, size_t length) {
    uint64_t value = 0;
    const char *digits = text + nameLength + 1;
    size_t numDigits = length > nameLength ? length - nameLength - 1 : 0;
    bool isNumber = numDigits >= 1 && numDigits <= 9;
    for (size_t i = 0; isNumber && i < numDigits; ++i) {
      isNumber = digits[i] >= '0' && digits[i] <= '9';
      value = value * 10 + uint64_t(digits[i] - '0');
    }
    if (isNumber && value >= part.least && value <= part.most) {
      result.*part.value = uint32_t(value);
      return true;
    }
    snprintf(message, size,
             "%s takes a number from %u to %u, in %s; '%.*s' has another value; write, for example, %s:%u", part.name,
             part.least, part.most, part.unit, int(length), text, part.name, part.least * 8);
    return false;
  }

  bool spillPart(const char *text, size_t nameLength, size_t length) {
    const char *value = text + nameLength + 1;
    size_t valueLength = length > nameLength ? length - nameLength - 1 : 0;
    result.spill = !isName(value, valueLength, "off");
    if (!result.spill || isName(value, valueLength, "on"))
      return true;
    snprintf(message, size, "spill is on or off; '%.*s' is neither; write spill:on or spill:off", int(length), text);
    return false;
  }

  DgbSetting &result;
  char *message;
  size_t size;
  unsigned seen = 0; ///< bit i: part i was given
};

} // namespace

bool parseDgbSetting(const char *text, DgbSetting &result, char *message, size_t size) {
  result = {};
  return Parser(result, message, size).parse(text);
}

} // namespace cilk2gpu::rt
