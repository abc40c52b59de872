// Tests the strings of JSON files: names of a program, which may have any bytes.
#include "process/StatisticsFile.h"
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string>

using namespace cilk2gpu::rt;

static std::string jsonText(const char *text) {
  char *buffer = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&buffer, &size);
  writeJsonText(out, text);
  fclose(out);
  std::string result(buffer, size);
  free(buffer);
  return result;
}

TEST(JsonText, EscapesWhatJsonForbids) {
  EXPECT_EQ(jsonText("a\"b\\c\n\x1f"), "a\\\"b\\\\c\\u000a\\u001f");
  EXPECT_EQ(jsonText(""), "");
}

TEST(JsonText, KeepsCharactersOfUtf8) {
  for (const char *text : {"\x7f", "\u00e9", "\u07ff", "\u0800", "\u20ac", "\ud7ff", "\ue000", "\uffff", "\U00010000",
                           "\U0010ffff", "f\u00fcr"})
    EXPECT_EQ(jsonText(text), text);
}

TEST(JsonText, ReplacesBytesThatAreNoCharacter) {
  const char *cases[][2] = {{"f\xfcr", "f\\ufffdr"},                              // Latin-1
                            {"\x80", "\\ufffd"},                                  // a second byte without a first
                            {"\xc3", "\\ufffd"},                                  // the text ends in a character
                            {"\xe2\x82", "\\ufffd\\ufffd"},                       //
                            {"\xe2\x82\"", "\\ufffd\\ufffd\\\""},                 //
                            {"\xc0\xaf", "\\ufffd\\ufffd"},                       // a longer form of '/'
                            {"\xe0\x80\xaf", "\\ufffd\\ufffd\\ufffd"},            //
                            {"\xf0\x80\x80\xaf", "\\ufffd\\ufffd\\ufffd\\ufffd"}, //
                            {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},            // a surrogate
                            {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"}, // above 10FFFF
                            {"\xf8\x88\x80\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd"}, //
                            {"\xff\xfe", "\\ufffd\\ufffd"}};
  for (auto &[text, expected] : cases)
    EXPECT_EQ(jsonText(text), expected);
}
