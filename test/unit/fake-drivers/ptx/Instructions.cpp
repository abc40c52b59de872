// See Instructions.h. The instructions are a table by name. Instructions that differ by types only are templates,
// instantiated for all types of PTX.
#include "Instructions.h"
#include "Accesses.h"
#include "Machine.h"

#include <bit>
#include <limits>
#include <math.h>
#include <string.h>
#include <type_traits>

namespace cilk2gpu::test::ptx {
namespace {

using Table = std::map<std::string, Operation, std::less<>>;
using Group = std::vector<Thread *>;

bool predicate(const Thread &t, const Instruction &i, int operand) { return in<uint8_t>(t, i, operand) & 1; }

//===-- Integers --------------------------------------------------------------------------------------------------===//

template <typename T> T highHalf(T a, T b) {
  if constexpr (sizeof(T) == 8)
    return T((std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>(a) * b) >> 64);
  else
    return T((std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>(a) * b) >> (8 * sizeof(T)));
}

/// PTX defines no result for a division by zero; the hardware's result has all bits set.
template <typename T> T quotient(T a, T b) {
  if (!b)
    return T(-1);
  return std::is_signed_v<T> && b == T(-1) ? T(-uint64_t(a)) : T(a / b);
}
template <typename T> T remainder(T a, T b) {
  if (!b)
    return a;
  return std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b);
}

/// Shifts by more than the type's width leave zeros, or the sign.
template <typename T> T shiftLeft(T a, uint32_t by) { return by < 8 * sizeof(T) ? T(uint64_t(a) << by) : T(0); }
template <typename T> T shiftRight(T a, uint32_t by) {
  return by < 8 * sizeof(T) ? T(a >> by) : std::is_signed_v<T> && a < 0 ? T(-1) : T(0);
}

template <typename T> T extractBits(T a, uint32_t from, uint32_t count) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  from &= 255, count &= 255;
  if (!count)
    return 0;
  uint32_t last = from + count - 1 < kBits ? from + count - 1 : kBits - 1;
  bool isNegative = std::is_signed_v<T> && (uint64_t(a) >> last & 1);
  uint64_t mask = count < 64 ? (uint64_t(1) << count) - 1 : ~uint64_t(0);
  uint64_t bits = from < kBits ? uint64_t(std::make_unsigned_t<T>(a)) >> from : 0;
  return T(isNegative ? (bits & mask) | (last < from ? ~uint64_t(0) : ~uint64_t(0) << (last - from)) : bits & mask);
}

template <typename T> T insertBits(T a, T b, uint32_t from, uint32_t count) {
  from &= 255, count &= 255;
  uint64_t mask = count < 64 ? (uint64_t(1) << count) - 1 : ~uint64_t(0);
  mask = from < 64 ? mask << from : 0;
  return T((uint64_t(b) & ~mask) | (from < 64 ? uint64_t(a) << from & mask : 0));
}

uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selectors) {
  uint64_t source = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (uint32_t byte = 0; byte < 4; ++byte) {
    uint32_t selector = selectors >> (4 * byte);
    auto value = uint8_t(source >> (8 * (selector & 7)));
    if (selector & 8)
      value = value & 0x80 ? 0xff : 0;
    result |= uint32_t(value) << (8 * byte);
  }
  return result;
}

template <typename T> T reversed(T a) {
  T result = 0;
  for (uint32_t bit = 0; bit < 8 * sizeof(T); ++bit)
    result = T(result << 1 | (a >> bit & 1));
  return result;
}

/// Returns the end of the names of types with T's size: "32".
template <typename T> std::string bitsOf() { return std::to_string(8 * sizeof(T)); }

/// `compute` is a type without captures, because the table's functions have no state.
template <typename T, typename Compute> Execute unary(Compute) {
  return [](Thread &t, const Instruction &i) { t.set<T>(i.operands[0], Compute()(in<T>(t, i, 1))); };
}
template <typename T, typename Compute> Execute binary(Compute) {
  return [](Thread &t, const Instruction &i) { t.set<T>(i.operands[0], Compute()(in<T>(t, i, 1), in<T>(t, i, 2))); };
}

