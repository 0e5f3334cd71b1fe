#include "tests/fuzz/hdf5_files.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>

#include "output/checkpoint/checkpoint_file.hpp"
#include "output/checkpoint/sealed_file.hpp"
#include "output/pages/html_report.hpp"
#include "output/pictures/receiver_spectra.hpp"
#include "output/pictures/render.hpp"
#include "output/pictures/result_plots.hpp"
#include "output/study/study_page.hpp"
#include "sim/config/continued.hpp"
#include "sim/input/child_process.hpp"
#include "sim/prices/price_file.hpp"
#include "tests/fuzz/target.hpp"

namespace wavesim::fuzz {

namespace {

const char* const small_config =
    "name: small\ngrid: {size: [1, 1], cells: [4, 4]}\nmedium: {speed: 1}\ntime: {steps: 9}\n";

/// One of each thing that a state names.
struct State {
  long steps = 7;
  bool flag = true;
  std::string text = "a text";
  std::vector<std::string> lines{"one", "two"};
  std::vector<double> list{1, 2, 3}, table{1, 2, 3, 4, 5, 6};

  void archive(Archive& a) {
    const auto part = a.part("run");
    a.number("steps", steps);
    a.number("flag", flag);
    a.text("text", text);
    a.list("lines", lines);
    a.list("list", list);
    a.table("table", table, 2, 3);
  }
};

/// Reads as the program does, in a child process. Of what the HDF5 library dies there is no finding; a report of the
/// sanitizers is one, and so is an exception that is no refusal.
void in_child(const std::function<void()>& read) {
  if (const auto ended = go_on_in_child()) {
    if (ended->death.empty() && ended->status != 0) std::abort();
    return;
  }
  int status = 0;
  try {
    read();
  } catch (const InputError&) {
  } catch (const std::exception& e) {
    std::fprintf(stderr, "an exception that is no refusal: %s\n", e.what());
    status = 1;
  }
  _exit(status);
}

void read_result(const std::filesystem::path& file) {
  const ResultReader result(file);
  RenderPlan plan;
  plan.look.width = 100;
  std::string sheet;
  if (!result.frames().empty()) sheet = sheet_of(result, plan, 4).png();
  html_of(result, sheet, "by the fuzzer");
  NamedFigures figures = figures_of(history_plots(result));
  for (auto& figure : receiver_figures(result, 1)) figures.push_back(std::move(figure));
  for (const ReceiverSpectra& s : receiver_spectra(result)) figures.push_back({s.name, figure_of(s.plot)});
  for (const auto& [name, figure] : figures) canvas_of(figure, 200), pdf_of(figure);
}

}  // namespace

void look_at_result(const std::filesystem::path& file) {
  in_child([&] { read_result(file); });
}

void look_at_study(const std::filesystem::path& file) {
  in_child([&] {
    const Study study = read_study(file);
    study_page(study.facts, study.rows);
  });
}

void look_at_checkpoint(const std::string& bytes) {
  const std::string path = (folder() / "checkpoint.h5").string();
  std::ofstream(path + ".partial", std::ios::binary) << bytes;
  seal_and_rename(path + ".partial", path);
  CheckpointFile file(path);
  check_continued(file.head().config, small_config, {}, path, true);
  if (const auto prices = file.head().facts.find("prices-file"); prices != file.head().facts.end())
    parse_prices(prices->second, path);
  State().archive(file.state());
}

std::string checkpoint_bytes() {
  const std::string path = (folder() / "written.h5").string();
  State state;
  write_checkpoint(path, {7, 0.7, 0.1, small_config, {{"device", "a CPU"}}},
                   [&](Archive& a) { state.archive(a); });
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace wavesim::fuzz
