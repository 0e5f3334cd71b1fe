#include "output/hdf5/result_reader.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace fs = std::filesystem;
using hdf5::Handle;

namespace {

bool is_result(const fs::path& p) { return p.extension() == ".vtkhdf" || p.extension() == ".h5"; }

/// The result in a folder: NAME.vtkhdf, else NAME.h5.
fs::path result_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_result(entry.path())) found.push_back(entry.path());
  if (error) throw InputError("cannot look into " + folder.string() + ": " + error.message());
  std::sort(found.begin(), found.end());
  for (const std::string kind : {"sweep", "survey"})
    if (found.empty() && fs::exists(folder / (kind + ".csv"), error))
      throw InputError(folder.string() + " holds a " + kind + ", whose page is " + kind + ".html there" +
                       (kind == "survey" ? " and whose gathers are in gathers/" : "") +
                       "; name the folder of one of its runs");
  if (found.empty())
    throw InputError(
        folder.string() +
        " holds no result (NAME.vtkhdf or NAME.h5); name the folder that a run made, or the file");
  if (found.size() > 1)
    throw InputError(folder.string() + " holds more than one result, " + found[0].filename().string() +
                     " and " + found[1].filename().string() + "; name one of them");
  return found.front();
}

/// Entries of a group that count: those its attribute `rows` names, and never more than its shortest column.
std::size_t rows_of(hid_t file, const char* group, const std::vector<std::vector<double>>& columns) {
  auto rows = std::size_t(hdf5::whole_number(hdf5::read_attribute(file, group, "rows").at(0), "rows"));
  for (const auto& c : columns) rows = std::min(rows, c.size());
  return rows;
}

}  // namespace

struct ResultReader::File {
  Handle file;
  explicit File(const fs::path& path) : file(hdf5::open_to_read(path.string())) {}
};

ResultReader::~ResultReader() = default;