template <typename T> void addIntegers(Table &table, const std::string &type) {
  table["add" + type] = {binary<T>([](T a, T b) { return T(uint64_t(a) + uint64_t(b)); })};
  table["sub" + type] = {binary<T>([](T a, T b) { return T(uint64_t(a) - uint64_t(b)); })};
  table["mul.lo" + type] = {binary<T>([](T a, T b) { return T(uint64_t(a) * uint64_t(b)); })};
  table["mul.hi" + type] = {binary<T>([](T a, T b) { return highHalf<T>(a, b); })};
  table["div" + type] = {binary<T>([](T a, T b) { return quotient<T>(a, b); })};
  table["rem" + type] = {binary<T>([](T a, T b) { return remainder<T>(a, b); })};
  table["min" + type] = {binary<T>([](T a, T b) { return a < b ? a : b; })};
  table["max" + type] = {binary<T>([](T a, T b) { return a < b ? b : a; })};
  table["abs" + type] = {unary<T>([](T a) { return a < 0 ? T(-uint64_t(a)) : a; })};
  table["neg" + type] = {unary<T>([](T a) { return T(-uint64_t(a)); })};
  table["mad.lo" + type] = {[](Thread &t, const Instruction &i) {
    t.set<T>(i.operands[0], T(uint64_t(in<T>(t, i, 1)) * uint64_t(in<T>(t, i, 2)) + uint64_t(in<T>(t, i, 3))));
  }};
  table["mad.hi" + type] = {[](Thread &t, const Instruction &i) {
    t.set<T>(i.operands[0], T(uint64_t(highHalf<T>(in<T>(t, i, 1), in<T>(t, i, 2))) + uint64_t(in<T>(t, i, 3))));
  }};
  table["shr" + type] = {[](Thread &t, const Instruction &i) {
    t.set<T>(i.operands[0], shiftRight<T>(in<T>(t, i, 1), in<uint32_t>(t, i, 2)));
  }};
  table["bfe" + type] = {[](Thread &t, const Instruction &i) {
    t.set<T>(i.operands[0], extractBits<T>(in<T>(t, i, 1), in<uint32_t>(t, i, 2), in<uint32_t>(t, i, 3)));
  }};
  if constexpr (sizeof(T) < 8) {
    using Wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
    table["mul.wide" + type] = {[](Thread &t, const Instruction &i) {
      t.set<Wide>(i.operands[0], Wide(uint64_t(Wide(in<T>(t, i, 1))) * uint64_t(Wide(in<T>(t, i, 2)))));
    }};
    table["mad.wide" + type] = {[](Thread &t, const Instruction &i) {
      t.set<Wide>(i.operands[0],
                  Wide(uint64_t(Wide(in<T>(t, i, 1))) * uint64_t(Wide(in<T>(t, i, 2))) + uint64_t(in<Wide>(t, i, 3))));
    }};
  }
}

/// Adds additions and subtractions with the carry of other instructions.
template <typename T> void addCarries(Table &table, const std::string &type) {
  using U = std::make_unsigned_t<T>;
  table["add.cc" + type] = {[](Thread &t, const Instruction &i) {
    U a = in<U>(t, i, 1), sum = U(a + in<U>(t, i, 2));
    t.set<U>(i.operands[0], sum);
    t.carry = sum < a;
  }};
  auto addWithCarry = [](Thread &t, const Instruction &i) {
    U a = in<U>(t, i, 1), b = in<U>(t, i, 2), sum = U(a + b), all = U(sum + U(t.carry));
    t.set<U>(i.operands[0], all);
    t.carry = sum < a || all < sum;
  };
  table["addc.cc" + type] = {addWithCarry};
  table["addc" + type] = {[](Thread &t, const Instruction &i) {
    t.set<U>(i.operands[0], U(in<U>(t, i, 1) + in<U>(t, i, 2) + U(t.carry)));
  }};
  table["sub.cc" + type] = {[](Thread &t, const Instruction &i) {
    U a = in<U>(t, i, 1), b = in<U>(t, i, 2);
    t.set<U>(i.operands[0], U(a - b));
    t.carry = a < b; // the borrow
  }};
  table["subc.cc" + type] = {[](Thread &t, const Instruction &i) {
    U a = in<U>(t, i, 1), b = in<U>(t, i, 2);
    bool borrows = a < b || (a == b && t.carry);
    t.set<U>(i.operands[0], U(a - b - U(t.carry)));
    t.carry = borrows;
  }};
  table["subc" + type] = {[](Thread &t, const Instruction &i) {
    t.set<U>(i.operands[0], U(in<U>(t, i, 1) - in<U>(t, i, 2) - U(t.carry)));
  }};
}

