// Reducers in every place that several files share: external and inline variables, static members of classes and of
// class templates, members, and parameters.
#ifndef REDUCERS_OF_HEADERS_STOCK_H
#define REDUCERS_OF_HEADERS_STOCK_H

#include <cilk/opadd_reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_opadd.h>
#include <new>
#include <string>

inline void emptyText(void *view) { new (view) std::string; }

inline void appendText(void *left, void *right) {
  auto *from = static_cast<std::string *>(right);
  *static_cast<std::string *>(left) += *from;
  from->~basic_string();
}

using Text = std::string cilk_reducer(emptyText, appendText);

extern Text names;
inline Text notes;
inline cilk::opadd_reducer<long> weight = 0;
extern cilk::reducer<cilk::op_list_append<int>> numbers;
extern cilk::reducer<cilk::op_add<long>> total;

template <typename T> struct Shelf {
  static inline cilk::opadd_reducer<T> all = 0;
  static Text labels;
  cilk::opadd_reducer<T> own = 0;
};
template <typename T> Text Shelf<T>::labels;

struct Door {
  static cilk::opadd_reducer<int> visits;
  Text sign;
  void pass(char letter) {
    ++visits;
    sign += letter;
  }
};
extern Door door;

template <typename T> void fill(Shelf<T> &shelf, int n) {
  Shelf<T>::all += n;
  Shelf<T>::labels += char('A' + n % 26);
  shelf.own += 2 * n;
}

void byPointer(Text *text, int n);
void byReference(Text &text, int n);
void byView(std::string &view, int n);
void deliver(int n);

#endif
