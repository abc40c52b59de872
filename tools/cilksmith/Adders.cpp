// See Adders.h. A function has at most three calls of the others, with smaller numbers, so that it ends soon.
#include "Adders.h"

namespace cilksmith {

namespace {

class AdderWriter {
public:
  AdderWriter(uint64_t seed, const std::string &prefix, ReducerKind::From most)
      : random(seed ^ 0xadde5ul), kind(randomReducerKind(random, most, /*isNumber=*/true)), count(random.between(1, 3)),
        byPointer(random.chance(40)), name(prefix + "adder"), reducer(prefix + "added") {}

  Adders write() {
    Adders adders = {reducer, kind, "UNUSED static " + reducerDefinition(kind, reducer, 1) + "\n", ""};
    for (unsigned i = 0; i < count; ++i)
      adders.text += "UNUSED static " + head(i) + ";\n";
    for (unsigned i = 0; i < count; ++i)
      adders.text += "static " + head(i) + " {\n  if (n <= 0) {\n" + (random.chance(90) ? update("    ") : "") +
                     "    return;\n  }\n" + block("  ", 0) + "}\n";
    adders.call = name + "0(" + std::to_string(random.between(3, 8)) + ", " + std::to_string(random.below(1000)) + "u" +
                  (byPointer ? ", __builtin_addressof(" + reducer + ")" : "") + ");";
    return adders;
  }

private:
  std::string head(unsigned i) const {
    std::string pointer = byPointer ? std::string(", ") + reducerKinds()[kind].type + " *at" : "";
    return "void " + name + std::to_string(i) + "(int n, u32 s" + pointer + ")";
  }

  std::string update(const std::string &indent) {
    static const std::vector<std::string> numbers = {"(u64)n", "(u64)s", "(n * 7ul + s)", "1ul", "(u64)(s >> 3 ^ 5u)"};
    const ReducerKind &of = reducerKinds()[kind];
    return indent +
           replaced(replaced(random.pick(of.forms), 'R', byPointer ? "(*at)" : reducer), 'E', random.pick(numbers)) +
           "\n";
  }

  std::string call(const std::string &indent) {
    --calls;
    return indent + (random.chance(70) ? "cilk_spawn " : "") + name + std::to_string(random.below(count)) + "(n - " +
           std::to_string(random.between(1, 3)) + ", s * " + std::to_string(random.between(1, 9)) + "u + " +
           std::to_string(random.below(100)) + "u" + (byPointer ? ", at" : "") + ");\n";
  }

  std::string block(const std::string &indent, unsigned depth) {
    if (!depth)
      calls = 3;
    std::string text;
    for (unsigned i = random.between(1, 4); i--;)
      text += statement(indent, depth);
    return text;
  }

  std::string statement(const std::string &indent, unsigned depth) {
    const unsigned choice = random.below(100);
    if (choice < 30)
      return update(indent);
    if (choice < 62 && calls)
      return call(indent);
    if (choice < 72)
      return indent + "cilk_sync;\n";
    if (choice < 86 && depth < 2)
      return indent + "if (s & " + std::to_string(random.between(1, 6)) + ") {\n" + block(indent + "  ", depth + 1) +
             indent + "}\n";
    if (choice < 92 && depth < 2 && calls == 3) { // the calls of a loop run twice
      calls = 1;
      std::string body = block(indent + "  ", depth + 1);
      calls = 0;
      return indent + "for (int i = 0; i < 2; ++i) {\n" + body + indent + "  s += (u32)i;\n" + indent + "}\n";
    }
    return indent + (random.chance(40) ? "if (s % 11u == 3u)\n" + indent + "  return;\n" : "s ^= s >> 2;\n");
  }

  Random random;
  const unsigned kind, count;
  const bool byPointer;
  const std::string name, reducer;
  unsigned calls = 0; ///< that the function may still have
};

} // namespace

Adders makeAdders(uint64_t seed, const std::string &prefix, ReducerKind::From most) {
  return AdderWriter(seed, prefix, most).write();
}

} // namespace cilksmith
