// The definitions, and ordinary functions that use them.
#include "stock.h"
#include "../checksum.h"
#include "tasks.h"

Text names;
cilk::reducer<cilk::op_list_append<int>> numbers;
cilk::reducer<cilk::op_add<long>> total;
cilk::opadd_reducer<int> Door::visits = 0;
Door door;

void byPointer(Text *text, int n) { *text += char('a' + n % 26); }
void byReference(Text &text, int n) { text += char('a' + (n + 1) % 26); }
void byView(std::string &view, int n) { view += char('0' + n % 10); }

void deliver(int n) {
  numbers->push_back(n);
  *total += n;
  weight += 3 * n;
  door.pass(char('a' + n % 26));
  byPointer(__builtin_addressof(names), n);
}

static void show(const char *name, const std::string &text) {
  Checksum sum = text.size();
  for (char letter : text)
    sum = fold(sum, letter);
  report(name, sum);
}

void report() {
  Checksum sum = 0;
  for (int number : numbers.get_value())
    sum = fold(sum, number);
  report("numbers", sum);
  show("names", names);
  show("notes", notes);
  show("labels of int", Shelf<int>::labels);
  show("labels of long", Shelf<long>::labels);
  show("sign", door.sign);
  printf("%ld %ld %d %ld %d\n", long(weight), total.get_value(), int(Shelf<int>::all), long(Shelf<long>::all),
         int(Door::visits));
}
