// Passes of steps of eighth order on a CPU: strips of any width, chunks of rows, and passes of several steps have the bits of
// steps one by one in one strip.

#include <gtest/gtest.h>

#include "kernels/lax_wendroff/lax_wendroff_host.hpp"
#include "tests/kernels/random_fields.hpp"

namespace wavesim {
namespace {

struct Edges {
  bool periodic_x, periodic_y, fixed_low, fixed_high;
};

template <class T, bool varies>
class Wave : public RandomFields<T> {
  using RandomFields<T>::extent, RandomFields<T>::values, RandomFields<T>::zeros;

 public:
  Wave(int nx, int ny, const Edges& edges)
      : RandomFields<T>({nx, ny, edges.periodic_x, edges.periodic_y}, 7),
        u_(values(-1, 1)),
        p_(values(-1, 1)) {
    x_ = {nx, edges.periodic_x, edges.fixed_low, edges.fixed_high};
    y_ = {ny, edges.periodic_y, edges.fixed_high, edges.fixed_low};
    over_mass_ = values(0.5, 1), inertia_ = values(0.9, 1);
  }

  struct State {
    Field<Host, T> u, p;
  };
  /// Four steps, K in a pass, in strips of `inner` columns and chunks of `rows` rows.
  template <int K>
  State four_steps(int inner, int rows, bool past_caches) {
    State now{zeros(), zeros()};
    copy(u_, now.u), copy(p_, now.p);
    for (int n = 0; n < 4; n += K) {
      State next{zeros(), zeros()};
      LaxWendroffPass<T, varies> pass;
      pass.extent = extent, pass.x = x_, pass.y = y_;
      pass.medium.laplacian = {0.11, 0.13};
      pass.medium.same_over_mass = T(0.8);
      if (varies) pass.medium.over_mass = over_mass_.data(), pass.medium.inertia = inertia_.data();
      pass.beta = T(0.5);
      pass.u = now.u.data(), pass.p = now.p.data(), pass.u_to = next.u.data(), pass.p_to = next.p.data();
      lax_wendroff::HostFront<K, LaxWendroffPass<T, varies>> front(pass, inner, past_caches);
      for (int row = 0; row < extent.ny; row += rows)
        for (int strip = 0; strip * inner < extent.nx; ++strip)
          front.go_up(strip, row, std::min(extent.ny, row + rows));
      stream_fence();
      now = std::move(next);
    }
    return now;
  }
  void expect_same(const State& a, const State& b) const {
    for (const auto& [one, other] : {std::pair{&a.u, &b.u}, std::pair{&a.p, &b.p}})
      for (int row = -1; row <= extent.ny; ++row)  // rows that are no domain, and padding, stay zero
        for (int col = 0; col < extent.pitch; ++col) {
          const int i = row * extent.pitch + col;
          ASSERT_EQ(one->data()[i], other->data()[i]) << "row " << row << ", column " << col;
        }
  }

 private:
  void copy(const Field<Host, T>& from, Field<Host, T>& to) const {
    std::copy_n(from.data(), extent.count(), to.data());
  }

  MirroredAxis x_, y_;
  Field<Host, T> u_, p_, over_mass_, inertia_;
};

template <class T, bool varies>
void strips_and_chunks_do_not_matter() {
  for (const Edges& edges :
       {Edges{false, false, true, true}, Edges{false, false, false, false}, Edges{false, false, true, false},
        Edges{true, false, false, true}, Edges{false, true, true, false}, Edges{true, true, false, false}})
    for (const auto& [nx, ny] : {std::pair{10, 12}, std::pair{64, 9}, std::pair{100, 45}}) {
      SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny) +
                   (edges.periodic_x ? ", periodic in x" : "") + (edges.periodic_y ? ", periodic in y" : "") +
                   (edges.fixed_low ? ", fixed" : ", free") +
                   (edges.fixed_high ? " and fixed" : " and free"));
      Wave<T, varies> wave(nx, ny, edges);
      const auto whole = wave.template four_steps<1>((nx + 15) / 16 * 16, ny, false);
      for (const bool past_caches : {false, true})
        for (const int inner : {16, 64})
          for (const int rows : {23, ny}) {
            wave.expect_same(whole, wave.template four_steps<1>(inner, rows, past_caches));
            wave.expect_same(whole, wave.template four_steps<2>(inner, rows, past_caches));
            wave.expect_same(whole, wave.template four_steps<4>(inner, rows, past_caches));
          }
    }
}

TEST(LaxWendroffHostFront, StripsAndChunksDoNotMatter) {
  strips_and_chunks_do_not_matter<double, false>();
  strips_and_chunks_do_not_matter<double, true>();
  strips_and_chunks_do_not_matter<float, false>();
  strips_and_chunks_do_not_matter<float, true>();
}

}  // namespace
}  // namespace wavesim
