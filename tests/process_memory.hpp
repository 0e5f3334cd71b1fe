#pragma once
#include <fstream>
#include <string>

namespace wavesim {

/// Bytes that Linux counts for a process ("self", or its number) under a word of its status: "VmRSS", in use now, or "VmHWM", the
/// most so far; 0 where there is no such process.
inline double process_memory(const std::string& process, const std::string& word) {
  std::ifstream status("/proc/" + process + "/status");
  for (std::string first; status >> first;)
    if (double kilobytes = 0; first == word + ":" && status >> kilobytes) return 1024 * kilobytes;
  return 0;
}

}  // namespace wavesim
