#pragma once
// Which bytes are text: UTF-8 as RFC 3629 defines it.

#include <cstddef>
#include <string_view>

namespace wavesim {

/// Bytes of the character that a text begins with; 0 where none begins there: no overlong forms, no surrogates,
/// nothing above U+10FFFF.
inline std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? unsigned(text[k]) & 0xffU : 0U; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wrong ? 0 : length;
}

inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace wavesim
