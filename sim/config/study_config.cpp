#include <set>

#include "sim/config/config.hpp"

namespace wavesim {

void SweepConfig::fields(Section& s) {
  s("courant", courant, {.text = "Courant numbers, instead of time.courant or time.step", .above = 0});
  s("cells", cells,
    {.text = "numbers of cells along x, instead of grid.cells; along y in the same proportion", .least = 2});
}

void SweepConfig::verify() const {
  if (courant.empty() && cells.empty())
    where.fail("'" + where.key + "' goes through nothing; add courant: [1, 4, 16] or cells: [200, 400]");
  if (std::set<double>(courant.begin(), courant.end()).size() != courant.size())
    where.fail("'" + where.key + ".courant' lists a number twice; remove one of them");
  if (std::set<long>(cells.begin(), cells.end()).size() != cells.size())
    where.fail("'" + where.key + ".cells' lists a number twice; remove one of them");
}

void StudyConfig::fields(Section& s) {
  s("at", at, {.text = "steps whose systems are solved with all candidates; the first is 1", .least = 1});
  s("every", every, {.text = "or each so many steps", .unit = "steps", .least = 1});
  s.section("sweep", sweep, {.text = "the whole study for each of these", .optional = true});
  s("candidates", candidates, {.text = "solvers to compare; a list takes them together", .required = true});
  s("repetitions", repetitions,
    {.text = "timed solves of a candidate, whose median counts", .least = 1, .most = 10000});
  s("warm-up", warm_up, {.text = "solves before the timed ones", .least = 0, .most = 1000});
  s("reference-tolerance", reference_tolerance,
    {.text = "of the solves that carry the run on; default 1e-12 or what the precision can reach, but not "
             "above solver.tolerance",
     .above = 0,
     .most = 0.5});
}

void StudyConfig::verify() const {
  if (!at.empty() && every)
    where.fail("'at' and 'every' both say which steps '" + where.key + "' looks at; remove one of them");
  if (at.empty() && !every)
    where.fail("'" + where.key +
               "' does not say which steps to look at; add 'at: [1, 10]' or 'every: count'");
  if (std::set<long>(at.begin(), at.end()).size() != at.size())
    where.fail("'" + where.key + ".at' lists a step twice; remove one of them");
}

}  // namespace wavesim
