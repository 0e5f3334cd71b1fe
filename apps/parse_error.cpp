#include "apps/parse_error.hpp"

#include <algorithm>
#include <regex>

namespace wavesim {

std::string sentence_of(const CLI::ParseError& error, const std::vector<std::string>& words) {
  const std::string said = error.what(), see = "; see 'wavesim " + words.front() + " --help'";
  std::smatch part;
  if (std::regex_match(said, part, std::regex("Could not convert: (--[^ ]+) = (.*)")))
    return part[1].str() + " takes a number without a unit (seconds, metres), not '" + part[2].str() + "'" +
           see;
  if (std::regex_match(said, part, std::regex("(--[^ ]+): Value ([^ ]+) not in range ([^ ]+) to ([^ ]+)")))
    return part[1].str() + " must be " +
           (part[4].length() > 30 ? "greater than 0" : "from " + part[3].str() + " to " + part[4].str()) +
           ", not " + part[2].str() + see;
  if (std::regex_match(said, part, std::regex("(--[^ ]+): (.*) not in \\{(.*)\\}")))
    return part[1].str() + " is one of " + std::regex_replace(part[3].str(), std::regex(","), ", ") +
           ", not '" + part[2].str() + "'" + see;
  const auto set = std::find(words.begin(), words.end(), "--set");
  if (set != words.end() && set + 1 != words.end() && (set + 1)->find('=') == std::string::npos)
    return "--set takes KEY=VALUE in one word: --set " + *(set + 1) + "=" +
           (set + 2 != words.end() ? *(set + 2) : "...");
  if (words.front() == "run" && std::find(words.begin(), words.end(), "--over") != words.end())
    return "--over is an option of 'wavesim sweep', which makes a run for each value";
  return said + see;
}

}  // namespace wavesim
