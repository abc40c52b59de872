// Tests that tables of views find, take and reduce views, in the order of their strands.
#include "reducers/ViewTable.h"

#include <gtest/gtest.h>
#include <new>
#include <string>
#include <vector>

using namespace cilk2gpu::rt::reducers;

namespace {

void makeEmpty(void *view) { new (view) std::string; }

void append(void *left, void *right) {
  auto *text = static_cast<std::string *>(right);
  *static_cast<std::string *>(left) += *text;
  text->~basic_string();
}

void addTo(ViewTable &table, std::string &key, const char *text) {
  View *found = table.find(&key);
  if (!found) {
    table.add(makeView(&key, sizeof key, makeEmpty, append));
    found = table.find(&key);
  }
  *static_cast<std::string *>(found->memory) += text;
}

} // namespace

TEST(ViewTable, FindsOnlyItsViews) {
  ViewTable table;
  std::vector<std::string> reducers(100);
  EXPECT_EQ(table.find(&reducers[0]), nullptr);
  for (std::string &reducer : reducers)
    addTo(table, reducer, "x");
  EXPECT_EQ(table.size(), 100u);
  for (std::string &reducer : reducers)
    ASSERT_EQ(table.find(&reducer)->key, &reducer);
  table.reduceToReducers();
  EXPECT_TRUE(table.isEmpty());
  for (std::string &reducer : reducers)
    EXPECT_EQ(reducer, "x");
}

TEST(ViewTable, FindsTheOthersAfterAViewWasTaken) {
  ViewTable table;
  std::vector<std::string> reducers(64);
  for (std::string &reducer : reducers)
    addTo(table, reducer, "y");
  for (size_t i = 0; i < reducers.size(); ++i) {
    View view = table.take(&reducers[i]);
    ASSERT_EQ(view.key, &reducers[i]);
    reduceInto(&reducers[i], view);
    ASSERT_EQ(table.find(&reducers[i]), nullptr);
    for (size_t other = i + 1; other < reducers.size(); ++other)
      ASSERT_NE(table.find(&reducers[other]), nullptr);
  }
}

TEST(ViewTable, AbsorbsTheViewsToItsRight) {
  ViewTable left, right;
  std::string a, b, c;
  addTo(left, a, "1");
  addTo(right, a, "2");
  addTo(left, b, "3");
  addTo(right, c, "4");
  left.absorb(right);
  EXPECT_TRUE(right.isEmpty());
  left.reduceToReducers();
  EXPECT_EQ(a + b + c, "1234");
}

TEST(ViewTable, KeepsAReducerThatIsItsOwnView) {
  ViewTable left, right;
  std::string a = "own";
  left.add({&a, &a, append});
  addTo(right, a, "+");
  left.absorb(right);
  left.reduceToReducers();
  EXPECT_EQ(a, "own+");
}
