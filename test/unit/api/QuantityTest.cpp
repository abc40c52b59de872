// Tests numbers as people read them.
#include "api/Quantity.h"
#include <gtest/gtest.h>

using namespace cilk2gpu::rt;

TEST(Quantity, DigitsAreGrouped) {
  EXPECT_STREQ(grouped(0).text, "0");
  EXPECT_STREQ(grouped(999).text, "999");
  EXPECT_STREQ(grouped(1000).text, "1,000");
  EXPECT_STREQ(grouped(1234567).text, "1,234,567");
  EXPECT_STREQ(grouped(~uint64_t(0)).text, "18,446,744,073,709,551,615");
}

TEST(Quantity, NounsHaveTheirNumber) {
  EXPECT_STREQ(counted(1, "task").text, "1 task");
  EXPECT_STREQ(counted(0, "task").text, "0 tasks");
  EXPECT_STREQ(counted(2000, "launch", "launches").text, "2,000 launches");
  EXPECT_STREQ(counted(1, "launch", "launches").text, "1 launch");
}

TEST(Quantity, UnitsFit) {
  EXPECT_STREQ(bytes(1023).text, "1,023 B");
  EXPECT_STREQ(bytes(1024).text, "1.00 KB");
  EXPECT_STREQ(bytes(1536 * 1024).text, "1.50 MB");
  EXPECT_STREQ(bytes(uint64_t(250) << 30).text, "250 GB");
  EXPECT_STREQ(duration(999).text, "999 ns");
  EXPECT_STREQ(duration(12'340).text, "12.3 us");
  EXPECT_STREQ(duration(3'210'000).text, "3.21 ms");
  EXPECT_STREQ(duration(4'000'000'000'000).text, "4000 s");
}
