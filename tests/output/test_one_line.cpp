#include "output/run/one_line.hpp"

#include <gtest/gtest.h>

namespace wavesim {
namespace {

TEST(OneLine, LeavesTextAloneInAnyLanguage) {
  EXPECT_EQ(one_line("a name, 3 \u00b5m, \u6ce2, \U0001F30A"), "a name, 3 \u00b5m, \u6ce2, \U0001F30A");
}

TEST(OneLine, MakesSpacesOfLineBreaks) { EXPECT_EQ(one_line("a\nb\n"), "a b "); }

TEST(OneLine, WritesWhatATerminalWouldObeyAsNumbers) {
  EXPECT_EQ(one_line("\x1b[31mred\a\r\x7f"), "\\x1b[31mred\\x07\\x0d\\x7f");
  EXPECT_EQ(one_line(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(one_line("\u009b31m"), "\\xc2\\x9b31m");  // the control of 8 bits that begins a sequence
}

TEST(OneLine, WritesBytesThatAreNoUtf8AsNumbers) {
  EXPECT_EQ(one_line("\x9b"), "\\x9b");
  EXPECT_EQ(one_line("\xc3"), "\\xc3");                    // cut off
  EXPECT_EQ(one_line("\xc0\x8a"), "\\xc0\\x8a");           // a line break, overlong
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

}  // namespace
}  // namespace wavesim
