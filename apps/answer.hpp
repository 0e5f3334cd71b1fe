#pragma once
// What a program that called with --json reads on stdout: one JSON object, of success or of failure.

#include <string>
#include <string_view>

#include "sim/config/tree.hpp"

namespace wavesim {

/// The answer of a command.
void print_answer(const Tree& answer);

/// That of a command that ended before it had one: `status`, a word for the kind of failure, `exit-status`
/// and `sentence`. Nothing if there was an answer.
void print_failure(std::string_view status, int exit_status, std::string_view sentence);

}  // namespace wavesim
