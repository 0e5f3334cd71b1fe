#include "output/hdf5/vtkhdf_writer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/energy_group.hpp"
#include "output/hdf5/frames.hpp"
#include "output/hdf5/history_group.hpp"
#include "output/hdf5/receiver_group.hpp"
#include "output/hdf5/vtkhdf_group.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"
#include "output/run/sync.hpp"

namespace wavesim {

namespace {

using hdf5::Handle;
using hdf5::set_attribute;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t ending_bytes = 512, set_up_bytes = 4096;
/// Frames that wait for the disk are committed together so often: it takes milliseconds for each of a commit's five waits.
constexpr std::chrono::milliseconds together{250};

class VtkhdfWriter final : public Writer {
 public:
  explicit VtkhdfWriter(ResultFileParts parts) : parts_(parts) {}
  ~VtkhdfWriter() override = default;

  void begin(const RunInfo& info) override {
    path_ = result_file(info, parts_.frames ? ".vtkhdf" : ".h5");
    check_chunks(info);
    guarded([&] {
      create(info, path_);
      file_->flush();
      if (durable_) sync_names_beside(path_);
    });
  }

  /// Into a new file, since the old one may have been left in the middle of a write, and may have too little room
  /// for the frames to come. The old one stays until the new one is complete.
  void resume(const RunInfo& info, long, Archive& saved) override {
    path_ = result_file(info, parts_.frames ? ".vtkhdf" : ".h5");
    check_chunks(info);
    position(saved);
    const std::string temporary = path_ + ".partial";
    try {
      copy(info, hdf5::open_to_read(path_), temporary);
    } catch (const hdf5::Failure& e) {
      if (file_) file_->abandon();
      close();
      std::remove(temporary.c_str());
      throw InputError("cannot continue " + path_ + ": " + e.what() +
                       "; restart into another folder with --restart FILE --output DIR");
    }
    rename_file(temporary, path_, Sync::now);
  }

  void save(Archive& a) override {
    guarded([&] {
      commit_frames();
      commit_blocks();
      counts_ = {frames_ ? frames_->count() : 0, long(history_->rows()), long(energy_->rows()),
                 receivers_ ? long(receivers_->rows()) : 0};
    });
    position(a);
  }

  std::string name() const override { return parts_.frames ? "vtkhdf" : "h5"; }

  void more_wait(bool more) override { more_wait_ = more; }

  void frame(const Frame& f) override {
    hdf5::silence_this_thread();
    guarded([&] {
      energy_->add(f.step, f.time, f.energy);
      if (!frames_) return commit_blocks();
      add(f);
      const bool later = durable_ && more_wait_ && frames_->count() >= 2;
      if (!later || clock::now() - committed_ >= together) commit_frames();
    });
  }

  void step(const StepRecord& r) override {
    hdf5::silence_this_thread();
    guarded([&] {
      history_->add(r);
      energy_->add(r.step, r.time, r.energy);
      if (history_->full()) commit_blocks();
    });
  }

  void sample(const ReceiverSample& s) override {
    hdf5::silence_this_thread();
    if (!receivers_) return;
    guarded([&] {
      receivers_->add(s);
      if (receivers_->full()) commit_blocks();
    });
  }

  void finish(const RunSummary& summary) override {
    guarded([&] {
      commit_frames();
      write_blocks();
      write_summary(summary);
      set_attribute(group_, "ending", summary.ending, ending_bytes);
      set_attribute(group_, "set-up", summary.set_up, set_up_bytes);
      file_->flush();
      // Only a result that survives a power cut is complete; this file is the last one to be finished.
      if (!durable_) sync_file_system(std::filesystem::path(path_).parent_path().string());
      set_attribute(group_, "complete", std::int64_t{summary.complete});
      file_->flush();
      close();
    });
  }

  std::vector<std::string> files() const override { return {path_}; }

 private:
  using clock = std::chrono::steady_clock;
  struct Counts {
    long frames = 0, history = 0, energy = 0, receivers = 0;
  };
  void position(Archive& a) {
    a.number("frames", counts_.frames);
    a.number("rows of history", counts_.history);
    a.number("rows of energy", counts_.energy);
    a.number("rows of receivers", counts_.receivers);
  }

  void create(const RunInfo& info, const std::string& path) {
    const bool receivers = parts_.receivers && !info.receivers.empty();
    durable_ = info.durable;
    balance_ = info.balance;
    file_.emplace(path, std::max(frame_chunks(info), row_chunks(info)), info.durable);
    group_ = hdf5::make_group(*file_, "wavesim");
    hdf5::write_text(group_, "config", info.config);
    for (const auto& [key, value] : info.facts) set_attribute(group_, key.c_str(), value);
    set_attribute(group_, "complete", std::int64_t{0});
    set_attribute(group_, "ending", "running", ending_bytes);
    set_attribute(group_, "set-up", "", set_up_bytes);
    summary_ = hdf5::make_group(group_, "summary");
    write_summary({});
    history_.emplace(group_, info);
    energy_.emplace(group_, info);
    if (receivers) receivers_.emplace(group_, info);
    if (parts_.frames) frames_.emplace(*file_, info);
  }

