// wavesim study CONFIG: which solver for this run?

#include <algorithm>
#include <build_facts.hpp>
#include <chrono>
#include <cstdio>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/file_contents.hpp"
#include "apps/live_line.hpp"
#include "apps/made_with.hpp"
#include "apps/replace_section.hpp"
#include "apps/signals.hpp"
#include "kernels/backend/errors.hpp"
#include "library/read_config.hpp"
#include "output/run/duration.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/result_directory.hpp"
#include "output/study/study_files.hpp"
#include "output/study/study_journal.hpp"
#include "output/study/study_ranking.hpp"
#include "sim/config/search_path.hpp"
#include "sim/prices/choose_prices.hpp"
#include "sim/run/choose_device.hpp"
#include "sim/run/copy_bandwidth.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

/// The config that --write leaves: FILE as it is, or that of the study if there is no such file, with the
/// candidate's solver.
std::string with_solver(const StudyOptions& words, const Candidate& c) {
  const std::filesystem::path& file = *words.write;
  const bool there = std::filesystem::exists(file);
  if (std::filesystem::is_directory(file))
    throw InputError("--write " + file.string() + ": this is a folder; name a file in it");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder))
    throw InputError("--write " + file.string() + ": there is no folder " + folder.string() +
                     "; make it or write elsewhere");
  const std::filesystem::path& from = there ? file : words.run.config;
  SolverConfig solver = c.solver;
  std::string text =
      replace_section(file_contents(from), from.string(), "solver", dump_section("solver", solver));
  const std::vector<std::filesystem::path> data = data_folders(words.run.data);
  Config wanted = parse_config(file_contents(from), from.string(), from.parent_path(), {}, data);
  if (wanted.precision != c.precision)
    text = replace_section(text, from.string(), "precision", "precision: " + c.precision + "\n");
  wanted.solver = solver;
  wanted.precision = c.precision;
  Config after = parse_config(text, file.string(), folder, {}, data);
  after.name = wanted.name;  // that of the file by default
  if (dump_config(after) != dump_config(wanted))
    throw InputError("--write " + file.string() +
                     ": the config would mean something else there, since it names files beside it or shares "
                     "parts by '&'; write it beside " +
                     words.run.config.string() + ", or paste the solver");
  return text;
}

StudyFacts facts_of(const StudyOptions& words, Config& config, const DeviceFacts& device, double copy) {
  std::string command = command_text("study", words.run);
  if (words.write) command += " --write " + shell_word(words.write->string());
  StudyFacts f{dump_config(config), "", made_with(command, device)};
  f.facts["name"] = config.name;
  f.facts["copy-bandwidth"] = shortest(copy);
  return f;
}

class StudyBar {
 public:
  void operator()(const StudyProgress& p) {
    const bool last = p.rows == p.all;
    if (!line_.is_due(last)) return;
    std::string text = "row " + std::to_string(p.rows) + "/" + std::to_string(p.all);
    if (p.point && !last) {
      char place[100];
      std::snprintf(place, sizeof place, ", Courant %.4g on %ld x %ld cells, step %ld", p.point->courant,
                    p.point->cells[0], p.point->cells[1], p.step);
      text += place;
      if (!p.candidate.empty()) text += ": " + p.candidate;
      if (p.fresh > 0)
        text += ", " + human_duration(p.seconds / double(p.fresh) * double(p.all - p.rows)) + " left";
    } else if (last) {
      text += ", " + human_duration(p.seconds);
    }
    line_.show(text);
  }

 private:
  LiveLine line_;
};

void print_best(const StudyRanking& ranking, const Candidate* best, const Config& run) {
  std::fputs(ranking_text(ranking).c_str(), stdout);
  if (!best) {
    std::printf("\nNo candidate converged.\n");
    return;
  }
  std::printf("\nThe best for this config, %s:\n\n%s", best->name.c_str(),
              candidate_yaml(*best, run).c_str());
}

}  // namespace

