// See Accesses.h.
#include "Accesses.h"
#include "Machine.h"

#include <string.h>
#include <type_traits>

namespace cilk2gpu::test::ptx {
namespace {

enum class Space { Parameter, Local, Shared, Global, Any };

template <Space space>
unsigned char *locate(const Thread &t, const Instruction &i, int base, uint64_t bytes, bool writes) {
  if (space == Space::Parameter)
    return t.parameters + i.offset;
  uint64_t address = in<uint64_t>(t, i, base) + uint64_t(i.offset);
  if (address & (bytes - 1))
    t.fail("an access is less aligned than it is wide");
  return space == Space::Local    ? t.localMemory(address, bytes)
         : space == Space::Shared ? t.sharedMemory(address, bytes)
         : space == Space::Global ? t.globalMemory(address, bytes, writes)
                                  : t.anyMemory(address, bytes, writes);
}

/// Returns a register's bits for a value that was read. The value is extended to all bits, because the register may be
/// wider.
template <typename T> uint64_t extended(T value) { return uint64_t(int64_t(value)); }

/// Order of an access after earlier accesses of its thread.
enum class Order { Weak, Relaxed, Release };

template <typename T, Space space> T read(Thread &t, unsigned char *memory, bool isAtomic) {
  T value;
  if (space != Space::Parameter && space != Space::Local)
    t.releaseIfPending(memory, sizeof value);
  if (isAtomic)
    value = __atomic_load_n(reinterpret_cast<T *>(memory), __ATOMIC_SEQ_CST);
  else
    memcpy(&value, memory, sizeof value);
  return value;
}

template <typename T, Space space> void write(Thread &t, unsigned char *memory, T value) {
  if (space == Space::Global || space == Space::Shared || (space == Space::Any && !t.isOwn(memory)))
    t.write(memory, uint64_t(value), sizeof value);
  else
    memcpy(memory, &value, sizeof value);
}

template <typename T, Space space, Order order> void load(Thread &t, const Instruction &i) {
  unsigned char *memory = locate<space>(t, i, 1, sizeof(T), false);
  t.set(i.operands[0], extended(read<T, space>(t, memory, order != Order::Weak)));
}

template <typename T, Space space, Order order> void store(Thread &t, const Instruction &i) {
  unsigned char *memory = locate<space>(t, i, 0, sizeof(T), true);
  if (order == Order::Release)
    t.release();
  write<T, space>(t, memory, in<T>(t, i, space == Space::Parameter ? 0 : 1));
}

template <typename T, Space space, Order> void loadVector(Thread &t, const Instruction &i) {
  const std::vector<int32_t> &slots = i.details->vector;
  unsigned char *memory = locate<space>(t, i, 0, sizeof(T) * slots.size(), false);
  for (size_t e = 0; e < slots.size(); ++e)
    t.set(slots[e], extended(read<T, space>(t, memory + e * sizeof(T), false)));
}

template <typename T, Space space, Order> void storeVector(Thread &t, const Instruction &i) {
  const std::vector<int32_t> &slots = i.details->vector;
  unsigned char *memory = locate<space>(t, i, 0, sizeof(T) * slots.size(), true);
  for (size_t e = 0; e < slots.size(); ++e)
    write<T, space>(t, memory + e * sizeof(T), t.get<T>(slots[e]));
}

struct Access {
  Space space = Space::Any;
  Order order = Order::Weak;
  bool isKnown = true;
  std::string_view operation; ///< operation of atom and red
  std::string_view type;      ///< "b64"
};

Access accessOf(const std::vector<std::string_view> &parts) {
  Access read;
  read.type = parts.back();
  for (size_t p = 1; p + 1 < parts.size(); ++p) {
    std::string_view part = parts[p];
    if (part == "param")
      read.space = Space::Parameter;
    else if (part == "local")
      read.space = Space::Local;
    else if (part == "shared")
      read.space = Space::Shared;
    else if (part == "global" || part == "const")
      read.space = Space::Global;
    else if (part == "release" || part == "acq_rel")
      read.order = Order::Release;
    else if (part == "volatile" || part == "relaxed" || part == "acquire")
      read.order = Order::Relaxed;
    else if (part != "v2" && part != "v4" && part != "sys" && part != "gpu" && part != "cta" && part != "nc" &&
             part != "weak") {
      read.isKnown = read.operation.empty();
      read.operation = part;
    }
  }
  return read;
}

#define BY_ORDER(function, T, space, order)                                                                            \
  ((order) == Order::Weak      ? Execute(function<T, space, Order::Weak>)                                              \
   : (order) == Order::Relaxed ? Execute(function<T, space, Order::Relaxed>)                                           \
                               : Execute(function<T, space, Order::Release>))
#define BY_SPACE(function, T, access)                                                                                  \
  ((access).space == Space::Parameter ? Execute(function<T, Space::Parameter, Order::Weak>)                            \
   : (access).space == Space::Local   ? Execute(function<T, Space::Local, Order::Weak>)                                \
   : (access).space == Space::Shared  ? BY_ORDER(function, T, Space::Shared, (access).order)                           \
   : (access).space == Space::Global  ? BY_ORDER(function, T, Space::Global, (access).order)                           \
                                      : BY_ORDER(function, T, Space::Any, (access).order))

//===-- Atomic operations -----------------------------------------------------------------------------------------===//

/// Applies `update` to the value in memory. The instruction returns the old value if it has a result (`atom`; not
/// `red`).
template <typename T, Space space, bool hasResult, bool releases, typename Update>
void modify(Thread &t, const Instruction &i) {
  constexpr int kFirst = hasResult ? 1 : 0;
  auto *memory = reinterpret_cast<T *>(locate<space>(t, i, kFirst, sizeof(T), true));
  if (releases)
    t.release();
  t.releaseIfPending(reinterpret_cast<unsigned char *>(memory), sizeof(T));
  T before, after;
  __atomic_load(memory, &before, __ATOMIC_SEQ_CST);
  do
    after = Update()(before, in<T>(t, i, kFirst + 1), in<T>(t, i, kFirst + 2));
  while (!__atomic_compare_exchange(memory, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  if (hasResult)
    t.set(i.operands[0], before);
}

template <typename T, typename Update, Space space> Execute modification(const Access &access, bool hasResult) {
  if (access.order == Order::Release)
    return hasResult ? modify<T, space, true, true, Update> : modify<T, space, false, true, Update>;
  return hasResult ? modify<T, space, true, false, Update> : modify<T, space, false, false, Update>;
}

template <typename T, typename Update> Execute modification(const Access &access, bool hasResult, Update) {
  if (access.space == Space::Global)
    return modification<T, Update, Space::Global>(access, hasResult);
  if (access.space == Space::Shared)
    return modification<T, Update, Space::Shared>(access, hasResult);
  return access.space == Space::Any ? modification<T, Update, Space::Any>(access, hasResult) : nullptr;
}

template <typename T> Execute findUpdate(const Access &access, bool hasResult) {
  auto make = [&](auto update) { return modification<T>(access, hasResult, update); };
  std::string_view name = access.operation;
  if (name == "exch")
    return make([](T, T b, T) { return b; });
  if (name == "cas")
    return make([](T a, T b, T c) { return memcmp(&a, &b, sizeof a) ? a : c; });
  if (name == "add")
    return make([](T a, T b, T) { return T(a + b); });
  if (name == "min")
    return make([](T a, T b, T) { return a < b ? a : b; });
  if (name == "max")
    return make([](T a, T b, T) { return a < b ? b : a; });
  if constexpr (std::is_integral_v<T>) {
    if (name == "and")
      return make([](T a, T b, T) { return T(a & b); });
    if (name == "or")
      return make([](T a, T b, T) { return T(a | b); });
    if (name == "xor")
      return make([](T a, T b, T) { return T(a ^ b); });
    if (name == "inc")
      return make([](T a, T b, T) { return a >= b ? T(0) : T(a + 1); });
    if (name == "dec")
      return make([](T a, T b, T) { return a == 0 || a > b ? b : T(a - 1); });
  }
  return nullptr;
}

} // namespace

Execute findAccess(const std::vector<std::string_view> &parts, bool isVector) {
  Access access = accessOf(parts);
  if (!access.isKnown || !access.operation.empty() || access.type.size() < 2 ||
      (isVector && access.order != Order::Weak))
    return nullptr;
  Execute found = nullptr;
  bool isLoad = parts[0] == "ld", isSigned = access.type[0] == 's';
  eachInteger([&](auto example, const char *name) {
    using T = decltype(example);
    bool isIt = access.type.substr(1) == std::string_view(name + 2) && isSigned == std::is_signed_v<T>;
    if (isIt)
      found = isLoad     ? isVector ? BY_SPACE(loadVector, T, access) : BY_SPACE(load, T, access)
              : isVector ? BY_SPACE(storeVector, T, access)
                         : BY_SPACE(store, T, access);
  });
  return found;
}

Execute findAtomic(const std::vector<std::string_view> &parts) {
  Access access = accessOf(parts);
  if (!access.isKnown)
    return nullptr;
  bool hasResult = parts[0] == "atom";
  std::string_view type = access.type;
  if (type == "u32" || type == "b32")
    return findUpdate<uint32_t>(access, hasResult);
  if (type == "s32")
    return findUpdate<int32_t>(access, hasResult);
  if (type == "u64" || type == "b64")
    return findUpdate<uint64_t>(access, hasResult);
  if (type == "s64")
    return findUpdate<int64_t>(access, hasResult);
  if (type == "b16")
    return findUpdate<uint16_t>(access, hasResult);
  return type == "f32"   ? findUpdate<float>(access, hasResult)
         : type == "f64" ? findUpdate<double>(access, hasResult)
                         : nullptr;
}

} // namespace cilk2gpu::test::ptx
