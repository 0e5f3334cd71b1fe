// wavesim modes CONFIG | A.mtx [B.mtx]: the lowest eigenpairs.

#include <cstdio>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/output_file.hpp"
#include "kernels/backend/errors.hpp"
#include "library/build_facts_of.hpp"
#include "library/read_config.hpp"
#include "output/modes/modes_result.hpp"
#include "output/modes/modes_table.hpp"
#include "output/run/duration.hpp"
#include "output/run/make_writers.hpp"
#include "output/run/one_line.hpp"
#include "output/run/partial_file.hpp"
#include "sim/run/choose_device.hpp"
#include "solvers/eigenpairs/matrix_eigenpairs.hpp"
#include "solvers/matrices/matrix_market.hpp"

namespace wavesim {

namespace {

void print_json(const std::string& name, const EigenRun& run, const EigenOptions& o,
                const DeviceFacts& device, const std::vector<std::string>& files) {
  Tree t = Tree::map();
  const auto number = [](double v) { return std::isfinite(v) ? Tree::bare(shortest(v)) : Tree(); };
  t.add("name", Tree::string(name));
  t.add("status", Tree::string(word(run.pairs.status)));
  t.add("exit-status", number(run.pairs.converged() ? 0 : 3));
  t.add("iterations", number(run.pairs.iterations));
  t.add("block", number(o.block));
  t.add("preconditioner", Tree::string(run.preconditioner));
  t.add("set-up", Tree::string(run.set_up));
  t.add("device", Tree::string(device.name));
  t.add("setup-seconds", number(run.setup_seconds));
  t.add("seconds", number(run.seconds));
  const std::vector<double> frequency = frequencies_of(run.pairs);
  Tree modes = Tree::list();
  for (std::size_t k = 0; k < run.pairs.value.size(); ++k) {
    Tree mode = Tree::map();
    mode.add("eigenvalue", number(run.pairs.value[k]));
    mode.add("frequency", number(frequency[k]));
    mode.add("residual", number(run.pairs.residual[k]));
    modes.items.push_back(std::move(mode));
  }
  t.add("modes", std::move(modes));
  Tree list = Tree::list();
  for (const std::string& f : files) list.items.push_back(Tree::string(f));
  t.add("files", std::move(list));
  print_answer(t);
}

void print_text(const std::string& name, const EigenRun& run, const EigenOptions& o,
                const DeviceFacts& device, const std::vector<std::string>& files) {
  std::printf("%s: %d modes by lobpcg with a block of %d, preconditioner %s, on %s\n", name.c_str(), o.count,
              o.block, run.preconditioner.c_str(), device.name.c_str());
  std::printf("\n%s\n", modes_table(run.pairs).c_str());
  if (!run.set_up.empty()) std::printf("%-11s %s\n", "set-up", run.set_up.c_str());
  std::printf("%-11s after %d iterations: set-up %s, iterations %s\n",
              std::string(word(run.pairs.status)).c_str(), run.pairs.iterations,
              human_duration(run.setup_seconds).c_str(), human_duration(run.seconds).c_str());
  for (std::size_t k = 0; k < files.size(); ++k)
    std::printf("%-11s %s\n", k == 0 ? "files" : "", files[k].c_str());
}

/// Prints what there is, and throws SolveError where that is not what was asked for.
void answer(const ModesCommand& c, const std::string& name, const EigenRun& run, const EigenOptions& o,
            const DeviceFacts& device, const std::vector<std::string>& files) {
  (c.json ? print_json : print_text)(name, run, o, device, files);
  require_convergence(run.pairs, o, c.problem.string());
}

/// The sentences of a layer that knows no file, with its name.
template <class Find>
auto told_of(const ModesCommand& c, const Find& find) {
  const std::string name = c.problem.string() + ": ";
  try {
    return find();
  } catch (const InputError& e) {
    throw InputError(name + e.what());
  } catch (const SolveError& e) {
    throw SolveError(name + e.what());
  }
}

bool has_losses(const Model& m) {
  bool lossy = !m.damping.uniform() || m.damping.constant != 0 || !m.rim.damping.uniform();
  for (const EdgeCondition& edge : m.edges) lossy = lossy || edge.radiation;
  return lossy;
}

int modes_of_config(const ModesCommand& c) {
  if (c.mass)
    throw InputError(c.mass->string() + ": a second file goes with a matrix A.mtx, not with a config");
  if (c.vectors)
    throw InputError("--vectors goes with a matrix A.mtx; the modes of a config are in NAME_modes.vtkhdf");
  if (c.table)
    throw InputError("--table goes with a matrix A.mtx; the table of a config is in NAME_modes.csv");
  Config config = read_config(c.problem, c.run);
  const DeviceFacts device = choose_device(config.device);
  const Model model = build_model(config);
  require_modes(config, model);
  const Scheme scheme = make_scheme(config.time, config.space.order);
  const Window window = output_window(*config.output.frames, model.grid);
  const EigenOptions o = eigen_options(c.words, unknown_count(model), c.problem.string());
  const ModesSetup setup{model, scheme, o, *mode_preconditioner(c.words, "multigrid"), config.solver.format,
                         window};
  RunInfo info = plan_output(config, model, plan_time(config, scheme, model));
  config.name += "_modes";
  info.name = config.name;
  ResultDirectory folder(std::filesystem::path(config.output.directory) / config.name, config.name,
                         c.run.overwrite);
  info.directory = folder.path();
  info.planned_frames = o.count;
  folder.require_room(output_bytes(config.output, info, o.count).most);
  for (const std::string& note : model.notes) print_note(note);
  if (has_losses(model))
    print_note("modes are those without damping, and edges and rims that absorb are free in them");

  const MembraneModes modes = told_of(c, [&] { return modes_on(device, setup); });
  if (!modes.pairs.converged()) answer(c, config.name, modes, o, device, {});
  info.config = dump_config(config);
  info.facts["device"] = device.name;
  info.facts["device-kind"] = device.kind;
  info.facts["precision"] = "double";
  info.facts["preconditioner"] = modes.preconditioner;
  add_build_facts(info);
  folder.start_writing();
  const std::vector<std::string> files = write_modes(modes, info, config.output, folder);
  folder.discard_old();
  answer(c, config.name, modes, o, device, files);
  return 0;
}

HostCsr symmetric_matrix(const std::filesystem::path& file) {
  MatrixOfAnyShape A = read_matrix_market_of_any_shape(file, true);
  if (A.rows != A.columns)
    throw InputError(file.string() + ": modes are of square matrices, and this one has " +
                     std::to_string(A.rows) + " rows and " + std::to_string(A.columns) + " columns");
  if (!is_symmetric(A.square))
    throw InputError(file.string() +
                     ": modes are of symmetric matrices, and this one is not; entries differ from "
                     "their transposed ones by up to " +
                     shortest(asymmetry(A.square)) + " of the largest in their row");
  A.square.square = true;  // it may be singular
  return A.square;
}

MatrixEigenpairs eigenpairs_on([[maybe_unused]] const DeviceFacts& device, const HostCsr& K, const HostCsr* M,
                               const EigenOptions& o, const PreconditionerOptions* preconditioner) {
#ifdef WAVESIM_HAVE_CUDA
  if (device.kind == "cuda") return eigenpairs_on_cuda(K, M, o, preconditioner, "auto");
#endif
  return eigenpairs_on_host(K, M, o, preconditioner, "auto");
}

int modes_of_matrices(const ModesCommand& c) {
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      throw InputError(std::string(option) + " is for the modes of a config, and " + c.problem.string() +
                       " is a matrix; remove it");
  };
  refuse(!c.run.set.empty(), "--set");
  refuse(!c.run.data.empty(), "--data");
  refuse(c.run.output.has_value(), "--output");
  refuse(c.run.overwrite, "--overwrite");
  const DeviceFacts device = choose_device(c.run.device.value_or("auto"));
  const HostCsr K = symmetric_matrix(c.problem);
  const std::optional<HostCsr> M = c.mass ? std::optional(symmetric_matrix(*c.mass)) : std::nullopt;
  if (M && M->rows != K.rows)
    throw InputError(c.mass->string() + ": it has " + std::to_string(M->rows) + " rows, and " +
                     c.problem.string() + " has " + std::to_string(K.rows) +
                     "; both are of the same unknowns");
  const EigenOptions o = eigen_options(c.words, K.rows, c.problem.string());
  const auto preconditioner = mode_preconditioner(c.words, std::nullopt);
  for (const auto& file : {c.vectors, c.table})
    if (file) require_folder_of(*file);
  const MatrixEigenpairs found = told_of(c, [&] {
    return eigenpairs_on(device, K, M ? &*M : nullptr, o, preconditioner ? &*preconditioner : nullptr);
  });
  std::vector<std::string> files;
  if (c.vectors && found.pairs.converged()) {
    write_matrix_market_columns(*c.vectors, found.vectors);
    files.push_back(c.vectors->string());
  }
  if (c.table && found.pairs.converged()) {
    replace_file(c.table->string(), modes_csv(found.pairs));
    files.push_back(c.table->string());
  }
  answer(c, c.problem.string(), found, o, device, files);
  return 0;
}

}  // namespace

int modes(const ModesCommand& command) {
  const std::string file = command.problem.filename().string();
  return file.ends_with(".mtx") || file.ends_with(".mtx.gz") ? modes_of_matrices(command)
                                                             : modes_of_config(command);
}

}  // namespace wavesim
