#pragma once
// HDF5's filters shuffle and gzip, by several threads.

#include <cstddef>
#include <vector>

namespace wavesim::hdf5 {

/// What H5Pset_shuffle and H5Pset_deflate stand for, of a chunk of `count` elements of `size` bytes: the
/// first bytes of all elements, then the second ones, ..., as one zlib stream. `given` elements lie at
/// `values`, the others are zero. The stream is the same for any number of threads (0: as many as there are
/// cores). Throws Failure.
std::vector<unsigned char> shuffle_and_deflate(const void* values, std::size_t given, std::size_t count,
                                               std::size_t size, int level, unsigned threads = 0);

/// The way back, for floats (size 4) and doubles (8): the first `given` of the `count` elements, as floats.
/// `scratch` is memory for all of them. Throws Failure if the stream is not one of these.
void inflate_and_unshuffle(const std::vector<unsigned char>& stream, std::vector<unsigned char>& scratch,
                           std::size_t count, std::size_t size, std::size_t given, float* to);

}  // namespace wavesim::hdf5
