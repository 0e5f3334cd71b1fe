#include "output/segy/segy_file.hpp"

#include "kernels/backend/errors.hpp"

#ifdef WAVESIM_HAVE_SEGYIO

#include <fmt/format.h>
#include <segyio/segy.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "output/pictures/even_series.hpp"
#include "output/pictures/scene.hpp"
#include "output/run/partial_file.hpp"

namespace wavesim {

namespace {

constexpr long most = 32767;  // of a number of two bytes

struct Close {
  void operator()(segy_file* f) const { segy_close(f); }
};

/// Microseconds between samples. What is lost by whole ones stays below half a sample until the end.
int interval_of(const ResultReader& result, const std::vector<double>& time) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(result.file().string() + " cannot become SEG-Y, " + what +
                     "; run again with another output.receivers.interval, or read the CSV file");
  };
  if (!rises(time)) refuse("which needs two samples of a receiver at least, one after the other");
  if (time.size() > std::size_t(most))
    refuse(fmt::format("which holds at most {} samples a trace: there are {}", most, time.size()));
  const double step = 1e6 * (time.back() - time.front()) / double(time.size() - 1), whole = std::round(step);
  if (!(whole >= 1 && whole <= double(most)) || std::abs(step - whole) * double(time.size()) > 0.5 * whole)
    refuse(fmt::format(
        "which holds the time between samples as whole microseconds from 1 to {}: it is {:.6g}", most, step));
  return int(whole);
}

/// Of coordinates: what they are multiplied by, and how SEG-Y says so.
struct Coordinates {
  int said;
  double factor;
  explicit Coordinates(double largest) {
    constexpr double fits = 2147483647;
    said = 1, factor = 1;
    for (int power : {1000, 100, 10})
      if (largest * power < fits) {
        said = -power, factor = power;
        break;
      }
  }
  int operator()(double metres) const {
    return int(std::lround(std::clamp(metres * factor, -2147483647.0, 2147483647.0)));
  }
};

std::string text_header(const RunInfo& info, std::size_t traces, long shots, int interval,
                        const std::string& quantity, const std::string& unit) {
  const auto version = info.facts.find("wavesim-version");
  const std::string lines[] = {
      "CLIENT: NONE    COMPANY: NONE",
      "RUN OF WAVESIM " + (version == info.facts.end() ? "" : version->second) + ": " + info.name,
      fmt::format("{} TRACES, SAMPLE INTERVAL {} MICROSECONDS, 4-BYTE IEEE FLOATS", traces, interval),
      shots == 1 ? "ONE SHOT" : fmt::format("{} SHOTS, BY THEIR NUMBER IN BYTES 9-12", shots),
      "VALUES ARE " + quantity + " IN " + unit,
      "COORDINATES ARE METRES, SCALED BY BYTES 71-72",
      "X OF RECEIVERS IN BYTES 81-84, Y IN 85-88; OF THE SOURCE IN 73-76 AND 77-80"};
  std::string text;
  for (int k = 0; k < 40; ++k) {
    const std::string own = std::size_t(k) < std::size(lines) ? lines[k]
                            : k == 38                         ? "SEG Y REV1"
                            : k == 39                         ? "END TEXTUAL HEADER"
                                                              : "";
    std::string line = fmt::format("C{:2} {}", k + 1, own);
    for (char& c : line)
      if (c < ' ' || c > '~') c = '?';
    line.resize(80, ' ');
    text += line;
  }
  return text;
}

class SegyFile {
 public:
  SegyFile(const std::string& path, const std::string& name)
      : name_(name), file_(segy_open(path.c_str(), "w+b")) {
    if (!file_) fail_to_write(name_, "it cannot be opened");
  }
  void check(int error) const {
    if (error != SEGY_OK) fail_to_write(name_, "segyio gave up with error " + std::to_string(error));
  }
  segy_file* get() const { return file_.get(); }
  void close() { check(segy_close(file_.release())); }

 private:
  std::string name_;
  std::unique_ptr<segy_file, Close> file_;
};

}  // namespace

bool writes_segy() { return true; }

struct SegyWriter::Open {
  std::string path, temporary;
  long shots;
  SegyFile file;
  std::optional<int> interval{};  // of the first shot, as the following
  std::size_t samples = 0;
  long first = 0;   // byte of the first trace
  int bytes = 0;    // of a trace
  long traces = 0;  // so far
  Open(const std::string& name, long count)
      : path(name), temporary(fresh(name + ".partial")), shots(count), file(temporary, name) {}

 private:
  static std::string fresh(std::string temporary) {
    std::filesystem::remove(temporary);  // never through a link
    return temporary;
  }
};

SegyWriter::SegyWriter(const std::string& path, long shots) : open_(std::make_unique<Open>(path, shots)) {}

SegyWriter::~SegyWriter() {
  std::error_code none;
  if (open_) std::filesystem::remove(open_->temporary, none);
}

