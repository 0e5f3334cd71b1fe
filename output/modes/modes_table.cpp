#include "output/modes/modes_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "output/run/csv_name.hpp"

namespace wavesim {

std::vector<double> frequencies_of(const Eigenpairs& pairs) {
  std::vector<double> f;
  for (const double v : pairs.value)
    f.push_back(v >= 0 ? std::sqrt(v) / (2 * std::numbers::pi) : std::numeric_limits<double>::quiet_NaN());
  return f;
}

std::string frequencies_fact(const std::vector<double>& frequencies) {
  std::string text;
  for (const double f : frequencies) text += fmt::format("{}{}", text.empty() ? "" : " ", f);
  return text;
}

std::string modes_table(const Eigenpairs& pairs) {
  const std::vector<double> frequency = frequencies_of(pairs);
  std::string text =
      fmt::format("{:>4}  {:>17}  {:>17}  {:>9}\n", "mode", "eigenvalue", "frequency (Hz)", "residual");
  for (std::size_t k = 0; k < pairs.value.size(); ++k)
    text +=
        fmt::format("{:>4}  {:>17.10g}  {:>17}  {:>9.2e}\n", k + 1, pairs.value[k],
                    std::isnan(frequency[k]) ? "-" : fmt::format("{:.10g}", frequency[k]), pairs.residual[k]);
  return text;
}

std::string modes_csv(const Eigenpairs& pairs, const std::vector<std::string>& receivers,
                      const std::vector<std::vector<double>>& readings) {
  const std::vector<double> frequency = frequencies_of(pairs);
  std::string text = "mode,eigenvalue,frequency,residual";
  for (const std::string& name : receivers) text += "," + csv_name(name);
  text += "\n";
  for (std::size_t k = 0; k < pairs.value.size(); ++k) {
    text += fmt::format("{},{},{},{:.6g}", k + 1, pairs.value[k],
                        std::isnan(frequency[k]) ? "" : fmt::format("{}", frequency[k]), pairs.residual[k]);
    for (std::size_t r = 0; r < receivers.size(); ++r) text += fmt::format(",{}", readings[k][r]);
    text += "\n";
  }
  return text;
}

}  // namespace wavesim
