#include "kernels/backend/errors.hpp"
#include "sim/config/section.hpp"

namespace wavesim {

std::string Where::text() const {
  if (line > 0) return file + ":" + std::to_string(line) + ":" + std::to_string(column);
  if (file.starts_with("--")) return file + " " + key;  // an option
  return file;
}

void Where::fail(const std::string& sentence) const {
  const std::string place = text();
  std::string whole = place.empty() ? sentence : place + ": " + sentence;
  for (std::size_t at; (at = whole.find('\0')) != std::string::npos;)
    whole.replace(at, 1, "\\x00");  // would end it
  throw InputError(whole);
}

}  // namespace wavesim
