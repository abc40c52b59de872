// The kinds of reducers, and the statements that use them. The order of updates shows in the values of some kinds:
// chains, words and lists.
#include "Reducers.h"
#include "Function.h"

#include <utility>

namespace cilksmith {

std::string replaced(std::string text, char mark, const std::string &with) {
  for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += with.size())
    text.replace(at, 1, with);
  return text;
}

/// Classes of Cilk Plus. Here, R stands for the reducer.
static std::vector<ReducerKind> cilkPlusKinds() {
  constexpr auto kFrom = ReducerKind::From::CilkPlus;
  constexpr auto kNumber = ReducerKind::Shows::Number, kOrder = ReducerKind::Shows::Order;
  return {
      {"smith_plus_sum", "", {"*R += E;", "*R -= E;", "++*R;", "*R = *R + E;"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_added", "", {"R += E;", "R -= E;", "++R;", "*R += E;"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_parity", "", {"*R ^= E;", "*R = *R ^ E;"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_product", "", {"*R *= E;", "*R *= E | 1;"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_any", "", {"R |= 1ul << (E & 63);", "*R |= 1ul << (E & 63);"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_all", "", {"*R &= ~(1ul << (E & 63));"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_most", "", {"R->calc_max(E);", "*R = cilk::max_of(*R, E);"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_least", "", {"R->calc_min(E);", "R.calc_min(E);"}, "R.get_value()", kFrom, kNumber},
      {"smith_plus_first", "", {"R->calc_max(E, E % 7);"}, "smith_of(R->is_set(), R.get_value())", kFrom, kOrder},
      {"smith_plus_list",
       "",
       {"R->push_back(E);", "auto &view = *R;\n  view.push_back(E);\n  view.push_back(3);"},
       "smith_hash(R.get_value())",
       kFrom,
       kOrder},
      {"smith_plus_front", "", {"R->push_front(E);", "R.push_front(E);"}, "smith_hash(R.get_value())", kFrom, kOrder},
      {"smith_plus_vector", "", {"R->push_back(E);"}, "smith_hash(R.get_value())", kFrom, kOrder},
      {"smith_plus_string",
       "",
       {"R->push_back((char)('a' + (E & 15)));", "*R += (E & 1 ? \"odd\" : \"an even one\");"},
       "smith_hash(R.get_value())",
       kFrom,
       kOrder},
  };
}

const std::vector<ReducerKind> &reducerKinds() {
  static const std::vector<ReducerKind> kinds = {
      {"smith_sum",
       "7ul",
       {"R += E;", "R -= E;", "++R;", "R = R + E;", "smith_count(__builtin_addressof(R), E);"},
       "R"},
      {"smith_product", "3ul", {"R *= E;", "R = R * (E | 1);"}, "R"},
      {"smith_parity", "9ul", {"R ^= E;", "R = E ^ R;"}, "R"},
      {"smith_any", "0ul", {"R |= 1ul << (E & 63);"}, "R"},
      {"smith_all", "~0ul", {"R &= ~(1ul << (E & 63));"}, "R"},
      {"smith_most", "0ul", {"if (R < E)\n  R = E;", "R = R < E ? E : R;"}, "R"},
      {"smith_least", "~0ul", {"if (R > E)\n  R = E;", "R = R > E ? E : R;"}, "R"},
      {"smith_small", "5", {"R = (unsigned short)(R + E);", "++R;"}, "(u64)R"},
      {"smith_byte", "5", {"R ^= (unsigned char)E;"}, "(u64)R"},
      {"smith_wide", "1", {"R += E;", "R -= (unsigned __int128)E << 64;"}, "((u64)R ^ (u64)(R >> 64))"},
      {"smith_chain",
       "{3ul, 4ul}",
       {"smith_follow(&R, E);", "R.value = R.value * 31 + E, R.factor *= 31;"},
       "(R.factor * 3 + R.value)",
       ReducerKind::From::C,
       ReducerKind::Shows::Order},
      {"smith_words",
       "{}",
       {"smith_write(&R, E);", "smith_note(__builtin_addressof(R), E);"},
       "smith_read(&R)",
       ReducerKind::From::C,
       ReducerKind::Shows::Order},
      {"smith_list",
       "",
       {"R.push(E);", "smith_list &view = R;\n  view.push(E);\n  view.push(7);"},
       "R.hash()",
       ReducerKind::From::Cpp,
       ReducerKind::Shows::Order},
  };
  static const std::vector<ReducerKind> all = [] {
    std::vector<ReducerKind> result = kinds;
    const std::vector<ReducerKind> classes = cilkPlusKinds();
    result.insert(result.end(), classes.begin(), classes.end());
    return result;
  }();
  return all;
}

unsigned reducerNamed(std::string_view type) {
  unsigned kind = 0;
  while (reducerKinds()[kind].type != type)
    ++kind;
  return kind;
}

std::string reducerValue(unsigned kind, const std::string &view) {
  return replaced(reducerKinds()[kind].value, 'R', view);
}

std::string reducerDefinition(unsigned kind, const std::string &name, unsigned count) {
  std::string initial = reducerKinds()[kind].initial, text = std::string(reducerKinds()[kind].type) + " " + name;
  if (count > 1)
    text += "[" + std::to_string(count) + "]";
  if (initial.empty())
    return text + ";";
  std::string list = initial;
  for (unsigned i = 1; i < count; ++i)
    list += ", " + initial;
  return text + " = " + (count > 1 ? "{" + list + "}" : list) + ";";
}

ReducerKind::From mostReducers(const Program &program) {
  if (program.language == Language::C)
    return ReducerKind::From::C;
  return program.has(Feature::ReducerClasses) ? ReducerKind::From::CilkPlus : ReducerKind::From::Cpp;
}

unsigned randomReducerKind(Random &random, ReducerKind::From most, bool isNumber) {
  std::vector<unsigned> found;
  for (unsigned kind = 0; kind < reducerKinds().size(); ++kind) {
    const auto [from, shows] = std::pair(reducerKinds()[kind].from, reducerKinds()[kind].shows);
    if (from > most || (isNumber && shows == ReducerKind::Shows::Order))
      continue;
    found.push_back(kind);
    if (shows == ReducerKind::Shows::Order) // shows more errors
      found.push_back(kind);
  }
  return random.pick(found);
}

int Reducers::add(unsigned kind, const std::string &name, unsigned count, bool foreign) {
  Object object;
  object.name = name;
  object.type.scalar = Scalar::Bool;
  object.members = program.types.members(object.type);
  object.opaque = true;
  object.reducer = static_cast<int>(kind);
  object.views = count;
  object.foreign = foreign;
  return objects.add(std::move(object), body.state);
}

void Reducers::nameGlobals() {
  for (const GlobalReducer &global : program.reducers)
    add(global.kind, global.name, global.count, /*foreign=*/true);
}

/// Returns the text of a reducer, or of an element of an array of reducers.
std::string Reducers::view(const Object &object) {
  if (object.views <= 1)
    return object.name;
  bool wasQuiet = std::exchange(body.quiet, true);
  std::string index = random.chance(50) ? std::to_string(random.below(object.views))
                                        : writers.expressions.expression(1) + " % " + std::to_string(object.views);
  body.quiet = wasQuiet;
  return object.name + "[" + index + "]";
}

/// Writes an update. Its operand calls nothing: the order of the call and of the access to the view would be open.
void Reducers::update() {
  std::vector<int> found;
  for (int index = 0; index < objects.size(); ++index)
    if (objects[index].reducer >= 0)
      found.push_back(index);
  if (found.empty())
    return writers.assignments.fold();
  const Object &object = objects[random.pick(found)];
  std::string chosen = view(object), form = random.pick(reducerKinds()[object.reducer].forms);
  bool wasQuiet = std::exchange(body.quiet, true);
  std::string operand = "(" + writers.expressions.expression(2) + ")";
  body.quiet = wasQuiet;
  // E first: the text of an operand may contain other capital letters, but it is never searched again.
  std::string text;
  for (char c : form)
    text += c == 'E' ? operand : c == 'R' ? chosen : std::string(1, c);
  line("{ " + text + " }");
}

/// Declares a local reducer, or an array of them. Returns its index.
int Reducers::declare(unsigned kind) {
  std::string name = fresh("r"), type = reducerKinds()[kind].type;
  unsigned count = random.chance(20) ? random.between(2, 4) : 1;
  std::string value = reducerDefinition(kind, name, count);
  if (kind == reducerNamed("smith_sum") && count == 1 && random.chance(50)) {
    bool wasQuiet = std::exchange(body.quiet, true);
    value = type + " " + name + " = " + writers.expressions.expression(1) + ";";
    body.quiet = wasQuiet;
  }
  line("UNUSED " + value);
  return add(kind, name, count, /*foreign=*/false);
}

/// Declares a struct with members that are reducers.
void Reducers::declareMembers() {
  std::string name = fresh("s");
  line("UNUSED struct smith_stats " + name + " = {" + std::to_string(random.below(9)) + "u, 5ul, {}};");
  add(reducerNamed("smith_sum"), name + ".weight", 1, /*foreign=*/false);
  add(reducerNamed("smith_chain"), name + ".parts", 3, /*foreign=*/false);
}

/// Reads a reducer that no child updates.
bool Reducers::read() {
  std::vector<int> found;
  for (int index = 0; index < objects.size(); ++index)
    if (objects[index].reducer >= 0 && !objects[index].foreign && body.state[index][0] == Access::Free)
      found.push_back(index);
  if (found.empty())
    return false;
  const Object &object = objects[random.pick(found)];
  line("h = h * 29 + " + reducerValue(object.reducer, view(object)) + ";");
  return true;
}

void Reducers::statement() {
  unsigned kind = random.below(100);
  if (kind < 25)
    declare(randomReducerKind(random, mostReducers(program)));
  else if (kind < 32)
    declareMembers();
  else if (kind < 55 && read())
    return;
  else
    update();
}

std::optional<std::string> Reducers::argument(const Parameter &parameter, bool mayDeclare, State &after) {
  std::vector<int> found;
  for (int index = 0; index < objects.size(); ++index)
    if (objects[index].reducer == static_cast<int>(parameter.reducer))
      found.push_back(index);
  if (mayDeclare && (found.empty() || random.chance(15))) {
    found = {declare(parameter.reducer)};
    after.push_back(body.state.back());
  }
  if (found.empty())
    return std::nullopt;
  int chosen = random.pick(found);
  after[chosen][0] = Access::Shared;
  std::string text = view(objects[chosen]);
  return parameter.isReference ? text : "__builtin_addressof(" + text + ")";
}

void Reducers::share(State &state) const {
  for (size_t index = 0; index < state.size(); ++index)
    if (objects[static_cast<int>(index)].reducer >= 0)
      state[index][0] = Access::Shared;
}

const char kReducerPrelude[] = R"(typedef unsigned __int128 smith_u128;
#define SMITH_REDUCER(name, type, first, step)                                                                         \
  UNUSED static void name##_identity(void *view) { *(type *)view = first; }                                            \
  UNUSED static void name##_reduce(void *left, void *right) {                                                          \
    type *a = (type *)left, *b = (type *)right;                                                                        \
    step;                                                                                                              \
  }                                                                                                                    \
  typedef type cilk_reducer(name##_identity, name##_reduce) name;
SMITH_REDUCER(smith_sum, u64, 0, *a += *b)
SMITH_REDUCER(smith_product, u64, 1, *a *= *b)
SMITH_REDUCER(smith_parity, u64, 0, *a ^= *b)
SMITH_REDUCER(smith_any, u64, 0, *a |= *b)
SMITH_REDUCER(smith_all, u64, ~0ul, *a &= *b)
SMITH_REDUCER(smith_most, u64, 0, *a = *a < *b ? *b : *a)
SMITH_REDUCER(smith_least, u64, ~0ul, *a = *a > *b ? *b : *a)
SMITH_REDUCER(smith_small, unsigned short, 0, *a = (unsigned short)(*a + *b))
SMITH_REDUCER(smith_byte, unsigned char, 0, *a = (unsigned char)(*a ^ *b))
SMITH_REDUCER(smith_wide, smith_u128, 0, *a += *b)

// The functions x -> factor * x + value, one applied after the other.
typedef struct {
  u64 factor, value;
} smith_function;
UNUSED static void smith_chain_identity(void *view) {
  ((smith_function *)view)->factor = 1;
  ((smith_function *)view)->value = 0;
}
UNUSED static void smith_chain_reduce(void *left, void *right) {
  smith_function *a = (smith_function *)left, *b = (smith_function *)right;
  a->value = a->value * b->factor + b->value;
  a->factor *= b->factor;
}
UNUSED static void smith_follow(smith_function *view, u64 value) {
  view->value = view->value * 7 + value;
  view->factor *= 7;
}
typedef smith_function cilk_reducer(smith_chain_identity, smith_chain_reduce) smith_chain;

// The first numbers that were written.
typedef struct {
  u32 count, numbers[40];
} smith_text;
UNUSED static void smith_words_identity(void *view) { ((smith_text *)view)->count = 0; }
UNUSED static void smith_write(smith_text *text, u64 number) {
  if (text->count < 40)
    text->numbers[text->count++] = (u32)(number ^ number >> 32);
}
UNUSED static void smith_words_reduce(void *left, void *right) {
  for (u32 i = 0; i < ((smith_text *)right)->count; ++i)
    smith_write((smith_text *)left, ((smith_text *)right)->numbers[i]);
}
UNUSED static u64 smith_read(const smith_text *text) {
  u64 hash = text->count;
  for (u32 i = 0; i < text->count; ++i)
    hash = hash * 1000003 + text->numbers[i];
  return hash;
}
typedef smith_text cilk_reducer(smith_words_identity, smith_words_reduce) smith_words;

// Reducers as members, and ordinary functions that update them.
struct smith_stats {
  u32 tag;
  smith_sum weight;
  smith_chain parts[3];
};
UNUSED __attribute__((noinline)) static void smith_count(smith_sum *to, u64 number) { *to += number; }
UNUSED __attribute__((noinline)) static void smith_note(smith_words *to, u64 number) { smith_write(&*to, number); }

)";

const char kCppReducerPrelude[] = R"(// A list whose views own memory and know their own addresses.
struct SmithList {
  SmithOwn own;
  u64 count = 0, space = 0, *data = nullptr;
  SmithList() = default;
  SmithList(const SmithList &) = delete;
  ~SmithList() { free(data); }
  void push(u64 number) {
    if (count == space)
      data = (u64 *)realloc(data, (space = space ? 2 * space : 2) * sizeof(u64));
    data[count++] = number;
    own.ref() += number;
  }
  u64 hash() const {
    u64 result = count;
    for (u64 i = 0; i < count; ++i)
      result = result * 1000003 + data[i];
    return result ^ own.ref();
  }
  static void identity(void *view) { ::new (view) SmithList; }
  static void reduce(void *left, void *right) {
    SmithList *from = (SmithList *)right;
    for (u64 i = 0; i < from->count; ++i)
      ((SmithList *)left)->push(from->data[i]);
    from->~SmithList();
  }
};
typedef SmithList cilk_reducer(SmithList::identity, SmithList::reduce) smith_list;

)";

const char kCilkPlusPrelude[] = R"(#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>
typedef cilk::reducer<cilk::op_add<u64>> smith_plus_sum;
typedef cilk::reducer_opadd<u64> smith_plus_added;
typedef cilk::reducer<cilk::op_xor<u64>> smith_plus_parity;
typedef cilk::reducer<cilk::op_mul<u64>> smith_plus_product;
typedef cilk::reducer_opor<u64> smith_plus_any;
typedef cilk::reducer<cilk::op_and<u64>> smith_plus_all;
typedef cilk::reducer<cilk::op_max<u64>> smith_plus_most;
typedef cilk::reducer_min<u64> smith_plus_least;
typedef cilk::reducer<cilk::op_max_index<u64, u64>> smith_plus_first; // of the largest ones
typedef cilk::reducer<cilk::op_list_append<u64>> smith_plus_list;
typedef cilk::reducer_list_prepend<u64> smith_plus_front;
typedef cilk::reducer<cilk::op_vector<u64>> smith_plus_vector;
typedef cilk::reducer<cilk::op_string> smith_plus_string;
UNUSED static u64 smith_of(bool isSet, const std::pair<u64, u64> &value) {
  return isSet ? value.first * 31 + value.second : 5;
}
template <class Container> u64 smith_hash(const Container &container) {
  u64 hash = container.size();
  for (const auto &each : container)
    hash = hash * 1000003 + (u64)each;
  return hash;
}

)";

} // namespace cilksmith
