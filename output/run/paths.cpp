#include "output/run/paths.hpp"

#include <algorithm>
#include <vector>

namespace wavesim {

long step_in_name(const std::string& file, const std::string& name, const std::string& ending) {
  const std::string begin = name + "_";
  if (file.size() < begin.size() + ending.size() + 6 || !file.starts_with(begin) || !file.ends_with(ending))
    return -1;
  const std::string digits = file.substr(begin.size(), file.size() - begin.size() - ending.size());
  if (digits.size() > 18 ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return -1;
  return std::stol(digits);
}

void remove_later_files(const std::string& folder, const std::string& name, const std::string& ending,
                        long step) {
  namespace fs = std::filesystem;
  std::error_code none;
  std::vector<fs::path> later;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string file = entry.path().filename().string();
    if (step_in_name(file, name, ending) > step || step_in_name(file, name, ending + ".partial") >= 0)
      later.push_back(entry.path());
  }
  for (const fs::path& path : later) fs::remove(path, none);
}

}  // namespace wavesim
