// The same on a GPU, by CUB. In a file of its own: its templates take long to compile.
#include "kernels/lists/sort.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/backend/cuda.hpp"

namespace wavesim {

void sums_before(Cuda& be, int* p, int n) {
  if (n == 0) return;
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, p, p, n, be.stream()));
  const Buffer<Cuda, char> work(be, bytes);
  check(cub::DeviceScan::ExclusiveSum(work.data(), bytes, p, p, n, be.stream()));
}

void sort_by_key(Cuda& be, int* key, int* value, int n, int bits) {
  if (n == 0) return;
  const Buffer<Cuda, int> keys(be, n), values(be, n);
  cub::DoubleBuffer<int> k(key, keys.data()), v(value, values.data());
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, k, v, n, 0, bits, be.stream()));
  const Buffer<Cuda, char> work(be, bytes);
  check(cub::DeviceRadixSort::SortPairs(work.data(), bytes, k, v, n, 0, bits, be.stream()));
  if (k.Current() != key)
    check(cudaMemcpyAsync(key, k.Current(), n * sizeof(int), cudaMemcpyDeviceToDevice, be.stream()));
  if (v.Current() != value)
    check(cudaMemcpyAsync(value, v.Current(), n * sizeof(int), cudaMemcpyDeviceToDevice, be.stream()));
}

}  // namespace wavesim
