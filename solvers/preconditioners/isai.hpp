#pragma once
// Incomplete sparse approximate inverses of incomplete factors (Anzt, Huckle, Braeckle & Dongarra, Parallel
// Computing 71, 2018): two products with sparse matrices in place of two triangular solves, so that no row
// waits for another. M^-1 = W' W with W ~ L^-1 from IC(0) if A is symmetric, else W_U W_L from ILU(0).

#include "solvers/incomplete.hpp"
#include "solvers/option_list.hpp"
#include "solvers/preconditioner.hpp"
#include "solvers/row_operator.hpp"

namespace wavesim {

template <class B, class T>
class Isai final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  Isai(B& backend, const Operator<B, T>& A, const PreconditionerOptions& o)
      : be_(backend), between_(backend, A.extent()), power_(o.choices.count(option::power)) {}

  void set_up(const Operator<B, T>& A) override {
    const HostCsr host = A.csr().download();
    if (A.facts().symmetric) {
      const HostCsr W = isai(ic0(host), true, power_);
      first_ = Csr<B, T>(be_, W);
      second_ = Csr<B, T>(be_, transpose(W));
    } else {
      const HostCsr F = ilu0(host);
      first_ = Csr<B, T>(be_, isai(triangle_of(F, true, true), true, power_));
      second_ = Csr<B, T>(be_, isai(triangle_of(F, false, false), false, power_));
    }
  }

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    const CsrView<T> W = first_.view(), V = second_.view();
    const T *rs = r.data(), *ys = between_.data();
    const double points = double(r.extent().points()), word = sizeof(T);
    const auto bytes = [&](const Csr<B, T>& m) {
      return double(m.entries()) * (word + sizeof(int)) / points + sizeof(int) + word;
    };
    be_.rows(
        "y = W r", r.extent(), bytes(first_), [=] HD(Row i, T & yi) { yi = W.row(i, Gather<T>{rs}); },
        between_.out());
    be_.template rows_sum<Matrix::read>(
        "z = V y, <r, z>", r.extent(), bytes(second_) + word, reinterpret_cast<Sum<1>*>(rz),
        [=] HD(Row i, T & zi) {
          zi = V.row(i, Gather<T>{ys});
          return Sum<1>{{double(rs[i.i]) * zi}};
        },
        [=] HD(const Sum<1>&) { after(); }, z.out());
  }

 private:
  B& be_;
  Vector between_;
  Csr<B, T> first_, second_;
  int power_;
};

}  // namespace wavesim
