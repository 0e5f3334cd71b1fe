#include "sim/input/hdf5_handle.hpp"

#include <array>
#include <string_view>

namespace wavesim::hdf5 {

namespace {

/// HDF5's own text of a failed system call: "... errno = 28, error message = 'No space left on device', buf =
/// ...".
herr_t look_for_reason(unsigned, const H5E_error2_t* entry, void* found) {
  const std::string text = entry->desc ? entry->desc : "";
  auto& [system, innermost] = *static_cast<std::array<std::string, 2>*>(found);
  constexpr std::string_view mark = "error message = '";
  const auto start = text.find(mark);
  if (start != std::string::npos && system.empty()) {
    const auto end = text.find('\'', start + mark.size());
    system = text.substr(start + mark.size(), end == std::string::npos ? end : end - start - mark.size());
  }
  if (innermost.empty()) innermost = text;
  return 0;
}

}  // namespace

std::string latest_reason() {
  std::array<std::string, 2> found;  // the system's words, HDF5's innermost
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_for_reason, &found);
  if (!found[0].empty()) return found[0];
  return found[1].empty() ? "HDF5 gives no reason" : found[1];
}

}  // namespace wavesim::hdf5
