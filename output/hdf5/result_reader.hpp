#pragma once
// Reads the result of a run, finished or killed, back from its file.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output/hdf5/stored_frame.hpp"
#include "sim/run/writer.hpp"

namespace wavesim {

struct ResultFrame {
  long step;
  double time;
};

/// Columns of /wavesim/history, all equally long.
struct HistoryColumns {
  std::vector<double> step, time, iterations, residual_2, residual_max, residual_recurrence, assembly_seconds,
      solve_seconds;
  std::vector<std::string> status;
  std::vector<std::vector<double>> balance;  // by EnergyBalance::names; empty where the run kept none
};

struct Series {
  std::vector<double> time, value;
};

/// Samples of all receivers: values[r] is the series of receiver r.
struct ReceiverSeries {
  std::vector<double> time;
  std::vector<std::vector<double>> values;
};

class ResultReader {
 public:
  /// A .vtkhdf or .h5 file, or the folder of one run. Throws InputError.
  explicit ResultReader(const std::filesystem::path& result);
  ~ResultReader();
  ResultReader(const ResultReader&) = delete;
  ResultReader& operator=(const ResultReader&) = delete;

  const std::filesystem::path& file() const { return file_; }
  /// What the writers were told: name, folder, config, facts, geometry, quantities, receivers.
  const RunInfo& info() const { return info_; }
  bool complete() const { return complete_; }
  const std::string& ending() const { return ending_; }
  const std::vector<ResultFrame>& frames() const { return frames_; }
  /// Whether there are frames of this quantity, or it was written once.
  bool has(const std::string& quantity) const;
  /// Those that can be drawn.
  std::vector<std::string> quantities() const;
  /// One frame of one quantity, (ny, nx). Throws InputError.
  void read(const std::string& quantity, std::size_t frame, std::vector<float>& values) const;
  /// The same in two parts: the first by one thread at a time, the second by many beside each other.
  struct StoredFrame {
    hdf5::StoredFrame data;
    std::size_t number = 0;
  };
  void fetch(const std::string& quantity, std::size_t frame, StoredFrame& stored) const;
  void decode(StoredFrame& stored, std::vector<float>& values) const;

  // Throw InputError where the file is damaged.
  HistoryColumns history() const;
  Series energy() const;
  ReceiverSeries receivers() const;
  /// A number of the summary; nothing where the run has not said it.
  std::optional<double> summary(const char* name) const;

 private:
  [[noreturn]] void fail_to_read(std::size_t frame, const std::string& reason) const;
  [[noreturn]] void fail_to_read(const std::string& reason) const;

  struct File;
  std::filesystem::path file_;
  std::unique_ptr<File> open_;
  RunInfo info_;
  bool complete_ = false;
  std::string ending_;
  std::vector<ResultFrame> frames_;
};

}  // namespace wavesim