template <typename T> void addBits(Table &table) {
  std::string type = ".b" + bitsOf<T>();
  table["and" + type] = {binary<T>([](T a, T b) { return T(a & b); })};
  table["or" + type] = {binary<T>([](T a, T b) { return T(a | b); })};
  table["xor" + type] = {binary<T>([](T a, T b) { return T(a ^ b); })};
  table["not" + type] = {unary<T>([](T a) { return T(~a); })};
  table["shl" + type] = {[](Thread &t, const Instruction &i) {
    t.set<T>(i.operands[0], shiftLeft<T>(in<T>(t, i, 1), in<uint32_t>(t, i, 2)));
  }};
  table["shr" + type] = {[](Thread &t, const Instruction &i) {
    t.set<T>(i.operands[0], shiftRight<T>(in<T>(t, i, 1), in<uint32_t>(t, i, 2)));
  }};
  table["popc" + type] = {
      [](Thread &t, const Instruction &i) { t.set<uint32_t>(i.operands[0], uint32_t(std::popcount(in<T>(t, i, 1)))); }};
  table["clz" + type] = {[](Thread &t, const Instruction &i) {
    t.set<uint32_t>(i.operands[0], uint32_t(std::countl_zero(in<T>(t, i, 1))));
  }};
  table["brev" + type] = {unary<T>([](T a) { return reversed(a); })};
  table["bfi" + type] = {[](Thread &t, const Instruction &i) {
    t.set<T>(i.operands[0],
             insertBits<T>(in<T>(t, i, 1), in<T>(t, i, 2), in<uint32_t>(t, i, 3), in<uint32_t>(t, i, 4)));
  }};
  for (const char *kind : {".b", ".u", ".s", ".f"}) {
    table["mov" + (kind + bitsOf<T>())] = {unary<T>([](T a) { return a; })};
    table["selp" + (kind + bitsOf<T>())] = {[](Thread &t, const Instruction &i) {
      t.set<T>(i.operands[0], predicate(t, i, 3) ? in<T>(t, i, 1) : in<T>(t, i, 2));
    }};
  }
}

void addPredicates(Table &table) {
  table["and.pred"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], predicate(t, i, 1) && predicate(t, i, 2)); }};
  table["or.pred"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], predicate(t, i, 1) || predicate(t, i, 2)); }};
  table["xor.pred"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], predicate(t, i, 1) != predicate(t, i, 2)); }};
  table["not.pred"] = {[](Thread &t, const Instruction &i) { t.set(i.operands[0], !predicate(t, i, 1)); }};
  table["mov.pred"] = {[](Thread &t, const Instruction &i) { t.set(i.operands[0], predicate(t, i, 1)); }};
}

/// Joins two registers to a value of twice the width.
uint64_t both(const Thread &t, const Instruction &i) {
  return uint64_t(in<uint32_t>(t, i, 2)) << 32 | in<uint32_t>(t, i, 1);
}

void addFunnels(Table &table) {
  table["shf.l.wrap.b32"] = {[](Thread &t, const Instruction &i) {
    t.set(i.operands[0], uint32_t((both(t, i) << (in<uint32_t>(t, i, 3) & 31)) >> 32));
  }};
  table["shf.r.wrap.b32"] = {[](Thread &t, const Instruction &i) {
    t.set(i.operands[0], uint32_t(both(t, i) >> (in<uint32_t>(t, i, 3) & 31)));
  }};
  table["shf.l.clamp.b32"] = {[](Thread &t, const Instruction &i) {
    t.set(i.operands[0], uint32_t((both(t, i) << std::min(in<uint32_t>(t, i, 3), 32u)) >> 32));
  }};
  table["shf.r.clamp.b32"] = {[](Thread &t, const Instruction &i) {
    t.set(i.operands[0], uint32_t(both(t, i) >> std::min(in<uint32_t>(t, i, 3), 32u)));
  }};
  table["prmt.b32"] = {[](Thread &t, const Instruction &i) {
    t.set(i.operands[0], permuteBytes(in<uint32_t>(t, i, 1), in<uint32_t>(t, i, 2), in<uint32_t>(t, i, 3)));
  }};
}

