// Tests that the variables of this program are found, and that copies of them show what differs.
#include "check/VariableCopy.h"

#include <gtest/gtest.h>

#include <stdlib.h>

// Variables of a program have names of their own, without a namespace of the runtime.
int checkedNumbers[100];
double checkedSum = 1.5;
struct CheckedPair {
  char letter;
  int number;
  long large;
  short small;
} checkedPairs[4];
int *checkedAddress;
std::string checkedText = "a text which is too long for the object itself";
static volatile char checkedByte; // accessed, so that it is a variable
const int checkedConstant = 5;
extern "C" int __checkedReserved;
int __checkedReserved;

namespace cilk2gpu::rt {
namespace {

class VariableCopyTest : public testing::Test {
protected:
  void SetUp() override {
    static const ProgramVariables *const read = [] {
      auto *result = new ProgramVariables;
      result->read();
      return result;
    }();
    variables = read;
    checkedByte = 0;
    checkedSum = 1.5;
    memset(checkedPairs, 0, sizeof checkedPairs);
    checkedAddress = nullptr;
    memset(checkedNumbers, 0, sizeof checkedNumbers);
    copy.make(*variables);
  }

  const ProgramVariable *find(const char *name) const {
    for (uint64_t i = 0; i < variables->size(); ++i)
      if (!strcmp((*variables)[i].name, name))
        return &(*variables)[i];
    return nullptr;
  }

  VariableDifference compare() {
    VariableDifference difference;
    copy.compare(difference);
    return difference;
  }

  const ProgramVariables *variables;
  VariableCopy copy;
};

TEST_F(VariableCopyTest, FindsTheProgramsVariables) {
  ASSERT_EQ(variables->source(), ProgramVariables::Source::Symbols);
  const ProgramVariable *numbers = find("checkedNumbers");
  ASSERT_NE(numbers, nullptr);
  EXPECT_EQ(numbers->start, reinterpret_cast<char *>(checkedNumbers));
#ifdef CILK2GPU_SANITIZED
  EXPECT_GE(numbers->size, sizeof checkedNumbers); // AddressSanitizer makes the symbol larger
#else
  EXPECT_EQ(numbers->size, sizeof checkedNumbers);
#endif
  EXPECT_EQ(numbers->copiedAt % 8, uint64_t(numbers->start) % 8);
  EXPECT_NE(find("_ZL11checkedByte"), nullptr);
  EXPECT_TRUE(variables->isInImage(uint64_t(&checkedSum)));
  EXPECT_FALSE(variables->isInImage(uint64_t(checkedText.data())));
}

TEST_F(VariableCopyTest, LeavesOutConstantsAndReservedNames) {
  EXPECT_EQ(checkedConstant + __checkedReserved, 5);
  EXPECT_EQ(find("_ZL15checkedConstant"), nullptr);
  EXPECT_EQ(find("__checkedReserved"), nullptr);
  for (uint64_t i = 0; i < variables->size(); ++i)
    EXPECT_EQ(strstr((*variables)[i].name, "cilk2gpu"), nullptr);
}

TEST_F(VariableCopyTest, ShowsTheVariableAndTheElement) {
  checkedNumbers[7] = 70;
  copy.record();
  EXPECT_EQ(compare().numVariables, 0u);
  checkedNumbers[7] = 71;
  VariableDifference difference = compare();
  ASSERT_EQ(difference.numVariables, 1u);
  EXPECT_STREQ((*variables)[difference.variable].name, "checkedNumbers");
  EXPECT_EQ(difference.valueAt, 28u);
  EXPECT_EQ(difference.size, 4u);
  EXPECT_EQ(difference.serial, 70u);
  EXPECT_EQ(difference.found, 71u);
  checkedByte = 1;
  EXPECT_EQ(compare().numVariables, 2u);
}

TEST_F(VariableCopyTest, LeavesOutBytesThatSerialRunsDisagreeAbout) {
  copy.record();
  checkedNumbers[3] = 0x100;
  copy.disagree();
  checkedNumbers[3] = 0x200;
  EXPECT_EQ(compare().numVariables, 0u);
  checkedNumbers[3] = 0x12345678; // in other bytes, too
  EXPECT_EQ(compare().numVariables, 0u);
  checkedNumbers[4] = 1;
  EXPECT_EQ(compare().numVariables, 1u);
}

TEST_F(VariableCopyTest, LeavesOutBytesThatTwoOtherRunsDisagreeAbout) {
  copy.record();
  checkedNumbers[3] = 1;
  checkedNumbers[4] = 2;
  EXPECT_EQ(compare().offset, 12u);
  checkedNumbers[3] = 3;
  copy.disagreeAgain();
  EXPECT_EQ(compare().offset, 16u) << "this byte is the same in both, and not that of the first run";
}

TEST_F(VariableCopyTest, LeavesOutAddressesOfAllocatedMemory) {
  checkedAddress = static_cast<int *>(malloc(64));
  copy.record();
  int *other = static_cast<int *>(malloc(64));
  std::swap(checkedAddress, other);
  EXPECT_EQ(compare().numVariables, 0u);
  free(checkedAddress);
  free(other);
}

TEST_F(VariableCopyTest, ComparesAddressesOfVariables) {
  checkedAddress = &checkedNumbers[1];
  copy.record();
  checkedAddress = &checkedNumbers[2];
  EXPECT_EQ(compare().numVariables, 1u);
}

TEST_F(VariableCopyTest, LeavesOutWhatAStringOwns) {
  copy.record();
  std::string kept = checkedText;
  checkedText.reserve(1000);
  EXPECT_EQ(compare().numVariables, 0u);
  checkedText = "short";
  copy.record();
  checkedText.back() = 'T';
  EXPECT_EQ(compare().numVariables, 0u);
  checkedText = kept;
}

TEST_F(VariableCopyTest, TakesGapsOfStructuresForNothing) {
  copy.record();
  char *bytes = reinterpret_cast<char *>(checkedPairs);
  memset(bytes + offsetof(CheckedPair, letter) + 1, 0x7e, 3);
  memset(bytes + offsetof(CheckedPair, small) + 2, 0x7e, 6);
  EXPECT_EQ(compare().numVariables, 0u);
  checkedPairs[2].number = 5;
  EXPECT_EQ(compare().offset, 2 * sizeof(CheckedPair) + offsetof(CheckedPair, number));
  checkedPairs[1].letter = 'x';
  EXPECT_EQ(compare().offset, sizeof(CheckedPair));
}

TEST_F(VariableCopyTest, TakesNearSumsForEqual) {
  copy.record();
  checkedSum = 1.5 + 1e-14;
  EXPECT_EQ(compare().numVariables, 0u);
  checkedSum = 1.5 + 1e-9;
  EXPECT_EQ(compare().numVariables, 1u);
  EXPECT_TRUE(compare().areDoubles);
  EXPECT_EQ(compare().size, 8u);
}

} // namespace
} // namespace cilk2gpu::rt
