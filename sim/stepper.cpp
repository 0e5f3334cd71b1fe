// Compiled twice: by the host compiler for OpenMP, and through stepper.cu for CUDA.
#include "sim/stepper.hpp"

#include <cmath>
#include <limits>

#include "kernels/backend.hpp"
#include "kernels/errors.hpp"
#include "kernels/stopwatch.hpp"
#include "solvers/registry.hpp"

namespace wavesim {

namespace {

/// (K u)_i of the five-point stiffness.
template <class T, class Get>
HD T stiffness(const Point<T>& c, const Topology& t, Row r, const Get& u) {
  T sum = c.held() * u(r.i);
  sum = std::fma(-Point<T>::coupling(c.south), u(t.south(r)), sum);
  sum = std::fma(-Point<T>::coupling(c.west), u(t.west(r)), sum);
  sum = std::fma(-Point<T>::coupling(c.east), u(t.east(r)), sum);
  return std::fma(-Point<T>::coupling(c.north), u(t.north(r)), sum);
}

template <class T>
struct At {
  const T* u;
  HD T operator()(int j) const { return u[j]; }
};

/// The share of u'K v that belongs to point i: half of each coupling, all of what holds it to a fixed
/// neighbour.
template <class T>
HD double strain(const Point<T>& c, const Topology& t, Row r, const T* u, const T* v) {
  double sum = 0;
  const T faces[4] = {c.south, c.west, c.east, c.north};
  const int neighbours[4] = {t.south(r), t.west(r), t.east(r), t.north(r)};
  for (int k = 0; k < 4; ++k) {
    if (faces[k] > 0)
      sum +=
          0.5 * double(faces[k]) * (double(u[r.i]) - u[neighbours[k]]) * (double(v[r.i]) - v[neighbours[k]]);
    else
      sum -= double(faces[k]) * double(u[r.i]) * double(v[r.i]);
  }
  return sum;
}

/// What lies on the sides that are no unknowns, and the share of a cell along those that are.
struct EdgeValues {
  double value[4], half[4];
};

template <class B, class T, class Coefficients>
class StepperOn final : public Stepper {
  using Vector = Field<B, T>;

 public:
  explicit StepperOn(const StepperSetup& setup)
      : setup_(setup),
        unknowns_(make_unknowns(setup.model)),
        e_(unknowns_.extent),
        host_(make_coefficients(setup.model, unknowns_, setup.plan.dt)),
        u_(be_, e_),
        p_(be_, e_),
        b_(be_, e_),
        d_(be_, e_),
        norms_(be_, 2),
        energy_(be_, 1),
        assembly_(be_),
        solve_(be_) {
    upload_coefficients();
    initial_state();
    if (setup.track_maximum) maximum_ = Vector(be_, e_);
    if (setup.track_arrival) arrival_ = Vector(be_, e_);
    A_ = make_operator<B, T>(setup.format, be_, e_, c_);
    if (setup.scheme.solves || setup.scheme.start.implicit_weight > 0) {
      solver_ = make_solver<B, T>(setup.solver, be_, *A_);
      preconditioner_ = make_preconditioner<B, T>(setup.solver.preconditioner, be_, e_);
    }
    forces();
    receivers();
    if (setup.track_arrival)
      arrival_.memory().upload(std::vector<T>(arrival_.memory().size(), T(NAN)));  // not yet
    if (setup.track_maximum || setup.track_arrival) track(0);
  }

  StepResult step(long n) override {
    StepResult result;
    assembly_.start();
    const StepForm& form = assemble(n);
    right_hand_side(form, n);
    assembly_.stop();

    solve_.start();
    if (form.implicit_weight > 0) {
      const bool zero = !setup_.extrapolate || n == 0;
      if (zero) be_.zero(d_.memory().data(), d_.memory().size());
      const Norms* reference = nullptr;
      if (setup_.solver.norm != "increment") reference = norm_of_whole_right_hand_side();
      result.report = solver_->solve(*A_, preconditioner_.get(), b_, d_, zero, reference);
    } else {
      explicit_increment(result.report, n);
    }
    advance(form);
    solve_.stop();
    if (setup_.track_maximum || setup_.track_arrival) track(setup_.plan.dt * double(n + 1));
    result.solve_seconds = solve_.seconds();
    result.assembly_seconds = assembly_.seconds();
    return result;
  }

