// bench_frames [--side N] [--frames N] [--repetitions N] [--folder DIR]: how fast uncompressed frames of N x
// N nodes in single precision reach a result file, by the clock and by the processors' time, beside the same
// bytes written by plain write() and, to a folder in memory, through maps of the file
// (output/hdf5/memory_file.hpp) by 1, 2, 4, ... threads, without and with huge pages.

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <thread>

#include "bench/program.hpp"
#include "output/hdf5/memory_file.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"

namespace wavesim {
namespace {

double wall() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processors() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class Measure {
 public:
  void frame(const std::function<void()>& work) {
    const double before = wall(), used = processors();
    work();
    seconds_.push_back(wall() - before);
    processors_ += processors() - used;
  }
  void print(const char* what, double bytes) {
    std::sort(seconds_.begin(), seconds_.end());
    double sum = 0;
    for (double s : seconds_) sum += s;
    const double n = double(seconds_.size());
    std::printf("%-28s %9.2f %9.2f %9.2f %9.2f %12.2f %9.2f\n", what, 1e3 * seconds_.front(),
                1e3 * seconds_[seconds_.size() / 2], 1e3 * sum / n, 1e3 * seconds_.back(),
                1e3 * processors_ / n, 1e-9 * bytes * n / sum);
  }

 private:
  std::vector<double> seconds_;
  double processors_ = 0;
};

using Fields = std::vector<std::vector<float>>;

/// write(file, k, bytes, size) for each frame of a new file.
template <class Write>
void plain_file(const std::filesystem::path& path, const Fields& some, int frames, Measure& m,
                const Write& write) {
  std::filesystem::remove(path);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error("cannot write " + path.string());
  for (int k = 0; k < frames; ++k) {
    const std::vector<float>& u = some[std::size_t(k) % some.size()];
    m.frame([&] {
      if (!write(file, std::size_t(k), reinterpret_cast<const char*>(u.data()), u.size() * sizeof(float)))
        throw std::runtime_error("cannot write " + path.string());
    });
  }
  close(file);
  std::filesystem::remove(path);
}

void by_write(const std::filesystem::path& path, const Fields& some, int frames, Measure& m) {
  plain_file(path, some, frames, m, [](int file, std::size_t, const char* bytes, std::size_t size) {
    for (ssize_t n = 0; size > 0; bytes += n, size -= std::size_t(n))
      if ((n = write(file, bytes, size)) <= 0) return false;
    return true;
  });
}

void through_maps(const std::filesystem::path& path, const Fields& some, int frames, unsigned threads,
                  bool huge, Measure& m) {
  prctl(PR_SET_THP_DISABLE, !huge, 0, 0, 0);
  plain_file(path, some, frames, m, [&](int file, std::size_t k, const char* bytes, std::size_t size) {
    return write_mapped(file, k * size, bytes, size, threads) == 0;
  });
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

bool in_memory(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const bool well = file >= 0 && maps_well(file);
  if (file >= 0) close(file);
  return well;
}

void result_file(const std::filesystem::path& folder, long side, const Fields& some, int frames, Measure& m) {
  RunInfo info;
  info.name = "frames";
  info.directory = folder.string();
  info.nx = info.ny = side;
  info.quantities = {"displacement"};
  info.compression = 0;
  info.planned_frames = info.planned_steps = frames;
  std::vector<Frame> ready(std::size_t(frames), Frame{});
  for (int k = 0; k < frames; ++k) {
    Frame& f = ready[std::size_t(k)];
    f.step = k;
    f.time = k;
    if (std::size_t(k) < some.size())
      f.planes = {{"displacement", some[std::size_t(k)]}};
    else
      f.planes = ready[std::size_t(k) % some.size()].planes;
  }
  const auto writer = make_vtkhdf_writer();
  writer->begin(info);
  for (const Frame& f : ready) m.frame([&] { writer->frame(f); });
  RunSummary summary;
  summary.complete = true;
  summary.ending = "done";
  writer->finish(summary);
  std::filesystem::remove(folder / "frames.vtkhdf");
}

void run(const CommandLine& line) {
  const int side = line.number("side", 4097), frames = line.number("frames", 20),
            repetitions = line.number("repetitions", 3);
  const std::filesystem::path folder =
      std::filesystem::path(line.options.contains("folder") ? line.options.at("folder") : "/dev/shm") /
      "bench_frames";
  std::filesystem::create_directories(folder);
  const std::size_t n = std::size_t(side) * std::size_t(side);
  Fields some;
  for (int k = 0; k < 4; ++k) some.emplace_back(n, float(k));
  std::printf("%d frames of %d x %d floats to %s, %u processors\n", frames, side, side, folder.c_str(),
              std::thread::hardware_concurrency());
  std::printf("%-28s %9s %9s %9s %9s %12s %9s\n", "ms a frame", "least", "median", "mean", "most",
              "processors", "GB/s");
  const bool maps = in_memory(folder / "plain");
  for (int r = 0; r < repetitions; ++r) {
    const auto row = [&](const std::string& what, const auto& measure) {
      Measure m;
      measure(m);
      m.print(what.c_str(), 4.0 * double(n));
    };
    row("write()", [&](Measure& m) { by_write(folder / "plain", some, frames, m); });
    for (const bool huge : {false, true})
      for (unsigned t = 1; maps && t <= std::max(1u, std::thread::hardware_concurrency()); t *= 2)
        row("map, " + std::to_string(t) + (t == 1 ? " thread" : " threads") + (huge ? ", huge pages" : ""),
            [&](Measure& m) { through_maps(folder / "plain", some, frames, t, huge, m); });
    row("result file", [&](Measure& m) { result_file(folder, side, some, frames, m); });
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace wavesim

int main(int argc, char** argv) {
  return wavesim::run_program("bench_frames", "[--side N] [--frames N] [--repetitions N] [--folder FOLDER]",
                              {"side", "frames", "repetitions", "folder"}, argc, argv, wavesim::run);
}
