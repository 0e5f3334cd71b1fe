#pragma once
// Block-Jacobi: M = diag(B_1, B_2, ...), the diagonal blocks of A, of up to 32 rows each. All blocks are
// extracted and inverted (or factorised) in one batched kernel, and applied in another, with a group of lanes
// to each block (Anzt, Dongarra, Flegar, Quintana-Orti 2017; papers at the variants). Inverses may be stored
// in less than double precision, each as its condition allows, while arithmetic stays in double (Anzt,
// Dongarra, Flegar, Higham, Quintana-Orti 2019, "Adaptive precision in block-Jacobi preconditioning").

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/preconditioner.hpp"
#include "solvers/preconditioners/block_kernels.hpp"
#include "solvers/preconditioners/blocks.hpp"
#include "solvers/preconditioners/inner_product.hpp"

namespace wavesim {

/// How many blocks are stored in which format.
struct BlockDistribution {
  int half = 0, single = 0, full = 0, identity = 0;
  int singular = 0;   // of them, replaced by their diagonals
  double stored = 0;  // bytes of their values
  double bytes = 0;   // that an application reads of them
};

/// The format that leaves at least a digit of B^-1 r, half and single precision's roundings being 5e-4 and
/// 6e-8 (Flegar, "Accelerating the solution of sparse linear systems with GPUs", 2017).
inline BlockFormat format_for_condition(double condition) {
  return condition <= 1e2 ? BlockFormat::half : condition <= 1e6 ? BlockFormat::single : BlockFormat::full;
}

template <class B, class T>
class BlockJacobiPreconditioner final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  BlockJacobiPreconditioner(B& backend, const Operator<B, T>&, const PreconditionerOptions& o)
      : be_(backend),
        bound_(o.choices.count(option::block)),
        supervariable_(o.choices.word(option::blocks) == "supervariable"),
        variant_(variant_of(o.choices.word(option::block_variant))),
        storage_(o.choices.word(option::block_storage)) {
    if (storage_ != "double" && variant_ != BlockVariant::gauss_jordan)
      throw InputError("'storage: " + storage_ +
                       "' is for explicit inverses; write variant: gauss-jordan, or storage: double");
  }

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve_blocks(r, z, false);
    product(r, z, rz, after);
  }
  void apply_transposed(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve_blocks(r, z, true);
    product(r, z, rz, after);
  }
  void solve(const Vector& r, Vector& z, double*) const override { solve_blocks(r, z, false); }

  void product(const Vector& r, const Vector& z, double* rz, Quotient after) const {
    inner_product(be_, r, z, rz, after);
  }

  const BlockDistribution& distribution() const { return distribution_; }
  std::string describe() const override {
    const BlockDistribution& d = distribution_;
    std::string text;
    const auto add = [&](int blocks, const char* precision) {
      if (blocks > 0) text += (text.empty() ? "" : ", ") + std::to_string(blocks) + " " + precision;
    };
    add(d.full, "in double precision");
    add(d.single, "in single");
    add(d.half, "in half");
    if (d.singular > 0)
      text += "; " + std::to_string(d.singular) +
              (d.singular > 1 ? " singular blocks are replaced by their diagonals"
                              : " singular block is replaced by its diagonal");
    return "blocks of " + std::to_string(widest_) + " rows at most: " + text;
  }

  void set_up(const Operator<B, T>& A) override {
    const Blocks blocks = find_blocks(A.csr(), A.extent().count());
    std::vector<BlockPlace> places = places_of(blocks);
    store(places);
    order_ = Buffer<B, unsigned char>(be_, variant_ == BlockVariant::gauss_jordan ? 0 : A.extent().count());
    const bool rounded = storage_ != "double";
    Buffer<B, BlockState> states(be_, places.size());
    Buffer<B, double> conditions(be_, rounded ? places.size() : 0);
    const auto factorise = [&](const CsrView<T>& matrix) {
      factorise_blocks(be_, variant_, widest_, int(places.size()), 2.5 * double(values_.size()), matrix,
                       places_.data(), values_.data(), order_.data(), states.data(),
                       rounded ? conditions.data() : nullptr, A.facts().symmetric);
    };
    factorise(A.csr().view());
    const std::vector<BlockState> found = states.download();
    check_finite(places, found);
    const int singular = int(std::count(found.begin(), found.end(), BlockState::singular));
    if (singular > 0) {
      const Csr<B, T> without(be_, without_singular_blocks(A.csr().download(), places, found));
      factorise(without.view());
      check_finite(places, states.download());
    }
    if (rounded) round(places, conditions.download());
    count(places);
    distribution_.singular = singular;
  }

 private:
  static BlockVariant variant_of(const std::string& word) {
    return word == "lu"            ? BlockVariant::lu
           : word == "gauss-huard" ? BlockVariant::gauss_huard
                                   : BlockVariant::gauss_jordan;
  }

  void solve_blocks(const Vector& r, Vector& z, bool transposed) const {
    const char* label = transposed ? "z = M'^-1 r in blocks" : "z = M^-1 r in blocks";
    const double moved = distribution_.bytes + 2.0 * sizeof(T) * r.extent().count();
    if (variant_ == BlockVariant::gauss_jordan)
      each_block(be_, label, widest_, int(places_.size()), moved,
                 ApplyInverses<T>{places_.data(), values_.data(), transposed, r.data(), z.data()});
    else
      each_block(be_, label, widest_, int(places_.size()), moved,
                 ApplyFactors<T>{places_.data(), values_.data(), order_.data(),
                                 variant_ == BlockVariant::gauss_huard, transposed, r.data(), z.data()});
  }

  /// Only the pattern is copied to the host; fixed blocks need no columns.
  Blocks find_blocks(const Csr<B, T>& A, int rows) const {
    HostCsr pattern;
    pattern.rows = rows;
    pattern.start.resize(std::size_t(rows) + 1);
    be_.download(pattern.start.data(), A.view().start, pattern.start.size());
    if (!supervariable_) return fixed_blocks(pattern, bound_);
    pattern.column.resize(std::size_t(A.entries()));
    be_.download(pattern.column.data(), A.view().column, pattern.column.size());
    return supervariable_blocks(pattern, bound_);
  }

  /// In double precision at first; the blocks of empty rows are the identity.
  std::vector<BlockPlace> places_of(const Blocks& blocks) {
    std::vector<BlockPlace> places(blocks.count());
    widest_ = 1;
    for (int b = 0; b < blocks.count(); ++b) {
      places[b].first = blocks.first[b];
      places[b].size = static_cast<unsigned char>(blocks.size(b));
      if (blocks.empty[b]) places[b].format = BlockFormat::identity;
      widest_ = std::max(widest_, blocks.size(b));
    }
    return places;
  }

  static long word(BlockFormat f) {
    return f == BlockFormat::full ? 8 : f == BlockFormat::single ? 4 : f == BlockFormat::half ? 2 : 0;
  }
  /// Places each block at the begin of a sector of a GPU's memory (32 bytes), and allocates the memory.
  void store(std::vector<BlockPlace>& places) {
    long end = 0;
    for (BlockPlace& p : places) {
      p.at = end;
      end += (word(p.format) * p.size * p.size + 31) / 32 * 32;
    }
    places_ = Buffer<B, BlockPlace>(be_, places.size());
    places_.upload(places);
    values_ = Buffer<B, char>(be_, std::size_t(end));
  }

  static std::string name(const BlockPlace& p, std::size_t b) {
    return "block-jacobi: block " + std::to_string(b) + ", of rows " + std::to_string(p.first) + " to " +
           std::to_string(p.first + p.size - 1) + ",";
  }
  static void check_finite(const std::vector<BlockPlace>& places, const std::vector<BlockState>& states) {
    for (std::size_t b = 0; b < places.size(); ++b)
      if (states[b] == BlockState::not_finite)
        throw SolveError(name(places[b], b) + " or its inverse has entries that are not finite numbers");
  }
  /// The matrix with the diagonals of its singular blocks in place of these: scalar Jacobi, and the identity in rows
  /// whose diagonal is zero.
  static HostCsr without_singular_blocks(HostCsr A, const std::vector<BlockPlace>& places,
                                         const std::vector<BlockState>& states) {
    std::vector<char> in_one(std::size_t(A.rows), 0);
    for (std::size_t b = 0; b < places.size(); ++b)
      if (states[b] == BlockState::singular)
        std::fill_n(in_one.begin() + places[b].first, places[b].size, char(1));
    HostCsr replaced;
    replaced.rows = A.rows;
    for (int i = 0; i < A.rows; ++i) {
      double diagonal = 0;
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
        if (A.column[k] == i) diagonal += A.value[k];
        if (in_one[std::size_t(i)]) continue;
        replaced.column.push_back(A.column[k]);
        replaced.value.push_back(A.value[k]);
      }
      if (in_one[std::size_t(i)]) {
        replaced.column.push_back(i);
        replaced.value.push_back(diagonal == 0 ? 1 : diagonal);
      }
      replaced.start.push_back(int(replaced.column.size()));
    }
    return replaced;
  }

  /// Stores the inverses in less than double precision.
  void round(std::vector<BlockPlace>& places, const std::vector<double>& conditions) {
    const Buffer<B, BlockPlace> from = std::move(places_);
    const Buffer<B, char> values = std::move(values_);
    for (std::size_t b = 0; b < places.size(); ++b)
      if (BlockPlace& p = places[b]; p.format != BlockFormat::identity) {
        p.format = storage_ == "half"     ? BlockFormat::half
                   : storage_ == "single" ? BlockFormat::single
                                          : format_for_condition(conditions[b]);
        if (rounding(p.format) * conditions[b] >= 1)
          throw SolveError(name(p, b) + " has the condition number " + std::to_string(conditions[b]) +
                           ", and rounded to 'storage: " + storage_ +
                           "' its inverse may be singular; write storage: adaptive, or double");
      }
    store(places);
    const RoundBlocks f{from.data(), values.data(), places_.data(), values_.data()};
    each_block(be_, "round blocks", widest_, int(places.size()), double(values.size() + values_.size()), f);
  }
  static double rounding(BlockFormat f) {
    return f == BlockFormat::half ? 0x1p-11 : f == BlockFormat::single ? 0x1p-24 : 0;
  }

  void count(const std::vector<BlockPlace>& places) {
    distribution_ = {};
    distribution_.bytes = double(values_.size()) + double(sizeof(BlockPlace) * places.size());
    for (const BlockPlace& p : places) {
      int& count = p.format == BlockFormat::half     ? distribution_.half
                   : p.format == BlockFormat::single ? distribution_.single
                   : p.format == BlockFormat::full   ? distribution_.full
                                                     : distribution_.identity;
      ++count;
      distribution_.stored += double(word(p.format) * p.size * p.size);
    }
  }

  B& be_;
  const int bound_;
  const bool supervariable_;
  const BlockVariant variant_;
  const std::string storage_;
  int widest_ = 1;
  Buffer<B, BlockPlace> places_;
  Buffer<B, char> values_;          // inverses or factors
  Buffer<B, unsigned char> order_;  // of the pivots, with factors
  BlockDistribution distribution_;
};

}  // namespace wavesim
