// bench_render [--side N] [--frames N] [--width N] [--compression N] [--folder DIR]: how fast `wavesim
// render` draws a result of N x N nodes in single precision, by the clock and by the processors' time,
// reading and writing included. Pictures of 1424 pixels in width hold a field of 1080 x 1080 when it is
// square.

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "bench/program.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"
#include "output/pictures/picture.hpp"
#include "output/pictures/render.hpp"
#include "output/run/partial_file.hpp"

namespace wavesim {
namespace {

struct Clock {
  double wall, user, system;
};

Clock now() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
          seconds(used.ru_utime), seconds(used.ru_stime)};
}

/// Rings from three places that run through each other.
std::vector<float> rings(long n, int frame) {
  const double places[3][2] = {{0.3, 0.4}, {0.7, 0.2}, {0.55, 0.8}};
  std::vector<float> u(std::size_t(n * n));
#pragma omp parallel for
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i) {
      float sum = 0;
      for (const auto& p : places) {
        const auto r = float(std::hypot(double(i) / double(n - 1) - p[0], double(j) / double(n - 1) - p[1]));
        sum += std::sin(80 * r - float(frame)) / (1 + 10 * r);
      }
      u[std::size_t(j * n + i)] = sum;
    }
  return u;
}

void write_result(const std::filesystem::path& folder, long side, int frames, int compression) {
  RunInfo info;
  info.name = "rings";
  info.directory = folder.string();
  info.config = "name: rings\n";
  info.nx = info.ny = side;
  info.spacing[0] = info.spacing[1] = 1.0 / double(side - 1);
  info.quantities = {"displacement"};
  info.compression = compression;
  info.planned_frames = info.planned_steps = frames;
  const auto writer = make_vtkhdf_writer();
  writer->begin(info);
  std::vector<std::vector<float>> some;
  for (int k = 0; k < 4; ++k) some.push_back(rings(side, k));
  for (int k = 0; k < frames; ++k) {
    Frame f;
    f.step = k;
    f.time = 0.01 * k;
    f.planes = {{"displacement", some[std::size_t(k % 4)]}};
    writer->frame(f);
  }
  RunSummary summary;
  summary.complete = true;
  summary.ending = "done";
  writer->finish(summary);
}

void print(const char* what, const Clock& c, double count) {
  std::printf("%-28s %8.1f %10.1f %12.1f %12.1f %14.1f\n", what, 1e3 * c.wall / count, count / c.wall,
              1e3 * c.user / count, 1e3 * c.system / count, 1e3 * (c.user + c.system) / count);
}

void measure(const char* what, const ResultReader& result, const RenderPlan& plan) {
  const Clock before = now();
  render(result, plan);
  const Clock after = now();
  print(what, {after.wall - before.wall, after.user - before.user, after.system - before.system},
        double(chosen_frames(result, plan).size()));
}

/// The same one after the other: what each part takes of the processors.
void measure_parts(const ResultReader& result, const RenderPlan& plan) {
  const char* names[] = {"reading", "inflating", "to pixels", "colours and letters", "PNG", "writing"};
  constexpr int count = 6;
  Clock sum[count] = {};
  Picture picture(scene_of(result.info()), plan.look);
  ResultReader::StoredFrame stored;
  std::vector<float> values;
  Image image;
  std::string png;
  std::optional<Canvas> canvas;
  const std::vector<std::size_t> frames = chosen_frames(result, plan);
  for (std::size_t k : frames) {
    const std::function<void()> parts[] = {
        [&] { result.fetch(plan.look.quantity, k, stored); },
        [&] { result.decode(stored, values); },
        [&] { image = picture.field().sample(values); },
        [&] { canvas.emplace(picture.draw(image, result.frames()[k].time, *plan.look.range)); },
        [&] { png = canvas->png(); },
        [&] { replace_file(plan.folder + "/part.png", png); }};
    for (int p = 0; p < count; ++p) {
      const Clock before = now();
      parts[p]();
      const Clock after = now();
      sum[p].wall += after.wall - before.wall;
      sum[p].user += after.user - before.user;
      sum[p].system += after.system - before.system;
    }
  }
  for (int p = 0; p < count; ++p) print(names[p], sum[p], double(frames.size()));
}

void run(const CommandLine& line) {
  const int side = line.number("side", 4096), frames = line.number("frames", 40);
  const std::filesystem::path folder =
      std::filesystem::path(line.options.contains("folder") ? line.options.at("folder") : "/tmp") /
      "bench_render";
  std::filesystem::create_directories(folder);
  const int compression = line.number("compression", 0);
  write_result(folder, side, frames, compression);
  const ResultReader result(folder);
  RenderPlan plan;
  plan.look.width = line.number("width", 1424);
  plan.look.range = 1;
  plan.folder = (folder / "made").string();
  plan.pictures = true;
  const Picture picture(scene_of(result.info()), plan.look);
  std::printf(
      "%d frames of %d x %d, compression %d, pictures %d x %d with a field of %d x %d, %u processors\n",
      frames, side, side, compression, picture.width(), picture.height(), picture.field().width(),
      picture.field().height(), std::thread::hardware_concurrency());
  std::printf("%-28s %8s %10s %12s %12s %14s\n", "ms a picture", "clock", "a second", "user", "system",
              "processors");
  measure("pictures", result, plan);
  measure_parts(result, plan);
  plan.look.shading.stated = true;
  measure("pictures with hill shading", result, plan);
  plan.look.shading.stated = false;
  plan.look.range.reset();
  measure("pictures, range looked for", result, plan);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace wavesim

int main(int argc, char** argv) {
  return wavesim::run_program("bench_render",
                              "[--side N] [--frames N] [--width N] [--compression LEVEL] [--folder FOLDER]",
                              {"side", "frames", "width", "compression", "folder"}, argc, argv, wavesim::run);
}
