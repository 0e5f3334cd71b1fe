#include <cctype>
#include <sstream>

#include "apps/command_words.hpp"
#include "apps/help.hpp"
#include "kernels/backend/errors.hpp"
#include "sim/config/config.hpp"
#include "sim/config/keys.hpp"

namespace wavesim {

namespace {

/// Words an option takes, if it says them: "mp4|webm".
std::vector<std::string> choices_of(const CLI::Option& option) {
  std::vector<std::string> list;
  const std::string type = type_of(option);
  if (type.find('|') == std::string::npos) return list;
  std::istringstream parts(type);
  for (std::string word; std::getline(parts, word, '|');)
    if (!std::isupper(static_cast<unsigned char>(word.front()))) list.push_back(word);  // FILE stands for one
  return list;
}

/// Whether it takes settings of keys: --set and --over.
bool takes_settings(const CLI::Option& option) {
  return option.check_lname("set") || option.check_lname("over");
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> list;
  for (const CLI::Option* o : options_of(app)) {
    for (const std::string& l : o->get_lnames()) list.push_back("--" + l);
    for (const std::string& s : o->get_snames()) list.push_back("-" + s);
  }
  return list;
}

/// The keys of a config, for --set and --over, each followed by `end`.
std::string key_words(const std::string& end = "") {
  std::vector<std::string> words;
  Config config;
  for (const KeyPath& key : key_paths(config)) words.push_back(key.path + end);
  return joined(words);
}

/// text(key, words) of each key that chooses from words.
template <class Text>
std::string value_cases(const Text& text) {
  std::string out;
  Config config;
  for (const KeyPath& key : key_paths(config))
    if (!key.choices.empty()) out += text(key.path, key.choices);
  return out;
}

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : commands_of(app)) names.push_back(sub->get_name());
  std::string out =
      "# bash completion of wavesim. In ~/.bashrc:  source <(wavesim completion bash)\n"
      "_wavesim() {\n"
      "  local here=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} "
      "words=\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '" +
      joined(names) + " " + joined(flags_of(app)) +
      "' -- \"$here\")\n"
      "               $(compgen -f -X '!*.yaml' -- \"$here\") $(compgen -d -- \"$here\"))\n"
      "    return\n"
      "  fi\n"
      "  case $command in *.yaml) command=run ;; esac\n"
      "  if [[ $before == --set || $before == --over ]]; then\n"
      "    compopt -o nospace 2>/dev/null\n    COMPREPLY=($(compgen -S = -W '" +
      key_words() +
      "' -- \"$here\"))\n    return\n  fi\n"
      // A shell that parts words at '=' sees KEY, = and VALUE.
      "  local key= value=$here\n"
      "  if [[ $here == = ]]; then key=$before value=; elif [[ $before == = ]]; then "
      "key=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      "  if [[ $key ]]; then\n    case $key in\n" +
      value_cases([](const std::string& key, const std::vector<std::string>& words) {
        return "      " + key + ") words='" + joined(words) + "' ;;\n";
      }) +
      "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$value\"))\n    return\n  fi\n"
      "  case $command/$before in\n";
  for (const CLI::App* sub : commands_of(app))
    for (const CLI::Option* o : options_of(*sub)) {
      const std::vector<std::string> choices = choices_of(*o);
      if (choices.empty() || o->get_positional()) continue;
      for (const std::string& l : o->get_lnames())
        out += "    " + sub->get_name() + "/--" + l + ") words='" + joined(choices) + "' ;;\n";
    }
  out +=
      "  esac\n  if [[ $words ]]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$here\"))\n    return\n  "
      "fi\n"
      "  if [[ $here == -* ]]; then\n    case $command in\n";
  for (const CLI::App* sub : commands_of(app))
    out += "      " + sub->get_name() + ") words='" + joined(flags_of(*sub)) + "' ;;\n";
  out +=
      "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$here\"))\n    return\n  fi\n  case $command "
      "in\n";
  for (const CLI::App* sub : commands_of(app))
    for (const CLI::Option* o : options_of(*sub))
      if (o->get_positional() && !choices_of(*o).empty())
        out += "    " + sub->get_name() + ") COMPREPLY=($(compgen -W '" + joined(choices_of(*o)) +
               "' -- \"$here\")); return ;;\n";
  return out +
         "  esac\n  COMPREPLY=($(compgen -f -- \"$here\"))\n}\ncomplete -o filenames -F _wavesim wavesim\n";
}