  /// Energy over (m_ref dx dy / dt^2): first-order form  p'Mp / 2 + u'Ku / 2;  three levels  d'Md / 2 +
  /// u(n+1)'K u(n) / 2 + th d'Kd / 2 for w+ = w- = th;  two-level  d'Md / 2 + u(n+1)'K u(n+1) / 2.
  double energy() override {
    const Coefficients c = c_;
    const T *u = u_.data(), *p = p_.data();
    be_.rows_sum(
        "energy", e_, 2 * sizeof(T) + Coefficients::words * sizeof(T), energy_.data(),
        [=] HD(Row r) {
          const Point<T> at = c.at(r);
          return Sum<4>{{double(at.mass) * p[r.i] * p[r.i], strain(at, c.topology, r, u, u),
                         strain(at, c.topology, r, u, p), strain(at, c.topology, r, p, p)}};
        },
        NoTail{});
    const Sum<4> s = energy_.download()[0];
    const double pMp = s.v[0], uKu = s.v[1], uKp = s.v[2], pKp = s.v[3];
    const auto& w = setup_.scheme.weights;
    const bool first_order = setup_.scheme.step.carry == 2;
    double twice = pMp + uKu;
    if (!first_order && w[2] == w[0]) twice += w[0] * pKp - uKp;  // u(n)'K u(n+1) = u'Ku - u'Kd
    const Grid& g = setup_.model.grid;
    return 0.5 * twice * host_.reference_mass * g.spacing[0] * g.spacing[1] /
           (setup_.plan.dt * setup_.plan.dt);
  }

  double largest_displacement() override {
    be_.map_sum(
        "|u|", e_.count(), norms_.data(), [] HD(const T& u) { return Norms::of(u); }, NoTail{}, u_.in());
    return norms_.download()[0].largest;
  }

  void read(Quantity q, const Window& w, double t, std::vector<float>& v) override { read_as(q, w, t, v); }
  void read(Quantity q, const Window& w, double t, std::vector<double>& v) override { read_as(q, w, t, v); }

  bool sample(double t) override {
    const int n = receiver_extent_.nx;
    if (n == 0) return true;
    if (kept_.size() == kept_limit) return false;
    const int* index = receiver_index_.data();
    const double* weight = receiver_weight_.data();
    const T* u = u_.data();
    const int pitch = receiver_extent_.pitch;
    be_.rows(
        "receivers", receiver_extent_, 4 * (sizeof(T) + sizeof(double) + sizeof(int)),
        [=] HD(Row r, double& s) {
          s = 0;
          for (int k = 0; k < 4; ++k)
            if (index[k * pitch + r.i] >= 0) s += weight[k * pitch + r.i] * double(u[index[k * pitch + r.i]]);
        },
        Out<double>{samples_.data() + kept_.size() * std::size_t(pitch)});
    kept_.push_back(t);
    return true;
  }

  std::vector<std::vector<double>> samples() override {
    std::vector<std::vector<double>> rows;
    if (!kept_.empty()) {
      std::vector<double> all(kept_.size() * std::size_t(receiver_extent_.pitch));
      be_.download(all.data(), samples_.data(), all.size());
      for (std::size_t k = 0; k < kept_.size(); ++k) {
        const double* row = all.data() + k * std::size_t(receiver_extent_.pitch);
        rows.emplace_back(row, row + receiver_extent_.nx);
        for (std::size_t r = 0; r < rows[k].size(); ++r)
          for (int side = 0; side < 4; ++side)
            if (edge_share_[r][side] != 0) rows[k][r] += edge_share_[r][side] * edge_value(side, kept_[k]);
      }
      kept_.clear();
    }
    return rows;
  }

  const Tally& tally() const override { return const_cast<B&>(be_).tally(); }

