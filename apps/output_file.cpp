#include "apps/output_file.hpp"

#include "kernels/backend/errors.hpp"

namespace wavesim {

void require_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder))
    throw OutputError("cannot write " + file.string() + ": there is no folder " + folder.string() +
                      "; make it or write elsewhere");
  if (std::filesystem::is_directory(file))
    throw OutputError("cannot write " + file.string() + ": it is a folder; name a file");
}

}  // namespace wavesim
