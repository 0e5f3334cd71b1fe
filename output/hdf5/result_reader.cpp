#include "output/hdf5/result_reader.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/hdf5_dataset.hpp"

namespace wavesim {

namespace fs = std::filesystem;
using hdf5::check;
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
  if (found.empty())
    throw InputError(
        folder.string() +
        " holds no result (NAME.vtkhdf or NAME.h5); name the folder that a run made, or the file");
  if (found.size() > 1)
    throw InputError(folder.string() + " holds more than one result, " + found[0].filename().string() +
                     " and " + found[1].filename().string() + "; name one of them");
  return found.front();
}

bool exists(hid_t parent, const std::string& path) {
  // H5Lexists wants every link on the way to exist.
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (H5Lexists(parent, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

Handle dataset(hid_t file, const std::string& path) {
  return Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, path.c_str());
}

std::vector<hsize_t> shape_of(hid_t data) {
  const Handle space(H5Dget_space(data), H5Sclose, "shape");
  std::vector<hsize_t> shape(std::size_t(check(H5Sget_simple_extent_ndims(space), "shape")));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "shape");
  return shape;
}

std::vector<std::string> texts(hid_t file, const std::string& path) {
  const Handle data = dataset(file, path), type(H5Dget_type(data), H5Tclose, path.c_str());
  std::size_t count = 1;
  for (hsize_t n : shape_of(data)) count *= n;
  const std::size_t size = H5Tget_size(type);
  std::string all(count * size, '\0');
  check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), path.c_str());
  std::vector<std::string> list;
  for (std::size_t k = 0; k < count; ++k) list.emplace_back(all.substr(k * size, size).c_str());
  return list;
}

std::vector<double> numbers(hid_t file, const std::string& path) {
  const Handle data = dataset(file, path);
  std::size_t count = 1;
  for (hsize_t n : shape_of(data)) count *= n;
  std::vector<double> values(count);
  if (count)
    check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path.c_str());
  return values;
}

std::vector<double> attribute(hid_t file, const char* object, const char* name) {
  const Handle a(H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name),
      space(H5Aget_space(a), H5Sclose, name);
  std::vector<double> values(std::size_t(H5Sget_simple_extent_npoints(space)));
  check(H5Aread(a, H5T_NATIVE_DOUBLE, values.data()), name);
  return values;
}

herr_t take_fact(hid_t group, const char* name, const H5A_info_t*, void* facts) {
  const hid_t a = H5Aopen(group, name, H5P_DEFAULT), type = H5Aget_type(a);
  if (H5Tget_class(type) == H5T_STRING) {
    std::string text(H5Tget_size(type), '\0');
    if (H5Aread(a, type, text.data()) >= 0)
      (*static_cast<std::map<std::string, std::string>*>(facts))[name] = text.substr(0, text.find('\0'));
  }
  H5Tclose(type);
  H5Aclose(a);
  return 0;
}

/// Entries of a group that count: those its attribute `rows` names, and never more than its shortest column.
std::size_t rows_of(hid_t file, const char* group, const std::vector<std::vector<double>>& columns) {
  std::size_t rows = std::size_t(std::max(0.0, attribute(file, group, "rows").at(0)));
  for (const auto& c : columns) rows = std::min(rows, c.size());
  return rows;
}

}  // namespace

