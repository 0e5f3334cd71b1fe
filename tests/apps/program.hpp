#pragma once
// Runs the built program in a folder of its own.

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace wavesim {

struct Outcome {
  int status = -1;  // exit status; 128 + the signal that ended it
  std::string out, err;
};

enum class RanksAre { of_mpi, forked };

class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& text) const;

  /// Runs wavesim here. `prepare` is called in the new process before the program; `meanwhile` in this one,
  /// with the process id, while it runs.
  Outcome run(const std::vector<std::string>& arguments, const std::function<void()>& prepare = {},
              const std::function<void(pid_t)>& meanwhile = {}) const;

  /// The same on so many ranks of one thread each, which mpirun starts or the program itself; `meanwhile` is given the process
  /// that starts them.
  Outcome run_on_ranks(RanksAre start, int count, const std::vector<std::string>& arguments,
                       const std::function<void(pid_t)>& meanwhile = {}) const;
  /// Whether there is an mpirun, and the program is built with MPI.
  static bool has_mpirun();

  /// Files below the folder, but for those of write() and the program's captured words.
  std::vector<std::string> left_behind() const;

 private:
  Outcome start(const std::vector<std::string>& command, const std::function<void()>& prepare,
                const std::function<void(pid_t)>& meanwhile) const;
  std::filesystem::path folder_, captured_;
  mutable std::vector<std::string> written_;
};

}  // namespace wavesim
