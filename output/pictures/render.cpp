#include "output/pictures/render.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "output/pictures/contact_sheet.hpp"
#include "output/pictures/movie.hpp"
#include "output/pictures/picture.hpp"
#include "output/run/frame_workers.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

/// Frames that decide on a range of colours that is not given.
constexpr std::size_t looked_at = 16;

/// Frames that threads read in parallel.
class FrameReaders {
 public:
  FrameReaders(const ResultReader& result, std::string quantity, std::size_t frames)
      : result_(result), quantity_(std::move(quantity)), places_(workers_of(result.info(), frames)) {}
  unsigned count() const { return unsigned(places_.size()); }
  const std::vector<float>& read(std::size_t frame, unsigned worker) {
    Place& p = places_[worker];
    {
      const std::lock_guard alone(reading_);
      result_.fetch(quantity_, frame, p.stored);
    }
    result_.decode(p.stored, p.values);
    return p.values;
  }

 private:
  /// As many as there are processors, while they take no more than about 2 GiB of memory; two at least, so
  /// that one reads while the other draws.
  static unsigned workers_of(const RunInfo& info, std::size_t frames) {
    constexpr std::size_t memory = std::size_t(2) << 30, bytes_a_node = 12;  // deflated, inflated, as floats
    const std::size_t fit = memory / (bytes_a_node * std::size_t(info.nx) * std::size_t(info.ny)),
                      most = std::min<std::size_t>(frames, std::max(2u, std::thread::hardware_concurrency()));
    return unsigned(std::clamp<std::size_t>(fit, std::min<std::size_t>(2, most), most));
  }

  struct Place {
    ResultReader::StoredFrame stored;
    std::vector<float> values;
  };
  const ResultReader& result_;
  const std::string quantity_;
  std::vector<Place> places_;
  std::mutex reading_;
};

double range_of(const ResultReader& result, const RenderPlan& plan, const FieldPainter& field,
                const std::vector<std::size_t>& frames) {
  if (plan.look.range) return *plan.look.range;
  if (plan.look.scale == "picture") return 0;
  RangeFinder all;
  const std::vector<std::size_t> some = spread(frames, looked_at);
  FrameReaders readers(result, plan.look.quantity, some.size());
  std::mutex adding;
  InOrder any;
  by_workers(readers.count(), some.size(), any, [&](std::size_t k, unsigned worker) {
    RangeFinder here;
    field.count(field.sample(readers.read(some[k], worker)), here);
    const std::lock_guard alone(adding);
    all.add(here);
  });
  return two_digits(field.range(all));
}

}  // namespace

std::vector<std::size_t> chosen_frames(const ResultReader& result, const RenderPlan& plan) {
  if (result.frames().empty())
    throw InputError(result.file().string() + " holds no frames" +
                     (result.file().extension() == ".h5"
                          ? "; run with output.fields.formats: [vtkhdf]"
                          : ", its run was stopped before the first; run it again"));
  if (!result.has(plan.look.quantity))
    throw InputError(result.file().string() + " does not hold '" + plan.look.quantity + "'" +
                     did_you_mean(plan.look.quantity, result.quantities(), "it holds") +
                     "; or run again with it in output.fields.quantities");
  std::vector<std::size_t> frames;
  const auto& all = result.frames();
  // A relative tolerance of 1e-9: --from 0.1 includes the frame at 0.1.
  const double grace = 1e-9 * std::max(1e-300, all.back().time);
  for (std::size_t k = 0; k < all.size(); k += 1)
    if ((!plan.from || all[k].time >= *plan.from - grace) && (!plan.to || all[k].time <= *plan.to + grace))
      frames.push_back(k);
  if (frames.empty())
    throw InputError("no frame of " + result.file().string() +
                     " lies between --from and --to; its times are " + shortest(all.front().time) + " to " +
                     shortest(all.back().time) + " s");
  std::vector<std::size_t> each;
  for (std::size_t k = 0; k < frames.size(); k += std::size_t(plan.every)) each.push_back(frames[k]);
  if (plan.look.quantity == "speed") each.resize(1);
  return each;
}

std::vector<std::size_t> spread(const std::vector<std::size_t>& frames, std::size_t count) {
  if (frames.size() <= count) return frames;
  if (count == 1) return {frames.back()};
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < count; ++k)
    some.push_back(frames[(k * (frames.size() - 1) + (count - 1) / 2) / (count - 1)]);
  return some;
}

Canvas sheet_of(const ResultReader& result, const RenderPlan& plan, std::size_t count, int most_columns) {
  std::vector<Tile> tiles;
  for (std::size_t k : spread(chosen_frames(result, plan), count)) {
    tiles.push_back({result.frames()[k].time, {}});
    result.read(plan.look.quantity, k, tiles.back().values);
  }
  return contact_sheet(scene_of(result.info()), plan.look, tiles, most_columns);
}

std::vector<std::string> render(const ResultReader& result, const RenderPlan& plan) {
  const std::vector<std::size_t> frames = chosen_frames(result, plan);
  const RunInfo& info = result.info();
  std::vector<std::string> files;
  std::error_code error;
  fs::create_directories(plan.folder, error);
  if (error) fail_to_write(plan.folder, error.message());
  const std::string stem =
      plan.folder + "/" + info.name + (plan.look.quantity == "displacement" ? "" : "_" + plan.look.quantity);
  if (plan.sheet) {
    files.push_back(stem + "_sheet.png");
    replace_file(files.back(), sheet_of(result, plan, std::size_t(*plan.sheet)).png());
  }
  if (!plan.pictures && !plan.movie) return files;

  Picture picture(scene_of(info), plan.look);
  const FieldPainter& field = picture.field();
  const double range = range_of(result, plan, field, frames);
  std::unique_ptr<Movie> movie;
  if (plan.movie) movie = make_movie(stem + "." + *plan.movie, *plan.movie, plan.rate);
  FrameReaders readers(result, plan.look.quantity, frames.size());
  InOrder order;
  by_workers(readers.count(), frames.size(), order, [&](std::size_t k, unsigned worker) {
    const ResultFrame& frame = result.frames()[frames[k]];
    const Image image = field.sample(readers.read(frames[k], worker));
    const double here =
        plan.look.scale == "picture" && !plan.look.range ? two_digits(field.range(image)) : range;
    const Canvas canvas = picture.draw(image, frame.time, here);
    const auto name = [&](const char* ending) {
      return stem + step_name(info, frame.step, ending).substr(info.name.size());
    };
    if (plan.pictures) replace_file(name(".png"), canvas.png());
    if (plan.pictures && plan.pdf) replace_file(name(".pdf"), picture.pdf(image, frame.time, here));
    if (movie) order(k, [&] { movie->add(canvas); });
  });
  if (movie) {
    movie->finish();
    files.push_back(stem + "." + *plan.movie);
  }
  if (plan.pictures)
    files.push_back(plan.folder + "/ (" + std::to_string(frames.size()) +
                    (frames.size() == 1 ? " picture" : " pictures") + (plan.pdf ? ", PNG and PDF)" : ")"));
  return files;
}

}  // namespace wavesim