ResultReader::ResultReader(const fs::path& result) {
  std::error_code ignored;
  if (!fs::exists(result, ignored))
    throw InputError(result.string() + ": there is no such result; check the name");
  file_ = fs::is_directory(result, ignored) ? result_in(result) : result;
  try {
    open_ = std::make_unique<File>(file_);
    const hid_t file = open_->file;
    if (!hdf5::exists(file, "/wavesim/config")) throw hdf5::Failure("it has no /wavesim/config");
    info_.name = file_.stem().string();
    info_.directory = file_.parent_path().empty() ? "." : file_.parent_path().string();
    info_.config = hdf5::read_text(file, "/wavesim/config");
    // Where the text is damaged, this sentence names the file; later readers of it know the text alone.
    if (!info_.config.empty()) load_tree(info_.config, file_.string() + ", /wavesim/config");
    info_.facts = hdf5::read_text_attributes(file, "/wavesim");
    complete_ = hdf5::read_attribute(file, "/wavesim", "complete").at(0) != 0;
    ending_ = info_.facts["ending"];
    info_.facts.erase("ending");
    if (info_.facts["set-up"].empty()) info_.facts.erase("set-up");
    if (hdf5::exists(file, "/wavesim/receivers")) {
      const std::vector<std::string> names = hdf5::read_texts(file, "/wavesim/receivers/names");
      const std::vector<double> places = hdf5::read_numbers(file, "/wavesim/receivers/positions");
      for (std::size_t k = 0; k < names.size(); ++k)
        info_.receivers.push_back({names[k], places.at(2 * k), places.at(2 * k + 1)});
    }
    if (!hdf5::exists(file, "/VTKHDF/PointData")) return;
    const std::vector<double> extent = hdf5::read_attribute(file, "/VTKHDF", "WholeExtent");
    constexpr double widest = 2147483646;
    info_.nx = hdf5::whole_number(extent.at(1), "WholeExtent", widest) + 1;
    info_.ny = hdf5::whole_number(extent.at(3), "WholeExtent", widest) + 1;
    const std::vector<double> origin = hdf5::read_attribute(file, "/VTKHDF", "Origin"),
                              spacing = hdf5::read_attribute(file, "/VTKHDF", "Spacing");
    for (std::size_t d = 0; d < 2; ++d) info_.origin[d] = origin.at(d), info_.spacing[d] = spacing.at(d);
    for (const char* q : {"displacement", "velocity", "energy-density", "max-displacement", "arrival-time"})
      if (hdf5::exists(file, std::string("/VTKHDF/PointData/") + q)) info_.quantities.push_back(q);
    if (hdf5::exists(file, "/VTKHDF/PointData/speed")) {
      std::vector<float> speed;
      read("speed", 0, speed);
      info_.once.push_back({"speed", std::move(speed)});
    }
    std::vector<std::uint8_t> inside;
    if (hdf5::exists(file, "/VTKHDF/PointData/inside"))
      for (double v : hdf5::read_numbers(file, "/VTKHDF/PointData/inside")) inside.push_back(v != 0);
    std::vector<float> rim;
    if (hdf5::exists(file, "/VTKHDF/PointData/rim"))
      for (double v : hdf5::read_numbers(file, "/VTKHDF/PointData/rim")) rim.push_back(float(v));
    info_.inside = std::move(inside), info_.rim = std::move(rim);
    for (const std::size_t count : {info_.inside.size(), info_.rim.size()})
      if (count != 0 && count != std::size_t(info_.nx) * std::size_t(info_.ny))
        throw hdf5::Failure("its arrays differ in size");
    // The first of a series stands for the second until that is there: its offset is 0, as that of the first.
    const auto steps = std::size_t(
        hdf5::whole_number(hdf5::read_attribute(file, "/VTKHDF/Steps", "NSteps").at(0), "NSteps"));
    const std::vector<double> times = hdf5::read_numbers(file, "/VTKHDF/Steps/Values"),
                              step = hdf5::read_numbers(file, "/VTKHDF/FieldData/step"),
                              offset = hdf5::read_numbers(file, "/VTKHDF/Steps/FieldDataOffsets/step");
    for (std::size_t k = 0; k < std::min({steps, times.size(), step.size(), offset.size()}); ++k)
      if (offset[k] == double(k)) frames_.push_back({hdf5::whole_number(step[k], "step"), times[k]});
  } catch (const hdf5::Failure& e) {
    throw InputError(file_.string() + " is no result of wavesim that can be read (" + e.what() +
                     "); name the .vtkhdf file or the folder of a run");
  } catch (const std::out_of_range&) {
    throw InputError(file_.string() +
                     " is no result of wavesim that can be read (a part of it is empty); name " +
                     "the .vtkhdf file or the folder of a run");
  }
}

bool ResultReader::has(const std::string& quantity) const {
  const std::vector<std::string> all = quantities();
  return std::find(all.begin(), all.end(), quantity) != all.end();
}

std::vector<std::string> ResultReader::quantities() const {
  std::vector<std::string> all = info_.quantities;
  for (const Plane& p : info_.once) all.push_back(p.quantity);
  return all;
}

void ResultReader::fetch(const std::string& quantity, std::size_t frame, StoredFrame& stored) const {
  hdf5::silence();  // in a thread of its own
  try {
    stored.number = frame;
    stored.data.fetch(hdf5::open_dataset(open_->file, "/VTKHDF/PointData/" + quantity), frame);
    if (stored.data.rows() != std::uint64_t(info_.ny) || stored.data.columns() != std::uint64_t(info_.nx))
      throw hdf5::Failure("it is of another size than the grid");
  } catch (const hdf5::Failure& e) {
    fail_to_read(frame, e.what());
  }
}

void ResultReader::decode(StoredFrame& stored, std::vector<float>& values) const {
  try {
    stored.data.decode(values);
  } catch (const hdf5::Failure& e) {
    fail_to_read(stored.number, e.what());
  }
}

void ResultReader::read(const std::string& quantity, std::size_t frame, std::vector<float>& values) const {
  StoredFrame stored;
  fetch(quantity, frame, stored);
  decode(stored, values);
}