//===-- Floating-point numbers ------------------------------------------------------------------------------------===//

template <typename T> void addFloats(Table &table, const std::string &type) {
  auto both = [&](const std::string &name, Execute execute) {
    table[name + type] = table[name + ".rn" + type] = {execute};
  };
  both("add", binary<T>([](T a, T b) { return T(a + b); }));
  both("sub", binary<T>([](T a, T b) { return T(a - b); }));
  both("mul", binary<T>([](T a, T b) { return T(a * b); }));
  table["div.rn" + type] = {binary<T>([](T a, T b) { return T(a / b); })};
  table["sqrt.rn" + type] = {unary<T>([](T a) { return T(sqrt(double(a))); })};
  table["rcp.rn" + type] = {unary<T>([](T a) { return T(T(1) / a); })};
  table["neg" + type] = {unary<T>([](T a) { return T(-a); })};
  table["abs" + type] = {unary<T>([](T a) { return T(fabs(double(a))); })};
  table["min" + type] = {binary<T>([](T a, T b) { return T(fmin(double(a), double(b))); })};
  table["max" + type] = {binary<T>([](T a, T b) { return T(fmax(double(a), double(b))); })};
  // The result has the sign of the first and the magnitude of the second operand.
  table["copysign" + type] = {binary<T>([](T a, T b) { return T(copysign(double(b), double(a))); })};
  table["fma.rn" + type] = {[](Thread &t, const Instruction &i) {
    T a = in<T>(t, i, 1), b = in<T>(t, i, 2), c = in<T>(t, i, 3);
    if constexpr (std::is_same_v<T, double>)
      t.set<T>(i.operands[0], fma(a, b, c));
    else if constexpr (std::is_same_v<T, float>)
      t.set<T>(i.operands[0], fmaf(a, b, c));
    else
      t.set<T>(i.operands[0],
               // exact but for the sum, which a double rounds at a far smaller digit
               T(double(a) * double(b) + double(c)));
  }};
}

//===-- Comparisons -----------------------------------------------------------------------------------------------===//

template <typename T, typename Compare> Execute comparison(Compare) {
  return [](Thread &t, const Instruction &i) { t.set(i.operands[0], bool(Compare()(in<T>(t, i, 1), in<T>(t, i, 2)))); };
}

template <typename T> void addComparisons(Table &table, const std::string &type) {
  auto add = [&](const char *name, auto compare) { table["setp" + (name + type)] = {comparison<T>(compare)}; };
  add(".eq", [](T a, T b) { return a == b; });
  add(".lt", [](T a, T b) { return a < b; });
  add(".le", [](T a, T b) { return a <= b; });
  add(".gt", [](T a, T b) { return a > b; });
  add(".ge", [](T a, T b) { return a >= b; });
  if constexpr (std::is_integral_v<T>) {
    add(".ne", [](T a, T b) { return a != b; });
    return;
  } else {
    // Comparisons with a u are true if an operand is no number; the others are false.
    add(".ne", [](T a, T b) { return a < b || a > b; });
    add(".equ", [](T a, T b) { return !(a < b || a > b); });
    add(".neu", [](T a, T b) { return a != b; });
    add(".ltu", [](T a, T b) { return !(a >= b); });
    add(".leu", [](T a, T b) { return !(a > b); });
    add(".gtu", [](T a, T b) { return !(a <= b); });
    add(".geu", [](T a, T b) { return !(a < b); });
    add(".num", [](T a, T b) { return a == a && b == b; });
    add(".nan", [](T a, T b) { return a != a || b != b; });
  }
}

//===-- Conversions -----------------------------------------------------------------------------------------------===//

enum class Rounding { None, Nearest, Zero, Down, Up };

template <Rounding rounding> double rounded(double value) {
  switch (rounding) {
  case Rounding::Nearest:
    return nearbyint(value);
  case Rounding::Down:
    return floor(value);
  case Rounding::Up:
    return ceil(value);
  default:
    return trunc(value);
  }
}

/// Clamps a number that is too large to the nearest value. NaN becomes zero or, for 64 bits, the lowest value.
template <typename To> To clamped(double value) {
  using Limits = std::numeric_limits<To>;
  if (value != value)
    return sizeof(To) == 8 ? To(uint64_t(1) << 63) : To(0);
  if (value <= double(Limits::min()))
    return Limits::min();
  return value >= double(Limits::max()) ? Limits::max() : To(value);
}

