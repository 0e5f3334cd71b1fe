#include "output/run/one_line.hpp"

#include <algorithm>
#include <cstdio>

#include "sim/config/utf8.hpp"

namespace wavesim {

namespace {

/// Bytes of the character that a text begins with; 0: it is to be written as a number.
std::size_t printable(std::string_view text) {
  const std::size_t length = character_length(text);
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const bool control = (length == 1 && (byte(0) < 0x20 || byte(0) == 0x7f)) ||
                       (length == 2 && byte(0) == 0xc2 && byte(1) < 0xa0);  // U+0080 to U+009F
  return control ? 0 : length;
}

}  // namespace

std::string one_line(std::string_view sentence) {
  std::string line;
  while (!sentence.empty()) {
    std::size_t length = printable(sentence);
    if (length > 0) {
      line += sentence.substr(0, length);
    } else if (sentence.front() == '\n') {
      line += ' ';
    } else {
      char number[8];
      std::snprintf(number, sizeof number, "\\x%02x", unsigned(static_cast<unsigned char>(sentence.front())));
      line += number;
    }
    sentence.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return line;
}

void print_note(std::string_view sentence) { std::fprintf(stderr, "note: %s\n", one_line(sentence).c_str()); }

}  // namespace wavesim
