// `cusparse`: the rows of `csr`, multiplied by cuSPARSE (kernels/formats/cusparse.hpp) on a GPU: NVIDIA's product within the
// methods that are here, for comparison.
#include "kernels/formats/cusparse.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

namespace {

#ifdef WAVESIM_HAVE_CUSPARSE
/// As MultipliedRows wants it.
template <class B, class T>
class ByCusparse {
 public:
  ByCusparse(B& be, const Csr<B, T>& A)
      : ByCusparse(be, A, Buffer<B, T>(be, std::size_t(A.rows())), Buffer<B, T>(be, std::size_t(A.rows()))) {}
  void operator()(const T* x, T* y, const T* scale) const { library_.multiply(x, y, scale); }

 private:
  ByCusparse(B& be, const Csr<B, T>& A, Buffer<B, T> x, Buffer<B, T> y)
      : library_({A.rows(), A.entries(), A.view().start, A.view().column, A.view().value}, x.data(), y.data(),
                 be.stream()),
        room_(be, library_.room()) {
    const Buffer<B, T> scale(be, 2);
    library_.prepare(room_.data(), x.data(), y.data(), scale.data());
    be.synchronize();  // before these are let go
  }

  CusparseProduct<T> library_;
  Buffer<B, char> room_;
};
#endif

}  // namespace

template <class B, class T>
FormatOn<B, T> cusparse_format() {
  const Format row{.name = "cusparse",
                   .text = "csr with products by NVIDIA's cuSPARSE, for comparison; GPUs only, bits may vary",
                   .values = 5,
                   .indices = 6,
                   .periodic_values = 5,
                   .readable = false,
                   .repeatable = false,
                   .kept = 1,
                   .library = "cuSPARSE"};
#ifdef WAVESIM_HAVE_CUSPARSE
  if constexpr (B::asynchronous) return format_of<MultipliedRows<B, T, ByCusparse<B, T>>, B, T>(row);
#endif
  return {row};
}

WAVESIM_FORMAT(cusparse_format)

}  // namespace wavesim
