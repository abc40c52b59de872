// See NarrowStores.h. LLVM writes each instruction on a line of its own:
//
//   \tst.global.v2.b8 \t[%rd1+4], {%r5, 0};
#include "NarrowStores.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace llvm;

/// Returns the bits that each element of a store writes; none for other instructions.
static std::optional<unsigned> storedBits(StringRef opcode) {
  if (!opcode.starts_with("st."))
    return std::nullopt;
  StringRef type = opcode.rsplit('.').second;
  unsigned bits = 0;
  if (type.size() < 2 || type.drop_front().getAsInteger(10, bits))
    return std::nullopt;
  return bits;
}

/// Returns the bits of one of LLVM's registers; 0 for other operands.
static unsigned registerBits(StringRef operand) {
  StringRef name = operand;
  unsigned bits = name.consume_front("%rd") ? 64 : name.consume_front("%rs") ? 16 : name.consume_front("%r") ? 32 : 0;
  return !name.empty() && all_of(name, isDigit) ? bits : 0;
}

/// Writes a store. Its operands are "[address]" and then a register, a constant, or a list of them in braces.
static void mendStore(StringRef line, unsigned bits, std::string &out) {
  size_t address = line.find(']');
  auto [before, values] = std::pair(line.take_front(address), line.drop_front(address));
  SmallVector<std::string> declared, computed;
  std::string store = before.str();
  while (!values.empty()) {
    size_t start = values.find('%');
    store += values.take_front(start);
    values = start == StringRef::npos ? StringRef() : values.drop_front(start);
    StringRef name = values.take_while([](char c) { return c == '%' || isAlnum(c); });
    values = values.drop_front(name.size());
    unsigned own = registerBits(name);
    if (own <= bits) {
      store += name;
      continue;
    }
    std::string copy = "%low" + utostr(declared.size()), type = ".b" + utostr(own);
    declared.push_back("\t.reg " + type + " \t" + copy + ";\n");
    computed.push_back("\tand" + type + " \t" + copy + ", " + name.str() + ", " + utostr((uint64_t(1) << bits) - 1) +
                       ";\n");
    store += copy;
  }
  if (declared.empty()) {
    out += line;
    return;
  }
  out += "\t{\n" + join(declared, "") + join(computed, "") + store + "\t}\n";
}

std::string cilk2gpu::mendNarrowStores(StringRef ptx) {
  std::string result;
  result.reserve(ptx.size() + ptx.size() / 64);
  while (!ptx.empty()) {
    StringRef line = ptx.take_front(ptx.find('\n') == StringRef::npos ? ptx.size() : ptx.find('\n') + 1);
    ptx = ptx.drop_front(line.size());
    if (auto bits = storedBits(line.ltrim('\t').take_until([](char c) { return c == ' '; })); bits && *bits < 64)
      mendStore(line, *bits, result);
    else
      result += line;
  }
  return result;
}
