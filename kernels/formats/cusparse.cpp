#ifdef WAVESIM_HAVE_CUSPARSE

#include "kernels/formats/cusparse.hpp"

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>

#include <string>
#include <type_traits>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

/// The functions of the library, which is loaded when they are first asked for: if it were linked, each start of the program
/// would wait for its 160 MB.
class Cusparse {
 public:
  decltype(&cusparseGetErrorString) error_string = nullptr;
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseSetStream) set_stream = nullptr;
  decltype(&cusparseSetPointerMode) set_pointer_mode = nullptr;
  decltype(&cusparseCreateCsr) create_csr = nullptr;
  decltype(&cusparseDestroySpMat) destroy_matrix = nullptr;
  decltype(&cusparseCreateDnVec) create_vector = nullptr;
  decltype(&cusparseDestroyDnVec) destroy_vector = nullptr;
  decltype(&cusparseDnVecSetValues) set_values = nullptr;
  decltype(&cusparseSpMV_bufferSize) buffer_size = nullptr;
  decltype(&cusparseSpMV) multiply = nullptr;
#if CUSPARSE_VERSION >= 12300  // of CUDA 12.4
  decltype(&cusparseSpMV_preprocess) preprocess = nullptr;
#endif

  Cusparse() {
    void* const library = dlopen(name().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) refuse(dlerror());
    const auto find = [&](auto& function, const char* symbol) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
      if (!function) refuse(std::string(symbol) + " is not in it");
    };
    find(error_string, "cusparseGetErrorString");
    find(create, "cusparseCreate");
    find(destroy, "cusparseDestroy");
    find(set_stream, "cusparseSetStream");
    find(set_pointer_mode, "cusparseSetPointerMode");
    find(create_csr, "cusparseCreateCsr");
    find(destroy_matrix, "cusparseDestroySpMat");
    find(create_vector, "cusparseCreateDnVec");
    find(destroy_vector, "cusparseDestroyDnVec");
    find(set_values, "cusparseDnVecSetValues");
    find(buffer_size, "cusparseSpMV_bufferSize");
    find(multiply, "cusparseSpMV");
#if CUSPARSE_VERSION >= 12300
    find(preprocess, "cusparseSpMV_preprocess");
#endif
  }

 private:
  static std::string name() { return "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR); }
  [[noreturn]] static void refuse(const std::string& why) {
    throw InputError("format: cusparse needs " + name() + " of the CUDA toolkit, which cannot be used: " +
                     why + "; install it, or write another format, as csr");
  }
};

const Cusparse& cusparse() {
  static const Cusparse functions;
  return functions;
}

void check(cusparseStatus_t e) {
  if (e != CUSPARSE_STATUS_SUCCESS)
    throw DeviceError(std::string("cuSPARSE failed: ") + cusparse().error_string(e) +
                      "; try again, or write format: csr");
}

constexpr cusparseOperation_t as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_ALG_DEFAULT;

}  // namespace

template <class T>
struct CusparseProduct<T>::Handles {
  static constexpr cudaDataType type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
  const T one = 1, zero = 0;
  cusparseHandle_t library = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  void* room = nullptr;

  Handles() = default;
  Handles(const Handles&) = delete;
  ~Handles() {
    if (x) cusparse().destroy_vector(x);
    if (y) cusparse().destroy_vector(y);
    if (matrix) cusparse().destroy_matrix(matrix);
    if (library) cusparse().destroy(library);
  }
};

template <class T>
CusparseProduct<T>::CusparseProduct(const CusparseRows<T>& A, T* x, T* y, void* stream)
    : handles_(std::make_shared<Handles>()) {
  Handles& h = *handles_;
  check(cusparse().create(&h.library));
  check(cusparse().set_stream(h.library, static_cast<cudaStream_t>(stream)));
  check(cusparse().create_csr(&h.matrix, A.rows, A.rows, A.entries, A.start, A.column, A.value,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                              Handles::type));
  check(cusparse().create_vector(&h.x, A.rows, x, Handles::type));
  check(cusparse().create_vector(&h.y, A.rows, y, Handles::type));
}

template <class T>
std::size_t CusparseProduct<T>::room() const {
  const Handles& h = *handles_;
  std::size_t bytes = 0;
  check(cusparse().buffer_size(h.library, as_it_is, &h.one, h.matrix, h.x, &h.zero, h.y, Handles::type,
                               algorithm, &bytes));
  return bytes;
}

template <class T>
void CusparseProduct<T>::prepare(void* room, const T* x, T* y, const T* scale) {
  Handles& h = *handles_;
  h.room = room;
#if CUSPARSE_VERSION >= 12300
  check(cusparse().preprocess(h.library, as_it_is, &h.one, h.matrix, h.x, &h.zero, h.y, Handles::type,
                              algorithm, h.room));
#endif
  multiply(x, y, nullptr);  // kernels are loaded by their first launch, which could not be recorded
  multiply(x, y, scale);
}

template <class T>
void CusparseProduct<T>::multiply(const T* x, T* y, const T* scale) const {
  const Handles& h = *handles_;
  check(cusparse().set_values(h.x, const_cast<T*>(x)));
  check(cusparse().set_values(h.y, y));
  check(cusparse().set_pointer_mode(h.library,
                                    scale ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  check(cusparse().multiply(h.library, as_it_is, scale ? scale : &h.one, h.matrix, h.x,
                            scale ? scale + 1 : &h.zero, h.y, Handles::type, algorithm, h.room));
}

template class CusparseProduct<double>;
template class CusparseProduct<float>;

}  // namespace wavesim

#endif
