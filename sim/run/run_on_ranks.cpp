#include "sim/run/run_on_ranks.hpp"

#include <algorithm>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "kernels/grid/bands.hpp"
#include "sim/config/suggest.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/time/scheme.hpp"
#include "solvers/catalogue/option_list.hpp"

namespace wavesim {

namespace {

/// "cg, jacobi and chebyshev": those of a list that work on ranks.
template <class Entries>
std::string names_on_ranks(const Entries& all) {
  std::vector<std::string> names;
  for (const auto& entry : all)
    if (entry.on_ranks) names.emplace_back(entry.name);
  return enumerate(names);
}

template <class Entries>
void require_on_ranks(const Entries& all, const std::string& name, const std::string& key) {
  for (const auto& entry : all)
    if (entry.name == name && !entry.on_ranks)
      throw InputError(key + ": " + name + " does not work on several ranks; take " + names_on_ranks(all) +
                       ", or run the program as one process");
}

void require_even_rings(const Model& model, const std::string& what) {
  const Grid& g = model.grid;
  for (int axis = 0; axis < 2; ++axis)
    if (g.periodic[axis] && (g.cells[axis] % 2 != 0 || g.cells[axis] < 4))
      throw InputError(
          what +
          " needs an even number of cells, four or more, along a periodic axis on several ranks; "
          "grid.cells is [" +
          std::to_string(g.cells[0]) + ", " + std::to_string(g.cells[1]) + "]");
}

}  // namespace

DeviceFacts choose_device_of_rank(const std::string& wanted, Ranks& ranks) {
  const int gpus = wanted == "cpu" ? 0 : cuda_count();
  const Ranks::Place here = ranks.on_host();
  const std::vector<char> enough = ranks.all_of(char(gpus >= here.count));
  if (std::find(enough.begin(), enough.end(), 0) == enough.end()) return use_cuda_device(here.rank);
  if (wanted != "cuda") return cpu_facts();
  if (gpus == 0)
    throw DeviceError("device cuda was asked for, but " + why_no_cuda() + "; or run with --device cpu");
  throw DeviceError(std::to_string(here.count) + " ranks on this host want a GPU each, and it has " +
                    std::to_string(gpus) + "; start fewer ranks on it, or take --device cpu");
}

void require_shareable(const Config& config, const Model& model, int ranks) {
  if (make_scheme(config.time, config.space.order).solves) {
    std::vector<SolverOptions> all = config.solver_options().fallback;
    all.push_back(config.solver_options());
    for (const SolverOptions& o : all) {
      require_on_ranks(solver_methods(), o.method, "solver.method");
      require_on_ranks(solver_preconditioners(), o.preconditioner.type, "solver.preconditioner");
      if (find_method(o.method)->even_rings) require_even_rings(model, "solver.method: " + o.method);
      if (find_preconditioner(o.preconditioner.type)->even_rings)
        require_even_rings(model, "solver.preconditioner: " + o.preconditioner.type);
      if (find_preconditioner(o.preconditioner.type)->of_method)
        require_on_ranks(solver_methods(), o.preconditioner.choices.word(option::steps_of),
                         "solver.preconditioner." + std::string(option::steps_of.name));
    }
    require_on_ranks(solver_formats(), config.solver.format, "solver.format");
  }
  if (config.output.energy.balance)
    throw InputError(
        "output.energy.balance: several ranks keep no balance of energy; leave it out, or run "
        "the program as one process");
  const Extent e = make_unknowns(model, config.bytes_of_a_value()).extent;
  if (const int bands = bands_of(e).count; ranks > bands)
    throw InputError("grid.cells: " + std::to_string(ranks) + " ranks cannot share out " +
                     std::to_string(e.ny) + " rows, which are " + std::to_string(bands) +
                     (bands == 1 ? " band" : " bands") + " of about 64 or more; take " +
                     std::to_string(bands) + (bands == 1 ? " rank" : " ranks") + " at most, or more cells");
}

}  // namespace wavesim
