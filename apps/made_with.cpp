#include "apps/made_with.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "library/build_facts_of.hpp"
#include "output/run/utc_time.hpp"

namespace wavesim {

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("-_=./:,+@%").find(char(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string command_text(const std::string& verb, const RunCommand& words) {
  std::string text = "wavesim " + verb + " " + shell_word(words.config.string());
  for (const std::string& s : words.set) text += " --set " + shell_word(s);
  for (const std::filesystem::path& folder : words.data) text += " --data " + shell_word(folder.string());
  if (words.device) text += " --device " + *words.device;
  if (words.output) text += " --output " + shell_word(*words.output);
  return text;
}

std::map<std::string, std::string> made_with(const std::string& command, const DeviceFacts& device) {
  std::map<std::string, std::string> facts = build_facts();
  facts["command"] = command;
  facts["date"] = utc_time("%Y-%m-%d %H:%M UTC");
  facts["device"] = device.name;
  facts["device-kind"] = device.kind;
  facts["device-detail"] = device.detail;
  return facts;
}

}  // namespace wavesim
