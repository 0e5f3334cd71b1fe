#include "apps/help.hpp"

#include <sstream>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

constexpr std::size_t columns = 80;

/// The words of `text`, from column `from` on, wrapped before column 80; `at` columns of the first line are
/// taken.
std::string wrapped(const std::string& text, std::size_t at, std::size_t from) {
  std::string out;
  std::istringstream words(text);
  if (at >= from && at > 0) {
    out += "\n" + std::string(from, ' ');
    at = from;
  } else {
    out += std::string(from - at, ' ');
    at = from;
  }
  bool first = true;
  for (std::string word; words >> word;) {
    if (!first && at + 1 + word.size() > columns) {
      out += "\n" + std::string(from, ' ');
      at = from;
      first = true;
    }
    out += (first ? "" : " ") + word;
    at += word.size() + (first ? 0 : 1);
    first = false;
  }
  return out + "\n";
}

/// What an option takes, without the checks that CLI11 appends: "N", "auto|cuda|cpu".
std::string type_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  const auto open = type.find(":{");
  if (open != std::string::npos && type.compare(0, open, "TEXT") == 0) {
    type = type.substr(open + 2, type.find('}') - open - 2);
    for (char& c : type) c = c == ',' ? '|' : c;
  }
  type = type.substr(0, type.find(':'));
  return type.substr(0, type.find(' '));
}

/// "-q, --quiet", "--width N", "CONFIG"
std::string usage_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string names;
  for (const std::string& s : option.get_snames()) names += (names.empty() ? "-" : ", -") + s;
  for (const std::string& l : option.get_lnames()) names += (names.empty() ? "--" : ", --") + l;
  const bool takes = option.get_expected_max() > 0;
  return names + (takes ? " " + type_of(option) : "");
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> list;
  for (const CLI::Option* o :
       app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); }))
    list.push_back(o);
  return list;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> list;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) list.push_back(sub);
  return list;
}

std::string roff(const std::string& text) {
  std::string out;
  bool start = true;
  for (char c : text) {
    if (start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    start = c == '\n';
  }
  return out;
}

/// The examples of a footer, as they stand.
std::string preformatted(const std::string& text) {
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

/// Words an option takes, if it says them: "mp4|webm".
std::vector<std::string> choices_of(const CLI::Option& option) {
  std::vector<std::string> list;
  const std::string type = type_of(option);
  if (type.find('|') == std::string::npos) return list;
  std::istringstream parts(type);
  for (std::string word; std::getline(parts, word, '|');) list.push_back(word);
  return list;
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
      const std::string action = choices.empty() ? "_files" : "(" + joined(choices) + ")";
      if (o->get_positional()) {
        out += " \\\n      '2:" + zsh_text(o->get_name(true)) + ":" + action + "'";
        continue;
      }
      const bool takes = o->get_expected_max() > 0;
      for (const std::string& l : o->get_lnames())
        out += " \\\n      '--" + l + "[" + zsh_text(o->get_description()) + "]" +
               (takes ? ":value:" + action : "") + "'";
    }
    out += " ;;\n";
  }
  return out +
         "  esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _wavesim \"$@\"\nelse\n"
         "  compdef _wavesim wavesim\nfi\n";
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool) const {
  const std::string head = "  " + usage_of(*option);
  return head + wrapped(option->get_description(),
                        head.size() + 1 >= column_width_ ? column_width_ : head.size(), column_width_);
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  const std::string head = "  " + sub->get_name();
  return head + wrapped(sub->get_description(), head.size(), 14);
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped((app->get_parent() ? "wavesim " : "") + app->get_name() + ": " + app->get_description(), 0,
                 0);
}

std::string man_page(const CLI::App& app, const std::string& version) {
  std::string out = ".TH WAVESIM 1 \"\" \"wavesim " + version +
                    "\" \"User Commands\"\n.SH NAME\nwavesim \\- " + roff(app.get_description()) +
                    "\n.SH SYNOPSIS\n";
  for (const CLI::App* sub : commands_of(app)) {
    out += ".B wavesim " + roff(sub->get_name()) + "\n";
    for (const CLI::Option* o : options_of(*sub))
      if (o->get_positional())
        out += ".I " + roff(o->get_required() ? o->get_name(true) : "[" + o->get_name(true) + "]") + "\n";
    out += "[options]\n.br\n";
  }
  out += ".SH COMMANDS\n";
  for (const CLI::App* sub : commands_of(app)) {
    out += ".SS " + roff(sub->get_name()) + "\n" + roff(sub->get_description()) + ".\n";
    for (const CLI::Option* o : options_of(*sub))
      out += ".TP\n.B " + roff(usage_of(*o)) + "\n" + roff(o->get_description()) + "\n";
    out += preformatted(sub->get_footer());
  }
  return out + ".SH EXIT STATUS AND EXAMPLE\n" + preformatted(app.get_footer());
}

std::string completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_completion(app);
  if (shell == "zsh") return zsh_completion(app);
  throw InputError("there is no completion for the shell '" + shell + "'; choose bash or zsh");
}

}  // namespace wavesim
