#include "apps/unknown_word.hpp"

#include <algorithm>
#include <filesystem>

#include "sim/config/suggest.hpp"

namespace wavesim {

namespace {

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

}  // namespace

std::string unknown_subcommand(const CLI::App& app, const std::string& word) {
  std::error_code none;
  if (word.empty() || word.front() == '-' || std::filesystem::exists(word, none)) return "";
  std::vector<std::string> names;
  for (const CLI::App* sub : subcommands_of(app)) names.push_back(sub->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return "";
  const std::string meant = nearest(word, names);
  return meant.empty() ? "" : "there is no subcommand '" + word + "'; did you mean '" + meant + "'?";
}

std::string unknown_option(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return "";
  for (const CLI::App* sub : subcommands_of(app)) {
    if (sub->get_name() != words.front()) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (std::size_t k = 1; k < words.size() && words[k] != "--"; ++k) {
      const std::string word = words[k].substr(0, words[k].find('='));
      if (word.rfind("--", 0) != 0 || std::find(names.begin(), names.end(), word) != names.end()) continue;
      const std::string meant = nearest(word, names);
      if (!meant.empty())
        return "wavesim " + words.front() + " has no option '" + word + "'; did you mean '" + meant + "'?";
    }
  }
  return "";
}

}  // namespace wavesim
