#include "library/earlier_result.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/result_reader.hpp"
#include "sim/input/child_process.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

/// A result that cannot be looked at may be a complete one.
void require_readable(const fs::path& file) {
  std::error_code none;
  if (!fs::exists(file, none) || access(file.c_str(), R_OK) == 0) return;
  throw InputError(file.string() + " cannot be read: " + std::strerror(errno) +
                   "; allow reading it, or name another folder with --output");
}

}  // namespace

std::optional<EarlierResult> earlier_result(const fs::path& folder, const std::string& name) {
  for (const char* ending : {".vtkhdf", ".h5"}) require_readable(folder / (name + ending));
  const std::string death = death_of([&] { const ResultReader result(folder); });
  if (!death.empty())
    throw InputError("the result in " + folder.string() + " is damaged (reading it ends with " + death +
                     "); continue into another folder, with --restart FILE --output DIR");
  try {
    const ResultReader result(folder);
    return EarlierResult{result.complete(), result.info().config};
  } catch (const std::exception&) {
    return {};  // left in the middle of its beginning
  }
}

}  // namespace wavesim