  System system(long n) override {
    const StepForm form = assemble(n);
    right_hand_side(form, n);
    const std::vector<T> b = b_.memory().download(), u = u_.memory().download();
    const std::vector<int> points = point_list();
    System s;
    Vector x(be_, e_), y(be_, e_);
    for (int i : points) {
      std::vector<T> unit(x.memory().size(), T(0));
      unit[i + e_.pitch] = 1;
      x.memory().upload(unit);
      A_->apply(x, y);
      const std::vector<T> column = y.memory().download();
      s.A.emplace_back();
      for (int j : points)
        s.A.back().push_back(double(column[j + e_.pitch]));  // A is symmetric: a column is a row
    }
    for (std::size_t k = 0; k < points.size(); ++k) {
      double sum = double(b[points[k] + e_.pitch]);
      for (std::size_t j = 0; j < points.size(); ++j) sum += s.A[k][j] * double(u[points[j] + e_.pitch]);
      s.b.push_back(sum);
    }
    return s;
  }

  // --- the parts of a step; public, because nvcc wants the enclosing function of a device lambda to be
  // -----------------

  const StepForm& assemble(long n) {
    const StepForm& form = n == 0 ? setup_.scheme.start : setup_.scheme.step;
    if (setup_.assemble_each_step || form.implicit_weight != assembled_weight_) {
      A_->assemble(0.5, form.implicit_weight);  // A = M + D/2 + w+ K
      assembled_weight_ = form.implicit_weight;
    }
    return form;
  }

  /// b = M p - beta D p + gamma K p - delta K u + forces
  void right_hand_side(const StepForm& form, long n) {
    const Coefficients c = c_;
    const T *u = u_.data(), *p = p_.data();
    const T beta = T(form.beta_dt), gamma = T(form.gamma), delta = T(form.delta);
    const bool older = form.gamma != 0;
    be_.rows(
        "b = M p - beta D p + gamma K p - delta K u", e_, (2 + Coefficients::words) * sizeof(T),
        [=] HD(Row r, T & b) {
          const Point<T> at = c.at(r);
          T sum = (at.mass - beta * at.damping) * p[r.i];
          if (older) sum = std::fma(gamma, stiffness(at, c.topology, r, At<T>{p}), sum);
          b = std::fma(-delta, stiffness(at, c.topology, r, At<T>{u}), sum);
        },
        b_.out());
    const double dt = setup_.plan.dt, t = dt * double(n);
    for (std::size_t k = 0; k < host_.forces.size(); ++k) {
      const Force& f = host_.forces[k];
      const auto& w = form.force;
      add_force(k, (w[0] != 0 ? w[0] * f.value(t + dt) : 0) + (w[1] != 0 ? w[1] * f.value(t) : 0) +
                       (w[2] != 0 ? w[2] * f.value(t - dt) : 0));
    }
  }

  void add_force(std::size_t k, double s) {
    const DeviceForce& f = forces_[k];
    if (f.extent.nx == 0 || s == 0) return;
    T* b = b_.data();
    const int* index = f.index.data();
    const double* weight = f.weight.data();
    be_.rows("b += s(t) g", f.extent, sizeof(int) + sizeof(double) + 2 * sizeof(T),
             [=] HD(Row r) { b[index[r.i]] = T(b[index[r.i]] + s * weight[r.i]); });
  }

  /// Norms of b + A u, the right-hand side of the system for u(n+1).
  const Norms* norm_of_whole_right_hand_side() {
    const Coefficients c = c_;
    const T *u = u_.data(), *b = b_.data();
    const T weight = T(assembled_weight_);
    be_.rows_sum(
        "|b + A u|", e_, (2 + Coefficients::words) * sizeof(T), norms_.data(),
        [=] HD(Row r) {
          const Point<T> at = c.at(r);
          const T mass = at.mass + T(0.5) * at.damping;
          return Norms::of(b[r.i] + std::fma(weight, stiffness(at, c.topology, r, At<T>{u}), mass * u[r.i]));
        },
        NoTail{});
    return norms_.data();
  }

