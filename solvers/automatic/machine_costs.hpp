#pragma once
// The GPU that the cost model knows, as seconds of what a solve is made of. For CPUs: prices.hpp.

namespace wavesim {

/// What things take on a kind of device, fitted to whole runs (docs/notes/auto.md).
struct MachineCosts {
  double launch;  // s, of a kernel within a solve
  double solve;   // s, of a solve and its step beside the words: the host enqueues, looks and waits
  double rate;    // B/s, of passes that are bound by memory
  // Several sweeps as one pass (kernels/temporal/blocked_sweeps.hpp): s of a row of blocks, of all at once.
  // `whole`: the pass takes a step in time. Factors where the medium is read.
  double pass, sweep, whole, sweep_media, whole_media;
  double single;                        // factor of a pass in single precision
  double nine_points;                   // factor of a pass of six sweeps with nine points
  double whole_step;                    // s, of a step that is such passes and nothing else
  double on_chip, on_chip_turn, media;  // cg-onchip: s a point, s an iteration, B/s of the media
  // multigrid: s a grid, share of `rate`, factor where the medium is read
  double level, cycle, cycle_media;
  double transform;     // s, of a solve by sine transforms beside its words
  double library;       // s, of the first Fourier transform
  double memory, made;  // s a byte of vectors, and of each method that is made
};
inline constexpr MachineCosts h200{.launch = 2.5e-6,
                                   .solve = 68e-6,
                                   .rate = 4.0e12,
                                   .pass = 10e-6,
                                   .sweep = 0.58e-6,
                                   .whole = 0.62e-6,
                                   .sweep_media = 1.3,
                                   .whole_media = 1.72,
                                   .single = 1.15,
                                   .nine_points = 1.9,
                                   .whole_step = 16e-6,
                                   .on_chip = 6.0e-12,
                                   .on_chip_turn = 3.4e-6,
                                   .media = 2.5e12,
                                   .level = 20e-6,
                                   .cycle = 0.75,
                                   .cycle_media = 1.5,
                                   .transform = 60e-6,
                                   .library = 0.1,
                                   .memory = 1e-12,
                                   .made = 1e-3};

}  // namespace wavesim
