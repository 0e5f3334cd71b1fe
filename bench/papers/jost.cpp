// Compiled for the host, and through jost.cu for CUDA.
#include "bench/papers/jost.hpp"

#include <algorithm>

#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim::jost {

namespace {

template <class T>
class OnBackend final : public Device {
 public:
  explicit OnBackend(const HostCsr& matrix)
      : A_(make_operator<Backend, T>("dia", be_, matrix)), b_(be_, A_->extent()), x_(be_, A_->extent()) {
    std::vector<T> ones(b_.memory().size(), T(0));
    std::fill_n(ones.begin() + A_->extent().pitch, matrix.rows, T(1));
    b_.memory().upload(ones);
  }

  Outcome solve(const std::string& method, double tolerance, int repetitions) override {
    const auto solver = make_solver<Backend, T>(options(method, tolerance, 1000), be_, *A_);
    std::vector<double> times;
    Report r;
    for (int k = repetitions > 1 ? -1 : 0; k < repetitions; ++k) {
      be_.zero(x_.memory().data(), x_.memory().size());
      be_.synchronize();
      r = solver->solve(*A_, nullptr, b_, x_, true);
      if (k >= 0) times.push_back(r.seconds);
    }
    return {median(times), r.iterations, r.final.largest, std::string(word(r.status))};
  }

  double copy(int repetitions) override {
    const std::size_t matrix = std::size_t(A_->matrix_bytes()), vector = b_.memory().size() * sizeof(T);
    const std::vector<char> host(matrix + vector);
    std::vector<T> result(x_.memory().size());
    Buffer<Backend, char> room(be_, matrix + vector);
    return median_wall_seconds(be_, repetitions, [&] {
      be_.upload(room.data(), host.data(), host.size());
      be_.download(result.data(), x_.memory().data(), result.size());
    });
  }

 private:
  Backend be_;
  std::unique_ptr<Operator<Backend, T>> A_;
  Field<Backend, T> b_, x_;
};

std::unique_ptr<Device> make(const HostCsr& A, bool single) {
  if (single) return std::make_unique<OnBackend<float>>(A);
  return std::make_unique<OnBackend<double>>(A);
}

}  // namespace

#ifdef __CUDACC__
std::unique_ptr<Device> make_cuda(const HostCsr& A, bool single) { return make(A, single); }
#else
std::unique_ptr<Device> make_host(const HostCsr& A, bool single) { return make(A, single); }
#endif

}  // namespace wavesim::jost
