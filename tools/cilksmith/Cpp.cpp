// Statements of C++ only: exceptions, lambdas, iterators, and the classes that they share.
#include "Function.h"

#include <utility>

namespace cilksmith {

/// Writes a try block. It may end by a throw while its children run. By the language's rules, a try block waits for the
/// tasks spawned in it, however it ends. So its handlers find the objects as they were at the start of the block.
void CppForms::tryStatement() {
  int from = objects.size();
  State before = body.state;
  bool deferred = body.throws() && isCilk(), outerSpawns = std::exchange(body.spawnsInTry, false);
  open(deferred ? "TRY" : "try {");
  ++body.depth;
  ++body.tries;
  writers.statements.statements(random.between(1, 3));
  if (body.reachable) {
    std::string value = writers.expressions.expression(1);
    random.chance(50) ? line("smithRaise(" + value + ");")
                      : line("if (" + writers.expressions.condition() + ")\n" + std::string(body.indent * 2 + 2, ' ') +
                             "throw SmithError(" + value + ");");
    writers.statements.statements(random.between(0, 2));
  }
  --body.depth;
  --body.tries;
  body.leaveScope(from);
  if (deferred && body.spawnsInTry)
    line("TRY_END");
  body.spawnsInTry |= outerSpawns;
  std::vector<State> ends;
  if (body.reachable)
    ends.push_back(body.state);
  handler("const SmithError &error", before, ends);
  handler("int error", before, ends);
  close();
  body.reachable = !ends.empty();
  if (body.reachable)
    body.state = ends.front();
  for (const State &end : ends)
    merge(body.state, end);
}

void CppForms::throwing() {
  if (isCilk() && random.chance(50)) {
    line("SmithTrace " + fresh("t") + "(log, " + writers.expressions.expression(1) + ");");
    return;
  }
  std::string value = writers.expressions.expression(1), seldom = std::to_string(random.between(2, 9));
  std::string condition =
      "if (" + writers.expressions.expression(1) + " % " + seldom + " == 1)\n" + std::string(body.indent * 2 + 2, ' ');
  line(condition + (random.chance(60) ? "throw SmithError(" + value + ");" : "smithRaise(" + value + ");"));
}

void CppForms::log() {
  if (body.throws())
    line("SmithLog log(" + program.prefix + "log);");
}

/// Writes statements of a handler that call nothing.
void CppForms::quietStatements() {
  bool wasQuiet = std::exchange(body.quiet, true);
  for (unsigned i = random.below(3); i > 0; --i)
    random.chance(50) ? writers.assignments.assignment() : writers.assignments.fold();
  if (body.throws() && isCilk())
    line("log.note(" + writers.expressions.expression(1) + ");");
  body.quiet = wasQuiet;
}

/// Writes a handler. `before` is the state at its begin. Adds the state at its end to `ends`, if it has an end.
void CppForms::handler(const std::string &caught, const State &before, std::vector<State> &ends) {
  bool first = caught[0] == 'c';
  close(first && body.throws() && isCilk() ? "CATCH(" + caught + ") {" : "} catch (" + caught + ") {");
  ++body.indent;
  body.state = before;
  body.reachable = true;
  int from = objects.size();
  ++body.depth;
  line(first ? "h = h * 31 + error.value();" : "h = h * 37 + (u64)error;");
  if (has(Feature::HandlerSpawns, 60)) {
    if (isCilk() && random.chance(50))
      writers.calls.spawnStatement();
    writers.statements.statements(random.between(0, 2));
  }
  if (body.reachable) {
    quietStatements();
    if (body.throws() && random.chance(25))
      line("if (" + writers.expressions.condition() + ")\n" + std::string(body.indent * 2 + 2, ' ') + "throw;");
  }
  --body.depth;
  body.leaveScope(from);
  if (body.reachable)
    ends.push_back(body.state);
}

/// Wraps `called`, a call that begins with its callee, into a call of a lambda. The parent may then change variables
/// that the lambda captured by value. A named lambda lives until the sync.
std::string CppForms::spawnedLambda(const Signature &callee, const std::string &called, State &after) {
  size_t begin = called.find('(');
  std::string name = called.substr(0, begin), arguments = called.substr(begin), forwarded;
  for (size_t i = 0; i < callee.parameters.size(); ++i)
    forwarded += (i ? ", a" : "a") + std::to_string(i);
  std::string call = name + "(" + forwarded + ")", result = program.resultType(callee), inside = "return " + call + ";";
  if (random.chance(35))
    inside = callee.result ? result + " made = cilk_spawn " + call + "; cilk_sync; return made;"
                           : "cilk_spawn " + call + ";";
  std::string captures = random.chance(50) ? "kept = " + writers.expressions.expression(1) : "";
  if (!captures.empty())
    inside = "(void)kept; " + inside;
  bool isNamed = random.chance(40);
  if (isNamed && random.chance(50))
    captures += std::string(captures.empty() ? "" : ", ") + "own = SmithOwn()";
  std::string lambda = "[" + captures + "](" + program.parameterList(callee, /*numbered=*/true) + ") -> " + result +
                       " { " + inside + " }";
  if (!isNamed)
    return lambda + arguments;
  Object object;
  object.name = fresh("l");
  object.type.scalar = Scalar::Bool;
  object.members = program.types.members(object.type);
  object.readOnly = object.opaque = true;
  object.addressable = false;
  line("UNUSED auto " + object.name + " = " + lambda + ";");
  std::string text = object.name + arguments;
  objects.add(std::move(object), body.state);
  after.push_back({Access::Shared});
  return text;
}

/// Returns the header of a loop over iterators of class type, or over a range that has such iterators.
std::string CppForms::rangeSpace(unsigned count, const Object &array, std::string &element) {
  std::string i = fresh("i"), type = program.types.spell(array.type), number = std::to_string(count);
  if (random.chance(40)) {
    element = i;
    return type + " &" + i + " : SmithRange<" + type + ">(" + array.name + ", " + number + ")";
  }
  element = "(*" + i + ")";
  std::string iterator = "SmithIterator<" + type + ">";
  return iterator + " " + i + "(" + array.name + "); " + i + (random.chance(50) ? " < " : " != ") + iterator + "(" +
         array.name + " + " + number + "); " + (random.chance(70) ? "++" + i : i + " += 1");
}

const char kThrowingPrelude[] = R"(#include "deferred.h"

// The record of one task: the order in which its objects are destroyed, and its handlers run.
class SmithLog {
public:
  explicit SmithLog(u64 &sum) : sum(sum) {}
  SmithLog(const SmithLog &) = delete;
  ~SmithLog() { __atomic_fetch_add(&sum, value * 0x9e3779b97f4a7c15ul >> 7, __ATOMIC_RELAXED); }
  void note(u64 number) { value = value * 1000003 + number; }

private:
  u64 &sum;
  u64 value = 1;
};
class SmithTrace {
public:
  SmithTrace(SmithLog &log, u64 number) : log(log), number(number) {}
  SmithTrace(const SmithTrace &) = delete;
  ~SmithTrace() { log.note(number); }

private:
  SmithLog &log;
  u64 number;
};

)";

