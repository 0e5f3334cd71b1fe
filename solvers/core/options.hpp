#pragma once
// What a user chooses about a solve.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wavesim {

/// A choice that some methods or preconditioners offer beside their name: a number, or one of a few words.
/// The config, the command line, the schema and the documents take it from here.
struct Option {
  std::string_view name, text;
  double usual = 0, least = 0, most = 0;
  bool whole = true;                         // a whole number
  std::vector<std::string_view> words = {};  // or one of these; the first is the usual one
};

/// What was chosen, by the option's name; absent is usual.
struct Choices {
  std::map<std::string, double, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> words;

  double number(const Option& o) const {
    const auto at = numbers.find(o.name);
    return at == numbers.end() ? o.usual : at->second;
  }
  int count(const Option& o) const { return int(number(o)); }
  std::string word(const Option& o) const {
    const auto at = words.find(o.name);
    return at == words.end() ? std::string(o.words.front()) : at->second;
  }
};

struct PreconditionerOptions {
  std::string type = "none";
  Choices choices;
};

struct Prices;  // solvers/automatic/prices.hpp

/// Names as in catalogue.hpp.
struct SolverOptions {
  std::string method = "cg";
  PreconditionerOptions preconditioner;
  double tolerance = 1e-6;
  std::string norm = "increment";  // relative-2 | max
  int max_iterations = 500;
  Choices choices;
  /// Sums of all reductions are compensated, and so are the rows of b - A x (kernels/reduce/compensated.hpp).
  bool accurate = false;
  /// The solve is one in single precision, with this method and preconditioner, refined to double.
  bool mixed = false;
  /// How many solves are to come; 0: nobody knows. A choice between methods weighs set-ups against it.
  long expected_solves = 0;
  /// What solves cost on the CPU, for `method: auto`; null: built-in prices, the same for any number of threads.
  std::shared_ptr<const Prices> prices;
  /// A few rows are hardly diagonally dominant: the bounds of Gershgorin are far below the least eigenvalue.
  bool few_weak_rows = false;
  /// Solvers that take a system which this one did not solve, in this order.
  std::vector<SolverOptions> fallback{};
  bool preconditioned() const { return preconditioner.type != "none"; }
};

}  // namespace wavesim
