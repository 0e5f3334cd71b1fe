#pragma once
// One device of Pozzo, Idagawa et al. (2010), Table 1: it generates the system of a membrane step or takes it
// over from the other device, and solves it. In single precision, as in the paper.

#include <cstddef>
#include <memory>
#include <vector>

namespace wavesim::pozzo {

/// Memory of a device.
struct Piece {
  void* data;
  std::size_t bytes;
};

/// What was done repeatedly.
struct Runs {
  std::vector<double> seconds;  // of each
  double bytes = 0;  // that one has to read and write in the device's memory; not counted of copies
};

struct Solve {
  Runs runs;
  int iterations = 0;
  double residual = 0;  // |b - A x| / |b|, 2-norms
  bool converged = false;
};

class Device {
 public:
  virtual ~Device() = default;
  /// Assembles the matrix in ELLPACK-R, the right-hand side and the first guess.
  virtual Runs generate(int repetitions) = 0;
  /// Conjugate gradients from the first guess.
  virtual Solve execute(int repetitions) = 0;
  /// The system: values, columns, lengths, right-hand side, first guess.
  virtual std::vector<Piece> system() = 0;
  /// Copies the system to or from memory of the host.
  virtual Runs copy_from_host(const std::vector<Piece>&, int repetitions) = 0;
  virtual Runs copy_to_host(const std::vector<Piece>&, int repetitions) = 0;
};

/// For n x n points.
std::unique_ptr<Device> make_host(int n);
constexpr int copied_points = 8192;  // a side: 256 MiB, more than the caches hold
#ifdef WAVESIM_HAVE_CUDA
std::unique_ptr<Device> make_cuda(int n);
/// Bytes a second, read and written, of copying a vector of so many points.
double copy_bandwidth_cuda();
#endif

}  // namespace wavesim::pozzo
