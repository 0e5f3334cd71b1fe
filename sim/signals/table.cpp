#include <algorithm>
#include <cmath>

#include "sim/input/csv_table.hpp"
#include "sim/input/hdf5_array.hpp"
#include "sim/input/text.hpp"
#include "sim/signals/signal.hpp"

namespace wavesim {

namespace {

/// Two columns, time and value, joined by straight lines.
struct Table : Signal {
  FilePath file;
  std::string dataset, outside = "zero";
  double scale = 1;

  void fields(Section& s) override {
    s("file", file, {.text = "CSV (time, value in each line) or HDF5 (n x 2)", .required = true});
    s("dataset", dataset, {.text = "of an HDF5 file; may be left out where there is one only"});
    s("outside", outside,
      {.text = "before the first and after the last time: zero, or the edge value",
       .choices = {"zero", "edge"}});
    s("scale", scale, {.text = "factor on the values"});
  }

  bool is_hdf5() const {
    const std::string extension = file.path.extension().string();
    return extension == ".h5" || extension == ".hdf5" || extension == ".hdf" || !dataset.empty();
  }
  void verify() const override {
    if (is_hdf5()) prepare_to_read_hdf5();
  }

  void prepare() override {
    if (is_hdf5()) {
      const Hdf5Array a = read_hdf5_array(file.path, dataset, where);
      if (a.columns != 2)
        where.fail("the table " + a.dataset + " in " + file.path.string() + " has " +
                   std::to_string(a.columns) + " columns; it needs two, time and value");
      rows_.clear();
      for (long i = 0; i < a.rows; ++i) rows_.push_back({a.values[2 * i], a.values[2 * i + 1]});
    } else {
      rows_ = read_csv_table(file.path, where);
    }
    if (rows_.empty()) where.fail("the table " + file.path.string() + " is empty; it needs at least one row");
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!std::isfinite(rows_[i][0]) || !std::isfinite(rows_[i][1]))
        where.fail("row " + std::to_string(i + 1) + " of the table " + file.path.string() +
                   " is not finite; replace it");
      if (i > 0 && !(rows_[i][0] > rows_[i - 1][0]))
        where.fail("the times of the table " + file.path.string() + " do not grow: row " +
                   std::to_string(i + 1) + " is at " + text(rows_[i][0]) + " s after " +
                   text(rows_[i - 1][0]) + " s; sort it");
    }
  }

  double at(double t) const override {
    const bool edge = outside == "edge";
    if (t < rows_.front()[0]) return edge ? scale * rows_.front()[1] : 0;
    if (t > rows_.back()[0]) return edge ? scale * rows_.back()[1] : 0;
    const auto next = std::upper_bound(rows_.begin(), rows_.end(), t,
                                       [](double v, const std::array<double, 2>& row) { return v < row[0]; });
    if (next == rows_.end()) return scale * rows_.back()[1];
    const auto& [t0, s0] = *(next - 1);
    const auto& [t1, s1] = *next;
    return scale * (s0 + (t - t0) / (t1 - t0) * (s1 - s0));
  }

 private:
  std::vector<std::array<double, 2>> rows_;
};

}  // namespace

Kind<Signal> table_kind() {
  return {"table", "values from a CSV or HDF5 file, linear between them", Form::nested,
          make_kind<Signal, Table>};
}

}  // namespace wavesim
