#pragma once
// What changes the energy in a step: work of the sources, damping, what leaves the domain, and the work of what a
// solve leaves of its residual (docs/math.md, section 5, (9b)).

#include "kernels/reduce/reduce.hpp"
#include "sim/time/energy_on.hpp"
#include "sim/time/step_system.hpp"
#include "sim/time/terms.hpp"

namespace wavesim {

/// x a + y b of two fields, at any point.
template <class T>
struct TwoFields {
  const T *x, *y;
  double a, b;
  HD double operator[](int i) const { return a * double(x[i]) + b * double(y[i]); }
};
/// What K acts on: a u(n) + b u(n+1) + c (p(n+1) - p(n)).
template <class T>
struct ActedOn {
  const T *u, *u_to, *p, *p_to;
  double a, b, c;
  HD double operator[](int i) const {
    return a * double(u[i]) + b * double(u_to[i]) + c * (double(p_to[i]) - double(p[i]));
  }
};

template <class B, class T, class Coefficients>
class BalanceOn {
 public:
  using Vector = Field<B, T>;
  BalanceOn(const WaveOn<B, T, Coefficients>& wave, const Unknowns& unknowns,
            const std::vector<OutflowPoint>& outflow)
      : wave_(wave),
        domain_(outside_layers(wave.setup.model, unknowns)),
        u_(wave.backend, unknowns.extent),
        p_(wave.backend, unknowns.extent),
        sums_(wave.backend, 1),
        single_(wave.backend, 2 + wave.forces.count()),
        outflow_(vector_extent(int(outflow.size()))),
        outflow_at_(wave.backend, std::size_t(outflow_.count())),
        outflow_share_(wave.backend, std::size_t(outflow_.count())) {
    std::vector<int> at(std::size_t(outflow_.count()), -1);
    std::vector<double> share(at.size(), 0);
    for (std::size_t k = 0; k < outflow.size(); ++k)
      at[k] = unknowns.extent.index(outflow[k].index), share[k] = outflow[k].share;
    single_.upload(std::vector<Sum<1>>(2 + wave.forces.count()));  // what is empty stays 0
    outflow_at_.upload(at);
    outflow_share_.upload(share);
  }

  /// Keeps u(n) and p(n).
  void before_step() {
    copy(wave_.state.u, u_);
    copy(wave_.state.p, p_);
  }

  /// Of the step that was just done; times m_ref dx dy: joules.
  EnergyChange after_step(const StepForm& form, long n, double reference_mass) {
    const StepperSetup& setup = wave_.setup;
    const bool three_levels = setup.scheme.step.carry == 1;
    EnergyChange change;
    change.begins = three_levels && n == 0;  // the energy of three levels needs two of them
    if (change.begins) return change;
    const T *u = u_.data(), *p = p_.data(), *u_to = wave_.state.u.data(), *p_to = wave_.state.p.data();
    const double carry = form.carry;
    // d = (p(n+1) + (carry - 1) p(n)) / carry, to the last digit; e = d, with three levels d + p(n)
    const TwoFields<T> e{p_to, p, 1 / carry, three_levels ? 1 : (carry - 1) / carry},
        q{p_to, p, 1 / carry, (carry - 1) / carry - 1};  // d - p(n)
    const ActedOn<T> w = three_levels ? ActedOn<T>{u, u_to, p, p_to, 1, 0, form.implicit_weight}
                                      : ActedOn<T>{u, u_to, p, p_to, 0.25, 0.25, 0};
    sum_products(e, q, w);
    sum_work(form, n, e);
    const Sum<5> s = sums_.download()[0];
    const std::vector<Sum<1>> single = single_.download();
    const auto [eMq, qMe, strained, eKw, eDe] = s.v;
    double work = 0;
    for (std::size_t k = 2; k < single.size(); ++k) work += single[k].v[0];
    const double pml = single[0].v[0], absorbed = 0.5 * single[1].v[0];
    const double through_border = wave_.pml.any() ? 0.5 * (qMe - eMq) + strained - eKw : 0;
    const double acted = wave_.pml.any() ? eKw : strained;  // the latter in differences, which do not cancel
    const Grid& g = setup.model.grid;
    const double joules = (three_levels ? 0.5 : 2) * reference_mass * g.spacing[0] * g.spacing[1] /
                          (setup.plan.dt * setup.plan.dt);
    change.sources = joules * work;
    change.damping = joules * (0.5 * eDe - absorbed);
    change.outflow = joules * (absorbed - pml - through_border);
    change.residual = joules * (eMq + 0.5 * eDe + acted - work - pml);
    return change;
  }

  // Public for nvcc, which takes kernels from public members only.
  void copy(const Vector& from, Vector& to) {
    wave_.backend.map(
        "copy for the balance", from.extent(), [] KERNEL(const T& v, T& to) { to = v; }, from.in(), to.out());
  }
  /// Over the domain: <e, M q>, <q, M e>, the energies' own <e, K w> and that of rows, <e, D e>.
  void sum_products(TwoFields<T> e, TwoFields<T> q, ActedOn<T> w) {
    const Coefficients c = wave_.medium.view();
    const Domain domain = domain_;
    wave_.backend.rows_sum(
        "terms of the balance", u_.extent(), (4 + Coefficients::words) * sizeof(T), sums_.data(),
        [=] KERNEL(Row r) {
          const double share = domain.share(r);
          if (share == 0) return Sum<5>{};
          const auto at = c.at(r);
          const Topology& t = c.topology;
          const double se = share * e[r.i], sq = share * q[r.i];
          return Sum<5>{{se * massive(at, t, r, q), sq * massive(at, t, r, e), share * strain(at, t, r, e, w),
                         se * stiff(at, t, r, w), se * damped(at, t, r, e)}};
        },
        NoEpilogue{});
  }
  /// Of the forces, of the pml's forces, and of the damping that is outflow: <e, f>, <e, f>, <e, D e>.
  void sum_work(const StepForm& form, long n, TwoFields<T> e) {
    const Domain domain = domain_;
    const RowStarts starts = u_.extent().starts();
    const auto share = [=] KERNEL(int i) { return domain.share(row_at(i, starts)) * e[i]; };
    const double dt = wave_.setup.plan.dt;
    wave_.pml.work(single_.data(), share);
    wave_.forces.work(force_weights(form), dt * double(n), dt, single_.data() + 2, share);
    const Coefficients c = wave_.medium.view();
    const int* at = outflow_at_.data();
    const double* part = outflow_share_.data();
    if (outflow_.ny == 0) return;
    wave_.backend.rows_sum(
        "damping that is outflow", outflow_, sizeof(int) + sizeof(double) + 2 * sizeof(T), single_.data() + 1,
        [=] KERNEL(Row r) {
          const int i = at[r.i];
          if (i < 0) return Sum<1>{};
          const Row row = row_at(i, starts);
          return Sum<1>{{part[r.i] * share(i) * damped(c.at(row), c.topology, row, e)}};
        },
        NoEpilogue{});
  }

 private:
  const WaveOn<B, T, Coefficients>& wave_;
  const Domain domain_;
  Vector u_, p_;
  Buffer<B, Sum<5>> sums_;
  Buffer<B, Sum<1>> single_;  // of the pml, of the outflow by damping, of each force
  Extent outflow_;
  Buffer<B, int> outflow_at_;
  Buffer<B, double> outflow_share_;
};

}  // namespace wavesim
