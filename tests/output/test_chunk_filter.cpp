// HDF5's filters by several threads: one stream that zlib and HDF5 read, whatever the number of threads.

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <random>

#include "output/hdf5/chunk_filter.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/result_reader.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

std::vector<unsigned char> inflated(const std::vector<unsigned char>& stream, std::size_t bytes) {
  std::vector<unsigned char> out(bytes + 1);
  uLongf size = uLongf(out.size());
  EXPECT_EQ(uncompress(out.data(), &size, stream.data(), uLong(stream.size())), Z_OK);
  out.resize(size);
  return out;
}

/// By hand: plane after plane of bytes.
std::vector<unsigned char> shuffled(const std::vector<float>& v, std::size_t count) {
  std::vector<unsigned char> out(count * sizeof(float), 0);
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t b = 0; b < sizeof(float); ++b)
      out[b * count + i] = reinterpret_cast<const unsigned char*>(v.data())[i * sizeof(float) + b];
  return out;
}

std::vector<float> noisy_wave(std::size_t n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> noise(-1e-3f, 1e-3f);
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(1e-4f * float(i)) + noise(random);
  return v;
}

TEST(ChunkFilter, MakesOneZlibStreamOfTheShuffledBytes) {
  // From nothing but a few bytes to several pieces, with ends on both sides of a piece's border.
  for (const std::size_t n : {1ul, 5ul, (1ul << 18) - 1, 1ul << 18, (1ul << 18) + 1, 700001ul})
    for (const int level : {1, 4, 6, 9}) {
      const std::vector<float> v = noisy_wave(n);
      const auto stream = hdf5::shuffle_and_deflate(v.data(), n, n, sizeof(float), level);
      EXPECT_EQ(inflated(stream, 4 * n), shuffled(v, n)) << n << " elements, level " << level;
    }
}

TEST(ChunkFilter, FillsAChunkThatIsNotFullWithZeros) {
  const std::vector<float> v = noisy_wave(300000);
  const auto stream = hdf5::shuffle_and_deflate(v.data(), v.size(), 500000, sizeof(float), 4);
  EXPECT_EQ(inflated(stream, 4 * 500000), shuffled(v, 500000));
}

TEST(ChunkFilter, GivesTheSameBytesForAnyNumberOfThreadsAndCostsLittleSpace) {
  const std::vector<float> v = noisy_wave(1500000);
  const auto one = hdf5::shuffle_and_deflate(v.data(), v.size(), v.size(), sizeof(float), 4, 1);
  for (const unsigned threads : {2u, 3u, 16u})
    EXPECT_EQ(hdf5::shuffle_and_deflate(v.data(), v.size(), v.size(), sizeof(float), 4, threads), one);
  const std::vector<unsigned char> whole = shuffled(v, v.size());
  std::vector<unsigned char> out(compressBound(uLong(whole.size())));
  uLongf size = uLongf(out.size());
  ASSERT_EQ(compress2(out.data(), &size, whole.data(), uLong(whole.size()), 4), Z_OK);
  EXPECT_LT(double(one.size()), 1.001 * double(size));
}

TEST(ChunkFilter, HDF5ReadsFramesOfSeveralPiecesBackToTheBit) {
  for (const bool single : {true, false}) {
    const FreshFolder folder;
    RunInfo info = small_info(folder.path, 2);
    info.single = single;
    info.nx = 701;
    info.ny = 613;
    const std::size_t n = 701 * 613;
    info.quantities = {"displacement"};
    const std::vector<float> speed = noisy_wave(n);
    info.once = {{"speed", speed}};
    std::vector<std::uint8_t> inside(n, 1);
    inside[17] = 0;
    info.inside = inside;
    const auto writer = make_vtkhdf_writer();
    writer->begin(info);
    std::vector<double> all;
    for (long k = 0; k < 2; ++k) {
      Frame f = small_frame(k);
      std::vector<float> u = noisy_wave(n);
      u[5] = float(k);
      all.insert(all.end(), u.begin(), u.end());
      f.planes = {single ? Plane{"displacement", u}
                         : Plane{"displacement", std::vector<double>(u.begin(), u.end())}};
      writer->frame(f);
    }
    RunSummary summary;
    summary.complete = true;
    summary.ending = "done";
    writer->finish(summary);
    const ResultReader r((folder.path / "small.vtkhdf").string());
    EXPECT_EQ(r.numbers("/VTKHDF/PointData/displacement"), all);
    EXPECT_EQ(r.numbers("/VTKHDF/PointData/speed"), std::vector<double>(speed.begin(), speed.end()));
    EXPECT_EQ(r.numbers("/VTKHDF/PointData/inside").at(17), 0);
  }
}

}  // namespace
}  // namespace wavesim::testing
