#include "output/run/history_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace {

class HistoryWriter final : public Writer {
 public:
  void begin(const RunInfo& info) override {
    file_.emplace(result_file(info, "_history.csv"));
    file_->write(
        "step,time,iterations,residual_2,residual_max,status,energy,assembly_seconds,solve_seconds\n");
  }
  void resume(const RunInfo& info, long, Archive& saved) override {
    long length = 0;
    saved.number("bytes", length);
    file_.emplace(result_file(info, "_history.csv"), length);
  }
  void save(Archive& a) override {
    long length = file_->length();
    a.number("bytes", length);
  }
  std::string name() const override { return "history.csv"; }
  void step(const StepRecord& r) override {
    const std::string energy =
        std::isnan(r.energy) ? "" : fmt::format("{}", r.energy);  // not due: an empty cell
    file_->write(fmt::format("{},{},{},{:.6g},{:.6g},{},{},{:.6g},{:.6g}\n", r.step, r.time, r.iterations,
                             r.residual_2, r.residual_max, r.status, energy, r.assembly_seconds,
                             r.solve_seconds));
  }
  void finish(const RunSummary&) override { file_->finish(); }
  std::vector<std::string> files() const override { return {file_->path()}; }

 private:
  std::optional<PartialFile> file_;
};

}  // namespace

std::unique_ptr<Writer> make_history_writer() { return std::make_unique<HistoryWriter>(); }

}  // namespace wavesim