/// Text between the quotes of zsh's specs.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_completion(const CLI::App& app) {
  std::string out =
      "#compdef wavesim\n"
      "# zsh completion of wavesim. As a file _wavesim in $fpath, or in ~/.zshrc:\n"
      "#   source <(wavesim completion zsh)\n"
      "_wavesim_settings() {\n"
      "  if compset -P '*='; then\n    case ${IPREFIX%=} in\n" +
      value_cases([](const std::string& key, const std::vector<std::string>& words) {
        return "      " + key + ") compadd -- " + joined(words) + " ;;\n";
      }) +
      "    esac\n  else\n    compadd -S = -- " + key_words() +
      "\n  fi\n}\n"
      "_wavesim() {\n  local -a commands\n  commands=(\n";
  for (const CLI::App* sub : commands_of(app))
    out += "    '" + sub->get_name() + ":" + zsh_text(sub->get_description()) + "'\n";
  out +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    _files -g '*.yaml'\n    "
      "return\n  fi\n"
      "  local command=$words[2]\n  [[ $command == *.yaml ]] && command=run\n  case $command in\n";
  for (const CLI::App* sub : commands_of(app)) {
    out += "    " + sub->get_name() + ") _arguments";
    for (const CLI::Option* o : options_of(*sub)) {
      const std::vector<std::string> choices = choices_of(*o);
      const std::string action = takes_settings(*o) ? "_wavesim_settings"
                                 : choices.empty()  ? "_files"
                                                    : "(" + joined(choices) + ")";
      if (o->get_positional()) {
        out += " \\\n      '2:" + zsh_text(o->get_name(true)) + ":" + action + "'";
        continue;
      }
      const bool takes = o->get_expected_max() > 0;
      for (const std::string& l : o->get_lnames())
        out += std::string(" \\\n      '") + (takes_settings(*o) ? "*" : "") + "--" + l + "[" +
               zsh_text(o->get_description()) + "]" + (takes ? ":value:" + action : "") + "'";
    }
    out += " ;;\n";
  }
  return out +
         "  esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _wavesim \"$@\"\nelse\n"
         "  compdef _wavesim wavesim\nfi\n";
}

/// Text between quotes of fish.
std::string fish_text(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string fish_completion(const CLI::App& app) {
  std::string names;
  for (const CLI::App* sub : commands_of(app)) names += (names.empty() ? "" : " ") + sub->get_name();
  std::string out =
      "# fish completion of wavesim. As a file wavesim.fish in ~/.config/fish/completions, or in "
      "config.fish:\n"
      "#   wavesim completion fish | source\n"
      "complete -c wavesim -n 'not __fish_seen_subcommand_from " +
      names +
      "' -a '(__fish_complete_suffix .yaml)'\n"
      "function __wavesim_settings\n  switch (commandline -ct)\n" +
      value_cases([](const std::string& key, const std::vector<std::string>& words) {
        std::string all;
        for (const std::string& word : words) all += " " + key + "=" + word;
        return "    case '" + key + "=*'\n      printf '%s\\n'" + all + "\n";
      }) +
      "    case '*'\n      printf '%s\\n' " + key_words("=") + "\n  end\nend\n";
  for (const CLI::App* sub : commands_of(app)) {
    // `wavesim CONFIG.yaml` is `wavesim run CONFIG.yaml`
    const std::string here =
        sub->get_name() == "run"
            ? "__fish_seen_subcommand_from run; or string match -q -- \"*.yaml\" (commandline -opc)[2]"
            : "__fish_seen_subcommand_from " + sub->get_name();
    out += "complete -c wavesim -f -n __fish_use_subcommand -a " + sub->get_name() + " -d '" +
           fish_text(sub->get_description()) + "'\n";
    for (const CLI::Option* o : options_of(*sub)) {
      const std::string choices = joined(choices_of(*o));
      if (o->get_positional()) {
        if (!choices.empty()) out += "complete -c wavesim -f -n '" + here + "' -a '" + choices + "'\n";
        continue;
      }
      out += "complete -c wavesim -n '" + here + "'";
      for (const std::string& l : o->get_lnames()) out += " -l " + l;
      for (const std::string& s : o->get_snames()) out += " -s " + s;
      const bool sets = takes_settings(*o);
      if (o->get_expected_max() > 0) out += choices.empty() && !sets ? " -r" : " -x";
      if (sets) out += " -a '(__wavesim_settings)'";
      if (!choices.empty()) out += " -a '" + choices + "'";
      out += " -d '" + fish_text(o->get_description()) + "'\n";
    }
  }
  return out;
}

}  // namespace

std::string completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_completion(app);
  if (shell == "zsh") return zsh_completion(app);
  if (shell == "fish") return fish_completion(app);
  throw InputError("there is no completion for the shell '" + shell + "'; choose bash, zsh or fish");
}

}  // namespace wavesim
