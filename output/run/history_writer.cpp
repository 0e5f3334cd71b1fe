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
    choose_columns(info);
    file_.emplace(result_file(info, "_history.csv"));
    std::string heads =
        "step,time,iterations,residual_2,residual_max,residual_recurrence,status,energy,assembly_seconds,"
        "solve_seconds";
    if (balance_)
      for (const char* name : EnergyBalance::names) heads += std::string(",") + name;
    if (!solvers_.empty()) heads += ",solver,failures";
    file_->write(heads + "\n");
  }
  void resume(const RunInfo& info, long, Archive& saved) override {
    choose_columns(info);
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
    std::string row = fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{},{},{:.6g},{:.6g}", r.step, r.time,
                                  r.iterations, r.residual_2, r.residual_max, r.residual_recurrence, r.status,
                                  energy, r.assembly_seconds, r.solve_seconds);
    if (balance_)
      for (const double v : r.balance.columns()) row += fmt::format(",{}", v);
    if (!solvers_.empty()) row += fmt::format(",{},{}", solvers_.at(std::size_t(r.solver)), r.failures);
    file_->write(row + "\n");
  }
  void finish(const RunSummary&) override { file_->finish(); }
  std::vector<std::string> files() const override { return {file_->path()}; }

 private:
  void choose_columns(const RunInfo& info) {
    balance_ = info.balance;
    solvers_ = info.solvers;
  }
  std::optional<PartialFile> file_;
  bool balance_ = false;
  std::vector<std::string> solvers_;
};

}  // namespace

std::unique_ptr<Writer> make_history_writer() { return std::make_unique<HistoryWriter>(); }

}  // namespace wavesim
