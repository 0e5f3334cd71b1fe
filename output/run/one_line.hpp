#pragma once
// Sentences on their way to a terminal.

#include <string>
#include <string_view>

namespace wavesim {

/// One line of text, whatever a sentence quotes from a file: line breaks become spaces; other control characters,
/// which a terminal would obey, and bytes that are no UTF-8 are written as "\x1b".
std::string one_line(std::string_view sentence);

/// "note: ..." on stderr.
void print_note(std::string_view sentence);

}  // namespace wavesim