  /// Frames come last: a reader relies on the number of them.
  void copy(const RunInfo& info, const Handle& old, const std::string& to) {
    const auto group = [&](const char* name) {
      return Handle(H5Gopen2(old, name, H5P_DEFAULT), H5Gclose, name);
    };
    create(info, to);
    history_->append_from(group("wavesim/history"), hsize_t(counts_.history));
    energy_->append_from(group("wavesim/energy"), hsize_t(counts_.energy));
    if (receivers_ && counts_.receivers > 0)
      receivers_->append_from(group("wavesim/receivers"), hsize_t(counts_.receivers));
    if (frames_) frames_->append_from(group("VTKHDF"), counts_.frames);
    file_->flush();
  }

  void check_chunks(const RunInfo& info) const { frame_chunks(info); }
  std::size_t frame_chunks(const RunInfo& info) const {
    if (!parts_.frames) return 1;
    const std::size_t row_bytes = std::size_t(info.nx) * (info.single ? 4 : 8), ny = std::size_t(info.ny);
    const std::size_t planned = std::size_t(std::max(info.planned_frames, 2L));
    const std::size_t tile = hdf5::Frames::tile_rows(ny, row_bytes, planned, info.compression > 0);
    const std::size_t tiles = (ny + tile - 1) / tile, chunks = tiles * planned;
    if (chunks > hdf5::File::most_chunks)
      throw InputError("output.fields asks for " + std::to_string(info.planned_frames) +
                       " frames, but one file holds at most " +
                       std::to_string(hdf5::File::most_chunks / tiles) +
                       " of this size; write fewer of them (a larger `every` or `interval`)");
    return chunks;
  }

  /// Chunks of the longest of the datasets that grow by rows.
  static std::size_t row_chunks(const RunInfo& info) {
    const auto chunks = [](long planned, std::size_t row_bytes) {
      return std::size_t(planned) / hdf5::chunk_rows(hsize_t(planned), row_bytes) + 1;
    };
    return std::max(
        {chunks(info.planned_steps + 1, std::max<std::size_t>(24, 16 * info.solvers.size())),
         chunks(std::max(info.planned_frames, 2L), 8),
         chunks(std::max(info.planned_samples, 1L), 8 * std::max<std::size_t>(info.receivers.size(), 1))});
  }

  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (const hdf5::Failure& e) {
      const long kept = frames_ ? frames_->count() : 0;
      if (file_) file_->abandon();
      close();
      throw OutputError("cannot write " + path_ + " (" + e.what() + ")" +
                        (kept ? ", its first " + std::to_string(kept) + " frames are readable" : "") + "; " +
                        remedy_for(e.what()));
    }
  }

  /// Leaves the new `rows` to the next flush.
  void write_blocks() {
    history_->write();
    energy_->write();
    if (receivers_) receivers_->write();
    file_->flush();
    history_->publish();
    energy_->publish();
    if (receivers_) receivers_->publish();
  }
  void commit_blocks() {
    write_blocks();
    file_->flush();
  }
  /// A frame that never arrived takes none of those before it with it. After a failure of the disk a flush would make a file that
  /// nobody can read.
  void add(const Frame& f) {
    try {
      frames_->add(f);
    } catch (const hdf5::Failure&) {
      throw;
    } catch (...) {
      commit_frames();
      throw;
    }
  }
  void commit_frames() {
    if (!frames_) return;
    write_blocks();
    frames_->commit();
    committed_ = clock::now();
  }

  /// Every attribute exists from the start, so that the last write changes bytes in place.
  void write_summary(const RunSummary& s) {
    const bool ended = !s.ending.empty();
    const auto number = [&](const char* name, double v) {
      set_attribute(summary_, name, ended ? v : unknown);
    };
    set_attribute(summary_, "steps", std::int64_t(s.steps));
    set_attribute(summary_, "iterations_min", std::int64_t(s.iterations_min));
    set_attribute(summary_, "iterations_max", std::int64_t(s.iterations_max));
    number("iterations_mean", s.iterations_mean);
    number("seconds", s.seconds);
    number("assembly_seconds", s.assembly_seconds);
    number("solve_seconds", s.solve_seconds);
    number("output_seconds", s.output_seconds);
    number("energy_first", s.energy_first);
    number("energy_last", s.energy_last);
    number("energy_drift", s.energy_drift);
    number("largest_received", receivers_ ? receivers_->largest() : unknown);
    if (!balance_) return;
    const auto columns = s.balance.value_or(EnergyBalance{}).columns();
    for (std::size_t k = 0; k < columns.size(); ++k) number(EnergyBalance::names[k], columns[k]);
    number("largest_balance_error", s.balance_error);
  }

  void close() {
    frames_.reset();
    receivers_.reset();
    energy_.reset();
    history_.reset();
    summary_.reset();
    group_.reset();
    if (file_) file_->close();
    file_.reset();
  }

  ResultFileParts parts_;
  std::string path_;
  bool durable_ = true, balance_ = false;
  bool more_wait_ = false;          // behind the frame that comes next
  clock::time_point committed_{};   // when frames were last
  Counts counts_;                   // when it was saved
  std::optional<hdf5::File> file_;  // the first member with an id: closed last
  Handle group_, summary_;
  std::optional<hdf5::HistoryGroup> history_;
  std::optional<hdf5::EnergyGroup> energy_;
  std::optional<hdf5::ReceiverGroup> receivers_;
  std::optional<hdf5::VtkhdfGroup> frames_;
};

}  // namespace

std::unique_ptr<Writer> make_vtkhdf_writer(ResultFileParts parts) {
  return std::make_unique<VtkhdfWriter>(parts);
}

}  // namespace wavesim
