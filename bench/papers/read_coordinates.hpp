#pragma once
// Matrices from plain Matrix Market files: coordinate, real or integer, general or symmetric.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/errors.hpp"
#include "kernels/formats/host_csr.hpp"

namespace wavesim {

inline HostCsr read_coordinates(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const bool symmetric = line.find(" symmetric") != std::string::npos;
  if (line.find("matrix coordinate") == std::string::npos || line.find("complex") != std::string::npos ||
      line.find("pattern") != std::string::npos || (!symmetric && line.find(" general") == std::string::npos))
    throw InputError(file.string() + ": not a coordinate real general or symmetric Matrix Market file");
  while (std::getline(in, line) && line.starts_with('%')) continue;
  int rows = 0, columns = 0;
  long entries = 0;
  if (std::istringstream size(line); !(size >> rows >> columns >> entries) || rows != columns)
    throw InputError(file.string() + ": the matrix is not square");
  std::vector<std::tuple<int, int, double>> list;
  for (long k = 0; k < entries; ++k) {
    int i = 0, j = 0;
    double v = 0;
    if (!(in >> i >> j >> v) || i < 1 || j < 1 || i > rows || j > rows)
      throw InputError(file.string() + ": entry " + std::to_string(k + 1) + " is missing or outside");
    list.emplace_back(i - 1, j - 1, v);
    if (symmetric && i != j) list.emplace_back(j - 1, i - 1, v);
  }
  std::sort(list.begin(), list.end());
  HostCsr A;
  A.rows = rows;
  A.start.assign(std::size_t(rows) + 1, 0);
  for (const auto& [i, j, v] : list) {
    ++A.start[std::size_t(i) + 1];
    A.column.push_back(j);
    A.value.push_back(v);
  }
  for (int i = 0; i < rows; ++i) A.start[std::size_t(i) + 1] += A.start[i];
  return A;
}

}  // namespace wavesim
