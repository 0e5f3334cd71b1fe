#pragma once
// A direct solver for the system of five or nine points on a rectangle with a constant medium (Hockney 1965; Buzbee,
// Golub & Nielson 1970; Swarztrauber 1977): transforms along x, and a tridiagonal system along y for each
// mode. Exact there; for a varying medium it solves the system of the mean medium, which is symmetric and
// positive definite too.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "kernels/comm/row_share.hpp"
#include "solvers/core/preconditioner.hpp"
#include "solvers/direct/rectangle.hpp"
#include "solvers/direct/tridiagonal_lines.hpp"
#include "solvers/preconditioners/inner_product.hpp"

namespace wavesim {

template <class B, class T>
class SineTransform final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  SineTransform(B& backend, const Operator<B, T>& A) : be_(backend), extent_(A.extent()) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, nullptr);
    inner_product(be_, r, z, rz, after);
  }
  /// With V the modes: Wx^-1 Kx V = V Lambda and V' Wx V = N, so that A^-1 = V T^-1 N^-1 V' with
  /// T_k = RectangleSystem::line(lambda_k).
  void solve(const Vector& r, Vector& z, double*) const override {
    be_.fetch_ghosts(ghosts, r);
    transform_->to_modes(r);
    solve_lines();
    transform_->to_points(z);
  }

  /// Rows beside a rank's own of what is transformed: the rest of a chunk.
  static constexpr int ghosts = chunk_rows;
  static_assert(ghosts <= most_ghosts);

  /// x_to <- weight x + A^-1 r
  void add_solution(const Vector& r, const Vector& x, double weight, Vector& x_to) const {
    be_.fetch_ghosts(ghosts, r);
    add_solution(FieldPairs<T>{r.origin(), extent_.pitch}, 1, x, weight, x_to);
  }
  /// The same for an r that is computed where it is read, from so many vectors (Transform::to_modes), whose ghost rows are
  /// there.
  template <class From>
  void add_solution(const From& r, int vectors, const Vector& x, double weight, Vector& x_to) const {
    transform_->to_modes(r, vectors);
    solve_lines();
    transform_->to_points(x_to, x, weight);
  }

  void solve_lines() const {
    RowPair<T>* const x = transform_->values();
    const LineShape lines = shape();
    const int chunk = first_chunk(), count = end_chunk() - chunk;
    const double all = double(count) * chunk_rows * lines.pitch * sizeof(T),
                 carried = double(lines.chunks()) * lines.pitch * sizeof(RowPair<T>);
    strips(be_, "chunks of lines along y", lines.pitch, count, all,
           SolveChunks<T, false>{x, carries_.data(), inverse_.data(), settled_.data(), scale_.data(),
                                 off_.data(), lines, table_, chunk});
    if (!extent_.whole()) be_.fetch_all(chunks_of_ranks_, carries_);
    strips(be_, "from chunk to chunk", lines.pitch, 1, 4 * carried,
           CarryLines<T>{carries_.data(), gains_.data(), settled_.data(), closing_.data(), lines, table_});
    strips(be_, "lines along y", lines.pitch, count, 2 * all,
           SolveChunks<T, true>{x, carries_.data(), inverse_.data(), settled_.data(), scale_.data(),
                                off_.data(), lines, table_, chunk});
  }

 protected:
  void set_up(const Operator<B, T>& A) override {
    system_ = rectangle_of(be_, A);
    if (!transform_) {
      const TransformedRows rows{first_chunk() * chunk_rows, std::min(end_chunk() * chunk_rows, extent_.ny)};
      transform_ = std::make_unique<Transform<B, T>>(be_, extent_, system_.x, rows);
    }
    const LineShape lines = shape();
    if (carries_.extent().nx == 0) {
      carries_ = Field<B, RowPair<T>>(be_, Extent{lines.pitch, lines.chunks(), lines.pitch});
      if (!extent_.whole()) {  // a chunk is that rank's which has its first row
        chunks_of_ranks_ = first_rows_of_ranks(extent_, be_.shared()->ranks());
        for (int& start : chunks_of_ranks_) start = (start + chunk_rows - 1) / chunk_rows;
      }
      settled_ = Buffer<B, Settled<T>>(be_, lines.pitch);
    }
    upload_lines();
    if (system_.y.periodic)
      factor_cycles();
    else
      factor_lines();
    gains_ = Buffer<B, RowPair<T>>(be_, std::size_t(table_.unsettled + 2) * lines.pitch);
    strips(be_, "gains of chunks", lines.pitch, table_.unsettled + 2, 0,
           ChunkGains<T>{gains_.data(), inverse_.data(), settled_.data(), off_.data(), lines, table_});
  }

 public:  // kernels
  void factor_cycles() {
    const LineShape lines = shape();
    if (closing_.size() == 0) closing_ = Buffer<B, T>(be_, lines.pitch);
    table_ = {0};
    make_table();
    strips(be_, "factors of cyclic lines", lines.pitch, 1, 0,
           FactorCycles<T>{inverse_.data(), settled_.data(), closing_.data(), shift_.data(), off_.data(),
                           lines});
  }
  /// Once to find where the pivots settle, and again to store those before.
  void factor_lines() {
    const LineShape lines = shape();
    const Axis& y = system_.y;
    FactorLines<T> factor{nullptr,
                          settled_.data(),
                          shift_.data(),
                          off_.data(),
                          added_.data(),
                          y.fixed_low ? 1 : 0.5,
                          y.fixed_high ? 1 : 0.5,
                          y.fixed_low ? 1.0 : 0.0,
                          y.fixed_high ? 1.0 : 0.0,
                          system_.lowest,
                          system_.highest,
                          lines,
                          {}};
    const double moved = double(lines.ny) * lines.pitch;  // or less
    strips(be_, "pivots along y", lines.pitch, 1, moved, factor);
    table_ = {0};
    for (const Settled<T>& s : settled_.download())
      table_.unsettled = std::max(table_.unsettled, std::min(s.from, lines.last()));
    make_table();
    factor.inverse = inverse_.data();
    factor.table = table_;
    strips(be_, "pivots along y", lines.pitch, 1, moved, factor);
  }

 private:
  /// The chunks in which this rank has rows.
  int first_chunk() const { return extent_.first_own / chunk_rows; }
  int end_chunk() const { return (extent_.end_own() + chunk_rows - 1) / chunk_rows; }
  LineShape shape() const { return {extent_.ny, transform_->pitch()}; }
  void make_table() {
    inverse_ = Buffer<B, RowPair<T>>(be_, std::size_t(table_.unsettled + 1) * chunk_pairs * shape().pitch);
  }
  void upload_lines() {
    const std::size_t lines = shape().pitch;
    std::vector<double> shift(lines, 1), off(lines, 0), added(lines, 0);
    std::vector<T> scale(lines, T(0));
    const std::vector<AxisModes::Mode> modes = transform_->modes().modes();
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const RectangleSystem::Line line = system_.line(modes[k].eigenvalue);
      shift[k] = line.shift, off[k] = line.off, added[k] = line.added;
      scale[k] = T(modes[k].weight);
    }
    if (shift_.size() == 0) {
      for (Buffer<B, double>* b : {&shift_, &off_, &added_}) *b = Buffer<B, double>(be_, lines);
      scale_ = Buffer<B, T>(be_, lines);
    }
    shift_.upload(shift);
    off_.upload(off);
    added_.upload(added);
    scale_.upload(scale);
  }

  B& be_;
  Extent extent_;
  RectangleSystem system_;
  std::unique_ptr<Transform<B, T>> transform_;
  PivotTable table_;
  Buffer<B, RowPair<T>> inverse_, gains_;
  Field<B, RowPair<T>> carries_;  // of chunks
  std::vector<int> chunks_of_ranks_;
  Buffer<B, Settled<T>> settled_;
  Buffer<B, double> shift_, off_, added_;
  Buffer<B, T> scale_, closing_;
};

}  // namespace wavesim
