// Tests the values of CILK2GPU_CHECK.
#include "process/CheckSetting.h"

#include <gtest/gtest.h>

namespace cilk2gpu::rt {
namespace {

TEST(CheckSetting, ReadsTheNumberOfSchedules) {
  EXPECT_EQ(schedulesOf("races"), kDefaultSchedules);
  EXPECT_EQ(schedulesOf("races:1"), 1u);
  EXPECT_EQ(schedulesOf("races:0100"), 100u);
  EXPECT_EQ(schedulesOf("races:10000"), kMostSchedules);
}

TEST(CheckSetting, RefusesOtherTexts) {
  for (const char *text : {"", "race", "Races", "races:", "races:0", "races:x", "races:1x", "races:-1", "races: 1",
                           "races:10001", "races:99999999999999999999", "racesx", "races,1", "foo"})
    EXPECT_EQ(schedulesOf(text), 0u) << text;
}

} // namespace
} // namespace cilk2gpu::rt
