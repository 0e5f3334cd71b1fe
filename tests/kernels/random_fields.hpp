#pragma once
// Grids and fields of random numbers on them, for tests of passes over memory.

#include <cstdint>
#include <cstring>
#include <ostream>
#include <random>

#include "kernels/backend/host.hpp"
#include "kernels/memory/field.hpp"

namespace wavesim {

struct Case {
  int nx, ny;
  bool periodic_x = false, periodic_y = false, free = false;
};
inline std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.nx << " x " << c.ny << (c.periodic_x ? ", periodic in x" : "")
             << (c.periodic_y ? ", periodic in y" : "") << (c.free ? ", free edges" : "");
}

/// Fields of random numbers; what lies beyond the domain is zero.
template <class T>
class RandomFields {
 public:
  RandomFields(const Case& c, std::uint64_t seed)
      : extent(make_extent(c.nx, c.ny)),
        topology{c.nx, c.ny, c.periodic_x ? c.nx : 0, c.periodic_y ? c.ny * extent.pitch : 0},
        random_(seed) {}
  Field<Host, T> zeros() { return Field<Host, T>(be_, extent); }
  Field<Host, T> values(double from, double to) {
    Field<Host, T> f = zeros();
    std::uniform_real_distribution<double> any(from, to);
    for (int row = 0; row < extent.ny; ++row)
      for (int col = 0; col < extent.nx; ++col) f.data()[row * extent.pitch + col] = T(any(random_));
    return f;
  }
  bool same_in_domain(const Field<Host, T>& a, const Field<Host, T>& b) const {
    for (int row = 0; row < extent.ny; ++row)
      if (std::memcmp(a.data() + row * extent.pitch, b.data() + row * extent.pitch,
                      std::size_t(extent.nx) * sizeof(T)) != 0)
        return false;
    return true;
  }

  Extent extent;
  Topology topology;

 private:
  Host be_;
  std::mt19937_64 random_;
};

}  // namespace wavesim
