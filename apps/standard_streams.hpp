#pragma once
// Standard input, output and error: there from the first line on, and checked at the end.

#include <string>

namespace wavesim {

/// Opens those that are closed on /dev/null, so that no file takes their numbers and gets what is printed. A
/// pipe without a reader and a file that may not grow are failed writes from here on, not the program's end.
void prepare_standard_streams();

/// Writes what is left of standard output. A sentence if some of what was printed is lost; empty if nothing is.
std::string lost_output();

}  // namespace wavesim
