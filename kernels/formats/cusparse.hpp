#pragma once
// Products of compressed sparse rows by cuSPARSE, NVIDIA's library for sparse matrices, for comparison with ours.

#include <cstddef>
#include <memory>

namespace wavesim {

/// A square matrix in the memory of a GPU, where it stays as long as products are taken.
template <class T>
struct CusparseRows {
  int rows = 0;
  long entries = 0;
  int *start = nullptr, *column = nullptr;
  T* value = nullptr;
};

/// Its generic SpMV with the algorithm that it takes by itself. The pattern has to stay as it is, values may change. It does not
/// promise the same bits each time. Throws DeviceError.
template <class T>
class CusparseProduct {
 public:
  /// `stream`: a cudaStream_t, in whose order products are. x and y: any two vectors of so many rows.
  CusparseProduct(const CusparseRows<T>& A, T* x, T* y, void* stream);
  /// Bytes of the GPU's memory that it works with.
  std::size_t room() const;
  /// To be called once, not while work is recorded; takes products from x to y. `room`: that memory. `scale`: as of a product.
  void prepare(void* room, const T* x, T* y, const T* scale);
  /// y <- A x; with `scale`, in the GPU's memory, y <- scale[0] A x + scale[1] y. Allocates nothing.
  void multiply(const T* x, T* y, const T* scale) const;

 private:
  struct Handles;
  std::shared_ptr<Handles> handles_;
};

}  // namespace wavesim
