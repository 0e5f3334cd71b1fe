#include "sim/config/config.hpp"
#include "sim/config/names.hpp"

namespace wavesim {

void ChoicesConfig::field(Section& s, const Option& o) {
  const Rule rule{.text = o.text,
                  .least = o.words.empty() ? std::optional<double>(o.least) : std::nullopt,
                  .most = o.words.empty() ? std::optional<double>(o.most) : std::nullopt,
                  .choices = o.words};
  if (!o.words.empty())
    s(o.name, words[std::string(o.name)], rule);
  else if (o.whole)
    s(o.name, counts[std::string(o.name)], rule);
  else
    s(o.name, numbers[std::string(o.name)], rule);
}

Choices ChoicesConfig::chosen() const {
  Choices c;
  for (const auto& [name, v] : numbers)
    if (v) c.numbers[name] = *v;
  for (const auto& [name, v] : counts)
    if (v) c.numbers[name] = double(*v);
  for (const auto& [name, v] : words)
    if (v) c.words[name] = *v;
  return c;
}

void PreconditionerConfig::fields(Section& s) {
  s("type", type, {.text = "which one", .choices = names(solver_preconditioners())});
  for (const Option* o : options_of(solver_preconditioners())) choices.field(s, *o);
}

void SolverConfig::fields(Section& s) {
  s("method", method, {.text = "of solving the system of each step", .choices = names(solver_methods())});
  s("format", format, {.text = about_formats(), .choices = names(solver_formats())});
  s.section("preconditioner", preconditioner, {.text = "makes the system easier first", .shorthand = "type"});
  s("tolerance", tolerance,
    {.text = "of the true residual, in the norm below; auto: just below the errors of grid and time step",
     .above = 0,
     .most = 0.5,
     .word = "auto"});
  s("norm", norm, {.text = "what the residual is compared with", .choices = names(stop_norms())});
  s("max-iterations", max_iterations, {.text = "after which a solve has failed", .least = 1, .most = 1e9});
  s("guess", guess,
    {.text = "where a solve starts: u(n), u(n) carried on by the last increments, or by the combination of "
             "them with the least error",
     .choices = {"previous", "extrapolate", "projection"}});
  s("guess-degree", guess_degree,
    {.text = "of the polynomial in time through the last increments, for guess: extrapolate; default 0",
     .least = 0,
     .most = 2});
  s("guess-solutions", guess_solutions,
    {.text = "increments that guess: projection keeps; default 4", .least = 1, .most = most_solutions});
  s("assembly", assembly,
    {.text = "of the matrix: each step anew, or once (the same bits)", .choices = {"each-step", "once"}});
  s("on-failure", on_failure, {.text = "what happens when a solve fails; default stop"});
  s("energy", energy,
    {.text = "as-solved: conserved as well as the solves are exact; exact: conserved to rounding at any "
             "tolerance, where no perfectly matched layer takes it; each step then takes one more product "
             "with the matrix, and is not fused",
     .choices = {"as-solved", "exact"}});
  s("accurate", accurate,
    {.text = "whether the sums of a solve and the rows of its true residual are compensated"});
  s("prices", prices,
    {.text =
         "what method: auto takes solves on a CPU to cost: built-in, or a file of wavesim measure; default "
         "the one that was measured on this machine, else built-in"});
  if (prices && *prices != "built-in")  // from the config's folder on, as other files
    prices = std::filesystem::absolute(std::filesystem::path(where.file).parent_path() / *prices)
                 .lexically_normal()
                 .string();
  for (const Option* o : options_of(solver_methods())) choices.field(s, *o);
}

GuessOptions SolverConfig::guess_options() const {
  return {guess, int(guess_degree.value_or(0)), int(guess_solutions.value_or(4))};
}

SolverOptions SolverConfig::options() const {
  SolverOptions o;
  o.method = method;
  o.preconditioner = {preconditioner.type, preconditioner.choices.chosen()};
  o.tolerance = tolerance;
  o.norm = norm;
  o.max_iterations = int(max_iterations);
  o.accurate = accurate;
  o.choices = choices.chosen();
  o.prices = known_prices;
  o.fallback = on_failure->fallback(o);
  return o;
}

void SolverConfig::verify() const {
  if (guess_degree && guess != "extrapolate")
    where.fail("'guess-degree' belongs to guess: extrapolate; write that, or leave it out");
  if (guess_solutions && guess != "projection")
    where.fail("'guess-solutions' belongs to guess: projection; write that, or leave it out");
  if (prices && !find_method(method)->automatic)
    where.fail("'prices' belongs to method: auto; write that, or leave it out");
  if (const std::string why = incompatibility(options()); !why.empty()) where.fail(why);
  if (const std::string why = incompatibility(options(), format); !why.empty()) where.fail(why);
}

}  // namespace wavesim
