// No code asks for a method or a preconditioner by its name but the catalogue: what it wants to know of it is
// in its row.
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "solvers/catalogue/catalogue.hpp"

namespace wavesim::test {
namespace {

/// Names of methods and preconditioners, in quotes.
std::vector<std::string> quoted_names() {
  std::vector<std::string> all;
  for (const Method& m : solver_methods()) all.push_back('"' + std::string(m.name) + '"');
  for (const PreconditionerEntry& p : solver_preconditioners())
    if (p.name != "none" && !find_method(p.name)) all.push_back('"' + std::string(p.name) + '"');
  return all;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string without_spaces(const std::string& text) {
  std::string dense;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) dense += c;
  return dense;
}

/// Devices, colours and precisions have these names as well: asked only of what is called so.
bool means_another(const std::string& name, const std::string& before) {
  if (name != R"("auto")" && name != R"("single")") return false;
  std::size_t k = before.size();  // of the expression ahead of the name
  while (k > 0 && std::strchr("|&,;?{}", before[k - 1]) == nullptr) --k;
  const std::string asked = before.substr(k);
  return asked.find("method") == asked.npos && asked.find("preconditioner") == asked.npos;
}

/// Whether the end of `before` lies within the parentheses of an `if`, `while`, `for` or `switch`.
bool in_a_condition(const std::string& before) {
  int closed = 0;
  for (std::size_t k = before.size(); k > 0 && before[k - 1] != ';'; --k) {
    closed += before[k - 1] == ')' ? 1 : before[k - 1] == '(' ? -1 : 0;
    if (closed >= 0) continue;
    closed = 0;
    const std::string ahead = without_spaces(before.substr(k > 20 ? k - 20 : 0, k > 20 ? 19 : k - 1));
    for (const char* word : {"if", "ifconstexpr", "while", "for", "switch"})
      if (ends_with(ahead, word)) return true;
  }
  return false;
}

/// The names by which a text asks for a method: compared with something, or within a condition.
std::vector<std::string> asked_by_name(const std::string& text) {
  static const std::vector<std::string> names = quoted_names();
  std::vector<std::string> found;
  for (const std::string& name : names)
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const std::string whole = text.substr(at > 1000 ? at - 1000 : 0, at > 1000 ? 1000 : at),
                        before = without_spaces(whole),
                        after = without_spaces(text.substr(at + name.size(), 10)).substr(0, 2);
      const bool compared =
          ends_with(before, "==") || ends_with(before, "!=") || after == "==" || after == "!=";
      if ((compared || in_a_condition(whole)) && !means_another(name, before)) found.push_back(name);
    }
  return found;
}

TEST(Names, AreFoundWhereACodeAsksForThem) {
  for (const char* text :
       {R"(if (o.method == "cg" && stored) n += 1;)", R"(return "chebyshev" == s.method ? 3 : 0;)",
        R"(for (const char* two : {"bicgstab", "cgs"}) n /= 2;)",
        R"(if (o.preconditioner.type != "ilu0") f();)", R"(while (is_one_of(name, {"sor", "ssor"})) {})",
        R"(if (config.solver.method != "auto") return;)",
        R"(const bool linear = m.name ==
             "jacobi";)"})
    EXPECT_FALSE(asked_by_name(text).empty()) << text;
  for (const char* text : {R"(o.method = "cg";)", R"(if (symmetric) add("cg", "jacobi");)",
                           R"(if (config.precision == "single") return 4;)",
                           R"(if (device == "auto") take();)", R"(attribute("steps", steps);)"})
    EXPECT_TRUE(asked_by_name(text).empty()) << text;
}

TEST(Names, OfMethodsAreAskedForInTheCatalogueOnly) {
  namespace fs = std::filesystem;
  int files = 0;
  for (const char* layer : {"kernels", "solvers", "sim", "output", "apps"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(WAVESIM_SOURCE_DIR) / layer)) {
      const std::string path = fs::relative(entry.path(), WAVESIM_SOURCE_DIR).string();
      const std::string kind = entry.path().extension().string();
      if (kind != ".cpp" && kind != ".hpp" && kind != ".cu" && kind != ".cuh") continue;
      if (path.rfind("solvers/catalogue/", 0) == 0) continue;
      ++files;
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      for (const std::string& found : asked_by_name(text.str()))
        ADD_FAILURE() << path << " asks for a method or preconditioner by its name, " << found
                      << "; put what it wants to know into the rows of the catalogue";
    }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace wavesim::test