  /// d = b / (M + D/2): the explicit step. Its norms are looked at every hundredth step: an unstable run ends
  /// soon enough.
  void explicit_increment(Report& report, long n) {
    const Coefficients c = c_;
    const T* b = b_.data();
    be_.rows_sum(
        "d = b / (M + D/2)", e_, (1 + Coefficients::words) * sizeof(T), norms_.data(),
        [=] HD(Row r, T & d) {
          const Point<T> at = c.at(r);
          d = b[r.i] / (at.mass + T(0.5) * at.damping);
          return Norms::of(d);
        },
        NoTail{}, d_.out());
    report.status = Status::converged;
    if (n % 100 == 99 || n + 1 == setup_.plan.steps)
      if (!Control::finite(norms_.download()[0])) report.status = Status::not_finite;
  }

  /// u += d, p = carry d + (1 - carry) p
  void advance(const StepForm& form) {
    if (form.carry == 1) {
      be_.map(
          "u += d, p = d", e_.count(),
          [] HD(const T& d, T& u, T& p) {
            u += d;
            p = d;
          },
          d_.in(), u_.inout(), p_.out());
      return;
    }
    const T carry = T(form.carry);
    be_.map(
        "u += d, p = carry d + (1 - carry) p", e_.count(),
        [=] HD(const T& d, T& u, T& p) {
          u += d;
          p = std::fma(carry, d, (T(1) - carry) * p);
        },
        d_.in(), u_.inout(), p_.inout());
  }

  void track(double t) {
    const T time = T(t), threshold = T(setup_.arrival_threshold);
    if (setup_.track_maximum)
      be_.map(
          "max |u|", e_.count(),
          [] HD(const T& u, T& m) {
            const T size = u < 0 ? -u : u;
            m = size > m ? size : m;
          },
          u_.in(), maximum_.inout());
    if (setup_.track_arrival)
      be_.map(
          "arrival", e_.count(),
          [=] HD(const T& u, T& a) {
            const T size = u < 0 ? -u : u;
            a = a != a && size > threshold ? time : a;
          },
          u_.in(), arrival_.inout());
  }

  template <class P>
  void read_as(Quantity quantity, const Window& w, double t, std::vector<P>& values) {
    const Extent out = make_extent(int(w.count[0]), int(w.count[1]));
    Field<B, P>& stage = staging<P>(out);
    const Coefficients c = c_;
    const T *u = u_.data(), *p = p_.data(), *m = maximum_.extent().nx ? maximum_.data() : nullptr,
            *a = arrival_.extent().nx ? arrival_.data() : nullptr;
    const Extent e = e_;
    const int stride = int(w.stride), x0 = int(w.first[0] - unknowns_.first[0]),
              y0 = int(w.first[1] - unknowns_.first[1]);
    const bool wrap_x = unknowns_.topology.wrap_x != 0, wrap_y = unknowns_.topology.wrap_y != 0;
    EdgeValues edges;
    for (int side = 0; side < 4; ++side) {
      edges.value[side] = quantity == Quantity::displacement ? edge_value(side, t) : 0;
      edges.half[side] = host_.half[side];
    }
    const double dt = setup_.plan.dt, density = host_.reference_mass / (dt * dt);
    be_.rows(
        "read", out, sizeof(T),
        [=] HD(Row o, P & v) {
          Row r;
          r.col = x0 + o.col * stride;
          r.row = y0 + o.row * stride;
          if (wrap_x && r.col >= e.nx) r.col -= e.nx;
          if (wrap_y && r.row >= e.ny) r.row -= e.ny;
          r.pitch = e.pitch;
          r.i = r.row * e.pitch + r.col;
          if (r.col < 0 || r.col >= e.nx || r.row < 0 || r.row >= e.ny) {
            v = P(r.col < 0       ? edges.value[0]
                  : r.col >= e.nx ? edges.value[1]
                  : r.row < 0     ? edges.value[2]
                                  : edges.value[3]);
          } else if (quantity == Quantity::displacement) {
            v = P(u[r.i]);
          } else if (quantity == Quantity::velocity) {
            v = P(double(p[r.i]) / dt);
          } else if (quantity == Quantity::max_displacement) {
            v = P(m[r.i]);
          } else if (quantity == Quantity::arrival_time) {
            v = P(a[r.i]);
          } else {
            const Point<T> at = c.at(r);
            const double share = (r.col == 0 ? edges.half[0] : 1) * (r.col == e.nx - 1 ? edges.half[1] : 1) *
                                 (r.row == 0 ? edges.half[2] : 1) * (r.row == e.ny - 1 ? edges.half[3] : 1);
            v = P(0.5 * density * (double(at.mass) * p[r.i] * p[r.i] + strain(at, c.topology, r, u, u)) /
                  share);
          }
        },
        stage.out());
    const std::vector<P> padded = stage.memory().download();
    values.resize(std::size_t(out.nx) * out.ny);
    for (int row = 0; row < out.ny; ++row)
      std::copy_n(padded.begin() + std::size_t(row + 1) * out.pitch, out.nx,
                  values.begin() + std::size_t(row) * out.nx);
  }

