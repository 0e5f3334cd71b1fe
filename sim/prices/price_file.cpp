#include "sim/prices/price_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "kernels/backend/errors.hpp"
#include "sim/config/config.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

constexpr const char* remedy =
    "; measure them again with 'wavesim measure', or write solver.prices: built-in";

struct CurveSection : Configured {
  PriceCurve curve;
  void fields(Section& s) override {
    s("set-up", curve.set_up, {.text = "of the method", .unit = "s", .required = true, .least = 0});
    s("solve", curve.solve,
      {.text = "of a step, beside the iterations", .unit = "s", .required = true, .least = 0});
    s("each", curve.each, {.text = "of an iteration or pass", .unit = "s", .required = true, .above = 0});
  }
};

struct PriceSection : Configured {
  Prices prices;
  void fields(Section& s) override {
    long threads = prices.threads;
    s("machine", prices.machine, {.text = "the name of the CPU", .required = true});
    s("threads", threads, {.text = "of the CPU", .required = true, .least = 1, .most = 65536});
    s("measured", prices.measured, {.text = "the date"});
    s("cells", prices.cells,
      {.text = "along a side of the grids that solves were timed on",
       .required = true,
       .least = 2,
       .most = 1e5});
    prices.threads = int(threads);
    for_each_curve(
        [&](const char* key, PriceCurve& curve) {
          CurveSection section;
          section.curve = curve;
          s.section(key, section, {.text = "seconds at each of the sizes", .required = true});
          curve = section.curve;
        },
        prices);
  }
  void verify() const override {
    const std::size_t n = prices.cells.size();
    if (n < 2 || std::adjacent_find(prices.cells.begin(), prices.cells.end(), std::greater_equal<>()) !=
                     prices.cells.end())
      where.fail("'cells' must be two sizes or more in rising order");
    for_each_curve(
        [&](const char* key, const PriceCurve& c) {
          if (c.set_up.size() != n || c.solve.size() != n || c.each.size() != n)
            where.fail("'" + std::string(key) + "' must have " + std::to_string(n) +
                       " numbers in each of its lists, one for each of 'cells'");
        },
        prices);
  }
};

/// For the name of a file: "amd-epyc-9654".
std::string slug(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain)
      out += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

}  // namespace

std::string to_yaml(const Prices& prices) {
  PriceSection section;
  section.prices = prices;
  return "# Prices of method: auto, in seconds. 'wavesim measure' writes such files; docs/methods.md.\n" +
         dump_keys(section);
}

Prices parse_prices(const std::string& text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(name + ": this file of prices is empty" + remedy);
  PriceSection section;
  try {
    parse_section(section, text, name);
  } catch (const InputError& e) {
    throw InputError(std::string(e.what()) + remedy);
  }
  return section.prices;
}

Prices read_prices(const std::filesystem::path& file) {
  const std::optional<std::string> text = text_to_load(file);
  if (!text) throw InputError(file.string() + ": this file of prices cannot be read" + remedy);
  return parse_prices(*text, file.string());
}

std::filesystem::path price_file(const std::string& machine, int threads) {
  std::filesystem::path cache;
  if (const char* named = std::getenv("XDG_CACHE_HOME"); named && *named)
    cache = named;
  else if (const char* home = std::getenv("HOME"); home && *home)
    cache = std::filesystem::path(home) / ".cache";
  else
    return {};
  return cache / "wavesim" / "prices" /
         (slug(machine) + "-" + std::to_string(threads) + (threads == 1 ? "-thread" : "-threads") + ".yaml");
}

}  // namespace wavesim
