#include "output/hdf5/vtkhdf_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace {

using hdf5::DatasetRows;
using hdf5::Frames;
using hdf5::Handle;
using hdf5::set_attribute;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t ending_bytes = 512, set_up_bytes = 4096;

/// /VTKHDF: temporal ImageData, version 2.0. A reader counts on NSteps, then on Values; commit() writes in
/// that order.
class VtkhdfGroup {
 public:
  VtkhdfGroup(hdf5::File& file, const RunInfo& info) : file_(file), root_(hdf5::make_group(file, "VTKHDF")) {
    const std::array<std::int64_t, 2> version{2, 0};
    const std::array<std::int64_t, 6> extent{0, info.nx - 1, 0, info.ny - 1, 0, 0};
    const std::array<double, 3> origin{info.origin[0], info.origin[1], 0},
        spacing{info.spacing[0], info.spacing[1], 1};
    const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
    set_attribute(root_, "Version", version);
    hdf5::set_ascii_attribute(root_, "Type",
                              "ImageData");  // exactly nine bytes: VTK before 9.5 refuses anything else
    set_attribute(root_, "WholeExtent", extent);
    set_attribute(root_, "Origin", origin);
    set_attribute(root_, "Spacing", spacing);
    set_attribute(root_, "Direction", direction);

    point_data_ = hdf5::make_group(root_, "PointData");
    steps_ = hdf5::make_group(root_, "Steps");
    const Handle offsets = hdf5::make_group(steps_, "PointDataOffsets");
    const Handle field_data = hdf5::make_group(root_, "FieldData");
    const Handle field_offsets = hdf5::make_group(steps_, "FieldDataOffsets");
    const hsize_t nx = hsize_t(info.nx), ny = hsize_t(info.ny),
                  planned = hsize_t(std::max(info.planned_frames, 2L));
    const hid_t type = info.single ? hdf5::native<float>() : hdf5::native<double>();
    for (const std::string& name : info.quantities) {
      names_.push_back(name);
      frames_.emplace_back(point_data_, name.c_str(), type, ny, nx, info.compression, file.descriptor());
      moving_.emplace_back(offsets, name.c_str(), H5T_NATIVE_INT64, 0, planned);
    }
    for (const Plane& p : info.once) {
      p.values.visit([&](auto v) {
        hdf5::write_array(point_data_, p.quantity.c_str(), {1, ny, nx}, v, info.compression);
      });
      standing_.emplace_back(offsets, p.quantity.c_str(), H5T_NATIVE_INT64, 0, planned);
    }
    if (!info.inside.empty()) {
      hdf5::write_array<std::uint8_t>(point_data_, "inside", {1, ny, nx}, info.inside, info.compression);
      standing_.emplace_back(offsets, "inside", H5T_NATIVE_INT64, 0, planned);
    }
    for (const char* name : {"step", "iterations", "residual", "energy"}) {
      const bool count = scalars_.size() < 2;
      scalars_.emplace_back(field_data, name, count ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, 0, planned);
      moving_.emplace_back(field_offsets, name, H5T_NATIVE_INT64, 0, planned);
    }
    values_ = DatasetRows(steps_, "Values", H5T_NATIVE_DOUBLE, 0, planned);
    set_attribute(steps_, "NSteps", std::int64_t{0});
  }

  /// Three flushes: what a step refers to, then the number of steps, then their times. Killed in between, a
  /// reader sees the frames before, or this one with the time 0; never a step without data.
  void frame(const Frame& f) {
    const std::int64_t n = count_;
    for (std::size_t q = 0; q < frames_.size(); ++q) {
      const auto plane = std::find_if(f.planes.begin(), f.planes.end(),
                                      [&](const Plane& p) { return p.quantity == names_[q]; });
      if (plane == f.planes.end()) throw hdf5::Failure("the frame has no plane '" + names_[q] + "'");
      frames_[q].append(plane->values.data());
    }
    const std::int64_t step = f.step, iterations = f.iterations;
    scalars_[0].append(&step, 1);
    scalars_[1].append(&iterations, 1);
    scalars_[2].append(&f.residual, 1);
    scalars_[3].append(&f.energy, 1);

    // A temporal file needs two steps (one alone is read as static data and refused), so the first frame
    // stands for both until the second comes. Then only offsets and a time change, once the data they point
    // to is on disk.
    const std::int64_t zeros[2] = {0, 0};
    if (n == 0) {
      for (DatasetRows& o : moving_) o.append(zeros, 2);
      for (DatasetRows& o : standing_) o.append(zeros, 2);
      file_.flush();
      set_attribute(steps_, "NSteps", std::int64_t{2});
      file_.flush();
      const double times[2] = {f.time, f.time + std::max(1e-9, 1e-9 * std::abs(f.time))};
      values_.append(times, 2);
    } else if (n == 1) {
      file_.flush();
      for (DatasetRows& o : moving_) o.overwrite(1, &n);
      file_.flush();
      values_.overwrite(1, &f.time);
    } else {
      for (DatasetRows& o : moving_) o.append(&n, 1);
      for (DatasetRows& o : standing_) o.append(zeros, 1);
      file_.flush();
      set_attribute(steps_, "NSteps", n + 1);
      file_.flush();
      values_.append(&f.time, 1);
    }
    file_.flush();
    ++count_;
  }

