#include "output/run/make_writers.hpp"

#include <algorithm>

#include "output/hdf5/vtkhdf_writer.hpp"
#include "output/pictures/picture_writer.hpp"
#include "output/pictures/vti_writer.hpp"
#include "output/run/history_writer.hpp"
#include "output/run/receiver_writer.hpp"

namespace wavesim {

namespace {

bool has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::unique_ptr<AsyncWriter> make_writers(const OutputConfig& output, const RunInfo& info,
                                          std::unique_ptr<Writer> last) {
  const std::vector<std::string>& formats = output.frames->formats;
  std::vector<std::unique_ptr<Writer>> writers;
  // First, so that it is finished last.
  writers.push_back(make_vtkhdf_writer({has(formats, "vtkhdf"), has(output.receivers.formats, "hdf5")}));
  if (has(formats, "vti")) writers.push_back(make_vti_writer());
  if (output.pictures) writers.push_back(make_picture_writer(*output.pictures));
  if (!info.receivers.empty() && has(output.receivers.formats, "csv"))
    writers.push_back(make_receiver_writer());
  writers.push_back(make_history_writer());
  if (last) writers.push_back(std::move(last));
  return std::make_unique<AsyncWriter>(std::move(writers), output.buffer);
}

DiskBytes output_bytes(const OutputConfig& output, const RunInfo& info, long planned_pictures) {
  const double points = double(info.nx) * double(info.ny), word = info.single ? 4 : 8;
  const double copies = has(output.frames->formats, "vtkhdf") + has(output.frames->formats, "vti");
  const double vti_extra =
      has(output.frames->formats, "vti") ? double(info.once.size()) * double(info.planned_frames) : 0;
  const double planes = copies * double(info.quantities.size()) * double(info.planned_frames) +
                        double(info.once.size()) + vti_extra;
  // A CSV number takes up to 24 characters, a history row about 130; ten columns of 8 bytes in the HDF5
  // file.
  const double samples = double(info.planned_samples) * double(info.receivers.size() + 2) * (8 + 25);
  const double history = double(info.planned_history) * (10 * 8 + 24 + 130);
  const double width = output.pictures ? double(output.pictures->width) : 0;
  const double aspect =
      std::min(2.0, double(info.ny) * info.spacing[1] / (double(info.nx) * info.spacing[0]));
  const double pixels = double(planned_pictures) * width * (width * aspect + 64);
  // Of the configs in this tree frames are compressed to 0.4 to 0.9 of their bytes, and pictures to 0.15 to 0.4 bytes a pixel.
  const double packed = info.compression > 0 ? 0.75 : 1;
  const double rest = samples + history + (1 << 20), frames = planes * points * word;
  return {std::uintmax_t(packed * frames + 0.4 * pixels + rest), std::uintmax_t(frames + 3 * pixels + rest)};
}

}  // namespace wavesim
