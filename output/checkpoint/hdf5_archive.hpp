#pragma once
// The parts of a run's state as groups of an HDF5 file, and what they name as datasets in them.

#include "sim/input/hdf5_handle.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

/// Throws Failure; with `finite_only` SolveError where a field of the wave, "u" or "p", is not finite.
class SaveInHdf5 final : public Archive {
 public:
  explicit SaveInHdf5(hid_t group, bool finite_only = true) : group_(group), finite_only_(finite_only) {}
  bool loading() const override { return false; }

 protected:
  void exchange(const std::string& name, Kind kind, const Shape& shape, void* data) override;
  void exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                     std::size_t count, void* data) override;
  std::size_t saved_length(const std::string&, Kind) const override { return 0; }

 private:
  void require_finite(const std::string& name, Kind kind, std::size_t first_row, std::size_t rows,
                      std::size_t columns, const void* data) const;
  hdf5::Handle make_dataset(const std::string& name, Kind kind, const Shape& shape) const;

  hid_t group_;
  bool finite_only_;
};

class LoadFromHdf5 final : public Archive {
 public:
  explicit LoadFromHdf5(hid_t group) : group_(group) {}
  bool loading() const override { return true; }

 protected:
  void exchange(const std::string& name, Kind kind, const Shape& shape, void* data) override;
  void exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                     std::size_t count, void* data) override;
  std::size_t saved_length(const std::string& name, Kind kind) const override;

 private:
  hdf5::Handle open(const std::string& name, Kind kind) const;
  hdf5::Handle open(const std::string& name, Kind kind, const Shape& shape) const;
  hid_t group_;
};

}  // namespace wavesim