  long count() const { return count_; }

 private:
  hdf5::File& file_;
  Handle root_, point_data_, steps_;
  std::vector<std::string> names_;
  std::vector<Frames> frames_;
  std::vector<DatasetRows> moving_, standing_, scalars_;
  DatasetRows values_;
  long count_ = 0;
};

/// /wavesim/history: one 1-D dataset a column, appended in blocks. In this group and the next two the
/// attribute `rows` says how many entries count: it is written after they are on disk, and a killed run may
/// leave more.
class HistoryGroup {
 public:
  HistoryGroup(hid_t parent, const RunInfo& info)
      : group_(hdf5::make_group(parent, "history")), status_type_(H5Tcopy(H5T_C_S1), H5Tclose, "status") {
    hdf5::check(H5Tset_size(status_type_, status_bytes), "status");
    hdf5::check(H5Tset_strpad(status_type_, H5T_STR_NULLPAD), "status");
    const hsize_t planned = hsize_t(info.planned_steps) + 1;
    for (const char* name : {"step", "iterations"})
      counts_.emplace_back(group_, name, H5T_NATIVE_INT64, 0, planned);
    for (const char* name :
         {"time", "residual_2", "residual_max", "energy", "assembly_seconds", "solve_seconds"})
      numbers_.emplace_back(group_, name, H5T_NATIVE_DOUBLE, 0, planned);
    status_ = DatasetRows(group_, "status", status_type_, 0, planned);
    publish();
  }

  bool full() const { return waiting_.size() >= 1024; }
  void add(const StepRecord& r) { waiting_.push_back(r); }

  void write() {
    if (waiting_.empty()) return;
    const auto column = [&](DatasetRows& rows, auto member) {
      std::vector<std::decay_t<decltype(member(waiting_[0]))>> block;
      for (const StepRecord& r : waiting_) block.push_back(member(r));
      rows.append(block.data(), block.size());
    };
    column(counts_[0], [](const StepRecord& r) { return std::int64_t(r.step); });
    column(counts_[1], [](const StepRecord& r) { return std::int64_t(r.iterations); });
    column(numbers_[0], [](const StepRecord& r) { return r.time; });
    column(numbers_[1], [](const StepRecord& r) { return r.residual_2; });
    column(numbers_[2], [](const StepRecord& r) { return r.residual_max; });
    column(numbers_[3], [](const StepRecord& r) { return r.energy; });
    column(numbers_[4], [](const StepRecord& r) { return r.assembly_seconds; });
    column(numbers_[5], [](const StepRecord& r) { return r.solve_seconds; });
    std::string block;
    for (const StepRecord& r : waiting_) {
      std::string word = r.status;
      word.resize(status_bytes, '\0');
      block += word;
    }
    status_.append(block.data(), waiting_.size());
    waiting_.clear();
  }
  void publish() { set_attribute(group_, "rows", std::int64_t(status_.size())); }

 private:
  static constexpr std::size_t status_bytes = 24;
  Handle group_, status_type_;
  std::vector<DatasetRows> counts_, numbers_;
  DatasetRows status_;
  std::vector<StepRecord> waiting_;
};

/// /wavesim/energy: every energy that was computed, with or without a frame.
class EnergyGroup {
 public:
  EnergyGroup(hid_t parent, const RunInfo& info) : group_(hdf5::make_group(parent, "energy")) {
    const hsize_t planned = hsize_t(info.planned_steps) + 1;
    step_ = DatasetRows(group_, "step", H5T_NATIVE_INT64, 0, planned);
    time_ = DatasetRows(group_, "time", H5T_NATIVE_DOUBLE, 0, planned);
    value_ = DatasetRows(group_, "value", H5T_NATIVE_DOUBLE, 0, planned);
    publish();
  }
  void add(long step, double time, double energy) {
    if (std::isnan(energy) || step <= last_) return;
    last_ = step;
    steps_.push_back(step);
    times_.push_back(time);
    values_.push_back(energy);
  }
  void write() {
    step_.append(steps_.data(), steps_.size());
    time_.append(times_.data(), times_.size());
    value_.append(values_.data(), values_.size());
    steps_.clear();
    times_.clear();
    values_.clear();
  }
  void publish() { set_attribute(group_, "rows", std::int64_t(value_.size())); }

 private:
  Handle group_;
  DatasetRows step_, time_, value_;
  long last_ = -1;
  std::vector<std::int64_t> steps_;
  std::vector<double> times_, values_;
};

