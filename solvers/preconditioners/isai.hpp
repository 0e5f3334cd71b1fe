#pragma once
// Incomplete sparse approximate inverses of incomplete factors (Anzt, Huckle, Braeckle & Dongarra, Parallel
// Computing 71, 2018): two products with sparse matrices in place of two triangular solves, so that no row
// waits for another. M^-1 = W' W with W ~ L^-1 from IC(0) if A is symmetric, else W_U W_L from ILU(0).

#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/preconditioner.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/formats/row_operator.hpp"

namespace wavesim {

template <class B, class T>
class Isai final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  Isai(B& backend, const Operator<B, T>& A, const PreconditionerOptions& o)
      : be_(backend),
        between_(backend, A.extent()),
        power_(o.choices.count(option::power)),
        sweeps_(o.choices.count(option::factor_sweeps)) {}

  void set_up(const Operator<B, T>& A) override {
    const Csr<B, T>& csr = A.csr();
    const int n = A.extent().count();
    Levels<B> levels;
    if (A.facts().symmetric) {
      const SparseRows<B> L = sweeps_ > 0 ? ic0_by_sweeps(be_, csr, n, sweeps_) : ic0(be_, csr, n, levels);
      SparseRows<B> W = isai(be_, L, Triangle::lower, power_);
      second_.take(be_, transposed(be_, W));
      first_.take(be_, std::move(W));
    } else {
      const SparseRows<B> F = sweeps_ > 0 ? ilu0_by_sweeps(be_, csr, n, sweeps_) : ilu0(be_, csr, n, levels);
      const auto inverse = [&](Triangle side) {
        return isai(be_, triangle_of(be_, F, side, side == Triangle::lower), side, power_);
      };
      first_.take(be_, inverse(Triangle::lower));
      second_.take(be_, inverse(Triangle::upper));
    }
  }

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    const CsrView<T> W = first_.view(), V = second_.view();
    const T *rs = r.data(), *ys = between_.data();
    const double points = double(r.extent().points()), word = sizeof(T);
    const auto bytes = [&](const Rows& m) {
      return m.entries() * (word + sizeof(int)) / points + sizeof(int) + word;
    };
    be_.rows(
        "y = W r", r.extent(), bytes(first_), [=] KERNEL(Row i, T & yi) { yi = W.row(i, Gather<T>{rs}); },
        between_.out());
    be_.template rows_sum<Matrix::read>(
        "z = V y, <r, z>", r.extent(), bytes(second_) + word, reinterpret_cast<Sum<1>*>(rz),
        [=] KERNEL(Row i, T & zi) {
          zi = V.row(i, Gather<T>{ys});
          return Sum<1>{{double(rs[i.i]) * zi}};
        },
        [=] KERNEL(const Sum<1>&) { after(); }, z.out());
  }

 private:
  /// A sparse matrix in T.
  struct Rows {
    Buffer<B, int> start, column;
    Buffer<B, T> value;

    void take(B& be, SparseRows<B> m) {
      value = values_in<T>(be, m);
      start = std::move(m.start);
      column = std::move(m.column);
    }
    CsrView<T> view() const { return {0, start.data(), column.data(), value.data(), {}}; }
    double entries() const { return double(column.size()); }
  };

  B& be_;
  Vector between_;
  Rows first_, second_;
  int power_, sweeps_;
};

}  // namespace wavesim