template <typename To, typename From, Rounding rounding> void convert(Thread &t, const Instruction &i) {
  From value = in<From>(t, i, 1);
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>)
    // A narrow result fills its whole register.
    t.set<uint64_t>(i.operands[0], uint64_t(std::conditional_t<std::is_signed_v<To>, int64_t, uint64_t>(To(value))));
  else if constexpr (std::is_integral_v<To>)
    t.set<uint64_t>(i.operands[0], uint64_t(std::conditional_t<std::is_signed_v<To>, int64_t, uint64_t>(
                                       clamped<To>(rounded<rounding>(double(value))))));
  else if constexpr (std::is_same_v<To, From> && rounding != Rounding::None)
    t.set<To>(i.operands[0], To(rounded<rounding>(double(value))));
  else
    t.set<To>(i.operands[0], To(value));
}

template <typename To, typename From> void addConversion(Table &table, const std::string &types) {
  constexpr bool isToInteger = std::is_integral_v<To>, isFromInteger = std::is_integral_v<From>;
  if constexpr (isToInteger == isFromInteger)
    table["cvt" + types] = {convert<To, From, Rounding::None>};
  if constexpr (!isToInteger && (isFromInteger || sizeof(To) < sizeof(From)))
    table["cvt.rn" + types] = {convert<To, From, Rounding::None>}; // the host rounds in this way
  if constexpr (!isFromInteger && (isToInteger || std::is_same_v<To, From>)) {
    table["cvt.rni" + types] = {convert<To, From, Rounding::Nearest>};
    table["cvt.rzi" + types] = {convert<To, From, Rounding::Zero>};
    table["cvt.rmi" + types] = {convert<To, From, Rounding::Down>};
    table["cvt.rpi" + types] = {convert<To, From, Rounding::Up>};
  }
}

/// Calls `use` with a value of each type, and its name.
template <typename Use> void eachFloat(Use use) {
  use(_Float16(), ".f16"), use(float(), ".f32"), use(double(), ".f64");
}

void addConversions(Table &table) {
  auto each = [](auto use) { eachInteger(use), eachFloat(use); };
  each([&](auto to, std::string name) {
    each([&](auto from, const char *source) { addConversion<decltype(to), decltype(from)>(table, name + source); });
  });
}

//===-- Addresses -------------------------------------------------------------------------------------------------===//

void addAddresses(Table &table) {
  table["cvta.global.u64"] = table["cvta.to.global.u64"] = table["cvta.u64"] = table["mov.u64"];
  table["cvta.local.u64"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], in<uint64_t>(t, i, 1) + windowStart()); }};
  table["cvta.to.local.u64"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], in<uint64_t>(t, i, 1) - windowStart()); }};
  table["isspacep.local"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], isInWindow(in<uint64_t>(t, i, 1))); }};
  table["cvta.shared.u64"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], in<uint64_t>(t, i, 1) + sharedWindowStart()); }};
  table["cvta.to.shared.u64"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], in<uint64_t>(t, i, 1) - sharedWindowStart()); }};
  table["isspacep.shared"] = {
      [](Thread &t, const Instruction &i) { t.set(i.operands[0], isInSharedWindow(in<uint64_t>(t, i, 1))); }};
  table["stacksave.u64"] = {[](Thread &t, const Instruction &i) { t.set(i.operands[0], t.stack); }};
  table["stackrestore.u64"] = {[](Thread &t, const Instruction &i) { t.stack = in<uint64_t>(t, i, 0); }};
  table["alloca.u64"] = {[](Thread &t, const Instruction &i) {
    uint64_t bytes = in<uint64_t>(t, i, 1), align = in<uint64_t>(t, i, 2);
    if (bytes > t.stack)
      t.fail("local memory is full");
    t.stack = (t.stack - bytes) & -align;
    t.set(i.operands[0], t.stack);
  }};
}

//===-- Control ---------------------------------------------------------------------------------------------------===//

void goTo(Thread &t, uint32_t target) { t.next = t.function->body.data() + target; }

