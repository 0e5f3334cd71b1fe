#include "sim/prices/choose_prices.hpp"

#include "kernels/backend/errors.hpp"
#include "sim/prices/price_file.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

namespace {

bool wants_prices(const SolverConfig& solver) {
  const Method* const method = find_method(solver.method);
  return method && method->automatic;
}

/// Those that were measured here, or that are built in.
Prices of_this_machine(const DeviceFacts& device) {
  const std::filesystem::path file = price_file(device.name, device.units);
  std::error_code none;
  if (file.empty() || !std::filesystem::exists(file, none)) return built_in_prices(device.units);
  Prices prices = read_prices(file);
  if (prices.machine != device.name || prices.threads != device.units)
    throw InputError(file.string() + ": these prices are of " + text(prices) + ", and this machine is " +
                     device.name + " with " + device.detail +
                     "; measure them with 'wavesim measure', or name the file as solver.prices");
  return prices;
}

/// All ranks take the prices of the first one, and so the same decisions.
std::shared_ptr<const Prices> of_first(const std::shared_ptr<const Prices>& own, Ranks& ranks) {
  std::string text = ranks.rank() == 0 ? to_yaml(*own) : "";
  std::size_t length = text.size();
  ranks.broadcast(&length, sizeof length);
  text.resize(length);
  ranks.broadcast(text.data(), length);
  return std::make_shared<const Prices>(parse_prices(text, "the prices of the first rank"));
}

}  // namespace

void choose_prices(SolverConfig& solver, const DeviceFacts& device, Ranks* ranks) {
  if (!wants_prices(solver)) return;
  if (device.kind != "cpu") {
    if (!solver.known_prices && solver.prices && *solver.prices != "built-in")
      solver.where.fail("'prices' names a file, which is for CPUs, and the run is on " + device.name +
                        "; remove it, or run with --device cpu");
    return;
  }
  if (!solver.known_prices && (!ranks || ranks->rank() == 0))
    solver.known_prices =
        std::make_shared<const Prices>(!solver.prices                 ? of_this_machine(device)
                                       : *solver.prices == "built-in" ? built_in_prices(device.units)
                                                                      : read_prices(*solver.prices));
  if (ranks) solver.known_prices = of_first(solver.known_prices, *ranks);
}

std::map<std::string, std::string> price_facts(const SolverConfig& solver, const DeviceFacts& device) {
  if (!wants_prices(solver)) return {};
  if (device.kind != "cpu" || !solver.known_prices) return {{"prices", "built-in, " + device.name}};
  return {{"prices", text(*solver.known_prices)}, {"prices-file", to_yaml(*solver.known_prices)}};
}

}  // namespace wavesim
