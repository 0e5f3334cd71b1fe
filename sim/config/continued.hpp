#pragma once
// What of a config may be another one when a run is continued.

#include <string>
#include <vector>

#include "sim/config/config.hpp"

namespace wavesim {

struct ConfigChange {
  std::string key, before, now;  // "grid.cells.0", "400", "800"; "" where it is absent
};

/// The differences of two effective configs, in the order of the keys of the first.
std::vector<ConfigChange> config_changes(const std::string& before, const std::string& now);

/// Throws InputError, naming the first key, if `now` differs from the config of the saved state `file` in
/// something that a run cannot change. `same_result`: frames, samples and pictures are appended to those that
/// are there, which then stay as they are, too. `chosen`: what the program chose in place of the user (config.time.note).
void check_continued(const std::string& saved, const std::string& now, const Where& where,
                     const std::string& file, bool same_result, const std::string& chosen = "");

/// Whether the section `solver` is the one of before: then what the solver has learnt is taken over, too.
bool same_solver(const std::string& saved, const std::string& now);

}  // namespace wavesim