void addControl(Table &table) {
  table["bra"] = table["bra.uni"] = {[](Thread &t, const Instruction &i) { goTo(t, i.target); }};
  table["brx.idx"] = {[](Thread &t, const Instruction &i) {
    auto index = in<uint32_t>(t, i, 0);
    if (index >= i.details->targets.size())
      t.fail("a branch is beyond its table");
    goTo(t, i.details->targets[index]);
  }};
  table["call"] = table["call.uni"] = {[](Thread &t, const Instruction &i) {
    auto *callee = i.details->callee;
    t.call(callee ? *callee : *reinterpret_cast<const Function *>(in<uint64_t>(t, i, 0)), *i.details);
  }};
  table["ret"] = table["ret.uni"] = {[](Thread &t, const Instruction &) { t.leave(); }};
  table["exit"] = {[](Thread &t, const Instruction &) { t.end(); }};
  table["trap"] = {[](Thread &t, const Instruction &) { t.fail("a trap"); }};
  table["nanosleep.u32"] = {[](Thread &t, const Instruction &) { t.yields = true; }};
}

void fence(Thread &t, const Instruction &) {
  t.release();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

//===-- What threads do together ----------------------------------------------------------------------------------===//

template <int maskOperand> void meet(Thread &t, const Instruction &i) {
  t.state = State::Meets;
  t.waitsAt = &i;
  t.mask = in<uint32_t>(t, i, maskOperand);
  if (!(t.mask >> t.lane & 1))
    t.fail("a thread is not in the mask that it names");
}

/// Executes a barrier. Behind it, its threads see all that they have written before.
void meetAtBarrier(Thread &t, const Instruction &i) {
  t.release();
  meet<0>(t, i);
}

uint32_t votes(const Instruction &i, const Group &group) {
  uint32_t ballot = 0;
  for (Thread *each : group)
    ballot |= uint32_t(predicate(*each, i, 1)) << each->lane;
  return ballot;
}

uint32_t lanesOf(const Group &group) {
  uint32_t lanes = 0;
  for (Thread *each : group)
    lanes |= uint32_t(1) << each->lane;
  return lanes;
}

/// Gives each thread the value of another thread, with the chosen number in its segment.
void shuffle(const Instruction &i, const Group &group) {
  std::vector<uint32_t> values;
  for (Thread *each : group) {
    uint32_t control = in<uint32_t>(*each, i, 3), segment = control >> 8 & 31, last = control & 31;
    uint32_t source = (each->lane & segment) | (in<uint32_t>(*each, i, 2) & 31 & ~segment);
    if (source > ((each->lane & segment) | (last & ~segment)))
      source = each->lane;
    Thread *from = nullptr;
    for (Thread *other : group)
      if (other->lane == source)
        from = other;
    if (!from)
      each->fail("a shuffle reads a thread that does not take part");
    values.push_back(in<uint32_t>(*from, i, 1));
  }
  for (size_t n = 0; n < group.size(); ++n)
    group[n]->set(i.operands[0], values[n]);
}

void tell(const Instruction &i, const Group &group, uint32_t value) {
  for (Thread *each : group)
    each->set(i.operands[0], value);
}
void tellActive(const Instruction &i, const Group &group) { tell(i, group, lanesOf(group)); }
void tellBallot(const Instruction &i, const Group &group) { tell(i, group, votes(i, group)); }
void tellAny(const Instruction &i, const Group &group) { tell(i, group, votes(i, group) != 0); }
void tellAll(const Instruction &i, const Group &group) { tell(i, group, votes(i, group) == lanesOf(group)); }
void tellNothing(const Instruction &, const Group &) {}

void askForActive(Thread &t, const Instruction &i) {
  t.state = State::AsksForActive;
  t.waitsAt = &i;
}

void addTogether(Table &table) {
  table["activemask.b32"] = {askForActive, tellActive};
  table["shfl.sync.idx.b32"] = {meet<4>, shuffle};
  table["vote.sync.ballot.b32"] = {meet<2>, tellBallot};
  table["vote.sync.any.pred"] = {meet<2>, tellAny};
  table["vote.sync.all.pred"] = {meet<2>, tellAll};
  table["bar.warp.sync"] = {meetAtBarrier, tellNothing};
  table["barrier.sync"] = {[](Thread &t, const Instruction &) { t.awaitBlock(); }};
}

//===-- The table -------------------------------------------------------------------------------------------------===//

/// Splits a register into its elements, the lowest first, and joins them again.
template <typename Whole, typename Part> void unpack(Thread &t, const Instruction &i) {
  Whole whole = in<Whole>(t, i, 0);
  for (int32_t slot : i.details->vector) {
    t.set(slot, Part(whole));
    whole = Whole(uint64_t(whole) >> (8 * sizeof(Part) % 64));
  }
}
template <typename Whole, typename Part> void pack(Thread &t, const Instruction &i) {
  uint64_t whole = 0;
  for (size_t e = 0; e < i.details->vector.size(); ++e)
    whole |= uint64_t(t.get<Part>(i.details->vector[e])) << (8 * sizeof(Part) * e);
  t.set(i.operands[0], Whole(whole));
}

Execute findPacking(std::string_view name, size_t elements, bool packs) {
  auto choose = [&](Execute packing, Execute unpacking) { return packs ? packing : unpacking; };
  if (name == "mov.b64" && elements == 2)
    return choose(pack<uint64_t, uint32_t>, unpack<uint64_t, uint32_t>);
  if (name == "mov.b64" && elements == 4)
    return choose(pack<uint64_t, uint16_t>, unpack<uint64_t, uint16_t>);
  if (name == "mov.b32" && elements == 2)
    return choose(pack<uint32_t, uint16_t>, unpack<uint32_t, uint16_t>);
  if (name == "mov.b32" && elements == 4)
    return choose(pack<uint32_t, uint8_t>, unpack<uint32_t, uint8_t>);
  if (name == "mov.b16" && elements == 2)
    return choose(pack<uint16_t, uint8_t>, unpack<uint16_t, uint8_t>);
  return nullptr;
}

Table makeTable() {
  Table table;
  eachInteger([&](auto example, std::string type) {
    using T = decltype(example);
    if constexpr (sizeof(T) > 1) {
      addIntegers<T>(table, type);
      addComparisons<T>(table, type);
      if constexpr (!std::is_signed_v<T>) {
        addBits<T>(table);
        addComparisons<T>(table, ".b" + bitsOf<T>());
      }
      if constexpr (sizeof(T) >= 4)
        addCarries<T>(table, type);
    }
  });
  eachFloat([&](auto example, std::string type) {
    addFloats<decltype(example)>(table, type);
    addComparisons<decltype(example)>(table, type);
  });
  addPredicates(table);
  addFunnels(table);
  addConversions(table);
  addAddresses(table);
  addControl(table);
  addTogether(table);
  return table;
}

/// Splits a name into parts: "ld", "global", "b64".
std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t dot; (dot = name.find('.')) != name.npos; name.remove_prefix(dot + 1))
    parts.push_back(name.substr(0, dot));
  parts.push_back(name);
  return parts;
}

} // namespace

