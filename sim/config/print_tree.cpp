#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

/// Whether YAML reads the text back as that text: a word that begins with a letter and is none of YAML's own.
bool plain(const std::string& s) {
  static const std::vector<std::string> taken{"null", "true", "false", "yes", "no",
                                              "on",   "off",  "inf",   "nan"};
  if (s.empty() || !std::isalpha(static_cast<unsigned char>(s[0]))) return false;
  for (char c : s)
    if (!std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("-_./", c)) return false;
  std::string lower(s);
  std::transform(lower.begin(), lower.end(), lower.begin(), ::tolower);
  return std::find(taken.begin(), taken.end(), lower) == taken.end();
}

bool is_short(const Tree& t) {
  return std::all_of(t.items.begin(), t.items.end(),
                     [](const Tree& i) { return i.is_scalar() || (i.is_list() && i.items.size() <= 4); });
}

void emit(YAML::Emitter& out, const Tree& t) {
  switch (t.is) {
    case Tree::Is::nothing:
      out << YAML::Null;
      break;
    case Tree::Is::scalar:
      if (t.text && !plain(t.scalar)) out << YAML::DoubleQuoted;
      out << t.scalar;
      break;
    case Tree::Is::list:
      out << (is_short(t) ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
      for (const Tree& item : t.items) emit(out, item);
      out << YAML::EndSeq;
      break;
    case Tree::Is::map:
      out << (t.keys.empty() ? YAML::Flow : YAML::Block) << YAML::BeginMap;
      for (const auto& [key, value] : t.keys) {
        out << YAML::Key << key << YAML::Value;
        emit(out, value);
      }
      out << YAML::EndMap;
      break;
  }
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Everything in one line; `quotes` as the text needs to be read back.
std::string in_line(const Tree& t, bool quotes) {
  std::string out;
  switch (t.is) {
    case Tree::Is::nothing:
      return quotes ? "null" : "";
    case Tree::Is::scalar:
      return quotes && t.text ? quoted(t.scalar) : t.scalar;
    case Tree::Is::list:
      for (const Tree& item : t.items) out += (out.empty() ? "" : ", ") + in_line(item, quotes);
      return "[" + out + "]";
    case Tree::Is::map:
      for (const auto& [key, value] : t.keys)
        out += (out.empty() ? "" : ", ") + (quotes ? quoted(key) : key) + ": " + in_line(value, quotes);
      return "{" + out + "}";
  }
  return out;
}

void json(std::string& out, const Tree& t, int indent) {
  const auto new_line = [](int spaces) { return std::string("\n").append(std::size_t(spaces), ' '); };
  const std::string line = new_line(indent + 2);
  const auto close = [&](bool any, char bracket) {
    if (any) out += new_line(indent);
    out += bracket;
  };
  const char* comma = "";
  switch (t.is) {
    case Tree::Is::nothing:
      out += "null";
      break;
    case Tree::Is::scalar:
      out += t.text ? quoted(t.scalar) : t.scalar;
      break;
    case Tree::Is::list:
      out += '[';
      for (const Tree& item : t.items) {
        out += comma + line;
        json(out, item, indent + 2);
        comma = ",";
      }
      close(!t.items.empty(), ']');
      break;
    case Tree::Is::map:
      out += '{';
      for (const auto& [key, value] : t.keys) {
        out += comma + line + quoted(key) + ": ";
        json(out, value, indent + 2);
        comma = ",";
      }
      close(!t.keys.empty(), '}');
      break;
  }
}

}  // namespace

std::string to_yaml(const Tree& tree) {
  YAML::Emitter out;
  emit(out, tree);
  return std::string(out.c_str()) + "\n";
}

std::string to_json(const Tree& tree) {
  std::string out;
  json(out, tree, 0);
  return out + "\n";
}

std::string to_flow(const Tree& tree) { return in_line(tree, true); }
std::string shown(const Tree& tree) { return in_line(tree, false); }

std::string shortest(double v) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, v);
  return std::string(buffer, end.ptr);
}

}  // namespace wavesim
