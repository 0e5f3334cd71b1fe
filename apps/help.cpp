#include "apps/help.hpp"

#include <sstream>

#include "apps/command_words.hpp"

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

/// "-q, --quiet", "--width N", "CONFIG"
std::string usage_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string names;
  for (const std::string& s : option.get_snames()) names += (names.empty() ? "-" : ", -") + s;
  for (const std::string& l : option.get_lnames()) names += (names.empty() ? "--" : ", --") + l;
  const bool takes = option.get_expected_max() > 0;
  return names + (takes ? " " + type_of(option) : "");
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

}  // namespace wavesim
