// write_small_results FOLDER: a run of tiny frames in every format this build has, for readers of other
// makers.

#include <cstdio>
#include <filesystem>

#include "output/run/make_writers.hpp"
#include "output/segy/segy_file.hpp"
#include "tests/output/small_run.hpp"

int main(int count, char** arguments) {
  using namespace wavesim;
  using namespace wavesim::testing;
  if (count != 2) {
    std::fprintf(stderr, "write_small_results FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  constexpr long frames = 6;
  const auto write = [&](const std::filesystem::path& directory, long written) {
    std::filesystem::remove_all(directory);
    std::filesystem::create_directories(directory);
    OutputConfig output;
#ifdef WAVESIM_HAVE_VTK
    output.frames->formats = {"vtkhdf", "vti"};
#endif
    output.pictures = std::make_shared<PicturesOutput>();
    output.pictures->width = 200;
    const RunInfo info = small_info(directory, written);
    const auto writer = make_writers(output, info);
    writer->begin(info);
    long step = 0;
    for (long n = 0; n < written; ++n) {
      for (; step < 10 * n; ++step) {
        writer->step(small_record(step));
        writer->sample(small_receiver_sample(step));
      }
      writer->frame(small_frame(n));
      writer->picture(small_frame(n));
    }
    RunSummary summary;
    summary.complete = true;
    summary.ending = "done";
    summary.steps = step;
    writer->finish(summary);
  };
  write(folder / "six", frames);
  write(folder / "one", 1);  // a single frame is a case of its own in the VTKHDF format
  if (writes_segy())
    write_segy(ResultReader(folder / "six"), (folder / "small.segy").string());
  else
    std::filesystem::remove(folder / "small.segy");
  return 0;
}