void ResultReader::fail_to_read(std::size_t frame, const std::string& reason) const {
  throw InputError("cannot read frame " + std::to_string(frame) + " of " + file_.string() + " (" + reason +
                   "); the file is damaged, or its run was killed: leave that frame out with --to");
}

void ResultReader::fail_to_read(const std::string& reason) const {
  throw InputError("cannot read " + file_.string() + " (" + reason +
                   "); the file is damaged: run again, or go on from a checkpoint");
}

HistoryColumns ResultReader::history() const try {
  HistoryColumns h;
  const hid_t file = open_->file;
  const auto path = [](const char* name) { return std::string("/wavesim/history/") + name; };
  if (!hdf5::exists(file, path("step"))) return h;
  const std::pair<const char*, std::vector<double>*> columns[] = {
      {"step", &h.step},
      {"time", &h.time},
      {"iterations", &h.iterations},
      {"residual_2", &h.residual_2},
      {"residual_max", &h.residual_max},
      {"residual_recurrence", &h.residual_recurrence},
      {"assembly_seconds", &h.assembly_seconds},
      {"solve_seconds", &h.solve_seconds}};
  std::vector<std::vector<double>> all;
  for (const auto& [name, column] : columns) all.push_back(*column = hdf5::read_numbers(file, path(name)));
  if (hdf5::exists(file, path(EnergyBalance::names[0])))
    for (const char* name : EnergyBalance::names)
      all.push_back(h.balance.emplace_back(hdf5::read_numbers(file, path(name))));
  const std::size_t rows = rows_of(file, "/wavesim/history", all);
  for (const auto& [name, column] : columns) column->resize(rows);
  for (auto& column : h.balance) column.resize(rows);
  h.status = hdf5::read_texts(file, path("status"));
  h.status.resize(std::min(rows, h.status.size()));
  return h;
} catch (const hdf5::Failure& e) {
  fail_to_read(e.what());
}

Series ResultReader::energy() const try {
  if (!hdf5::exists(open_->file, "/wavesim/energy/value")) return {};
  Series s{hdf5::read_numbers(open_->file, "/wavesim/energy/time"),
           hdf5::read_numbers(open_->file, "/wavesim/energy/value")};
  const std::size_t rows = rows_of(open_->file, "/wavesim/energy", {s.time, s.value});
  s.time.resize(rows);
  s.value.resize(rows);
  return s;
} catch (const hdf5::Failure& e) {
  fail_to_read(e.what());
}

ReceiverSeries ResultReader::receivers() const try {
  ReceiverSeries s;
  const hid_t file = open_->file;
  const std::size_t count = info_.receivers.size();
  if (count == 0) return s;
  s.time = hdf5::read_numbers(file, "/wavesim/receivers/times");
  const std::vector<double> values = hdf5::read_numbers(file, "/wavesim/receivers/values");
  s.time.resize(std::min(rows_of(file, "/wavesim/receivers", {s.time}), values.size() / count));
  s.values.assign(count, std::vector<double>(s.time.size()));
  constexpr std::size_t few = 64;  // times: what they have of all receivers stays in the cache
  for (std::size_t from = 0; from < s.time.size(); from += few)
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = from; k < std::min(from + few, s.time.size()); ++k)
        s.values[r][k] = values[k * count + r];
  return s;
} catch (const hdf5::Failure& e) {
  fail_to_read(e.what());
}

std::optional<double> ResultReader::summary(const char* name) const try {
  const Handle group(H5Gopen2(open_->file, "/wavesim/summary", H5P_DEFAULT), H5Gclose, "summary");
  if (H5Aexists(group, name) <= 0) return {};
  const double v = hdf5::read_attribute(open_->file, "/wavesim/summary", name).at(0);
  return std::isnan(v) ? std::optional<double>() : v;
} catch (const hdf5::Failure& e) {
  fail_to_read(e.what());
}

}  // namespace wavesim