const char kCppPrelude[] = R"(#define _Bool bool

// The class counts its objects, owns memory, and stores its own address, so that a copy of its bytes is detected.
static long smithAlive;
struct SmithOwn {
  SmithOwn() : held(new u64(0)), self(this) { count(1); }
  SmithOwn(const SmithOwn &other) : held(new u64(other.ref())), self(this) { count(1); }
  SmithOwn(SmithOwn &&other) : held(other.held), self(this) {
    other.held = nullptr;
    count(1);
  }
  SmithOwn &operator=(const SmithOwn &other) {
    u64 *old = held;
    held = new u64(other.ref());
    delete old;
    return *this;
  }
  SmithOwn &operator=(SmithOwn &&other) {
    u64 *old = held;
    held = other.held;
    other.held = old;
    return *this;
  }
  ~SmithOwn() {
    if (self != this)
      abort();
    self = nullptr;
    delete held;
    count(-1);
  }
  u64 &ref() { return self == this ? *held : *(u64 *)nullptr; }
  const u64 &ref() const { return self == this ? *held : *(u64 *)nullptr; }

private:
  static void count(long more) { __atomic_fetch_add(&smithAlive, more, __ATOMIC_RELAXED); }
  u64 *held;
  SmithOwn *self;
};

template <class T> class SmithArray {
public:
  explicit SmithArray(unsigned count) : data(new T[count]()) {}
  SmithArray(const SmithArray &) = delete;
  ~SmithArray() { delete[] data; }
  operator T *() const { return data; }

private:
  T *data;
};

template <class T> class SmithIterator {
public:
  explicit SmithIterator(T *at) : at(at) {}
  SmithIterator(const SmithIterator &other) : at(other.at), own(other.own) {}
  SmithIterator &operator++() { return *this += 1; }
  SmithIterator &operator+=(long by) {
    at += by;
    return *this;
  }
  T &operator*() const { return *at; }
  long operator-(const SmithIterator &other) const { return at - other.at; }
  bool operator<(const SmithIterator &other) const { return at < other.at; }
  bool operator!=(const SmithIterator &other) const { return at != other.at; }

private:
  T *at;
  SmithOwn own;
};

template <class T> class SmithRange {
public:
  SmithRange(T *first, unsigned count) : first(first), count(count) {}
  SmithIterator<T> begin() const { return SmithIterator<T>(first); }
  SmithIterator<T> end() const { return SmithIterator<T>(first + count); }

private:
  T *first;
  unsigned count;
  SmithOwn own;
};

class SmithError {
public:
  explicit SmithError(u64 value) { own.ref() = value; }
  u64 value() const { return own.ref(); }

private:
  SmithOwn own;
};

UNUSED __attribute__((noinline)) static void smithRaise(u64 value) {
  SmithOwn destroyed;
  if (value % 5 == 1)
    throw SmithError(value);
  if (value % 5 == 2)
    throw (int)(value % 100);
}

)";

} // namespace cilksmith
