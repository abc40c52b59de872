// Tests strings, vectors and output in reducers: views with much and with little, values that are read, moved and set
// between and inside tasks, and types with their own copies and moves.
#include <cilk/cilk.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

#include <cstdio>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct Name {
  std::string text;
  unsigned copies = 0;
  explicit Name(unsigned n) : text(n % 40, char('a' + n % 26)) {}
};

typedef cilk::reducer<cilk::op_string> Text;
typedef cilk::reducer<cilk::op_vector<Name>> Names;
typedef cilk::reducer<cilk::op_vector<bool>> Bits;

static cilk::reducer<cilk::op_wstring> wide(L"wide:");
static cilk::reducer_ostream out(std::cout);

static unsigned hashOf(const std::string &text) {
  unsigned hash = 0;
  for (char c : text)
    hash = hash * 31 + unsigned(c);
  return hash;
}

/// Some base cases write nothing, and some write much.
static void write(unsigned low, unsigned count, Text &text, Names &names, Bits &bits) {
  if (count < 2) {
    if (low % 7 == 0)
      text->append(low % 200, char('a' + low % 26));
    if (low % 3 == 0)
      *text += std::to_string(low);
    if (low % 5 < 2)
      names->push_back(Name(low));
    bits->push_back(low % 3 == 1);
    *wide += low % 4 ? L"" : L"x";
    if (low % 31 == 0)
      out << std::setw(6) << low << (low % 62 ? '\n' : ' ') << std::string(low % 300, '.');
    return;
  }
  cilk_spawn write(low, count / 2, text, names, bits);
  if (low % 11 == 3)
    text->push_back('|');
  cilk_spawn write(low + count / 2, count - count / 2, text, names, bits);
  if (low % 13 == 5)
    *text += ";";
  cilk_sync;
}

/// A task with a reducer of its own reads it between and behind its children.
static unsigned own(unsigned n) {
  Text text;
  cilk::reducer<cilk::op_vector<unsigned>> numbers;
  cilk_for (unsigned i = 0; i < 300; ++i) {
    text->append(std::to_string(i * n));
    numbers->push_back(i ^ n);
  }
  unsigned hash = hashOf(text.get_value()) + unsigned(numbers.get_value().size());
  text->append("more");
  cilk_for (unsigned i = 0; i < 200; ++i)
    if (i % 2)
      text->push_back(char('0' + i % 10));
  std::string moved;
  text.move_out(moved);
  text.set_value("again");
  cilk_for (unsigned i = 0; i < 100; ++i)
    text->append(i % 30, 'z');
  std::vector<unsigned> given(5, n);
  numbers.move_in(given);
  numbers->insert_back(3, n);
  for (unsigned x : numbers.get_value())
    hash = hash * 37 + x;
  return hash * 31 + hashOf(moved) + hashOf(text.get_value());
}

int main() {
  Text text(std::string("begin:"));
  Names names;
  Bits bits;
  for (unsigned count : {1u, 900u, 33u}) {
    write(count, count, text, names, bits);
    printf("%zu %u\n", text.get_value().size(), hashOf(text.get_value()));
  }
  unsigned hash = 0;
  for (const Name &name : names.get_value())
    hash = hash * 33 + hashOf(name.text);
  for (bool bit : bits.get_value())
    hash = hash * 3 + bit;
  printf("%zu %zu %zu %u\n", names.get_value().size(), bits.get_value().size(), wide.get_value().size(), hash);
  cilk::reducer<cilk::op_vector<unsigned>> results;
  cilk_for (unsigned n = 0; n < 8; ++n)
    results->push_back(own(n));
  for (unsigned result : results.get_value())
    printf("%u\n", result);
  out << std::endl;
}
