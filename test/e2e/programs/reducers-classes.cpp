// Tests reducers of C++ programs: strings, arrays of reducers, members, exceptions that tasks catch, virtual calls.
#include <cstddef>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *)) noexcept;
void __cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));
void __cilkrts_reducer_unregister(void *key);
}

struct Text {
  std::string own;
  static void identity(void *view) { new (view) std::string; }
  static void reduce(void *left, void *right) {
    auto *text = static_cast<std::string *>(right);
    *static_cast<std::string *>(left) += *text;
    text->~basic_string();
  }
  Text() { __cilkrts_reducer_register(&own, sizeof own, identity, reduce); }
  ~Text() { __cilkrts_reducer_unregister(&own); }
  std::string &view() { return *static_cast<std::string *>(__hyper_lookup(&own, sizeof own, identity, reduce)); }
  Text &operator+=(const std::string &more) {
    view() += more;
    return *this;
  }
};

static Text global;

struct Visitor {
  virtual ~Visitor() = default;
  virtual void visit(int n) = 0;
};
struct Writer : Visitor {
  Text *to;
  explicit Writer(Text *to) : to(to) {}
  void visit(int n) override { *to += std::to_string(n) + ";"; }
};

__attribute__((noinline)) static void risky(int n) {
  global += "r" + std::to_string(n);
  if (n % 3 == 0)
    throw std::runtime_error("three");
  global += "!";
}

static void walk(int n, Visitor &visitor) {
  if (n <= 0) {
    visitor.visit(n);
    return;
  }
  cilk_spawn walk(n - 1, visitor);
  try {
    risky(n);
  } catch (const std::exception &e) {
    global += e.what();
  }
  visitor.visit(n);
  cilk_spawn walk(n - 2, visitor);
  global += "/";
  cilk_sync;
  global += "\\";
}

static size_t local(int n) {
  Text text, many[3];
  Writer writer(&text);
  walk(n, writer);
  cilk_for(int i = 0; i < 40; ++i) {
    many[i % 3] += std::to_string(i);
    if (i % 7 == 0)
      text += "x";
  }
  std::vector<int> numbers{1, 2, 3};
  cilk_for(auto i = numbers.begin(); i != numbers.end(); ++i) text += std::to_string(*i);
  size_t hash = 5;
  for (Text *each : {&text, &many[0], &many[1], &many[2]})
    for (char c : each->view())
      hash = hash * 31 + c;
  return hash;
}

int main() {
  global += "<";
  Writer writer(&global);
  size_t a = cilk_spawn local(6);
  global += "|";
  size_t b = local(4);
  walk(7, writer);
  cilk_sync;
  global += ">";
  Text *made = new Text;
  cilk_for(int i = 0; i < 9; ++i) *made += std::to_string(i);
  global += made->view();
  delete made;
  std::printf("%zx %zx %s\n", a, b, global.view().c_str());
}