struct ResultReader::File {
  Handle file;
  explicit File(const fs::path& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file properties");
#if H5_VERSION_GE(1, 10, 7)
    check(H5Pset_file_locking(access, false, true), "file lock");
#endif
    file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open");
  }
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
    if (!exists(file, "/wavesim/config")) throw hdf5::Failure("it has no /wavesim/config");
    info_.name = file_.stem().string();
    info_.directory = file_.parent_path().empty() ? "." : file_.parent_path().string();
    info_.config = texts(file, "/wavesim/config").at(0);
    hsize_t at = 0;
    check(H5Aiterate_by_name(file, "/wavesim", H5_INDEX_NAME, H5_ITER_INC, &at, take_fact, &info_.facts,
                             H5P_DEFAULT),
          "facts");
    complete_ = attribute(file, "/wavesim", "complete").at(0) != 0;
    ending_ = info_.facts["ending"];
    info_.facts.erase("ending");
    if (info_.facts["set-up"].empty()) info_.facts.erase("set-up");
    if (exists(file, "/wavesim/receivers")) {
      const std::vector<std::string> names = texts(file, "/wavesim/receivers/names");
      const std::vector<double> places = numbers(file, "/wavesim/receivers/positions");
      for (std::size_t k = 0; k < names.size(); ++k)
        info_.receivers.push_back({names[k], places.at(2 * k), places.at(2 * k + 1)});
    }
    if (!exists(file, "/VTKHDF/PointData")) return;
    const std::vector<double> extent = attribute(file, "/VTKHDF", "WholeExtent");
    info_.nx = long(extent.at(1)) + 1, info_.ny = long(extent.at(3)) + 1;
    const std::vector<double> origin = attribute(file, "/VTKHDF", "Origin"),
                              spacing = attribute(file, "/VTKHDF", "Spacing");
    for (std::size_t d = 0; d < 2; ++d) info_.origin[d] = origin.at(d), info_.spacing[d] = spacing.at(d);
    for (const char* q : {"displacement", "velocity", "energy-density", "max-displacement", "arrival-time"})
      if (exists(file, std::string("/VTKHDF/PointData/") + q)) info_.quantities.push_back(q);
    if (exists(file, "/VTKHDF/PointData/speed")) {
      std::vector<float> speed;
      read("speed", 0, speed);
      info_.once.push_back({"speed", std::move(speed)});
    }
    if (exists(file, "/VTKHDF/PointData/inside"))
      for (double v : numbers(file, "/VTKHDF/PointData/inside")) info_.inside.push_back(v != 0);
    // The first of a series stands for the second until that is there: its offset is 0, as that of the first.
    const auto steps = std::size_t(attribute(file, "/VTKHDF/Steps", "NSteps").at(0));
    const std::vector<double> times = numbers(file, "/VTKHDF/Steps/Values"),
                              step = numbers(file, "/VTKHDF/FieldData/step"),
                              offset = numbers(file, "/VTKHDF/Steps/FieldDataOffsets/step");
    for (std::size_t k = 0; k < std::min({steps, times.size(), step.size(), offset.size()}); ++k)
      if (offset[k] == double(k)) frames_.push_back({long(step[k]), times[k]});
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
  try {
    stored.number = frame;
    stored.data.fetch(dataset(open_->file, "/VTKHDF/PointData/" + quantity), frame);
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
  throw OutputError("cannot read frame " + std::to_string(frame) + " of " + file_.string() + " (" + reason +
                    "); the file is damaged, or its run was killed: leave that frame out with --to");
}

HistoryColumns ResultReader::history() const {
  HistoryColumns h;
  const hid_t file = open_->file;
  if (!exists(file, "/wavesim/history/step")) return h;
  std::vector<std::vector<double>> columns;
  for (const char* name :
       {"step", "time", "iterations", "residual_2", "residual_max", "assembly_seconds", "solve_seconds"})
    columns.push_back(numbers(file, std::string("/wavesim/history/") + name));
  const std::size_t rows = rows_of(file, "/wavesim/history", columns);
  for (auto& c : columns) c.resize(rows);
  h = {columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6], {}};
  h.status = texts(file, "/wavesim/history/status");
  h.status.resize(std::min(rows, h.status.size()));
  return h;
}

Series ResultReader::energy() const {
  if (!exists(open_->file, "/wavesim/energy/value")) return {};
  Series s{numbers(open_->file, "/wavesim/energy/time"), numbers(open_->file, "/wavesim/energy/value")};
  const std::size_t rows = rows_of(open_->file, "/wavesim/energy", {s.time, s.value});
  s.time.resize(rows);
  s.value.resize(rows);
  return s;
}

ReceiverSeries ResultReader::receivers() const {
  ReceiverSeries s;
  const hid_t file = open_->file;
  const std::size_t count = info_.receivers.size();
  if (count == 0) return s;
  s.time = numbers(file, "/wavesim/receivers/times");
  const std::vector<double> values = numbers(file, "/wavesim/receivers/values");
  s.time.resize(std::min(rows_of(file, "/wavesim/receivers", {s.time}), values.size() / count));
  s.values.resize(count);
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t k = 0; k < s.time.size(); ++k) s.values[r].push_back(values[k * count + r]);
  return s;
}

std::optional<double> ResultReader::summary(const char* name) const {
  const Handle group(H5Gopen2(open_->file, "/wavesim/summary", H5P_DEFAULT), H5Gclose, "summary");
  if (H5Aexists(group, name) <= 0) return {};
  const double v = attribute(open_->file, "/wavesim/summary", name).at(0);
  return std::isnan(v) ? std::optional<double>() : v;
}

}  // namespace wavesim