/// /wavesim/receivers: times (samples), values (samples, receivers), names, positions (receivers, 2).
class ReceiverGroup {
 public:
  ReceiverGroup(hid_t parent, const RunInfo& info)
      : group_(hdf5::make_group(parent, "receivers")), count_(info.receivers.size()) {
    std::vector<std::string> names;
    std::vector<double> positions;
    for (const ReceiverInfo& r : info.receivers) {
      names.push_back(r.name);
      positions.insert(positions.end(), {r.x, r.y});
    }
    hdf5::write_texts(group_, "names", names);
    hdf5::write_array<double>(group_, "positions", {count_, 2}, positions);
    const hsize_t planned = hsize_t(std::max(info.planned_samples, 1L));
    steps_ = DatasetRows(group_, "steps", H5T_NATIVE_INT64, 0, planned);
    times_ = DatasetRows(group_, "times", H5T_NATIVE_DOUBLE, 0, planned);
    values_ = DatasetRows(group_, "values", H5T_NATIVE_DOUBLE, count_, planned);
    publish();
  }
  void add(const ReceiverSample& s) {
    if (s.values.size() != count_)
      throw hdf5::Failure("a sample has " + std::to_string(s.values.size()) + " values for " +
                          std::to_string(count_) + " receivers");
    step_.push_back(s.step);
    time_.push_back(s.time);
    value_.insert(value_.end(), s.values.begin(), s.values.end());
  }
  bool full() const { return step_.size() >= 1024 || value_.size() >= (1 << 17); }
  void write() {
    values_.append(value_.data(), step_.size());
    times_.append(time_.data(), step_.size());
    steps_.append(step_.data(), step_.size());
    step_.clear();
    time_.clear();
    value_.clear();
  }
  void publish() { set_attribute(group_, "rows", std::int64_t(values_.size())); }

 private:
  Handle group_;
  std::size_t count_;
  DatasetRows steps_, times_, values_;
  std::vector<std::int64_t> step_;
  std::vector<double> time_, value_;
};

class VtkhdfWriter final : public Writer {
 public:
  explicit VtkhdfWriter(ResultFileParts parts) : parts_(parts) {}
  ~VtkhdfWriter() override = default;

  void begin(const RunInfo& info) override {
    path_ = result_file(info, parts_.frames ? ".vtkhdf" : ".h5");
    const bool receivers = parts_.receivers && !info.receivers.empty();
    const std::size_t chunks = std::max(frame_chunks(info), row_chunks(info));
    guarded([&] {
      file_.emplace(path_, chunks);
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
      file_->flush();
    });
  }

  void frame(const Frame& f) override {
    guarded([&] {
      energy_->add(f.step, f.time, f.energy);
      write_blocks();
      if (frames_)
        frames_->frame(f);
      else
        file_->flush();
    });
  }

  void step(const StepRecord& r) override {
    guarded([&] {
      history_->add(r);
      energy_->add(r.step, r.time, r.energy);
      if (history_->full()) commit_blocks();
    });
  }

  void sample(const ReceiverSample& s) override {
    if (!receivers_) return;
    guarded([&] {
      receivers_->add(s);
      if (receivers_->full()) commit_blocks();
    });
  }

  void finish(const RunSummary& summary) override {
    guarded([&] {
      write_blocks();
      write_summary(summary);
      set_attribute(group_, "ending", summary.ending, ending_bytes);
      set_attribute(group_, "set-up", summary.set_up, set_up_bytes);
      file_->flush();
      set_attribute(group_, "complete", std::int64_t{summary.complete});
      file_->flush();
      close();
    });
  }

  std::vector<std::string> files() const override { return {path_}; }

 private:
  std::size_t frame_chunks(const RunInfo& info) const {
    if (!parts_.frames) return 1;
    const std::size_t row_bytes = std::size_t(info.nx) * (info.single ? 4 : 8), ny = std::size_t(info.ny);
    const std::size_t tile = Frames::tile_rows(ny, row_bytes);
    const std::size_t tiles = (ny + tile - 1) / tile,
                      chunks = tiles * std::size_t(std::max(info.planned_frames, 2L));
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
        {chunks(info.planned_steps + 1, 24), chunks(std::max(info.planned_frames, 2L), 8),
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
                        (kept ? ", its first " + std::to_string(kept) + " frames are readable" : "") +
                        "; free space or write elsewhere (--output), and run again");
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
  std::optional<hdf5::File> file_;  // the first member with an id: closed last
  Handle group_, summary_;
  std::optional<HistoryGroup> history_;
  std::optional<EnergyGroup> energy_;
  std::optional<ReceiverGroup> receivers_;
  std::optional<VtkhdfGroup> frames_;
};

}  // namespace

std::unique_ptr<Writer> make_vtkhdf_writer(ResultFileParts parts) {
  return std::make_unique<VtkhdfWriter>(parts);
}

}  // namespace wavesim