Operation findInstruction(std::string_view name, size_t vectorOperands, bool packs) {
  static const Table table = makeTable();
  static constexpr Execute kUnknown = [](Thread &t, const Instruction &) {
    t.fail("an instruction that is not known here");
  };
  if (name.starts_with("fence.") || name.starts_with("membar."))
    return {fence};
  auto parts = partsOf(name);
  Execute special = parts[0] == "ld" || parts[0] == "st"      ? findAccess(parts, vectorOperands)
                    : parts[0] == "atom" || parts[0] == "red" ? findAtomic(parts)
                    : vectorOperands                          ? findPacking(name, vectorOperands, packs)
                                                              : nullptr;
  if (special)
    return {special};
  auto found = table.find(name);
  return found == table.end() || vectorOperands ? Operation{kUnknown} : found->second;
}

Execute findSpecialRegister(std::string_view name) {
  static const std::map<std::string_view, Execute> registers = {
      {"%tid.x", [](Thread &t, const Instruction &i) { t.set(i.operands[0], t.number); }},
      {"%ntid.x", [](Thread &t, const Instruction &i) { t.set(i.operands[0], t.shape->threads); }},
      {"%ctaid.x", [](Thread &t, const Instruction &i) { t.set(i.operands[0], t.block); }},
      {"%nctaid.x", [](Thread &t, const Instruction &i) { t.set(i.operands[0], t.shape->blocks); }},
      {"%laneid", [](Thread &t, const Instruction &i) { t.set(i.operands[0], t.lane); }},
  };
  auto found = registers.find(name);
  return found == registers.end() ? nullptr : found->second;
}

} // namespace cilk2gpu::test::ptx
