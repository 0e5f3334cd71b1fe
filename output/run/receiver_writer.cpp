#include "output/run/receiver_writer.hpp"

#include <fmt/compile.h>

#include <iterator>
#include <optional>

#include "output/run/csv_name.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace {

class ReceiverWriter final : public Writer {
 public:
  void begin(const RunInfo& info) override {
    if (info.receivers.empty()) return;
    file_.emplace(result_file(info, "_receivers.csv"));
    std::string line("step,time");
    for (const ReceiverInfo& r : info.receivers) line.append(",").append(csv_name(r.name));
    file_->write(line.append("\n"));
  }
  void resume(const RunInfo& info, long, Archive& saved) override {
    long length = 0;
    saved.number("bytes", length);
    if (!info.receivers.empty()) file_.emplace(result_file(info, "_receivers.csv"), length);
  }
  void save(Archive& a) override {
    long length = file_ ? file_->length() : 0;
    a.number("bytes", length);
  }
  std::string name() const override { return "receivers.csv"; }
  void sample(const ReceiverSample& s) override {
    if (!file_) return;
    line_.clear();
    const auto end = std::back_inserter(line_);
    // The shortest digits that read back the same. A survey writes millions: formats are compiled.
    fmt::format_to(end, FMT_COMPILE("{},{}"), s.step, s.time);
    for (const double v : s.values) fmt::format_to(end, FMT_COMPILE(",{}"), v);
    line_.push_back('\n');
    file_->write({line_.data(), line_.size()});
  }
  void finish(const RunSummary&) override {
    if (file_) file_->finish();
  }
  std::vector<std::string> files() const override {
    return file_ ? std::vector<std::string>{file_->path()} : std::vector<std::string>{};
  }

 private:
  std::optional<PartialFile> file_;
  fmt::memory_buffer line_;
};

}  // namespace

std::unique_ptr<Writer> make_receiver_writer() { return std::make_unique<ReceiverWriter>(); }

}  // namespace wavesim