 private:
  struct DeviceForce {
    Extent extent;
    Buffer<B, int> index;
    Buffer<B, double> weight;
  };
  static constexpr std::size_t kept_limit = 256;

  template <class P>
  Field<B, P>& staging(Extent out) {
    Field<B, P>& stage = [this]() -> Field<B, P>& {
      if constexpr (std::is_same_v<P, float>)
        return stage_single_;
      else
        return stage_double_;
    }();
    if (stage.extent().nx != out.nx || stage.extent().ny != out.ny) stage = Field<B, P>(be_, out);
    return stage;
  }

  /// The value of the nodes on a side that is no unknown.
  double edge_value(int side, double t) const {
    const EdgeCondition& edge = setup_.model.edges[side];
    return edge.kind == EdgeCondition::driven && edge.driven_by ? edge.driven_by->at(t) : 0;
  }

  static std::vector<T> cast(const std::vector<double>& v) { return std::vector<T>(v.begin(), v.end()); }

  void upload_coefficients() {
    if constexpr (std::is_same_v<Coefficients, UniformCoefficients<T>>) {
      const auto& h = host_.uniform;
      c_.topology = h.topology;
      c_.mass = T(h.mass);
      c_.damping = T(h.damping);
      c_.face_x = T(h.face_x);
      c_.face_y = T(h.face_y);
      for (int side = 0; side < 4; ++side) {
        c_.edge[side] = T(h.edge[side]);
        c_.half[side] = T(h.half[side]);
        c_.radiation[side] = T(h.radiation[side]);
      }
    } else {
      const auto field = [&](const std::vector<double>& v, Vector& f) {
        f = Vector(be_, e_);
        f.memory().upload(cast(v));
        return const_cast<const T*>(f.data());
      };
      c_ = {unknowns_.topology, field(host_.mass, mass_),
            host_.damping.empty() ? nullptr : field(host_.damping, damping_), field(host_.east, east_),
            field(host_.north, north_)};
      for (auto* v : {&host_.mass, &host_.damping, &host_.east, &host_.north}) std::vector<double>().swap(*v);
    }
  }

  void initial_state() {
    const Model& m = setup_.model;
    const auto fill = [&](const NodeField& f, double scale, Vector& to) {
      if (f.uniform() && f.constant == 0) return;
      std::vector<T> v(to.memory().size(), T(0));
      for (int row = 0; row < e_.ny; ++row)
        for (int col = 0; col < e_.nx; ++col) {
          const std::size_t i = m.grid.index(unknowns_.first[0] + col, unknowns_.first[1] + row);
          if (m.region.empty() || is_inside(m.region[i]))
            v[std::size_t(row + 1) * e_.pitch + col] = T(scale * f[i]);
        }
      to.memory().upload(v);
    };
    fill(m.displacement, 1, u_);
    fill(m.velocity, setup_.plan.dt, p_);
  }

