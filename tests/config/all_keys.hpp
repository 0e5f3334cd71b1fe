#pragma once
// Every key that a config can hold, found by walking `fields` as the reader does.

#include <string>
#include <vector>

namespace wavesim {

/// One key, or the name of one kind, with the text around it.
struct KnownKey {
  std::string name;
  std::string section;        // "solver", "sources.ricker": for messages
  std::string before, after;  // before + name + ": ..." + after is the value of `top`; empty at the top level
  std::string top;            // the key at the top level
  bool documented = false;    // it has a line of text or a unit

  /// "solver={tolerance: 1}", to be given to --set, with another word in place of the name.
  std::string assignment(const std::string& word) const {
    return top.empty() ? word + "=1" : top + "=" + before + word + ": 1" + after;
  }
};

std::vector<KnownKey> all_keys();

}  // namespace wavesim