int study(const StudyOptions& words) {
  Config config = read_config(words.run.config, words.run);
  if (!config.study)
    throw InputError(words.run.config.string() +
                     ": there is no section 'study'; add one, for example "
                     "study: {at: [1, 10], candidates: all}");
  StudyPlan plan = plan_study(config);
  if (words.write) with_solver(words, plan.points.front().candidates.front());  // before hours of work

  const DeviceFacts device = choose_device(config.device);
  for (StudyPoint& point : plan.points) {
    choose_prices(point.config.solver, device);
    for (Candidate& candidate : point.candidates) choose_prices(candidate.solver, device);
  }
  const std::filesystem::path path =
      std::filesystem::path(config.output.directory) / (config.name + "-study");
  const std::string belongs_to = dump_config(config) + device.name + ", wavesim " + version + " " + commit;
  const bool begun = std::filesystem::exists(StudyJournal::path_in(path));
  if (begun && !words.resume && !words.run.overwrite)
    throw InputError(path.string() +
                     " holds a study that was stopped; go on with --resume, or start anew with --overwrite");
  if (words.resume && !begun)
    throw InputError(path.string() + " holds no study that was stopped; leave out --resume");
  ResultDirectory folder(path, "study", words.run.overwrite || words.resume);
  leave_nothing_of(folder.lock().string(), folder.path().string());
  std::vector<StudyRow> rows;
  if (words.resume) rows = StudyJournal::read(path, belongs_to);

  const double copy = copy_bandwidth(device);
  if (!words.run.quiet) {
    std::fprintf(stderr, "%s: %ld solves to study, %zu runs, on %s (%s), into %s\n", config.name.c_str(),
                 plan.rows(), plan.points.size(), device.name.c_str(), device.detail.c_str(), path.c_str());
    if (words.resume) std::fprintf(stderr, "%zu of them are there already\n", rows.size());
  }
  folder.keep_old();  // each file of it is replaced once the study is done
  let_work_finish();
  folder.start_writing();
  StudyJournal journal(path, belongs_to, rows);
  {
    StudyBar bar;
    StudyCalls calls;
    calls.done = [&](const StudyRow& r) {
      return std::any_of(rows.begin(), rows.end(), [&](const StudyRow& o) { return o.same_place(r); });
    };
    calls.row = [&](const StudyRow& r) {
      journal.add(r);
      rows.push_back(r);
    };
    calls.progress = [&](const StudyProgress& p) {
      if (!words.run.quiet) bar(p);
    };
    run_study(plan, device, copy, calls, stop);
  }
  if (long(rows.size()) < plan.rows()) {
    const std::string sentence = "stopped by a signal after " + std::to_string(rows.size()) + " of " +
                                 std::to_string(plan.rows()) + " rows, which are kept; go on with --resume";
    if (words.run.json) print_failure("stopped", 128 + signal_number, sentence);
    std::fprintf(stderr, "%s\n", sentence.c_str());
    return 128 + signal_number;
  }

  const StudyRanking ranking = rank(rows);
  const Candidate* best = nullptr;
  for (const StudyPoint& p : plan.points)
    for (const Candidate& c : p.candidates)
      if (!best && c.name == ranking.best) best = &c;
  StudyFacts facts = facts_of(words, config, device, copy);
  if (best) facts.best = candidate_yaml(*best, config);
  write_study(path, facts, rows);
  journal.remove();
  if (!words.run.json && !words.run.quiet) {
    print_best(ranking, best, config);
    std::printf("\nThe page to read and send: %s; all rows: study.csv and study.h5 beside it\n",
                (path / "study.html").c_str());
  }
  if (words.write && best) {
    replace_file(words.write->string(), with_solver(words, *best));
    if (!words.run.quiet && !words.run.json)
      std::printf("The solver is written into %s\n", words.write->c_str());
  }
  if (words.run.json) {
    Tree t = ranking_tree(ranking);
    t.add("yaml", best ? Tree::string(candidate_yaml(*best, config)) : Tree());
    t.add("folder", Tree::string(path.string()));
    print_answer(t);
  }
  return 0;
}

}  // namespace wavesim
