#pragma once
// A run of tiny frames with values that name their place, for tests of every writer.

#include <filesystem>

#include "sim/run/writer.hpp"

namespace wavesim::testing {

constexpr long small_nx = 5, small_ny = 4;

inline double small_value(long frame, long ix, long iy) {
  return 100.0 * double(frame) + 10.0 * double(iy) + double(ix);
}
inline double small_time(long frame) { return 0.25 * double(frame); }
inline double small_sample(long sample, long receiver) { return double(sample) + 0.5 * double(receiver); }

inline RunInfo small_info(const std::filesystem::path& directory, long frames) {
  RunInfo info;
  info.name = "small";
  info.directory = directory.string();
  info.config = "name: small\n";
  info.facts = {{"version", "1.2.3"}, {"device", "a CPU"}};
  info.nx = small_nx;
  info.ny = small_ny;
  info.origin[0] = -1;
  info.spacing[0] = 0.5;
  info.quantities = {"displacement", "velocity"};
  info.once = {{"speed", std::vector<float>(small_nx * small_ny, 3.0f)}};
  info.inside = std::vector<std::uint8_t>(small_nx * small_ny, 1);
  info.planned_frames = frames;
  info.planned_steps = 10 * frames;
  info.planned_samples = 10 * frames;
  info.receivers = {{"rim", 0.25, 0.5}, {"line[0]", 0.5, 0.5}};
  return info;
}

inline Frame small_frame(long n, long nx = small_nx, long ny = small_ny) {
  Frame f;
  f.step = 10 * n;
  f.time = small_time(n);
  f.energy = 7.0 + double(n);
  f.iterations = 3 + n;
  f.residual = 1e-7;
  std::vector<float> u, v;
  for (long iy = 0; iy < ny; ++iy)
    for (long ix = 0; ix < nx; ++ix) {
      u.push_back(float(small_value(n, ix, iy)));
      v.push_back(float(-small_value(n, ix, iy)));
    }
  f.planes = {{"displacement", u}, {"velocity", v}};
  return f;
}

inline StepRecord small_record(long step) {
  StepRecord r;
  r.step = step;
  r.time = 0.025 * double(step);
  r.iterations = step % 7;
  r.residual_2 = 1e-7;
  r.residual_max = 2e-7;
  r.residual_recurrence = 3e-7;
  r.status = "converged";
  r.energy = 7.0;
  r.assembly_seconds = 0.001;
  r.solve_seconds = 0.002;
  return r;
}

inline ReceiverSample small_receiver_sample(long n) {
  return {n, 0.025 * double(n), {small_sample(n, 0), small_sample(n, 1)}};
}

}  // namespace wavesim::testing