  void forces() {
    for (const Force& f : host_.forces) {
      const Extent e = make_extent(int(f.index.size()), 1);
      DeviceForce d{e, Buffer<B, int>(be_, e.pitch), Buffer<B, double>(be_, e.pitch)};
      if (e.nx > 0) {
        d.index.upload(f.index);
        d.weight.upload(f.weight);
      }
      forces_.push_back(std::move(d));
    }
  }

  void receivers() {
    const Model& m = setup_.model;
    receiver_extent_ = make_extent(int(m.receivers.size()), 1);
    if (m.receivers.empty()) return;
    const std::size_t pitch = receiver_extent_.pitch;
    std::vector<int> index(4 * pitch, -1);
    std::vector<double> weight(4 * pitch, 0);
    const long nodes_x = m.grid.nodes(0);
    for (std::size_t r = 0; r < m.receivers.size(); ++r) {
      edge_share_.push_back({0, 0, 0, 0});
      for (std::size_t k = 0; k < 4; ++k) {
        const long ix = long(m.receivers[r].node[k] % std::size_t(nodes_x));
        const long iy = long(m.receivers[r].node[k] / std::size_t(nodes_x));
        index[k * pitch + r] = unknowns_.index(ix, iy);
        weight[k * pitch + r] = m.receivers[r].weight[k];
        if (index[k * pitch + r] < 0) {
          const int side = ix < unknowns_.first[0]                         ? left
                           : ix >= unknowns_.first[0] + unknowns_.count[0] ? right
                           : iy < unknowns_.first[1]                       ? bottom
                                                                           : top;
          edge_share_[r][side] += m.receivers[r].weight[k];
        }
      }
    }
    receiver_index_ = Buffer<B, int>(be_, index.size());
    receiver_weight_ = Buffer<B, double>(be_, weight.size());
    receiver_index_.upload(index);
    receiver_weight_.upload(weight);
    samples_ = Buffer<B, double>(be_, kept_limit * pitch);
  }

  std::vector<int> point_list() const {
    std::vector<int> points;
    for (int row = 0; row < e_.ny; ++row)
      for (int col = 0; col < e_.nx; ++col) points.push_back(row * e_.pitch + col);
    return points;
  }

  const StepperSetup setup_;
  B be_;
  Unknowns unknowns_;
  Extent e_;
  HostCoefficients host_;
  Coefficients c_{};
  Vector mass_, damping_, east_, north_;
  Vector u_, p_, b_, d_, maximum_, arrival_;
  Buffer<B, Norms> norms_;
  Buffer<B, Sum<4>> energy_;
  std::unique_ptr<FivePointOperator<B, T>> A_;
  std::unique_ptr<Solver<B, T>> solver_;
  std::unique_ptr<Preconditioner<B, T>> preconditioner_;
  std::vector<DeviceForce> forces_;
  Extent receiver_extent_;
  Buffer<B, int> receiver_index_;
  Buffer<B, double> receiver_weight_, samples_;
  std::vector<std::array<double, 4>> edge_share_;
  std::vector<double> kept_;
  Field<B, float> stage_single_;
  Field<B, double> stage_double_;
  Stopwatch<B> assembly_, solve_;
  double assembled_weight_ = -1;
};

template <class B, class T>
std::unique_ptr<Stepper> make_stepper(const StepperSetup& setup) {
  const Model& m = setup.model;
  if (m.mass.uniform() && m.tension.uniform() && m.damping.uniform() && m.region.empty())
    return std::make_unique<StepperOn<B, T, UniformCoefficients<T>>>(setup);
  return std::make_unique<StepperOn<B, T, VariableCoefficients<T>>>(setup);
}

}  // namespace

#ifdef __CUDACC__
std::unique_ptr<Stepper> make_cuda_stepper(bool single, const StepperSetup& setup) {
  return single ? make_stepper<Cuda, float>(setup) : make_stepper<Cuda, double>(setup);
}
#else
std::unique_ptr<Stepper> make_host_stepper(bool single, const StepperSetup& setup) {
  return single ? make_stepper<Host, float>(setup) : make_stepper<Host, double>(setup);
}
#endif

}  // namespace wavesim
