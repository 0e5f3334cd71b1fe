// A step of the two-level scheme for a membrane with fixed edges (Pozzo et al. 2010, equations 10 to 13).
// Compiled for the host, and through pozzo.cu for CUDA.

#include "bench/papers/pozzo.hpp"

#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/ell.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/formats/wave_operators.hpp"

namespace wavesim::pozzo {

namespace {

using Real = float;
using Vector = Field<Backend, Real>;
using System = WaveSystem<Real, UniformCoefficients<Real>>;
using Storage = StencilEllpackR<Backend, Real, System::Stencil>;
constexpr Real alpha = 0.5;  // c^2 dt^2 / (2 dx dy): the limit of the explicit scheme

/// A: 1 + 4 alpha and -alpha, with fixed edges.
System membrane(Extent e) {
  UniformCoefficients<Real> c;
  c.topology = {e.nx, e.ny, 0, 0};
  c.face_x = c.face_y = alpha;
  for (Real& edge : c.edge) edge = -alpha;
  return {c, 0, 1};
}

/// A matrix in ELLPACK-R whose arrays can be copied as they are.
class Matrix final : public RowOperator<Backend, Real, Storage::View> {
 public:
  using View = Storage::View;
  Matrix(Backend& be, Extent e) : RowOperator(be, e), system_(membrane(e)), storage_(be, e, system_) {
    view_ = storage_.view();
    version_ = 1;
  }
  void assemble() { storage_.assemble(be_, extent_, system_); }
  const View& view() const { return view_; }
  MatrixFacts facts() const override { return {Structure::any, true, true}; }

 private:
  System system_;
  Storage storage_;
};

class OnBackend final : public Device {
 public:
  explicit OnBackend(int n)
      : e_(make_extent(n, n)), A_(be_, e_), b_(be_, e_), first_(be_, e_), x_(be_, e_), u_(be_, e_) {}

  Runs generate(int repetitions) override {
    const auto make = [&] {
      A_.assemble();
      displace();
      right_hand_side();
    };
    const double before = be_.counts().bytes;
    make();
    const double bytes = be_.counts().bytes - before;
    return {seconds_of_runs(be_, repetitions, make), bytes};
  }

  /// u at the last two times: a disc in the middle, raised and at rest. The first guess is zero.
  void displace() {
    const float middle = 0.5f * (e_.nx - 1), radius = 0.1f * (e_.nx + 1);
    be_.rows(
        "u = disc", e_, 0,
        [=] KERNEL(Row r, Real & u, Real & guess) {
          const float x = r.col - middle, y = r.row - middle;
          u = x * x + y * y < radius * radius ? 1.0f : 0.0f;
          guess = 0;
        },
        u_.out(), first_.out());
  }
  /// gamma = alpha (sum of the four neighbours of u) + (2 - 4 alpha) u - u_before, with u_before = u
  void right_hand_side() {
    const Real* u = u_.data();
    be_.rows(
        "b = gamma", e_, sizeof(Real),  // neighbours come from the caches
        [=] KERNEL(Row r, Real & b) {
          const int i = r.i;
          b = alpha * (u[i - 1] + u[i + 1] + u[i - r.pitch] + u[i + r.pitch]) + (1 - 4 * alpha) * u[i];
        },
        b_.out());
  }

  Solve execute(int repetitions) override {
    SolverOptions o;
    o.method = "cg";
    o.norm = "relative-2";
    o.tolerance = 1e-5;
    const auto solver = make_solver<Backend, Real>(o, be_, A_);
    std::vector<double> times;
    Report r;
    for (int k = 0; k <= repetitions; ++k) {
      be_.map(
          "x = first guess", e_, [] KERNEL(const Real& from, Real& to) { to = from; }, first_.in(), x_.out());
      be_.synchronize();
      r = solver->solve(A_, nullptr, b_, x_, false);
      if (k > 0) times.push_back(r.seconds);
    }
    return {{times, r.bytes}, r.iterations, r.relative_residual(), r.converged()};
  }

  std::vector<Piece> system() override {
    const auto& A = A_.view();
    const std::size_t n = std::size_t(e_.count()), entries = std::size_t(A.stride * A.width);
    const auto all = [](Vector& v) { return Piece{v.memory().data(), v.memory().size() * sizeof(Real)}; };
    return {{A.value, entries * sizeof(Real)},
            {A.column, entries * sizeof(int)},
            {A.length, n * sizeof(int)},
            all(b_),
            all(first_)};
  }
  Runs copy_from_host(const std::vector<Piece>& from, int repetitions) override {
    const std::vector<Piece> to = system();
    const auto copy = [&] {
      for (std::size_t k = 0; k < to.size(); ++k)
        be_.upload(static_cast<char*>(to[k].data), static_cast<const char*>(from[k].data), to[k].bytes);
    };
    return {wall_seconds_of_runs(be_, repetitions, copy)};
  }
  Runs copy_to_host(const std::vector<Piece>& to, int repetitions) override {
    const std::vector<Piece> from = system();
    const auto copy = [&] {
      for (std::size_t k = 0; k < to.size(); ++k)
        be_.download(static_cast<char*>(to[k].data), static_cast<const char*>(from[k].data), to[k].bytes);
    };
    return {wall_seconds_of_runs(be_, repetitions, copy)};
  }

 private:
  Backend be_;
  Extent e_;
  Matrix A_;
  Vector b_, first_, x_, u_;
};

}  // namespace

#ifdef __CUDACC__
std::unique_ptr<Device> make_cuda(int n) { return std::make_unique<OnBackend>(n); }

double copy_bandwidth_cuda() {
  Backend be;
  const Extent e = make_extent(copied_points, copied_points, sizeof(Real));
  Vector from(be, e), to(be, e);
  const double seconds = median_seconds(be, 15, [&] {
    be.map(
        "copy", e, [] KERNEL(const Real& a, Real& b) { b = a; }, from.in(), to.out());
  });
  return 2.0 * sizeof(Real) * double(e.points()) / seconds;
}
#else
std::unique_ptr<Device> make_host(int n) { return std::make_unique<OnBackend>(n); }
#endif

}  // namespace wavesim::pozzo