void SegyWriter::begin(const ResultReader& result, const ReceiverSeries& series) {
  Open& o = *open_;
  const int interval = interval_of(result, series.time);
  if (o.interval && (*o.interval != interval || o.samples != series.time.size()))
    throw InputError(
        result.file().string() +
        " has other sample times than the shots before it, and a SEG-Y file has one series of them; "
        "give all runs the same time step");
  if (o.interval) return;
  o.interval = interval;
  o.samples = series.time.size();
  const RunInfo& info = result.info();
  const std::string model = model_of(info.config);
  const std::size_t receivers = info.receivers.size();
  const std::string text = text_header(info, receivers * std::size_t(o.shots), o.shots, interval,
                                       name_of("displacement", model), unit_of("displacement", model));
  o.file.check(segy_write_textheader(o.file.get(), 0, text.c_str()));
  std::vector<char> binary(std::size_t(segy_binheader_size()), 0);
  const auto in_file = [&](int field, long value) {
    o.file.check(segy_set_bfield(binary.data(), field, int(value)));
  };
  in_file(SEGY_BIN_TRACES, long(std::min<std::size_t>(receivers, std::size_t(most))));
  in_file(SEGY_BIN_INTERVAL, interval);
  in_file(SEGY_BIN_SAMPLES, long(o.samples));
  in_file(SEGY_BIN_FORMAT, SEGY_IEEE_FLOAT_4_BYTE);
  in_file(SEGY_BIN_SORTING_CODE, 1);        // as recorded
  in_file(SEGY_BIN_MEASUREMENT_SYSTEM, 1);  // metres
  in_file(SEGY_BIN_SEGY_REVISION, 0x0100);
  in_file(SEGY_BIN_TRACE_FLAG, 1);  // all traces have the same length
  o.file.check(segy_write_binheader(o.file.get(), binary.data()));
  o.first = segy_trace0(binary.data());
  o.bytes = segy_trsize(SEGY_IEEE_FLOAT_4_BYTE, int(o.samples));
}

void SegyWriter::add(const ResultReader& result, long record) {
  const ReceiverSeries series = result.receivers();
  begin(result, series);
  Open& o = *open_;
  const int samples = int(o.samples);
  const RunInfo& info = result.info();
  const Scene scene = scene_of(info);
  const Mark* const source = scene.only_source();
  double largest = 0;
  for (const Mark& m : scene.marks) largest = std::max({largest, std::abs(m.x), std::abs(m.y)});
  const Coordinates coordinate(largest);
  for (std::size_t r = 0; r < info.receivers.size(); ++r, ++o.traces) {
    const ReceiverInfo& at = info.receivers[r];
    std::vector<char> header(SEGY_TRACE_HEADER_SIZE, 0);
    const auto in_trace = [&](int field, long value) {
      o.file.check(segy_set_field(header.data(), field, int(value)));
    };
    in_trace(SEGY_TR_SEQ_LINE, o.traces + 1);
    in_trace(SEGY_TR_SEQ_FILE, o.traces + 1);
    in_trace(SEGY_TR_FIELD_RECORD, record);
    in_trace(SEGY_TR_NUMBER_ORIG_FIELD, long(r + 1));
    in_trace(SEGY_TR_ENERGY_SOURCE_POINT, record);
    in_trace(SEGY_TR_TRACE_ID, 1);  // seismic data
    in_trace(SEGY_TR_SOURCE_GROUP_SCALAR, coordinate.said);
    in_trace(SEGY_TR_GROUP_X, coordinate(at.x));
    in_trace(SEGY_TR_GROUP_Y, coordinate(at.y));
    if (source) {
      in_trace(SEGY_TR_SOURCE_X, coordinate(source->x));
      in_trace(SEGY_TR_SOURCE_Y, coordinate(source->y));
      const double distance = std::hypot(at.x - source->x, at.y - source->y);
      in_trace(SEGY_TR_OFFSET, std::lround(at.x < source->x ? -distance : distance));
    }
    in_trace(SEGY_TR_COORD_UNITS, 1);  // lengths
    in_trace(SEGY_TR_SAMPLE_COUNT, samples);
    in_trace(SEGY_TR_SAMPLE_INTER, *o.interval);
    in_trace(SEGY_TR_DELAY_REC_TIME, std::lround(1e3 * series.time.front()));
    o.file.check(segy_write_traceheader(o.file.get(), int(o.traces), header.data(), o.first, o.bytes));
    const EvenSeries even = even_series(series.time, series.values[r]);
    std::vector<float> values(even.value.begin(), even.value.end());
    o.file.check(segy_from_native(SEGY_IEEE_FLOAT_4_BYTE, samples, values.data()));
    o.file.check(segy_writetrace(o.file.get(), int(o.traces), values.data(), o.first, o.bytes));
  }
}

void SegyWriter::finish() {
  open_->file.close();
  rename_file(open_->temporary, open_->path);
  open_.reset();
}

}  // namespace wavesim

#else

namespace wavesim {

bool writes_segy() { return false; }

struct SegyWriter::Open {};

SegyWriter::SegyWriter(const std::string&, long) {
  throw InputError("this build of wavesim writes no SEG-Y; install libsegyio-dev and build it again");
}
SegyWriter::~SegyWriter() = default;
void SegyWriter::begin(const ResultReader&, const ReceiverSeries&) {}
void SegyWriter::add(const ResultReader&, long) {}
void SegyWriter::finish() {}

}  // namespace wavesim

#endif

namespace wavesim {

void write_segy(const ResultReader& result, const std::string& path) {
  SegyWriter writer(path);
  writer.add(result, 1);
  writer.finish();
}

}  // namespace wavesim
