#pragma once
// The group /wavesim/history of the result file.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "output/hdf5/dimension_scales.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "sim/run/writer.hpp"

namespace wavesim::hdf5 {

/// /wavesim/history: one 1-D dataset a column, appended in blocks. The attribute `rows` says how many
/// entries count: it is written after they are on disk, and a killed run may leave more. Where solvers have a fallback,
/// the attribute `solvers` names them, and the column `solver` counts in it from 0.
class HistoryGroup {
 public:
  HistoryGroup(hid_t parent, const RunInfo& info)
      : group_(make_group(parent, "history")), planned_(hsize_t(info.planned_steps) + 1) {
    count("step", [](const StepRecord& r) { return r.step; });
    count("iterations", [](const StepRecord& r) { return r.iterations; });
    number("time", [](const StepRecord& r) { return r.time; });
    number("residual_2", [](const StepRecord& r) { return r.residual_2; });
    number("residual_max", [](const StepRecord& r) { return r.residual_max; });
    number("residual_recurrence", [](const StepRecord& r) { return r.residual_recurrence; });
    number("energy", [](const StepRecord& r) { return r.energy; });
    number("assembly_seconds", [](const StepRecord& r) { return r.assembly_seconds; });
    number("solve_seconds", [](const StepRecord& r) { return r.solve_seconds; });
    for (std::size_t k = 0; info.balance && k < EnergyBalance::names.size(); ++k)
      number(EnergyBalance::names[k], [k](const StepRecord& r) { return r.balance.columns()[k]; });
    text("status", 24, [](const StepRecord& r) { return r.status; });
    if (const std::size_t chain = info.solvers.size(); chain > 0) {
      std::string all;
      for (const std::string& name : info.solvers) all += (all.empty() ? "" : ", ") + name;
      set_attribute(group_, "solvers", all);
      count("solver", [](const StepRecord& r) { return r.solver; });
      text("failures", 16 * chain, [](const StepRecord& r) { return r.failures; });
    }
    const Column& step = columns_.front();  // the file's root has a `time` of its own, that of frames
    make_scale(step.rows.id(), "step", "");
    for (const Column& c : columns_) {
      if (&c == &step) continue;
      attach_scale(c.rows.id(), 0, step.rows.id());
      if (c.name == "time" || c.name.ends_with("_seconds"))
        set_attribute(c.rows.id(), "units", std::string("s"));
      if (c.name != "time") set_attribute(c.rows.id(), "coordinates", std::string("time"));
    }
    publish();
  }

  bool full() const { return waiting_.size() >= 1024; }
  void add(const StepRecord& r) { waiting_.push_back(r); }

  void write() {
    if (waiting_.empty()) return;
    for (Column& c : columns_) {
      std::string block;
      for (const StepRecord& r : waiting_) block += c.entry(r);
      c.rows.append(block.data(), waiting_.size());
    }
    waiting_.clear();
  }
  /// The first `rows` of another group of this kind.
  void append_from(hid_t other, hsize_t rows) {
    for (Column& c : columns_) c.rows.append_from(open_dataset(other, c.name), rows);
    publish();
  }
  hsize_t rows() const { return columns_.back().rows.size(); }
  void publish() { set_attribute(group_, "rows", std::int64_t(rows())); }

 private:
  struct Column {
    std::string name;
    DatasetRows rows;
    std::function<std::string(const StepRecord&)> entry;  // its bytes
  };
  template <class V>
  static std::string bytes_of(const V& v) {
    return {reinterpret_cast<const char*>(&v), sizeof v};
  }
  template <class F>
  void add_column(const char* name, hid_t type, const F& entry) {
    columns_.push_back({name, DatasetRows(group_, name, type, 0, planned_), entry});
  }
  template <class F>
  void count(const char* name, const F& f) {
    add_column(name, H5T_NATIVE_INT64, [f](const StepRecord& r) { return bytes_of(std::int64_t(f(r))); });
  }
  template <class F>
  void number(const char* name, const F& f) {
    add_column(name, H5T_NATIVE_DOUBLE, [f](const StepRecord& r) { return bytes_of(double(f(r))); });
  }
  /// Texts of so many bytes, filled up with zeros.
  template <class F>
  void text(const char* name, std::size_t bytes, const F& f) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
    check(H5Tset_size(type, bytes), name);
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), name);
    add_column(name, type, [f, bytes](const StepRecord& r) {
      std::string word = f(r);
      word.resize(bytes, '\0');
      return word;
    });
  }

  Handle group_;
  hsize_t planned_;
  std::vector<Column> columns_;
  std::vector<StepRecord> waiting_;
};

}  // namespace wavesim::hdf5
