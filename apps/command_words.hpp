#pragma once
// What the command line is made of, for help, man page and completion.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace wavesim {

/// What an option takes, without the checks that CLI11 appends: "N", "auto|cuda|cpu".
inline std::string type_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  const auto open = type.find(":{");
  if (open != std::string::npos && type.compare(0, open, "TEXT") == 0) {
    type = type.substr(open + 2, type.find('}') - open - 2);
    for (char& c : type) c = c == ',' ? '|' : c;
  }
  type = type.substr(0, type.find(':'));
  return type.substr(0, type.find(' '));
}

inline std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> list;
  for (const CLI::Option* o :
       app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); }))
    list.push_back(o);
  return list;
}

inline std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> list;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) list.push_back(sub);
  return list;
}

}  // namespace wavesim
