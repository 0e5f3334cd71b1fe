#pragma once
namespace wavesim {

/// How many backends share the GPU, each with work of its own: those that this thread makes from here on cut their passes into
/// fewer blocks, so that less work is done twice. Results do not depend on it. Like OpenMP's number of threads, it is the thread's own.
inline thread_local int backends_on_device = 1;

}  // namespace wavesim
