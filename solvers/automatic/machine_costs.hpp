#pragma once
// The machines that the cost model knows, as seconds of what a solve is made of.

namespace wavesim {

/// What things take on a kind of device, fitted to whole runs (docs/notes/auto.md). `cpu16`: of 16 cores,
/// also where there are fewer, since choices may not depend on the number of threads.
struct MachineCosts {
  double launch;         // s, of a kernel within a solve
  double solve;          // s, of a solve and its step beside the words: the host enqueues, looks and waits
  double rate;           // B/s, of passes that are bound by memory
  double cache, cached;  // B that stay in caches from pass to pass, and B/s of passes over as many
  // Several sweeps as one pass (kernels/temporal/blocked_sweeps.hpp): s of a row of blocks, on a GPU of all
  // at once, on a CPU of those that threads go through side by side. `whole`: the pass takes a step in time.
  // Factors where the medium is read.
  double pass, sweep, whole, sweep_media, whole_media;
  double single;                        // factor of a pass in single precision
  double alone;                         // s a point of a sweep that is taken alone, beside its words
  double whole_step;                    // s, of a step that is such passes and nothing else
  double on_chip, on_chip_turn, media;  // cg-onchip: s a point, s an iteration, B/s of the media
  // multigrid: s a grid, share of `rate`, s a point and grid, factor where the medium is read
  double level, cycle, cycle_more, cycle_media;
  double transform;     // s, of a solve by sine transforms beside its words
  double library;       // s, of the first Fourier transform
  double memory, made;  // s a byte of vectors, and of each method that is made
};
inline constexpr MachineCosts h200{.launch = 2.5e-6,
                                   .solve = 68e-6,
                                   .rate = 4.0e12,
                                   .cache = 0,
                                   .cached = 4.0e12,
                                   .pass = 10e-6,
                                   .sweep = 0.58e-6,
                                   .whole = 0.62e-6,
                                   .sweep_media = 1.3,
                                   .whole_media = 1.72,
                                   .single = 1.15,
                                   .alone = 0,
                                   .whole_step = 16e-6,
                                   .on_chip = 6.0e-12,
                                   .on_chip_turn = 3.4e-6,
                                   .media = 2.5e12,
                                   .level = 20e-6,
                                   .cycle = 0.75,
                                   .cycle_more = 0,
                                   .cycle_media = 1.5,
                                   .transform = 60e-6,
                                   .library = 0.1,
                                   .memory = 1e-12,
                                   .made = 1e-3};
inline constexpr int threads_measured = 16;
inline constexpr MachineCosts cpu16{.launch = 8e-6,
                                    .solve = 20e-6,
                                    .rate = 130e9,
                                    .cache = 32e6,
                                    .cached = 300e9,
                                    .pass = 100e-6,
                                    .sweep = 1.35e-6,
                                    .whole = 1.9e-6,
                                    .sweep_media = 1.7,
                                    .whole_media = 1.7,
                                    .single = 0.6,
                                    .alone = 0.1e-9,
                                    .whole_step = 10e-6,
                                    .on_chip = 1,
                                    .on_chip_turn = 1,
                                    .media = 1,
                                    .level = 0.5e-3,
                                    .cycle = 1,
                                    .cycle_more = 3e-9,
                                    .cycle_media = 1,
                                    .transform = 0.55e-3,
                                    .library = 0,
                                    .memory = 1e-10,
                                    .made = 1e-4};

}  // namespace wavesim
