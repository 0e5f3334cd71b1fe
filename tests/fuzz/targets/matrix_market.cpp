// A Matrix Market file, plain or gzip: as a matrix, as columns of three rows, and what is asked of a matrix next.

#include "solvers/matrices/matrix_market.hpp"

#include "solvers/matrices/choose_format.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  fuzz::refused_or_read([&] { read_matrix_market_columns(file.path(), 3); });
  return fuzz::refused_or_read([&] {
    const HostCsr A = read_matrix_market_of_any_shape(file.path(), true).square;
    is_symmetric(A);
    choose_format(A);
  });
}
