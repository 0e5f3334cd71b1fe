#include "sim/config/search_path.hpp"

#include <cstdlib>
#include <sstream>

#include "kernels/backend/errors.hpp"

namespace wavesim {

std::vector<std::filesystem::path> data_folders(const std::vector<std::filesystem::path>& named) {
  std::error_code none;
  for (const std::filesystem::path& folder : named)
    if (!std::filesystem::is_directory(folder, none))
      throw InputError("--data " + folder.string() +
                       (std::filesystem::exists(folder, none)
                            ? " is a file; name the folder that it is in, " +
                                  (folder.has_parent_path() ? folder.parent_path().string() : ".")
                            : ": there is no such folder; check its name"));
  std::vector<std::filesystem::path> all = named;
  if (const char* const variable = std::getenv("WAVESIM_DATA")) {
    std::istringstream parts(variable);
    for (std::string folder; std::getline(parts, folder, ':');)
      if (!folder.empty()) all.emplace_back(folder);
  }
  return all;
}

std::filesystem::path find_file(const std::filesystem::path& name, const std::filesystem::path& config,
                                const std::vector<std::filesystem::path>& data) {
  std::error_code none;
  if (name.is_absolute() || std::filesystem::exists(config / name, none)) return config / name;
  for (const std::filesystem::path& folder : data)
    if (std::filesystem::exists(folder / name, none)) return folder / name;
  return config / name;
}

}  // namespace wavesim
